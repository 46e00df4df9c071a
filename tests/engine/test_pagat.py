"""Rules of the source, played: each test is named after the clause that it holds the engine to."""

from __future__ import annotations

from typing import Any

import pytest
from table import after

from truco_spec.engine import Game, IllegalAction
from truco_spec.graph.load import load

TRICK = "P1 3C, P2 2H, P3 KS, P0 5D"
"""Won by P1 with a three."""
HAND = f"{TRICK}, P1 3H, P2 2D, P3 QS, P0 6D"
"""Two tricks for P1 and P3."""


def seen(log: str) -> dict[str, Any]:
    return dict(after(log).observe())


def status(log: str, text: str) -> str:
    game = after(log)
    return game.rule_on(game.parse(text)).status


def umpired(log: str, text: str) -> Game:
    variant, _, rest = log.partition("|")
    game = after(f"{variant.strip()} | mode umpire | {rest.strip()}")
    game.push_text(text)
    return game


# ---- tricks and hands ------------------------------------------------------------------------------


def test_pagat_highest_card_wins_the_trick_and_its_player_leads() -> None:
    assert seen(f"mineiro | {TRICK}")["trick"] == "P1"
    assert seen(f"mineiro | {TRICK}")["leader"] == "P1"


def test_pagat_manilhas_are_the_top_four() -> None:
    assert seen("mineiro | P1 3C, P2 7D, P3 AS, P0 4C")["trick"] == "P0"


def test_pagat_paulista_manilhas_are_the_rank_above_the_vira_ordered_by_suit() -> None:
    assert seen("paulista | deal vira 5H | P1 3C, P2 6D, P3 6S, P0 6H")["leader"] == "P0"
    assert seen("paulista | deal vira 3H | P1 3C, P2 4D, P3 KS, P0 2H")["leader"] == "P2"


def test_pagat_equal_cards_of_both_teams_tie_the_trick() -> None:
    assert seen("mineiro | P1 3C, P2 3H, P3 KS, P0 5D")["trick"] == "tie"


def test_pagat_equal_cards_of_partners_win_it() -> None:
    assert seen("mineiro | P1 3C, P2 2H, P3 3S, P0 5D")["trick"] == "P1"


def test_pagat_two_tricks_win_the_hand() -> None:
    assert seen(f"mineiro | {HAND}")["hand"] == "P1"


def test_pagat_no_card_is_covered_in_the_first_trick() -> None:
    game = after("mineiro | deal P2 3H | P1 3C")
    assert game.rule_on(game.parse("P2 (3H)")).status == "forbidden"


def test_pagat_a_covered_card_wins_nothing() -> None:
    assert seen(f"mineiro | {TRICK}, P1 KC, P2 QD, P3 (4C), P0 6D")["trick"] == "P1"


# ---- raises ----------------------------------------------------------------------------------------


def test_pagat_truco_raises_the_stake_from_1_to_3() -> None:
    assert seen("mineiro | P1 truco")["proposal"] == 3
    assert seen("mineiro | P1 truco, P0 aceito")["stake"] == 3


def test_pagat_truco_only_on_the_own_turn() -> None:
    assert status("mineiro | P1 3C", "P3 truco") == "not-offered"
    assert status("mineiro | P1 3C", "P2 truco") == "permitted"


def test_pagat_either_partner_may_reply_and_the_first_reply_binds() -> None:
    game = after("mineiro | P1 truco")
    assert game.awaited() == {0, 2}
    game.push_text("P0 corro")
    assert game.observe()["score"] == {"P0": 0, "P1": 1}


def test_pagat_who_runs_pays_the_stake_before() -> None:
    assert seen("mineiro | P1 truco, P2 vale-6, P1 corro")["score"] == {"P0": 3, "P1": 0}


def test_pagat_raises_go_3_6_9_12_and_end() -> None:
    calls = ["truco", "vale-6", "vale-9", "queda"]
    sayers = ["P1", "P2", "P1", "P2"]
    for number in range(4):
        log = ", ".join(f"{who} {call}" for who, call in zip(sayers[: number + 1], calls, strict=False))
        assert seen(f"mineiro | {log}")["proposal"] == 3 * (number + 1)
    game = after("mineiro | P1 truco, P2 vale-6, P1 vale-9, P2 queda")
    assert {action.verb for action in game.legal_actions()} == {"aceito", "corro"}


def test_pagat_mineiro_has_no_further_betting_in_the_trick() -> None:
    assert status("mineiro | P1 truco, P2 aceito", "P1 vale-6") == "not-offered"


def test_pagat_paulista_the_side_that_accepted_may_raise_later() -> None:
    later = "paulista | deal vira 7S | P1 truco, P2 aceito, P1 3C"
    assert status(later, "P2 seis") == "permitted"
    assert status("paulista | deal vira 7S | P1 truco, P2 aceito", "P1 seis") == "not-offered"


def test_pagat_a_raise_is_illegal_when_accepting_would_win() -> None:
    assert status("mineiro | score P1 7, P0 9 | P1 truco", "P2 vale-6") == "forbidden"
    assert status("mineiro | score P1 7, P0 8 | P1 truco", "P2 vale-6") == "permitted"


def test_pagat_mineiro_the_winner_of_the_trick_wins_the_hand() -> None:
    assert seen(f"mineiro | {TRICK}, P1 KC, P2 truco, P3 aceito, P2 3H, P3 QS, P0 6D")["hand"] == "P0"


def test_pagat_mineiro_a_tie_with_an_earlier_card_is_lost_by_the_last_raiser() -> None:
    assert seen("mineiro | P1 3C, P2 truco, P3 aceito, P2 3H, P3 KS, P0 5D")["hand"] == "P1"
    assert seen("mineiro | P1 truco, P2 aceito, P1 3C, P2 3H, P3 KS, P0 5D")["hand"] is None


# ---- at eleven --------------------------------------------------------------------------------------

ELEVEN = "score P1 11, P0 4"


def test_pagat_the_team_at_eleven_plays_for_three_or_runs_for_one() -> None:
    assert seen(f"mineiro | {ELEVEN} | P1 jogo")["stake"] == 3
    assert seen(f"mineiro | {ELEVEN} | P3 fujo")["score"] == {"P0": 5, "P1": 11}


def test_pagat_truco_at_eleven_costs_one_in_mineiro_and_the_hand_goes_on() -> None:
    game = umpired(f"mineiro | {ELEVEN} | P1 jogo", "P1 truco")
    assert game.observe()["score"] == {"P0": 4, "P1": 10}
    assert (game.phase, game.observe()["proposal"]) == ("play", None)


def test_pagat_truco_at_eleven_loses_the_game_in_paulista() -> None:
    game = umpired(f"paulista | {ELEVEN} | deal vira 5H | P1 jogo", "P2 truco")
    assert (game.over, game.observe()["winner"]) == (True, "P1")


def test_pagat_truco_at_eleven_is_refused_in_strict_play() -> None:
    with pytest.raises(IllegalAction, match="P1 truco is forbidden"):
        after(f"mineiro | {ELEVEN} | P1 jogo").push_text("P1 truco")


def test_pagat_the_iron_hand_is_played_from_the_top_of_the_packet() -> None:
    game = after("mineiro | score P1 11, P0 11 | P1 turn-up")
    assert {action.verb for action in game.legal_actions()} == {"turn-up"}


# ---- irregularities ---------------------------------------------------------------------------------


def test_pagat_an_irregularity_gives_the_other_team_one() -> None:
    assert umpired("mineiro | P1 3C", "P1 talk").observe()["score"] == {"P0": 1, "P1": 0}


def test_pagat_at_eleven_it_is_taken_from_the_offender_so_that_it_wins_no_match() -> None:
    game = umpired(f"mineiro | {ELEVEN} | P1 jogo", "P0 talk")
    assert game.observe()["score"] == {"P0": 3, "P1": 11}


def test_decided_a_score_never_falls_below_nothing() -> None:
    assert umpired("mineiro | score P1 11 | P1 jogo", "P0 talk").observe()["score"] == {"P0": 0, "P1": 11}


def test_pagat_the_deal_passes_to_the_right() -> None:
    game = after(f"mineiro | {HAND}")
    assert game.value("dealer") == 1
    assert Game(load("mineiro"), start={"dealer": 2}).value("dealer") == 2

"""What a seat may know follows from the spec: its own cards, what lies open, and what a rule lets it see."""

from __future__ import annotations

from typing import Any

import pytest
from table import after, at_random

from truco_spec.engine import Game
from truco_spec.engine.observe import cards_seen, sees


def view(game: Game, seat: int) -> dict[str, Any]:
    return dict(game.view(seat))


def test_a_player_sees_the_own_cards_and_only_how_many_the_others_hold() -> None:
    cards = view(after("paulista | deal P1 3C 4D 5H, vira 7S | P1 3C"), 1)["cards"]
    assert cards["P1"] == ["4D", "5H"]
    assert (cards["P2"], cards["P3"]) == ({"hidden": 3}, {"hidden": 3})


def test_pagat_the_vira_is_public() -> None:
    game = after("paulista | deal vira 5H | P1 3C")
    assert {view(game, seat)["vira"] for seat in range(4)} == {"5H"}


def test_pagat_a_covered_card_is_known_to_its_player_alone() -> None:
    game = after("mineiro | P1 3C, P2 2H, P3 KS, P0 5D, P1 (4S)")
    assert view(game, 1)["laid"]["2 P1"] == "4S"
    assert view(game, 3)["laid"]["2 P1"] == {"hidden": 1}
    assert view(game, 3)["laid"]["1 P1"] == "3C"


def test_pagat_who_has_to_answer_sees_the_partners_cards_in_paulista() -> None:
    game = after("paulista | P1 3C, P2 truco")
    assert cards_seen(game, 1) >= cards_seen(game, 3) - {"3C"}
    assert view(game, 2)["cards"]["P0"] == {"hidden": 3}
    game.push_text("P3 aceito")
    assert view(game, 1)["cards"]["P3"] == {"hidden": 3}


def test_pagat_partners_do_not_look_before_an_answer_in_mineiro() -> None:
    assert view(after("mineiro | P1 3C, P2 truco"), 1)["cards"]["P3"] == {"hidden": 3}


def test_pagat_the_team_at_eleven_looks_at_its_cards_before_it_decides() -> None:
    game = after("mineiro | score P1 11, P0 4 | deal P1 3C 4D 5H, P3 KC QC JC | P1 jogo")
    game.pop()
    assert game.phase == "onze.choice"
    assert view(game, 1)["cards"]["P3"] == ["QC", "JC", "KC"]
    assert view(game, 0)["cards"]["P2"] == {"hidden": 3}


def test_pagat_in_the_dark_iron_hand_nobody_sees_a_card() -> None:
    game = after("mineiro | score P1 11, P0 11 | P1 turn-up")
    assert all(cards == {"hidden": cards["hidden"]} for cards in view(game, 1)["cards"].values())
    assert len(cards_seen(game, 1)) == 1


def test_nobody_sees_the_pack_but_all_see_how_much_is_left() -> None:
    game = after("paulista | P1 3C")
    assert {view(game, seat)["pack"]["hidden"] for seat in range(4)} == {27}


def test_what_was_never_given_is_told_as_nothing() -> None:
    game = after("mineiro | P1 3C")
    assert view(game, 1)["truco.caller"] is None
    assert view(game, 1)["won"] == {"1": "open", "2": "open", "3": "open"}


def test_a_hidden_datum_that_is_no_card_is_left_out() -> None:
    hidden = [name for name in after("mineiro | P1 3C").graph.data if name == "false-trade"]
    assert hidden == ["false-trade"]
    assert "false-trade" not in view(after("mineiro | P1 3C"), 1)


@pytest.mark.parametrize("variant", ["mineiro", "paulista", "fisch"])
def test_a_player_outside_the_dark_always_sees_the_own_hand(variant: str) -> None:
    for game in at_random(variant, 3, actions=100):
        dark = game.graph.words and bool(game.value("ferro"))
        for seat in range(game.graph.seats):
            if not dark and game.phase == "play":
                assert sees(game, seat, "cards", (seat,))

"""After every action the table sees who may act, what the hand is worth, and what was just decided."""

from __future__ import annotations

import random

import pytest
from table import after

from truco_spec.base.shipped import variant_names
from truco_spec.engine import CHANCE, Game
from truco_spec.engine.observe import observe
from truco_spec.engine.sample import random_action
from truco_spec.graph.load import load, load_text


def seen(log: str, *keys: str) -> list[object]:
    found = after(log).observe()
    return [found[key] for key in keys]


def test_before_anything_nobody_may_act_but_chance() -> None:
    assert Game(load("paulista")).observe() == {
        "acting": [], "may-speak": [], "stake": 1, "proposal": None, "trick": None, "leader": None, "hand": None,
        "score": {"P0": 0, "P1": 0}, "winner": None, "games": {"P0": 0, "P1": 0},
        "game-score": {"P0": None, "P1": None},
    }  # fmt: skip


def test_a_call_waits_for_its_answer() -> None:
    assert seen("paulista | P1 truco", "acting", "stake", "proposal") == [["P0", "P2"], 1, 3]
    assert seen("paulista | P1 truco, P2 aceito", "acting", "stake", "proposal") == [["P1"], 3, None]


def test_while_cards_are_played_the_game_waits_for_the_turn_and_others_may_speak() -> None:
    four = "argentino | deal P0 1E 7O 4C, P1 1B 2E 3O, P2 5C 6B 10E, P3 5O 6E 11B"
    assert seen(f"{four} | P1 2E", "acting", "may-speak") == [["P2"], ["P0", "P1", "P3"]]
    assert seen(f"{four} | P1 truco", "acting") == [["P0", "P2"]]
    assert seen(f"{four} | P0 envido", "acting") == [["P1", "P3"]]
    assert seen(f"{four} | P0 envido, P3 quiero", "acting", "may-speak") == [["P1"], []]


def test_a_flor_is_spoken_of_in_turn_whoever_may_sign() -> None:
    four = "argentino | deal P1 1E 4E 5E, P0 1B 2E 3O, P2 5C 6B 10E, P3 5O 6E 11B | P1 flor"
    assert seen(four, "acting") == [["P2"]]


def test_while_the_cards_are_dealt_the_game_waits_for_no_talker() -> None:
    talk = "mineiro table-talk=heard"
    assert seen(f"{talk} | P0 shuffle, P1 boast", "acting", "may-speak") == [["P3"], ["P0", "P1", "P2"]]
    assert seen(f"{talk} | P3 cut, P3 sobe", "acting", "may-speak") == [[], ["P0", "P1", "P2", "P3"]]


def test_what_a_hand_of_eleven_is_worth_is_open_until_it_is_played() -> None:
    eleven = "paulista | score P1 11, P0 4 | deal vira 7S"
    assert seen(f"{eleven} | P1 jogo", "stake") == [3]
    assert seen(f"{eleven} | P0 shuffle", "stake") == ["open"]
    assert seen("paulista brink-choice=off | score P1 11, P0 4 | P0 shuffle", "stake") == [3]
    assert seen(f"{eleven} | P1 fujo", "stake") == ["open"]  # of the next hand, which is one of eleven, too
    game = after(f"{eleven} | P1 jogo")
    game.pop()
    assert (game.observe()["stake"], game.observe()["acting"]) == ("open", ["P1", "P3"])


@pytest.mark.sample(3)
@pytest.mark.parametrize("variant", variant_names())
def test_no_game_waits_for_more_than_one_player_while_cards_are_played(variant: str) -> None:
    graph, chance = load(variant), random.Random(7)
    game = Game(graph, players=[f"P{n}" for n in range(graph.seats)]) if graph.seats else None
    for _ in range(400 if game else 0):
        assert game is not None
        action = random_action(game, chance)
        if action is None:
            break
        game.push(action)
        acting = game.observe()["acting"]
        assert isinstance(acting, list)
        able = {game.players[seat] for seat in game.awaited() - {CHANCE}}
        assert bool(acting) == bool(able) and set(acting) <= able
        assert game.phase != "play" or len(acting) == 1


def test_a_completed_trick_is_told_with_its_leader_and_only_then() -> None:
    trick = "paulista | deal vira 7S | P1 3C, P2 2H, P3 KS, P0 5D"
    assert seen(trick, "trick", "leader", "hand") == ["P1", "P1", None]
    assert seen(trick + ", P1 2C", "trick", "leader") == [None, None]


def test_a_truco_that_nobody_will_answer_any_more_is_no_proposal() -> None:
    called = "argentino | score P0 29 | deal P1 4C 5B 12O, P0 10E 4E 5O, P2 7O 6O 1E, P3 2E 3B 6C | P1 truco, P0 envido"
    assert seen(called, "proposal", "winner") == [2, None]
    assert seen(f"{called}, P1 quiero, P1 tengo 5, P2 tengo 33, P3 son-buenas", "proposal", "winner") == [None, "P0"]


def test_a_turned_card_is_gone_with_its_hand() -> None:
    hand = "uruguayo | deal P1 4C 5B 12O, P0 7O 6B 1E, P2 10E 4E 5O, P3 2E 3B 6C, muestra 3C"
    assert seen(f"{hand} | P1 truco", "turned", "hand") == ["3C", None]
    assert seen(f"{hand} | P1 truco, P2 no-quiero", "turned", "hand") == [None, "P1"]


def test_a_tied_trick_is_told_as_a_tie() -> None:
    assert seen("mineiro | P1 3C, P2 3H, P3 KS, P0 5D", "trick", "leader") == ["tie", "P1"]


def test_a_hand_that_was_won_is_told_although_the_next_is_already_dealt() -> None:
    hand = "mineiro | P1 3C, P2 2H, P3 KS, P0 5D, P1 3H, P2 2D, P3 QS, P0 6D"
    assert seen(hand, "trick", "leader", "hand", "score") == ["P1", None, "P1", {"P0": 0, "P1": 1}]


def test_a_hand_tied_throughout_is_told_as_drawn() -> None:
    tricks = "P1 3C, P2 3H, P3 KS, P0 5D, P1 2C, P2 2H, P3 QS, P0 6D, P1 AC, P2 AH, P3 JS, P0 4D"
    assert seen(f"mineiro | {tricks}", "trick", "hand", "score") == ["tie", "drawn", {"P0": 0, "P1": 0}]


def test_a_match_that_was_won_has_a_winner_and_nobody_acts() -> None:
    won = "mineiro | score P1 11, P0 4 | P1 jogo, P1 3C, P2 2H, P3 KS, P0 5D, P1 3H, P2 2D, P3 QS, P0 6D"
    assert seen(won, "winner", "acting", "hand") == ["P1", [], "P1"]


def test_a_team_is_told_by_its_first_player_and_scores_by_team() -> None:
    assert seen("mineiro | score P3 5, P2 7 | P1 3C", "score") == [{"P0": 7, "P1": 5}]


def test_a_question_of_the_table_is_an_observation_whoever_adds_it() -> None:
    game = Game(
        load_text("""variant counted extends paulista { title "Counted"
      define table.cards-out @house:count "How many cards lie on the table."
        = count trick n with seat s : laid(n, s) is not none
    }""")
    )
    assert game.observe()["cards-out"] == 0


@pytest.mark.parametrize("number", range(4))
def test_any_earlier_action_can_be_looked_at_again(number: int) -> None:
    game = after("paulista | P1 3C, P2 truco, P1 seis, P2 aceito")
    last = len(game.history) - 1
    stakes = [observe(game, last - back)["stake"] for back in range(4)]
    assert stakes == [6, 3, 1, 1]
    assert game.observe()["stake"] == 6
    assert observe(game, last - number)["proposal"] == [None, 6, 3, None][number]

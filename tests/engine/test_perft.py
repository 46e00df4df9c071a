"""Counts of sequences are those of the rules, with both bodies, and counting leaves no trace."""

from __future__ import annotations

import pytest
from tiny import linked

from truco_spec.engine import Action, Game, PlayError
from truco_spec.engine.perft import NATIVE_DEPTH, divided, native_perft, perft
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

TWO = "paulista | ana bia | dealer ana | deal bia 3C 4D 7S, ana KS JS QS, vira 5H"
LAST = TWO + " | bia 3C, ana KS, bia 4D, ana JS, ana QS"
RAISED = TWO + " | bia 3C, ana truco"
ENVIDO = "argentino | ana bia | dealer ana | deal bia 1E 4C 7O, ana 3B 2O 12O | bia envido"
CLICKS = """
  rule click @decided:tiny "A player passes, three times in all."
    in start by everyone may pass when count-down > 0 do count-down -= 1
"""


def position(log: str) -> Game:
    """Where a log ends."""
    return Replay(read_line(log)).played_out()


def counts(game: Game, depth: int) -> list[int]:
    """The numbers in Python, from depth 1."""
    return [perft(game, at) for at in range(1, depth + 1)]


def test_a_sequence_is_each_order_of_what_two_players_may_do() -> None:
    assert counts(Game(linked(CLICKS)), 4) == [2, 4, 8, 0]


def test_the_first_number_is_that_of_the_permitted_actions() -> None:
    game = position(TWO)
    assert perft(game, 1) == len(game.legal_actions()) == 4


@pytest.mark.parametrize("log", [pytest.param(TWO, marks=pytest.mark.long), RAISED, ENVIDO])
def test_both_bodies_count_the_same(log: str) -> None:
    game = position(log)
    count = native_perft(game)
    assert [count(at) for at in range(1, 4)] == counts(game, 3)


def test_the_module_counts_deeper_than_it_is_asked_at_once() -> None:
    game = position(TWO)
    count, deep = native_perft(game), NATIVE_DEPTH + 2
    assert count(deep) == perft(game, deep)


def test_the_module_counts_from_where_the_game_stands_when_it_is_asked() -> None:
    game = position(TWO)
    count, begun = native_perft(game), perft(game, 2)
    game.push(game.legal_actions()[0])
    later = perft(game, 2)
    assert count(2) == later != begun
    game.pop()
    assert count(2) == begun


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_the_parts_of_a_division_add_up(depth: int) -> None:
    game = position(TWO)
    parts = divided(game, depth, lambda left: perft(game, left))
    assert list(parts) == game.legal_actions()
    assert sum(parts.values()) == perft(game, depth)
    assert divided(game, depth, native_perft(game)) == parts


def test_a_part_is_what_follows_its_action() -> None:
    game = position(TWO)
    parts = divided(game, 3, lambda left: perft(game, left))
    for action, number in parts.items():
        game.push(action)
        assert perft(game, 2) == number
        game.pop()


def test_chance_ends_a_sequence() -> None:
    """The last card of a hand can be played; then it is for chance to deal."""
    game = position(LAST.removesuffix(", ana QS"))
    cards = [action for action in game.legal_actions() if game.text(action) == "ana QS"]
    parts = divided(game, 2, lambda left: perft(game, left))
    assert len(cards) == 1
    assert parts[cards[0]] > 0  # who shows cards after the hand
    undealt = Game(game.graph)
    assert undealt.legal_actions()
    assert perft(undealt, 1) == native_perft(undealt)(1) == 0


def test_nothing_follows_when_a_game_is_over() -> None:
    over = Game(linked(CLICKS), start={"count-down": 1})
    over.push(Action(0, "pass"))
    assert over.over
    assert counts(over, 2) == [0, 0]
    assert native_perft(over)(1) == native_perft(over)(NATIVE_DEPTH + 1) == 0
    assert divided(over, 2, native_perft(over)) == {}


@pytest.mark.parametrize("native", [False, True])
def test_counting_leaves_the_game_as_it_was(native: bool) -> None:
    game = position(RAISED)
    before, said = list(game.position), game.history
    count = native_perft(game) if native else lambda left: perft(game, left)
    count(NATIVE_DEPTH + 1 if native else 3)
    divided(game, 3, count)
    assert game.position == before
    assert game.history == said


def test_only_what_is_permitted_counts_also_where_an_umpire_watches() -> None:
    strict = position(TWO)
    watched = Game(strict.graph, mode="umpire")
    watched.position[:] = strict.position
    assert counts(watched, 3) == counts(strict, 3)
    assert native_perft(watched)(3) == perft(strict, 3)


@pytest.mark.parametrize("native", [False, True])
def test_rules_that_fail_while_they_are_counted_leave_the_game_as_it_was(native: bool) -> None:
    game = Game(linked(CLICKS.replace("count-down > 0 do count-down -= 1", "not ready do count-down -= 2")))
    before = list(game.position)
    count = native_perft(game) if native else lambda left: perft(game, left)
    assert count(2) == 4  # the last action is listed, not done
    with pytest.raises(PlayError):
        count(3)
    assert game.position == before
    assert not game.history
    assert count(2) == 4

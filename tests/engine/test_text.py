"""Notation: every permitted action of any game reads back as itself; what is no notation is told with the nearest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table import after, at_random

from truco_spec.engine import CHANCE, Action, Game, TextError
from truco_spec.engine.ruling import ArgumentError
from truco_spec.engine.text import value_of, value_text
from truco_spec.graph.load import load
from truco_spec.graph.types import FLAG, Type

NAMES = ("ana", "bia", "caio", "davi")


@settings(max_examples=15)
@given(variant=st.sampled_from(("mineiro", "paulista")), seed=st.integers(0, 10_000))
def test_every_permitted_action_reads_back_as_itself(variant: str, seed: int) -> None:
    for game in at_random(variant, seed, actions=60):
        for action in game.legal_actions():
            assert game.parse(game.text(action)) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("P1 3C", Action(1, "card", (39,))),
        ("P2 truco", Action(2, "truco", (0,))),
        ("P3 vale-6", Action(3, "truco", (1,))),
        ("P3 retruco", Action(3, "truco", (1,))),
        ("P3 peço 6", Action(3, "truco", (1,))),
        ("P3 vale 9", Action(3, "truco", (2,))),
        ("P0 aceito", Action(0, "aceito")),
        ("P0 mata", Action(0, "aceito")),
        ("P1 look top", None),
        ("chance top 4C", None),
        ("P0 misdeal P2 4", Action(0, "misdeal", (2, 4))),
        ("  P1   truco ", Action(1, "truco", (0,))),
    ],
)
def test_a_text_means_an_action(text: str, action: Action | None) -> None:
    game = Game(load("mineiro"))
    found = game.parse(text)
    assert action is None or found == action
    assert game.parse(game.text(found)) == found


def test_a_text_that_leaves_a_word_out_means_the_one_that_is_permitted() -> None:
    game = after("gamelog | P1 truco, P2 aceito")
    assert game.text(game.parse("P2 truco")) == "P2 truco-6"
    game.push_all("P2 truco", "P1 aceito")
    assert game.text(game.parse("P3 truco")) == "P3 truco-9"
    assert game.text(game.parse("P2 truco")) == "P2 truco", "none is permitted: the first is meant"


@pytest.mark.parametrize("seed", range(5))
def test_the_canonical_text_of_such_an_action_reads_back_as_itself(seed: int) -> None:
    for game in at_random("gamelog", seed, actions=60):
        for action in game.legal_actions():
            assert game.parse(game.text(action)) == action


def test_a_covered_card_is_written_in_brackets() -> None:
    game = after("paulista | P1 3C")
    assert game.parse("P2 (4D)").verb == "cover"
    assert game.text(game.parse("P2 (4D)")) == "P2 (4D)"


def test_synonyms_mean_the_canonical_word() -> None:
    game = Game(load("paulista"))
    assert {game.text(game.parse(f"P2 {word}")) for word in ("joga", "bate", "vem", "mata", "cai")} == {"P2 aceito"}


def test_the_words_of_a_ladder_are_said_bare() -> None:
    assert [Game(load("paulista")).parse(f"P1 {word}").args for word in ("truco", "seis", "nove", "doze")] == [
        (0,), (1,), (2,), (3,)
    ]  # fmt: skip


def test_chance_has_a_name() -> None:
    game = Game(load("paulista"))
    assert game.parse("chance deals-first P2") == Action(CHANCE, "deals-first", (2,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ann 3C", "there is no player 'ann' at this table (ana, bia, caio, davi); did you mean ana?"),
        ("ana", "ana says or plays nothing: write a card or a word after the name"),
        ("", "there is no player '' at this table (ana, bia, caio, davi)"),
        ("ana truko", "'truko' is no card and no word of paulista; did you mean truco?"),
        ("ana 3", "'3' is no card and no word of paulista"),
        ("ana (3X)", "'(3X)' is no card and no word of paulista"),
    ],
)
def test_what_is_no_notation_is_told(text: str, message: str) -> None:
    with pytest.raises(TextError) as caught:
        Game(load("paulista"), players=NAMES).parse(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("args", [("4",), (4.0,), (True,), ([4],), [4], 4, "4", (None,), (4, "x")])
def test_an_argument_that_is_no_whole_number_is_told_and_changes_nothing(args: Any, asked: bool) -> None:
    game = Game(load("mineiro"))
    for action in (Action(0, "misdeal", args), Action(1.0, "misdeal", (2, 4))):  # type: ignore[arg-type]
        before = list(game.position)
        if asked:
            game.legal_actions()
        for use in (game.push, game.rule_on, game.why):
            with pytest.raises(ArgumentError, match="an actor is a whole number, and the arguments are a tuple"):
                use(action)
        assert (game.position, game.history) == (before, [])
    assert issubclass(ArgumentError, TypeError)


def test_what_is_found_among_the_permitted_is_looked_at_too() -> None:
    game = Game(load("mineiro"))
    while not any(action.args for action in game.legal_actions()):
        game.push(game.legal_actions()[0])
    action = next(action for action in game.legal_actions() if action.args)
    before = list(game.position)
    actor, verb, args = action
    odds: list[tuple[Any, Any]] = [(actor, tuple(float(value) for value in args)), (float(actor), args)]
    for odd in (Action(who, verb, numbers) for who, numbers in odds):
        assert odd == action
        with pytest.raises(ArgumentError):
            game.push(odd)
        assert game.position == before


def test_a_team_is_named_by_any_of_its_players() -> None:
    graph = load("mineiro")
    team = Type("team", 0, 1)
    assert [value_of(graph, team, name, NAMES) for name in NAMES] == [0, 1, 0, 1]
    assert value_text(graph, team, 1, NAMES) == "bia"
    assert value_of(graph, team, "eva", NAMES) is None


def test_values_are_written_as_people_write_them() -> None:
    graph = load("mineiro")
    assert value_text(graph, FLAG, 1, NAMES) == "yes"
    assert value_text(graph, Type("seat", 0, 3, many=True), 0b1010, NAMES) == "{bia, davi}"
    assert value_of(graph, Type("number", 0, 3), "4", NAMES) is None
    assert value_of(graph, Type("number", 0, 3), "٣", NAMES) is None

"""Playing is pure and can be taken back: the same log gives the same answer, and pop restores every slot."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table import after, at_random

import truco_spec.engine
from truco_spec.base.errors import TrucoError
from truco_spec.engine import CHANCE, Action, Game, IllegalAction
from truco_spec.engine.ruling import ArgumentError
from truco_spec.graph.load import load

VARIANTS = ("mineiro", "paulista", "fisch", "uruguayo", "pica-pica")


@settings(max_examples=20)
@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 10_000), mode=st.sampled_from(("strict", "umpire")))
def test_pop_restores_the_position_exactly(variant: str, seed: int, mode: str) -> None:
    positions, legal = [], []
    game = None
    for game in at_random(variant, seed, actions=80, mode=mode):
        positions.append(list(game.position))
        legal.append(game.legal_actions())
    assert game is not None
    while game.history:
        assert game.position == positions.pop()
        assert game.legal_actions() == legal.pop()
        game.pop()
    assert game.position == positions.pop()


@settings(max_examples=10)
@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 10_000))
def test_the_same_actions_give_the_same_game(variant: str, seed: int) -> None:
    again, other = Game(load(variant)), Game(load(variant))
    for game in (again, other):
        rng = random.Random(seed)
        for _ in range(60):
            legal = game.legal_actions()
            if not legal:
                break
            game.push(rng.choice(legal))
    assert again.position == other.position
    assert again.history == other.history
    assert again.observe() == other.observe()


def test_pop_gives_back_the_action_and_refuses_at_the_beginning() -> None:
    game = Game(load("paulista"))
    first = game.legal_actions()[0]
    game.push(first)
    assert game.pop() == first
    with pytest.raises(TrucoError, match="nothing to take back"):
        game.pop()


def test_every_card_is_in_one_place_whatever_is_played() -> None:
    for game in at_random("mineiro", 7, actions=120, mode="umpire"):
        lying = []
        for slot in game.layout.place_of:
            value = game.position[slot]
            if game.layout.is_pile[slot]:
                lying += [card for card in range(len(game.graph.cards)) if value >> card & 1]
            elif value >= 0:
                lying.append(value)
        assert sorted(lying) == [number for number, card in enumerate(game.graph.cards) if card.present]
        for card in lying:
            place = game.position[game.layout.cards_at + card]
            held = game.position[place]
            assert held >> card & 1 if game.layout.is_pile[place] else held == card


def test_an_event_says_what_became_of_the_action_and_by_which_rules() -> None:
    game = after("mineiro | deal P2 4D | P1 3C")
    event = game.push_text("P2 4D")
    assert (event.action.actor, event.action.verb, event.status) == (2, "card", "permitted")
    assert event.rules == ("play-card",)
    assert [step.rules for step in event.steps] == [("play-card",), ("next-player",)]


def test_a_refused_action_changes_nothing_and_carries_its_ruling() -> None:
    game = after("mineiro | deal P2 4D | P1 3C")
    before, events = list(game.position), len(game.history)
    with pytest.raises(IllegalAction) as caught:
        game.push_text("P1 truco")
    assert caught.value.ruling.status == "not-offered"
    assert (game.position, len(game.history)) == (before, events)


def test_push_all_takes_actions_and_texts() -> None:
    game = after("paulista | P1 3C")
    events = game.push_all("P2 truco, P1 seis")
    assert [game.text(event.action) for event in events] == ["P2 truco", "P1 seis"]
    game.push_all(Action(2, "corro"))
    assert game.observe()["score"] == {"P0": 0, "P1": 3}


def test_a_deal_is_an_action_like_any_other() -> None:
    game = Game(load("paulista"))
    assert game.awaited() == {CHANCE}
    assert {action.verb for action in game.legal_actions()} == {"deals-first"}


def test_legal_actions_of_one_seat() -> None:
    game = after("paulista | P1 3C, P2 truco")
    assert [game.text(action) for action in game.legal_actions(1)] == ["P1 aceito", "P1 corro", "P1 seis"]
    assert game.legal_actions(2) == []
    assert game.awaited() == {1, 3}
    for wrong in (4, -7, "P1"):
        with pytest.raises(ArgumentError):
            game.legal_actions(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mode": "lenient"}, "there is no mode lenient"),
        ({"players": 2}, "linked for 4 players, not 2"),
        ({"players": ["ana", "bia"]}, "played here by 4, and 2 players are named"),
        ({"players": ["ana", "bia", "ana", "davi"]}, "two players have the same name"),
        ({"players": ["ana", "bia e", "caio", "davi"]}, "'bia e' is no name for a player: it is one word"),
        ({"players": ["ana", "", "caio", "davi"]}, "'' is no name for a player"),
        ({"players": ["ana", "chance", "caio", "davi"]}, "'chance' is no name for a player"),
        ({"players": ["ana", 7, "caio", "davi"]}, "7 is no name for a player"),
        ({"start": {"trick": 1}}, "a game cannot begin with trick; it can with"),
        ({"start": {"turn": 1}}, "a game cannot begin with turn"),
        ({"start": {"score": {0: 99}}}, "score cannot begin as 99"),
        ({"start": {"score": {7: 1}}}, "score has no place 7"),
        ({"start": {"score": 3}}, "score has no place"),
    ],
)
def test_a_game_that_cannot_begin_says_why(given: dict[str, object], message: str) -> None:
    with pytest.raises(TrucoError, match=message):
        Game(load("mineiro"), **given)  # type: ignore[arg-type]


def test_a_game_may_begin_anywhere_between_two_hands() -> None:
    game = Game(load("mineiro"), start={"score": {0: 11, 1: 4}, "dealer": 2}, players=["ana", "bia", "caio", "davi"])
    assert game.observe()["score"] == {"ana": 11, "bia": 4}


OUTSIDE = {"os", "io", "random", "time", "datetime", "pathlib", "subprocess", "socket", "secrets", "tempfile"}
DOORS = ("game", "explain", "observe", "text")


def imported(path: Path) -> set[str]:
    """The modules that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_the_engine_reads_no_file_no_clock_and_no_dice() -> None:
    folder = Path(truco_spec.engine.__file__).parent
    waiting, seen = [*DOORS], set(DOORS)
    while waiting:
        path = folder / f"{waiting.pop().replace('.', '/')}.py"
        for module in imported(path):
            assert module.split(".")[0] not in OUTSIDE, f"{path.name} imports {module}"
            name = module.removeprefix("truco_spec.engine.")
            if name != module and name not in seen:
                seen.add(name)
                waiting.append(name)
        calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        assert not {call.func.id for call in calls if isinstance(call.func, ast.Name)} & {"open", "print", "input"}
    assert {"ruling", "compiled.program", "compiled.write"} <= seen

"""The table of switches: what each source says where Brazilian tables differ, read off the graphs of its variants."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from truco_spec.base import safe_yaml
from truco_spec.engine.game import CHANCE, Action, Game
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.logs.explanation import cites_of_value

TABLE: list[dict[str, Any]] = safe_yaml.load_file(Path(__file__).with_name("switches.yaml")).data
COLUMNS = ("fisch", "nowadays", "gamelog", "mineiro", "paulista", "paulista-wp", "mineiro-wp")
BEFORE = {"paulista": "mineiro", "mineiro-wp": "paulista-wp"}
"""Who is told by what differs from whom."""

CELLS = [(row, column) for row in TABLE for column in row["cells"]]
A_CELL = re.compile(r"(?P<is>.+?)( or (?P<others>.+?))?( by (?P<by>\S+))?")


@dataclass(frozen=True, slots=True)
class Cell:
    """What a source says: its value, other values that it leaves open, the decision where it is silent."""

    value: str
    others: tuple[str, ...]
    by: str | None


def cell(row: Mapping[str, Any], column: str) -> Cell:
    found = A_CELL.fullmatch(str(row["cells"][column]))
    assert found is not None
    others = tuple(found["others"].split(", ")) if found["others"] else ()
    return Cell(found["is"], others, found["by"])


def named(row: Mapping[str, Any], column: str) -> str:
    return f"{row['switch']}, {column}"


# ---- asking a game -------------------------------------------------------------------------------


def reach(graph: Graph, *phases: str, score: int = 0) -> Game:
    """A game in one of these phases, with the implicit deal and this score of the first team."""
    game = Game(graph, start={"score": {0: score}})
    rng = random.Random(1)
    for _ in range(200):
        if game.phase in phases:
            return game
        legal = game.legal_actions()
        unsaid = [a for a in legal if a.actor == CHANCE or graph.actions[a.verb].tacit]
        game.push(rng.choice(unsaid or legal))
    raise AssertionError(f"{graph.name} comes to none of {phases}")


def one(game: Game, verb: str) -> Action:
    return next(action for action in game.legal_actions() if action.verb == verb)


def cards(graph: Graph) -> str:
    return str(sum(card.present for card in graph.cards))


def stakes(graph: Graph) -> str:
    game = Game(graph)
    worth = [game.ask("truco.stakes", level) for level in range(len(graph.orders["truco.word"]) + 1)]
    return " ".join(map(str, dict.fromkeys(worth)))


def refusals(graph: Graph) -> str:
    """Does who runs from the first, second … call pay what the hand was worth before it?"""
    before = [int(worth) for worth in stakes(graph).split()]
    for raises, worth in enumerate(before[:-1], start=1):
        game = reach(graph, "play")
        game.push(one(game, "truco"))
        while game.value("truco.offer") < raises:
            if not any(action.verb == "truco" for action in game.legal_actions()):
                game.push(one(game, "aceito"))
            game.push(one(game, "truco"))
        caller = game.value("truco.caller")
        game.push(one(game, "corro"))
        if game.value("score", caller) != worth:
            return "no"
    return "yes"


def brink(graph: Graph) -> int:
    return int(graph.options["target"].value) - int(stakes(graph).split()[0])


def brink_stake(graph: Graph) -> str:
    game = reach(graph, "play", "onze.choice", score=brink(graph))
    return str(game.ask("stake"))


def brink_run(graph: Graph) -> str:
    game = reach(graph, "onze.choice", score=brink(graph))
    game.push(one(game, "fujo"))
    return str(game.value("score", 1))


def beyond_the_target(graph: Graph) -> str:
    last, target = int(stakes(graph).split()[-1]), int(graph.options["target"].value)
    return "allowed" if graph.data["score"].type.high >= target - 1 + last else "cut off"


ASKED: dict[str, Callable[[Graph], str]] = {
    "cards": cards,
    "stakes": stakes,
    "refusals": refusals,
    "brink stake": brink_stake,
    "brink run": brink_run,
    "beyond the target": beyond_the_target,
}


# ---- reading a row -------------------------------------------------------------------------------


def said(row: Mapping[str, Any], column: str, options: Mapping[str, object] | None = None) -> str:
    """What the variant says of this switch, its options as they are shipped or as given."""
    graph = load(column, **{name.replace("-", "_"): str(value) for name, value in (options or {}).items()})
    if "ask" in row:
        return ASKED[row["ask"]](graph)
    if "rules" in row:
        return next(value for value, rules in row["rules"].items() if all(rule in graph.rules for rule in rules))
    option = graph.options.get(row["option"])
    if option is None:
        (absent,) = row["without"]
        statements = (*graph.rules, *graph.defines, *graph.decisions, *([graph.pack] if graph.pack else []))
        assert set(row["without"][absent]) <= set(statements)
        return str(absent)
    reads = row.get("reads", {})
    return str(reads.get(option.value, reads.get("", option.value)))


def asking(row: Mapping[str, Any], column: str, value: str) -> dict[str, object]:
    """The options that a table asks for to have this value."""
    under = row.get("under", {}).get(column, {})
    found = next((given for name, given in under.items() if str(name) == value), None)
    if found is not None:
        return dict(found)
    back = {read: own for own, read in row.get("reads", {}).items() if own}
    return {row["option"]: back.get(value, value)}


@pytest.mark.parametrize(("row", "column"), CELLS, ids=[named(row, column) for row, column in CELLS])
def test_the_graph_says_what_the_source_says(row: dict[str, Any], column: str) -> None:
    told = cell(row, column)
    if told.value == "-":
        ((option, value),) = row["idle"].items()
        assert load(column).options[option].value == value
        return
    expected = said(row, BEFORE[column]) if told.value == "inh" else told.value
    assert said(row, column) == expected
    if told.by is not None:
        graph = load(column)
        assert told.by in graph.decisions
        if row.get("option") in graph.options:
            assert f"@decided:{told.by}" in map(str, cites_of_value(graph, row["option"]))


OPEN = [(row, column, value) for row, column in CELLS for value in cell(row, column).others]


@pytest.mark.sample(6)
@pytest.mark.parametrize(("row", "column", "value"), OPEN, ids=[f"{named(r, c)}: {v}" for r, c, v in OPEN])
def test_what_a_source_leaves_open_can_be_agreed(row: dict[str, Any], column: str, value: str) -> None:
    assert said(row, column, asking(row, column, value)) == value


def test_every_point_has_every_source() -> None:
    assert {row["switch"] for row in TABLE if set(row["cells"]) != set(COLUMNS)} == {"covered cards after a tie"}
    assert len({row["switch"] for row in TABLE}) == len(TABLE) >= 40

"""What stands behind a step: the answers that its rules asked for, and how their effects went."""

from __future__ import annotations

import pytest

from truco_spec.engine import Event, Game
from truco_spec.engine.apply import undo
from truco_spec.engine.provenance import Answered, answered, source_of
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay
from truco_spec.logs.setup import graph_of

PAULISTA = "paulista | P0 P1 | dealer P0 | deal P1 3C 4D 7S, P0 3H QS QD, vira 5H | "
URUGUAYO = "uruguayo | P0 P1 | dealer P1 | deal P0 7O 6O 1O, P1 5E 4E 12E, muestra 6C | "
FLORES = "P0 flor, P1 contraflor, P0 con-flor-quiero, P0 tengo 34, P1 son-buenas"


def behind(line: str, rule: str) -> tuple[Answered, ...]:
    """What stood behind the step of this rule, in the last move of a log."""
    log = read_line(line)
    replay = Replay(log, graph_of(log))
    while replay.advance() is not None:
        pass
    return of_step(replay.game, replay.game.history[-1], rule)


def of_step(game: Game, event: Event, rule: str) -> tuple[Answered, ...]:
    v = list(game.position)
    for step in reversed(event.steps):
        undo(v, [step])
        if rule in step.rules:
            return answered(game, event, step, v)
    raise AssertionError(rule)


@pytest.mark.parametrize(
    ("line", "rule", "told"),
    [
        (PAULISTA + "P1 3C, P0 3H", "trick-complete", [("taker", "tied-trick")]),
        (PAULISTA + "P1 3C, P0 QS", "trick-complete", [("taker", "taker")]),
        (PAULISTA + "P1 truco, P0 corro", "truco.refuse", [("stake", "stake"), ("concede", "concede")]),
        (URUGUAYO + FLORES, "flor-won", [("flor-prize", "flor-prize"), ("flor-award", "flor-award")]),
        (
            URUGUAYO + FLORES.replace("contraflor", "contraflor-al-resto", 1),
            "flor-won",
            [("flor-prize", "flor-prize-rest"), ("flor-award", "flor-award")],
        ),
        (PAULISTA + "P1 3C", "play-card", []),
    ],
)
def test_the_answers_that_held_are_told_and_no_others(line: str, rule: str, told: list[Answered]) -> None:
    assert list(behind(line, rule)) == told


def test_each_has_its_own_clauses() -> None:
    graph = graph_of(read_line(PAULISTA + "P1 3C"))
    cited = {
        told: {cite.clause for cite in source.cites}
        for told in (("taker", "taker"), ("taker", "tied-trick"), ("concede", "concede"))
        if (source := source_of(graph, told)) is not None
    }
    assert "mineiro.trick.highest-card-wins" in cited["taker", "taker"]
    assert "mineiro.tie.definition" in cited["taker", "tied-trick"]
    assert cited["concede", "concede"]
    assert source_of(graph, ("taker", "nothing")) is source_of(graph, ("nothing", "taker")) is None

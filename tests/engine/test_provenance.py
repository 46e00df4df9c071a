"""What stands behind a step: the answers that its rules asked for, and how their effects went."""

from __future__ import annotations

import pytest

from truco_spec.engine.provenance import Origin, backwards, source_of, value_from
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay
from truco_spec.logs.setup import graph_of

PAULISTA = "paulista | P0 P1 | dealer P0 | deal P1 3C 4D 7S, P0 3H QS QD, vira 5H | "
URUGUAYO = "uruguayo | P0 P1 | dealer P1 | deal P0 7O 6O 1O, P1 5E 4E 12E, muestra 6C | "
GOAL = "argentino | P0 P1 | dealer P1 | score P0 29 | P0 truco, P1 no-quiero"
FLORES = "P0 flor, P1 contraflor, P0 con-flor-quiero, P0 tengo 34, P1 son-buenas"


def origins(line: str, rule: str, question: str) -> list[Origin]:
    """Where the step of this rule, in the last move of a log, got the question's value."""
    log = read_line(line)
    replay = Replay(log, graph_of(log))
    while replay.advance() is not None:
        pass
    event, game = replay.game.history[-1], replay.game
    step, after = next((s, after) for s, _, after in backwards(game.position, event.steps) if rule in s.rules)
    rules, answers = value_from(game, event, step, after, question)
    return [*rules, *answers]


@pytest.mark.parametrize(
    ("line", "rule", "question", "told"),
    [
        (PAULISTA + "P1 3C, P0 3H", "trick-complete", "table.trick", [("taker", "tied-trick")]),
        (PAULISTA + "P1 3C, P0 QS", "trick-complete", "table.trick", [("taker", "taker")]),
        (PAULISTA + "P1 3C, P0 QS", "trick-complete", "table.leader", [("next-leader", "next-leader")]),
        (PAULISTA + "P1 3C, P0 QS", "next-trick", "table.acting", [("next-leader", "next-leader")]),
        (PAULISTA + "P1 truco, P0 corro", "truco.refuse", "table.score", ["truco.refuse", ("tento", "tento")]),
        (PAULISTA + "P1 truco, P0 aceito", "truco.accept", "table.stake", ["truco.accept", ("stake", "truco.stake")]),
        (URUGUAYO + FLORES, "flor-won", "table.score", ["flor-won", ("flor-prize", "flor-prize")]),
        (
            URUGUAYO + FLORES.replace("contraflor", "contraflor-al-resto", 1),
            "flor-won",
            "table.score",
            ["flor-won", ("flor-prize", "flor-prize-rest")],
        ),
        (GOAL, "target-reached", "table.winner", ["target-reached", ("goal", "goal")]),
        (PAULISTA + "P1 3C", "play-card", "table.trick", ["play-card"]),
        (PAULISTA + "P1 3C", "play-card", "table.stake", [("tento", "tento")]),
    ],
)
def test_a_value_comes_from_what_gave_it_and_nothing_else(
    line: str, rule: str, question: str, told: list[Origin]
) -> None:
    assert origins(line, rule, question) == told


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

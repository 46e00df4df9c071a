"""Validates positions that are set up by hand: could a game of these rules reach them?

A position must be at rest, with no automatic rule to fire, and none of the questions ``never.x`` of the spec may hold;
these name unreachable positions, and are tested in play (:mod:`truco_spec.checks.explore`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from truco_spec.base.errors import TrucoError
from truco_spec.engine.prose import told
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import NEVER

if TYPE_CHECKING:
    from truco_spec.engine.game import Game
    from truco_spec.graph.model import Graph


class Unreachable(TrucoError):
    """Data were set to values that no game can reach; the message ends with the rule that says so."""


def broken(game: Game) -> Iterator[str]:
    """The questions ``never.x`` that hold now. Raises PlayError for one without an answer."""
    for name in _invariants(game.graph):
        try:
            if game.ask(name):
                yield name
        except IndexError:
            continue  # it concerns a scope that has not begun


def must_be_reachable(game: Game, fired: Collection[str] = ()) -> None:
    """Raises :class:`Unreachable` if no game can reach the position.

    ``fired`` are the automatic rules that have applied since the set-up.
    """
    if sentence := _rule_broken(game, fired):
        raise Unreachable(f"No game can begin so. {sentence}")


def _rule_broken(game: Game, fired: Collection[str]) -> str:
    """The sentence of a rule that the position violates; empty if there is none."""
    graph, v = game.graph, game.position
    ready = game.program.ready[v[0]]
    going = [rule.name for rule in game.program.once if rule.now is None or rule.now(v)]
    going += [rule.name for rule in ready(v)] if ready is not None else []
    once = [name for name in fired if graph.rules[name].shape == "once"]
    for name in (*once, *going):
        return told(graph, graph.rules[name].source.prose)
    try:
        for name in broken(game):
            return told(graph, graph.defines[name].answers[0].source.prose)
    except PlayError as error:
        return f"The rules do not work there: {error}."
    return ""


def _invariants(graph: Graph) -> list[str]:
    return [name for name in graph.defines if name.startswith(NEVER)]

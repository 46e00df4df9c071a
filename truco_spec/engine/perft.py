"""Counts the sequences of actions of players that follow from a position, as perft does in chess.

One number per depth checks a generator of moves; dividing it by the first action finds the difference. A sequence ends
where chance has to act, or nobody can; it counts at those depths that it reaches. Every action of a player counts as
the rules have it, also one that need not be said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from truco_spec.engine.game import Game
from truco_spec.engine.support import CHANCE, Action
from truco_spec.graph.model import Graph, by_identity

if TYPE_CHECKING:
    from truco_spec.engine.wasm.native import NativeGame

_MOST_MODULES = 4
NATIVE_DEPTH = 5
"""The module is asked for at most this depth at once, so that a long count can be interrupted."""

Count = Callable[[int], int]
"""From a depth to the number of sequences from the current position."""
Counted = Callable[[Action], bool]
"""Whether an action is counted; if none is, a sequence ends."""


def counting(game: Game, body: str = "auto", counted: Counted | None = None) -> Count:
    """Count with this body: python, native, or auto, native if it is there and runs. What is not counted only Python
    leaves out. Raises as :func:`native_perft`, and TooLarge.
    """
    from truco_spec.engine.wasm.module import TooLarge
    from truco_spec.engine.wasm.native import UnusableRuntime, is_installed

    if counted is None and (body == "native" or (body == "auto" and is_installed())):
        try:
            return native_perft(game)
        except (TooLarge, UnusableRuntime):
            if body == "native":
                raise
    return lambda left: perft(game, left, counted)


def perft(game: Game, depth: int, counted: Counted | None = None) -> int:
    """The number of sequences of ``depth`` actions, played in Python."""
    return _count(game, depth, lambda left: perft(game, left, counted), 1, counted)


def native_perft(game: Game) -> Count:
    """Counts on the module of the game's graph, from the game's current position.

    Raises :class:`~truco_spec.engine.wasm.native.MissingRuntime` and UnusableRuntime.
    """
    module = _module_of(game.graph)

    def count(depth: int) -> int:
        if depth > NATIVE_DEPTH:
            return _count(game, depth, count, NATIVE_DEPTH)
        module.position = game.position
        return module.perft(depth)

    return count


@by_identity(_MOST_MODULES)
def _module_of(graph: Graph) -> NativeGame:
    """The module of a graph, memoised: to begin takes longer than to count a few depths."""
    from truco_spec.engine.wasm.native import NativeGame

    return NativeGame(graph)


def divided(game: Game, depth: int, count: Count, counted: Counted | None = None) -> dict[Action, int]:
    """Return for each permitted action the number of sequences of ``depth`` that begin with it."""
    found = {}
    for action in choices(game, counted):
        if depth == 1:
            found[action] = 1
            continue
        game.push(action)
        try:
            found[action] = count(depth - 1)
        finally:
            game.pop()
    return found


def choices(game: Game, counted: Counted | None = None) -> list[Action]:
    """Return the possible actions of players; nothing if chance has to act."""
    actions = game.legal_actions()
    if any(action.actor == CHANCE for action in actions):
        return []
    return actions if counted is None else [action for action in actions if counted(action)]


def _count(game: Game, depth: int, count: Count, leaves: int, counted: Counted | None = None) -> int:
    """Count with ``count`` after each action; ``leaves`` is the depth that is listed rather than played."""
    if depth == leaves == 1:
        return len(choices(game, counted))
    return sum(divided(game, depth, count, counted).values())

"""Counts the sequences of actions of players that follow from a position, as perft does in chess.

One number per depth checks a generator of moves; dividing it by the first action finds the difference. A sequence ends
where chance has to act, or nobody can; it counts at those depths that it reaches. Every action of a player counts as
the rules have it, also one that need not be said.
"""

from __future__ import annotations

from collections.abc import Callable

from truco_spec.engine.game import Game
from truco_spec.engine.support import CHANCE, Action

NATIVE_DEPTH = 5
"""The module is asked for at most this depth at once, so that a long count can be interrupted."""

Count = Callable[[int], int]
"""From a depth to the number of sequences from where the game stands."""


def perft(game: Game, depth: int) -> int:
    """The number of sequences of ``depth`` actions, played in Python."""
    return _count(game, depth, lambda left: perft(game, left), 1)


def native_perft(game: Game) -> Count:
    """Counts on the module of the game's graph, from wherever the game stands when asked.

    Raises :class:`~truco_spec.engine.wasm.native.MissingRuntime`.
    """
    from truco_spec.engine.wasm.native import NativeGame

    module = NativeGame(game.graph)

    def count(depth: int) -> int:
        if depth > NATIVE_DEPTH:
            return _count(game, depth, count, NATIVE_DEPTH)
        module.position = game.position
        return module.perft(depth)

    return count


def divided(game: Game, depth: int, count: Count) -> dict[Action, int]:
    """For each action that is permitted the number of sequences of ``depth`` that begin with it."""
    found = {}
    for action in _choices(game):
        if depth == 1:
            found[action] = 1
            continue
        game.push(action)
        try:
            found[action] = count(depth - 1)
        finally:
            game.pop()
    return found


def _count(game: Game, depth: int, count: Count, leaves: int) -> int:
    """Count with ``count`` after each action; ``leaves`` is the depth that is listed rather than played."""
    return len(_choices(game)) if depth == leaves == 1 else sum(divided(game, depth, count).values())


def _choices(game: Game) -> list[Action]:
    """What players may do now; nothing where chance has to act."""
    actions = game.legal_actions()
    return [] if any(action.actor == CHANCE for action in actions) else actions

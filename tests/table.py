"""Games at the table, for tests: a hand told in moves, a game played at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from truco_spec.engine import Game
from truco_spec.engine.ruling import Unreachable
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay


def after(log: str) -> Game:
    """The game after the moves of a log in one line, at the table P0 P1 P2 P3 with P0 dealing: ``mineiro | P1 3C``."""
    variant, _, rest = log.partition("|")
    replay = Replay(read_line(f"{variant.strip()} | P0 P1 P2 P3 | dealer P0 | {rest.strip()}"))
    for _ in replay.steps():
        pass
    replay.settle()
    return replay.game


def beginning(graph: Graph, mode: str, start: Mapping[str, object]) -> Game:
    """A game that begins so; at nothing where none can."""
    try:
        return Game(graph, mode=mode, start=start)
    except Unreachable:
        return Game(graph, mode=mode)


def at_random(variant: str, seed: int, actions: int = 150, mode: str = "strict", **options: object) -> Iterator[Game]:
    """A game in every position of some random play, from the first to the last."""
    rng = random.Random(seed)
    score = {0: rng.choice((0, 5, 10, 11)), 1: rng.choice((0, 8, 11))}
    game = beginning(load(variant, **options), mode, {"score": score})
    yield game
    for _ in range(actions):
        legal = game.legal_actions()
        if not legal:
            return
        game.push(rng.choice(legal))
        yield game

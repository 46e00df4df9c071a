"""The compiled questions and the evaluator that walks the graph answer alike, in random positions."""

from __future__ import annotations

import itertools
import random

import pytest
from table import at_random

from truco_spec.engine import Game
from truco_spec.engine.evaluate import Evaluator
from truco_spec.engine.layout import UNSET
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import Define
from truco_spec.graph.types import Type

FAULT = "a fault of play"
MOST = 40
"""Arguments of a question that are tried in one position."""


def arguments(define: Define, rng: random.Random) -> list[tuple[int, ...]]:
    """Some of its arguments; for a set, sets of up to three."""
    found = list(itertools.product(*(values(p.type, rng) for p in define.params)))
    return rng.sample(found, MOST) if len(found) > MOST else found


def values(kind: Type, rng: random.Random) -> list[int]:
    if not kind.many:
        return list(range(kind.low, kind.high + 1))
    return [sum(1 << i for i in rng.sample(range(kind.size), min(3, kind.size))) for _ in range(MOST)] + [0]


def compiled(game: Game, name: str, args: tuple[int, ...]) -> object:
    try:
        return int(game.program.defines[name](game.position, *args))
    except (PlayError, IndexError):
        return FAULT


def walked(game: Game, name: str, args: tuple[int, ...]) -> object:
    try:
        return Evaluator(game.layout, game.position).ask(name, args)
    except (PlayError, IndexError):
        return FAULT


@pytest.mark.sample(0, long=4)
@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("mineiro", {}),
        ("mineiro", {"deck": "clean", "royal_family": "face-down", "tie_lead": "last"}),
        ("paulista", {}),
        ("paulista", {"iron": "own-seen", "after_tie": "highest"}),
        ("argentino", {"table_talk": "heard", "mazo_scope": "player-only"}),
        ("uruguayo", {"pieza_values": "traditional", "pieza_flor": "with-piezas"}),
        ("paraguayo", {"flor_chaquena": "three-points"}),
        ("pica-pica", {}),
    ],
)
def test_every_question_has_one_answer(variant: str, options: dict[str, str]) -> None:
    rng = random.Random(4)
    seen = 0
    for number, game in enumerate(at_random(variant, 11, actions=110, mode="umpire", **options)):
        if number % 5:
            continue
        for name, define in game.graph.defines.items():
            for args in arguments(define, rng):
                wanted, found = walked(game, name, args), compiled(game, name, args)
                if wanted is FAULT or (found is FAULT and UNSET in game.position):
                    continue  # what has no value yet may be told as a fault, or as equal to nothing
                assert found == wanted, f"{name}{args} in {game.stack()}"
                seen += 1
    assert seen > 1000

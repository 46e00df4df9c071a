"""One table of operations: each has a handler wherever expressions are interpreted, and they agree with its row."""

from __future__ import annotations

import itertools
from collections.abc import Collection

import pytest
from tiny import linked

from truco_spec.checks.meaning import Compiler
from truco_spec.engine import Game, RangeError, evaluate
from truco_spec.engine.compiled.python import ExpressionWriter
from truco_spec.engine.evaluate import Evaluator
from truco_spec.graph import types
from truco_spec.graph.operations import BUILT, OPERATIONS, WRITERS, Operation

ONLY_CHECKED = {"let", "hole", "outside", "apart"}
PAIRS = list(itertools.product(range(-2, 4), repeat=2))


@pytest.mark.parametrize(
    ("handled", "more"),
    [(WRITERS, set()), (evaluate.OPS, set()), (ExpressionWriter.writers, set()), (Compiler.makers, ONLY_CHECKED)],
    ids=["written", "evaluated", "compiled", "checked"],
)
def test_every_operation_has_a_handler_and_none_is_unknown(handled: Collection[str], more: set[str]) -> None:
    assert set(handled) == set(OPERATIONS) | more


def test_every_built_in_question_is_valued_by_its_parts_or_looked_up() -> None:
    assert [name for name, built in BUILT.items() if (built.value is None) == (built.lookup is None)] == []


@pytest.mark.parametrize("op", ["is", "lt", "le", "add", "sub", "mul", "union", "minus"])
def test_the_code_of_an_operation_gives_its_value(op: str) -> None:
    row = OPERATIONS[op]
    assert row.value is not None
    value = row.value(types.FLAG)
    assert [eval(row.code.join(f"({one})" for one in pair)) for pair in PAIRS] == [value(*pair) for pair in PAIRS]


@pytest.mark.parametrize("row", [*map(OPERATIONS.get, ("add", "sub", "mul")), BUILT["min"], BUILT["max"]])
def test_the_values_of_an_operation_fill_its_type(row: Operation) -> None:
    assert row.type is not None
    assert row.value is not None
    kind, value = row.type(types.number(-2, 3), types.number(-1, 2)), row.value(types.FLAG)
    found = [value(a, b) for a in range(-2, 4) for b in range(-1, 3)]
    assert (kind.low, kind.high) == (min(found), max(found))


def test_a_word_has_no_place_between_numbers() -> None:
    least = 'datum level : 0 .. 3 or none = none define least @decided:tiny "The lesser." = min(level, 2)'
    game = Game(linked(least), players=["ana", "bia"])
    with pytest.raises(RangeError):
        game.program.defines["least"](game.position)
    with pytest.raises(RangeError):
        Evaluator(game.layout, game.position).ask("least", ())

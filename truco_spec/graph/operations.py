"""The operations of expressions, one row each: everything shared by linking, play, explanations and checks. An
operation that binds a name or reads the position also has a handler in each interpreter.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from truco_spec.graph.types import FIRST_WORD, FLAG, Type, bare, number

if TYPE_CHECKING:
    from truco_spec.graph.model import Expr, Graph

Value: TypeAlias = Callable[..., int]
"""From the values of the parts to the value."""


@dataclass(frozen=True, slots=True)
class Operation:
    """``parts`` describes its parts and ``names`` the value of its expression.

    ``sign`` stands between its parts in the language and ``code`` in Python; ``tight`` is how strongly it binds.
    ``type`` gives its type from those of its parts. ``value`` gives its value where theirs decide it, counted from the
    lowest value of a type (:func:`value_of`); ``lookup`` where seats, teams or cards do, the kind that ``wants`` names.
    ``counts``: a part that is a word is a fault. ``lazy``: some parts may stay unevaluated. ``reads``: it needs the
    position. ``binds``: it binds names.
    """

    parts: str = ""
    names: str = ""
    sign: str = ""
    tight: int = 7
    code: str = ""
    type: Callable[..., Type] | None = None
    value: Callable[[Type], Value] | None = None
    lookup: Callable[[Graph], Value] | None = None
    wants: tuple[str, ...] = ()
    counts: bool = False
    lazy: bool = False
    reads: bool = False
    binds: bool = False


def _plain(value: Callable[..., Any]) -> Callable[[Type], Value]:
    return lambda kind: value


def _flag(*parts: Type) -> Type:
    return FLAG


def _product(a: Type, b: Type) -> Type:
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return number(min(corners), max(corners))


def _numbers(sign: str, tight: int, value: Value, kind: Callable[..., Type]) -> Operation:
    return Operation("two", "", sign, tight, f" {sign} ", kind, _plain(value), counts=True)


def _sets(sign: str, code: str, value: Value) -> Operation:
    return Operation("two sets", "", sign, 5, code, lambda a, b: bare(a), _plain(value))


def _extreme(pick: Callable[..., int]) -> Operation:
    def kind(a: Type, b: Type) -> Type:
        return number(pick(a.low, b.low), pick(a.high, b.high))

    return Operation("two numbers", code=f"{pick.__name__}({{}})", type=kind, value=_plain(pick), counts=True)


def _neighbour(step: int) -> Operation:
    def value(kind: Type) -> Value:
        return lambda item: (item - kind.low + step) % kind.size + kind.low

    return Operation("item", type=bare, value=value, wants=("seat", "order", "team", "number"), counts=True)


def _looked_up(base: str, lookup: Callable[[Graph], Value]) -> Operation:
    return Operation(base, lookup=lookup, wants=(base,), counts=True)


def _round(step: int, size: int) -> Value:
    size = size or 1
    return lambda place: (place + step) % size


def has(mask: int, value: int, low: int) -> int:
    """Whether the value is in the set."""
    return mask >> (value - low) & 1 if value >= low else 0


def bit(value: int, low: int) -> int:
    """The singleton set of a value; the empty set for a word."""
    return 1 << (value - low) if value >= low else 0


OPERATIONS = {
    "const": Operation(names="the number"),
    "var": Operation(names="name of a parameter, or me"),
    "datum": Operation("indices", "name of the datum", reads=True),
    "ask": Operation("arguments", "name of the define", reads=True),
    "table": Operation("arguments", "name of the table"),
    "if": Operation("test, then, else", tight=0, lazy=True),
    "and": Operation("two or more", sign="and", tight=2, code=" and ", type=_flag, lazy=True),
    "or": Operation("two or more", sign="or", tight=1, code=" or ", type=_flag, lazy=True),
    "not": Operation("condition", tight=3, type=_flag, value=_plain(operator.not_)),
    "is": Operation("two", sign="is", tight=4, code=" == ", type=_flag, value=_plain(operator.eq)),
    "lt": _numbers("<", 4, operator.lt, _flag),
    "le": _numbers("<=", 4, operator.le, _flag),
    "in": Operation(
        "item, set", sign="in", tight=4, type=_flag, value=lambda kind: lambda item, mask: has(mask, item, kind.low)
    ),
    "typed": Operation("item", "the type asked for", tight=4, type=_flag, value=_plain(lambda item: item > FIRST_WORD)),
    "add": _numbers("+", 5, operator.add, lambda a, b: number(a.low + b.low, a.high + b.high)),
    "sub": _numbers("-", 5, operator.sub, lambda a, b: number(a.low - b.high, a.high - b.low)),
    "mul": _numbers("*", 6, operator.mul, _product),
    "union": _sets("+", " | ", operator.or_),
    "minus": _sets("-", " & ~", lambda a, b: a & ~b),
    "set": Operation(
        "items", value=lambda kind: lambda *items: reduce(operator.or_, [bit(item, kind.low) for item in items], 0)
    ),
    "built": Operation("arguments", "name of the built-in question"),
    "during": Operation(names="name of the phase", reads=True),
    "quant": Operation("within, from, where, body", "a Quant", tight=0, lazy=True, binds=True),
}
"""Every operation of a graph."""

BUILT = {
    "next": _neighbour(1),
    "before": _neighbour(-1),
    "place": Operation(
        "item",
        type=lambda a: number(1, a.size),
        value=lambda kind: lambda item: item - kind.low + 1,
        wants=("order", "seat", "number"),
        counts=True,
    ),
    "team": _looked_up("seat", lambda graph: _round(0, graph.teams)),
    "other": _looked_up("team", lambda graph: _round(1, graph.teams)),
    "partner": _looked_up("seat", lambda graph: _round(graph.teams or 1, graph.seats)),
    "rank": _looked_up("card", lambda graph: lambda card: graph.cards[card].rank),
    "suit": _looked_up("card", lambda graph: lambda card: graph.cards[card].suit),
    "size": Operation("set", code="{}.bit_count()", type=lambda a: number(0, a.size), value=_plain(int.bit_count)),
    "min": _extreme(min),
    "max": _extreme(max),
}
"""The built-in questions, as operations."""


def operation(expr: Expr) -> Operation:
    """The row of an expression's operation."""
    return BUILT[expr.value] if expr.op == "built" else OPERATIONS[expr.op]


def value_of(expr: Expr, graph: Graph | None = None) -> Value:
    """The function from the values of the parts to the value, using the graph's seats, teams and cards where needed."""
    found = operation(expr)
    if found.value is not None:
        return found.value(expr.type if expr.op == "set" else expr.kids[-1].type)
    if found.lookup is not None and graph is not None:
        return found.lookup(graph)
    message = f"more than the values of its parts makes the value of {expr.value or expr.op}"
    raise ValueError(message)

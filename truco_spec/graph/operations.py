"""The operations of expressions, one row each: everything shared by linking, play, explanations and checks. An
operation that binds a name or reads the position also has a handler in each interpreter. Below: how expressions and
changes are written in the rules language, for explanations and drawings.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from truco_spec.graph.model import Apply, Assign, Change, Expr, Graph, Move, Quant
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


def show(graph: Graph, expr: Expr) -> str:
    """The expression as it would be written."""
    return _show(graph, expr, 0)


def _show(graph: Graph, expr: Expr, outer: int) -> str:
    tight = OPERATIONS[expr.op].tight
    text = WRITERS[expr.op](graph, expr, tight)
    return f"({text})" if tight < outer else text


def _const(graph: Graph, expr: Expr, tight: int) -> str:
    return "nobody" if expr.type.many and not expr.value else graph.text_of(expr.type, expr.value)


def _question(graph: Graph, expr: Expr, tight: int) -> str:
    if _is_us(expr):
        return "us"
    if expr.op == "built" and expr.value == "other" and _is_us(expr.kids[0]):
        return "them"
    args = ", ".join(_show(graph, kid, 0) for kid in expr.kids)
    return f"{expr.value}({args})" if expr.kids else str(expr.value)


def _logic(graph: Graph, expr: Expr, tight: int) -> str:
    return f" {expr.op} ".join(_show(graph, kid, tight + 1) for kid in expr.kids)


def _not(graph: Graph, expr: Expr, tight: int) -> str:
    (kid,) = expr.kids
    if kid.op in ("is", "in"):
        word = "is not" if kid.op == "is" else "not in"
        return f"{_show(graph, kid.kids[0], 5)} {word} {_show(graph, kid.kids[1], 5)}"
    return f"not {_show(graph, kid, 4)}"


def _if(graph: Graph, expr: Expr, tight: int) -> str:
    test, then, other = (_show(graph, kid, outer) for kid, outer in zip(expr.kids, (1, 1, 0), strict=True))
    return f"{then} if {test} else {other}"


def _set(graph: Graph, expr: Expr, tight: int) -> str:
    return "{" + ", ".join(_show(graph, kid, 0) for kid in expr.kids) + "}"


def _signed(graph: Graph, expr: Expr, tight: int) -> str:
    left, right = expr.kids
    sign = OPERATIONS[expr.op].sign
    if "<" in sign and left.op == "const":
        left, right, sign = right, left, sign.replace("<", ">")
    return f"{_show(graph, left, tight)} {sign} {_show(graph, right, tight + 1)}"


def _is_us(expr: Expr) -> bool:
    return expr.op == "built" and expr.value == "team" and expr.kids[0].op == "var" and expr.kids[0].value == "me"


def _quant(graph: Graph, quant: Quant) -> str:
    binders = []
    for b in quant.binders:
        text = f"{b.type.name or b.type.base} {b.name}"
        if b.within is not None:
            text += f" in {_show(graph, b.within, 5)}"
        if b.start is not None:
            text += f" from {_show(graph, b.start, 5)}"
        binders.append(text)
    text = f"{quant.word} {' with '.join(binders)}"
    if quant.where is not None:
        text += f" where {_show(graph, quant.where, 1)}"
    return text if quant.body is None else f"{text} : {_show(graph, quant.body, 1)}"


WRITERS: dict[str, Callable[[Graph, Expr, int], str]] = {
    **{name: _signed for name, operation in OPERATIONS.items() if operation.sign},
    **dict.fromkeys(("datum", "ask", "table", "built"), _question),
    "const": _const,
    "var": lambda graph, expr, tight: str(expr.value),
    "and": _logic,
    "or": _logic,
    "not": _not,
    "if": _if,
    "set": _set,
    "typed": lambda graph, expr, tight: f"{_show(graph, expr.kids[0], 5)} in {expr.value.name or expr.value.base}",
    "during": lambda graph, expr, tight: f"during {expr.value}",
    "quant": lambda graph, expr, tight: _quant(graph, expr.value),
}
"""How each operation is written."""


def show_change(graph: Graph, change: Change) -> str:
    """The change as it would be written."""
    if isinstance(change, Assign):
        return f"{_place(graph, change.datum, change.index)} {change.sign} {show(graph, change.value)}"
    if isinstance(change, Move):
        return f"move {show(graph, change.what)} to {_place(graph, change.place, change.index)}"
    if isinstance(change, Apply):
        return f"{change.effect}({', '.join(show(graph, arg) for arg in change.args)})"
    return f"{change.word} {change.phase}".strip()


def _place(graph: Graph, name: str, index: tuple[Expr, ...]) -> str:
    return f"{name}({', '.join(show(graph, i) for i in index)})" if index else name

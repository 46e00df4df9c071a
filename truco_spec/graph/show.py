"""Expressions and changes of the graph as text in the rules language, for explanations and drawings."""

from __future__ import annotations

from collections.abc import Callable

from truco_spec.graph.model import Apply, Assign, Change, Expr, Graph, Move, Quant
from truco_spec.graph.operations import OPERATIONS


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

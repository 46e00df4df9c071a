"""Constant folding. Options are constants, so a switch leaves no trace in the graph.

Pairs before and after: ``yes and x`` -> ``x``; ``1 is 2`` -> ``no``; ``a if yes else b`` -> ``a``; ``not not x`` ->
``x``.
"""

from __future__ import annotations

from truco_spec.graph import types
from truco_spec.graph.model import Expr
from truco_spec.graph.operations import BUILT, OPERATIONS, operation, value_of
from truco_spec.graph.types import Type
from truco_spec.language.spans import NOWHERE, Span


def const(kind: Type, value: int, span: Span = NOWHERE) -> Expr:
    """A constant."""
    return Expr("const", kind, (), value, span)


YES = const(types.FLAG, 1)
NO = const(types.FLAG, 0)


def is_yes(expr: Expr | None) -> bool:
    """Whether it is absent or constantly true."""
    return expr is None or (expr.op == "const" and expr.value == 1)


def is_no(expr: Expr | None) -> bool:
    """Whether it is constantly false."""
    return expr is not None and expr.op == "const" and expr.value == 0


def conjuncts(expr: Expr | None) -> list[Expr]:
    """The conjuncts of a condition."""
    if expr is None or is_yes(expr):
        return []
    return list(expr.kids) if expr.op == "and" else [expr]


def negate(expr: Expr) -> Expr:
    """The negation of a condition."""
    if expr.op == "const":
        return const(types.FLAG, 1 - expr.value, expr.span)
    if expr.op == "not":
        return expr.kids[0]
    return Expr("not", types.FLAG, (expr,), None, expr.span)


def fold(expr: Expr) -> Expr:
    """The expression with constants folded at its root; its parts are folded already."""
    if operation(expr).value is not None and all(kid.op == "const" for kid in expr.kids):
        return _constant(expr)
    folder = _FOLDERS.get(expr.op)
    return folder(expr) if folder else expr


def made(op: str, *kids: Expr, value: object = None, span: Span = NOWHERE) -> Expr:
    """An operation on these parts, typed by them, and folded."""
    kind = OPERATIONS[op].type if op != "built" else BUILT[str(value)].type
    assert kind is not None
    return fold(Expr(op, kind(*[kid.type for kid in kids]), kids, value, span))


def _constant(expr: Expr) -> Expr:
    value = int(value_of(expr)(*[kid.value for kid in expr.kids]))
    reckoned = len(expr.kids) == 2 and expr.type.base == "number" and not expr.type.many
    return const(types.number(value, value) if reckoned else expr.type, value, expr.span)


def _logic(expr: Expr) -> Expr:
    absorbing = 0 if expr.op == "and" else 1
    kids: list[Expr] = []
    for kid in expr.kids:
        if kid.op == "const":
            if kid.value == absorbing:
                return const(types.FLAG, absorbing, expr.span)
            continue
        kids += kid.kids if kid.op == expr.op else (kid,)
    if not kids:
        return const(types.FLAG, 1 - absorbing, expr.span)
    return kids[0] if len(kids) == 1 else Expr(expr.op, types.FLAG, tuple(kids), None, expr.span)


def _if(expr: Expr) -> Expr:
    test, then, other = expr.kids
    if test.op == "const":
        return then if test.value else other
    return expr


def _is(expr: Expr) -> Expr:
    a, b = expr.kids
    for item, value in ((a, b), (b, a)):
        if value.op == "const" and value.value == -1 and value.type.base == "card":
            return const(types.FLAG, 0, expr.span)
        if item.type.base == "flag" and value.op == "const" and not item.type.words:
            return item if value.value else negate(item)
    return expr


def _less(expr: Expr) -> Expr:
    a, b = expr.kids
    if not a.type.words and not b.type.words:
        strict = expr.op == "lt"
        if a.type.high < b.type.low or (not strict and a.type.high == b.type.low):
            return const(types.FLAG, 1, expr.span)
        if a.type.low > b.type.high or (strict and a.type.low == b.type.high):
            return const(types.FLAG, 0, expr.span)
    return expr


def _in(expr: Expr) -> Expr:
    group_kid = expr.kids[1]
    if group_kid.op == "const" and group_kid.value == 0:
        return const(types.FLAG, 0, expr.span)
    if group_kid.op == "const" and group_kid.value == (1 << group_kid.type.size) - 1:
        item_type = expr.kids[0].type
        if not item_type.words and group_kid.type.low <= item_type.low and item_type.high <= group_kid.type.high:
            return const(types.FLAG, 1, expr.span)
    return expr


def _typed(expr: Expr) -> Expr:
    return expr if expr.kids[0].type.words else const(types.FLAG, 1, expr.span)


def _quant(expr: Expr) -> Expr:
    quant = expr.value
    nothing = any(b.within is not None and is_no_set(b.within) for b in quant.binders) or is_no(quant.where)
    if quant.word in ("some", "every"):
        vacuous = 1 if quant.word == "every" else 0
        if nothing:
            return const(types.FLAG, vacuous, expr.span)
        if quant.body is not None and quant.body.op == "const" and quant.body.value == vacuous:
            return const(types.FLAG, vacuous, expr.span)
    if quant.word == "all" and (nothing or is_no(quant.body)):
        return const(expr.type, 0, expr.span)
    if quant.word == "all":
        (binder,) = quant.binders
        if binder.within is None and is_yes(quant.where) and is_yes(quant.body) and binder.type.base != "card":
            return const(expr.type, (1 << binder.type.size) - 1, expr.span)
    if quant.word == "count" and (nothing or is_no(quant.body)):
        return const(expr.type, 0, expr.span)
    return expr


def is_no_set(expr: Expr) -> bool:
    """Whether it is the empty set."""
    return expr.op == "const" and expr.value == 0


_FOLDERS = {
    "and": _logic,
    "or": _logic,
    "if": _if,
    "is": _is,
    "lt": _less,
    "le": _less,
    "in": _in,
    "typed": _typed,
    "quant": _quant,
}

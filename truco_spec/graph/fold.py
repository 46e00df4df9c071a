"""Folding: what is constant becomes a constant. Options are constants, so a switch leaves no trace in the graph.

Pairs before and after: ``yes and x`` -> ``x``; ``1 is 2`` -> ``no``; ``a if yes else b`` -> ``a``; ``not not x`` ->
``x``.
"""

from __future__ import annotations

from truco_spec.graph import types
from truco_spec.graph.model import Expr
from truco_spec.graph.types import Type
from truco_spec.language.tree import NOWHERE, Span


def const(kind: Type, value: int, span: Span = NOWHERE) -> Expr:
    """A constant."""
    return Expr("const", kind, (), value, span)


YES = const(types.FLAG, 1)
NO = const(types.FLAG, 0)


def is_yes(expr: Expr | None) -> bool:
    """Is it absent or constantly true?"""
    return expr is None or (expr.op == "const" and expr.value == 1)


def is_no(expr: Expr | None) -> bool:
    """Is it constantly false?"""
    return expr is not None and expr.op == "const" and expr.value == 0


def conjuncts(expr: Expr | None) -> list[Expr]:
    """The parts of a condition that have to hold together."""
    if expr is None or is_yes(expr):
        return []
    return list(expr.kids) if expr.op == "and" else [expr]


def negate(expr: Expr) -> Expr:
    """The contrary of a condition."""
    if expr.op == "const":
        return const(types.FLAG, 1 - expr.value, expr.span)
    if expr.op == "not":
        return expr.kids[0]
    return Expr("not", types.FLAG, (expr,), None, expr.span)


def fold(expr: Expr) -> Expr:
    """The expression with constants folded at its top; its parts are folded already."""
    folder = _FOLDERS.get(expr.op)
    return folder(expr) if folder else expr


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


def _both(expr: Expr) -> tuple[int, int] | None:
    a, b = expr.kids
    return (a.value, b.value) if a.op == "const" and b.op == "const" else None


def _is(expr: Expr) -> Expr:
    both = _both(expr)
    if both:
        return const(types.FLAG, int(both[0] == both[1]), expr.span)
    a, b = expr.kids
    for item, value in ((a, b), (b, a)):
        if value.op == "const" and value.value == -1 and value.type.base == "card":
            return const(types.FLAG, 0, expr.span)
        if item.type.base == "flag" and value.op == "const" and not item.type.words:
            return item if value.value else negate(item)
    return expr


def _less(expr: Expr) -> Expr:
    both = _both(expr)
    if both:
        return const(types.FLAG, int(both[0] < both[1] if expr.op == "lt" else both[0] <= both[1]), expr.span)
    a, b = expr.kids
    if not a.type.words and not b.type.words:
        strict = expr.op == "lt"
        if a.type.high < b.type.low or (not strict and a.type.high == b.type.low):
            return const(types.FLAG, 1, expr.span)
        if a.type.low > b.type.high or (strict and a.type.low == b.type.high):
            return const(types.FLAG, 0, expr.span)
    return expr


def _in(expr: Expr) -> Expr:
    both = _both(expr)
    if both:
        item, group = both
        offset = item - expr.kids[1].type.low
        return const(types.FLAG, int(offset >= 0 and bool(group >> offset & 1)), expr.span)
    group_kid = expr.kids[1]
    if group_kid.op == "const" and group_kid.value == 0:
        return const(types.FLAG, 0, expr.span)
    if group_kid.op == "const" and group_kid.value == (1 << group_kid.type.size) - 1:
        item_type = expr.kids[0].type
        if not item_type.words and group_kid.type.low <= item_type.low and item_type.high <= group_kid.type.high:
            return const(types.FLAG, 1, expr.span)
    return expr


def _typed(expr: Expr) -> Expr:
    item = expr.kids[0]
    if not item.type.words:
        return const(types.FLAG, 1, expr.span)
    if item.op == "const":
        return const(types.FLAG, int(item.value > types.FIRST_WORD), expr.span)
    return expr


def _arith(expr: Expr) -> Expr:
    both = _both(expr)
    if not both:
        return expr
    a, b = both
    value = a + b if expr.op == "add" else a - b if expr.op == "sub" else a * b
    return const(types.number(value, value), value, expr.span)


def _sets(expr: Expr) -> Expr:
    both = _both(expr)
    if not both or expr.kids[0].type.low != expr.kids[1].type.low:
        return expr
    a, b = both
    return const(expr.type, a | b if expr.op == "union" else a & ~b, expr.span)


def _set(expr: Expr) -> Expr:
    if any(kid.op != "const" for kid in expr.kids):
        return expr
    mask = 0
    for kid in expr.kids:
        if kid.value >= expr.type.low:
            mask |= 1 << (kid.value - expr.type.low)
    return const(expr.type, mask, expr.span)


def _built(expr: Expr) -> Expr:
    if any(kid.op != "const" for kid in expr.kids):
        return expr
    values = [kid.value for kid in expr.kids]
    kind = expr.kids[0].type
    if expr.value in ("next", "before"):
        step = 1 if expr.value == "next" else -1
        return const(expr.type, (values[0] - kind.low + step) % kind.size + kind.low, expr.span)
    if expr.value == "place":
        return const(expr.type, values[0] - kind.low + 1, expr.span)
    if expr.value in ("min", "max"):
        value = min(values) if expr.value == "min" else max(values)
        return const(types.number(value, value), value, expr.span)
    if expr.value == "size":
        return const(expr.type, int(values[0]).bit_count(), expr.span)
    return expr


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
    """Is it the empty set?"""
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
    "add": _arith,
    "sub": _arith,
    "mul": _arith,
    "union": _sets,
    "minus": _sets,
    "set": _set,
    "built": _built,
    "quant": _quant,
}

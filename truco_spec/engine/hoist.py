"""What a quantifier would work out again for each value, worked out once before it.

``all seat s : power(s) is (highest seat x : power(x))`` asks for the highest only once. A part may be set apart where
its value does not depend on the quantifier's variables, and where working it out early cannot fail when it would not
have been asked.
"""

from __future__ import annotations

from dataclasses import replace

from truco_spec.graph.model import Expr, Graph, Param, Quant
from truco_spec.graph.walk import walk

_STRICT = frozenset(
    {"is", "lt", "le", "in", "add", "sub", "mul", "union", "minus", "set", "built", "not", "typed", "datum", "ask"}
)
"""All parts of these are worked out whenever they are."""


def set_apart(graph: Graph, quant: Quant) -> tuple[Quant, dict[str, Expr]]:
    """The quantifier with variables for what can be worked out before it, and the value of each variable."""
    bound = {binder.name for binder in quant.binders}
    apart: dict[str, Expr] = {}

    def replaced(expr: Expr, sure: bool) -> Expr:
        if expr.op in ("quant", "ask") and not _mentions(expr, bound) and (sure or cannot_fail(graph, expr)):
            name = next((name for name, value in apart.items() if value == expr), f"#{id(quant)}.{len(apart)}")
            apart[name] = expr
            return Expr("var", expr.type, (), name, expr.span)
        if expr.op == "quant":
            return expr
        inner = sure and expr.op in _STRICT
        first_sure = sure and expr.op in ("and", "or", "if")
        kids = [replaced(kid, inner or (first_sure and at == 0)) for at, kid in enumerate(expr.kids)]
        return expr if not kids else Expr(expr.op, expr.type, tuple(kids), expr.value, expr.span)

    always = all(binder.within is None for binder in quant.binders)
    where = None if quant.where is None else replaced(quant.where, always)
    body = None if quant.body is None else replaced(quant.body, always and quant.where is None)
    binders = quant.binders
    shared = binders[0].within
    if shared is not None and any(binder.within == shared for binder in binders[1:]):
        name = f"#{id(quant)}.{len(apart)}"
        apart[name] = shared
        once = Expr("var", shared.type, (), name, shared.span)
        binders = tuple([replace(b, within=once) if b.within == shared else b for b in binders])
    return replace(quant, binders=binders, where=where, body=body), apart


def _mentions(expr: Expr, names: set[str]) -> bool:
    return any(node.op == "var" and node.value in names for node in walk(expr))


def cannot_fail(graph: Graph, expr: Expr) -> bool:
    """Does the expression have a value in every position, whatever is set or not?"""
    return all(_sound(graph, node) for node in walk(expr))


def _sound(graph: Graph, node: Expr) -> bool:
    if node.op == "quant":
        return all(binder.start is None for binder in node.value.binders)
    if node.op in ("const", "var", "and", "or", "not", "if", "is", "in", "typed", "during", "union", "minus", "set"):
        return True
    if node.op in ("lt", "le", "add", "sub", "mul"):
        return not any(kid.type.words for kid in node.kids)
    if node.op == "built":
        return node.value in ("size", "min", "max")
    if node.op == "datum":
        return _inside(node, graph.data[node.value].params)
    if node.op == "ask":
        define = graph.defines[node.value]
        alone = len(define.answers) == 1 and define.answers[0].when is None  # several could disagree
        return alone and _inside(node, define.params) and cannot_fail(graph, define.answers[0].value)
    return False


def _inside(expr: Expr, params: tuple[Param, ...]) -> bool:
    """Is every index or argument inside of its range, whatever is set or not?"""
    return all(kid.op in ("const", "var") and fits(kid, p) for kid, p in zip(expr.kids, params, strict=True))


def fits(expr: Expr, param: Param) -> bool:
    """Are all values of the expression's type in the range of the parameter?"""
    return not expr.type.words and param.type.low <= expr.type.low and expr.type.high <= param.type.high

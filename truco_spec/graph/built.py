"""The built-in questions: neighbours, teams, ranks and suits, sizes. Each says what it wants in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truco_spec.graph import fold, types
from truco_spec.graph.model import Expr
from truco_spec.graph.scope import Scope, Wrong
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic

if TYPE_CHECKING:
    from truco_spec.graph.elaborate import Elaborator


def _one(elaborator: Elaborator, expr: t.Call, scope: Scope, bases: tuple[str, ...]) -> Expr:
    if len(expr.args) != 1:
        raise Wrong(Diagnostic("error", "arguments", f"{expr.name} wants one thing in brackets", expr.span))
    found = elaborator.expr(expr.args[0], scope)
    if found.type.base not in bases or found.type.many:
        wants = " or ".join(bases)
        raise Wrong(Diagnostic("error", "type", f"{expr.name} wants a {wants}, and this is {found.type}", expr.span))
    return found


def _neighbour(elaborator: Elaborator, expr: t.Call, scope: Scope) -> Expr:
    item = _one(elaborator, expr, scope, ("seat", "order", "team", "number"))
    if item.type.base == "number" and not item.type.name:
        raise Wrong(Diagnostic("error", "type", f"{expr.name} wants a member of an order", expr.span))
    return fold.fold(Expr("built", types.bare(item.type), (item,), expr.name, expr.span))


def _place(elaborator: Elaborator, expr: t.Call, scope: Scope) -> Expr:
    item = _one(elaborator, expr, scope, ("order", "seat", "number"))
    if item.type.base == "number" and not item.type.name:
        raise Wrong(Diagnostic("error", "type", f"{expr.name} wants a member of an order", expr.span))
    return fold.fold(Expr("built", types.number(1, item.type.size), (item,), "place", expr.span))


def _team(elaborator: Elaborator, expr: t.Call, scope: Scope) -> Expr:
    item = _one(elaborator, expr, scope, ("seat",))
    return fold.fold(Expr("built", elaborator.team, (item,), "team", expr.span))


def _other(elaborator: Elaborator, expr: t.Call, scope: Scope) -> Expr:
    elaborator.want_two_teams(expr.name, expr.span)
    item = _one(elaborator, expr, scope, ("team",))
    return fold.fold(Expr("built", elaborator.team, (item,), "other", expr.span))


def _partner(elaborator: Elaborator, expr: t.Call, scope: Scope) -> Expr:
    item = _one(elaborator, expr, scope, ("seat",))
    return fold.fold(Expr("built", elaborator.seat, (item,), "partner", expr.span))


def _of_card(elaborator: Elaborator, expr: t.Call, scope: Scope) -> Expr:
    item = _one(elaborator, expr, scope, ("card",))
    kind = elaborator.names.named_type(f"{expr.name} of card")
    if kind is None:
        raise Wrong(Diagnostic("error", "no-deck", f"{expr.name} wants a deck, and none is declared", expr.span))
    return fold.fold(Expr("built", kind, (item,), expr.name, expr.span))


def _size(elaborator: Elaborator, expr: t.Call, scope: Scope) -> Expr:
    if len(expr.args) != 1:
        raise Wrong(Diagnostic("error", "arguments", "size wants one set in brackets", expr.span))
    item = elaborator.expr(expr.args[0], scope)
    if not item.type.many:
        raise Wrong(Diagnostic("error", "type", f"size wants a set, and this is {item.type}", expr.span))
    return fold.fold(Expr("built", types.number(0, item.type.size), (item,), "size", expr.span))


def _extreme(elaborator: Elaborator, expr: t.Call, scope: Scope) -> Expr:
    if len(expr.args) != 2:
        raise Wrong(Diagnostic("error", "arguments", f"{expr.name} wants two numbers", expr.span))
    a, b = (elaborator.expr(arg, scope) for arg in expr.args)
    if a.type.base != "number" or b.type.base != "number":
        raise Wrong(Diagnostic("error", "type", f"{expr.name} wants two numbers", expr.span))
    pick = min if expr.name == "min" else max
    kind = types.number(pick(a.type.low, b.type.low), pick(a.type.high, b.type.high))
    return fold.fold(Expr("built", kind, (a, b), expr.name, expr.span))


BUILT = {
    "next": _neighbour,
    "before": _neighbour,
    "place": _place,
    "team": _team,
    "other": _other,
    "partner": _partner,
    "rank": _of_card,
    "suit": _of_card,
    "size": _size,
    "min": _extreme,
    "max": _extreme,
}

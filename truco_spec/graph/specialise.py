"""Specialises a graph for compilation: a partial evaluation under its options.

The graph keeps every rule as written, for people. Here questions with a constant answer become that constant, answers
that cannot apply are removed, small questions are inlined, and conditions are folded again. Pairs before and after,
with ``playing`` everyone: ``all seat s in playing : …`` -> ``all seat s : …``; ``first seat x from next(s)`` ->
``next(s)``; ``strength`` with the exception ``when no`` -> ``strength`` without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from truco_spec.graph import fold
from truco_spec.graph.model import (
    ActionKind,
    Answer,
    Apply,
    Assign,
    Bound,
    Change,
    Datum,
    Define,
    Effect,
    Expr,
    Graph,
    Move,
    Quant,
    Rule,
    Turn,
)
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read, map_expr, walk

_Way = TypeVar("_Way", Answer, Turn)

SMALL = 8
"""Maximum parts of an answer that is inlined."""


def specialise(graph: Graph) -> Graph:
    """The same game with the same names in the same order; rules that can never apply have the condition ``no``."""
    return Specialiser(graph).graph()


class Specialiser:
    """Specialises the parts of a graph one by one. ``defines`` are those that are done."""

    def __init__(self, graph: Graph) -> None:
        self.given = graph
        self.defines: dict[str, Define] = {}

    def graph(self) -> Graph:
        given = self.given
        return replace(
            given,
            defines={name: self.define(name) for name in given.defines},
            data={name: self.datum(datum) for name, datum in given.data.items()},
            actions={name: self.action(kind) for name, kind in given.actions.items()},
            effects={name: self.effect(effect) for name, effect in given.effects.items()},
            rules={name: self.rule(rule) for name, rule in given.rules.items()},
        )

    # ---- the things of the core --------------------------------------------------------------

    def define(self, name: str) -> Define:
        found = self.defines.get(name)
        if found is None:
            given = self.given.defines[name]
            answers = [replace(a, when=self.maybe(a.when), value=self.expr(a.value)) for a in given.answers]
            found = self.defines[name] = replace(given, answers=_possible(answers))
        return found

    def datum(self, datum: Datum) -> Datum:
        """An initial value that waits for its scope to open still does (:mod:`truco_spec.engine.offers`)."""
        first = self.maybe(datum.first)
        if first is not None and first.op == "const" and data_read(self.given, [datum.first] if datum.first else []):
            return datum
        return replace(datum, first=first)

    def action(self, kind: ActionKind) -> ActionKind:
        return replace(kind, possible=self.maybe(kind.possible), seen=self.maybe(kind.seen))

    def effect(self, effect: Effect) -> Effect:
        turns = [replace(t, when=self.maybe(t.when), changes=self.changes(t.changes)) for t in effect.turns]
        return replace(effect, turns=_possible(turns))

    def rule(self, rule: Rule) -> Rule:
        return replace(
            rule,
            by=self.maybe(rule.by),
            when=self.maybe(rule.when),
            lest=self.changes(rule.lest),
            do=self.changes(rule.do),
        )

    def changes(self, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        return tuple([self.change(change) for change in changes])

    def change(self, change: Change) -> Change:
        if isinstance(change, Assign):
            return replace(change, index=self.exprs(change.index), value=self.expr(change.value))
        if isinstance(change, Move):
            return replace(change, what=self.expr(change.what), index=self.exprs(change.index))
        if isinstance(change, Apply):
            return replace(change, args=self.exprs(change.args))
        return change

    # ---- expressions -------------------------------------------------------------------------

    def maybe(self, expr: Expr | None) -> Expr | None:
        return None if expr is None else self.expr(expr)

    def exprs(self, exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple([self.expr(expr) for expr in exprs])

    def expr(self, expr: Expr) -> Expr:
        return map_expr(expr, self.one)

    def one(self, expr: Expr) -> Expr:
        """Specialise an expression whose parts are specialised."""
        if expr.op == "ask":
            return self.asked(expr)
        if expr.op == "quant":
            return fold.fold(_over_all(expr))
        return fold.fold(expr)

    def asked(self, expr: Expr) -> Expr:
        """Inline a question with a single small answer."""
        define = self.define(expr.value)
        if len(define.answers) != 1 or define.answers[0].when is not None:
            return expr
        value = define.answers[0].value
        if value.op == "const":
            return value
        parts = list(walk(value))
        missing = any(_could_miss(kid, p.type) for kid, p in zip(expr.kids, define.params, strict=True))
        if len(parts) > SMALL or missing:
            return expr
        if any(kid.op not in ("const", "var") for kid in expr.kids):
            return expr
        if any(part.op == "quant" for part in parts) and any(kid.op == "var" for kid in expr.kids):
            return expr  # its own variables could clash with ours
        env = {p.name: kid for p, kid in zip(define.params, expr.kids, strict=True)}
        return self.expr(_replaced(value, env))


def _possible(ways: Iterable[_Way]) -> tuple[_Way, ...]:
    """Remove answers that can never apply, and those that are always beaten."""
    left = [w if not fold.is_yes(w.when) else replace(w, when=None) for w in ways if not fold.is_no(w.when)]
    beaten = {name for w in left if w.when is None for name in w.beats}
    return tuple([w for w in left if w.name not in beaten])


def _over_all(expr: Expr) -> Expr:
    """A quantifier over the full set needs no set; the first of everything is the start of the circle."""
    quant: Quant = expr.value
    binders = tuple([_unbounded(binder) for binder in quant.binders])
    first, start = binders[0], binders[0].start
    everything = quant.where is None and fold.is_yes(quant.body) and first.within is None
    if quant.word == "first" and everything and start is not None and not _could_miss(start, first.type):
        return start
    return Expr(expr.op, expr.type, expr.kids, replace(quant, binders=binders), expr.span)


def _unbounded(binder: Bound) -> Bound:
    within, kind = binder.within, binder.type
    full = within is not None and within.op == "const" and kind.base != "card" and within.type.low == kind.low
    return replace(binder, within=None) if full and within and within.value == (1 << kind.size) - 1 else binder


def _could_miss(expr: Expr, kind: Type) -> bool:
    """Whether the value could be out of the type's range, and so needs a check."""
    if expr.type.many or kind.many:
        return False
    inside = not expr.type.base or kind.low <= expr.type.low <= expr.type.high <= kind.high
    return bool(expr.type.words - kind.words) or not inside


def _replaced(expr: Expr, env: Mapping[str, Expr]) -> Expr:
    return map_expr(expr, lambda node: env.get(node.value, node) if node.op == "var" else node)

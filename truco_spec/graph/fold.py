"""Partial evaluation under the options of a variant: constant folding, and a whole graph specialised for compilation.

Options are constants, so a switch leaves no trace in the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from truco_spec.graph import types
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
    by_identity,
)
from truco_spec.graph.operations import BUILT, OPERATIONS, operation, value_of
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read, map_expr, same_or, walk, with_parts
from truco_spec.language.diagnostics import NOWHERE, Span


def const(kind: Type, value: int, span: Span = NOWHERE) -> Expr:
    """A constant."""
    return Expr("const", kind, (), value, span)


YES = const(types.FLAG, 1)
NO = const(types.FLAG, 0)


def is_yes(expr: Expr | None) -> bool:
    """Whether it is absent or constantly true."""
    return expr is None or (expr.op == "const" and expr.value == 1)


def is_no(expr: Expr | None) -> bool:
    """Whether it is constantly false, or the empty set."""
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


def opposite(a: Expr | None, b: Expr | None) -> bool:
    """Whether by its form the one holds where the other does not: some … : x is y, every … : x is not y."""
    if a is None or b is None:
        return False
    if a.op == b.op == "quant" and {a.value.word, b.value.word} == {"some", "every"}:
        alike = a.value.binders == b.value.binders and a.value.where == b.value.where
        return alike and opposite(a.value.body, b.value.body)
    return a == negate(b) or b == negate(a)


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


def put_in(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """Substitute variables in an expression, and fold it.

    A quantifier that binds the name again shadows it: its own variable is not substituted.
    """
    if expr.op == "var" and expr.value in values:
        return values[expr.value]
    kids, value = tuple(put_in(kid, values) for kid in expr.kids), expr.value
    if expr.op == "quant":
        left, binders = dict(values), []

        def maybe(part: Expr | None) -> Expr | None:
            return None if part is None else put_in(part, left)

        for binder in expr.value.binders:
            binders.append(replace(binder, within=maybe(binder.within), start=maybe(binder.start)))
            left.pop(binder.name, None)
        value = Quant(value.word, tuple(binders), maybe(value.where), maybe(value.body))
    return fold(Expr(expr.op, expr.type, kids, value, expr.span))


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
    if len(kids) == 1:
        return kids[0]
    return with_parts(expr, type=types.FLAG, kids=same_or(expr.kids, tuple(kids)))


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
    nothing = any(is_no(binder.within) for binder in quant.binders) or is_no(quant.where)
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


# --------------------------------------------------------------------------------------------------
# A graph specialised for compilation. It keeps every rule as written, for people. Here questions with a constant answer
# become that constant, answers that cannot apply are removed, small questions are inlined, and conditions are folded
# again. Pairs before and after, with ``playing`` everyone: ``all seat s in playing : …`` -> ``all seat s : …``;
# ``first seat x from next(s)`` -> ``next(s)``; ``strength`` with the exception ``when no`` -> ``strength`` without it.


_Way = TypeVar("_Way", Answer, Turn)

SMALL = 8
"""Maximum parts of an answer that is inlined."""


@by_identity(8)
def specialise(graph: Graph) -> Graph:
    """The same game with the same names in the same order; rules that can never apply have the condition ``no``.

    What is as it was is shared with the graph; memoised.
    """
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
            answers = [with_parts(a, when=self.maybe(a.when), value=self.expr(a.value)) for a in given.answers]
            found = self.defines[name] = with_parts(given, answers=same_or(given.answers, _possible(answers)))
        return found

    def datum(self, datum: Datum) -> Datum:
        """An initial value that waits for its scope to open still does (:mod:`truco_spec.engine.compiled.write`)."""
        first = self.maybe(datum.first)
        if first is not None and first.op == "const" and data_read(self.given, [datum.first] if datum.first else []):
            return datum
        return with_parts(datum, first=first)

    def action(self, kind: ActionKind) -> ActionKind:
        return with_parts(kind, possible=self.maybe(kind.possible), seen=self.maybe(kind.seen))

    def effect(self, effect: Effect) -> Effect:
        turns = [with_parts(t, when=self.maybe(t.when), changes=self.changes(t.changes)) for t in effect.turns]
        return with_parts(effect, turns=same_or(effect.turns, _possible(turns)))

    def rule(self, rule: Rule) -> Rule:
        return with_parts(
            rule,
            by=self.maybe(rule.by),
            when=self.maybe(rule.when),
            lest=self.changes(rule.lest),
            do=self.changes(rule.do),
        )

    def changes(self, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        return same_or(changes, tuple([self.change(change) for change in changes]))

    def change(self, change: Change) -> Change:
        if isinstance(change, Assign):
            return with_parts(change, index=self.exprs(change.index), value=self.expr(change.value))
        if isinstance(change, Move):
            return with_parts(change, what=self.expr(change.what), index=self.exprs(change.index))
        if isinstance(change, Apply):
            return with_parts(change, args=self.exprs(change.args))
        return change

    # ---- expressions -------------------------------------------------------------------------

    def maybe(self, expr: Expr | None) -> Expr | None:
        return None if expr is None else self.expr(expr)

    def exprs(self, exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return same_or(exprs, tuple([self.expr(expr) for expr in exprs]))

    def expr(self, expr: Expr) -> Expr:
        return map_expr(expr, self.one)

    def one(self, expr: Expr) -> Expr:
        """Specialise an expression whose parts are specialised."""
        if expr.op == "ask":
            return self.asked(expr)
        if expr.op == "quant":
            return fold(_over_all(expr))
        return fold(expr)

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
        return self.expr(put_in(value, env))


def _possible(ways: Iterable[_Way]) -> tuple[_Way, ...]:
    """Remove answers that can never apply, and those that are always beaten."""
    left = [w if not is_yes(w.when) else replace(w, when=None) for w in ways if not is_no(w.when)]
    beaten = {name for w in left if w.when is None for name in w.beats}
    return tuple([w for w in left if w.name not in beaten])


def _over_all(expr: Expr) -> Expr:
    """A quantifier over the full set needs no set; the first of everything is the start of the circle."""
    quant: Quant = expr.value
    binders = tuple([_unbounded(binder) for binder in quant.binders])
    first, start = binders[0], binders[0].start
    everything = quant.where is None and is_yes(quant.body) and first.within is None
    if quant.word == "first" and everything and start is not None and not _could_miss(start, first.type):
        return start
    binders = same_or(quant.binders, binders)
    return expr if binders is quant.binders else replace(expr, value=replace(quant, binders=binders))


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

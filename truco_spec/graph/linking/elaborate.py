"""Elaboration: expressions of the tree become typed expressions of the graph, with names and literals resolved.

A bare name is looked up first among the parameters, then among the values of the expected type (of the other side of
``is``, of the datum assigned to), then among data, defines, tables, options and cards. So ``4`` is a rank or a number
by its type, never by its look, and an option's value may have the name of a datum.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from truco_spec.base.words import Sentence, alternatives
from truco_spec.graph import fold, types
from truco_spec.graph.linking import limits
from truco_spec.graph.linking.names import Scope, Wrong
from truco_spec.graph.model import Bound, Expr, Param, Quant
from truco_spec.graph.operations import BUILT
from truco_spec.graph.types import Type
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import hint_of

if TYPE_CHECKING:
    from truco_spec.graph.linking.build import Builder

_SETS = {"everyone": -1, "nobody": 0}
_FLAGS = {"yes": 1, "no": 0}


class Elaborator:
    """Turns expressions of the tree into typed ones. Raises :class:`Wrong` at the first unresolvable part."""

    def __init__(self, names: Builder) -> None:
        self.names, self.symbols = names, names.symbols
        self.seat = Type("seat", 0, self.symbols.seats - 1)
        self.team = Type("team", 0, self.symbols.teams - 1)
        self.level = 0
        self.hints: dict[tuple[str, tuple[str, ...]], str] = {}

    # ---- expected types ----------------------------------------------------------------------

    def flag(self, expr: t.Expr, scope: Scope) -> Expr:
        """A condition."""
        return self.wanted(expr, types.FLAG, scope)

    def condition(self, expr: t.Expr | None, scope: Scope) -> Expr | None:
        """A condition, if there is one that does not always hold."""
        found = self.flag(expr, scope) if expr is not None else None
        return None if fold.is_yes(found) else found

    def seats(self, expr: t.Expr, scope: Scope) -> Expr:
        """A set of seats; a single seat is converted to a singleton."""
        return self.wanted(expr, types.set_of(self.seat), scope)

    def wanted(self, expr: t.Expr, kind: Type, scope: Scope) -> Expr:
        """An expression of the expected type."""
        found = self.expr(expr, scope, kind)
        if kind.many and not found.type.many and types.same_base(types.set_of(types.bare(found.type)), kind):
            return fold.fold(Expr("set", types.bare(kind), (found,), None, found.span))
        if not types.fits(found.type, kind):
            message = Sentence("this is {found}, and {kind} is wanted here", found=found.type, kind=kind)
            raise Wrong("type", message, expr.span)
        return found

    # ---- expressions -------------------------------------------------------------------------

    def expr(self, expr: t.Expr, scope: Scope, expected: Type | None = None) -> Expr:
        """Any expression; ``expected`` helps to read bare names and numbers."""
        self.level += 1
        try:
            if self.level > limits.LEVELS:
                what = Sentence("what stands inside each other here, questions that are asked included")
                raise limits.wrong_size(what, limits.LEVELS, expr.span)
            return self._expr(expr, scope, expected)
        finally:
            self.level -= 1

    def _expr(self, expr: t.Expr, scope: Scope, expected: Type | None) -> Expr:
        if isinstance(expr, t.Name):
            return self._name(expr, scope, expected)
        if isinstance(expr, t.Number):
            return self._number(expr, expected)
        if isinstance(expr, t.Call):
            return self._call(expr, scope)
        if isinstance(expr, t.Not):
            return fold.negate(self.flag(expr.item, scope))
        if isinstance(expr, t.Logic):
            sides = (self.flag(expr.left, scope), self.flag(expr.right, scope))
            return fold.made(expr.word, *sides, span=expr.span)
        if isinstance(expr, t.Compare):
            return self._compare(expr, scope)
        if isinstance(expr, t.Arith):
            return self._arith(expr, scope, expected)
        if isinstance(expr, t.Choose):
            return self._choose(expr, scope, expected)
        if isinstance(expr, t.During):
            if expr.phase not in self.symbols.phases:
                raise self._unknown(Sentence("there is no phase {name}", name=expr.phase), expr.span)
            return Expr("during", types.FLAG, (), expr.phase, expr.span)
        if isinstance(expr, t.SetOf):
            return self._set(expr, scope, expected)
        return self._quant(expr, scope, expected)

    def _name(self, expr: t.Name, scope: Scope, expected: Type | None) -> Expr:
        text, span = expr.text, expr.span
        if text in scope:
            return Expr("var", scope[text], (), text, span)
        literal = self._literal(text, expected, span)
        if literal is not None:
            return literal
        if text == "us" and "me" in scope:
            return Expr("built", self.team, (self._me(span),), "team", span)
        if text == "them" and "me" in scope:
            self.want_two_teams(text, span)
            mine = Expr("built", self.team, (self._me(span),), "team", span)
            return Expr("built", self.team, (mine,), "other", span)
        if text in _SETS:
            full = (1 << self.seat.size) - 1
            return fold.const(types.set_of(self.seat), full if _SETS[text] else 0, span)
        if text in _FLAGS:
            return fold.const(types.FLAG, _FLAGS[text], span)
        option = self.names.option(text, span)
        if option is not None:
            return option
        found = self.names.signature(text, span)
        if found is not None:
            return self._question(text, found, (), span, scope)
        card = self.symbols.card_value(text)
        if card is not None:
            kind = self.symbols.named_type("card")
            assert kind is not None
            return fold.const(kind, card, span)
        member = self.symbols.member(text)
        if member is not None:
            return fold.const(member[0], member[1], span)
        if text in self.symbols.words:
            return fold.const(types.of_words(text), self.symbols.words[text], span)
        more = [*scope, *(["us", "them"] if "me" in scope else [])]
        raise self._unknown(Sentence("there is no name {name}", name=text), span, more)

    def _literal(self, text: str, expected: Type | None, span: t.Span) -> Expr | None:
        """A value of the expected type, if the name is one."""
        if expected is None or expected.many:
            return None
        if text in expected.words:
            return fold.const(types.of_words(text), self.symbols.words[text], span)
        value = self.symbols.member_of(expected, text)
        return None if value is None else fold.const(types.bare(expected), value, span)

    def want_two_teams(self, name: str, span: t.Span) -> None:
        """Raise Wrong for “the other team” if there are more than two teams."""
        if self.team.size > 2:
            form = "there are {teams} teams, and {name} could be any of the others"
            message = Sentence(form, teams=self.team.size, name=name)
            raise Wrong("type", message, span)

    def _me(self, span: t.Span) -> Expr:
        return Expr("var", self.seat, (), "me", span)

    def _number(self, expr: t.Number, expected: Type | None) -> Expr:
        if expected is not None and expected.base == "order":
            value = self.symbols.member_of(expected, str(expr.value))
            if value is None:
                raise Wrong("type", Sentence("{value} is no {kind}", value=expr.value, kind=expected.name), expr.span)
            return fold.const(types.bare(expected), value, expr.span)
        return fold.const(types.number(expr.value, expr.value), expr.value, expr.span)

    def _call(self, expr: t.Call, scope: Scope) -> Expr:
        if expr.name in BUILT:
            return _built(self, expr, scope)
        found = self.names.signature(expr.name, expr.span)
        if found is None:
            raise self._unknown(Sentence("there is no question {name}", name=expr.name), expr.span, list(BUILT))
        return self._question(expr.name, found, expr.args, expr.span, scope)

    def _question(
        self,
        name: str,
        found: tuple[str, tuple[Param, ...], Type],
        args: tuple[t.Expr, ...],
        span: t.Span,
        scope: Scope,
    ) -> Expr:
        kind, params, answer = found
        given = self.given(name, params, args, span, scope)
        if answer.place == "slot":
            answer = types.with_words(types.bare(answer), "none")
        return Expr(kind, answer, given, name, span)

    def given(
        self, name: str, params: tuple[Param, ...], args: tuple[t.Expr, ...], span: t.Span, scope: Scope
    ) -> tuple[Expr, ...]:
        """Arguments, one for each of these parameters."""
        if len(args) != len(params):
            raise wanting(name, params, span)
        return tuple(self.wanted(a, p.type, scope) for a, p in zip(args, params, strict=True))

    # ---- comparisons -------------------------------------------------------------------------

    def _compare(self, expr: t.Compare, scope: Scope) -> Expr:
        relation = expr.relation
        if relation in ("in", "not in"):
            found = self._in(expr, scope)
        else:
            left, right = self._sides(expr.left, expr.right, scope)
            if not types.meets(left.type, right.type):
                if relation in ("is", "is not"):
                    message = Sentence("{left} and {right} have no value in common", left=left.type, right=right.type)
                    raise Wrong("never-equal", message, expr.span)
                message = Sentence("{left} and {right} cannot be compared", left=left.type, right=right.type)
                raise Wrong("type", message, expr.span)
            if relation in ("<", "<=", ">", ">="):
                for side in (left, right):
                    if side.type.many or side.type.base not in ("number", "order"):
                        raise Wrong("type", Sentence("{type} has no order of size", type=side.type), expr.span)
                if relation in (">", ">="):
                    left, right = right, left
                return fold.made("lt" if relation in ("<", ">") else "le", left, right, span=expr.span)
            found = fold.made("is", left, right, span=expr.span)
        return fold.negate(found) if " " in relation else found

    def _sides(self, left: t.Expr, right: t.Expr, scope: Scope) -> tuple[Expr, Expr]:
        """Both sides of a comparison; the one that is no literal gives the type of the other."""
        if isinstance(left, t.Number) or (isinstance(left, t.Name) and not self._known(left.text, scope)):
            second = self.expr(right, scope)
            return self.expr(left, scope, second.type), second
        first = self.expr(left, scope)
        second = self.expr(right, scope, first.type)
        if first.type.many and not second.type.many and second.type.base:
            second = self.wanted(right, types.bare(first.type), scope)
        return first, second

    def _known(self, text: str, scope: Scope) -> bool:
        return (
            text in scope
            or text in ("us", "them")
            or self.names.option_value(text) is not None
            or self.names.signature(text, t.NOWHERE) is not None
        )

    def _in(self, expr: t.Compare, scope: Scope) -> Expr:
        if isinstance(expr.right, t.Name) and expr.right.text not in scope:
            kind = self.symbols.named_type(expr.right.text)
            if kind is not None and self.names.signature(expr.right.text, t.NOWHERE) is None:
                item = self.expr(expr.left, scope)
                if not types.same_base(item.type, kind):
                    raise Wrong("type", Sentence("{type} is never {kind}", type=item.type, kind=kind), expr.span)
                return fold.made("typed", item, value=kind, span=expr.span)
        item = self.expr(expr.left, scope)
        group = self.wanted(expr.right, types.set_of(types.bare(item.type)), scope)
        if not group.type.many:
            raise Wrong("type", Sentence("{type} is no set", type=group.type), expr.span)
        return fold.made("in", item, group, span=expr.span)

    # ---- numbers, sets, choices --------------------------------------------------------------

    def _arith(self, expr: t.Arith, scope: Scope, expected: Type | None) -> Expr:
        left = self.expr(expr.left, scope, expected)
        if left.type.many and left.type.base == "number" and expected is None:
            both = types.join(left.type, types.set_of(types.bare(self.expr(expr.right, scope).type)))
            left = self.expr(expr.left, scope, both)  # numbered as the other set is
        if left.type.many:
            right = self.wanted(expr.right, types.bare(left.type), scope)
            if expr.sign == "*":
                raise Wrong("type", Sentence("sets cannot be multiplied"), expr.span)
            return fold.made("union" if expr.sign == "+" else "minus", left, right, span=expr.span)
        right = self.expr(expr.right, scope)
        for side, text in ((left, expr.left), (right, expr.right)):
            if side.type.base not in ("number", "flag") or side.type.many:
                raise Wrong("type", Sentence("{type} is no number", type=side.type), text.span)
        return fold.made({"+": "add", "-": "sub", "*": "mul"}[expr.sign], left, right, span=expr.span)

    def _choose(self, expr: t.Choose, scope: Scope, expected: Type | None) -> Expr:
        test = self.flag(expr.test, scope)
        if expected is None and isinstance(expr.then, t.Name | t.Number):
            other = self.expr(expr.other, scope)
            then = self.expr(expr.then, scope, other.type)
        else:
            then = self.expr(expr.then, scope, expected)
            other = self.expr(expr.other, scope, expected or then.type)
        if then.type.many != other.type.many and then.type.base and other.type.base:
            if then.type.many:
                other = self.wanted(expr.other, types.bare(then.type), scope)
            else:
                then = self.wanted(expr.then, types.bare(other.type), scope)
        kind = types.join(then.type, other.type)
        if kind is None:
            form = "the two answers are of different kinds: {one} and {other}"
            raise Wrong("type", Sentence(form, one=then.type, other=other.type), expr.span)
        return fold.fold(Expr("if", kind, (test, then, other), None, expr.span))

    def _set(self, expr: t.SetOf, scope: Scope, expected: Type | None) -> Expr:
        inner = types.single(expected) if expected else None
        items: list[Expr] = []
        for item in expr.items:
            found = self.expr(item, scope, inner)
            items.append(found)
            inner = inner or types.bare(found.type)
        kind: Type | None = types.bare(items[0].type)
        for other in items[1:]:
            kind = types.join(kind, types.bare(other.type)) if kind else None
        if kind is None or not kind.base or kind.many:
            raise Wrong("type", Sentence("the members of a set are all of one kind"), expr.span)
        full = expected if expected is not None and types.same_base(types.set_of(kind), expected) else None
        if full is None and kind.base == "number":
            full = types.set_of(kind)
        ends = types.join(kind, types.bare(full)) if full else kind
        if kind.base == "number" and (ends or kind).size > limits.NUMBERS:
            what = Sentence("the numbers that this set is taken from")
            raise limits.wrong_size(what, limits.NUMBERS, expr.span)
        return fold.fold(Expr("set", full or types.set_of(kind), tuple(items), None, expr.span))

    # ---- quantifiers -------------------------------------------------------------------------

    def _quant(self, expr: t.Quant, scope: Scope, expected: Type | None) -> Expr:
        bound: list[Bound] = []
        for binder in expr.binders:
            if binder.name in scope:
                message = Sentence("{binder} is already the name of something here", binder=binder.name)
                raise Wrong("shadow", message, expr.span)
            kind = self.symbols.named_type(binder.domain)
            if kind is None:
                kinds = ["seat", "team", "card", "phase", "flag"]
                message = Sentence("there is no kind of thing to look through {name}", name=binder.domain)
                raise self._unknown(message, binder.span, kinds)
            within = self.wanted(binder.within, types.set_of(kind), scope) if binder.within else None
            start = self.wanted(binder.start, kind, scope) if binder.start else None
            bound.append(Bound(binder.name, kind, within, start))
            scope = {**scope, binder.name: kind}
        where = self.flag(expr.where, scope) if expr.where else None
        word = expr.word
        if word in ("highest", "lowest", "sum"):
            if expr.body is None:
                raise Wrong("quantifier", Sentence("{word} wants `: value` at its end", word=word), expr.span)
            body: Expr | None = self.expr(expr.body, scope)
            assert body is not None
            if body.type.base != "number" or body.type.many:
                raise Wrong("type", Sentence("{type} is no number", type=body.type), expr.body.span)
            count = math.prod(b.type.size for b in bound)
            low, high = min(0, body.type.low), max(0, body.type.high)
            kind = types.number(low * count, high * count) if word == "sum" else types.number(low, high)
        else:
            body = self.flag(expr.body, scope) if expr.body else None
            kind = self._kind_of(expr, bound, body)
        return fold.fold(Expr("quant", kind, (), Quant(word, tuple(bound), where, body), expr.span))

    def _kind_of(self, expr: t.Quant, bound: list[Bound], body: Expr | None) -> Type:
        word = expr.word
        if word in ("some", "every"):
            if word == "every" and body is None:
                raise Wrong("quantifier", Sentence("every wants `: condition` at its end"), expr.span)
            return types.FLAG
        if word == "count":
            return types.number(0, math.prod(b.type.size for b in bound))
        if len(bound) > 1:
            raise Wrong("quantifier", Sentence("{word} looks through one kind of thing only", word=word), expr.span)
        if word == "all":
            return types.set_of(bound[0].type)
        return types.with_words(bound[0].type, "none")

    # ---- errors ------------------------------------------------------------------------------

    def _unknown(self, message: Sentence, span: t.Span, more: list[str] | None = None) -> Wrong:
        name, beside = str(message.holes["name"]), tuple(more or ())
        if (name, beside) not in self.hints:  # a name that is left out is missed in many places
            self.hints[name, beside] = hint_of(name, [*self.names.all_names(), *beside])
        return Wrong("unknown-name", message, span, self.hints[name, beside])


def wanting(name: str, params: tuple[Param, ...], span: t.Span) -> Wrong:
    """The error for another number of arguments."""
    wants = ", ".join(f"{p.name} : {p.type}" for p in params) or Sentence("nothing in brackets")
    return Wrong("arguments", Sentence("{name} wants {wants}", name=name, wants=wants), span)


# --------------------------------------------------------------------------------------------------
# The built-in questions: neighbours, teams, ranks and suits, sizes. The expected types are in brackets.


def _built(elaborator: Elaborator, expr: t.Call, scope: Scope) -> Expr:
    if expr.name == "other":
        elaborator.want_two_teams(expr.name, expr.span)
    parts = _PARTS.get(expr.name, _one)(elaborator, expr, scope)
    if BUILT[expr.name].lookup is None:
        return fold.made("built", *parts, value=expr.name, span=expr.span)
    kinds = {"team": elaborator.team, "other": elaborator.team, "partner": elaborator.seat}
    kind = kinds.get(expr.name) or elaborator.symbols.named_type(f"{expr.name} of card")
    if kind is None:
        raise Wrong("no-deck", Sentence("{name} wants a deck, and none is declared", name=expr.name), expr.span)
    return fold.fold(Expr("built", kind, parts, expr.name, expr.span))


def _one(elaborator: Elaborator, expr: t.Call, scope: Scope) -> tuple[Expr, ...]:
    if len(expr.args) != 1:
        raise Wrong("arguments", Sentence("{name} wants one thing in brackets", name=expr.name), expr.span)
    found = elaborator.expr(expr.args[0], scope)
    bases = BUILT[expr.name].wants
    if found.type.base not in bases or found.type.many:
        wants = alternatives(bases)
        message = Sentence("{name} wants a {wants}, and this is {found}", name=expr.name, wants=wants, found=found.type)
        raise Wrong("type", message, expr.span)
    if found.type.base == "number" and not found.type.name:
        raise Wrong("type", Sentence("{name} wants a member of an order", name=expr.name), expr.span)
    return (found,)


def _set(elaborator: Elaborator, expr: t.Call, scope: Scope) -> tuple[Expr, ...]:
    if len(expr.args) != 1:
        raise Wrong("arguments", Sentence("size wants one set in brackets"), expr.span)
    item = elaborator.expr(expr.args[0], scope)
    if not item.type.many:
        raise Wrong("type", Sentence("size wants a set, and this is {type}", type=item.type), expr.span)
    return (item,)


def _numbers(elaborator: Elaborator, expr: t.Call, scope: Scope) -> tuple[Expr, ...]:
    if len(expr.args) != 2:
        raise Wrong("arguments", Sentence("{name} wants two numbers", name=expr.name), expr.span)
    a, b = (elaborator.expr(arg, scope) for arg in expr.args)
    if a.type.base != "number" or b.type.base != "number":
        raise Wrong("type", Sentence("{name} wants two numbers", name=expr.name), expr.span)
    return a, b


_PARTS = {"size": _set, "min": _numbers, "max": _numbers}

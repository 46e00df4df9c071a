"""Limits on the size of a game. Larger ones are rejected, with their place, before they exhaust memory or time.

Every limit is far above the needs of card games: the largest shipped variant stays below a tenth of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from math import prod
from typing import get_args

from truco_spec.base.words import Sentence
from truco_spec.graph.linking.names import Wrong
from truco_spec.graph.model import Apply, Expr, Graph, Quant, by_identity
from truco_spec.graph.types import FIRST_WORD, Type
from truco_spec.graph.walk import exprs_of_changes, exprs_of_define, exprs_of_rule, parts
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError

STATEMENTS = 1_000
"""Statements of a linked variant, including the parts of its constructs."""
SEATS = 32
MEMBERS = 256
"""Members of an order, or values of an option."""
CARDS = 256
WORDS = 2_000
"""Words of all types together."""
LOWEST, HIGHEST = FIRST_WORD + 1, 1_000_000
"""Largest absolute value of a number; words lie below."""
NUMBERS = 10_000
"""Distance between the ends of a range."""
MATCHES = 2_000_000
"""Rows of a table times the combinations of its arguments."""
PARAMETERS = 8
SLOTS = 10_000
"""Slots of a position."""
CHOICES = 20_000
"""Argument combinations of one action."""
ASKING = 30
"""Depth of questions that ask each other."""
NESTED = 60
"""Nesting of expressions in one statement."""
LEVELS = 90
"""Nesting of expressions, including the questions that they ask."""
STEPS = 5_000_000
"""Parts of an expression evaluated in the worst case."""
CODE = 200_000
"""Parts of all expressions after unrolling."""
FEW = 16
"""Values of a quantifier that is unrolled."""
CHANGES = 500
"""Changes of one rule, including its effects."""
STEPS_OF_CONSTRUCT = 40
"""Words of a ladder or a bid, cards of a trump."""


def wrong_size(what: str, most: int, span: t.Span, hint: str = "") -> Wrong:
    """The error for something too large; ``most`` is the limit."""
    return Wrong("too-large", Sentence("too large: {what}; the most is {most}", what=what, most=most), span, hint)


def too_large(what: str, most: int, span: t.Span, hint: str = "") -> Diagnostic:
    """The same, to be reported."""
    return wrong_size(what, most, span, hint).diagnostic


def measure(graph: Graph) -> list[Diagnostic]:
    """Errors for parts of a finished graph that are too large to play."""
    return list(_Measure(graph).all())


class _Measure:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.known: dict[str, int] = {}
        self.sizes: dict[str, int] = {}

    def all(self) -> Iterator[Diagnostic]:
        yield from self._slots()
        yield from self._choices()
        yield from self._changes()
        yield from self._steps()

    def _slots(self) -> Iterator[Diagnostic]:
        total = 0
        for datum in self.graph.data.values():
            count = prod(_values(p.type) for p in datum.params)
            total += count
            if total > SLOTS:
                called = (
                    Sentence("{name} has {count} places", name=datum.name, count=count)
                    if count > SLOTS
                    else Sentence("with {name} all data together", name=datum.name)
                )
                yield too_large(called, SLOTS, datum.source.span)
                return

    def _choices(self) -> Iterator[Diagnostic]:
        for action in self.graph.actions.values():
            count = prod(_values(p.type) for p in action.params)
            if count > CHOICES:
                message = Sentence("{name} can be done in {count} ways", name=action.name, count=count)
                yield too_large(message, CHOICES, action.source.span)
        for define in self.graph.defines.values():
            count = prod(_values(p.type) for p in define.params)
            if define.name.startswith("table.") and count > CHOICES:
                span = define.answers[0].source.span
                yield too_large(Sentence("{name} has {count} ways", name=define.name, count=count), CHOICES, span)

    def _changes(self) -> Iterator[Diagnostic]:
        for rule in self.graph.rules.values():
            count = sum(self._applied(c) for c in (*rule.do, *rule.lest))
            if count > CHANGES:
                yield too_large(
                    Sentence("{name} makes {count} changes", name=rule.name, count=count), CHANGES, rule.source.span
                )

    def _applied(self, change: object) -> int:
        if not isinstance(change, Apply):
            return 1
        name = change.effect
        if name not in self.sizes:
            turns = self.graph.effects[name].turns
            self.sizes[name] = 1 + sum(self._applied(c) for turn in turns for c in turn.changes)
        return self.sizes[name]

    def _steps(self) -> Iterator[Diagnostic]:
        code = 0
        for name, span, exprs in self._expressions():
            steps = sum(self._work(expr) for expr in exprs)
            if steps > STEPS:
                yield too_large(
                    Sentence("{name} looks at more things than anyone can to be answered", name=name), STEPS, span
                )
                return
            code += sum(_written_out(expr) for expr in exprs)
            if code > CODE:
                yield too_large(
                    Sentence("with {name}, written out, all parts of expressions together", name=name), CODE, span
                )
                return

    def _expressions(self) -> Iterator[tuple[str, t.Span, list[Expr]]]:
        graph = self.graph
        for define in graph.defines.values():
            source = define.answers[0].source if define.answers else None
            yield define.name, source.span if source else t.NOWHERE, list(exprs_of_define(define))
        for rule in graph.rules.values():
            yield rule.name, rule.source.span, list(exprs_of_rule(rule))
        for effect in graph.effects.values():
            for turn in effect.turns:
                whens = [turn.when] if turn.when is not None else []
                yield turn.name, turn.source.span, [*whens, *exprs_of_changes(turn.changes)]
        for datum in graph.data.values():
            yield datum.name, datum.source.span, [datum.first] if datum.first is not None else []
        for action in graph.actions.values():
            given = [expr for expr in (action.possible, action.seen) if expr is not None]
            yield action.name, action.source.span, given

    def _work(self, expr: Expr | None) -> int:
        """The number of parts evaluated for an expression in the worst case."""
        if expr is None:
            return 0
        work = 1 + sum(self._work(kid) for kid in expr.kids)
        if expr.op == "quant":
            quant: Quant = expr.value
            times = 1
            for binder in quant.binders:
                work += times * (self._work(binder.within) + self._work(binder.start))
                times *= max(1, binder.type.size)
            work += times * (1 + self._work(quant.where) + self._work(quant.body))
        elif expr.op == "ask":
            if expr.value not in self.known:
                self.known[expr.value] = 1
                define = self.graph.defines.get(expr.value)
                if define is not None:
                    self.known[expr.value] = sum(self._work(e) for e in exprs_of_define(define))
            work += self.known[expr.value]
        return min(work, STEPS + 1)


def _values(kind: Type) -> int:
    return max(1, (kind.size if kind.base else 0) + len(kind.words))


def _code(expr: Expr) -> int:
    """The number of parts of an expression after unrolling."""
    inner = sum(_code(part) for part in parts(expr))
    if expr.op == "quant":
        binder = expr.value.binders[0]
        if len(expr.value.binders) == 1 and binder.type.base != "card" and binder.type.size <= FEW:
            inner *= max(1, binder.type.size)
    return min(1 + inner, CODE + 1)


_MOST_MEASURED = 16384
"""Expressions whose size is memoised: graphs of one variant under other options share most of them."""


_written_out = by_identity(_MOST_MEASURED)(_code)
"""The same, memoised for a whole expression."""


_LEAVES = (str, int, t.Span, t.Cite, type(None))
_EXPRESSIONS = get_args(t.Expr)
_FIELDS: dict[type, tuple[str, ...]] = {}
_MOST_CHECKED = 8192
"""Statements known to be not too large."""


@by_identity(_MOST_CHECKED)
def check_statement(statement: t.Statement) -> None:
    """Raise SpecError for a list that is too long, a number too large, or nesting too deep."""
    stack: list[tuple[object, int]] = [(statement, 0)]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, tuple):
            if len(node) > MEMBERS:
                what = Sentence("{name} lists {count} of one kind", name=statement.name, count=len(node))
                raise SpecError([too_large(what, MEMBERS, statement.name_span)])
            stack += [(item, depth) for item in node if not isinstance(item, _LEAVES)]
            continue
        if isinstance(node, _EXPRESSIONS):
            depth += 1
            if depth > NESTED:
                what = Sentence("{depth} expressions stand inside each other", depth=depth)
                raise SpecError(
                    [too_large(what, NESTED, node.span, Sentence("give a part of it a name: define … = …"))]
                )
            if isinstance(node, t.Number) and node.value > HIGHEST:
                raise SpecError([too_large(Sentence("this number"), HIGHEST, node.span)])
        kind = type(node)
        if kind not in _FIELDS:
            _FIELDS[kind] = tuple(field.name for field in fields(kind) if "span" not in field.name)  # type: ignore[arg-type]
        for name in _FIELDS[kind]:
            value = getattr(node, name)
            if not isinstance(value, _LEAVES) and value != ():
                stack.append((value, depth))
    if len(statement.params) > PARAMETERS:
        what = Sentence("{name} has {count} parameters", name=statement.name, count=len(statement.params))
        raise SpecError([too_large(what, PARAMETERS, statement.name_span)])


def check_construct(construct: t.Statement) -> None:
    """Raise SpecError for a construct with more words or cards than the nesting limit."""
    lengths = [len(clause.steps) + len(clause.calls) for clause in construct.clauses]
    longest = max([len(construct.members), *lengths])
    if longest > STEPS_OF_CONSTRUCT:
        what = Sentence("{name} has {count} steps", name=construct.name, count=longest)
        raise SpecError([too_large(what, STEPS_OF_CONSTRUCT, construct.name_span)])

"""Values that leave their range, and tables without an answer.

**Proved**: no change gives a datum a value outside of its type, no card is put on an occupied place, no index and no
argument is out of its declared range, nothing is computed from a ``none``, and every table has an answer for all its
arguments; else there is a doubt.

**How**: by types where these suffice; else by the search, under the conditions on which the expression is evaluated
(the rule applies, the ``if`` holds, the preceding parts of an ``and`` hold). A long question may have any of its
answers. **Witness**: the arguments, and the data that the conditions read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from truco_spec.base.words import Sentence
from truco_spec.checks import frame
from truco_spec.checks.frame import Binding, Conditions
from truco_spec.checks.study import Study
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.groups import rename
from truco_spec.graph.model import Assign, Expr, Graph, Move, Rule, Source
from truco_spec.graph.operations import operation
from truco_spec.graph.types import FLAG, Type, bare
from truco_spec.language.diagnostics import NOWHERE, Diagnostic, Span


def check(study: Study) -> None:
    """All ranges and tables of a graph."""
    graph = study.graph
    for define in graph.defines.values():
        where = study.asking(define.name)
        for answer in define.answers if where else ():
            alone = frame.standing_alone(define.answers, answer)
            here = _Here(study, answer.name, answer.source, where, "any")
            here.expression(answer.when, ())
            here.expression(answer.value, alone)
            here.answered(answer.value, define.type, alone)
    tops = set(study.tops())
    for rule in graph.rules.values():
        for phase in (rule.phases or ("",)) if rule.verbs or rule.shape == "auto" else ("",):
            if not phase or phase in tops:
                _rule(study, rule, phase)


def _rule(study: Study, rule: Rule, phase: str) -> None:
    graph = study.graph
    here = _Here(study, rule.name, rule.source, (phase,) if phase else (), "action" if rule.verbs else "step")
    if not rule.verbs:
        base = () if rule.shape == "once" else frame.before_autos(graph)
        here.expression(rule.when, base)
        here.changes(rule, {}, (*base, *conjuncts(rule.when)))
        return
    rest = frame.at_rest(graph, phase) if phase else ()
    for verb in rule.verbs[:1]:
        names = frame.names_of(verb)
        when = rename(rule.when, names) if rule.when is not None else None
        spoken = frame.speaks(graph, replace(rule, when=None), verb.action)
        base = (*spoken, *frame.possible(graph, verb.action), *rest)
        here.expression(when, base)
        here.changes(rule, names, (*base, *conjuncts(when)))


@dataclass(frozen=True, slots=True)
class _Here:
    """The place of an expression: its statement, the phases on top, and the moment (see :class:`Doubt`)."""

    study: Study
    name: str
    source: Source
    tops: tuple[str, ...]
    moment: str

    def answered(self, value: Expr, kind: Type, guards: Conditions) -> None:
        if not kind.many and not _fits(value.type, kind):
            message = Sentence("{name} can answer what is not {kind}", name=self.name, kind=kind)
            self._doubt("range", message, value.span, (*guards, _outside(value, kind)))

    def changes(self, rule: Rule, names: dict[str, str], base: Conditions) -> None:
        graph = self.study.graph
        for guarded in frame.changes_of(graph, (*rule.do, *rule.lest), names):
            change = guarded.change
            conditions = (*base, *guarded.guards)
            if isinstance(change, Assign):
                self._indices(change, change.datum, conditions)
                self.expression(change.value, conditions)
                self._assigned(change, conditions)
            elif isinstance(change, Move):
                self._indices(change, change.place, conditions)
                self.expression(change.what, conditions)
                self._moved(change, conditions)

    def _indices(self, change: Assign | Move, datum: str, conditions: Conditions) -> None:
        for index, param in zip(change.index, self.study.graph.data[datum].params, strict=True):
            self._wanted(index, param.type, conditions, change.span)

    def _assigned(self, change: Assign, conditions: Conditions) -> None:
        kind = self.study.graph.data[change.datum].type
        if kind.many:
            return
        value = frame.assigned(self.study.graph, change)
        if not _fits(value.type, kind):
            form = "{rule} can give {datum} a value that is not {kind}"
            message = Sentence(form, rule=self.name, datum=change.datum, kind=kind)
            self._doubt("range", message, change.span, (*conditions, _outside(value, kind)))

    def _moved(self, change: Move, conditions: Conditions) -> None:
        what, kind = change.what, self.study.graph.data[change.place].type
        if not what.type.many and what.type.words:
            form = "{rule} can move a card to {place} where there is none to move"
            message = Sentence(form, rule=self.name, place=change.place)
            self._doubt("no-value", message, change.span, (*conditions, _outside(what, bare(what.type))))
        if kind.place == "slot":
            there = Expr("datum", replace(bare(kind), words=frozenset({"none"})), change.index, change.place)
            form = "{rule} can move a card to {place} where another lies"
            message = Sentence(form, rule=self.name, place=change.place)
            whole = (*conditions, Expr("typed", FLAG, (there,), bare(kind)), _differ(there, what))
            self._doubt("two-cards", message, change.span, whole)

    def expression(self, expr: Expr | None, base: Conditions) -> None:
        for part, guards, wrap in _deep(expr):
            conditions = (*base, *(wrap(g) for g in guards))
            for item, kind in _wants(self.study.graph, part):
                self._wanted(wrap(item), kind, conditions, item.span)
            if part.op == "table" and _has_hole(self.study, part):
                hole = wrap(Expr("hole", FLAG, part.kids, part.value, part.span))
                form = "{name} can ask {part} for a combination that no row answers"
                message = Sentence(form, name=self.name, part=part.value)
                source = self.study.graph.tables[part.value].source
                note = (Sentence("{name} is here", name=part.value), source.span)
                self._doubt("table-hole", message, part.span, (*conditions, hole), note)

    def _wanted(self, item: Expr, kind: Type, conditions: Conditions, span: Span) -> None:
        if kind.many or kind.place or _fits(item.type, kind):
            return
        nothing = item.type.words - kind.words
        form = "{name} can look at none where it wants {kind}" if nothing else "{name} can look beyond {kind}"
        message = Sentence(form, name=self.name, kind=kind)
        self._doubt("no-value" if nothing else "range", message, span, (*conditions, _outside(item, kind)))

    def _doubt(self, code: str, message: str, span: Span, conditions: Conditions, *notes: tuple[str, Span]) -> None:
        diagnostic = Diagnostic("error", code, message, span if span != NOWHERE else self.source.span, "", notes)
        named = notes[0][0].partition(" ")[0] if notes else self.name
        self.study.doubt(diagnostic, conditions, self.tops, self.moment, (named,))


def _differ(a: Expr, b: Expr) -> Expr:
    return Expr("not", FLAG, (Expr("is", FLAG, (a, b)),))


# ---- parts of expressions ----------------------------------------------------------------------


def _deep(expr: Expr | None) -> Iterator[tuple[Expr, Conditions, Callable[[Expr], Expr]]]:
    """The parts of an expression with their contexts: bindings of effects are repeated around each."""
    bindings: list[Binding] = []
    while expr is not None and expr.op == "let":
        yield from (
            (part, guards, _wrapper(bindings)) for kid in expr.kids[:-1] for part, guards in frame.looked_at(kid)
        )
        bindings.insert(0, (expr.value, expr.kids[:-1]))
        expr = expr.kids[-1]
    yield from ((part, guards, _wrapper(bindings)) for part, guards in frame.looked_at(expr))


def _wrapper(bindings: list[Binding]) -> Callable[[Expr], Expr]:
    kept = list(bindings)
    return lambda expr: frame.bound(expr, kept)


def _wants(graph: Graph, part: Expr) -> Iterator[tuple[Expr, Type]]:
    """The parts of an expression that require a narrower type than their own."""
    pairs: Iterable[tuple[Expr, Type]] = ()
    if part.op == "datum":
        pairs = zip(part.kids, [p.type for p in graph.data[part.value].params], strict=True)
    elif part.op == "ask":
        pairs = zip(part.kids, [p.type for p in graph.defines[part.value].params], strict=True)
    elif operation(part).counts:
        pairs = [(kid, bare(kid.type)) for kid in part.kids if kid.type.words]
    for kid, kind in pairs:
        if not kind.many and not kind.place and not _fits(kid.type, kind):
            yield kid, kind


def _has_hole(study: Study, part: Expr) -> bool:
    domains = [study.facts.of_type(kid.type) for kid in part.kids]
    answers = study.graph.tables[part.value].answers
    return any(at not in answers for at in product(*domains))


def _fits(value: Type, kind: Type) -> bool:
    """Whether every value of the one type is in the other."""
    if value.words - kind.words - ({"none"} if kind.place == "slot" else set()):
        return False
    return not value.base or value.many or value.base != "number" or (kind.low <= value.low and value.high <= kind.high)


def _outside(item: Expr, kind: Type) -> Expr:
    return Expr("outside", FLAG, (item,), kind, item.span)

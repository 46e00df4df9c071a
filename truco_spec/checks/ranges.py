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
from dataclasses import replace

from truco_spec.base.words import Sentence
from truco_spec.checks.abstract.frame import (
    Binding,
    Conditions,
    assigned,
    at_rest,
    before_autos,
    bound,
    changes_of,
    looked_at,
    names_of,
    possible,
    speaks,
    standing_alone,
)
from truco_spec.checks.study import Study
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.groups import rename
from truco_spec.graph.model import Assign, Expr, Graph, Move, Rule, Source
from truco_spec.graph.operations import operation
from truco_spec.graph.types import FLAG, Type, bare
from truco_spec.language.diagnostics import Diagnostic
from truco_spec.language.spans import NOWHERE, Span


def check(study: Study) -> None:
    """All ranges and tables of a graph."""
    graph = study.graph
    for define in graph.defines.values():
        where = study.asking(define.name)
        for answer in define.answers if where else ():
            alone = standing_alone(define.answers, answer)
            _expression(study, answer.when, (), where, "any", answer.source, answer.name)
            _expression(study, answer.value, alone, where, "any", answer.source, answer.name)
            _result(study, answer.value, define.type, alone, where, answer.source, answer.name)
    tops = set(study.tops())
    for rule in graph.rules.values():
        for phase in (rule.phases or ("",)) if rule.verbs or rule.shape == "auto" else ("",):
            if not phase or phase in tops:
                _rule(study, rule, phase)


def _result(
    study: Study, value: Expr, kind: Type, guards: Conditions, where: tuple[str, ...], source: Source, name: str
) -> None:
    if not kind.many and not _fits(value.type, kind):
        message = Sentence("{name} can answer what is not {kind}", name=name, kind=kind)
        _doubt(study, "range", message, value.span, source, (*guards, _outside(value, kind)), where, "any", name)


def _rule(study: Study, rule: Rule, phase: str) -> None:
    graph = study.graph
    tops = (phase,) if phase else ()
    if not rule.verbs:
        base = () if rule.shape == "once" else before_autos(graph)
        _parts(study, rule.when, base, tops, "step", rule)
        _changes(study, rule, {}, (*base, *conjuncts(rule.when)), tops, "step")
        return
    rest = at_rest(graph, phase) if phase else ()
    for verb in rule.verbs[:1]:
        names = names_of(verb)
        when = rename(rule.when, names) if rule.when is not None else None
        spoken = speaks(graph, replace(rule, when=None), verb.action)
        base = (*spoken, *possible(graph, verb.action), *rest)
        _parts(study, when, base, tops, "action", rule)
        _changes(study, rule, names, (*base, *conjuncts(when)), tops, "action")


def _parts(study: Study, expr: Expr | None, base: Conditions, tops: tuple[str, ...], moment: str, rule: Rule) -> None:
    _expression(study, expr, base, tops, moment, rule.source, rule.name)


def _changes(
    study: Study, rule: Rule, names: dict[str, str], base: Conditions, tops: tuple[str, ...], moment: str
) -> None:
    graph = study.graph
    for guarded in changes_of(graph, (*rule.do, *rule.lest), names):
        change = guarded.change
        conditions = (*base, *guarded.guards)
        if isinstance(change, Assign):
            for index, param in zip(change.index, graph.data[change.datum].params, strict=True):
                _wanted(study, index, param.type, conditions, tops, moment, rule.source, rule.name, change.span)
            _expression(study, change.value, conditions, tops, moment, rule.source, rule.name)
            _assigned(study, rule, change, conditions, tops, moment)
        elif isinstance(change, Move):
            for index, param in zip(change.index, graph.data[change.place].params, strict=True):
                _wanted(study, index, param.type, conditions, tops, moment, rule.source, rule.name, change.span)
            _expression(study, change.what, conditions, tops, moment, rule.source, rule.name)
            _moved(study, rule, change, conditions, tops, moment)


def _assigned(
    study: Study, rule: Rule, change: Assign, conditions: Conditions, tops: tuple[str, ...], moment: str
) -> None:
    kind = study.graph.data[change.datum].type
    if kind.many:
        return
    value = assigned(study.graph, change)
    if not _fits(value.type, kind):
        message = Sentence(
            "{rule} can give {datum} a value that is not {kind}", rule=rule.name, datum=change.datum, kind=kind
        )
        whole = (*conditions, _outside(value, kind))
        _doubt(study, "range", message, change.span, rule.source, whole, tops, moment, rule.name)


def _moved(study: Study, rule: Rule, change: Move, conditions: Conditions, tops: tuple[str, ...], moment: str) -> None:
    kind = study.graph.data[change.place].type
    if not change.what.type.many and change.what.type.words:
        message = Sentence(
            "{rule} can move a card to {place} where there is none to move", rule=rule.name, place=change.place
        )
        whole = (*conditions, _outside(change.what, bare(change.what.type)))
        _doubt(study, "no-value", message, change.span, rule.source, whole, tops, moment, rule.name)
    if kind.place == "slot":
        there = Expr("datum", replace(bare(kind), words=frozenset({"none"})), change.index, change.place)
        message = Sentence("{rule} can move a card to {place} where another lies", rule=rule.name, place=change.place)
        whole = (*conditions, Expr("typed", FLAG, (there,), bare(kind)), _differ(there, change.what))
        _doubt(study, "two-cards", message, change.span, rule.source, whole, tops, moment, rule.name)


def _differ(a: Expr, b: Expr) -> Expr:
    return Expr("not", FLAG, (Expr("is", FLAG, (a, b)),))


# ---- parts of expressions ----------------------------------------------------------------------


def _expression(
    study: Study,
    expr: Expr | None,
    base: Conditions,
    tops: tuple[str, ...],
    moment: str,
    source: Source,
    name: str,
) -> None:
    for part, guards, wrap in _deep(expr):
        for item, kind in _wants(study.graph, part):
            conditions = (*base, *(wrap(g) for g in guards))
            _wanted(study, wrap(item), kind, conditions, tops, moment, source, name, item.span)
        if part.op == "table" and _has_hole(study, part):
            hole = wrap(Expr("hole", FLAG, part.kids, part.value, part.span))
            table = study.graph.tables[part.value]
            message = Sentence(
                "{name} can ask {part} for a combination that no row answers", name=name, part=part.value
            )
            conditions = (*base, *(wrap(g) for g in guards), hole)
            note = (Sentence("{name} is here", name=part.value), table.source.span)
            _doubt(study, "table-hole", message, part.span, source, conditions, tops, moment, name, note)


def _deep(expr: Expr | None) -> Iterator[tuple[Expr, Conditions, Callable[[Expr], Expr]]]:
    """The parts of an expression with their contexts: bindings of effects are repeated around each."""
    bindings: list[Binding] = []
    while expr is not None and expr.op == "let":
        yield from ((part, guards, _wrapper(bindings)) for kid in expr.kids[:-1] for part, guards in looked_at(kid))
        bindings.insert(0, (expr.value, expr.kids[:-1]))
        expr = expr.kids[-1]
    yield from ((part, guards, _wrapper(bindings)) for part, guards in looked_at(expr))


def _wrapper(bindings: list[Binding]) -> Callable[[Expr], Expr]:
    kept = list(bindings)
    return lambda expr: bound(expr, kept)


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


def _wanted(
    study: Study,
    item: Expr,
    kind: Type,
    conditions: Conditions,
    tops: tuple[str, ...],
    moment: str,
    source: Source,
    name: str,
    span: Span,
) -> None:
    if kind.many or kind.place or _fits(item.type, kind):
        return
    nothing = item.type.words - kind.words
    form = "{name} can look at none where it wants {kind}" if nothing else "{name} can look beyond {kind}"
    message = Sentence(form, name=name, kind=kind)
    whole = (*conditions, _outside(item, kind))
    _doubt(study, "no-value" if nothing else "range", message, span, source, whole, tops, moment, name)


def _has_hole(study: Study, part: Expr) -> bool:
    from itertools import product

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


def _doubt(
    study: Study,
    code: str,
    message: str,
    span: Span,
    source: Source,
    conditions: Conditions,
    tops: tuple[str, ...],
    moment: str,
    name: str,
    *notes: tuple[str, Span],
) -> None:
    where = span if span != NOWHERE else source.span
    diagnostic = Diagnostic("error", code, message, where, "", notes)
    asked = diagnostic.notes and code == "table-hole"
    study.doubt(diagnostic, conditions, tops, moment, (notes[0][0].partition(" ")[0] if asked else name,))

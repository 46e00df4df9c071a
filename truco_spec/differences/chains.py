"""Whether an answer is ever asked for: the ways from rules and observations to the question, with all that holds there.

A question may be asked only where something else holds: behind ``if``, ``and`` and ``or``, in an answer that has to
stand itself. Along each way these conditions are put together; where they exclude the answer on every way, it is never
given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import NamedTuple

from truco_spec.engine.observe import PREFIX
from truco_spec.graph import fold
from truco_spec.graph.checks.frame import Conditions, actor, bound, none_of, standing_alone
from truco_spec.graph.checks.study import Study
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.groups import SEEN, rename
from truco_spec.graph.model import Answer, Define, Expr, Graph, Quant
from truco_spec.graph.types import FLAG
from truco_spec.graph.walk import exprs_of_changes, exprs_of_effect

DEEPEST, BUDGET = 5, 400
"""So many questions may lead from one to the next, and so long is searched for a position; beyond that nothing is
proved.
"""


class Site(NamedTuple):
    """A place where a question is asked: with which arguments, what holds there, and in which answer of which question
    (none: a rule, in these phases; no phases: anywhere).
    """

    args: tuple[Expr, ...]
    guards: Conditions
    within: tuple[Define, Answer] | None
    phases: tuple[str, ...]


def never_asked(study: Study, name: str) -> bool:
    """Is this answer given nowhere, because its question is asked only where something else is the answer?"""
    for define in study.graph.defines.values():
        for answer in define.answers:
            if answer.name == name:
                return not _given(study, define, standing_alone(define.answers, answer), DEEPEST)
    return False


def _given(study: Study, define: Define, conditions: Conditions, deeper: int) -> bool:
    """May the question be asked where the conditions, which speak of its parameters, hold?"""
    if define.name.startswith(PREFIX) or define.name.endswith(SEEN):
        return True
    names = tuple(param.name for param in define.params)
    for site in sites(study.graph, define.name):
        there = (*site.guards, *(bound(part, [(names, site.args)]) for part in conditions))
        if study.ask(there, site.phases or None, BUDGET).kind == "never":
            continue
        if site.within is None or not deeper or _given(study, site.within[0], there, deeper - 1):
            return True
    return False


def sites(graph: Graph, name: str) -> Iterator[Site]:
    """Every place where a question is asked."""
    fresh = count()
    for define in graph.defines.values():
        for answer in define.answers:
            standing = standing_alone(define.answers, answer)
            for expr, held in ((answer.when, ()), (answer.value, standing)):
                for args, guards in _asked(expr, name, held, fresh):
                    yield Site(args, guards, (define, answer), ())
    for rule in graph.rules.values():
        who = () if rule.by is None else (fold.fold(Expr("in", FLAG, (actor(graph), rule.by))),)
        whole = (*who, *conjuncts(rule.when))
        parts = [(rule.by, ()), (rule.when, who), *((e, whole) for e in exprs_of_changes((*rule.do, *rule.lest)))]
        for expr, held in parts:
            for args, guards in _asked(expr, name, held, fresh):
                yield Site(args, guards, None, rule.phases)
    anywhere = [expr for effect in graph.effects.values() for expr in exprs_of_effect(effect)]
    anywhere += [e for kind in graph.actions.values() for e in (kind.possible, kind.seen) if e is not None]
    anywhere += [datum.first for datum in graph.data.values() if datum.first is not None]
    for expr in anywhere:
        for args, guards in _asked(expr, name, (), fresh):
            yield Site(args, guards, None, ())


def _asked(
    expr: Expr | None, name: str, held: Conditions, fresh: Iterator[int]
) -> Iterator[tuple[tuple[Expr, ...], Conditions]]:
    """Every place of an expression where a question is asked: its arguments, and what holds there."""
    if expr is None:
        return
    if expr.op == "ask" and expr.value == name:
        yield expr.kids, held
    if expr.op == "quant":
        yield from _under(expr.value, name, held, fresh)
    elif expr.op == "if":
        test, then, other = expr.kids
        yield from _asked(test, name, held, fresh)
        yield from _asked(then, name, (*held, test), fresh)
        yield from _asked(other, name, (*held, fold.negate(test)), fresh)
    else:
        for at, kid in enumerate(expr.kids):
            before: Iterable[Expr] = expr.kids[:at]
            if expr.op == "or":
                before = (none_of((part,)) for part in before)
            yield from _asked(kid, name, (*held, *before) if expr.op in ("and", "or") else held, fresh)


def _under(
    quant: Quant, name: str, held: Conditions, fresh: Iterator[int]
) -> Iterator[tuple[tuple[Expr, ...], Conditions]]:
    """The same under a quantifier: its variables get names that nothing else has."""
    names: dict[str, str] = {}
    for binder in quant.binders:
        for expr in (binder.within, binder.start):
            yield from _asked(rename(expr, names) if expr is not None else None, name, held, fresh)
        names[binder.name] = f"{binder.name}#{next(fresh)}"
    where = rename(quant.where, names) if quant.where is not None else None
    yield from _asked(where, name, held, fresh)
    body = rename(quant.body, names) if quant.body is not None else None
    yield from _asked(body, name, held if where is None else (*held, where), fresh)

"""Data that are read before they are set, and circular initial values.

**Proved**: wherever a rule reads a datum without an initial value, every path to that place has set it; and initial
values have a topological order. **How**: by the bounds of :mod:`~truco_spec.checks.reach.flow`, in which *unset* is a
value like others, propagated along every transition. **Witness**: a path of phases on which nothing sets the datum; for
cycles, the cycle.
"""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.checks.abstract import domains
from truco_spec.checks.abstract.frame import changes_of
from truco_spec.checks.abstract.positions import Stack
from truco_spec.checks.reach.flow import UNSET
from truco_spec.checks.reach.stacks import Passage
from truco_spec.checks.reach.study import Study
from truco_spec.checks.ways import path_text
from truco_spec.graph.model import Assign, Expr, Rule
from truco_spec.graph.walk import data_read, exprs_of_rule, walk
from truco_spec.language.tree import NOWHERE, Span


def check(study: Study) -> None:
    """Check all data of a graph without an initial value, and the cycles of the others."""
    _circles(study)
    graph = study.graph
    unset = {name for name, datum in graph.data.items() if datum.first is None and not datum.type.place}
    if not unset:
        return
    told: set[tuple[str, str]] = set()
    for stack in study.stacks:
        bounds = study.bounds.get(stack, {})
        open_here = {n for n in unset if any(k[1] == n and _may_be_unset(v) for k, v in bounds.items())}
        for rule in graph.rules.values():
            if not open_here or (rule.phases and stack[0] not in rule.phases) or not rule.phases:
                continue
            for name, span in _reads(study, rule, open_here):
                if (name, rule.name) in told:
                    continue
                way = _way_without(study, name, stack)
                if way is None:
                    continue
                told.add((name, rule.name))
                surely = all(v == frozenset({UNSET}) for k, v in bounds.items() if k[1] == name)
                word = "is" if surely else "can be"
                message = f"{rule.name} reads {name} in {stack[0]}, where it {word} still unset"
                hint = f"by {path_text(way)}; give it a first value, or set it before"
                place = span if span != NOWHERE else rule.source.span
                note = (f"{name} is here", graph.data[name].source.span)
                study.find("error" if surely else "note", "unset", message, place, hint, note)


def _may_be_unset(value: domains.Value) -> bool:
    return isinstance(value, frozenset) and UNSET in value


def _reads(study: Study, rule: Rule, names: set[str]) -> Iterator[tuple[str, Span]]:
    graph = study.graph
    for expr in exprs_of_rule(rule):
        for node in walk(expr):
            if node.op == "datum" and node.value in names:
                yield node.value, node.span
            elif node.op == "ask":
                for name in sorted(data_read(graph, [node]) & names):
                    yield name, node.span


def _way_without(study: Study, name: str, stack: Stack) -> list[Passage] | None:
    """A path to the stack on which no rule sets the datum."""
    setting = {rule.name for rule in study.graph.rules.values() if _sets(study, rule, name)}
    came: dict[Stack, Passage | None] = {study.facts.stacks[0]: None}
    todo = [study.facts.stacks[0]]
    while todo:
        at = todo.pop(0)
        if at == stack:
            path: list[Passage] = []
            while (passage := came[at]) is not None:
                path.append(passage)
                at = passage.before
            return path[::-1]
        for passage in study.map.passages:
            to = passage.after
            if passage.before == at and to is not None and to not in came and passage.rule.name not in setting:
                came[to] = passage
                todo.append(to)
    return None


def _sets(study: Study, rule: Rule, name: str) -> bool:
    changes = changes_of(study.graph, (*rule.do, *rule.lest))
    return any(isinstance(g.change, Assign) and g.change.datum == name for g in changes)


def _circles(study: Study) -> None:
    graph = study.graph
    firsts: dict[str, Expr] = {n: d.first for n, d in graph.data.items() if d.first is not None}
    reads = {name: [n for n in sorted(data_read(graph, [first])) if n in firsts] for name, first in firsts.items()}
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            circle = [*path[path.index(name) :], name]
            if _together(study, circle):
                message = f"the first value of {' needs that of '.join(circle)}"
                span = graph.data[name].source.span
                study.find("error", "first-values", message, span, "let one of them begin otherwise")
            return
        if name in done:
            return
        done.add(name)
        for other in reads[name]:
            visit(other, [*path, name])

    for name in firsts:
        visit(name, [])


def _together(study: Study, circle: list[str]) -> bool:
    """Whether all of the cycle are initialised at once; otherwise one reads the old value of the other."""
    lives = [study.graph.data[name].fresh for name in circle]
    return all(life == lives[0] for life in lives)

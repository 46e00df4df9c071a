"""Traversal of expressions and changes of the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from operator import is_
from typing import TypeVar

from truco_spec.graph.model import (
    MOST_GRAPHS,
    Apply,
    Assign,
    Change,
    Define,
    Effect,
    Expr,
    Graph,
    Move,
    Quant,
    Rule,
    Way,
    by_identity,
)
from truco_spec.graph.operations import operation

K = TypeVar("K")
T = TypeVar("T")

_MOST_DEFINES = 8192


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression, those of a quantifier included."""
    if expr.op != "quant":
        return expr.kids
    quant: Quant = expr.value
    bounds = [bound for binder in quant.binders for bound in (binder.within, binder.start)]
    return (*expr.kids, *(part for part in (*bounds, quant.where, quant.body) if part is not None))


def walk(expr: Expr | None) -> Iterator[Expr]:
    """The expression and all its parts, outermost first."""
    left = [] if expr is None else [expr]
    while left:
        found = left.pop()
        yield found
        left += parts(found)[::-1]


def always_evaluated(expr: Expr) -> Iterator[Expr]:
    """The parts of an expression that are evaluated whenever it is: none below a choice or a quantifier."""
    if not operation(expr).lazy:
        yield expr
        for part in parts(expr):
            yield from always_evaluated(part)


def with_parts(thing: T, **parts: object) -> T:
    """Return a frozen record with other parts; itself if they are unchanged, so that equal parts are shared."""
    if all(getattr(thing, name) is part for name, part in parts.items()):
        return thing
    return replace(thing, **parts)  # type: ignore[type-var]  # records are dataclasses


def same_or(old: tuple[T, ...], new: tuple[T, ...]) -> tuple[T, ...]:
    """The old tuple where the new one holds the very same things."""
    return old if len(old) == len(new) and all(map(is_, old, new)) else new


def map_expr(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The expression with ``change`` applied to every part, innermost first; what does not change is shared."""
    value = expr.value
    if expr.op == "quant":
        value = _map_quant(value, change)
    elif not expr.kids:
        return change(expr)
    kids = same_or(expr.kids, tuple([map_expr(kid, change) for kid in expr.kids]))
    if kids is expr.kids and value is expr.value:
        return change(expr)
    return change(Expr(expr.op, expr.type, kids, value, expr.span))


def _map_quant(quant: Quant, change: Callable[[Expr], Expr]) -> Quant:
    def maybe(expr: Expr | None) -> Expr | None:
        return None if expr is None else map_expr(expr, change)

    binders = [with_parts(b, within=maybe(b.within), start=maybe(b.start)) for b in quant.binders]
    return with_parts(
        quant, binders=same_or(quant.binders, tuple(binders)), where=maybe(quant.where), body=maybe(quant.body)
    )


def change_parts(change: Change) -> Iterator[Expr]:
    """The expressions of a change."""
    if isinstance(change, Assign):
        yield from change.index
        yield change.value
    elif isinstance(change, Move):
        yield change.what
        yield from change.index
    elif isinstance(change, Apply):
        yield from change.args


def datum_of(change: Change) -> str:
    """The datum that a change writes itself; empty for a way and a named effect."""
    return change.datum if isinstance(change, Assign) else change.place if isinstance(change, Move) else ""


def exprs_of_define(define: Define) -> Iterator[Expr]:
    """All expressions of a define."""
    for answer in define.answers:
        if answer.when is not None:
            yield answer.when
        yield answer.value


def exprs_of_changes(changes: Iterable[Change]) -> Iterator[Expr]:
    """All expressions of changes, without those of named effects."""
    for change in changes:
        yield from change_parts(change)


def exprs_of_effect(effect: Effect) -> Iterator[Expr]:
    """All expressions of an effect."""
    for turn in effect.turns:
        if turn.when is not None:
            yield turn.when
        yield from exprs_of_changes(turn.changes)


def exprs_of_rule(rule: Rule) -> Iterator[Expr]:
    """All expressions of a rule."""
    if rule.by is not None:
        yield rule.by
    if rule.when is not None:
        yield rule.when
    yield from exprs_of_changes(rule.lest)
    yield from exprs_of_changes(rule.do)


def reached(to: Mapping[K, Iterable[K]], start: Iterable[K]) -> set[K]:
    """These things, and all that can be reached from them along these edges."""
    found = set(start)
    waiting = list(found)
    while waiting:
        new = set(to.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


@by_identity(_MOST_DEFINES)
def asked_by(define: Define) -> frozenset[str]:
    """The defines that a define asks; memoised."""
    return frozenset(e.value for expr in exprs_of_define(define) for e in walk(expr) if e.op == "ask")


def walk_on(graph: Graph, exprs: Iterable[Expr]) -> Iterator[Expr]:
    """Every part of the expressions, and of the answers to their questions, each question once."""
    seen: set[str] = set()
    stack = list(exprs)
    while stack:
        for node in walk(stack.pop()):
            yield node
            if node.op == "ask" and node.value not in seen and node.value in graph.defines:
                seen.add(node.value)
                stack += exprs_of_define(graph.defines[node.value])


def data_read(graph: Graph, exprs: Iterable[Expr]) -> set[str]:
    """Every datum that the expressions read, also through defines; an empty name for the phase."""
    nodes = walk_on(graph, exprs)
    return {"" if node.op == "during" else node.value for node in nodes if node.op in ("datum", "during")}


def permitting(graph: Graph, action: str) -> list[Rule]:
    """The rules that permit an action under some condition."""
    may = (rule for rule in graph.rules.values() if rule.shape == "may")
    return [rule for rule in may if any(verb.action == action for verb in rule.verbs)]


def never_called(graph: Graph, action: str) -> set[int]:
    """The values of the argument of an action with which a rule forbids it wherever others permit it, as an option may
    have it: words of a ladder that nobody calls.
    """
    places = {phase for rule in permitting(graph, action) for phase in rule.phases}
    bans = (rule for rule in graph.rules.values() if rule.shape == "must not" and places <= {*rule.phases})
    of_it = (rule.when for rule in bans if any(verb.action == action for verb in rule.verbs))
    tests = [test for test in of_it if test is not None and test.op == "is"]
    return {test.kids[1].value for test in tests if [kid.op for kid in test.kids] == ["var", "const"]}


def of_options(graph: Graph, expr: Expr) -> bool:
    """Whether an expression reads options and nothing else."""
    bound = any(node.op == "var" for node in walk(expr))
    return not bound and data_read(graph, [expr]) <= graph.options.keys()


def flat_changes(graph: Graph, changes: Iterable[Change]) -> Iterator[Change]:
    """The changes with named effects expanded (every branch)."""
    for change in changes:
        if isinstance(change, Apply):
            for turn in graph.effects[change.effect].turns:
                yield from flat_changes(graph, turn.changes)
        else:
            yield change


def ways(graph: Graph, changes: Iterable[Change]) -> list[Way]:
    """Every transition that the changes could take."""
    return [change for change in flat_changes(graph, changes) if isinstance(change, Way)]


@by_identity(MOST_GRAPHS)
def written_by(graph: Graph) -> dict[str, frozenset[str]]:
    """Map each rule to the data that it can write; memoised."""
    return {
        rule.name: frozenset(filter(None, map(datum_of, flat_changes(graph, (*rule.do, *rule.lest)))))
        for rule in graph.rules.values()
    }


@by_identity(MOST_GRAPHS)
def opening_rules(graph: Graph) -> frozenset[str]:
    """The rules that can open a phase with fresh data, beginning another hand or deal; memoised."""
    return _opening(graph, {datum.fresh for datum in graph.data.values() if datum.fresh})


@by_identity(MOST_GRAPHS)
def gathering_rules(graph: Graph) -> frozenset[str]:
    """The rules that can open a phase for which cards are gathered, beginning another deal; memoised."""
    return _opening(graph, {datum.fresh for datum in graph.data.values() if datum.fresh and datum.type.place})


def gathers(graph: Graph, fired: Iterable[str]) -> bool:
    """Whether the cards are gathered for another deal by one of the rules that fired."""
    return not gathering_rules(graph).isdisjoint(fired)


def _opening(graph: Graph, phases: set[str]) -> frozenset[str]:
    return frozenset(
        rule.name
        for rule in graph.rules.values()
        if any(way.word == "then" and way.phase in phases for way in ways(graph, rule.do))
    )

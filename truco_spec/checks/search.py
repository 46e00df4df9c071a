"""Searches for a position in which given conditions hold together.

The conditions are evaluated on a set of positions about which nothing is known. One that surely fails ends the search;
those that surely hold are dropped; if one is open, the first thing that it read is split, and each part is searched. So
only what the conditions read is enumerated, and only as finely as they read it. Assumptions about derived things (long
questions, sizes) are verified last, in the same way.

The answer ``never`` is a proof: no position of these types, stacks and lifetimes satisfies the conditions. ``witness``
comes with a satisfying position (which may still be unreachable). ``open`` means that the budget was exhausted, or
would never do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from truco_spec.checks import positions
from truco_spec.checks.positions import NOW, PLACES, STACK, YES, Key, Meaning, Partial, PositionFacts, Value
from truco_spec.graph.model import Expr
from truco_spec.graph.walk import data_read, walk

BUDGET = 4_000
"""The budget of one search, in sets of positions."""

_PACE = 500
_HOPE = 100
"""A search is given up early if, at the pace of its last ``_PACE`` sets, it would take ``_HOPE`` times its budget."""

UNSURE: tuple[Key, ...] = (("unsure",),)
"""Marks an open condition without anything to split on: undecided."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """``never``, ``witness`` (with the positions found) or ``open``; ``looks`` counts the sets examined."""

    kind: Literal["never", "witness", "open"]
    partial: Partial | None = None
    looks: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class SearchCondition:
    """A condition: its number (unique up to equality), its function, the data that it reads, all reads and its cost.

    ``hangs`` are the data whose bounds it depends on: its reads, and those of the initial values of constants.
    """

    number: int
    meaning: Meaning
    data: frozenset[str]
    reads: frozenset[str]
    hangs: frozenset[str]
    cost: int

    @staticmethod
    def of(facts: PositionFacts, expr: Expr) -> SearchCondition:
        """The cached data of a condition."""
        known = facts.known_conditions.get(id(expr))  # an expression is large, and its hash takes long
        found: SearchCondition | None = known[1] if known is not None else facts.conditions.get(expr)
        if found is None:
            number = len(facts.conditions)
            names = (node.value for node in walk(expr) if node.op == "var")
            data = frozenset(data_read(facts.graph, [expr]))
            reads = data.union(names)
            hangs, cost = _hanging(facts, reads), _cost(facts, expr)
            found = SearchCondition(number, facts.compiler.meaning(expr), data, reads, hangs, cost)
            facts.conditions[expr] = found
        facts.known_conditions[id(expr)] = expr, found
        return found


def _hanging(facts: PositionFacts, names: frozenset[str]) -> frozenset[str]:
    found, todo = set(names), list(names)
    while todo:
        datum = facts.graph.data.get(todo.pop())
        if datum is not None and datum.first is not None and facts.is_lasting(datum.name, NOW):
            more = data_read(facts.graph, [datum.first]) - found
            found |= more
            todo += more
    return frozenset(found)


def _cost(facts: PositionFacts, condition: Expr) -> int:
    """Cheap conditions come first."""
    total = 0
    for node in walk(condition):
        total += 1
        if node.op == "quant":
            total += 40
        elif node.op == "ask":
            total += 10
        elif node.op == "datum" and facts.graph.data[node.value].type.place:
            total += 15
    return total


class _Seen(NamedTuple):
    """The result of an expression: valid until one of its reads is narrowed."""

    value: Value
    touched: list[Key]
    read: frozenset[Key]


@dataclass(slots=True)
class _Node:
    """A set of positions: the conditions still open there, and the values of derived things."""

    partial: Partial
    pending: list[tuple[Meaning, _Seen | None]]
    verified: frozenset[Key] = field(default_factory=frozenset)
    bodies: dict[Key, _Seen] = field(default_factory=dict)

    def part(self, key: Key, value: Value) -> _Node | None:
        """The subset in which a thing has a value; results that did not read it are kept."""
        partial = self.partial.with_value(key, value)
        if partial is None:
            return None
        of_cards = key[0] == "size" or (key[0] == "datum" and key[1] in partial.facts.places)
        told = {key, PLACES} if of_cards else {key}
        pending = [(m, seen if seen is not None and told.isdisjoint(seen.read) else None) for m, seen in self.pending]
        bodies = {k: seen for k, seen in self.bodies.items() if told.isdisjoint(seen.read)}
        return _Node(partial, pending, self.verified - {key}, bodies)

    def look(self, meaning: Meaning) -> _Seen:
        """The result of an expression here."""
        partial = self.partial
        touched: list[Key] = []
        read: list[Key] = []
        partial.touched, partial.read = touched, read
        value = meaning(partial, {})
        partial.touched, partial.read = [], []
        return _Seen(value, touched, frozenset(read))


def solve(
    facts: PositionFacts,
    conditions: Iterable[Expr],
    stacks: Iterable[int] | None = None,
    budget: int = BUDGET,
    start: Partial | None = None,
    verify: bool = True,
) -> SearchAnswer:
    """Search for a position, with one of these stacks, in which all conditions hold. ``start`` is the initial
    knowledge.

    Without ``verify`` assumptions about derived things are not verified: ``never`` is a proof all the same.
    Conditions without common reads are searched separately, each with the whole budget.
    """
    first = start or Partial(facts)
    if stacks is not None and facts.stacks:
        narrowed = first.with_value(STACK, frozenset(stacks))
        if narrowed is None:
            return SearchAnswer("never")
        first = narrowed
    looks, kind, known = 0, "witness", dict(first.known)
    for part in _parts([SearchCondition.of(facts, condition) for condition in conditions]):
        hangs = frozenset().union(*[condition.hangs for condition in part])
        answer = _searched(part, hangs, budget, first, verify)
        looks += answer.looks
        if answer.kind == "never":
            return SearchAnswer("never", None, looks)
        if answer.partial is None:
            kind = "open"
            continue
        known |= answer.partial.known
        if STACK in first.known and "" not in hangs:
            known[STACK] = first.known[STACK]  # the answer may have been found for another
    if kind == "open":
        return SearchAnswer("open", None, looks)
    return SearchAnswer("witness", Partial(facts, known, None, first.bounds), looks)


def _searched(
    part: list[SearchCondition], hangs: frozenset[str], budget: int, first: Partial, verify: bool
) -> SearchAnswer:
    """The answer for some conditions; memoised by all that they depend on."""
    given = tuple([(key, value) for key, value in first.known.items() if key != STACK or "" in hangs])
    bounds = tuple([first.bounds_of(name) for name in sorted(hangs)])
    question = (tuple([condition.number for condition in part]), given, bounds, budget, verify)
    answers: dict[object, SearchAnswer] = first.facts.answers
    found = answers.get(question)
    if found is None:
        found = answers[question] = _solve(part, budget, first, verify)
    return found


def _parts(conditions: list[SearchCondition]) -> list[list[SearchCondition]]:
    """The conditions in groups without common reads, the cheapest first."""
    groups: list[tuple[set[str], list[SearchCondition]]] = []
    for condition in conditions:
        read, members = set(condition.reads), [condition]
        apart = []
        for other_read, others in groups:
            if other_read & read:
                read |= other_read
                members = others + members
            else:
                apart.append((other_read, others))
        groups = [*apart, (read, members)]
    return sorted((members for _, members in groups), key=lambda some: sum([c.cost for c in some]))


def _solve(conditions: list[SearchCondition], budget: int, first: Partial, verify: bool) -> SearchAnswer:
    meanings = [condition.meaning for condition in sorted(conditions, key=lambda c: c.cost)]
    whole = _Node(first, [(meaning, None) for meaning in meanings])
    todo: list[tuple[_Node, Key, Value, float]] = [(whole, (), None, 1.0)]
    looks, unsure = 0, False
    left = before_pace = 1.0
    while todo:
        before, key, part, share = todo.pop()
        node = before.part(key, part) if key else before
        if node is None:
            left -= share
            continue
        looks += 1
        if looks > budget:
            return SearchAnswer("open", None, looks)
        if looks % _PACE == 0:
            if looks > _PACE and (before_pace - left) * _HOPE * budget < left * _PACE:
                return SearchAnswer("open", None, looks)
            before_pace = left
        split = _look(node, verify)
        if not split and split is not None:
            return SearchAnswer("witness", node.partial, looks)
        if split is None or split == UNSURE:
            unsure |= split is not None
            left -= share
            continue
        key = _choose(node.partial, split)
        parts = positions.halves(node.partial.value(key))
        todo += [(node, key, part, share / len(parts)) for part in parts]
    return SearchAnswer("open" if unsure else "never", None, looks)


def solve_near(
    facts: PositionFacts,
    conditions: Sequence[Expr],
    stacks: Iterable[int] | None = None,
    budget: int = BUDGET,
    start: Partial | None = None,
) -> SearchAnswer:
    """Return the same as :meth:`solve`, trying the last condition and those with common reads first: they often fail
    alone, and sooner.
    """
    looks = 0
    if conditions:
        reads = [SearchCondition.of(facts, condition).reads for condition in conditions]
        last = reads[-1] - {"me"}
        near = [c for c, read in zip(conditions, reads, strict=True) if c is conditions[-1] or read & last]
        if len(near) < len(conditions):
            answer = solve(facts, near, stacks, min(600, budget), start)
            if answer.kind == "never":
                return answer
            looks = answer.looks
    answer = solve(facts, conditions, stacks, budget, start)
    return SearchAnswer(answer.kind, answer.partial, answer.looks + looks)


def _look(node: _Node, verify: bool) -> Sequence[Key] | None:
    """None if a condition fails; the things to split on if one is open; empty if all hold."""
    pending: list[tuple[Meaning, _Seen | None]] = []
    split: list[Key] = []
    for meaning, before in node.pending:
        seen = before or node.look(meaning)
        if 1 not in seen.value:
            return None
        if seen.value != YES:
            pending.append((meaning, seen))
            if not split:
                split = seen.touched
    node.pending = pending
    if pending:
        return split or UNSURE
    return _verify(node) if verify else ()


def _verify(node: _Node) -> Sequence[Key] | None:
    """Return the same as :meth:`_look`, for the assumptions about derived things.

    Narrowing one assumption can narrow others, repeated to a fixpoint; then the latest assumptions are split first.
    """
    partial, facts = node.partial, node.partial.facts
    narrower = True
    while narrower:
        narrower = False
        split: Sequence[Key] = ()
        for key in reversed([k for k in partial.known if k not in node.verified]):
            body = facts.body(key)
            if body is None or _free_size(partial, key):
                node.verified |= {key}
                continue
            seen = node.bodies.get(key)
            if seen is None:
                seen = node.bodies[key] = node.look(body)
            assumed = partial.known[key]
            both = positions.meet(seen.value, assumed)
            if positions.impossible(both):
                return None
            if positions.inside(seen.value, assumed):
                node.verified |= {key}
            elif both != assumed:
                partial.known[key] = both
                node.bodies = {k: other for k, other in node.bodies.items() if key not in other.read}
                narrower = True
            elif not split:
                split = tuple(other for other in seen.touched if other != key) or UNSURE
    return split


def _free_size(partial: Partial, key: Key) -> bool:
    """Whether it is the size of a pile without other assumptions, and so can have any value within its bounds."""
    return key[0] == "size" and ("datum", *key[1:]) not in partial.known


def _choose(partial: Partial, touched: Sequence[Key]) -> Key:
    """Choose a thing to split on: the first one read, but numbers of stacks and actors before cards."""
    best, least = touched[0], 1_000
    for key in dict.fromkeys(touched[:8]):
        weight = _width(partial, key)
        if weight < least:
            best, least = key, weight
    return best


def _width(partial: Partial, key: Key) -> int:
    value = partial.value(key)
    if isinstance(value, tuple):
        return 40
    return min(len(value), 30) + (10 if key[0] == "datum" and key[3] != NOW else 0)

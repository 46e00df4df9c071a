"""The search for a position in which some conditions hold together.

The conditions are looked at in a set of positions of which nothing is known. One that surely fails ends the matter;
those that surely hold are done with; where one may go either way, the first thing that it looked at is split, and
each part is searched. So only what the conditions read is ever enumerated, and only as finely as they read it. What
was assumed about derived things (long questions, sizes) is verified last, in the same way.

The answer ``never`` is a proof: no position of these types, stacks and lives fulfils the conditions. ``witness``
comes with a position that does (it may still be one that no game reaches). ``open`` means that the budget was
spent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from truco_spec.graph.checks import domains
from truco_spec.graph.checks.domains import YES
from truco_spec.graph.checks.positions import NOW, Facts, Key, Meaning, Partial
from truco_spec.graph.model import Expr
from truco_spec.graph.walk import data_read, walk

BUDGET = 4_000
"""So many sets of positions are looked at for one question."""


UNSURE: tuple[Key, ...] = (("unsure",),)
"""Stands for a condition that is open and shows nothing to split on; what holds there is not known."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``never``, ``witness`` (with the positions found) or ``open``; ``looks`` counts the sets of positions looked
    at.
    """

    kind: Literal["never", "witness", "open"]
    partial: Partial | None = None
    looks: int = 0


@dataclass(slots=True)
class _Node:
    partial: Partial
    pending: list[Meaning]
    verified: frozenset[Key] = field(default_factory=frozenset)


def solve(
    facts: Facts,
    conditions: Iterable[Expr],
    stacks: Iterable[int] | None = None,
    budget: int = BUDGET,
    start: Partial | None = None,
    verify: bool = True,
) -> Answer:
    """Is there a position, with one of these stacks, in which all conditions hold? ``start`` tells what is known of
    it.

    Without ``verify`` what was assumed about derived things is not looked into: ``never`` is a proof all the same.
    """
    first = start or Partial(facts)
    if stacks is not None and facts.stacks:
        narrowed = first.with_value(("stack",), frozenset(stacks))
        if narrowed is None:
            return Answer("never")
        first = narrowed
    meanings = [facts.compiler.meaning(c) for c in sorted(conditions, key=lambda c: _cost(facts, c))]
    nodes = [_Node(first, meanings)]
    looks, unsure = 0, False
    while nodes:
        looks += 1
        if looks > budget:
            return Answer("open", None, looks)
        node = nodes.pop()
        split = _look(node, verify)
        if split is None:
            continue
        if not split:
            return Answer("witness", node.partial, looks)
        if split == UNSURE:
            unsure = True
            continue
        key = _choose(node.partial, split)
        for part in domains.halves(node.partial.value(key)):
            inner = node.partial.with_value(key, part)
            if inner is not None:
                nodes.append(_Node(inner, node.pending, node.verified - {key}))
    return Answer("open" if unsure else "never", None, looks)


def solve_near(
    facts: Facts,
    conditions: Sequence[Expr],
    stacks: Iterable[int] | None = None,
    budget: int = BUDGET,
    start: Partial | None = None,
) -> Answer:
    """The same; but the last condition, and those that read what it reads, are tried first: often they fail alone,
    and sooner.
    """
    looks = 0
    if conditions:
        reads = [_reads(facts, condition) for condition in conditions]
        near = [c for c, read in zip(conditions, reads, strict=True) if c is conditions[-1] or read & reads[-1]]
        if len(near) < len(conditions):
            answer = solve(facts, near, stacks, min(600, budget), start)
            if answer.kind == "never":
                return answer
            looks = answer.looks
    answer = solve(facts, conditions, stacks, budget, start)
    return Answer(answer.kind, answer.partial, answer.looks + looks)


def _reads(facts: Facts, condition: Expr) -> frozenset[str]:
    """The data and the names of a candidate that a condition reads."""
    found = facts.reads.get(condition)
    if found is None:
        names = (node.value for node in walk(condition) if node.op == "var" and node.value[0] in "#?")
        found = facts.reads[condition] = frozenset((*data_read(facts.graph, [condition]), *names))
    return found


def _look(node: _Node, verify: bool) -> Sequence[Key] | None:
    """None where a condition fails; the things to split on where one is open; nothing where all hold."""
    partial = node.partial
    pending: list[Meaning] = []
    split: list[Key] = []
    for meaning in node.pending:
        partial.touched = []
        found = meaning(partial, {})
        if 1 not in found:
            return None
        if found != YES:
            pending.append(meaning)
            if not split:
                split = partial.touched
    node.pending = pending
    if pending:
        return split or UNSURE
    return _verify(node) if verify else ()


def _verify(node: _Node) -> Sequence[Key] | None:
    """The same for what was assumed about derived things."""
    facts = node.partial.facts
    for key in [k for k in node.partial.known if k not in node.verified]:
        body = facts.body(key)
        if body is None:
            node.verified |= {key}
            continue
        node.partial.touched = []
        seen, assumed = body(node.partial, {}), node.partial.known[key]
        if domains.inside(seen, assumed) and not domains.impossible(seen):
            node.verified |= {key}
            continue
        if domains.impossible(domains.meet(seen, assumed)):
            return None
        touched = [other for other in node.partial.touched if other != key]
        return touched or UNSURE
    return ()


def _choose(partial: Partial, touched: Sequence[Key]) -> Key:
    """What to split on: the first thing looked at, but numbers of stacks and actors before cards."""
    best, least = touched[0], 1_000
    for key in touched[:8]:
        weight = _width(partial, key)
        if weight < least:
            best, least = key, weight
    return best


def _width(partial: Partial, key: Key) -> int:
    value = partial.value(key)
    if isinstance(value, tuple):
        return 40
    return min(len(value), 30) + (10 if key[0] == "datum" and key[3] != NOW else 0)


def _cost(facts: Facts, condition: Expr) -> int:
    """Conditions that look at little come first."""
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

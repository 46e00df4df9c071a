"""How many cards lie in a pile: what :mod:`~truco_spec.graph.checks.flow` knows of sizes.

Only the piles whose size some rule asks for are followed, and only as long as there are few sizes that they can have.
"""

from __future__ import annotations

from collections.abc import Mapping

from truco_spec.graph.checks import domains
from truco_spec.graph.checks.domains import Value
from truco_spec.graph.checks.frame import Conditions, left
from truco_spec.graph.checks.positions import Facts, Key, Partial
from truco_spec.graph.checks.search import solve_near
from truco_spec.graph.fold import const
from truco_spec.graph.model import Expr, Graph, Move
from truco_spec.graph.types import FLAG, bare
from truco_spec.graph.walk import exprs_of_define, exprs_of_rule, walk

MOST_SIZES = 8
"""A pile that can have more sizes than these can have any."""

_BUDGET = 300


class Piles:
    """The piles of a graph that are followed; ``keys`` are the data at all their indices, none where none are
    followed.
    """

    def __init__(self, facts: Facts, keys: Mapping[str, list[Key]]) -> None:
        self.facts, self.graph, self.keys = facts, facts.graph, keys
        self.names = counted(facts.graph) & set(keys)

    def moved(
        self,
        result: dict[Key, Value],
        state: Mapping[Key, Value],
        start: Partial,
        conditions: Conditions,
        change: Move,
        targets: list[Key],
    ) -> None:
        """What the sizes become when cards move, under these conditions, to one of the targets."""
        count = self._count_of(start, change)
        for key in targets if change.place in self.names else ():
            result[size_of(key)] |= self._grown(result, state, start, conditions, change, key, count)
        for name in left(self.graph, conditions, change) & self.names:
            for key in map(size_of, self.keys[name]):
                least = {0} if change.what.type.many else {size - 1 for size in state[key] if size}
                result[key] |= frozenset(least)

    def _grown(
        self,
        result: Mapping[Key, Value],
        state: Mapping[Key, Value],
        start: Partial,
        conditions: Conditions,
        change: Move,
        pile: Key,
        count: frozenset[int],
    ) -> frozenset[int]:
        key = size_of(pile)
        whole: frozenset[int] = self.facts.full(key)
        if len(state[key]) > MOST_SIZES:
            return whole
        index = pile[2]
        assert isinstance(index, tuple)
        given = zip(change.index, index, strict=True)
        at = tuple(Expr("is", FLAG, (item, const(bare(item.type), i))) for item, i in given)
        found: frozenset[int] = frozenset()
        for size in state[key]:
            grown = (frozenset(size + more for more in count) & whole) - result[key]
            fixed = start.with_value(key, frozenset({size})) if grown else None
            if fixed is not None:
                answer = solve_near(self.facts, (*conditions, *at), None, _BUDGET, fixed)
                found |= grown if answer.kind != "never" else frozenset()
        return found

    def _count_of(self, start: Partial, change: Move) -> frozenset[int]:
        """How many cards may move."""
        if not change.what.type.many:
            return domains.YES
        what = change.what
        if what.op == "datum" and what.value in self.names and start.bounds is not None:
            bounds = start.bounds
            return frozenset().union(*(bounds[size_of(key)] for key in self.keys[what.value]))
        return frozenset(range(len(self.graph.cards) + 1))


def counted(graph: Graph) -> set[str]:
    """The piles whose size some rule asks for; the pack is none of them."""
    exprs = [e for define in graph.defines.values() for e in exprs_of_define(define)]
    exprs += [e for rule in graph.rules.values() for e in exprs_of_rule(rule)]
    sizes = [node.kids[0] for e in exprs for node in walk(e) if node.op == "built" and node.value == "size"]
    return {s.value for s in sizes if s.op == "datum" and graph.data[s.value].type.place == "pile"} - {graph.pack}


def size_of(key: Key) -> Key:
    """The key of the size of a pile."""
    return ("size", *key[1:])

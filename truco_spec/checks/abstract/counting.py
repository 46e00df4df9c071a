"""The abstract semantics of sums, sets and built-in questions: part of the compiler of meanings."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from truco_spec.checks.abstract import domains
from truco_spec.checks.abstract.domains import MAYBE, NOTHING, Value
from truco_spec.checks.abstract.positions import NOW, THEN, Env, Meaning, Partial
from truco_spec.graph.model import Expr, Graph
from truco_spec.graph.operations import value_of
from truco_spec.graph.types import FIRST_WORD

if TYPE_CHECKING:
    from truco_spec.checks.abstract.positions import PositionFacts

_MOST_WAYS = 64


class Counting:
    """The operations on numbers and sets; the compiler handles the others."""

    facts: PositionFacts
    graph: Graph

    def meaning(self, expr: Expr) -> Meaning:
        """The function of an expression."""
        raise NotImplementedError

    def _count(self, expr: Expr, count: Callable[[int, int], int] | None = None) -> Meaning:
        left, right = (self.meaning(kid) for kid in expr.kids)
        counted = count or value_of(expr)

        def value(partial: Partial, env: Env) -> Value:
            return domains.product(left(partial, env), right(partial, env), counted)

        return value

    def _sets(self, expr: Expr) -> Meaning:
        left, right = (self.meaning(kid) for kid in expr.kids)
        both, less = value_of(expr), int(expr.op == "minus")

        def value(partial: Partial, env: Env) -> Value:
            a, b = left(partial, env), right(partial, env)
            return (both(a[0], b[less]), both(a[1], b[not less])) if a and b else NOTHING

        return value

    def _set(self, expr: Expr) -> Meaning:
        low = expr.type.low
        kids = [self.meaning(kid) for kid in expr.kids]

        def value(partial: Partial, env: Env) -> Value:
            must = may = 0
            for kid in kids:
                found = kid(partial, env)
                members = [1 << (item - low) for item in found if item >= low]
                if len(found) == 1 and members:
                    must |= members[0]
                for member in members:
                    may |= member
            return (must, may)

        return value

    def _in(self, expr: Expr) -> Meaning:
        item, group = (self.meaning(kid) for kid in expr.kids)
        low = expr.kids[1].type.low

        def value(partial: Partial, env: Env) -> Value:
            masks = group(partial, env)
            if not masks:
                return NOTHING
            must, may = masks
            found = set()
            for code in item(partial, env):
                at = code - low
                if at < 0 or not may >> at & 1:
                    found.add(0)
                elif must >> at & 1:
                    found.add(1)
                else:
                    return MAYBE
            return frozenset(found)

        return value

    def _built(self, expr: Expr) -> Meaning:
        if expr.value == "size":
            return self._size(expr)
        if len(expr.kids) == 2:
            return self._count(expr)
        result, only = value_of(expr, self.graph), self.meaning(expr.kids[0])
        low = 0 if expr.kids[0].type.base == "card" else FIRST_WORD + 1
        return lambda partial, env: frozenset([result(x) for x in only(partial, env) if x >= low])

    def _size(self, expr: Expr) -> Meaning:
        group = expr.kids[0]
        if group.op == "datum" and group.type.base == "card" and self.graph.data[group.value].type.place == "pile":
            indices = [self.meaning(kid) for kid in group.kids]
            name, facts = group.value, self.facts

            def of_pile(partial: Partial, env: Env) -> Value:
                moment = env.get(THEN, NOW)
                first = facts.first_value(name, moment)
                if first is not None:
                    return frozenset({first[0].bit_count()})
                given = [index(partial, env) for index in indices]
                return over(given, lambda at: ("size", *facts.datum_key(name, at, moment)[1:]), partial)

            return of_pile
        inner = self.meaning(group)

        def value(partial: Partial, env: Env) -> Value:
            masks = inner(partial, env)
            return frozenset(range(masks[0].bit_count(), masks[1].bit_count() + 1)) if masks else NOTHING

        return value

    numbers_and_sets: ClassVar[dict[str, Callable[[Any, Expr], Meaning]]] = (
        dict.fromkeys(("add", "sub", "mul"), _count)
        | dict.fromkeys(("union", "minus"), _sets)
        | {"set": _set, "in": _in, "built": _built}
    )
    """The makers of these operations' meanings."""


def over(given: list[frozenset[int]], key: Callable[[tuple[int, ...]], tuple[object, ...]], partial: Partial) -> Value:
    """The thing at these indices; for unknown ones, the join over their possible values."""
    ways = 1
    for value in given:
        ways *= len(value)
    if ways == 1:
        return partial.value(key(tuple([min(value) for value in given])))
    result: Value = None
    before = len(partial.touched)
    for at in itertools.islice(itertools.product(*given), _MOST_WAYS if ways <= _MOST_WAYS else 0):
        found = partial.value(key(at))
        result = found if result is None else domains.join(result, found)
    del partial.touched[before:]  # the indices come first
    if result is None:
        sample = key(tuple([min(value, default=0) for value in given])) if ways else None
        kind = partial.facts.type_of(sample) if sample else None
        if kind is not None:
            return partial.facts.of_type(kind)
        return NOTHING
    return result

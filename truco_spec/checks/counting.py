"""The abstract semantics of sums, sets, built-in questions and quantifiers: part of the compiler of meanings."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from truco_spec.checks import positions
from truco_spec.checks.positions import MAYBE, NO, NOTHING, NOW, THEN, YES, Env, Meaning, Partial, Value
from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Bound, Expr, Graph, Quant
from truco_spec.graph.operations import value_of
from truco_spec.graph.types import FIRST_WORD
from truco_spec.graph.walk import data_read, walk

if TYPE_CHECKING:
    from truco_spec.checks.meaning import Compiler
    from truco_spec.checks.positions import PositionFacts


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
            return positions.product(left(partial, env), right(partial, env), counted)

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
        results: dict[Value, Value] = {}

        def value(partial: Partial, env: Env) -> Value:
            given = only(partial, env)
            found = results.get(given)
            if found is None:
                found = results[given] = frozenset([result(x) for x in given if x >= low])
            return found

        return value

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
        result = found if result is None else positions.join(result, found)
    del partial.touched[before:]  # the indices come first
    if result is None:
        sample = key(tuple([min(value, default=0) for value in given])) if ways else None
        kind = partial.facts.type_of(sample) if sample else None
        if kind is not None:
            return partial.facts.of_type(kind)
        return NOTHING
    return result


_Case = tuple[Env, bool]
"""The bindings, and whether the quantifier surely ranges over them."""

_Cases = Callable[[Partial, Env, list[bool]], Iterator[_Case]]
"""The cases in a set of positions; once the list has a member, only certain ones. False if the domains of the binders
are still unknown.
"""

_ENOUGH = 8
"""Number of unknown things considered when choosing one to split on (``search._choose``)."""

_ONE_EACH = [frozenset({value}) for value in range(128)]


def quantifier(compiler: Compiler, expr: Expr) -> Meaning:
    """The function of a quantifier."""
    quant: Quant = expr.value
    cases = _cases(compiler, quant, _hoisted(quant))
    body = None if quant.body is None or fold.is_yes(quant.body) else compiler.meaning(quant.body)
    names = [binder.name for binder in quant.binders]
    if quant.word in ("some", "every"):
        return _decided(cases, body, _is_plain(compiler.graph, quant), yes=quant.word == "some")
    maker = _MAKERS[quant.word]
    return maker(cases, body, names, expr.type.low)


def _is_plain(graph: Graph, quant: Quant) -> bool:
    """Whether nothing is read for a case but the values of the binders."""
    asked = [part for part in (quant.where, quant.body) if part is not None]
    names = {node.value for part in asked for node in walk(part) if node.op == "var"}
    return names <= {binder.name for binder in quant.binders} and not data_read(graph, asked)


def _hoisted(quant: Quant) -> list[list[Expr]]:
    """For each binder the conditions of a case that are known before it is bound."""
    asked = [*conjuncts(quant.where), *(conjuncts(quant.body) if quant.word in ("some", "count") else ())]
    names = [binder.name for binder in quant.binders]
    used = [(part, {node.value for node in walk(part) if node.op == "var"}) for part in asked if names[1:]]
    return [
        [part for part, read in used if names[i - 1] in read and read.isdisjoint(names[i:])] if i else []
        for i in range(len(names))
    ]


def _cases(compiler: Compiler, quant: Quant, hoisted: list[list[Expr]]) -> _Cases:
    domains_of = [compiler.domain(binder) for binder in quant.binders]
    starts = [compiler.meaning(b.start) if b.start is not None else None for b in quant.binders]
    where = None if quant.where is None or fold.is_yes(quant.where) else compiler.meaning(quant.where)
    guards = [[compiler.meaning(part) for part in parts] for parts in hoisted]
    last = len(quant.binders) - 1

    def run(partial: Partial, env: Env, haste: list[bool], depth: int, sure: bool) -> Iterator[_Case]:
        binder = quant.binders[depth]
        must, may = domains_of[depth](partial, env) or (0, 0)
        start = starts[depth]
        if guards[depth] and not _can_hold(guards[depth], partial, env):
            return
        for value, firm in _values(binder, must, may, start(partial, env) if start is not None else None):
            surely = sure and firm
            if haste and not surely and (haste[-1] or depth == last):
                if sure and must:
                    continue
                return  # none is certain
            inner = env.copy()
            inner[binder.name] = _ONE_EACH[value] if 0 <= value < 128 else frozenset({value})
            if depth < last:
                yield from run(partial, inner, haste, depth + 1, surely)
            elif where is None:
                yield inner, surely
            else:
                holds = where(partial, inner)
                if 1 in holds:
                    yield inner, surely and len(holds) == 1

    return lambda partial, env, haste: run(partial, env, haste, 0, True)


def _can_hold(guards: list[Meaning], partial: Partial, env: Env) -> bool:
    """Whether all can hold; the reads are those of the case itself."""
    before = len(partial.touched)
    found = all(1 in guard(partial, env) for guard in guards)
    del partial.touched[before:]
    return found


def _values(binder: Bound, must: int, may: int, start: frozenset[int] | None) -> Iterator[tuple[int, bool]]:
    low, size = binder.type.low, binder.type.size
    if start is None:
        for bit in positions.bits(may):
            yield bit + low, bool(must >> bit & 1)
        return
    places = positions.numbers(start)
    if len(places) == 1:
        for step in range(size):
            bit = (places[0] - low + step) % size
            if may >> bit & 1:
                yield bit + low, bool(must >> bit & 1)
        return
    for bit in positions.bits(may):  # the order is not known: nothing is sure
        yield bit + low, False


def _decided(cases: _Cases, body: Meaning | None, plain: bool, *, yes: bool) -> Meaning:
    """``deciding`` if it is the value of one case that is sure; ``neutral`` if it can be that of none. ``plain``: for a
    case nothing is read.
    """
    deciding, neutral = (YES, NO) if yes else (NO, YES)
    (bit,) = deciding

    def value(partial: Partial, env: Env) -> Value:
        result = neutral
        haste: list[bool] = []
        for inner, sure in cases(partial, env, haste):
            found = YES if body is None else body(partial, inner)
            if found == deciding and sure:
                return deciding
            if bit in found:
                result = MAYBE
                if (plain or len(partial.touched) > _ENOUGH) and not haste:
                    haste.append(not plain)  # only what is sure could change the answer
        return result

    return value


def _count(cases: _Cases, body: Meaning | None, names: list[str], low: int) -> Meaning:
    def value(partial: Partial, env: Env) -> Value:
        least = most = 0
        for inner, sure in cases(partial, env, []):
            found = YES if body is None else body(partial, inner)
            most += 1 in found
            least += sure and found == YES
        return frozenset(range(least, most + 1))

    return value


def _all(cases: _Cases, body: Meaning | None, names: list[str], low: int) -> Meaning:
    (name,) = names

    def value(partial: Partial, env: Env) -> Value:
        must = may = 0
        for inner, sure in cases(partial, env, []):
            found = YES if body is None else body(partial, inner)
            bit = 1 << (min(inner[name]) - low)
            if 1 in found:
                may |= bit
                if sure and found == YES:
                    must |= bit
        return (must, may)

    return value


def _first(cases: _Cases, body: Meaning | None, names: list[str], low: int) -> Meaning:
    (name,) = names

    def value(partial: Partial, env: Env) -> Value:
        found = set()
        for inner, sure in cases(partial, env, []):
            holds = YES if body is None else body(partial, inner)
            if 1 in holds:
                found |= inner[name]
                if sure and holds == YES:
                    return frozenset(found)
        return frozenset(found | {FIRST_WORD})

    return value


def _last(cases: _Cases, body: Meaning | None, names: list[str], low: int) -> Meaning:
    (name,) = names

    def value(partial: Partial, env: Env) -> Value:
        found: set[int] = {FIRST_WORD}
        for inner, sure in cases(partial, env, []):
            holds = YES if body is None else body(partial, inner)
            if 1 in holds:
                if sure and holds == YES:
                    found = set()
                found |= inner[name]
        return frozenset(found)

    return value


def _sum(cases: _Cases, body: Meaning | None, names: list[str], low: int) -> Meaning:
    assert body is not None

    def value(partial: Partial, env: Env) -> Value:
        total = frozenset({0})
        for inner, sure in cases(partial, env, []):
            amount = body(partial, inner)
            total = positions.product(total, amount if sure else amount | {0}, lambda a, b: a + b)
        return total

    return value


def _extreme(highest: bool) -> Callable[..., Meaning]:
    def make(cases: _Cases, body: Meaning | None, names: list[str], low: int) -> Meaning:
        assert body is not None
        best = max if highest else min

        def value(partial: Partial, env: Env) -> Value:
            bound: int | None = None
            found: set[int] = set()
            for inner, sure in cases(partial, env, []):
                amounts = positions.numbers(body(partial, inner))
                if not amounts:
                    continue
                found.update(amounts)
                if sure:
                    worst = min(amounts) if highest else max(amounts)
                    bound = worst if bound is None else best(bound, worst)
            if bound is None:
                return frozenset(found | {0})
            limit = bound
            return frozenset([item for item in found if (item >= limit if highest else item <= limit)])

        return value

    return make


_MAKERS: dict[str, Callable[..., Meaning]] = {
    "count": _count,
    "all": _all,
    "first": _first,
    "last": _last,
    "sum": _sum,
    "highest": _extreme(True),
    "lowest": _extreme(False),
}

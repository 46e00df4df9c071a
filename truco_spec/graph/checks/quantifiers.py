"""What a quantifier may be in a set of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from truco_spec.graph import fold
from truco_spec.graph.checks import domains
from truco_spec.graph.checks.domains import MAYBE, NO, YES, Value
from truco_spec.graph.checks.positions import Env, Meaning, Partial
from truco_spec.graph.model import Bound, Expr, Quant
from truco_spec.graph.types import FIRST_WORD

if TYPE_CHECKING:
    from truco_spec.graph.checks.meaning import Compiler

Case = tuple[Env, bool]
"""The names bound, and whether the quantifier surely runs over them."""


def quantifier(compiler: Compiler, expr: Expr) -> Meaning:
    """The function of a quantifier."""
    quant: Quant = expr.value
    cases = _cases(compiler, quant)
    body = None if quant.body is None or fold.is_yes(quant.body) else compiler.meaning(quant.body)
    names = [binder.name for binder in quant.binders]
    maker = _MAKERS[quant.word]
    return maker(cases, body, names, expr.type.low)


def _cases(compiler: Compiler, quant: Quant) -> Callable[[Partial, Env], Iterator[Case]]:
    domain_of = [compiler.domain(binder) for binder in quant.binders]
    starts = [compiler.meaning(b.start) if b.start is not None else None for b in quant.binders]
    where = None if quant.where is None or fold.is_yes(quant.where) else compiler.meaning(quant.where)

    def run(partial: Partial, env: Env, depth: int, sure: bool) -> Iterator[Case]:
        if depth == len(domain_of):
            if where is not None:
                holds = where(partial, env)
                if 1 not in holds:
                    return
                sure = sure and len(holds) == 1
            yield env, sure
            return
        binder = quant.binders[depth]
        must, may = domain_of[depth](partial, env) or (0, 0)
        start = starts[depth]
        for value, firm in _values(binder, must, may, start(partial, env) if start is not None else None):
            inner = {**env, binder.name: frozenset({value})}
            yield from run(partial, inner, depth + 1, sure and firm)

    return lambda partial, env: run(partial, env, 0, True)


def _values(binder: Bound, must: int, may: int, start: frozenset[int] | None) -> Iterator[tuple[int, bool]]:
    low, size = binder.type.low, binder.type.size
    if start is None:
        for bit in domains.bits(may):
            yield bit + low, bool(must >> bit & 1)
        return
    places = domains.numbers(start)
    if len(places) == 1:
        for step in range(size):
            bit = (places[0] - low + step) % size
            if may >> bit & 1:
                yield bit + low, bool(must >> bit & 1)
        return
    for bit in domains.bits(may):  # the order is not known: nothing is sure
        yield bit + low, False


def _some(cases: Callable[[Partial, Env], Iterator[Case]], body: Meaning | None, names: list[str], low: int) -> Meaning:
    def value(partial: Partial, env: Env) -> Value:
        result = NO
        for inner, sure in cases(partial, env):
            found = YES if body is None else body(partial, inner)
            if found == YES and sure:
                return YES
            if 1 in found:
                result = MAYBE
        return result

    return value


def _every(
    cases: Callable[[Partial, Env], Iterator[Case]], body: Meaning | None, names: list[str], low: int
) -> Meaning:
    def value(partial: Partial, env: Env) -> Value:
        result = YES
        for inner, sure in cases(partial, env):
            found = YES if body is None else body(partial, inner)
            if found == NO and sure:
                return NO
            if 0 in found:
                result = MAYBE
        return result

    return value


def _count(
    cases: Callable[[Partial, Env], Iterator[Case]], body: Meaning | None, names: list[str], low: int
) -> Meaning:
    def value(partial: Partial, env: Env) -> Value:
        least = most = 0
        for inner, sure in cases(partial, env):
            found = YES if body is None else body(partial, inner)
            most += 1 in found
            least += sure and found == YES
        return frozenset(range(least, most + 1))

    return value


def _all(cases: Callable[[Partial, Env], Iterator[Case]], body: Meaning | None, names: list[str], low: int) -> Meaning:
    (name,) = names

    def value(partial: Partial, env: Env) -> Value:
        must = may = 0
        for inner, sure in cases(partial, env):
            found = YES if body is None else body(partial, inner)
            bit = 1 << (min(inner[name]) - low)
            if 1 in found:
                may |= bit
                if sure and found == YES:
                    must |= bit
        return (must, may)

    return value


def _first(
    cases: Callable[[Partial, Env], Iterator[Case]], body: Meaning | None, names: list[str], low: int
) -> Meaning:
    (name,) = names

    def value(partial: Partial, env: Env) -> Value:
        found = set()
        for inner, sure in cases(partial, env):
            holds = YES if body is None else body(partial, inner)
            if 1 in holds:
                found |= inner[name]
                if sure and holds == YES:
                    return frozenset(found)
        return frozenset(found | {FIRST_WORD})

    return value


def _last(cases: Callable[[Partial, Env], Iterator[Case]], body: Meaning | None, names: list[str], low: int) -> Meaning:
    (name,) = names

    def value(partial: Partial, env: Env) -> Value:
        found: set[int] = {FIRST_WORD}
        for inner, sure in cases(partial, env):
            holds = YES if body is None else body(partial, inner)
            if 1 in holds:
                if sure and holds == YES:
                    found = set()
                found |= inner[name]
        return frozenset(found)

    return value


def _sum(cases: Callable[[Partial, Env], Iterator[Case]], body: Meaning | None, names: list[str], low: int) -> Meaning:
    assert body is not None

    def value(partial: Partial, env: Env) -> Value:
        total = frozenset({0})
        for inner, sure in cases(partial, env):
            amount = body(partial, inner)
            total = domains.product(total, amount if sure else amount | {0}, lambda a, b: a + b)
        return total

    return value


def _extreme(highest: bool) -> Callable[..., Meaning]:
    def make(
        cases: Callable[[Partial, Env], Iterator[Case]], body: Meaning | None, names: list[str], low: int
    ) -> Meaning:
        assert body is not None
        best = max if highest else min

        def value(partial: Partial, env: Env) -> Value:
            bound: int | None = None
            found: set[int] = set()
            for inner, sure in cases(partial, env):
                amounts = domains.numbers(body(partial, inner))
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
    "some": _some,
    "every": _every,
    "count": _count,
    "all": _all,
    "first": _first,
    "last": _last,
    "sum": _sum,
    "highest": _extreme(True),
    "lowest": _extreme(False),
}

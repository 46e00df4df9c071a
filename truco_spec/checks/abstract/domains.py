"""The abstract domains: the possible values of an expression in a partially known position.

A single value is a frozenset of possible codes: one member means known, none means undefined (the expression has no
value). A set is a pair of masks ``(must, may)``: the members it surely has, and those it may have.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from truco_spec.graph.types import FIRST_WORD, Type

Value: TypeAlias = Any
"""``frozenset[int]``, or for sets ``tuple[int, int]``."""

YES: frozenset[int] = frozenset({1})
NO: frozenset[int] = frozenset({0})
MAYBE: frozenset[int] = frozenset({0, 1})
NOTHING: frozenset[int] = frozenset()
_WIDEST = 400


def known(value: Value) -> bool:
    """Whether it is a single known value, or undefined."""
    if isinstance(value, tuple):
        return bool(value[0] == value[1])
    return len(value) < 2


def impossible(value: Value) -> bool:
    """Whether it has no possible value."""
    if isinstance(value, tuple):
        return bool(value[0] & ~value[1])
    return not value


def join(a: Value, b: Value) -> Value:
    """The join: either value."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        if impossible(a):
            return b
        return a if impossible(b) else (a[0] & b[0], a[1] | b[1])
    if isinstance(a, tuple) or isinstance(b, tuple):
        return a if isinstance(a, tuple) else b  # the other cannot be identified
    return a | b


def meet(a: Value, b: Value) -> Value:
    """The meet: both values."""
    if isinstance(a, tuple) != isinstance(b, tuple):
        return NOTHING
    if isinstance(a, tuple):
        return (a[0] | b[0], a[1] & b[1])
    return a & b


def inside(a: Value, b: Value) -> bool:
    """Whether every possible value of the first is possible for the second."""
    if isinstance(a, tuple) != isinstance(b, tuple):
        return True
    if isinstance(a, tuple):
        return not (b[0] & ~a[0]) and not (a[1] & ~b[1])
    return bool(a <= b)


def full(kind: Type, words: dict[str, int], cards: int = 0) -> Value:
    """The top element of a type; ``cards`` is the mask of the pack, for types of cards."""
    if kind.many:
        return (0, cards) if kind.base == "card" else (0, (1 << kind.size) - 1)
    values: Iterable[int] = range(kind.low, kind.high + 1) if kind.base else ()
    if kind.base == "card" and cards:
        values = [value for value in values if cards >> value & 1]
    codes = [words[word] for word in kind.words]
    if kind.place == "slot":
        codes.append(FIRST_WORD)
    return frozenset(itertools.chain(values, codes))


def numbers(value: frozenset[int]) -> list[int]:
    """The values that are no words."""
    return [item for item in value if item > FIRST_WORD]


def product(a: frozenset[int], b: frozenset[int], count: Callable[[int, int], int]) -> frozenset[int]:
    """All results of an operation on two numbers; a span if they would be too many."""
    if len(a) == len(b) == 1:
        (one,), (other,) = a, b
        return frozenset([count(one, other)]) if one > FIRST_WORD and other > FIRST_WORD else NOTHING
    left, right = numbers(a), numbers(b)
    if len(left) * len(right) > _WIDEST:
        ends = [count(x, y) for x in (min(left), max(left)) for y in (min(right), max(right))]
        return frozenset(range(min(ends), max(ends) + 1))
    return frozenset([count(x, y) for x in left for y in right])


def halves(value: Value) -> list[Value]:
    """A partition into smaller parts."""
    if isinstance(value, tuple):
        open_bits = value[1] & ~value[0]
        bit = open_bits & -open_bits
        return [(value[0] | bit, value[1]), (value[0], value[1] & ~bit)]
    if len(value) <= 3:
        return [frozenset({item}) for item in sorted(value, reverse=True)]
    found = sorted(value)
    words = [item for item in found if item <= FIRST_WORD]
    if words and len(words) < len(found):
        return [frozenset(found[len(words) :]), frozenset(words)]
    middle = len(found) // 2
    return [frozenset(found[middle:]), frozenset(found[:middle])]


def sample(value: Value) -> int:
    """One concrete value: the least possible."""
    if isinstance(value, tuple):
        return int(value[0])
    return min((item for item in value if item > FIRST_WORD), default=max(value, default=0))


def bits(mask: int) -> list[int]:
    """The numbers of the bits, lowest first."""
    found = []
    while mask > 0:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found

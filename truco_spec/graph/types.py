"""Types: every value is a small integer from a finite domain known after linking.

A type is a base (numbers, an order, seats, teams, cards, phases, flags), or some words, or both (``team or none``); or
a set of such a base. Words have codes below every number, the same in every type, so widening a type needs no
conversion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

FIRST_WORD = -1000
"""Code of ``none``; the other words follow downwards."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type. ``base`` is '', flag, number, order, seat, team, card or phase; ``many`` makes it a set of the base.

    ``name`` is the order's name; ``low`` and ``high`` bound the values of the base, both included; ``words`` are the
    named values beside it. ``pile`` and ``slot`` mark the places of cards: a pile is a set of cards, a slot a card or
    none.
    """

    base: str
    low: int = 0
    high: int = -1
    name: str = ""
    words: frozenset[str] = frozenset()
    many: bool = False
    place: str = ""

    @property
    def size(self) -> int:
        """The number of values of the base."""
        return self.high - self.low + 1

    def __str__(self) -> str:
        if self.place:
            return self.place
        parts = []
        if self.base == "number" and not self.name:
            parts.append(f"{self.low} .. {self.high}" if self.low != self.high else str(self.low))
        elif self.base:
            parts.append(self.name or self.base)
        parts += sorted(self.words)
        text = " or ".join(parts) or "nothing"
        return f"set of {text}" if self.many else text


FLAG = Type("flag", 0, 1)


def number(low: int, high: int) -> Type:
    """Whole numbers from ``low`` to ``high``, both included."""
    return Type("number", low, high)


def of_words(*words: str) -> Type:
    """A type of words only."""
    return Type("", words=frozenset(words))


@cache
def set_of(base: Type) -> Type:
    """Sets of the values of a base."""
    return replace(base, many=True, words=frozenset(), place="")


def with_words(base: Type, *words: str) -> Type:
    """The type widened by these words."""
    return replace(base, words=base.words | set(words), place="")


@cache
def bare(kind: Type) -> Type:
    """The type without its words."""
    return replace(kind, words=frozenset(), place="")


@cache
def single(kind: Type) -> Type:
    """The type of the members of a set, without words."""
    return replace(kind, many=False, words=frozenset(), place="")


def same_base(a: Type, b: Type) -> bool:
    """Whether both bases hold values of one kind."""
    return a.many == b.many and a.base == b.base and (a.base == "number" or a.name == b.name)


def meets(a: Type, b: Type) -> bool:
    """Whether a value of ``a`` can ever equal one of ``b``."""
    if a.words & b.words and not a.many and not b.many:
        return True
    return bool(a.base) and same_base(a, b)


def join(a: Type, b: Type) -> Type | None:
    """The least upper bound of both, or None."""
    if a.base and b.base and not same_base(a, b):
        return None
    words = a.words | b.words
    if a.many != b.many and a.base and b.base:
        return None
    if not a.base:
        return replace(b, words=words, place="" if words else b.place)
    if not b.base:
        return replace(a, words=words, place="" if words else a.place)
    name = a.name if a.name == b.name else ""
    return replace(a, low=min(a.low, b.low), high=max(a.high, b.high), name=name, words=words, place="")


def fits(value: Type, target: Type) -> bool:
    """Whether a value of this type may be given where ``target`` is expected.

    A value that may also be a word, or a number that may be out of range, is accepted if its base fits: it is checked
    at run time (and by the checks, before).
    """
    if not value.base:
        return not value.words - target.words
    return same_base(value, target)

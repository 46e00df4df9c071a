"""Partially known positions, and the possible values of an expression in one.

A single value is a frozenset of possible codes: one member means known, none means undefined (the expression has no
value). A set is a pair of masks ``(must, may)``: the members it surely has, and those it may have.

:class:`PositionFacts` hold in every position of a graph; a :class:`Partial` is a set of positions: all those consistent
with the known values. Reading an unknown datum is free: it may have any value of its type, and is recorded in
``touched``, so that the search can split on it.

Besides the data there are *derived* things, with keys of their own: the answer of a long question, the size of a pile,
a long condition on cards. They are treated as unknowns at first, and only when all else is consistent is it verified
whether they are possible (:meth:`PositionFacts.body`). A proof that does not need to expand them is short, and valid
all the same.

A datum that no rule changes keeps its initial value: it is derived too, from the position *then*, with the same facts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from truco_spec.graph.model import Expr, Graph
from truco_spec.graph.types import FIRST_WORD, FLAG, Type
from truco_spec.graph.walk import written_by

Value: TypeAlias = Any
"""``frozenset[int]``, or for sets ``tuple[int, int]``."""

YES: frozenset[int] = frozenset({1})
NO: frozenset[int] = frozenset({0})
MAYBE: frozenset[int] = frozenset({0, 1})
NOTHING: frozenset[int] = frozenset()
_WIDEST = 400
_MOST_KEPT = 1 << 11
"""Results of an operation on sets of values that are kept: some have hundreds of members, and mostly the same ones."""


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


@lru_cache(maxsize=_MOST_KEPT)
def numbers(value: frozenset[int]) -> tuple[int, ...]:
    """The values that are no words."""
    return tuple([item for item in value if item > FIRST_WORD])


@lru_cache(maxsize=_MOST_KEPT)
def typed(value: frozenset[int]) -> frozenset[int]:
    """Whether it is no word."""
    return frozenset([int(item > FIRST_WORD) for item in value])


@lru_cache(maxsize=_MOST_KEPT)
def less(a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
    """Whether the one number is less than the other."""
    left, right = numbers(a), numbers(b)
    if not left or not right:
        return NOTHING
    return YES if max(left) < min(right) else MAYBE if min(left) < max(right) else NO


@lru_cache(maxsize=_MOST_KEPT)
def outside(a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
    """Whether it is none of the others."""
    return NOTHING if not a else YES if a.isdisjoint(b) else NO if a <= b else MAYBE


def product(a: frozenset[int], b: frozenset[int], count: Callable[[int, int], int]) -> frozenset[int]:
    """All results of an operation on two numbers; a span if they would be too many."""
    if len(a) == len(b) == 1:
        (one,), (other,) = a, b
        return frozenset([count(one, other)]) if one > FIRST_WORD and other > FIRST_WORD else NOTHING
    return _product(a, b, count)


@lru_cache(maxsize=_MOST_KEPT)
def _product(a: frozenset[int], b: frozenset[int], count: Callable[[int, int], int]) -> frozenset[int]:
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


# ---- Partially known positions ----------------------------------------------------------------------

Key: TypeAlias = tuple[object, ...]
Env: TypeAlias = dict[str, Value]
Meaning: TypeAlias = "Callable[[Partial, Env], Value]"
Stack: TypeAlias = tuple[str, ...]

NOW = ""
"""The moment of the position itself; other moments are named after the phase being entered."""

THEN = "@"
"""The environment's name for the current moment."""


STACK: Key = ("stack",)
"""The number of the present stack."""

PLACES: Key = ("places",)
"""Stands for all places of cards: knowledge of one may restrict all others."""


class PositionFacts:
    """Facts that hold in every position of a graph. ``stacks`` are the possible stacks of phases, top first."""

    def __init__(self, graph: Graph, stacks: Iterable[Stack] | None = None) -> None:
        from truco_spec.checks.meaning import Compiler

        self.graph = graph
        self.stacks = tuple(stacks) if stacks is not None else ()
        self.pack = sum(1 << i for i, card in enumerate(graph.cards) if card.present)
        self.changed = frozenset().union(*written_by(graph).values())
        self.compiler = Compiler(self)
        self.conditions: dict[Expr, Any] = {}
        self.known_conditions: dict[int, tuple[Expr, Any]] = {}
        self.answers: dict[object, Any] = {}
        self._bounds: dict[object, int] = {}
        self.expressions: dict[Expr, int] = {}
        self.order: list[Expr] = []
        self.places = frozenset(name for name, datum in graph.data.items() if datum.type.place)
        self._lasting: dict[tuple[str, str], bool] = {}
        self._full: dict[Key, Value] = {}
        self._types: dict[Type, Value] = {}
        self._kinds: dict[Type, int] = {}
        self._bodies: dict[Key, Meaning | None] = {}
        self.root = Partial(self)

    def of_type(self, kind: Type) -> Value:
        """The top element of a type."""
        found = self._types.get(kind)
        if found is None:
            found = self._types[kind] = full(kind, self.graph.words, self.pack)
        return found

    def full(self, key: Key) -> Value:
        """The most general value of the thing, in any position."""
        found = self._full.get(key)
        if found is None:
            self._full[key] = found = self.of_type(self.type_of(key))
            body = self.body(key)
            if body is not None and self._worth(key):
                seen = body(self.root, {})
                narrowed = meet(found, seen)
                self._full[key] = found = found if impossible(narrowed) else narrowed
        return found

    def _worth(self, key: Key) -> bool:
        return key[0] != "size"

    def type_of(self, key: Key) -> Type:
        """The type of a thing."""
        kind = key[0]
        if kind == "datum":
            return self.graph.data[str(key[1])].type
        if kind == "ask":
            return self.graph.defines[str(key[1])].type
        if kind == "size":
            return Type("number", 0, max(1, len(self.graph.cards)))
        if kind == "expr":
            return self.order[int(str(key[1]))].type
        if kind == "stack":
            return Type("number", 0, len(self.stacks) - 1)
        if kind == "during":
            return FLAG
        return list(self._kinds)[int(str(key[2]))]

    def variable(self, name: str, kind: Type) -> Key:
        """The key of a variable that nothing binds. It has a number for its type, whose hash takes long."""
        return ("var", name, self._kinds.setdefault(kind, len(self._kinds)))

    def number_of(self, expr: Expr) -> int:
        """The number of an expression, unique up to equality."""
        found = self.expressions.get(expr)
        if found is None:
            found = self.expressions[expr] = len(self.order)
            self.order.append(expr)
        return found

    def body(self, key: Key) -> Meaning | None:
        """Return how a derived thing follows from others; None for a free one."""
        if key not in self._bodies:
            self._bodies[key] = self._body(key)
        return self._bodies[key]

    def _body(self, key: Key) -> Meaning | None:
        kind = key[0]
        if kind == "ask":
            define = self.graph.defines[str(key[1])]
            return self._with(self.compiler.question(define), [p.name for p in define.params], key[2], key[3])
        if kind == "expr":
            expr = self.order[int(str(key[1]))]
            given = key[2]
            assert isinstance(given, tuple)
            return self._with(self.compiler.inner(expr), [n for n, _ in given], tuple(v for _, v in given), key[3])
        if kind == "size":
            pile = ("datum", key[1], key[2], key[3])
            return lambda partial, env: _sizes(partial.value(pile))
        if kind == "datum" and self.is_lasting(str(key[1]), str(key[3])):
            datum = self.graph.data[str(key[1])]
            assert datum.first is not None
            return self._with(self.compiler.meaning(datum.first), [p.name for p in datum.params], key[2], datum.fresh)
        return None

    def _with(self, meaning: Meaning, names: list[str], values: object, moment: object) -> Meaning:
        assert isinstance(values, tuple)
        env: Env = {name: v if isinstance(v, tuple) else frozenset({v}) for name, v in zip(names, values, strict=True)}
        env[THEN] = moment
        return lambda partial, _: meaning(partial, env)

    def is_lasting(self, name: str, moment: str) -> bool:
        """Whether the datum is known to keep its initial value for its lifetime, at this moment."""
        found = self._lasting.get((name, moment))
        if found is None:
            found = self._lasting[name, moment] = self._lasts(name, moment)
        return found

    def _lasts(self, name: str, moment: str) -> bool:
        datum = self.graph.data[name]
        if name in self.changed or datum.first is None or not datum.fresh or datum.type.place:
            return False
        return moment == NOW or self.graph.lies_within(moment, datum.fresh)

    def bounds_number(self, bounds: object) -> int:
        """The number of bounds, unique up to equality."""
        return self._bounds.setdefault(bounds, len(self._bounds))

    def datum_key(self, name: str, index: tuple[int, ...], moment: str) -> Key:
        """The key of a datum at a moment; a constant has the same key then and now."""
        if moment != NOW and self.is_lasting(name, moment):
            moment = NOW
        return ("datum", name, index, moment)

    def first_value(self, name: str, moment: str) -> Value | None:
        """The value a datum surely has at the moment: its constant initial value, if its lifetime has just begun."""
        datum = self.graph.data[name]
        if moment == NOW or not self.graph.lies_within(datum.fresh, moment):
            return None
        if datum.first is None or datum.first.op != "const":
            return None
        value = datum.first.value
        return (value, value) if datum.type.many else frozenset({value})


def _sizes(pile: tuple[int, int]) -> frozenset[int]:
    return frozenset(range(pile[0].bit_count(), pile[1].bit_count() + 1))


class Partial:
    """A set of positions: those consistent with the known values.

    ``free`` caches the values by type and bounds alone, and ``numbers`` the numbers of the bounds; subsets of the
    positions share both. ``touched`` are the unknown things read that are useful to split on; ``read`` all unknown
    ones, and all places of cards: the result can change only if one of these is narrowed.
    """

    __slots__ = ("bounds", "facts", "free", "known", "numbers", "owners", "read", "touched")

    def __init__(
        self,
        facts: PositionFacts,
        known: dict[Key, Value] | None = None,
        owners: dict[int, Key] | None = None,
        bounds: dict[Key, Value] | None = None,
        whole: Partial | None = None,
    ) -> None:
        self.facts = facts
        self.bounds = bounds
        self.known: dict[Key, Value] = known if known is not None else {}
        self.owners: dict[int, Key] = owners if owners is not None else {}
        self.free: dict[Key, Value] = whole.free if whole is not None else {}
        self.numbers: dict[str, int] = whole.numbers if whole is not None else {}
        self.touched: list[Key] = []
        self.read: list[Key] = []

    def forget(self) -> None:
        """Invalidate the caches after a change of bounds."""
        self.free.clear()
        self.numbers.clear()

    def bounds_of(self, name: str) -> int:
        """The number of what bounds a datum."""
        if not self.numbers and self.bounds:
            by_name: dict[str, list[tuple[Key, Value]]] = {}
            for key, value in self.bounds.items():
                by_name.setdefault(str(key[1]), []).append((key, value))
            self.numbers |= {name: self.facts.bounds_number(tuple(found)) for name, found in by_name.items()}
        return self.numbers.get(name, -1)

    def plain(self, key: Key) -> Value:
        """Return the same as :meth:`value`, for things other than places of cards and their sizes."""
        found = self.known.get(key)
        if found is None:
            found = self.free.get(key)
            if found is None:
                found = self.free[key] = self._free(key)
        if found[0] != found[1] if type(found) is tuple else len(found) > 1:
            self.touched.append(key)
            self.read.append(key)
        return found

    def value(self, key: Key) -> Value:
        """The possible values of a thing, recorded if unknown."""
        found = self.known.get(key)
        if found is None:
            found = self.free.get(key)
            if found is None:
                found = self.free[key] = self._free(key)
        kind = key[0]
        if kind == "datum":
            if key[3] == NOW and key[1] in self.facts.places:
                self.read.append(PLACES)
                if self.owners:
                    found = self._without_others(key, found)
        elif kind == "size":
            found = found & _sizes(self._quiet(("datum", key[1], key[2], key[3])))
        if found[0] != found[1] if type(found) is tuple else len(found) > 1:
            self.touched.append(key)
            self.read.append(key)
        return found

    def _free(self, key: Key) -> Value:
        found = self.facts.full(key)
        if self.bounds is not None and (bound := self.bounds.get(key)) is not None:
            narrowed = meet(found, bound)
            return bound if impossible(narrowed) else narrowed
        return found

    def _quiet(self, key: Key) -> Value:
        before = len(self.touched)
        found = self.value(key)
        del self.touched[before:]
        return found

    def _without_others(self, key: Key, value: Value) -> Value:
        elsewhere = [card for card, owner in self.owners.items() if owner != key]
        if isinstance(value, tuple):
            mask = sum(1 << card for card in elsewhere)
            return (value[0], value[1] & ~mask)
        return value.difference(elsewhere)

    def with_value(self, key: Key, value: Value) -> Partial | None:
        """The subset in which the thing has the value; None if empty."""
        if impossible(value):
            return None
        owners = self.owners
        if key[0] == "datum" and key[3] == NOW and key[1] in self.facts.places:
            cards = bits(value[0]) if isinstance(value, tuple) else [c for c in value if len(value) == 1 and c >= 0]
            if cards:
                owners = dict(owners)
                for card in cards:
                    if owners.setdefault(card, key) != key:
                        return None
        return Partial(self.facts, {**self.known, key: value}, owners, self.bounds, self)

    def with_values(self, values: Mapping[Key, Value]) -> Partial | None:
        """The subset in which all these things have their values; None if empty."""
        found: Partial | None = self
        for key, value in values.items():
            found = found.with_value(key, value) if found is not None else None
        return found

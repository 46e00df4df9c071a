"""Delta debugging: shrink an input while it still shows the same behaviour.

A reduction yields smaller candidates, those that leave out most first. The caller's predicate decides which of them
still reproduce.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

Thing = TypeVar("Thing")
Place = tuple[int, int]
"""One item of one of several rows."""


def reduced(
    thing: Thing,
    reductions: Sequence[Callable[[Thing], Iterable[Thing]]],
    shown: Callable[[Thing], Thing | None],
    most: int,
) -> tuple[Thing, int]:
    """Return the smallest version that still reproduces, and the number of candidates tried (at most ``most``).

    ``shown`` returns the part of a candidate worth keeping, or None if it does not reproduce. Each reduction is applied
    until it yields no further candidate; all reductions are repeated until a fixpoint.
    """
    tried = idle = 0
    for reduction in itertools.cycle(reductions):
        smaller, idle = True, idle + 1
        while smaller:
            smaller = False
            for version in itertools.islice(reduction(thing), max(0, most - tried)):
                tried += 1
                if (left := shown(version)) is not None:
                    thing, smaller, idle = left, True, 1
                    break
        if idle >= len(reductions):
            break
    return thing, tried


def stretches(rows: Sequence[Sequence[object]], sizes: Iterable[int], few: int = 1) -> Iterator[frozenset[Place]]:
    """Yield groups of items, last ones first: adjacent within a row, and up to ``few`` at every index across rows."""
    places = [(row, at) for row, items in enumerate(rows) for at in range(len(items))]
    for size in sizes:
        for end in range(len(places), 0, -size) if size > few else range(len(places), size - 1, -1):
            yield frozenset(places[max(0, end - size) : end])


def without(rows: Sequence[Sequence[Thing]], gone: AbstractSet[Place]) -> tuple[tuple[Thing, ...], ...]:
    """Return the rows without the given items."""
    return tuple(
        tuple(item for at, item in enumerate(items) if (row, at) not in gone) for row, items in enumerate(rows)
    )

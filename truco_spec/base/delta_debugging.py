"""Delta debugging: a thing made smaller by reductions as long as it still shows what it showed.

A reduction yields smaller versions, those that leave out most first. The caller decides which of them still show it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

Thing = TypeVar("Thing")
Place = tuple[int, int]
"""An item of one of several rows."""


def reduced(
    thing: Thing,
    reductions: Sequence[Callable[[Thing], Iterable[Thing]]],
    shown: Callable[[Thing], Thing | None],
    most: int,
) -> tuple[Thing, int]:
    """The smallest version that shows it, and how many were tried, ``most`` at the most.

    ``shown`` gives back what is left of a version that shows it, and None for one that does not. Each reduction goes on
    from the first version that does, until none does; round again until none of them helps.
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
    """Items that stand together, across rows, the last ones first: side by side, and up to ``few`` at every place."""
    places = [(row, at) for row, items in enumerate(rows) for at in range(len(items))]
    for size in sizes:
        for end in range(len(places), 0, -size) if size > few else range(len(places), size - 1, -1):
            yield frozenset(places[max(0, end - size) : end])


def without(rows: Sequence[Sequence[Thing]], gone: AbstractSet[Place]) -> tuple[tuple[Thing, ...], ...]:
    """The rows without some of their items."""
    return tuple(
        tuple(item for at, item in enumerate(items) if (row, at) not in gone) for row, items in enumerate(rows)
    )

"""The order of the items in the rows of a layout, so that few edges cross."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SWEEPS = 24
MOST = 400
"""Rows with more items than this are not searched for fewer crossings."""


@dataclass(slots=True)
class Item:
    """Something in a row: a box, or a point of an edge.

    ``line`` is where its edges run, from its left side; ``frame`` the height of the frame that they meet, in its
    middle.
    """

    width: float
    height: float
    line: float
    box: str | None = None
    frame: float = 0.0
    x: float = 0.0
    y: float = 0.0
    row: int = 0
    up: list[int] = field(default_factory=list)
    down: list[int] = field(default_factory=list)

    @property
    def at(self) -> float:
        """Where its edges run."""
        return self.x + self.line


def ordered(items: list[Item]) -> list[list[int]]:
    """The items of each row from left to right, with few crossings: the best of some sweeps down and up."""
    rows: list[list[int]] = [[] for _ in range(max((item.row for item in items), default=-1) + 1)]
    for i in _walked(items):
        rows[items[i].row].append(i)
    best, fewest = [list(row) for row in rows], _crossings(items, rows)
    place = {i: at for row in rows for at, i in enumerate(row)}
    for sweep in range(SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            means = {i: _mean([place[j] for j in (items[i].up if down else items[i].down)], place[i]) for i in row}
            row.sort(key=means.__getitem__)
            place.update((i, at) for at, i in enumerate(row))
        if max(map(len, rows), default=0) <= MOST:
            _swap(items, rows, place)
        crossings = _crossings(items, rows)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _walked(items: list[Item]) -> list[int]:
    """All items, from each one down before the next: neighbours come near each other."""
    seen: dict[int, None] = {}
    for first in range(len(items)):
        todo = [first]
        while todo:
            i = todo.pop()
            if i not in seen:
                seen[i] = None
                todo += reversed(items[i].down)
    return list(seen)


def _mean(places: list[int], own: int) -> float:
    return sum(places) / len(places) if places else own


def _swap(items: list[Item], rows: list[list[int]], place: dict[int, int]) -> None:
    """Exchange neighbours as long as that takes a crossing away."""
    for _ in range(8):
        better = False
        for row in rows:
            for at in range(len(row) - 1):
                a, b = row[at], row[at + 1]
                if _pair(items, place, b, a) < _pair(items, place, a, b):
                    row[at], row[at + 1] = b, a
                    place[a], place[b] = at + 1, at
                    better = True
        if not better:
            return


def _pair(items: list[Item], place: Mapping[int, int], a: int, b: int) -> int:
    """How many edges of two neighbours cross if the first is left of the second."""
    count = 0
    for mine, other in ((items[a].up, items[b].up), (items[a].down, items[b].down)):
        count += sum(place[i] > place[j] for i in mine for j in other)
    return count


def _crossings(items: list[Item], rows: list[list[int]]) -> int:
    count = 0
    place = {i: at for row in rows for at, i in enumerate(row)}
    for row in rows:
        edges = [place[j] for i in row for j in sorted(items[i].down, key=place.__getitem__)]
        count += sum(a > b for at, a in enumerate(edges) for b in edges[at + 1 :])
    return count

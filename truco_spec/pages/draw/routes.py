"""Routes edges between the boxes, as straight as the gaps in the rows allow."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Protocol

Point = tuple[float, float]
FAR = 1e9


class Placed(Protocol):
    """An item of a layout with its position."""

    x: float
    y: float
    width: float
    height: float

    @property
    def at(self) -> float:
        """Where its edges run."""
        ...


Stop = tuple[Point, float, float]
"""A point that an edge passes, and how far to the left and right it may pass there."""


def corridors(items: Sequence[Placed], rows: Sequence[Sequence[int]]) -> dict[int, tuple[float, float]]:
    """Each item with its corridor: half of the gaps to its neighbours."""
    found = {}
    for row in rows:
        for at, i in enumerate(row):
            left, right = -FAR, FAR
            if at:
                other = items[row[at - 1]]
                left = (other.x + other.width + items[i].x) / 2
            if at + 1 < len(row):
                right = (items[i].x + items[i].width + items[row[at + 1]].x) / 2
            found[i] = (left, right)
    return found


def stops(items: Sequence[Placed], chain: Sequence[int], room: Mapping[int, tuple[float, float]]) -> list[Stop]:
    """The points of an edge in the rows between its boxes; the one with its label has room to the right."""
    found: list[Stop] = []
    for i in chain:
        item = items[i]
        left, right = room[i]
        if item.height:
            right -= item.width - (item.at - item.x)
        heights = (item.y, item.y + item.height) if item.height else (item.y,)
        found += [((item.at, y), left + 2, max(right - 2, item.at)) for y in heights]
    return found


def straightened(first: Point, between: Sequence[Stop], last: Point) -> list[Point]:
    """A minimal subset of the points: each segment goes as far as it can within the corridors."""
    path = [(first, -FAR, FAR), *between, (last, -FAR, FAR)]
    found, at = [first], 0
    while at < len(path) - 1:
        at = next(far for far in range(len(path) - 1, at, -1) if far == at + 1 or _free(path, at, far))
        found.append(path[at][0])
    return found


def _free(path: Sequence[Stop], start: int, end: int) -> bool:
    (x, y), (to_x, to_y) = path[start][0], path[end][0]
    if to_y <= y or abs(to_x - x) > 2.5 * (to_y - y):
        return False
    for (_, here), left, right in path[start + 1 : end]:
        if not left <= x + (to_x - x) * (here - y) / (to_y - y) <= right:
            return False
    return True


def across(route: Sequence[Point], top: float, foot: float) -> float:
    """The rightmost coordinate of a downward route between two heights."""
    found = -FAR
    for (x, y), (to_x, to_y) in itertools.pairwise(route):
        high, low = max(top, y), min(foot, to_y)
        if high <= low and y < to_y:
            found = max(found, *(x + (to_x - x) * (here - y) / (to_y - y) for here in (high, low)))
    return found if found > -FAR else route[0][0]


def rounded(route: Sequence[Point], radius: float = 16.0) -> str:
    """The route as an SVG path with rounded corners."""
    path = f"M{route[0][0]:.1f},{route[0][1]:.1f}"
    for before, corner, after in zip(route, route[1:], route[2:], strict=False):
        into, out = _toward(corner, before, radius), _toward(corner, after, radius)
        path += f" L{into[0]:.1f},{into[1]:.1f} Q{corner[0]:.1f},{corner[1]:.1f} {out[0]:.1f},{out[1]:.1f}"
    return f"{path} L{route[-1][0]:.1f},{route[-1][1]:.1f}"


def _toward(start: Point, end: Point, distance: float) -> Point:
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    part = min(0.5, distance / length) if length else 0.0
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part

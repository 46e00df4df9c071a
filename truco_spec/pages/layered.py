"""A layered graph layout: boxes in rows, edges running down, their labels in rows of their own between the boxes.

After Sugiyama, Tagawa and Toda: reverse edges to break cycles; assign each box a row; add a dummy node for each row
that an edge crosses; order the rows to reduce crossings; move every item towards its neighbours; route the
edges as straight as the gaps allow. Deterministic: the same graph gives the same picture.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter

GAP = 30.0
"""Gaps between neighbours in a row, and between rows."""
CORNER = 12.0
"""The minimum distance from an edge to the corner of a frame."""

_Point = tuple[float, float]
_FAR = 1e9

_Stop = tuple[_Point, float, float]
"""A point that an edge passes, and how far to the left and right it may pass there."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a box: of all of it, and of the frame at its left, vertically centred, to which edges connect."""

    width: float
    height: float
    frame_width: float
    frame_height: float


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An edge to lay out, with the size of its label."""

    source: str
    target: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Laid:
    """The layout: the top left corner of each box, and for each line its points and the top left of its label."""

    boxes: dict[str, tuple[float, float]]
    routes: list[list[tuple[float, float]]]
    labels: list[tuple[float, float]]
    width: float
    height: float


def lay_out(boxes: Mapping[str, Size], lines: Sequence[DrawnEdge]) -> Laid:
    """Lay out boxes, and lines between different ones."""
    turned = _turned(list(boxes), lines)
    rows = _rows(list(boxes), [(b, a) if back else (a, b) for (a, b), back in turned])
    items = [
        RowItem(size.width, size.height, size.frame_width / 2, name, size.frame_height, row=rows[name])
        for name, size in boxes.items()
    ]
    number = {name: i for i, name in enumerate(boxes)}
    chains = [_chain(items, number, line, back) for line, (_, back) in zip(lines, turned, strict=True)]
    order = _ordered(items)
    _place_across(items, order)
    _place_down(items, order)
    left = min((item.x for item in items), default=0.0)
    for item in items:
        item.x -= left
    ports = _ports(items, {name: size.frame_width for name, size in boxes.items()})
    room = _corridors(items, order)
    routes, labels = [], []
    for (chain, label), (_, back), line in zip(chains, turned, lines, strict=True):
        upper, lower, named = items[chain[0]], items[chain[-1]], items[label]
        first = (ports[chain[0], chain[1]], upper.y + (upper.height + upper.frame) / 2)
        last = (ports[chain[-1], chain[-2]], lower.y + (lower.height - lower.frame) / 2)
        route = _straightened(first, _stops(items, chain[1:-1], room), last)
        routes.append(route[::-1] if back else route)
        top = named.y + (named.height - line.height) / 2
        labels.append((_across(route, top, top + line.height) + 7, top))
    return Laid(
        {item.box: (item.x, item.y) for item in items if item.box is not None},
        routes,
        labels,
        max((item.x + item.width for item in items), default=0.0),
        max((item.y + item.height for item in items), default=0.0),
    )


# ---- rows --------------------------------------------------------------------------------------


def _turned(names: list[str], lines: Iterable[DrawnEdge]) -> list[tuple[tuple[str, str], bool]]:
    """Each line with whether it is reversed: the back edges of a depth-first walk from the first box."""
    onward: dict[str, list[str]] = {name: [] for name in names}
    for line in lines:
        onward[line.source].append(line.target)
    state: dict[str, int] = {}
    back: set[tuple[str, str]] = set()
    for first in names:
        if first in state:
            continue
        state[first] = 1
        path = [(first, iter(onward[first]))]
        while path:
            name, rest = path[-1]
            target = next(rest, None)
            if target is None:
                state[name] = 2
                path.pop()
            elif state.get(target) == 1:
                back.add((name, target))
            elif target not in state:
                state[target] = 1
                path.append((target, iter(onward[target])))
    return [((line.source, line.target), (line.source, line.target) in back) for line in lines]


def _rows(names: list[str], pairs: list[tuple[str, str]]) -> dict[str, int]:
    """Longest-path layering: even rows for the boxes, so that every edge runs down; the odd rows are for labels."""
    before = {name: {a for a, b in pairs if b == name} for name in names}
    after = {name: {b for a, b in pairs if a == name} for name in names}
    downwards = list(TopologicalSorter(before).static_order())
    row: dict[str, int] = {}
    for name in downwards:
        row[name] = max((row[other] + 2 for other in before[name]), default=0)
    for name in reversed(downwards):  # a box with more edges down than up moves closer to their targets
        if after[name] and len(after[name]) > len(before[name]):
            row[name] = max(row[name], min(row[other] for other in after[name]) - 2)
    return row


def _chain(items: list[RowItem], number: Mapping[str, int], line: DrawnEdge, back: bool) -> tuple[list[int], int]:
    """The dummy nodes of an edge from its upper to its lower box, one per row between, and the index of the one with
    the label.
    """
    upper, lower = number[line.source], number[line.target]
    if back:
        upper, lower = lower, upper
    chain = [upper]
    between = range(items[upper].row + 1, items[lower].row)
    labelled = between[len(between) // 2 if len(between) // 2 % 2 == 0 else len(between) // 2 - 1]
    label = 0
    for row in between:
        here = row == labelled
        size = (line.width + GAP / 2, line.height + GAP / 5, 4.0) if here else (4.0, 0.0, 2.0)
        items.append(RowItem(*size, row=row))
        chain.append(len(items) - 1)
        if here:
            label = len(items) - 1
    chain.append(lower)
    for a, b in itertools.pairwise(chain):
        items[a].down.append(b)
        items[b].up.append(a)
    return chain, label


# ---- coordinates -------------------------------------------------------------------------------


def _place_across(items: list[RowItem], rows: list[list[int]]) -> None:
    """Move items towards the mean of their neighbours, as far as the row allows; straighten long edges first."""
    for row in rows:
        x = 0.0
        for i in row:
            items[i].x = x
            x += items[i].width + GAP
    for turn in range(60):
        above, below = turn % 3 != 1, turn % 3 != 0
        for row in rows if above else reversed(rows):
            wanted, weights = [], []
            for i in row:
                item = items[i]
                near = (item.up if above else []) + (item.down if below else [])
                ats = [items[j].at for j in near]
                wanted.append((sum(ats) / len(ats) if ats else item.at) - item.line)
                weights.append(6.0 if item.box is None else 1.0)
            for i, x in zip(row, _spread([items[i].width for i in row], wanted, weights), strict=True):
                items[i].x = x


def _spread(widths: list[float], wanted: list[float], weights: list[float]) -> list[float]:
    """The positions without overlap closest to those wanted (pool adjacent violators)."""
    offsets, at = [], 0.0
    for width in widths:
        offsets.append(at)
        at += width + GAP
    groups: list[list[float]] = []  # weight, weighted sum, members
    for want, offset, weight in zip(wanted, offsets, weights, strict=True):
        groups.append([weight, weight * (want - offset), 1])
        while len(groups) > 1 and groups[-2][1] / groups[-2][0] > groups[-1][1] / groups[-1][0]:
            last = groups.pop()
            groups[-1] = [a + b for a, b in zip(groups[-1], last, strict=True)]
    starts = [total / weight for weight, total, members in groups for _ in range(int(members))]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]


def _place_down(items: list[RowItem], rows: list[list[int]]) -> None:
    """Place the rows below each other, each as high as its highest item; lower items are centred."""
    y = 0.0
    for number, row in enumerate(rows):
        height = max((items[i].height for i in row), default=0.0)
        for i in row:
            item = items[i]
            item.y = y if item.box is None else y + (height - item.height) / 2
            item.height = height if item.box is None else item.height
        y += height + (GAP if number % 2 == 0 or height else GAP / 2) * 0.8


def _ports(items: list[RowItem], frames: Mapping[str, float]) -> dict[tuple[int, int], float]:
    """Where each edge connects to its boxes: side by side, in the order of their other ends."""
    ports = {}
    for i, item in enumerate(items):
        if item.box is None:
            continue
        for near in (item.up, item.down):
            edges = sorted(near, key=lambda j: items[j].at)
            left, width = item.x + CORNER, frames[item.box] - 2 * CORNER
            for at, j in enumerate(edges):
                alone = min(max(items[j].at, left), left + width)
                ports[i, j] = alone if len(edges) == 1 else left + width * (at + 0.5) / len(edges)
    return ports


# ---- Ordering the items of each row to reduce crossings ----------------------------------------

SWEEPS = 24
MOST = 400
"""Rows with more items than this are not searched for fewer crossings."""


@dataclass(slots=True)
class RowItem:
    """An item of a row: a box, or a dummy node of an edge.

    ``line`` is where its edges run, from its left side; ``frame`` the height of the frame to which they connect,
    vertically centred.
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
        """The line of its edges."""
        return self.x + self.line


def _ordered(items: list[RowItem]) -> list[list[int]]:
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


def _walked(items: list[RowItem]) -> list[int]:
    """The items in depth-first order, which keeps neighbours close."""
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


def _swap(items: list[RowItem], rows: list[list[int]], place: dict[int, int]) -> None:
    """Swap neighbours while that removes a crossing."""
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


def _pair(items: list[RowItem], place: Mapping[int, int], a: int, b: int) -> int:
    """The number of crossings between the edges of two neighbours if the first is on the left."""
    count = 0
    for mine, other in ((items[a].up, items[b].up), (items[a].down, items[b].down)):
        count += sum(place[i] > place[j] for i in mine for j in other)
    return count


def _crossings(items: list[RowItem], rows: list[list[int]]) -> int:
    count = 0
    place = {i: at for row in rows for at, i in enumerate(row)}
    for row in rows:
        edges = [place[j] for i in row for j in sorted(items[i].down, key=place.__getitem__)]
        count += sum(a > b for at, a in enumerate(edges) for b in edges[at + 1 :])
    return count


# ---- Routing the edges between the boxes, as straight as the gaps in the rows allow --------------


def _corridors(items: Sequence[RowItem], rows: Sequence[Sequence[int]]) -> dict[int, tuple[float, float]]:
    """Each item with its corridor: half of the gaps to its neighbours."""
    found = {}
    for row in rows:
        for at, i in enumerate(row):
            left, right = -_FAR, _FAR
            if at:
                other = items[row[at - 1]]
                left = (other.x + other.width + items[i].x) / 2
            if at + 1 < len(row):
                right = (items[i].x + items[i].width + items[row[at + 1]].x) / 2
            found[i] = (left, right)
    return found


def _stops(items: Sequence[RowItem], chain: Sequence[int], room: Mapping[int, tuple[float, float]]) -> list[_Stop]:
    """The points of an edge in the rows between its boxes; the one with its label has room to the right."""
    found: list[_Stop] = []
    for i in chain:
        item = items[i]
        left, right = room[i]
        if item.height:
            right -= item.width - (item.at - item.x)
        heights = (item.y, item.y + item.height) if item.height else (item.y,)
        found += [((item.at, y), left + 2, max(right - 2, item.at)) for y in heights]
    return found


def _straightened(first: _Point, between: Sequence[_Stop], last: _Point) -> list[_Point]:
    """Return a minimal subset of the points: each segment goes as far as it can within the corridors."""
    path = [(first, -_FAR, _FAR), *between, (last, -_FAR, _FAR)]
    found, at = [first], 0
    while at < len(path) - 1:
        at = next(far for far in range(len(path) - 1, at, -1) if far == at + 1 or _free(path, at, far))
        found.append(path[at][0])
    return found


def _free(path: Sequence[_Stop], start: int, end: int) -> bool:
    (x, y), (to_x, to_y) = path[start][0], path[end][0]
    if to_y <= y or abs(to_x - x) > 2.5 * (to_y - y):
        return False
    for (_, here), left, right in path[start + 1 : end]:
        if not left <= x + (to_x - x) * (here - y) / (to_y - y) <= right:
            return False
    return True


def _across(route: Sequence[_Point], top: float, foot: float) -> float:
    """The rightmost coordinate of a downward route between two heights."""
    found = -_FAR
    for (x, y), (to_x, to_y) in itertools.pairwise(route):
        high, low = max(top, y), min(foot, to_y)
        if high <= low and y < to_y:
            found = max(found, *(x + (to_x - x) * (here - y) / (to_y - y) for here in (high, low)))
    return found if found > -_FAR else route[0][0]

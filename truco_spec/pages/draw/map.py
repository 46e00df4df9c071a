"""The map of a drawing: its phases in a grid, as near to each other as their rules lead, to be read as a whole."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

from truco_spec.pages.draw.picture import ANYWHERE, COLOURS, Picture
from truco_spec.pages.draw.svg import FONT, escaped, width_of, wrapped

WIDE, HIGH = 1200, 540
"""The size of a map: at a laptop's window it is shown whole, and its text in its own size."""
TEXT, LINE, PADDING, CURVE = 12, 14.0, 7.0, 0.16
ACROSS = 6
"""Phases in a row at most."""

_Cell = tuple[int, int]


def map_of(picture: Picture, to: Callable[[str], str]) -> str:
    """The map as SVG. ``to`` gives the address of a phase; ``data-rules`` of an arrow are its rules."""
    cells = _placed(picture)
    rows = max(row for row, _ in cells.values()) + 1
    step = (WIDE / ACROSS, HIGH / rows)
    at = {name: ((column + 0.5) * step[0], (row + 0.5) * step[1]) for name, (row, column) in cells.items()}
    sizes = {place.name: _size(place.sentence, step[0] - 34) for place in picture.places}
    size = f'viewBox="0 0 {WIDE} {HIGH}" font-family="{FONT}" font-size="{TEXT}"'
    tip = 'viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" orient="auto"'
    tip += ' markerUnits="userSpaceOnUse"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}><title>{escaped(picture.title)}</title>',
        f'<defs><marker id="onward" {tip}><path d="M0,1 L10,5 L0,9 z" fill="context-stroke"/></marker></defs>',
    ]
    for edge in picture.edges:
        if edge.source != edge.target:
            path = _arrow(at[edge.source], at[edge.target], sizes[edge.target])
            rules = " ".join(dict.fromkeys(label.rule for label in edge.labels))
            ends = f'data-from="{escaped(edge.source)}" data-to="{escaped(edge.target)}"'
            parts.append(
                f'<path d="{path}" data-rules="{escaped(rules)}" {ends} fill="none" '
                f'stroke="{COLOURS[edge.shape]}" marker-end="url(#onward)"/>'
            )
    for place in picture.places:
        parts += _box(place.name, place.sentence, place.frame, at[place.name], sizes[place.name], step[0] - 34, to)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _placed(picture: Picture) -> dict[str, _Cell]:
    """A cell (row, column) for each phase: rows that turn back, then exchanged while arrows get shorter."""
    names = [place.name for place in picture.places]
    full = -(-len(names) // ACROSS) * ACROSS
    cells = [(row, column if row % 2 == 0 else ACROSS - 1 - column) for row, column in map(_cell, range(full))]
    near: dict[int, set[int]] = {n: set() for n in range(full)}
    number = {name: n for n, name in enumerate(names)}
    for edge in picture.edges:
        one, other = number[edge.source], number[edge.target]
        if one != other:
            near[one].add(other)
            near[other].add(one)

    def cost(n: int) -> float:
        return sum(math.dist(cells[n], cells[other]) ** 2 for other in near[n])

    for _ in range(40):
        better = False
        for one, other in itertools.combinations(range(full), 2):
            before = cost(one) + cost(other)
            cells[one], cells[other] = cells[other], cells[one]
            if cost(one) + cost(other) < before - 1e-9:
                better = True
            else:
                cells[one], cells[other] = cells[other], cells[one]
        if not better:
            break
    if cells[names.index(ANYWHERE) + 1 if ANYWHERE in names else 0][1] >= ACROSS / 2:  # a game begins at the left
        cells = [(row, ACROSS - 1 - column) for row, column in cells]
    return dict(zip(names, cells, strict=False))


def _cell(n: int) -> _Cell:
    return divmod(n, ACROSS)


def _size(sentence: str, widest: float) -> tuple[float, float]:
    lines = wrapped(sentence, widest)
    return max(width_of(line) for line in lines) + 2 * PADDING, len(lines) * LINE + 2 * PADDING


def _arrow(start: tuple[float, float], end: tuple[float, float], size: tuple[float, float]) -> str:
    """A curve between two boxes, to the right of the straight line, up to the frame of the second."""
    (x, y), (to_x, to_y) = start, end
    bend_x, bend_y = (x + to_x) / 2 - (to_y - y) * CURVE, (y + to_y) / 2 + (to_x - x) * CURVE
    along = (bend_x - to_x, bend_y - to_y)
    reach = min(size[side] / 2 / abs(along[side]) for side in (0, 1) if along[side])
    tip = (to_x + along[0] * min(reach, 1), to_y + along[1] * min(reach, 1))
    return f"M{x:.0f},{y:.0f} Q{bend_x:.0f},{bend_y:.0f} {tip[0]:.0f},{tip[1]:.0f}"


def _box(
    name: str, sentence: str, frame: bool, at: tuple[float, float], size: tuple[float, float], widest: float,
    to: Callable[[str], str],
) -> Iterator[str]:  # fmt: skip
    (x, y), (width, height) = at, size
    fill = "#fff7e6" if frame else "#eef3f9" if name != ANYWHERE else "#f4eef8"
    lines: Sequence[str] = wrapped(sentence, widest)
    told = "".join(
        f'<tspan x="{x:.0f}" y="{y - height / 2 + PADDING + LINE * (n + 0.8):.1f}">{escaped(line)}</tspan>'
        for n, line in enumerate(lines)
    )
    dash = ' stroke-dasharray="6 3"' if frame else ""
    yield (
        f'<a href="{escaped(to(name))}" data-phase="{escaped(name)}"><rect x="{x - width / 2:.1f}" '
        f'y="{y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" rx="7" fill="{fill}" stroke="#333"{dash}/>'
        f'<text fill="#222" text-anchor="middle">{told}</text></a>'
    )

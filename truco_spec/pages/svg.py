"""A picture as SVG: self-contained, no external program, no network, no script. All text is escaped."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from truco_spec.base.harmless import printable
from truco_spec.base.words import say, spoken
from truco_spec.pages.layered import DrawnEdge, Laid, Size, lay_out
from truco_spec.pages.picture import (
    ANYWHERE,
    COLOURS,
    SHAPES,
    DrawnPhase,
    Edge,
    Label,
    Picture,
    first_shape,
    opening,
    told,
)

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
TITLE, NAME, TEXT = 20, 14, 12
LINE = 15.0
"""Line height in pixels."""
MARGIN = 28.0
PADDING = 8.0
"""Padding of a frame, above and below its text."""
WIDEST = 230.0
"""The width at which sentences are wrapped."""
RADIUS = 16.0
"""The radius of a rounded corner."""
MOST_LABELS = 7
FINGER = 14
"""The width of the pointer area of an arrow."""

_Point = tuple[float, float]

Led = Callable[[str], str]
"""Maps a rule to its address; empty if it has none."""


def nowhere(_: str) -> str:
    """No links: a stand-alone picture."""
    return ""


def svg(picture: Picture, to: Led = nowhere) -> str:
    """Draw the whole picture, ending in a line break. ``to`` makes links of the rules in it. In another language than
    English names of phases and options, which are English, are left out.
    """
    boxes = {place.name: _size(picture, place) for place in picture.places}
    edges = [edge for edge in picture.edges if edge.source != edge.target]
    lines = [DrawnEdge(edge.source, edge.target, *_label_size(edge.labels)) for edge in edges]
    laid = lay_out(boxes, lines)
    legend = _legend(picture)
    top = MARGIN + 2 * LINE + (LINE if picture.options else 0)
    width = max(laid.width + 2 * MARGIN, 640.0)
    height = top + laid.height + 2 * MARGIN + LINE * (len(legend) + 1)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{FONT}" font-size="{TEXT}">'
        ),
        f"<title>{escaped(picture.title)}</title>",
        *_markers(),
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        _line(MARGIN, MARGIN + TITLE / 2, picture.title, size=TITLE, weight="bold"),
    ]
    if picture.options and spoken().english:
        parts.append(_line(MARGIN, MARGIN + TITLE / 2 + LINE + 4, ", ".join(picture.options), fill="#666666"))
    parts.append(f'<g transform="translate({MARGIN:.1f} {top:.1f})">')
    for edge, route in zip(edges, laid.routes, strict=True):
        parts.append(_leading(_edge(edge, route), edge.labels, to))
    for edge, (x, y) in zip(edges, laid.labels, strict=True):
        parts += _labels(edge.labels, x, y, to)
    for place in picture.places:
        parts += _box(picture, place, boxes[place.name], laid, to)
    parts.append("</g>")
    for number, entry in enumerate(legend):
        parts.append(entry.replace("@y", f"{top + laid.height + 2 * MARGIN + number * LINE:.1f}"))
    return "\n".join([*parts, "</svg>"]) + "\n"


# ---- text --------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """Escape a text; control characters, which XML forbids, become question marks."""
    return escape(printable(text), quote=False).replace('"', "&quot;")


def width_of(text: str, size: float = TEXT) -> float:
    """The approximate width of a text in the usual sans-serif fonts."""
    units = 0.0
    for c in text:
        units += 0.3 if c in " .,:;'|!iljtf()[]-" else 0.86 if c in "mwMW@" else 0.7 if c.isupper() else 0.56
    return units * size * 1.12


def _line(
    x: float,
    y: float,
    text: str,
    *,
    size: int = TEXT,
    fill: str = "#222222",
    weight: str = "",
    style: str = "",
) -> str:
    more = (f' font-weight="{weight}"' if weight else "") + (f' font-style="{style}"' if style else "")
    sized = f' font-size="{size}"' if size != TEXT else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}"{sized}{more}>{escaped(text)}</text>'


def wrapped(text: str, widest: float = WIDEST) -> list[str]:
    """Wrap a text to this width, as far as its words allow."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer) > widest:
            lines.append(word)
        else:
            lines[-1] = longer
    return [line for line in lines if line]


# ---- boxes -------------------------------------------------------------------------------------


def _name(place: DrawnPhase) -> str:
    return place.name if spoken().english else ""


def _lines(place: DrawnPhase) -> list[str]:
    return wrapped(place.sentence)


def _frame(place: DrawnPhase) -> tuple[float, float]:
    """Width and height of the frame of a place."""
    wide = [width_of(line) for line in _lines(place)] + [width_of(_name(place), NAME) * 1.08]
    if place.opens:
        wide.append(width_of(opening(place)))
    rows = len(_lines(place)) + bool(_name(place)) + place.opens
    return max(wide) + 28, rows * LINE + 2 * PADDING


def _size(picture: Picture, place: DrawnPhase) -> Size:
    """The size of a node with the loops of the rules that stay."""
    width, height = _frame(place)
    loops = _loops(picture, place)
    if not loops:
        return Size(width, height, width, height)
    loop_width, loop_height = _label_size(loops)
    return Size(width + 26 + loop_width, max(height, loop_height + PADDING), width, height)


def _loops(picture: Picture, place: DrawnPhase) -> list[Label]:
    """The labels of rules that stay, or lead back at once; a verb appears once per shape."""
    labels = list(picture.stays.get(place.name, ()))
    for edge in picture.edges:
        if edge.source == edge.target == place.name:
            labels += edge.labels
    return labels


def _box(picture: Picture, place: DrawnPhase, size: Size, laid: Laid, to: Led) -> Iterator[str]:
    x, top = laid.boxes[place.name]
    width, height = _frame(place)
    y = top + (size.height - height) / 2
    plain = place.name != ANYWHERE
    fill = "#fff7e6" if place.frame else "#eef3f9" if plain else "#f4eef8"
    dash = ' stroke-dasharray="6 3"' if place.frame else ""
    loops = _loops(picture, place)
    if loops:
        yield from _loop(loops, x + width, top + size.height / 2, to)
    round_by = 7 if plain else height / 2
    yield (
        f'<rect id="phase-{escaped(place.name)}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="{round_by:.1f}" '
        f'fill="{fill}" stroke="#333333" stroke-width="{2 if place.opens else 1}"{dash}/>'
    )
    at = y + PADDING + LINE - 4
    if _name(place):
        yield _line(x + 14, at, place.name, size=NAME, weight="bold")
        at += LINE
    for line in _lines(place):
        yield _line(x + 14, at, line, fill="#444444")
        at += LINE
    if place.opens:
        yield _line(x + 14, at, opening(place), fill="#8a5a00", style="italic")


def _loop(labels: list[Label], x: float, y: float, to: Led) -> Iterator[str]:
    """A small arc to the right of a frame, with its labels."""
    colour = COLOURS[first_shape(labels)]
    arc = (
        f'<path d="M{x:.1f},{y - 7:.1f} c22,-14 22,28 2,14" fill="none" stroke="{colour}" stroke-width="1.3" '
        f'marker-end="url(#{_marker(first_shape(labels))})"/>'
    )
    yield _leading(arc, labels, to)
    yield from _labels(labels, x + 24, y - _label_size(labels)[1] / 2, to)


# ---- edges and labels --------------------------------------------------------------------------


def _told(labels: Iterable[Label]) -> list[tuple[str, str]]:
    """The lines of a label, up to a maximum."""
    lines = told(labels)
    if len(lines) <= MOST_LABELS:
        return lines
    return [
        *lines[: MOST_LABELS - 1],
        (lines[MOST_LABELS - 1][0], say("and {count} more", count=len(lines) - MOST_LABELS + 1)),
    ]


def _label_size(labels: Iterable[Label]) -> tuple[float, float]:
    told = _told(labels)
    return max((width_of(text) for _, text in told), default=0.0), LINE * len(told)


def _labels(labels: Iterable[Label], x: float, y: float, to: Led) -> Iterator[str]:
    labels = list(labels)
    same: dict[tuple[str, str], list[Label]] = {}
    for label in labels:
        same.setdefault((label.shape, label.text), []).append(label)
    shown = _told(labels)
    left = [label for pair in told(labels) if pair not in shown for label in same[pair]]
    for number, (shape, text) in enumerate(shown):
        here = same.get((shape, text), left)
        line = _line(x, y + LINE * number + LINE - 4, text, fill=COLOURS[shape])
        line = line.replace("</text>", f"{_title(here)}</text>")
        address = next(filter(None, (to(label.rule) for label in here)), "")
        yield f'<a href="{escaped(address)}">{line}</a>' if address else line


def _title(labels: Iterable[Label]) -> str:
    return f"<title>{escaped(', '.join(dict.fromkeys(label.said for label in labels)))}</title>"


def _edge(edge: Edge, route: list[_Point]) -> str:
    dash = ' stroke-dasharray="5 4"' if edge.back else ""
    return (
        f'<path d="{_rounded(route)}" fill="none" stroke="{COLOURS[edge.shape]}" stroke-width="1.3"{dash} '
        f'marker-end="url(#{_marker(edge.shape)})"/>'
    )


def _rounded(route: list[_Point]) -> str:
    """The route as an SVG path with rounded corners."""
    path = f"M{route[0][0]:.1f},{route[0][1]:.1f}"
    for before, corner, after in zip(route, route[1:], route[2:], strict=False):
        into, out = _toward(corner, before), _toward(corner, after)
        path += f" L{into[0]:.1f},{into[1]:.1f} Q{corner[0]:.1f},{corner[1]:.1f} {out[0]:.1f},{out[1]:.1f}"
    return f"{path} L{route[-1][0]:.1f},{route[-1][1]:.1f}"


def _toward(start: _Point, end: _Point) -> _Point:
    """The point where the curve round a corner at ``start`` meets the line to ``end``."""
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    part = min(0.5, RADIUS / length) if length else 0.0
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _leading(path: str, labels: Iterable[Label], to: Led) -> str:
    """An arrow with the link of its first label, wide enough for a finger.

    For pointers only: keyboards and screen readers use the label.
    """
    labels = list(labels)
    address = next(filter(None, (to(label.rule) for label in labels)), "")
    if not address:
        return path
    wide = re.sub(r' stroke="[^"]*" stroke-width="[^"]*"', f' stroke="transparent" stroke-width="{FINGER}"', path)
    wide = re.sub(r' (marker-end|stroke-dasharray)="[^"]*"', "", wide)
    return (
        f'<a href="{escaped(address)}" class="arrow" tabindex="-1" aria-hidden="true">{_title(labels)}{wide}{path}</a>'
    )


def _marker(shape: str) -> str:
    return "to-" + shape.replace(" ", "-")


def _markers() -> Iterator[str]:
    yield "<defs>"
    for shape, colour in COLOURS.items():
        yield (
            f'<marker id="{_marker(shape)}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
            f'orient="auto-start-reverse"><path d="M0,1 L10,5 L0,9 z" fill="{colour}"/></marker>'
        )
    yield "</defs>"


def _legend(picture: Picture) -> list[str]:
    """The lines below the picture; ``@y`` is the placeholder for their positions."""
    used = {label.shape for edge in picture.edges for label in edge.labels}
    used |= {label.shape for labels in picture.stays.values() for label in labels}
    lines = []
    x, spans = MARGIN, []
    for shape, meaning in SHAPES.items():
        if shape in used:
            meant = escaped(f"\N{BLACK RIGHT-POINTING TRIANGLE} {say(meaning)}")
            spans.append(f'<text x="{x:.1f}" y="@y" fill="{COLOURS[shape]}">{meant}</text>')
            x += width_of(say(meaning)) + 44
    lines.append("".join(spans))
    frames = say("a dashed box lies on the phase that it interrupts; a dashed line goes back to it; a loop stays")
    lines.append(f'<text x="{MARGIN:.1f}" y="@y" fill="#666666">{escaped(frames)}</text>')
    if picture.hidden and spoken().english:
        hidden = say("not reached under these options: {names}", names=", ".join(picture.hidden))
        lines += [
            f'<text x="{MARGIN:.1f}" y="@y" fill="#666666">{escaped(line)}</text>'
            for line in wrapped(hidden, 2.6 * WIDEST)
        ]
    return lines


# ---- The map of a drawing: its phases in a grid, as near to each other as their rules lead ----------

WIDE, HIGH = 1200, 540
"""The size of a map: at a laptop's window it is shown whole, and its text in its own size."""
MAP_LINE, MAP_PADDING, CURVE = 14.0, 7.0, 0.16
ACROSS = 6
"""Phases in a row at most."""

_Cell = tuple[int, int]


def map_of(picture: Picture, to: Callable[[str], str]) -> str:
    """The map as SVG. ``to`` gives the address of a phase; ``data-rules`` of an arrow are its rules."""
    cells = _placed(picture)
    rows = max(row for row, _ in cells.values()) + 1
    step = (WIDE / ACROSS, HIGH / rows)
    at = {name: ((column + 0.5) * step[0], (row + 0.5) * step[1]) for name, (row, column) in cells.items()}
    sizes = {place.name: _cell_size(place.sentence, step[0] - 34) for place in picture.places}
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
        parts += _map_box(place.name, place.sentence, place.frame, at[place.name], sizes[place.name], step[0] - 34, to)
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


def _cell_size(sentence: str, widest: float) -> tuple[float, float]:
    lines = wrapped(sentence, widest)
    return max(width_of(line) for line in lines) + 2 * MAP_PADDING, len(lines) * MAP_LINE + 2 * MAP_PADDING


def _arrow(start: tuple[float, float], end: tuple[float, float], size: tuple[float, float]) -> str:
    """A curve between two boxes, to the right of the straight line, up to the frame of the second."""
    (x, y), (to_x, to_y) = start, end
    bend_x, bend_y = (x + to_x) / 2 - (to_y - y) * CURVE, (y + to_y) / 2 + (to_x - x) * CURVE
    along = (bend_x - to_x, bend_y - to_y)
    reach = min(size[side] / 2 / abs(along[side]) for side in (0, 1) if along[side])
    tip = (to_x + along[0] * min(reach, 1), to_y + along[1] * min(reach, 1))
    return f"M{x:.0f},{y:.0f} Q{bend_x:.0f},{bend_y:.0f} {tip[0]:.0f},{tip[1]:.0f}"


def _map_box(
    name: str, sentence: str, frame: bool, at: tuple[float, float], size: tuple[float, float], widest: float,
    to: Callable[[str], str],
) -> Iterator[str]:  # fmt: skip
    (x, y), (width, height) = at, size
    fill = "#fff7e6" if frame else "#eef3f9" if name != ANYWHERE else "#f4eef8"
    lines: Sequence[str] = wrapped(sentence, widest)
    told = "".join(
        f'<tspan x="{x:.0f}" y="{y - height / 2 + MAP_PADDING + MAP_LINE * (n + 0.8):.1f}">{escaped(line)}</tspan>'
        for n, line in enumerate(lines)
    )
    dash = ' stroke-dasharray="6 3"' if frame else ""
    yield (
        f'<a href="{escaped(to(name))}" data-phase="{escaped(name)}"><rect x="{x - width / 2:.1f}" '
        f'y="{y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" rx="7" fill="{fill}" stroke="#333"{dash}/>'
        f'<text fill="#222" text-anchor="middle">{told}</text></a>'
    )

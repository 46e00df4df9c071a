"""A picture as text for other programs: Graphviz dot and Mermaid. Spec text cannot escape its label."""

from __future__ import annotations

from collections.abc import Iterable

from truco_spec.base.harmless import printable
from truco_spec.pages.draw.picture import ANYWHERE, SHAPES, DrawnPhase, Label, Picture

COLOURS = {
    "may": "#1f5fa8",
    "must": "#b45f06",
    "must not": "#b3261e",
    "on": "#0b7a75",
    "auto": "#555555",
    "once": "#7a3e9d",
}
"""The colour of each shape of rule, in all formats."""


def told(labels: Iterable[Label]) -> list[tuple[str, str]]:
    """Shape and text of each line of a label: each text once per shape, in the order of the shapes."""
    return sorted(
        dict.fromkeys((label.shape, label.text) for label in labels), key=lambda pair: list(SHAPES).index(pair[0])
    )


def opening(place: DrawnPhase) -> str:
    """The line for the data initialised with a phase."""
    return f"begins a {place.name}" + (f" of the {place.within}" if place.within else "") if place.opens else ""


def _marked(labels: Iterable[Label]) -> list[str]:
    """The lines of a label in a single colour: forbidden ones are marked."""
    return [f"must not {text}" if shape == "must not" else text for shape, text in told(labels)]


def _all_edges(picture: Picture) -> list[tuple[str, str, str, bool, list[str]]]:
    """(source, target, shape, back, lines) of every edge; the rules that stay are loops."""
    found = [(edge.source, edge.target, edge.shape, edge.back, _marked(edge.labels)) for edge in picture.edges]
    for name, labels in picture.stays.items():
        for shape in SHAPES:
            some = [label for label in labels if label.shape == shape]
            if some:
                found.append((name, name, shape, False, _marked(some)))
    return found


def _node_lines(place: DrawnPhase) -> list[str]:
    return [line for line in (place.name, place.sentence, opening(place)) if line]


# ---- dot ---------------------------------------------------------------------------------------


def dot(picture: Picture) -> str:
    """The picture for Graphviz."""
    number = {place.name: f"p{i}" for i, place in enumerate(picture.places)}
    lines = [
        "digraph rules {",
        f"  label={_quoted([picture.title, ', '.join(picture.options)])}; labelloc=t; fontsize=18;",
        '  graph [fontname="Helvetica"]; edge [fontname="Helvetica", fontsize=10];',
        '  node [fontname="Helvetica", fontsize=11, shape=box, style="rounded,filled", fillcolor="#eef3f9"];',
    ]
    for place in picture.places:
        more = ', style="rounded,filled,dashed", fillcolor="#fff7e6"' if place.frame else ""
        more += ", penwidth=2" if place.opens else ""
        more += ", shape=oval" if place.name == ANYWHERE else ""
        lines.append(f"  {number[place.name]} [label={_quoted(_node_lines(place))}{more}];")
    for source, target, shape, back, label in _all_edges(picture):
        colour = COLOURS[shape]
        dashed = ", style=dashed" if back else ""
        drawn = f'label={_quoted(label)}, color="{colour}", fontcolor="{colour}"{dashed}'
        lines.append(f"  {number[source]} -> {number[target]} [{drawn}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(lines: Iterable[str]) -> str:
    """Lines as one dot string. Backslashes and quotes are escaped; nothing else is special in it."""
    kept = [printable(line) for line in lines if line]
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in kept]
    return '"' + "\\n".join(escaped) + '"'


# ---- mermaid -----------------------------------------------------------------------------------


def mermaid(picture: Picture) -> str:
    """The picture for Mermaid, as embedded in Markdown."""
    number = {place.name: f"p{i}" for i, place in enumerate(picture.places)}
    title = _plain(picture.title)
    lines = [f"%% {title}", "flowchart TD"]
    for place in picture.places:
        left, right = ("([", "])") if place.name == ANYWHERE else ("[", "]")
        lines.append(f'  {number[place.name]}{left}"{_joined(_node_lines(place))}"{right}')
    edges = _all_edges(picture)
    for source, target, _, back, label in edges:
        lines.append(f'  {number[source]} {"-.->" if back else "-->"}|"{_joined(label)}"| {number[target]}')
    for shape, colour in COLOURS.items():
        mine = [str(i) for i, edge in enumerate(edges) if edge[2] == shape]
        if mine:
            lines.append(f"  linkStyle {','.join(mine)} stroke:{colour},color:{colour}")
    frames = [number[place.name] for place in picture.places if place.frame]
    if frames:
        lines += ["  classDef frame fill:#fff7e6,stroke-dasharray:6 3", f"  class {','.join(frames)} frame"]
    return "\n".join(lines) + "\n"


def _joined(lines: Iterable[str]) -> str:
    return "<br>".join(_plain(line) for line in lines)


def _plain(text: str) -> str:
    """Text with every character special to Mermaid or HTML as a numeric entity."""
    return "".join(c if c.isalnum() or c in " .,!?-" else f"#{ord(c)};" if c.isprintable() else " " for c in text)

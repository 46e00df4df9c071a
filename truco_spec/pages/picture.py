"""The content of a drawing: phases, and the rules that lead from one to another or stay; and as dot and Mermaid.
Sentences are in the language that is spoken; names are as they are written.

Rules that can never apply under the options, and unreachable phases, are left out.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import printable
from truco_spec.base.words import Sentence, hinted, say, spoken, suggestion
from truco_spec.graph import fold
from truco_spec.graph.fold import specialise
from truco_spec.graph.model import Graph, Rule, Way
from truco_spec.graph.walk import reached, ways
from truco_spec.language.diagnostics import nearest

SHAPES = {
    "may": "may be done",
    "must": "must be done",
    "must not": "forbidden, at a price",
    "on": "follows from an action",
    "auto": "happens of itself",
    "once": "happens at once",
}
"""The shapes of rules and their meanings, in display order."""

COLOURS = {
    "may": "#1f5fa8",
    "must": "#b45f06",
    "must not": "#b3261e",
    "on": "#0b7a75",
    "auto": "#555555",
    "once": "#7a3e9d",
}
"""The colour of each shape of rule, in all formats."""

_HOLE = re.compile(r"\{([^{}]*)\}")

SHORT = 32
"""The most characters of a sentence used instead of the name of a rule."""

ANYWHERE = ""
"""The name of the node that stands for any phase."""


@dataclass(frozen=True, slots=True)
class DrawnPhase:
    """A phase as drawn. ``frame``: it lies on top of others; ``opens``: the data initialised with it."""

    name: str
    sentence: str
    frame: bool
    opens: bool
    within: str


@dataclass(frozen=True, slots=True)
class Label:
    """A label of an edge: verbs of a rule of some shape, or the name of a rule without any; in another language than
    English the beginning of its sentence. ``said`` is its name, or its whole sentence.
    """

    shape: str
    text: str
    rule: str
    said: str


@dataclass(slots=True)
class Edge:
    """An edge between two nodes; ``back``: it returns to the phase below a frame."""

    source: str
    target: str
    back: bool
    labels: list[Label] = field(default_factory=list)

    @property
    def shape(self) -> str:
        """The shape of its first label."""
        return first_shape(self.labels)


@dataclass(frozen=True, slots=True)
class Picture:
    """The content of a drawing. ``stays`` are the rules of a node that lead nowhere else; ``hidden`` the phases left
    out.
    """

    title: str
    options: tuple[str, ...]
    places: tuple[DrawnPhase, ...]
    edges: tuple[Edge, ...]
    stays: dict[str, tuple[Label, ...]]
    hidden: tuple[str, ...]


def picture_of(graph: Graph, phase: str = "") -> Picture:
    """The picture of a graph, or of one phase and its neighbours."""
    special = specialise(graph)
    edges: dict[tuple[str, str, bool], Edge] = {}
    stays: dict[str, dict[Label, None]] = {}
    for rule in special.rules.values():
        if fold.is_no(rule.when):
            continue
        for here in rule.phases or (ANYWHERE,):
            found = list(_targets(special, rule, here))
            for target, back in found:
                edge = edges.setdefault((here, target, back), Edge(here, target, back))
                edge.labels += [label for label in _labels(special, rule) if label not in edge.labels]
            if not found and here != ANYWHERE and rule.shape != "on":
                stays.setdefault(here, {}).update(dict.fromkeys(_labels(special, rule)))
    kept = _reached(special, list(edges.values()))
    if phase:
        beside = {
            end for edge in edges.values() for end in (edge.source, edge.target) if phase in (edge.source, edge.target)
        }
        kept = {name for name in kept if name in beside} | {phase}
    drawn = [edge for edge in edges.values() if edge.source in kept and edge.target in kept]
    if phase:
        drawn = [edge for edge in drawn if phase in (edge.source, edge.target)]
    title = spoken().rules(graph.title)
    return Picture(
        f"{title}: {phase}" if phase else title,
        tuple(f"{option.name} {option.value}" for option in graph.options.values() if option.set_by),
        tuple(_places(graph, kept)),
        tuple(drawn),
        {name: tuple(labels) for name, labels in stays.items() if name in kept and phase in ("", name)},
        () if phase else tuple(name for name in graph.phases if name not in kept),
    )


def _places(graph: Graph, kept: set[str]) -> Iterator[DrawnPhase]:
    opening = {datum.fresh for datum in graph.data.values()}
    if ANYWHERE in kept:
        yield DrawnPhase(ANYWHERE, say("at any time"), False, False, "")
    for name, phase in graph.phases.items():
        if name in kept:
            yield DrawnPhase(
                name, _said(graph, phase.source.prose), bool(phase.interrupts), name in opening, phase.within
            )


def _said(graph: Graph, prose: str) -> str:
    """The sentence of a phase for a drawing without players: *the dealer* for ``{dealer}``; of an option, its value."""
    roles = roles_in(graph, prose)

    def filled(hole: re.Match[str]) -> str:
        if hole[1] in roles:
            return say(roles[hole[1]])
        if option := graph.options.get(hole[1]):
            return spoken().rules.value(option.name, option.value)
        return hole[1].replace("-", " ") if spoken().english else "…"

    told = _HOLE.sub(filled, spoken().rules(prose))
    return told[:1].upper() + told[1:]


def roles_in(graph: Graph, prose: str) -> dict[str, str]:
    """The placeholders of a sentence that a player or a team fills, and what these are called without a name."""
    named = {name: graph.data.get(name) or graph.defines.get(name) for name in _HOLE.findall(prose)}
    return {
        name: f"the {name.rpartition('.')[2].replace('-', ' ')}"
        for name, found in named.items()
        if found is not None and found.type.base in ("seat", "team")
    }


def _targets(graph: Graph, rule: Rule, here: str) -> Iterator[tuple[str, bool]]:
    """The targets of a rule from here, without repetition."""
    found: dict[tuple[str, bool], None] = {}
    for way in ways(graph, (*rule.do, *rule.lest)):
        for target in _ends(graph, way, here):
            found[(target, way.word == "resume")] = None
    yield from found


def _ends(graph: Graph, way: Way, here: str) -> tuple[str, ...]:
    """The targets of a transition; ``resume`` leads to every phase that the frame may lie on."""
    if way.word != "resume":
        return (way.phase,)
    return graph.phases[here].interrupts if here in graph.phases else ()


def _labels(graph: Graph, rule: Rule) -> list[Label]:
    said = rule.name if spoken().english or not rule.source.prose else _said(graph, rule.source.prose)
    if not rule.verbs:
        return [Label(rule.shape, textwrap.shorten(said, SHORT, placeholder=" …"), rule.name, said)]
    by = f"{say(rule.outsider)}: " if rule.outsider else ""
    return [Label(rule.shape, by + _act(graph, verb.action), rule.name, said) for verb in rule.verbs]


def _act(graph: Graph, action: str) -> str:
    """An action by its name; in another language as it is written in a log, with nothing said of what varies."""
    if spoken().english:
        return action
    kind = graph.actions[action]
    told = _HOLE.sub("", kind.written[0]).strip()
    if not any(letter.isalpha() for letter in told):  # a card is written as its name alone
        cards = {param.name for param in kind.params if param.type.base == "card"}
        told = _HOLE.sub(lambda hole: say("card") if hole[1] in cards else "", kind.written[0]).strip()
    return spoken().rules.moves(told) or action


def _reached(graph: Graph, edges: list[Edge]) -> set[str]:
    """The reachable phases, and ANYWHERE if something starts from there."""
    onward: dict[str, list[str]] = {}
    for edge in edges:
        onward.setdefault(edge.source, []).append(edge.target)
    return reached(onward, [*list(graph.phases)[:1], *([ANYWHERE] if ANYWHERE in onward else [])])


# ---- As text for other programs: Graphviz dot and Mermaid. Spec text cannot escape its label ---------


def told(labels: Iterable[Label]) -> list[tuple[str, str]]:
    """Shape and text of each line of a label: each text once per shape, in the order of the shapes."""
    return sorted(
        dict.fromkeys((label.shape, label.text) for label in labels), key=lambda pair: list(SHAPES).index(pair[0])
    )


def first_shape(labels: Iterable[Label]) -> str:
    """The shape of the first of these labels, in the order of the shapes."""
    return min((label.shape for label in labels), key=list(SHAPES).index)


def opening(place: DrawnPhase) -> str:
    """The line for the data initialised with a phase."""
    if not place.opens:
        return ""
    form = "begins a {part} of the {whole}" if place.within else "begins a {part}"
    return say(form, part=say(place.name), whole=say(place.within))


def _marked(labels: Iterable[Label]) -> list[str]:
    """The lines of a label in a single colour: forbidden ones are marked."""
    return [say("must not {move}", move=text) if shape == "must not" else text for shape, text in told(labels)]


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


# ---- One of several formats -------------------------------------------------------------------------
#
# In: a graph. Out: a text in one of these formats, whose module is imported on demand. Begin with ``picture``.

FORMS = ("dot", "svg", "mermaid", "json")
"""The formats of a drawing."""


class DrawError(TrucoError):
    """Unknown phase or format."""


def draw(graph: Graph, form: str, *, core: bool = False, phase: str = "") -> str:
    """Draw the graph in one of :data:`FORMS`, ending in a line break; with ``core`` as text of the rules language
    instead.

    ``phase`` restricts the drawing to one phase and its neighbours. Raises :class:`DrawError`.
    """
    if core:
        from truco_spec.pages.rules_text import core_text

        return core_text(graph)
    if form not in FORMS:
        raise DrawError(Sentence("There is no form “{name}”; there are {known}.", name=form, known=FORMS))
    if phase and phase not in graph.phases:
        near = nearest(phase, graph.phases)
        wrong = Sentence("{game} has no phase “{name}”.", game=graph.name, name=phase)
        hint = Sentence("There are: {names}.", names=tuple(graph.phases))
        raise DrawError(hinted(wrong, suggestion(near, hint)))
    if form == "json":
        import json

        from truco_spec.pages.rules_text import data_of

        return json.dumps(data_of(graph), indent=1, ensure_ascii=False) + "\n"

    picture = picture_of(graph, phase)
    if form == "svg":
        from truco_spec.pages.svg import svg

        return svg(picture)
    return dot(picture) if form == "dot" else mermaid(picture)

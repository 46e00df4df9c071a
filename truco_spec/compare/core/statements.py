"""A graph as a list of statements comparable with those of another graph.

Compared are texts of the rules language with options folded, so that values mean the same in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from truco_spec.base import shipped
from truco_spec.engine.text import told
from truco_spec.graph.groups import SEEN
from truco_spec.graph.model import NEVER, Graph, Source
from truco_spec.language.tree import Span
from truco_spec.pages.draw.graph_data import data_of, place_of

Key: TypeAlias = tuple[str, str]
"""The kind and the name of a statement."""

ABOUT = frozenset(["name", "prose", "cites", "lineage", "construct", "file", "line"])
"""The parts common to all statements."""

KINDS = {
    "data": "datum",
    "phases": "phase",
    "actions": "action",
    "tables": "table",
    "rules": "rule",
    "decisions": "decision",
    "refusals": "refuse",
}


@dataclass(frozen=True, slots=True)
class ComparedStatement:
    """One statement: ``parts`` are its clauses by name, as texts; ``file`` and ``line`` are where it stands.

    ``chapter`` is the chapter of the rules that it belongs to (``spec/rulebook.yaml``).
    """

    kind: str
    name: str
    parts: Mapping[str, str]
    sentence: str
    cites: tuple[str, ...]
    lineage: tuple[str, ...]
    construct: str
    file: str
    line: int
    chapter: str

    @property
    def key(self) -> Key:
        """Its kind and name."""
        return self.kind, self.name

    @property
    def place(self) -> tuple[str, int]:
        """Its file and line."""
        return self.file, self.line


def statements(graph: Graph) -> dict[Key, ComparedStatement]:
    """Every statement of a graph, in the order of the kinds and of the text."""
    return {found.key: found for found in _all(graph)}


def _all(graph: Graph) -> Iterator[ComparedStatement]:
    data = data_of(graph)
    for option in data["options"]:
        parts = {"value": option["value"], "values": " | ".join(option["values"])}
        yield _made(graph, "option", option, parts)
    cited = {name.split(" ")[-1]: (kind, source) for kind, name, source in graph.cites}
    for kind, name, source in graph.cites:
        if kind in ("order", "seats", "deck"):
            yield _named(graph, kind, name.split(" ")[-1], source)
    for name in graph.orders:
        construct = name.rpartition(".")[0]
        if name not in cited and construct in cited:  # the words of a construct
            yield _named(graph, "order", name, replace(cited[construct][1], construct=construct))
    seen = {define["name"]: define["answers"][0]["value"] for define in data["defines"]}
    for plural, kind in KINDS.items():
        for item in data[plural]:
            if kind == "datum" and item["name"] == graph.pack:
                continue  # i.e. the deck
            by = {"seen by": seen[item["name"] + SEEN]} if kind == "datum" and item["name"] + SEEN in seen else {}
            yield _made(graph, kind, item, {**_parts(item), **by})
    for define in data["defines"]:
        if define["name"].startswith(NEVER):
            continue  # derived from the others
        yield from _ways(graph, "define", define, define["answers"])
    for effect in data["effects"]:
        yield from _ways(graph, "effect", effect, effect["turns"])


def _ways(
    graph: Graph, kind: str, whole: Mapping[str, Any], ways: Iterable[Mapping[str, Any]]
) -> Iterator[ComparedStatement]:
    """The base of a question or effect, and its exceptions. The type of a question follows from its answers."""
    for way in ways:
        if way["name"].endswith(SEEN) and way["name"].removesuffix(SEEN) in graph.data:
            continue  # shown with its datum
        parts = _parts(way)
        if way["name"] == whole["name"]:
            parts = {"params": _text(whole["params"]), **parts} if whole["params"] else parts
        else:
            parts = {"of": whole["name"], **parts}
        yield _made(graph, kind, way, parts)


def _named(graph: Graph, kind: str, name: str, source: Source) -> ComparedStatement:
    """The global parts of the graph: an order, the seats, the deck."""
    if kind == "order":
        parts = {"from the lowest": " < ".join(graph.orders.get(name, ()))}
    elif kind == "seats":
        parts = {"players": str(graph.seats), "teams": str(graph.teams)}
    else:
        cards = [card.name for card in graph.cards if card.present]
        parts = {"number": str(len(cards)), "cards": " ".join(cards)}
    about = {
        "name": name,
        "prose": source.prose,
        "cites": [f"{cite.source}:{cite.clause}" for cite in source.cites],
        "lineage": source.lineage,
        "construct": source.construct,
        "file": place_of(source.span.file),
        "line": source.span.line,
    }
    return _made(graph, kind, about, parts)


def _made(graph: Graph, kind: str, item: Mapping[str, Any], parts: Mapping[str, str]) -> ComparedStatement:
    return ComparedStatement(
        kind=kind,
        name=item["name"],
        parts=parts,
        sentence=told(graph, item["prose"] or item.get("reading", "")),
        cites=tuple(item["cites"]),
        lineage=tuple(item["lineage"]),
        construct=item["construct"],
        file=item["file"],
        line=item["line"],
        chapter=chapter_of(item["name"], item["construct"], item["file"], item["line"]),
    )


@lru_cache(maxsize=4096)
def chapter_of(name: str, construct: str, file: str, line: int) -> str:
    """The title of the chapter of a statement, by where it stands."""
    from truco_spec.graph.plan import plan

    path = str(shipped.folder("spec").parent / file) if file.startswith("spec/") else file
    source = Source(Span(path, line, 1, line, 1, 0, 0), "", (), (), construct)
    chapter, _ = plan().chapter_of(name, source)
    return chapter.title


def _parts(item: Mapping[str, Any]) -> dict[str, str]:
    return {name: text for name, value in item.items() if name not in ABOUT and (text := _text(value))}


def _text(value: Any) -> str:
    """A clause as one text; nothing for a clause that is not there."""
    if isinstance(value, dict):
        return str(value.get("text", ""))
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, (list, tuple)):
        if value and isinstance(value[0], dict):
            return ", ".join(f"{item['name']} : {item['type']['text']}" for item in value)
        rows = [f"| {' | '.join(item)} |" if isinstance(item, list) else str(item) for item in value]
        return ", ".join(rows)
    return "" if value is None else str(value)

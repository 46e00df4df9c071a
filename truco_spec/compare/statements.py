"""A graph as a list of statements comparable with those of another graph, and the differences of two graphs.

Compared are texts of the rules language with options folded, so that values mean the same in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from truco_spec.base import shipped
from truco_spec.engine.text import told
from truco_spec.graph.model import CLOSED, NEVER, OBSERVED, SEEN, Graph, Source
from truco_spec.language.diagnostics import Span
from truco_spec.pages.rules_text import about, data_of

if TYPE_CHECKING:  # a book whose examples are known reads no texts
    from truco_spec.graph.link import Chain
    from truco_spec.language import tree as t

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
    """One statement: ``parts`` are its clauses by name, as texts; ``file`` and ``line`` are its place.

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
        return self.kind, self.name

    @property
    def place(self) -> tuple[str, int]:
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
            if item["name"].startswith(CLOSED):
                continue  # told by the values of its option
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
    return _made(graph, kind, {"name": name, **about(source)}, parts)


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
    """Return the title of a statement's chapter, by its place in the file."""
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


# --------------------------------------------------------------------------------------------------
# Differences: statements of only one of two graphs, and those that are not the same in both.

ADDED, DROPPED, REPLACED, VALUE, WORDING = "added", "dropped", "replaced", "other value", "wording"
CHANGES = (ADDED, DROPPED, REPLACED, VALUE, WORDING)

SETTINGS, TOLD, READINGS = "Settings", "What is observed at the table", "Readings"

GROUP_OF_KIND = {"option": SETTINGS, "refuse": SETTINGS, "decision": READINGS}

_CONSTANT = re.compile(r"(?<![\w.-])(\d+|yes|no)(?![\w-])")


@dataclass(frozen=True, slots=True)
class Difference:
    """One statement that differs. ``a`` or ``b`` is None if that side lacks it.

    ``change`` is added (only B has it), dropped (only A has it), replaced, other value (the same words, other numbers
    or settings) or wording (only the sentence or the citations). ``by`` are the options, set differently, that it
    names; ``parts`` are the clauses that differ: name, text in A, text in B; ``group`` is its chapter.
    """

    key: Key
    change: str
    a: ComparedStatement | None
    b: ComparedStatement | None
    by: tuple[str, ...]
    parts: tuple[tuple[str, str, str], ...]
    group: str

    @property
    def name(self) -> str:
        return " ".join(self.key)

    @property
    def one(self) -> ComparedStatement:
        """The statement, of A if A has it."""
        found = self.a or self.b
        assert found is not None
        return found


def differences(a: Graph, b: Graph, chains: tuple[Chain, Chain]) -> tuple[Difference, ...]:
    """Every difference, in groups; within a group in the order of the texts."""
    of_a, of_b = statements(a), statements(b)
    named = [options_named(chain) for chain in chains]
    unlike = {name for name in {*a.options, *b.options} if _value(a, name) != _value(b, name)}
    found = []
    for key in [*of_a, *(key for key in of_b if key not in of_a)]:
        one, other = of_a.get(key), of_b.get(key)
        by = {
            option
            for names, statement in zip(named, (one, other), strict=True)
            for option in _options_of(names, key, statement or one or other)
        }
        made = _difference(key, one, other, tuple(sorted(by & unlike)), (of_a, of_b))
        if made is not None:
            found.append(made)
    oldest = (sorted(of.values(), key=lambda statement: len(statement.lineage)) for of in (of_a, of_b))
    texts = {file: at for at, file in enumerate(dict.fromkeys(s.file for every in oldest for s in every))}
    found.sort(key=lambda d: (texts[d.one.file], d.one.line))
    order = {group: at for at, group in enumerate(_groups(found))}
    return tuple(sorted(found, key=lambda d: order[d.group]))


def _value(graph: Graph, option: str) -> str:
    return graph.options[option].value if option in graph.options else ""


def _options_of(named: Mapping[str, frozenset[str]], key: Key, statement: ComparedStatement | None) -> frozenset[str]:
    if key[0] == "option":
        return frozenset()
    whole = statement.construct if statement is not None else ""
    base = key[1].removesuffix(".seen")
    return named.get(key[1], named.get(whole, named.get(base, frozenset())))


def _groups(found: list[Difference]) -> Iterator[str]:
    """The groups: settings first, the chapters of the rules in their order, then others; readings last."""
    from truco_spec.graph.plan import plan

    groups = dict.fromkeys(difference.group for difference in found)
    chapters = [chapter.title for chapter in plan().chapters]
    yield from (group for group in (SETTINGS, *chapters) if group in groups)
    yield from (group for group in groups if group not in (SETTINGS, *chapters, TOLD, READINGS))
    yield from (group for group in (TOLD, READINGS) if group in groups)


def _difference(
    key: Key,
    a: ComparedStatement | None,
    b: ComparedStatement | None,
    by: tuple[str, ...],
    known: tuple[Mapping[Key, ComparedStatement], Mapping[Key, ComparedStatement]],
) -> Difference | None:
    some = a or b
    assert some is not None
    if a is None or b is None:
        parts = tuple((name, text if a else "", text if b else "") for name, text in some.parts.items())
        return Difference(key, ADDED if a is None else DROPPED, a, b, by, parts, group_of(some))
    parts = tuple(
        (name, one, other)
        for name in dict.fromkeys([*a.parts, *b.parts])
        if (one := _part(a, name, known)) != (other := _part(b, name, known))
    )
    if parts:
        same = a.place == b.place or all(_masked(one) == _masked(other) for _, one, other in parts)
        return Difference(key, VALUE if same or key[0] == "option" else REPLACED, a, b, by, parts, group_of(a))
    if (a.sentence, a.cites) != (b.sentence, b.cites):
        return Difference(key, WORDING, a, b, by, (), group_of(a))
    return None


def _part(
    statement: ComparedStatement,
    name: str,
    known: tuple[Mapping[Key, ComparedStatement], Mapping[Key, ComparedStatement]],
) -> str:
    """Return a clause. A beaten statement counts only if both sides have it: otherwise it is a difference by itself."""
    text = statement.parts.get(name, "")
    if name == "beats":
        return ", ".join(n for n in text.split(", ") if all((statement.kind, n) in of for of in known))
    return text


def _masked(text: str) -> str:
    return _CONSTANT.sub("#", text)


def group_of(statement: ComparedStatement) -> str:
    """The group of a statement: its kind, or its chapter of the rules."""
    if statement.kind in GROUP_OF_KIND:
        return GROUP_OF_KIND[statement.kind]
    if statement.name.startswith(OBSERVED) or statement.parts.get("of", "").startswith(OBSERVED):
        return TOLD
    return statement.chapter


# --------------------------------------------------------------------------------------------------
# Which statements of a variant name which of its options. A linked graph has lost this: options are folded.


def chain_of(variant: str, file: t.File | None = None) -> Chain:
    """The statements of a variant as they are written; ``file`` is read before the shipped texts."""
    from truco_spec.graph.link import blocks_of, link

    return link(blocks_of(variant, [file] if file is not None else []))


def options_named(chain: Chain) -> Mapping[str, frozenset[str]]:
    """Map each statement (a construct has one for all its parts) to the options that it names.

    Options in the bounds of types are left out.
    """
    from truco_spec.language import tree as t

    options = frozenset(name for name, item in chain.items.items() if item.statement.kind == "option")
    found = {}
    for name, item in chain.items.items():
        named = options.intersection(
            node.text for node in t.nodes(item.statement, but=(t.TypeText,)) if isinstance(node, t.Name)
        )
        if item.statement.kind == "seats":
            named |= {item.statement.name} & options
        if named and item.statement.kind != "option":
            found[name.removeprefix("seats ")] = named
    return found

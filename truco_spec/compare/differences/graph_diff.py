"""Compares two graphs statement by statement: those in only one of them, and those that differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from truco_spec.compare.core.sides import options_named
from truco_spec.compare.core.statements import ComparedStatement, Key, statements
from truco_spec.engine.observe import PREFIX
from truco_spec.graph.link import Chain
from truco_spec.graph.model import Graph

ADDED, DROPPED, REPLACED, VALUE, WORDING = "added", "dropped", "replaced", "other value", "wording"
CHANGES = (ADDED, DROPPED, REPLACED, VALUE, WORDING)

SETTINGS, SEEN, READINGS = "Settings", "What is told at the table", "Readings"

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
        """Its kind and name."""
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
    texts = {file: at for at, file in enumerate(dict.fromkeys(s.file for of in (of_a, of_b) for s in _by_lineage(of)))}
    found.sort(key=lambda d: (texts[d.one.file], d.one.line))
    order = {group: at for at, group in enumerate(_groups(found))}
    return tuple(sorted(found, key=lambda d: order[d.group]))


def _by_lineage(known: Mapping[Key, ComparedStatement]) -> list[ComparedStatement]:
    """The statements, those of older texts first."""
    return sorted(known.values(), key=lambda statement: len(statement.lineage))


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
    yield from (group for group in groups if group not in (SETTINGS, *chapters, SEEN, READINGS))
    yield from (group for group in (SEEN, READINGS) if group in groups)


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
    """A clause. A statement it beats counts only if both sides have that: otherwise it is a difference by itself."""
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
    if statement.name.startswith(PREFIX) or statement.parts.get("of", "").startswith(PREFIX):
        return SEEN
    return statement.chapter

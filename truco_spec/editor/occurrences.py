"""Occurrences of names in a text of rules, the meaning of each, and every other occurrence of the same name.

Statements share one space of names; parameters and names bound inside a statement are ``local`` to it; values (of an
option, an order, a type) have no declaration of their own and belong to what lists them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from truco_spec.base.errors import TrucoError
from truco_spec.editor.played import options_named
from truco_spec.editor.remarks import linking_remarks, reading_remarks
from truco_spec.editor.texts import Desk, Reading
from truco_spec.graph.model import DECIDED, wholes
from truco_spec.language import tree as t
from truco_spec.language.grammar import grammar

DECLARED, NAMED, LOCAL, VALUE, VARIANT, CITED = "declaration", "named", "local", "value", "variant", "cited"
_HOLE = re.compile(r"\{([A-Za-z0-9.-]+)")
_CHANGING = ("set", "drop", "also")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name at its place. ``owner`` is the statement around it; ``of`` the option, order or datum of a value.

    ``kind``: ``declaration`` (this statement is it), ``named`` (anything declared elsewhere), ``local``, ``value``,
    ``variant``, or ``cited`` (a clause, written ``source:id``).
    """

    name: str
    kind: str
    start: int
    end: int
    block: str
    owner: t.Statement | None = None
    of: str = ""


class Places:
    """All occurrences in one text, in order."""

    def __init__(self, reading: Reading) -> None:
        found = sorted(_Finder(reading).all(), key=lambda o: (o.start, o.end))
        self.all = tuple({(o.start, o.end): o for o in found}.values())
        self.by_name: dict[str, list[Occurrence]] = {}
        for occurrence in self.all:
            self.by_name.setdefault(occurrence.name, []).append(occurrence)

    def at(self, offset: int) -> Occurrence | None:
        """The occurrence at an offset, or that ends there."""
        around = [o for o in self.all if o.start <= offset <= o.end]
        return max(around, key=lambda o: (o.start, -o.end), default=None)


def places_in(reading: Reading) -> Places:
    """The occurrences of a text, kept with it."""
    found = reading.kept.get("places")
    if not isinstance(found, Places):
        found = reading.kept["places"] = Places(reading)
    return found


class _Finder:
    def __init__(self, reading: Reading) -> None:
        self.file, self.tokens = reading.file, reading.parsed.tokens.tokens
        self.items = sorted(
            ((item.span.start, item.span.end, block.name, item) for block in self.file.blocks for item in block.items),
            key=lambda entry: entry[:2],
        )
        self.begins = [start for start, *_ in self.items]
        self.params = {item.name: [p.name for p in item.params] for *_, item in self.items}
        self.bound = {start: frozenset(self._bound_in(item)) for start, _, _, item in self.items}
        self.values = dict(_values_in(self.file))
        self.variants = {block.name_span.start for block in self.file.blocks}
        self.variants |= {t.place_of(base).start for block in self.file.variants for base in block.extends}

    def _bound_in(self, item: t.Statement) -> Iterator[str]:
        yield from _bound(item)
        for other in item.excepts:
            yield from self.params.get(other, ())

    def all(self) -> Iterator[Occurrence]:
        for token in self.tokens:
            at = token.start_pos
            if token.type == "NAME":
                yield self._made(token.value, at)
            elif token.type == "CITE":
                source, _, clause = token.value[1:].partition(":")
                if source == DECIDED:
                    yield self._made(clause, at + len(f"@{DECIDED}:"))
                else:
                    yield self._made(token.value[1:], at, CITED, len(token.value))
            elif token.type == "STRING" and "{" in token.value:
                for hole in _HOLE.finditer(token.value):
                    yield self._made(hole[1], at + hole.start(1))

    def _made(self, name: str, at: int, kind: str = "", length: int = 0) -> Occurrence:
        end = at + (length or len(name))
        start, block, owner = self._around(at)
        if not kind:
            kind = NAMED
            if at in self.variants:
                kind = VARIANT
            elif at in self.values:
                kind = VALUE
            elif owner is not None and at == owner.name_span.start:
                kind = NAMED if owner.kind in _CHANGING or owner.mode == "replace" else DECLARED
            elif name in self.bound.get(start, ()):
                kind = LOCAL
        return Occurrence(name, kind, at, end, block, owner, self.values.get(at, "") if kind == VALUE else "")

    def _around(self, at: int) -> tuple[int, str, t.Statement | None]:
        """The statement around an offset: where it begins, its block, itself."""
        number = bisect_right(self.begins, at) - 1
        if number >= 0 and at < self.items[number][1]:
            start, _, block, item = self.items[number]
            return start, block, item
        block = next((b.name for b in reversed(self.file.blocks) if b.span.start <= at), "")
        return -1, block or next((b.name for b in self.file.blocks), ""), None


def _values_in(file: t.File) -> Iterator[tuple[int, str]]:
    """Return the offsets of values, each with the statement that lists it."""
    listed = _values(file)
    for block in file.blocks:
        for item in block.items:
            plain: list[t.Expr | None] = [
                *(choice.value for choice in item.choices),
                *item.members,
                *(c for row in item.rows for c in row),
            ]
            if item.kind == "set":
                plain.append(item.value)
            if item.kind == "trump":
                plain = []
            yield from ((node.span.start, item.name) for node in plain if isinstance(node, t.Name))
            for node in (each for each in t.nodes(item) if isinstance(each, t.Compare)):
                left = node.left
                asked = left.text if isinstance(left, t.Name) else left.name if isinstance(left, t.Call) else ""
                for side in node.right.items if isinstance(node.right, t.SetOf) else (node.right,):
                    if isinstance(side, t.Name) and side.text in listed.get(asked, ()):
                        yield side.span.start, asked


def _values(file: t.File) -> dict[str, frozenset[str]]:
    """The values of each option and datum of a text, by its name."""
    found: dict[str, frozenset[str]] = {}
    for block in file.blocks:
        for item in block.items:
            kinds = item.type.kinds if item.type else ()
            words = [*(choice.value for choice in item.choices), *kinds]
            found[item.name] = frozenset(word.text for word in words if isinstance(word, t.Name))
    return found


def _bound(item: t.Statement) -> Iterator[str]:
    """The names that a statement binds: parameters, arguments of verbs, and the names of quantifiers."""
    for node in t.nodes(item):
        if isinstance(node, t.Verb):
            yield from (arg.text for arg in node.args if isinstance(arg, t.Name))
        elif isinstance(node, (t.Param, t.Binder)):
            yield node.name


# --------------------------------------------------------------------------------------------------
# Across texts.


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """An occurrence in a file."""

    path: str
    occurrence: Occurrence

    @property
    def place(self) -> tuple[str, int, int]:
        """The file, and the offsets of the name."""
        return self.path, self.occurrence.start, self.occurrence.end


def declarations(desk: Desk, path: str, block: str, name: str) -> list[NamedPlace]:
    """Return the declarations of this name, as seen from a block: the newest first, then those it replaces.

    A base may name what only a variant declares; then those of the variants are returned.
    """
    for lineage in _lineages(desk, path, block):
        found = list(_declared_in(desk, lineage, name))
        if found:
            return found
    return []


def _lineages(desk: Desk, path: str, block: str) -> Iterator[tuple[t.VariantText, ...]]:
    yield desk.blocks(block, path)
    for name in desk.playable(block, path):
        if name != block:
            yield desk.blocks(name, path)


def _declared_in(desk: Desk, blocks: Iterable[t.VariantText], name: str) -> Iterator[NamedPlace]:
    for wanted in wholes(name):
        found = [site for block in blocks for site in _of_block(desk, block, wanted)]
        if found:
            yield from reversed(found)
            return


def _of_block(desk: Desk, block: t.VariantText, name: str) -> Iterator[NamedPlace]:
    path = block.span.file
    reading = desk.reading(path)
    for occurrence in places_in(reading).by_name.get(name, ()) if reading else ():
        owner = occurrence.owner
        if owner is None or occurrence.block != block.name or occurrence.start != owner.name_span.start:
            continue
        if owner.kind == "seats":  # it has the name of the option that says how many
            continue
        if occurrence.kind == DECLARED or owner.mode == "replace":
            yield NamedPlace(path, occurrence)


def same(desk: Desk, path: str, occurrence: Occurrence) -> list[NamedPlace]:
    """Every place of the same name, in all texts: of variants that extend each other, one by one or through others."""
    if occurrence.kind == LOCAL:
        reading = desk.reading(path)
        inside = places_in(reading).by_name[occurrence.name] if reading else []
        return [NamedPlace(path, o) for o in inside if o.kind == LOCAL and o.owner is occurrence.owner]
    found: dict[tuple[str, str], list[NamedPlace]] = {}
    for other in desk.rules_files():
        reading = desk.reading(other)
        for each in _alike(places_in(reading), occurrence) if reading else ():
            found.setdefault((other, each.block), []).append(NamedPlace(other, each))
    if occurrence.kind in (CITED, VARIANT):
        return [site for sites in found.values() for site in sites]
    lines = {key: _lineage(desk, *key) for key in found}
    family = {(path, occurrence.block)}
    lines.setdefault((path, occurrence.block), _lineage(desk, path, occurrence.block))
    while True:
        akin = (key for key in found if any(key in lines[other] or other in lines[key] for other in family))
        more = {*akin} - family
        if not more:
            return [site for key, sites in found.items() if key in family for site in sites]
        family |= more


def _alike(places: Places, wanted: Occurrence) -> Iterator[Occurrence]:
    for name, occurrences in places.by_name.items():
        exact = name == wanted.name
        if not exact and not (name.startswith(f"{wanted.name}.") and wanted.kind in (DECLARED, NAMED)):
            continue
        for each in occurrences:
            both_values = wanted.kind == each.kind == VALUE and each.of == wanted.of
            both_names = {wanted.kind, each.kind} <= {DECLARED, NAMED}
            if both_values or both_names or (wanted.kind == each.kind and each.kind in (CITED, VARIANT)):
                yield each


def _lineage(desk: Desk, path: str, block: str) -> frozenset[tuple[str, str]]:
    return frozenset((each.span.file, each.name) for each in desk.blocks(block, path)) | {(path, block)}


# --------------------------------------------------------------------------------------------------
# A new name in all texts. The change is tried first: nothing is renamed that would not link afterwards.


_NAME = re.compile(r"[0-9]*[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*(\.[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*)*")
_LONGEST = 60
MOST_TRIED = 3
"""The most variants tried through which a base is linked."""
Changes = Mapping[str, list[tuple[int, int, str]]]


class NotRenamed(TrucoError):
    """A name that cannot be changed so. The message says why."""


def can_be_renamed(desk: Desk, path: str, found: Occurrence) -> bool:
    """Whether this is a name that somebody here has given."""
    if found.kind == CITED or (found.kind == VARIANT and not desk.blocks(found.name, path)):
        return False
    return found.kind in (LOCAL, VARIANT) or bool(declarations(desk, path, found.block, found.of or found.name))


def renamed(desk: Desk, path: str, found: Occurrence, new: str) -> Changes:
    """Return the edits that rename it in all texts of the editor's folders. Raises NotRenamed."""
    old = found.name
    if not _NAME.fullmatch(new) or len(new) > _LONGEST:
        raise NotRenamed(f"“{new[:_LONGEST]}” is no name: use letters, digits and single hyphens.")
    if new in grammar().words:
        raise NotRenamed(f"“{new}” is a word of the language.")
    if not can_be_renamed(desk, path, found):
        raise NotRenamed(f"“{old}” is not declared in these rules.")
    if found.kind == VARIANT:
        raise NotRenamed("The name of a variant is that of its file: rename the file, and what extends it.")
    if found.kind != LOCAL and new in desk.statements(found.block, path):
        raise NotRenamed(f"{new} is declared already.")
    mine = {*desk.in_folders(".truco", ".yaml", ".yml"), *desk.open}
    changes: dict[str, list[tuple[int, int, str]]] = {}
    for place in same(desk, path, found):
        if place.path not in mine:
            raise NotRenamed(f"“{old}” stands in {place.path} too, which is not in this folder.")
        at = place.occurrence.start
        changes.setdefault(place.path, []).append((at, at + len(old), new))
    statement = desk.statements(found.block, path).get(old)
    if found.kind != LOCAL and statement is not None and statement.kind == "option":
        changes.update(options_named(desk, mine, old, new))
    _try(desk, changes, old)
    return changes


def _try(desk: Desk, changes: Changes, old: str) -> None:
    """Link every text with its changes. Raises NotRenamed for one that linked before and does not now."""
    rules = [path for path in changes if path.endswith(".truco")]
    before = {path: _errors(desk, path) for path in rules}
    changed = Desk(dict(desk.open), desk.folders)
    for path in rules:
        text = desk.text(path)
        for start, end, new in sorted(changes[path], reverse=True):
            text = text.edited(start, end, new) if text else None
        changed.put(path, text)
    for path in rules:
        for message in _errors(changed, path) - before[path]:
            raise NotRenamed(f"“{old}” keeps its name: {path} would not link any more: {message}.")


def _errors(desk: Desk, path: str) -> set[str]:
    found = [
        *reading_remarks(desk, path),
        *(r for stage in islice(linking_remarks(desk, path), MOST_TRIED) for r in stage.remarks),
    ]
    return {remark.diagnostic.message for remark in found if remark.diagnostic.severity == "error"}

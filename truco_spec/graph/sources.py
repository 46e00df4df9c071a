"""The registries of ``spec/sources``: the clauses of documents about Truco, and the gaps they leave.

    pagat = registry("pagat")
    pagat.known("mineiro.deal-rotates-right")       # True; from an index of ids, in about a millisecond
    pagat.nearest("mineiro.deal-rotate-right")      # "mineiro.deal-rotates-right"
    pagat.clauses["mineiro.deal-rotates-right"].text

A citation is a source and the id of a clause, of a gap (``gap.…``) or of an option (``option.…``). The shipped
registries, and those of open projects, are found by name; the folders of others are given.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.paths import ordinary_files
from truco_spec.base.project import projects
from truco_spec.base.user_cache import Shelf
from truco_spec.base.words import Sentence
from truco_spec.language.diagnostics import nearest as nearest_name

if TYPE_CHECKING:
    from truco_spec.base import safe_yaml

Executable = Literal["yes", "partly", "no"]


class UnknownSource(TrucoError):
    """Unknown registry. ``near`` is the closest name, or None."""

    def __init__(self, source: str, known: tuple[str, ...]) -> None:
        self.source, self.near = source, nearest_name(source, known)
        form = "No source is called “{source}”. Known sources: {known}."
        if self.near:
            form = "No source is called “{source}”. Did you mean “{near}”?"
        super().__init__(Sentence(form, source=source, near=self.near, known=known))


# ---- the content of a registry -----------------------------------------------------------------

EXAMPLE = "example"
"""The kind of clauses that show what others say."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement of a source document, in our own words."""

    id: Annotated[str, "Unique within the source; never changed or reused."]
    locator: Annotated[str, "A few words that find the sentence in the document."]
    kind: Annotated[str, "What the statement is about."]
    applies: Annotated[tuple[str, ...], "The variants that it speaks of, as the source divides them."]
    text: Annotated[str, "What it says."]
    executable: Annotated[
        Executable, "Can a program follow it, in full, in part, or not (a term, a custom, background)?"
    ]
    line: Annotated[int, "The line of the document; 0 where the locator is enough."] = 0
    also: Annotated[tuple[str, ...], "Other places that say the same."] = ()
    executable_part: Annotated[str, "Where partly executable: which part is."] = ""
    edge_cases: Annotated[tuple[str, ...], "Situations with their outcome, in the notation of the source."] = ()
    ambiguity: Annotated[str, "How else it can be read."] = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """A question that the source leaves open; resolved by a ``decision`` of the spec."""

    id: Annotated[str, "`gap.` and a name."]
    question: Annotated[str, "What is not said."]
    readings: Annotated[tuple[str, ...], "The answers that are possible."]
    suggested: Annotated[str, "The answer that is suggested."]
    clauses: Annotated[tuple[str, ...], "The clauses that leave it open."]
    lines: Annotated[tuple[int, ...], "Lines of the document."] = ()


@dataclass(frozen=True, slots=True)
class SourceOption:
    """A switch: the source, or its readers, play in more than one way."""

    id: Annotated[str, "`option.` and a name."]
    applies: Annotated[tuple[str, ...], "The variants that have the switch, as the source divides them."]
    values: Annotated[tuple[str, ...], "Its positions, in words of the registry; the spec may name them otherwise."]
    default: Annotated[str, "Its position where nothing is said; empty where it depends on the variant."] = ""
    defaults: Annotated[Mapping[str, str], "Its position in each variant."] = field(default_factory=dict)
    clauses: Annotated[tuple[str, ...], "The clauses that speak of it."] = ()
    note: Annotated[str, "A remark."] = ""


@dataclass(frozen=True, slots=True)
class Article:
    """One article of a regulation, in its own words. A book in the order of the articles prints it as it stands."""

    number: Annotated[str, "Its number, as the regulation has it."]
    text: Annotated[Mapping[str, str], "Its words, by language: the first is the regulation's own."]
    heading: Annotated[Mapping[str, str], "Its heading, by language: the first is the regulation's own."] = field(
        default_factory=dict
    )
    clauses: Annotated[tuple[str, ...], "The clauses that take it apart; none where it is for people only."] = ()


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A whole registry: one document about Truco."""

    source: Annotated[str, "The name under which rules cite it; also the name of the file."]
    title: Annotated[str, "What the document is."]
    file: Annotated[str, "The file of the document's text that the lines refer to."]
    licence: Annotated[str, "The licence of this registry (not of the document)."]
    made: Annotated[str, "How the registry came to be."]
    clauses: tuple[Clause, ...]
    gaps: tuple[Gap, ...] = ()
    options: tuple[SourceOption, ...] = ()
    articles: Annotated[tuple[Article, ...], "Of a regulation: its articles, in order."] = ()
    notation: Annotated[str, "How the edge cases are written."] = ""
    by: Annotated[str, "The names of those who wrote the document, or told its author, where it says so."] = ""
    dated: Annotated[str, "The day of its last change, where it says so, such as 2015-02-10."] = ""
    address: Annotated[str, "Where it is to be found, where that is known."] = ""
    variants: Annotated[
        Mapping[str, str], "The variant of the spec, for a name used in `applies` that the spec does not use."
    ] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """The author of the document, its date and its address, as far as known."""
        return ", ".join(filter(None, (self.by, self.dated, self.address)))


class Registry:
    """One source, read on demand. ``kept``: the result is cached between runs.

    ``ids`` are all that can be cited. The mappings are keyed by id and keep the order of the file. Reading raises
    :class:`~truco_spec.base.safe_yaml.YamlError`, with the place of the error.
    """

    def __init__(self, path: Path, *, kept: bool) -> None:
        self.name, self.path, self._kept = path.stem, path, kept

    def __repr__(self) -> str:
        return f"<Registry {self.name}: {len(self.ids)} ids>"

    @cached_property
    def record(self) -> SourceDocument:
        if not self._kept:
            return _read(self.path)
        name = _name_of(self.path)
        found = SHELF.take(name)
        if not isinstance(found, SourceDocument):
            found = _read(self.path)
            SHELF.put(name, found)
        return found

    @cached_property
    def ids(self) -> frozenset[str]:
        return frozenset((*self.clauses, *self.gaps, *self.options))

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        return {clause.id: clause for clause in self.record.clauses}

    @cached_property
    def gaps(self) -> Mapping[str, Gap]:
        return {gap.id: gap for gap in self.record.gaps}

    @cached_property
    def options(self) -> Mapping[str, SourceOption]:
        return {option.id: option for option in self.record.options}

    @cached_property
    def variant_names(self) -> Mapping[str, str]:
        """Every variant in the source: its name there, and its name in the spec."""
        spoken = dict.fromkeys(name for clause in self.clauses.values() for name in clause.applies)
        return {name: self.record.variants.get(name, name) for name in spoken}

    def known(self, cite: str) -> bool:
        """Whether there is a clause, gap or option of this id."""
        return cite in self.ids

    def nearest(self, cite: str) -> str | None:
        """The closest id, or None."""
        near = nearest_name(cite, self.ids)
        if near is None:
            last = cite.rpartition(".")[2]
            near = min((i for i in self.ids if i.rpartition(".")[2] == last and i != cite), default=None)
        return near

    def variants(self, cite: str) -> frozenset[str]:
        """The variants, by their names in the spec, that this clause, option or (through its clauses) gap covers."""
        if cite in self.gaps:
            return frozenset().union(*(self.variants(clause) for clause in self.gaps[cite].clauses))
        applies = self.options[cite].applies if cite in self.options else self.clauses[cite].applies
        return frozenset(self.record.variants.get(name, name) for name in applies)


_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_NUMBER = re.compile(r"[A-Za-z0-9]+([.-][A-Za-z0-9]+)*")


# ---- cached between runs -----------------------------------------------------------------------

SHELF = Shelf("sources", 60)
"""Caches the parsed shipped registries, as reading YAML is slow."""


def _name_of(path: Path) -> str:
    """The cache key of a registry: its text, its reader, and this Python."""
    here = Path(__file__).stat()
    what = repr((sys.version, here.st_size, here.st_mtime_ns)).encode()
    return hashlib.sha256(what + path.read_bytes()).hexdigest()


# ---- lookup ------------------------------------------------------------------------------------


def folders_of(folder: Path | None) -> tuple[Path, ...]:
    """The folders in which the rules of a folder have sources of their own."""
    return tuple(f for f in (folder, folder / "sources") if f.is_dir()) if folder is not None else ()


def _files(folders: tuple[Path, ...]) -> Mapping[str, Path]:
    return _files_in((*folders, *(project.root / "sources" for project in reversed(projects()))))


@lru_cache(maxsize=64)
def _files_in(folders: tuple[Path, ...]) -> Mapping[str, Path]:
    files: dict[str, Path] = {}
    for folder in folders:
        for path in ordinary_files(folder, "*.yaml"):
            files.setdefault(path.stem, path)
    return files


def sources(*folders: Path) -> tuple[str, ...]:
    """The names of all sources, in alphabetical order, including those in ``folders``."""
    return tuple(sorted(_files(folders)))


def speaks_of(source: str, cite: str, lineage: Iterable[str]) -> bool:
    """Whether a clause, gap or option speaks of one of these variants; false if there is no such source or item."""
    if source not in _files(()):
        return False
    held = registry(source)
    return held.known(cite) and not held.variants(cite).isdisjoint(lineage)


def registry(source: str, *folders: Path) -> Registry:
    """Return the registry of a source; ``folders`` take precedence. Raises :class:`UnknownSource`."""
    path = _files(folders).get(source)
    if path is None:
        raise UnknownSource(source, sources(*folders))
    return _registry(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _registry(path: Path, stamp: int) -> Registry:
    """Return the registry in a file, read again only when it has changed."""
    return Registry(path, kept=path.parent == shipped.folder("spec") / "sources")


def holders(cite: str, *folders: Path) -> tuple[str, ...]:
    """The sources with a clause, gap or option of this id."""
    return tuple(source for source in sources(*folders) if registry(source, *folders).known(cite))


# ---- reading -----------------------------------------------------------------------------------


def _read(path: Path) -> SourceDocument:
    """The registry in a file, sound in itself."""
    from truco_spec.base import safe_yaml  # not needed for the ids

    document = safe_yaml.load_file(path)
    source = document.shaped(SourceDocument)
    if not _NAME.fullmatch(source.source):
        form = (
            "The name of a source, which is also that of its file, has small letters, figures and single hyphens, "
            "beginning with a letter: rg-2026."
        )
        raise document.error(Sentence(form), "source")
    ids = {
        "clauses": [clause.id for clause in source.clauses],
        "gaps": [gap.id for gap in source.gaps],
        "options": [option.id for option in source.options],
    }
    first = set[str]()
    for name, every in ids.items():
        for at, each in enumerate(every):
            if each in first:
                raise document.error(Sentence("The id “{id}” is there twice; ids are unique.", id=each), name, at, "id")
            first.add(each)
    numbers = set[str]()
    for at, article in enumerate(source.articles):
        _must_be_sound(document, article, at, ids["clauses"])
        if article.number in numbers:
            raise document.error(
                Sentence("The article {number} is there twice.", number=article.number), "articles", at, "number"
            )
        numbers.add(article.number)
    return source


def _must_be_sound(document: safe_yaml.Document, article: Article, at: int, known: Collection[str]) -> None:
    """Raises :class:`~truco_spec.base.safe_yaml.YamlError` for a mistake in an article."""
    if not _NUMBER.fullmatch(article.number):
        message = Sentence("The number of an article has letters, figures, dots and hyphens: “12”, “7-b”.")
        raise document.error(message, "articles", at, "number")
    for name, told in (("heading", article.heading), ("text", article.text)):
        for language in told:
            if language not in shipped.LANGUAGES:
                form = "“{language}” is no language of a book: {known}."
                message = Sentence(form, language=language, known=shipped.LANGUAGES)
                raise document.error(message, "articles", at, name)
    if not article.text:
        raise document.error(Sentence("An article has a “text”, by language (es: …)."), "articles", at, "text")
    for number, clause in enumerate(article.clauses):
        if clause not in known:
            near = nearest_name(clause, known)
            form = "There is no clause “{clause}” in this source."
            if near:
                form = "There is no clause “{clause}” in this source. Did you mean “{near}”?"
            raise document.error(Sentence(form, clause=clause, near=near), "articles", at, "clauses", number)

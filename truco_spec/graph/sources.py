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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.project import projects
from truco_spec.base.user_cache import Shelf
from truco_spec.language.diagnostics import nearest as nearest_name

if TYPE_CHECKING:
    from truco_spec.base import safe_yaml

Executable = Literal["yes", "partly", "no"]


class UnknownSource(TrucoError):
    """Unknown registry. ``near`` is the closest name, or None."""

    def __init__(self, source: str, known: tuple[str, ...]) -> None:
        self.source, self.near = source, nearest_name(source, known)
        hint = f"Did you mean “{self.near}”?" if self.near else f"Known sources: {', '.join(known)}."
        super().__init__(f"No source is called “{source}”. {hint}")


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
    heading: Annotated[Mapping[str, str], "Its heading, by language: the first is the regulation's own."]
    text: Annotated[Mapping[str, str], "Its words, by language: the first is the regulation's own."]
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
        """Who wrote the document, when, and where it is, as far as known."""
        return ", ".join(filter(None, (self.by, self.dated, self.address)))


class Registry:
    """One source: its ids at once; clauses, gaps and options lazily.

    ``ids`` are all that can be cited. The mappings are keyed by id and keep the order of the file. Reading raises
    :class:`~truco_spec.base.safe_yaml.YamlError`, with the place of the error.
    """

    def __init__(self, path: Path, *, scan: bool) -> None:
        self.name, self.path, self._scan = path.stem, path, scan

    def __repr__(self) -> str:
        return f"<Registry {self.name}: {len(self.ids)} ids>"

    @cached_property
    def record(self) -> SourceDocument:
        kept = _kept(self.path) if self._scan else None
        if kept is not None:
            return kept
        from truco_spec.base import safe_yaml  # not needed for the ids

        found = _source(safe_yaml.load_file(self.path))
        if self._scan:
            SHELF.put(_name_of(self.path), found)
        return found

    @cached_property
    def ids(self) -> frozenset[str]:
        if self._scan:
            return frozenset(_ITEM.findall(self.path.read_text(encoding="utf-8")))
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
_ITEM = re.compile(r"^- id: ([^\s'\"#]+)$", re.MULTILINE)  # first lines of a clause, gap or option


# ---- cached between runs -----------------------------------------------------------------------

SHELF = Shelf("sources", 60)
"""Caches the parsed shipped registries, as reading YAML is slow."""


def _name_of(path: Path) -> str:
    """The cache key of a registry: its text, its reader, and this Python."""
    here = Path(__file__).stat()
    what = repr((sys.version, here.st_size, here.st_mtime_ns)).encode()
    return hashlib.sha256(what + path.read_bytes()).hexdigest()


def _kept(path: Path) -> SourceDocument | None:
    """The cached registry, or None."""
    found = SHELF.take(_name_of(path))
    return found if isinstance(found, SourceDocument) else None


# ---- lookup ------------------------------------------------------------------------------------


def _folder() -> Path:
    return shipped.folder("spec") / "sources"


def _files(folders: tuple[Path, ...]) -> Mapping[str, Path]:
    return _files_in((*folders, *(project.root / "sources" for project in reversed(projects()))))


@lru_cache(maxsize=64)
def _files_in(folders: tuple[Path, ...]) -> Mapping[str, Path]:
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            found.setdefault(path.stem, path)
    return found


def sources(*folders: Path) -> tuple[str, ...]:
    """The names of all sources, in alphabetical order, including those in ``folders``."""
    return tuple(sorted(_files(folders)))


def speaks_of(source: str, cite: str, lineage: Iterable[str]) -> bool:
    """Whether a clause, gap or option speaks of one of these variants; false if there is no such source or item."""
    try:
        held = registry(source)
    except UnknownSource:
        return False
    return held.known(cite) and not held.variants(cite).isdisjoint(lineage)


def registry(source: str, *folders: Path) -> Registry:
    """The registry of a source; ``folders`` take precedence over those at hand. Raises :class:`UnknownSource`."""
    path = _files(folders).get(source)
    if path is None:
        raise UnknownSource(source, sources(*folders))
    return _registry(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _registry(path: Path, stamp: int) -> Registry:
    """The registry in a file, read anew when that has changed."""
    return Registry(path, scan=path.parent == _folder())


def holders(cite: str, *folders: Path) -> tuple[str, ...]:
    """The sources with a clause, gap or option of this id."""
    return tuple(source for source in sources(*folders) if registry(source, *folders).known(cite))


# ---- reading -----------------------------------------------------------------------------------


class _Fields:
    """Reads the fields of one mapping of the file, rejecting unknown ones."""

    def __init__(self, document: safe_yaml.Document, raw: Any, what: str, *keys: str | int) -> None:
        self.document, self.raw, self.what, self.keys, self.names = document, raw, what, keys, list[str]()
        if not isinstance(raw, dict):
            raise document.error(f"{what} is a mapping (“field: value” lines).", *keys)

    def wrong(self, name: str, message: str) -> safe_yaml.YamlError:
        return self.document.error(message, *self.keys, *([name] if name in self.raw else []))

    def value(self, name: str, default: Any) -> Any:
        self.names.append(name)
        if name in self.raw:
            return self.raw[name]
        if default is None:
            raise self.wrong(name, f"{self.what} has no field “{name}”; add it.")
        return default

    def text(self, name: str, default: str | None = None) -> str:
        value = self.value(name, default)
        if not isinstance(value, str):
            raise self.wrong(name, f"“{name}” is a text; put quotes around it.")
        return value

    def number(self, name: str) -> int:
        value = self.value(name, 0)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong(name, f"“{name}” is a whole number.")
        return value

    def texts(self, name: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        value = self.value(name, default)
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
            raise self.wrong(name, f"“{name}” is a list of texts; put quotes around those that look like numbers.")
        return tuple(value)

    def numbers(self, name: str) -> tuple[int, ...]:
        value = self.value(name, ())
        if not isinstance(value, (list, tuple)) or not all(type(item) is int for item in value):
            raise self.wrong(name, f"“{name}” is a list of whole numbers.")
        return tuple(value)

    def table(self, name: str) -> dict[str, str]:
        value = self.value(name, {})
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            raise self.wrong(name, f"“{name}” is a mapping to texts; put quotes around those that look like numbers.")
        return value

    def items(self, name: str, what: str, *, required: bool) -> list[_Fields]:
        value = self.value(name, None if required else [])
        if not isinstance(value, list):
            raise self.wrong(name, f"“{name}” is a list.")
        return [_Fields(self.document, raw, what, *self.keys, name, at) for at, raw in enumerate(value)]

    def done(self) -> None:
        for name in self.raw:
            if name not in self.names:
                near = nearest_name(name, self.names)
                hint = f"did you mean “{near}”?" if near else f"it may have {', '.join(self.names)}."
                raise self.wrong(name, f"{self.what} has no field “{name}”; {hint}")


def _source(document: safe_yaml.Document) -> SourceDocument:
    fields = _Fields(document, document.data, "A registry of clauses")
    if not _NAME.fullmatch(fields.text("source")):
        hint = "small letters, figures and single hyphens, beginning with a letter"
        raise fields.wrong("source", f"The name of a source, which is also that of its file, has {hint}: rg-2026.")
    source = SourceDocument(
        source=fields.text("source"),
        title=fields.text("title"),
        file=fields.text("file"),
        licence=fields.text("licence"),
        made=fields.text("made"),
        notation=fields.text("notation", ""),
        by=fields.text("by", ""),
        dated=fields.text("dated", ""),
        address=fields.text("address", ""),
        variants=fields.table("variants"),
        clauses=tuple(_clause(f) for f in fields.items("clauses", "A clause", required=True)),
        gaps=tuple(_gap(f) for f in fields.items("gaps", "A gap", required=False)),
        options=tuple(_option(f) for f in fields.items("options", "An option", required=False)),
        articles=tuple(_article(f) for f in fields.items("articles", "An article", required=False)),
    )
    fields.done()
    first: dict[str, str] = {}
    for name in ("clauses", "gaps", "options"):
        for at, item in enumerate(document.data.get(name, ())):
            if item["id"] in first:
                raise document.error(f"The id “{item['id']}” is there twice; ids are unique.", name, at, "id")
            first[item["id"]] = name
    known = {clause.id for clause in source.clauses}
    for at, article in enumerate(source.articles):
        if article.number in (earlier.number for earlier in source.articles[:at]):
            raise document.error(f"The article {article.number} is there twice.", "articles", at, "number")
        for number, clause in enumerate(article.clauses):
            if clause not in known:
                near = nearest_name(clause, known)
                hint = f" Did you mean “{near}”?" if near else ""
                message = f"There is no clause “{clause}” in this source.{hint}"
                raise document.error(message, "articles", at, "clauses", number)
    return source


def _article(fields: _Fields) -> Article:
    if not _NUMBER.fullmatch(fields.text("number")):
        raise fields.wrong("number", "The number of an article has letters, figures, dots and hyphens: “12”, “7-b”.")
    article = Article(
        number=fields.text("number"),
        heading=fields.table("heading"),
        text=fields.table("text"),
        clauses=fields.texts("clauses", ()),
    )
    for name, told in (("heading", article.heading), ("text", article.text)):
        for language in told:
            if language not in shipped.LANGUAGES:
                raise fields.wrong(name, f"“{language}” is no language of a book: {', '.join(shipped.LANGUAGES)}.")
    if not article.text:
        raise fields.wrong("text", "An article has a “text”, by language (es: …).")
    fields.done()
    return article


def _clause(fields: _Fields) -> Clause:
    executable: Any = fields.text("executable")
    if executable not in get_args(Executable):
        raise fields.wrong("executable", "“executable” is yes, partly or no.")
    clause = Clause(
        id=fields.text("id"),
        locator=fields.text("locator"),
        kind=fields.text("kind"),
        applies=fields.texts("applies"),
        text=fields.text("text"),
        executable=executable,
        line=fields.number("line"),
        also=fields.texts("also", ()),
        executable_part=fields.text("executable_part", ""),
        edge_cases=fields.texts("edge_cases", ()),
        ambiguity=fields.text("ambiguity", ""),
    )
    fields.done()
    return clause


def _gap(fields: _Fields) -> Gap:
    gap = Gap(
        id=fields.text("id"),
        question=fields.text("question"),
        readings=fields.texts("readings"),
        suggested=fields.text("suggested"),
        clauses=fields.texts("clauses"),
        lines=fields.numbers("lines"),
    )
    fields.done()
    return gap


def _option(fields: _Fields) -> SourceOption:
    option = SourceOption(
        id=fields.text("id"),
        applies=fields.texts("applies"),
        values=fields.texts("values"),
        default=fields.text("default", ""),
        defaults=fields.table("defaults"),
        clauses=fields.texts("clauses", ()),
        note=fields.text("note", ""),
    )
    fields.done()
    return option

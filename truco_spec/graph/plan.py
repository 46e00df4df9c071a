"""The plan of a rulebook (``spec/rulebook.yaml``): the chapter of each statement, if any; and the glossary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.paths import ordinary_files
from truco_spec.base.project import projects
from truco_spec.base.words import Sentence, without_accents
from truco_spec.graph.model import Source

_HEADING = re.compile(r"^\s*# -{3,} (.+?) -{3,}\s*$")
_LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of every book, omitted where empty."""

    key: Annotated[str, "Its name in links."]
    title: Annotated[str, "Its title."]
    from_: Annotated[tuple[str, ...], "Statements, `truco.truco: the play`, `flor.truco`, headings; in its order."]
    about: Annotated[str, "What it tells, in one sentence."] = ""


@dataclass(frozen=True, slots=True)
class AgreementPlan:
    """Statements that a book gathers under what would have to be agreed for them to hold."""

    title: Annotated[str, "The agreement, as a condition."]
    of: Annotated[tuple[str, ...], "Statements and headings, as for chapters."]


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table computed for a chapter, if the game has its subject."""

    chapter: Annotated[str, "The key of its chapter."]
    kind: Annotated[Literal["ranking", "rows", "ladder", "chains"], "How it is made."]
    of: Annotated[str, "The question, table, ladder or bid."]
    title: Annotated[str, "Its title."]
    columns: Annotated[tuple[str, ...], "The heads of its columns."] = ()
    offer: Annotated[str, "Of chains: the question that tells what is offered."] = ""
    given: Annotated[str, "Of rows that are played: the datum that the columns are of, by its number."] = ""
    ends: Annotated[str, "Of rows that are played: the phase in which a rule says what becomes of it."] = ""
    most: Annotated[Mapping[str, int], "Of chains: how often a word stands in one at most."] = field(
        default_factory=dict
    )
    under: Annotated[
        Mapping[str, Mapping[str, str]],
        "Options whose other values a book shows with the figures of the table, and what has to be agreed with these.",
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """The parameters of a score sheet."""

    upto: Annotated[str, "The option that says how many points are played for."]
    halves: Annotated[Mapping[str, str], "The options, with their values, under which it has two halves."] = field(
        default_factory=dict
    )


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of the page to learn from: its text, and its drawings."""

    chapters: Annotated[
        tuple[str, ...], "The chapters of which it tells what they say of themselves; the first heads it."
    ]
    needs: Annotated[str, "A statement without which there is no such part: nothing of it can happen."] = ""
    rules: Annotated[tuple[str, ...], "The statements whose sentences it tells besides."] = ()
    tables: Annotated[tuple[str, ...], "The tables that it shows, by what they are of."] = ()
    turned: Annotated[tuple[str, ...], "Cards: what stands above all others if one of them is turned up."] = ()
    count: Annotated[str, "The question that counts the cards of a hand."] = ""
    worth: Annotated[str, "The question that tells what one card adds to the count."] = ""
    hands: Annotated[tuple[str, ...], "Hands that are counted, each with its cards parted by blanks."] = ()


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """A hand that is played to show how a game goes. Of several the first fits whose cards are all in the pack."""

    hands: Annotated[
        tuple[str, ...], "What is dealt, beginning with who plays first, in the order in which it is played."
    ]
    turned: Annotated[str, "The card that is turned up, where one is."] = ""
    said: Annotated[
        Mapping[str, tuple[str, ...]],
        "What is said before a trick, by its number, or `after` the hand: each word by the first in turn who may say "
        "it, else by nobody.",
    ] = field(default_factory=dict)
    count: Annotated[str, "The question whose answer follows a word with a number."] = ""


@dataclass(frozen=True, slots=True)
class FirstPagePlan:
    """The page at the beginning of a book from which a newcomer learns the game."""

    parts: tuple[PagePart, ...] = ()
    samples: tuple[SamplePlan, ...] = ()


@dataclass(frozen=True, slots=True)
class BookPlan:
    """Chapters in order, their tables, and the names of statements that no book prints.

    ``recorded`` are the options that only decide what is written down, with the values under which all of it is.
    ``first`` is the page that every book begins with. ``acts`` are words of moves that are not spoken, with
    their English display names; ``words`` and ``values`` (of options) are display names, too, where they differ.
    """

    rulebook: Literal[1]
    licence: str
    chapters: tuple[Chapter, ...]
    scoresheet: SheetPlan
    agreements: tuple[AgreementPlan, ...] = ()
    leave: tuple[str, ...] = ()
    recorded: Mapping[str, str] = field(default_factory=dict)
    tables: tuple[TablePlan, ...] = ()
    first: FirstPagePlan = FirstPagePlan()
    acts: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def chapter_of(self, name: str, source: Source) -> tuple[Chapter, int]:
        """A statement's chapter, and its place among those that the chapter names."""
        for wanted in _called(name, source):
            for chapter in self.chapters:
                if wanted and wanted in chapter.from_:
                    return chapter, chapter.from_.index(wanted)
        shown = heading(source.span.file, source.span.line) or Path(source.span.file).stem.replace("-", " ")
        return Chapter(
            re.sub(r"[^a-z0-9]+", "-", without_accents(shown.lower())).strip("-"), shown[:1].upper() + shown[1:], ()
        ), 0

    def agreement_of(self, name: str, source: Source) -> str:
        """Return the title over a statement that holds only if agreed; empty for one that stands by itself."""
        called = _called(name, source)
        return next((each.title for each in self.agreements if not {*called}.isdisjoint(each.of)), "")

    def value(self, option: str, value: str) -> str:
        """Return the English display name of an option's value."""
        spaced = value.replace("-", " ")
        return self.values.get(option, {}).get(spaced, spaced)


def _called(name: str, source: Source) -> tuple[str, ...]:
    """Return the possible names of a statement in the plan, the closest first: its name, its file and heading, its
    file, its heading.
    """
    file, title = Path(source.span.file).name, heading(source.span.file, source.span.line)
    return name, source.construct, f"{file}: {title}", file, title


@cache
def plan() -> BookPlan:
    """The shipped plan. Raises :class:`~truco_spec.base.safe_yaml.YamlError`."""
    document = safe_yaml.load_file(shipped.folder("spec") / "rulebook.yaml")
    data = document.data if isinstance(document.data, dict) else {}
    chapters: list[Any] = data["chapters"] if isinstance(data.get("chapters"), list) else []
    for chapter in chapters:
        if isinstance(chapter, dict):
            chapter["from_"] = chapter.pop("from", [])  # a word of Python
    found: BookPlan = document.shaped(BookPlan)
    return found


def heading(file: str, line: int) -> str:
    """The last heading above a line of a spec; empty if there is none."""
    return next((title for at, title in reversed(_headings(file)) if at < line), "")


@cache
def _headings(file: str) -> tuple[tuple[int, str], ...]:
    try:
        with open(file, encoding="utf-8") as text:
            lines = text.read(_LONGEST).splitlines()
    except OSError:  # the text of a cached graph may be gone
        return ()
    return tuple((n, match[1]) for n, line in enumerate(lines, 1) if (match := _HEADING.match(line)))


# ---- The glossary of table terms and their meanings, printed in rulebooks ---------------------------
#
# Glossary entries are never executed. The files lie in ``spec/glossary``; each entry names the clauses that it
# renders, and ``truco-spec trace`` counts those clauses as covered there.
#
#     book = glossary()
#     book.entries[0].term.meaning.es
#     book.naming()["wikipedia", "argentino.sena-dos"]    # the entries that render this clause

Kind = Literal["name", "gesture", "idiom", "custom"]
FacePart = Literal[
    "brows up",
    "right eye shut",
    "left eye shut",
    "nose wrinkled",
    "mouth drawn right",
    "mouth drawn left",
    "lip bitten",
    "lips pushed out",
    "mouth open",
    "hand on shoulder",
]


@dataclass(frozen=True, slots=True)
class Localised:
    """A text in the three languages."""

    en: Annotated[str, "English."]
    es: Annotated[str, "Spanish."]
    pt: Annotated[str, "Portuguese."]


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the table. Renderings are in our own words, never in the sentences of the source."""

    term: Annotated[str, "The word or phrase itself, as it is said; of a gesture, what it stands for."]
    kind: Annotated[
        Kind, "name: of a thing or a player; gesture: a sign to a partner; idiom: a saying; custom: what is usual."
    ]
    clauses: Annotated[tuple[str, ...], "The clauses that it renders, by their ids in the source of the file."]
    meaning: Annotated[Localised, "What it means."]
    gesture: Annotated[Localised | None, "How the sign is made; of gestures only."] = None
    also: Annotated[tuple[str, ...], "Other ways to say it."] = ()
    face: Annotated[tuple[FacePart, ...], "How a face that makes the sign is drawn; of gestures only."] = ()
    called: Annotated[Localised | None, "What a book prints for the term, where nobody says it at a table."] = None


@dataclass(frozen=True, slots=True)
class GlossaryFile:
    """One file of ``spec/glossary``."""

    glossary: Annotated[Literal[1], "The version of this format: 1."]
    source: Annotated[str, "The source whose clauses the terms render."]
    title: Annotated[Localised, "What the terms of this file have in common."]
    licence: Annotated[str, "The licence of this file."]
    terms: Annotated[tuple[Term, ...], "The terms, in the order of the book."]


@dataclass(frozen=True, slots=True)
class TermEntry:
    """A term with its section title, the source of its clauses, and its file and line."""

    term: Term
    title: Localised
    source: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Glossary:
    """All terms, file by file."""

    entries: tuple[TermEntry, ...]

    def naming(self) -> dict[tuple[str, str], list[TermEntry]]:
        """Map each clause (source, id) to the entries that render it."""
        found: dict[tuple[str, str], list[TermEntry]] = {}
        for entry in self.entries:
            for clause in entry.term.clauses:
                found.setdefault((entry.source, clause), []).append(entry)
        return found


def glossary(folder: Path | None = None) -> Glossary:
    """Load every term of the files in the folder (default: all at hand); empty if there is no folder.

    A word is explained once for each source that has it.

    Raises :class:`~truco_spec.base.safe_yaml.YamlError`, with file and line, for a file that cannot be used.
    """
    files = ordinary_files(folder, "*.yaml") if folder else [p for each in projects() for p in each.files("glossary")]
    entries: list[TermEntry] = []
    first: dict[tuple[str, str, Kind], TermEntry] = {}
    for path in files:
        for entry in _entries(path, path.stat().st_mtime_ns):
            earlier = first.setdefault((entry.source, entry.term.term, entry.term.kind), entry)
            if earlier is not entry:
                message = Sentence(
                    "“{term}” is explained already at {place}; keep one.",
                    term=entry.term.term,
                    place=f"{earlier.path}:{earlier.line}",
                )
                raise safe_yaml.YamlError(message, entry.path, entry.line, 1)
            entries.append(entry)
    return Glossary(tuple(entries))


@lru_cache(maxsize=64)
def _entries(path: Path, stamp: int) -> tuple[TermEntry, ...]:
    """Return the terms in a file, read again only when it has changed."""
    document = safe_yaml.load_file(path)
    file = document.shaped(GlossaryFile)
    _filled(document, file.title, "title")
    for at, term in enumerate(file.terms):
        _sound(document, term, at)
    return tuple(
        TermEntry(term, file.title, file.source, str(path), document.place("terms", at).line)
        for at, term in enumerate(file.terms)
    )


def _sound(document: safe_yaml.Document, term: Term, at: int) -> None:
    """Reject entries that are well-formed but empty."""
    keys = ("terms", at)
    if not term.term.strip():
        raise document.error(Sentence("The term is empty; write the word that is explained."), *keys, "term")
    if not term.clauses:
        form = "“{term}” renders no clause; name those that it rests on."
        raise document.error(Sentence(form, term=term.term), *keys, "clauses")
    for number, clause in enumerate(term.clauses):
        if clause in term.clauses[:number]:
            message = Sentence("The clause {clause} is named twice; keep one.", clause=clause)
            raise document.error(message, *keys, "clauses", number)
    if (term.kind == "gesture") != (term.gesture is not None):
        message = Sentence("How a sign is made stands under “gesture”, of every term of that kind and of no other.")
        raise document.error(message, *keys, "gesture" if term.gesture else "kind")
    _filled(document, term.meaning, *keys, "meaning")
    if term.gesture:
        _filled(document, term.gesture, *keys, "gesture")


def _filled(document: safe_yaml.Document, words: Localised, *keys: str | int) -> None:
    for language in fields(words):
        if not getattr(words, language.name).strip():
            message = Sentence("Nothing is said in “{language}”; write it.", language=language.name)
            raise document.error(message, *keys, language.name)

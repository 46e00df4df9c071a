"""The glossary of table terms and their meanings, printed in rulebooks.

Glossary entries are never executed. The files lie in ``spec/glossary``; each entry names the clauses that it renders,
and ``truco-spec trace`` counts those clauses as covered there.

    book = glossary()
    book.entries[0].term.meaning.es
    book.naming()["wikipedia", "argentino.sena-dos"]    # the entries that render this clause
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from truco_spec.base import safe_yaml
from truco_spec.base.project import projects
from truco_spec.base.words import Sentence

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
    files = sorted(folder.glob("*.yaml")) if folder else [p for each in projects() for p in each.files("glossary")]
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
    """The terms in a file, read anew when that has changed."""
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

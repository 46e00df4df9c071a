"""The plan of a rulebook (``spec/rulebook.yaml``): the chapter of each statement, if any."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.words import without_accents
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
    """What a score sheet is made for."""

    upto: Annotated[str, "The option that says how many points are played for."]
    halves: Annotated[Mapping[str, str], "The options, with their values, under which it has two halves."] = field(
        default_factory=dict
    )


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of the page to learn from: what it tells, and what it draws."""

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
    ``first`` is the page that every book begins with. ``acts`` are words of moves that are not spoken; other
    languages have their own. ``words`` and ``values`` (of options) are English display names, where they differ.
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
    acts: tuple[str, ...] = ()
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
        """The title that a statement stands under where it does not hold; empty for one that stands by itself."""
        called = _called(name, source)
        return next((each.title for each in self.agreements if not {*called}.isdisjoint(each.of)), "")


def _called(name: str, source: Source) -> tuple[str, ...]:
    """What the plan may call a statement, the closest first: its name, its file and heading, its file, its heading."""
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

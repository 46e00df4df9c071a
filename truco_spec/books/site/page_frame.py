"""What the pages of the site share: relative addresses, so that the folder can lie anywhere; the frame with the
navigation in the reader's language; replays embedded in a page.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from truco_spec.base import __version__
from truco_spec.base.harmless import visible
from truco_spec.base.project import own_projects
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.books.rulebook.book_words import Words, words_in
from truco_spec.conformance.corpus.cases import Case
from truco_spec.graph.model import Graph
from truco_spec.graph.sources import registry
from truco_spec.pages.board import board_of, drawings, faces_of, facts_of, titles_of, words_of
from truco_spec.pages.cards import pack_of
from truco_spec.pages.html import page
from truco_spec.pages.moments import Moment, board

# ---- Addresses -----------------------------------------------------------------------------------

MOST_CLAUSES = 150
"""A source with more clauses, gaps and options than this is split by the first word of their ids."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Addresses relative to a page; ``root`` is the path to the home page: empty, or ``../``.

    Pages in several languages default to ``language``.
    """

    root: str = ""
    language: str = ENGLISH

    def home(self, language: str = "") -> str:
        """The home page."""
        return self._page("index", language)

    def search(self, language: str = "") -> str:
        """The search."""
        return self._page("search", language)

    def who(self, language: str = "") -> str:
        """The page that settles an argument."""
        return self._page("who", language)

    def book(self, variant: str, language: str = "", rule: str = "") -> str:
        """A rulebook, or a rule in it."""
        return f"{self.root}rules/{variant}.{language or self.language}.html" + (
            f"#rule-{rule.replace(' ', '-')}" if rule else ""
        )

    def clause(self, source: str, clause: str = "") -> str:
        """The clauses of a source, or one of them."""
        return f"{self.root}{page_of_clause(source, clause)}" + (f"#{clause}" if clause else "")

    def case(self, case: Case) -> str:
        """A case of the corpus."""
        return f"{self.root}{page_of_case(case)}#{case.id}"

    def table(self, part: int = 0) -> str:
        """The table of all games side by side, or a part of it, counted from 1."""
        return f"{self.root}table.html" + (f"#part-{part}" if part else "")

    def option(self, variant: str, option: str) -> str:
        """An option in a book."""
        return f"{self.book(variant)}#option-{option}"

    def decision(self, variant: str, decision: str) -> str:
        """A decision in a book."""
        return f"{self.book(variant)}#decision-{decision}"

    def atlas(self, variant: str, rule: str = "") -> str:
        """The graph of a game, or a rule in it."""
        return f"{self.root}atlas/{variant}.html" + (f"#{rule}" if rule else "")

    def ways(self) -> tuple[tuple[str, str], ...]:
        """The parts of the site linked from every page: English names and addresses."""
        return (
            ("Search", self.search()),
            ("Clauses", f"{self.root}clauses/index.html"),
            ("Cases", f"{self.root}cases/index.html"),
            ("Table", self.table()),
            ("Results", f"{self.root}results/index.html"),
            ("Docs", f"{self.root}docs/index.html"),
        )

    def _page(self, name: str, language: str) -> str:
        code = language or self.language
        return f"{self.root}{name}.html" if code == ENGLISH else f"{self.root}{name}.{code}.html"


def page_of_case(case: Case) -> str:
    """The page of the file that contains a case."""
    path = Path(case.path)
    for project in own_projects():
        if path.is_relative_to(project.cases):
            inside = path.relative_to(project.cases).with_suffix("")
            return f"cases/{'-'.join((project.root.name, *inside.parts))}.html"
    return f"cases/{path.parent.name}-{path.stem}.html"


@cache
def parts_of_source(source: str) -> tuple[str, ...]:
    """The parts of a split source, such as ``argentino``; empty if it has one page."""
    held = registry(source)
    ids = (*held.clauses, *held.gaps, *held.options)
    parts = tuple(dict.fromkeys(name.partition(".")[0] for name in ids))
    return parts if len(ids) > MOST_CLAUSES and len(parts) > 1 else ()


def page_of_clause(source: str, clause: str = "") -> str:
    """The page of a clause, or of a part of a source; without one, the first page of the source."""
    if clause and parts_of_source(source):
        return f"clauses/{source}-{clause.partition('.')[0]}.html"
    return f"clauses/{source}.html"


# ---- The frame: navigation, a common style, the version --------------------------------------------

CALLED = {"en": "English", "pt": "Português", "es": "Español"}
"""The name of each language in that language."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The navigation of a page, as ``pages/ways.html`` shows it.

    ``ways`` are names, addresses, and whether the target is in English while the page is not; ``here`` are further
    links of this page: a language code or nothing, a name, an address.
    """

    to: Addresses
    label: str
    ways: tuple[tuple[str, str, bool], ...]
    here: tuple[tuple[str, str, str], ...] = ()


@cache
def words(language: str) -> Words:
    """The words of the site's own frame."""
    return words_in(language, "site")


@cache
def rule_words(language: str) -> Words:
    """The sentences of rules."""
    return words_in(language)


def frame(to: Addresses, here: tuple[tuple[str, str, str], ...] = ()) -> Frame:
    """The navigation of a page, in its language."""
    told = words(to.language)
    foreign = to.language != ENGLISH
    ways = tuple((told(name), address, foreign and name != "Search") for name, address in to.ways())
    return Frame(to, told("Site"), ways, here)


def others(language: str) -> list[tuple[str, str]]:
    """The other languages: codes and names."""
    return [(code, CALLED[code]) for code in LANGUAGES if code != language]


def framed(
    name: str,
    root: str,
    script: str = "",
    *,
    pictures: bool = False,
    modules: bool = False,
    styles: Sequence[str] = (),
    language: str = ENGLISH,
    here: tuple[tuple[str, str, str], ...] = (),
    **values: object,
) -> str:
    """Render the page ``name.html`` of the site with these values; ``root`` is the path to the home page."""
    to = Addresses(root, language)
    held = {
        "to": to, "frame": frame(to, here), "version": __version__, "language": language, "_": words(language),
        "contents": (), **values,
    }  # fmt: skip
    everywhere = ("site", *styles)
    return page(__package__ or "", name, held, styles=everywhere, script=script, pictures=pictures, modules=modules)


# ---- Replays in a page: their moments as data for ``board.js``, and their cards ---------------------


class Embedded:
    """The replays on one page, with one drawing per card. ``labels`` are of the facts at the table."""

    def __init__(self) -> None:
        self._drawn: dict[str, None] = {}
        self._titles: dict[str, str] = {}
        self.labels = board().facts

    def replay(self, players: Sequence[str], graph: Graph, moments: Iterable[Moment]) -> Markup:
        """The replay as JSON, for an attribute in single quotes: of each moment what was done, what came of it, and the
        board.
        """
        said, facts = words_of(graph), facts_of(graph)
        held = [
            (
                f"{moment.number}. {players[moment.seat]} {said(moment.done)}" if moment.number else "the deal",
                moment.remark,
                board_of(moment, players, facts, said=said),
            )
            for moment in moments
        ]
        self._drawn |= dict.fromkeys(sorted(faces_of(drawn for _, _, drawn in held)))
        self._titles |= titles_of(graph)
        data = {"players": list(players), "moments": held}
        return htmlsafe_json_dumps(
            data, lambda it, **_: visible(json.dumps(it, ensure_ascii=False, separators=(",", ":")))
        )

    @property
    def titles(self) -> dict[str, str]:
        """The names of its cards."""
        return {name: self._titles[name] for name in self._drawn}

    @property
    def symbols(self) -> Markup:
        """The drawings of all its cards."""
        return drawings(self._drawn, pack_of(self._drawn))

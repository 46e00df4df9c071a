"""The shared parts of the site's pages: their inputs (graphs, cases, traces and words of each language, all loaded
lazily); relative addresses, so that the folder can be moved; the frame with the navigation in the reader's language;
replays embedded in a page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from truco_spec.base import __version__
from truco_spec.base.harmless import visible
from truco_spec.base.project import own_projects, subject_names
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.base.words import Spoken, Words, say, speaking
from truco_spec.books.articles import printed_book
from truco_spec.books.book import Book, Filler
from truco_spec.books.book_words import spoken_in, words_in
from truco_spec.books.examples import Example
from truco_spec.compare.questions import QuestionTable, asked_of, questions, table_of
from truco_spec.compare.scenario import Side
from truco_spec.conformance.corpus.cases import Case
from truco_spec.conformance.links import Spec, TracedCorpus, read_corpus, read_spec
from truco_spec.conformance.trace import Trace, traces
from truco_spec.graph.load import load, seatings
from truco_spec.graph.model import DECIDED, Graph
from truco_spec.graph.sources import registry, sources
from truco_spec.pages.board import board_of, drawings, faces_of, facts_of, titles_of, words_of
from truco_spec.pages.cards import pack_of
from truco_spec.pages.html import page
from truco_spec.pages.moments import Moment, board


class SiteInputs:
    """The inputs of the pages, loaded lazily."""

    def __init__(self) -> None:
        self.examples: dict[str, dict[str, Example]] = {}

    @cached_property
    def graphs(self) -> dict[str, Graph]:
        """The graphs of all games of the site, by name."""
        return {name: graph for name in subject_names() if (graph := load(name)).rules and graph.seats}

    @cached_property
    def players(self) -> dict[str, tuple[int, ...]]:
        """The numbers of players of each game: the values of its option that link."""
        return {name: tuple(seated.seats for seated in seatings(name)) for name in self.graphs}

    def tested_in(self, name: str) -> Iterator[Case]:
        """Return the cases of a game, and of those that it extends."""
        variants = {name, *self.graphs[name].lineage}
        return (case for case in self.corpus.cases if not variants.isdisjoint(case.applies.variants))

    def testing(self, name: str) -> dict[str, list[str]]:
        """Return the cases of a game and of those that it extends, by citation."""
        found: dict[str, list[str]] = {}
        for case in self.tested_in(name):
            for cite in (*case.clauses, *(f"{DECIDED}:{decision}" for decision in case.entry.decisions)):
                found.setdefault(cite, []).append(case.id)
        return found

    @cached_property
    def corpus(self) -> TracedCorpus:
        return read_corpus()

    @cached_property
    def spec(self) -> Spec:
        return read_spec()

    @cached_property
    def traces(self) -> dict[str, Trace]:
        """The citations and tests of the clauses of each source."""
        held = traces([registry(name) for name in sources()], self.spec, self.corpus)
        return {trace.source: trace for trace in held}

    @cached_property
    def cases(self) -> dict[str, Case]:
        """The cases by their ids."""
        return {case.id: case for case in self.corpus.cases}

    @cached_property
    def books(self) -> dict[str, Book]:
        """The English book of each game."""
        return {name: printed_book(graph, words_in(ENGLISH)) for name, graph in self.graphs.items()}

    @cached_property
    def readings(self) -> dict[str, frozenset[str]]:
        """The decisions printed in the book of each game."""
        return {name: frozenset(reading.name for reading in book.readings) for name, book in self.books.items()}

    @cache  # noqa: B019 -- as long as the site is made
    def sentences(self, name: str, language: str) -> dict[str, str]:
        """Return the translated sentences of a game's statements; of an option, its question."""
        told = words_in(language)
        fill, asked = Filler(self.graphs[name], told), asked_of()
        return {
            stated: words(language)(asked[stated]) if kind == "option" and stated in asked else fill(prose)
            for kind, stated, source in self.graphs[name].cites
            if (prose := told.told(source.prose or ""))
        }

    @cached_property
    def told(self) -> dict[str, dict[str, str]]:
        """The rules printed in the book of each game, with their numbers; for rules that would hold if agreed, the
        number of their chapter.
        """
        return {
            name: {
                entry.name: entry.number or section.number
                for section in book.sections
                for entry in (*section.otherwise, *section.entries)
            }
            for name, book in self.books.items()
        }

    @cache  # noqa: B019 -- as long as the site is made
    def table(self, language: str) -> QuestionTable:
        """All games side by side, question by question, in a language; first those nearest to the one that it knows
        best.
        """
        known = self.graphs.get(board().first[language])
        near = frozenset(known.lineage) if known else frozenset()
        in_order = sorted(self.graphs, key=lambda name: -len(near.intersection(self.graphs[name].lineage)))
        with speaking(speech(language)):
            return table_of([Side(name, {}) for name in in_order], questions(""))

    @cached_property
    def files(self) -> dict[str, list[Case]]:
        """The cases by page."""
        found: dict[str, list[Case]] = {}
        for case in self.corpus.cases:
            found.setdefault(page_of_case(case), []).append(case)
        return found


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
        return self._page("index", language)

    def search(self, language: str = "") -> str:
        return self._page("search", language)

    def who(self, language: str = "") -> str:
        """The page that settles an argument."""
        return self._page("who", language)

    def playground(self, language: str = "") -> str:
        """The page on which rules are written."""
        return self._page("playground", language)

    def book(self, variant: str, language: str = "", rule: str = "") -> str:
        """A rulebook, or a rule in it."""
        return f"{self.root}rules/{variant}.{language or self.language}.html" + (
            f"#rule-{rule.replace(' ', '-')}" if rule else ""
        )

    def clause(self, source: str, clause: str = "") -> str:
        """The clauses of a source, or one of them."""
        return f"{self.root}{self.in_language(page_of_clause(source, clause))}" + (f"#{clause}" if clause else "")

    def sources(self, language: str = "") -> str:
        return f"{self.root}{self.in_language('clauses/index.html', language)}"

    def case(self, case: Case) -> str:
        return f"{self.root}{self.in_language(page_of_case(case))}#{case.id}"

    def cases(self, language: str = "") -> str:
        return f"{self.root}{self.in_language('cases/index.html', language)}"

    def in_language(self, page: str, language: str = "") -> str:
        """A page that is there in every language."""
        return page_in(page, language or self.language)

    def table(self, part: int = 0, language: str = "") -> str:
        """The table of all games side by side, or a part of it, counted from 1."""
        return self._page("table", language) + (f"#part-{part}" if part else "")

    def option(self, variant: str, option: str) -> str:
        return f"{self.book(variant)}#option-{option}"

    def decision(self, variant: str, decision: str) -> str:
        return f"{self.book(variant)}#decision-{decision}"

    def atlas(self, variant: str, rule: str = "") -> str:
        """The graph of a game, or a rule in it."""
        return f"{self.root}{self.in_language(f'atlas/{variant}.html')}" + (f"#{rule}" if rule else "")

    def ways(self) -> tuple[tuple[str, str], ...]:
        """The parts of the site linked from every page: English names and addresses."""
        return (
            ("Search", self.search()),
            ("Clauses", self.sources()),
            ("Cases", self.cases()),
            ("Table", self.table()),
            ("Results", f"{self.root}{self.in_language('results/index.html')}"),
            ("Docs", f"{self.root}{self.in_language('docs/index.html')}"),
        )

    def _page(self, name: str, language: str) -> str:
        return f"{self.root}{self.in_language(f'{name}.html', language)}"


def page_in(page: str, language: str) -> str:
    """Return the path of a page in a language: its code precedes the extension, unless it is English."""
    return page if language == ENGLISH else f"{page.removesuffix('.html')}.{language}.html"


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

    ``ways`` are names and addresses; ``here`` are the page in each language, its own too (a code, a name, an address),
    and further links of it, without a code.
    """

    to: Addresses
    label: str
    ways: tuple[tuple[str, str], ...]
    here: tuple[tuple[str, str, str], ...] = ()


@cache
def words(language: str) -> Words:
    """The words of the site's own frame."""
    return words_in(language, "site")


@cache
def speech(language: str) -> Spoken:
    """The language of a page, to be spoken."""
    return spoken_in(language)


@cache
def rule_words(language: str) -> Words:
    return words_in(language)


def frame(to: Addresses, here: Sequence[tuple[str, str, str]] = ()) -> Frame:
    """The navigation of a page, in its language."""
    told = words(to.language)
    ways = tuple((told(name), address) for name, address in to.ways())
    return Frame(to, told("Site"), ways, tuple(here))


def in_each(address: Callable[[str], str]) -> tuple[tuple[str, str, str], ...]:
    """Return the same page in each language: code, name and address."""
    return tuple((code, CALLED[code], address(code)) for code in LANGUAGES)


def framed(
    name: str,
    root: str,
    script: str = "",
    *,
    modules: bool = False,
    styles: Sequence[str] = (),
    language: str = ENGLISH,
    here: Sequence[tuple[str, str, str]] = (),
    **values: object,
) -> str:
    """Render the page ``name.html`` of the site with these values; ``root`` is the path to the home page."""
    to = Addresses(root, language)
    held = {
        "to": to, "frame": frame(to, here), "version": __version__, "language": language, "_": words(language),
        "contents": (), **values,
    }  # fmt: skip
    everywhere = ("site", *styles)
    return page(__package__ or "", name, held, styles=everywhere, script=script, modules=modules)


# ---- Replays in a page: their moments as data for ``board.js``, and their cards ---------------------


class Embedded:
    """The replays on one page, with one drawing per card. ``labels`` are of the facts at the table."""

    def __init__(self) -> None:
        self._drawn: dict[str, None] = {}
        self._titles: dict[str, str] = {}
        self.labels = {name: say(label) for name, label in board().facts.items()}

    def replay(
        self,
        players: Sequence[str],
        graph: Graph,
        moments: Iterable[Moment],
        named: Callable[[str], str] = str,
    ) -> Markup:
        """Return the replay as JSON, for an attribute in single quotes: for each moment the move, its effects, and the
        board. ``named`` gives the players other names.
        """
        said, facts = words_of(graph), facts_of(graph)
        held = [
            (
                f"{moment.number}. {players[moment.seat]} {said(moment.done)}" if moment.number else say("the deal"),
                moment.remark,
                board_of(moment, players, facts, said=said),
            )
            for moment in moments
        ]
        self._drawn |= dict.fromkeys(sorted(faces_of(drawn for _, _, drawn in held)))
        self._titles |= titles_of(graph)
        data = {"players": list(players), "moments": held}
        return htmlsafe_json_dumps(
            data, lambda it, **_: visible(named(json.dumps(it, ensure_ascii=False, separators=(",", ":"))))
        )

    @property
    def titles(self) -> dict[str, str]:
        return {name: self._titles[name] for name in self._drawn}

    @property
    def symbols(self) -> Markup:
        """The drawings of all its cards."""
        return drawings(self._drawn, pack_of(self._drawn))

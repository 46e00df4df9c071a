"""The inputs of the pages: graphs, cases, traces and words of each language, all loaded lazily."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from truco_spec.base.project import subject_names
from truco_spec.base.shipped import ENGLISH
from truco_spec.books.rulebook.book import Book, Filler, book_of
from truco_spec.books.rulebook.book_words import Words, words_in
from truco_spec.books.rulebook.examples import Example
from truco_spec.books.site.page_frame import page_of_case
from truco_spec.compare.core.scenario import Side
from truco_spec.compare.questions.table import QuestionTable, questions, table_of
from truco_spec.conformance.corpus.cases import Case
from truco_spec.conformance.trace.links import Spec, TracedCorpus, read_corpus, read_spec
from truco_spec.conformance.trace.trace import Trace, traces
from truco_spec.graph.fold import specialise
from truco_spec.graph.load import load, seatings
from truco_spec.graph.model import DECIDED, Graph
from truco_spec.graph.sources import registry, sources


class SiteInputs:
    """The inputs of the pages, loaded lazily."""

    def __init__(self) -> None:
        self.examples: dict[str, dict[str, Example]] = {}
        self._bare: dict[str, Graph] = {}

    @cached_property
    def graphs(self) -> dict[str, Graph]:
        """The graphs of all games of the site, by name."""
        return {name: graph for name in subject_names() if (graph := load(name)).rules and graph.seats}

    @cached_property
    def players(self) -> dict[str, tuple[int, ...]]:
        """The numbers of players of each game: the values of its option that link."""
        return {name: tuple(seated.seats for seated in seatings(name)) for name in self.graphs}

    def filler(self, name: str, words: Words) -> Filler:
        """The filler for the sentences of a game, in a language."""
        if name not in self._bare:
            self._bare[name] = specialise(self.graphs[name])
        return Filler(self.graphs[name], self._bare[name], words)

    def tested_in(self, name: str) -> Iterator[Case]:
        """The cases of a game, and of those that it extends."""
        variants = {name, *self.graphs[name].lineage}
        return (case for case in self.corpus.cases if not variants.isdisjoint(case.applies.variants))

    def testing(self, name: str) -> dict[str, list[str]]:
        """The cases of a game and of those that it extends, by citation."""
        found: dict[str, list[str]] = {}
        for case in self.tested_in(name):
            for cite in (*case.clauses, *(f"{DECIDED}:{decision}" for decision in case.entry.decisions)):
                found.setdefault(cite, []).append(case.id)
        return found

    @cached_property
    def corpus(self) -> TracedCorpus:
        """All cases."""
        return read_corpus()

    @cached_property
    def spec(self) -> Spec:
        """All statements."""
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
        return {name: book_of(graph, words_in(ENGLISH)) for name, graph in self.graphs.items()}

    @cached_property
    def readings(self) -> dict[str, frozenset[str]]:
        """The decisions printed in the book of each game."""
        return {name: frozenset(reading.name for reading in book.readings) for name, book in self.books.items()}

    @cached_property
    def sentences(self) -> dict[str, str]:
        """The sentence of every statement, from the first game that has it."""
        found: dict[str, str] = {}
        for name, graph in self.graphs.items():
            fill = self.filler(name, words_in(ENGLISH))
            for _, stated, source in graph.cites:
                if source.prose and stated not in found:
                    found[stated] = fill(source.prose)
        return found

    @cached_property
    def told(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """The rules printed in the book of each game, including those that would hold if agreed."""
        found = {}
        for name, book in self.books.items():
            holds = frozenset(entry.name for section in book.sections for entry in section.entries)
            found[name] = holds, frozenset(entry.name for section in book.sections for entry in section.otherwise)
        return found

    @cached_property
    def table(self) -> QuestionTable:
        """All games side by side, question by question."""
        return table_of([Side(name, {}) for name in self.graphs], questions(""))

    @cached_property
    def files(self) -> dict[str, list[Case]]:
        """The cases by page."""
        found: dict[str, list[Case]] = {}
        for case in self.corpus.cases:
            found.setdefault(page_of_case(case), []).append(case)
        return found

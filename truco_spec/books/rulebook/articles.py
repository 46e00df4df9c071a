"""A book in the order of the articles of a regulation: each with its words, and under it what it means in play.

An article without a rule is printed as it stands. What no article says is in the chapters after them: the rules of the
game that is extended, and the decisions.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import replace

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import Project, project_of
from truco_spec.books.rulebook.book import Book, BookEntry, Section, options_deciding
from truco_spec.books.rulebook.book_words import Words
from truco_spec.books.rulebook.penalties import KEY, TITLE, penalties_of
from truco_spec.graph.sources import Article, registry

LEFT = "What the articles leave to the rules of the game"
"""The heading of what no article says."""


class NoArticles(TrucoError):
    """The book of this variant cannot follow the articles of a regulation."""


def in_order_of_articles(book: Book, words: Words) -> Book:
    """The book with a section for each article, then the chapters with what is left. Raises :class:`NoArticles`."""
    project = project_of(book.variant)
    if project is None:
        raise NoArticles(f"{book.variant}: error: This is the variant of no project; a project's source has articles.")
    told = _Articles(book, words, project)
    found = tuple(told.sections())
    if not found:
        raise NoArticles(
            f"{project.root}: error: No source of this project has articles; add them (docs/federation.md)."
        )
    left = tuple(told.left())
    rest = tuple(reading for reading in book.readings if reading.name not in told.told)
    ordered = replace(book, sections=(*found, *left), readings=rest)
    if not penalties_of(ordered):
        return ordered
    letter = string.ascii_uppercase[len(left)]
    return replace(ordered, sections=(*ordered.sections, Section(KEY, letter, words(TITLE), "", (), ())))


class _Articles:
    """Gathers what each article means. ``told`` are the names of what stands under an article already."""

    def __init__(self, book: Book, words: Words, project: Project) -> None:
        self.book, self.words, self.project = book, words, project
        self.numbers: dict[str, str] = {}
        self.told: set[str] = set()
        self.deciding = options_deciding(book.graph)
        self.citing: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self.cited: set[str] = set()
        own = project.sources()
        for kind, name, source in book.graph.cites:
            for cite in source.cites:
                self.citing.setdefault((cite.source, cite.clause), []).append((kind, name))
                if cite.source in own:
                    self.cited.add(name)

    def sections(self) -> Iterator[Section]:
        for name in self.project.sources():
            for article in registry(name).record.articles:
                yield self._section(name, article)

    def _section(self, source: str, article: Article) -> Section:
        cited = [each for clause in article.clauses for each in self.citing.get((source, clause), ())]
        names = {name for _, name in cited}
        options = {name for kind, name in cited if kind in ("set", "option")}
        meant = [entry for entry in self._entries() if entry.name in names]
        meant += [  # what a setting decides, unless it cites an article itself
            entry
            for entry in self._entries()
            if entry.name not in self.cited and not options.isdisjoint(self.deciding.get(entry.name, ()))
        ]
        entries: list[BookEntry] = []
        for entry in (entry for entry in meant if entry.name not in self.told):
            self.told.add(entry.name)
            self.numbers[entry.name] = f"{article.number}.{len(entries) + 1}"
            entries.append(replace(entry, number=self.numbers[entry.name]))
        own = {entry.number for entry in entries}
        decisions = [r for r in self.book.readings if r.name in names and r.name not in self.told]
        self.told |= {reading.name for reading in decisions}
        return Section(
            f"article-{source}-{article.number}",
            article.number,
            self._in_language(article.heading),
            "",
            tuple(entries),
            (),
            text=self._in_language(article.text),
            settings=tuple(agreed for agreed in self.book.settings if agreed.name in options),
            decisions=tuple(decisions),
            see=tuple(self.numbers[entry.name] for entry in meant if self.numbers[entry.name] not in own),
        )

    def _entries(self) -> Iterator[BookEntry]:
        yield from (entry for section in self.book.sections for entry in section.entries)

    def _in_language(self, told: Mapping[str, str]) -> str:
        """An article's words: as the federation has them in this language, else in its own."""
        found = told.get(self.words.language)
        if found is None and told:
            self.words.missing[next(iter(told.values()))] = None
        return found or next(iter(told.values()), "")

    def left(self) -> Iterator[Section]:
        """The chapters with the rules that no article has; lettered, as the articles have numbers."""
        letters = iter(string.ascii_uppercase)
        part = self.words(LEFT)
        for section in self.book.sections:
            entries = [entry for entry in section.entries if entry.name not in self.told]
            if not entries:
                continue
            letter = next(letters)
            numbered = (replace(entry, number=f"{letter}.{at}") for at, entry in enumerate(entries, 1))
            yield replace(section, number=letter, entries=tuple(numbered), part=part)
            part = ""

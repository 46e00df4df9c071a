"""A complete book, ready to render: the rules with their examples and tables, and the glossary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from truco_spec.base.glossary import TermEntry, glossary
from truco_spec.books.rulebook.book import Book, Section, book_of
from truco_spec.books.rulebook.book_words import Words
from truco_spec.books.rulebook.examples import Example
from truco_spec.books.rulebook.finding import Examples
from truco_spec.books.rulebook.worked_tables import PrintedTable, table_of
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import plan
from truco_spec.graph.sources import speaks_of


@dataclass(frozen=True, slots=True)
class Whole:
    """A book with its contents. ``examples`` are by rule name, ``tables`` by chapter key, ``terms`` by kind."""

    book: Book
    examples: dict[str, Example]
    tables: dict[str, tuple[PrintedTable, ...]]
    terms: dict[str, tuple[TermEntry, ...]]
    language: str


def whole_of(
    graph: Graph,
    words: Words,
    given: Iterable[str] = (),
    examples: dict[str, Example] | None = None,
    seated: Callable[[int], Graph] | None = None,
) -> Whole:
    """Assemble a book. Examples may be reused from the book in another language; ``seated`` is for
    :class:`~truco_spec.books.rulebook.finding.Examples`.

    Raises :class:`~truco_spec.books.rulebook.finding.WrongExample`.
    """
    chosen = frozenset(given)
    book = book_of(graph, words, chosen)
    if examples is None:
        found = Examples(graph, shipped=not chosen, seated=seated)
        examples = found.of([entry for section in book.sections for entry in section.entries])
    examples = {name: example.among(words.language) for name, example in examples.items()}
    tables = {section.key: tuple(_tables(graph, section, words)) for section in book.sections}
    return Whole(book, examples, tables, _terms(graph), words.language)


def _tables(graph: Graph, section: Section, words: Words) -> Iterator[PrintedTable]:
    for wanted in plan().tables:
        if wanted.chapter == section.key and (table := table_of(graph, wanted, words)):
            yield table


def _terms(graph: Graph) -> dict[str, tuple[TermEntry, ...]]:
    """The glossary terms of this game, in the order of kinds in the plan."""
    found: dict[str, list[TermEntry]] = {}
    for entry in glossary().entries:
        if any(speaks_of(entry.source, clause, graph.lineage) for clause in entry.term.clauses):
            found.setdefault(entry.term.kind, []).append(entry)
    order = list(plan().words)
    kinds = sorted(found, key=lambda kind: order.index(kind) if kind in order else len(order))
    return {kind: tuple(found[kind]) for kind in kinds}

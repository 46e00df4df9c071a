"""A complete book, ready to render: the rules with their examples and worked tables, and the glossary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from truco_spec.base.glossary import TermEntry, glossary
from truco_spec.books.rulebook.book import Book, Section, book_of
from truco_spec.books.rulebook.book_words import Words
from truco_spec.books.rulebook.examples import Example
from truco_spec.books.rulebook.finding import Examples
from truco_spec.books.rulebook.first_page import FirstPage, first_page_of
from truco_spec.books.rulebook.penalties import CAPTION, KEY, columns_of, rows_of
from truco_spec.books.rulebook.worked_tables import PrintedTable, table_of
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import plan
from truco_spec.graph.sources import speaks_of

NONE, SOME, ALL = "none", "some", "all"
"""How many examples a book has."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A book with its contents. ``first`` is the page to learn from, ``examples`` are by rule name, ``tables`` by
    chapter key, ``terms`` by kind.
    """

    book: Book
    first: FirstPage
    examples: dict[str, Example]
    tables: dict[str, tuple[PrintedTable, ...]]
    terms: dict[str, tuple[TermEntry, ...]]


def whole_of(
    graph: Graph,
    words: Words,
    given: Iterable[str] = (),
    examples: dict[str, Example] | None = None,
    seated: Callable[[int], Graph] | None = None,
    *,
    articles: bool = False,
) -> Whole:
    """Assemble a book, if asked for in the order of the ``articles`` of a regulation.

    Examples may be reused from the book in another language; ``seated`` is for
    :class:`~truco_spec.books.rulebook.finding.Examples`.

    Raises :class:`~truco_spec.books.rulebook.finding.WrongExample`, or NoArticles.
    """
    chosen = frozenset(given)
    book = book_of(graph, words, chosen)
    first = first_page_of(book, words)
    if articles:
        from truco_spec.books.rulebook.articles import in_order_of_articles

        book = in_order_of_articles(book, words)
    if examples is None:
        found = Examples(graph, shipped=not chosen, seated=seated)
        examples = found.of([entry for section in book.sections for entry in section.entries])
    examples = {name: example.among(words.language) for name, example in examples.items()}
    printed: set[tuple[str, str]] = set()
    tables = {section.key: tuple(_tables(graph, section, words, printed)) for section in book.sections}
    if articles and book.sections[-1].key == KEY:
        tables[KEY] = (PrintedTable(words(CAPTION), columns_of(words), tuple(rows_of(book, words))),)
    return Whole(book, first, examples, tables, _terms(graph))


def with_examples(whole: Whole, amount: str) -> Whole:
    """The book with all of its examples, some (the first of each chapter), or none."""
    if amount == ALL:
        return whole
    firsts = (next((e.name for e in s.entries if e.name in whole.examples), "") for s in whole.book.sections)
    kept = {name: whole.examples[name] for name in firsts if name} if amount == SOME else {}
    return replace(whole, examples=kept)


def _tables(graph: Graph, section: Section, words: Words, printed: set[tuple[str, str]]) -> Iterator[PrintedTable]:
    """The tables of a section, without those of an earlier one."""
    for wanted in plan().tables:
        named = wanted.chapter == section.key or any(entry.name == wanted.of for entry in section.entries)
        if named and (wanted.kind, wanted.of) not in printed and (table := table_of(graph, wanted, words)):
            printed.add((wanted.kind, wanted.of))
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

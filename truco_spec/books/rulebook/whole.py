"""A complete book, ready to render: the rules with their examples and worked tables, and the glossary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from truco_spec.base.errors import TrucoError
from truco_spec.base.glossary import TermEntry, glossary
from truco_spec.base.words import Words
from truco_spec.books.rulebook.articles import CAPTION, KEY, columns_of, in_order_of_articles, rows_of
from truco_spec.books.rulebook.book import Book, BookEntry, Section, book_of
from truco_spec.books.rulebook.examples import Example
from truco_spec.books.rulebook.finding import Examples
from truco_spec.books.rulebook.sample_hand import HandFrame, sample_of
from truco_spec.books.rulebook.worked_tables import (
    PrintedTable,
    above_in,
    start_of_play,
    table_of,
    turned_in,
    turned_where,
)
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import PagePart, plan
from truco_spec.graph.sources import speaks_of


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A card that is turned up, where it lies, and the cards that then stand above all others, the highest first."""

    place: str
    card: str
    made: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountedHand:
    """The cards of a hand with what each adds to its count (empty for one that adds nothing), what is added to these,
    and the count.
    """

    cards: tuple[tuple[str, str], ...]
    more: str
    total: str

    @property
    def sum(self) -> str:
        """How the count comes about, with “=”; empty if it is that of one card."""
        parts = [worth for _, worth in self.cards if worth] + ([self.more] if self.more else [])
        return f"{' + '.join(parts)} =" if parts[1:] else ""


@dataclass(frozen=True, slots=True)
class LearnPart:
    """A part of the page. ``tables`` are as in the book, those of bids without what follows on the first word."""

    key: str
    title: str
    about: tuple[str, ...]
    rules: tuple[BookEntry, ...]
    tables: tuple[PrintedTable, ...]
    turned: tuple[TurnedUp, ...]
    counted: tuple[CountedHand, ...]


@dataclass(frozen=True, slots=True)
class FirstPage:
    """The page. ``above`` are the cards that stand above all others, in the strip of the cards."""

    parts: tuple[LearnPart, ...]
    frames: tuple[HandFrame, ...]
    above: tuple[str, ...]


def first_page_of(book: Book, words: Words) -> FirstPage:
    wanted, graph = plan().first, book.graph
    game = start_of_play(graph)
    strength = next((table.of for table in plan().tables if table.kind == "ranking"), "")
    parts = tuple(_part(book, each, words, strength) for each in wanted.parts if _chapters(book, each))
    above = above_in(game, strength)
    frames = sample_of(graph, wanted.samples, strength, words) if strength in graph.defines else ()
    return FirstPage(parts, frames, above)


def _chapters(book: Book, wanted: PagePart) -> list[str]:
    """The chapters of a part that the book has, if it has the first."""
    if wanted.needs and not any(entry.name == wanted.needs for section in book.sections for entry in section.entries):
        return []
    there = [section.key for section in book.sections]
    return [key for key in wanted.chapters if key in there] if wanted.chapters[0] in there else []


def _part(book: Book, wanted: PagePart, words: Words, strength: str) -> LearnPart:
    sections = {section.key: section for section in book.sections}
    chapters = [sections[key] for key in _chapters(book, wanted)]
    entries = {entry.name: entry for section in book.sections for entry in section.entries}
    tables = (table_of(book.graph, each, words, chained=False) for each in plan().tables if each.of in wanted.tables)
    return LearnPart(
        chapters[0].key,
        chapters[0].title,
        tuple(chapter.about for chapter in chapters if chapter.about),
        tuple(entries[name] for name in wanted.rules if name in entries),
        tuple(filter(None, tables)),
        tuple(_turned(book.graph, wanted, strength)),
        tuple(_counted(book.graph, wanted)),
    )


# ---- cards ---------------------------------------------------------------------------------------


def _turned(graph: Graph, wanted: PagePart, strength: str) -> Iterator[TurnedUp]:
    """What each card makes that is turned up; nothing where none is, or another is turned up for it."""
    present = {card.name for card in graph.cards if card.present}
    places = turned_where(start_of_play(graph))
    for card in wanted.turned:
        for place in places if card in present else ():
            try:
                game = start_of_play(graph, f"{place} {card}")
            except TrucoError:
                continue
            if turned_in(game) == (card,) and (made := above_in(game, strength)):
                yield TurnedUp(place, card, made)


def _counted(graph: Graph, wanted: PagePart) -> Iterator[CountedHand]:
    """What each of the hands counts. A card adds to it if the hand counts otherwise without the card."""
    numbers = {card.name: number for number, card in enumerate(graph.cards) if card.present}
    if wanted.count not in graph.defines or wanted.worth not in graph.defines:
        return
    first = next((card for card in wanted.turned if card in numbers), "")
    deal = ", ".join(f"{place} {first}" for place in turned_where(start_of_play(graph)) if first)
    game = start_of_play(graph, deal)
    for hand in wanted.hands:
        cards = [name for name in hand.split() if name in numbers]
        if len(cards) < len(hand.split()):
            continue
        whole = sum(1 << numbers[name] for name in cards)
        total = game.ask(wanted.count, whole)
        worth = {
            name: game.ask(wanted.worth, numbers[name])
            for name in cards
            if game.ask(wanted.count, whole - (1 << numbers[name])) != total
        }
        more = total - sum(worth.values())
        yield CountedHand(
            tuple((name, str(worth.get(name, ""))) for name in cards), str(more) if more else "", str(total)
        )


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

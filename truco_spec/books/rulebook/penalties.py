"""The table of penalties of a game: what is punished, under which article, what it costs the first time, and again.

It is read off the book. What has a penalty is a rule that says what a forbidden act costs (``lest``), or what the
referee may do under a clause of the kind ``penalty``. The cost is the sentence of the effect that the rule applies, if
it rests on such a clause too; the effect's exceptions tell what it costs again, or in other cases. Where a rule changes
the position by itself, or by an effect that is no penalty, its own sentence tells the cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from truco_spec.base.document import Cell, Document, Grid, Heading, Item, Items, Paragraph
from truco_spec.base.project import project_of
from truco_spec.books.rulebook.book import Book, BookAuthority, BookEntry
from truco_spec.books.rulebook.book_words import Words
from truco_spec.graph.model import DECIDED, REFEREE_NAME, Apply, Change, Rule
from truco_spec.graph.sources import Clause, registry

KEY = "penalties"
"""The key of the section with the table, in a book in the order of articles."""
TITLE, NONE = "Penalties", "This game has no penalties."
CAPTION = "What has a penalty, and what it costs"
COLUMNS = ("what", "article", "the first time", "again, or in other cases")
AS_SAID = "as is said there"
_PENALTY = "penalty"
"""The kind of the clauses that say what something costs."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """``entry`` is what is punished, ``articles`` where that is laid down; ``first`` and ``again`` are sentences."""

    entry: BookEntry
    articles: tuple[str, ...]
    first: tuple[str, ...]
    again: tuple[str, ...]


def penalties_of(book: Book) -> list[Penalty]:
    """The penalties of a book, in its order."""
    entries = {entry.name: entry for section in book.sections for entry in section.entries}
    costly = {name: changes for name, entry in entries.items() if (changes := _punishing(book, entry))}
    direct = {change.effect for changes in costly.values() for change in changes if isinstance(change, Apply)}

    def costs(changes: Iterable[Change]) -> Iterator[tuple[bool, str]]:
        """Whether it is the usual cost, and its sentence; an effect that has a penalty of its own is left to that."""
        for applied in (change.effect for change in changes if isinstance(change, Apply)):
            for turn in book.graph.effects[applied].turns:
                if turn.name in entries and _is_penalty(entries[turn.name]):
                    yield turn.name == applied, entries[turn.name].sentence
                yield from costs(c for c in turn.changes if isinstance(c, Apply) and c.effect not in direct)

    found = []
    for name, changes in costly.items():
        told = dict.fromkeys(costs(changes))
        first, again = ([sentence for usual, sentence in told if usual is wanted] for wanted in (True, False))
        found.append(Penalty(entries[name], _articles(book, entries[name]), tuple(first), tuple(again)))
    return found


def table_of_penalties(book: Book, words: Words, *, listed: bool = False) -> Document:
    """The table, with the number that each rule has in the book; ``listed``: as a list, for a terminal."""
    yield Heading(1, f"{book.title}: {words(TITLE)}")
    columns, rows = columns_of(words), list(rows_of(book, words))
    if not rows:
        yield Paragraph(words(NONE))
    elif listed:
        yield Items(tuple(Item(what, _labelled(columns[1:], cells)) for what, *cells in rows))
    else:
        yield Grid(columns, tuple((what, tuple(map(Cell, cells))) for what, *cells in rows))


def columns_of(words: Words) -> tuple[str, ...]:
    """The heads of the columns."""
    return tuple(words(column) for column in COLUMNS)


def rows_of(book: Book, words: Words) -> Iterator[tuple[str, ...]]:
    """The rows, as text."""
    for each in penalties_of(book):
        cost = " ".join(each.first) or words(AS_SAID)
        yield f"{each.entry.number} {each.entry.sentence}", ", ".join(each.articles), cost, " ".join(each.again)


def _labelled(labels: Iterable[str], cells: Iterable[str]) -> tuple[Paragraph, ...]:
    return tuple(Paragraph(f"{label}: {cell}") for label, cell in zip(labels, cells, strict=True) if cell)


def _punishing(book: Book, entry: BookEntry) -> list[Change]:
    """The changes by which a rule, or one of a construct, punishes."""
    rules = (rule for rule in book.graph.rules.values() if entry.name in (rule.name, rule.source.construct))
    return [change for rule in rules for change in _costing(rule, entry)]


def _costing(rule: Rule, entry: BookEntry) -> tuple[Change, ...]:
    if rule.outsider == REFEREE_NAME:
        return rule.do if _is_penalty(entry) else ()
    return rule.lest


def _is_penalty(entry: BookEntry) -> bool:
    """Whether it rests on a clause that says what something costs."""
    return any(clause and clause.kind == _PENALTY for _, clause in _clauses(entry))


def _clauses(entry: BookEntry) -> list[tuple[BookAuthority, Clause | None]]:
    cited = [authority for authority in entry.authorities if authority.source != DECIDED]
    return [(each, registry(each.source).clauses.get(each.clause)) for each in cited]


def _articles(book: Book, entry: BookEntry) -> tuple[str, ...]:
    """The places that the regulation has for it; for want of one, the clauses, those on penalties if there are any."""
    project = project_of(book.variant)
    own = project.sources() if project else {}
    places = [registry(a.source).clauses[a.clause].locator for a in entry.authorities if a.source in own]
    if places:
        return tuple(dict.fromkeys(places))
    telling = [authority for authority, clause in _clauses(entry) if clause and clause.kind == _PENALTY]
    return tuple(f"{a.source}:{a.clause}" for a in telling or entry.authorities)

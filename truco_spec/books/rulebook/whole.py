"""A complete book, ready to render: the rules with their examples and worked tables, and the glossary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from truco_spec.base.glossary import TermEntry, glossary
from truco_spec.books.rulebook.book import Book, Section, book_of
from truco_spec.books.rulebook.book_words import Words
from truco_spec.books.rulebook.examples import Example
from truco_spec.books.rulebook.finding import Examples
from truco_spec.books.rulebook.penalties import CAPTION, KEY, columns_of, rows_of
from truco_spec.engine.game import CHANCE, Action, Game
from truco_spec.engine.layout import NONE
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import TablePlan, plan
from truco_spec.graph.sources import speaks_of
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay


@dataclass(frozen=True, slots=True)
class Whole:
    """A book with its contents. ``examples`` are by rule name, ``tables`` by chapter key, ``terms`` by kind."""

    book: Book
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
    return Whole(book, examples, tables, _terms(graph))


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


# ---- Tables computed from the rules: ranking, results, bids and their values ---------------------

MOST_SAID = 3
"""Maximum occurrences of a word in a chain of the table, however often it may be said; the plan may override it."""


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of a chapter. ``cards``: its cells hold names of cards, to be drawn; ``turned`` are the face-up cards
    meanwhile. ``cut``: further rows of the same kind were left out.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    cards: bool = False
    turned: tuple[str, ...] = ()
    cut: bool = False


def table_of(graph: Graph, wanted: TablePlan, words: Words) -> PrintedTable | None:
    """Build the table; None if the game has nothing of the kind."""
    made = {"ranking": _ranking, "rows": _rows, "ladder": _ladder, "chains": _chains}[wanted.kind](graph, wanted)
    if made is None or not made.rows:
        return None
    rows = tuple(tuple(words.known(cell) for cell in row) for row in made.rows)
    return replace(made, title=words(wanted.title), columns=tuple(words(c) for c in wanted.columns), rows=rows)


def cells_of(graph: Graph, wanted: TablePlan) -> Iterator[str]:
    """The words in the cells of a table of results, without letters and marks."""
    if wanted.kind == "rows" and (made := _rows(graph, wanted)):
        yield from dict.fromkeys(cell for row in made.rows for cell in row if len(cell) > 1)


def start_of_play(graph: Graph) -> Game:
    """A game with the cards of the first hand dealt, always the same."""
    players = [f"P{seat}" for seat in range(graph.seats)]
    replay = Replay(read_line(f"{graph.name} | {' '.join(players)} | deal"), graph)
    replay.deal_out()
    return replay.game


def _ranking(graph: Graph, wanted: TablePlan) -> PrintedTable | None:
    define = graph.defines.get(wanted.of)
    if define is None or len(define.params) != 1 or define.params[0].type.base != "card":
        return None
    game = start_of_play(graph)
    turned = _turned(game)
    worth: dict[int, list[str]] = {}
    for number, card in enumerate(graph.cards):
        if card.present:
            try:
                worth.setdefault(game.ask(wanted.of, number), []).append(card.name)
            except (PlayError, IndexError):
                return None
    rows = tuple((" ".join(worth[value]),) for value in sorted(worth, reverse=True))
    return PrintedTable("", (), rows, cards=True, turned=turned)


def _turned(game: Game) -> tuple[str, ...]:
    """The open cards that belong to nobody."""
    slots = [b.base for b in game.layout.blocks.values() if b.datum.type.place == "slot" and not b.dims]
    return tuple(game.graph.cards[game.position[slot]].name for slot in slots if game.position[slot] != NONE)


def _rows(graph: Graph, wanted: TablePlan) -> PrintedTable | None:
    table = graph.tables.get(wanted.of)
    return None if table is None else PrintedTable("", (), table.rows)


def _ladder(graph: Graph, wanted: TablePlan) -> PrintedTable | None:
    words = graph.orders.get(f"{wanted.of}.word")
    stakes = f"{wanted.of}.stakes"
    if words is None or stakes not in graph.defines:
        return None
    game = start_of_play(graph)
    worth = [game.ask(stakes, level) for level in range(len(words) + 1)]
    rows = [(word.replace("-", " "), str(worth[n]), str(worth[n - 1])) for n, word in enumerate(words, 1)]
    return PrintedTable("", (), tuple(rows))


def _chains(graph: Graph, wanted: TablePlan) -> PrintedTable | None:
    if f"{wanted.of}.word" not in graph.orders or wanted.offer not in graph.defines:
        return None
    game = start_of_play(graph)
    kind = graph.defines[wanted.offer].type
    chains = list(_said(game, wanted))
    rows = [
        (" – ".join(said).replace("-", " "), graph.text_of(kind, offer), str(refused))
        for said, offer, refused in chains
        if offer is not None
    ]
    return PrintedTable("", (), tuple(rows), cut=len(rows) < len(chains))


def _said(
    game: Game, wanted: TablePlan, said: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], int | None, int]]:
    """Every chain of words from here, the words offered at its end, and what a refusal then pays; the position is
    restored. Chains that repeat a word more often than the table allows are omitted, with all that follows.
    """
    words = game.graph.orders[f"{wanted.of}.word"]
    seen: set[str] = set()
    for action in [a for a in game.legal_actions() if a.actor != CHANCE]:
        word = game.text(action).partition(" ")[2]
        if word not in words or word in seen:
            continue
        seen.add(word)
        chain = (*said, word)
        if chain.count(word) > wanted.most.get(word, MOST_SAID):
            yield chain, None, 0
            continue
        game.push(action)
        yield chain, game.ask(wanted.offer), _refused(game, f"{wanted.of}.refuse")
        yield from _said(game, wanted, chain)
        game.pop()


def _refused(game: Game, rule: str) -> int:
    """What a refusal pays now."""
    refusal: Action | None = next((a for a in game.legal_actions() if rule in _rules(game, a)), None)
    if refusal is None:
        return 0
    before = _points(game)
    game.push(refusal)
    paid = _points(game) - before
    game.pop()
    return paid


def _rules(game: Game, action: Action) -> tuple[str, ...]:
    return tuple(rule.name for rule in game.rule_on(action).rules)


def _points(game: Game) -> int:
    score = game.observe()["score"]
    return sum(v for v in score.values() if isinstance(v, int)) if isinstance(score, dict) else 0

"""Tables computed from the rules: ranking, results, bids and their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Words
from truco_spec.engine.compiled.program import permitted_rules
from truco_spec.engine.game import CHANCE, Game
from truco_spec.engine.layout import NONE
from truco_spec.engine.support import PlayError
from truco_spec.engine.text import plainly, told
from truco_spec.graph.model import AGREED, Graph
from truco_spec.graph.plan import TablePlan
from truco_spec.graph.walk import never_called
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay
from truco_spec.pages.moments import board

MOST_CHAINED = 50
"""Maximum words of a chain; no bid comes near it."""
MOST_SAID = 3
"""Maximum occurrences of a word in a chain of the table, however often it may be said; the plan may override it."""


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of a chapter. ``cards``: its cells hold names of cards, to be drawn; ``turned`` are the face-up cards
    meanwhile, each after its place. ``cut``: further rows of the same kind were left out.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    cards: bool = False
    turned: tuple[tuple[str, str], ...] = ()
    cut: bool = False


def table_of(graph: Graph, wanted: TablePlan, words: Words, *, chained: bool = True) -> PrintedTable | None:
    """Build the table; None if the game has nothing of the kind. Of chains only the first words, unless ``chained``."""
    if wanted.kind == "rows" and wanted.ends:
        made = _settled(graph, wanted, words)
    elif not chained and wanted.kind == "chains":
        made = _chains(graph, wanted, longest=1)
    else:
        made = {"ranking": _ranking, "rows": _rows, "ladder": _ladder, "chains": _chains}[wanted.kind](graph, wanted)
    if made is None or not made.rows:
        return None
    rows = tuple(tuple(words.known(cell) for cell in row) for row in made.rows)
    return replace(made, title=words(wanted.title), columns=tuple(words(c) for c in wanted.columns), rows=rows)


def figures_of(graph: Graph, wanted: TablePlan, words: Words) -> str:
    """Return a table in one line: of a ladder the value of a hand, unraised and with each word; of a ranking the number
    of cards, and their ranks.
    """
    if wanted.kind == "ladder" and (made := table_of(graph, wanted, words)):
        return ", ".join((made.rows[0][2], *(f"{word} = {worth}" for word, worth, _ in made.rows)))
    return f"{cards_in(graph)}: {ranks_of(graph, wanted)}" if wanted.kind == "ranking" else ""


def cards_in(graph: Graph) -> int:
    """Return the number of cards in the pack."""
    return sum(card.present for card in graph.cards)


def cells_of(graph: Graph, wanted: TablePlan) -> Iterator[str]:
    """The words in the cells of a table of results, without letters and marks."""
    if wanted.kind == "rows" and (made := _rows(graph, wanted)):
        yield from dict.fromkeys(cell for row in made.rows for cell in row if len(cell) > 1)


def seated(graph: Graph) -> list[str]:
    """Players for every seat."""
    return [f"P{seat}" for seat in range(graph.seats)]


def start_of_play(graph: Graph, deal: str = "", dealer: str = "") -> Game:
    """A game with the cards of the first hand dealt, always the same: as the ``deal`` of a log says, if at all.

    Raises :class:`~truco_spec.logs.line.LogError` for a deal that does not come about.
    """
    players = seated(graph)
    first = dealer or players[0]  # else lots would have to be given
    line = f"{graph.name} | {' '.join(players)} | dealer {first} | deal {deal}"
    replay = Replay(read_line(line), graph)
    replay.deal_out()
    return replay.game


def _ranking(graph: Graph, wanted: TablePlan) -> PrintedTable | None:
    define = graph.defines.get(wanted.of)
    if define is None or len(define.params) != 1 or define.params[0].type.base != "card":
        return None
    game = start_of_play(graph)
    turned = turned_where(game)
    worth: dict[int, list[str]] = {}
    for number, card in enumerate(graph.cards):
        if card.present and card.name not in turned.values():  # nobody plays what lies open
            try:
                worth.setdefault(game.ask(wanted.of, number), []).append(card.name)
            except (PlayError, IndexError):
                return None
    rows = tuple((" ".join(worth[value]),) for value in sorted(worth, reverse=True))
    return PrintedTable("", (), rows, cards=True, turned=tuple(turned.items()))


def ranks_of(graph: Graph, wanted: TablePlan) -> str:
    """The ranks of common cards from the highest down, behind cards above all others whose ranks have no common ones.
    A rank that a turned card sets above them is asked with another.
    """
    define = graph.defines.get(wanted.of)
    if define is None or len(define.params) != 1 or not graph.ranks:
        return ""
    game = start_of_play(graph)
    tried = [game]
    for place in turned_where(game):
        with suppress(TrucoError):
            tried += [start_of_play(graph, f"{place} {name}") for name in above_in(game, wanted.of)[:1]]
    worth: dict[int, int] = {}
    for each in tried:
        above = above_in(each, wanted.of)
        for number, card in enumerate(graph.cards):
            if card.present and card.name not in (*above, *turned_in(each)):
                with suppress(PlayError, IndexError):
                    worth.setdefault(card.rank, each.ask(wanted.of, number))
    of = {rank: [card.name for card in graph.cards if card.present and card.rank == rank] for rank in worth}
    names = {rank: graph.orders[graph.ranks][rank] if cards[1:] else cards[0] for rank, cards in of.items()}
    ranked = {card.name for card in graph.cards if card.rank in worth}
    alone = (name for name in above_in(game, wanted.of) if name not in ranked)
    return " › ".join((*alone, *(names[rank] for rank in sorted(worth, key=worth.__getitem__, reverse=True))))


def above_in(game: Game, strength: str) -> tuple[str, ...]:
    """Return the cards that rank above all others, the highest first."""
    graph = game.graph
    asked = [name for name in board().above if name in graph.defines]
    above = [
        number
        for number, card in enumerate(graph.cards)
        if card.present and card.name not in turned_in(game) and any(game.ask(name, number) for name in asked)
    ]
    return tuple(graph.cards[number].name for number in sorted(above, key=lambda n: -game.ask(strength, n)))


def turned_in(game: Game) -> tuple[str, ...]:
    """The open cards that belong to nobody."""
    return tuple(turned_where(game).values())


def turned_where(game: Game) -> dict[str, str]:
    """The open cards that belong to nobody, by their places."""
    slots = {b.datum.name: b.base for b in game.layout.blocks.values() if b.datum.type.place == "slot" and not b.dims}
    cards, position = game.graph.cards, game.position
    return {place: cards[position[slot]].name for place, slot in slots.items() if position[slot] != NONE}


def _rows(graph: Graph, wanted: TablePlan) -> PrintedTable | None:
    table = graph.tables.get(wanted.of)
    return None if table is None else PrintedTable("", (), table.rows)


def _settled(graph: Graph, wanted: TablePlan, words: Words) -> PrintedTable | None:
    """The rows, each that ends with a word with the sentence of the rule that the engine then applies instead."""
    made = _rows(graph, wanted)
    if made is None:
        return None
    rows = tuple((*before, _in_the_end(graph, wanted, before, words) or end) for *before, end in made.rows)
    return replace(made, rows=rows)


def _in_the_end(graph: Graph, wanted: TablePlan, row: Sequence[str], words: Words) -> str:
    """The sentence of the rule that is applied where a game has ended as the row says; empty for rows with letters."""
    if any(len(cell) == 1 for cell in row):
        return ""
    name = applied(start_of_play(graph), wanted, [graph.words[cell] for cell in row])
    return plainly(told(graph, words(graph.rules[name].source.prose)), words(AGREED)) if name else ""


def applied(game: Game, wanted: TablePlan, values: Sequence[int]) -> str:
    """Return the rule that applies in the phase in which a table is looked up, with these values in the columns of a
    row; empty if the game has none.
    """
    layout = game.layout
    if wanted.given not in layout.blocks or wanted.ends not in layout.number:
        return ""
    position = list(game.position)
    for number, value in enumerate(values, 1):
        position[layout.blocks[wanted.given].slot((number,))] = value
    position[0] = layout.number[wanted.ends]
    ready = game.program.ready[position[0]]
    return next((rule.name for rule in permitted_rules(ready(position) if ready else [])), "")


def _ladder(graph: Graph, wanted: TablePlan) -> PrintedTable | None:
    words = graph.orders.get(f"{wanted.of}.word")
    stakes = f"{wanted.of}.stakes"
    if words is None or stakes not in graph.defines:
        return None
    game = start_of_play(graph)
    worth = [game.ask(stakes, level) for level in range(len(words) + 1)]
    called = [n for n in range(1, len(worth)) if n - 1 not in never_called(graph, wanted.of)]
    rows = [(words[n - 1].replace("-", " "), str(worth[n]), str(worth[n - 1])) for n in called]
    return PrintedTable("", (), tuple(rows))


def _chains(graph: Graph, wanted: TablePlan, longest: int = MOST_CHAINED) -> PrintedTable | None:
    if f"{wanted.of}.word" not in graph.orders or wanted.offer not in graph.defines:
        return None
    game = start_of_play(graph)
    kind = graph.defines[wanted.offer].type
    chains = list(_said(game, wanted, longest))
    rows = [
        (" – ".join(said).replace("-", " "), graph.text_of(kind, offer), str(refused))
        for said, offer, refused in chains
        if offer is not None
    ]
    return PrintedTable("", (), tuple(rows), cut=len(rows) < len(chains))


def _said(
    game: Game, wanted: TablePlan, longest: int, said: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], int | None, int]]:
    """Yield every chain of words from here, the words offered at its end, and the price of a refusal there; the
    position is restored. Chains that repeat a word more often than the table allows are omitted, with all
    continuations.
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
        if len(chain) < longest:
            yield from _said(game, wanted, longest, chain)
        game.pop()


def _refused(game: Game, rule: str) -> int:
    """Return the price of a refusal now."""
    legal = game.legal_actions()
    refusal = next((a for a in legal if any(rule == each.name for each in game.rule_on(a).rules)), None)
    if refusal is None:
        return 0
    before = _points(game)
    game.push(refusal)
    paid = _points(game) - before
    game.pop()
    return paid


def _points(game: Game) -> int:
    score = game.observe()["score"]
    return sum(v for v in score.values() if isinstance(v, int)) if isinstance(score, dict) else 0

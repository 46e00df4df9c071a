"""A complete book, ready to render: the rules with their examples and worked tables, and the glossary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Words, joined, names_in
from truco_spec.books.articles import CAPTION, KEY, columns_of, in_order_of_articles, rows_of
from truco_spec.books.book import Book, BookEntry, Section, book_of
from truco_spec.books.examples import Example
from truco_spec.books.finding import Examples
from truco_spec.books.worked_tables import (
    PrintedTable,
    above_in,
    seated,
    start_of_play,
    table_of,
    turned_in,
    turned_where,
)
from truco_spec.engine.game import CHANCE, Action
from truco_spec.engine.observe import settled
from truco_spec.engine.ruling import tacit_action
from truco_spec.engine.text import TextError
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import PagePart, SamplePlan, TermEntry, glossary, plan
from truco_spec.graph.sources import speaks_of
from truco_spec.pages.moments import places_of, seats_around


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A turned-up card, its place, and the cards that then rank above all others, the highest first."""

    place: str
    card: str
    made: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountedHand:
    """The cards of a hand with the value of each in its count (empty for none), the constant added, and the count."""

    cards: tuple[tuple[str, str], ...]
    more: str
    total: str

    @property
    def sum(self) -> str:
        """The count as a sum, with “=”; empty if it is that of one card."""
        parts = [worth for _, worth in self.cards if worth] + ([self.more] if self.more else [])
        return f"{' + '.join(parts)} =" if parts[1:] else ""


@dataclass(frozen=True, slots=True)
class LearnPart:
    """A part of the page. ``tables`` are as in the book, those of bids without the continuations of the first word."""

    key: str
    title: str
    about: tuple[str, ...]
    rules: tuple[BookEntry, ...]
    tables: tuple[PrintedTable, ...]
    turned: tuple[TurnedUp, ...]
    counted: tuple[CountedHand, ...]


@dataclass(frozen=True, slots=True)
class FirstPage:
    """The page. ``above`` are the cards that rank above all others, in the strip of the cards."""

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
    """Return the effect of each turned-up card; nothing if none is turned up, or another is turned up for it."""
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
    """Return the count of each of the hands. A card contributes if the count differs without it."""
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
    :class:`~truco_spec.books.finding.Examples`.

    Raises :class:`~truco_spec.books.finding.WrongExample`, or NoArticles.
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
        tables[KEY] = (PrintedTable(words(CAPTION), columns_of(book.variant, words), tuple(rows_of(book, words))),)
    return Whole(book, first, examples, tables, _terms(graph))


def with_examples(whole: Whole, amount: str) -> Whole:
    """Return the book with all of its examples, some (the first of each chapter), or none."""
    if amount == ALL:
        return whole
    firsts = (next((e.name for e in s.entries if e.name in whole.examples), "") for s in whole.book.sections)
    kept = {name: whole.examples[name] for name in firsts if name} if amount == SOME else {}
    return replace(whole, examples=kept)


def _tables(graph: Graph, section: Section, words: Words, printed: set[tuple[str, str]]) -> Iterator[PrintedTable]:
    """Return the tables of a section, without those of an earlier one."""
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


# ---- A hand played by the engine and shown in a few pictures ----------------------------------------

MOST_ACTIONS = 400
"""Maximum actions of a hand; more are no hand to learn from."""
MOST_PICTURES = 6
"""Pictures that fit on a page."""
AFTERWARDS = "after"
"""The key of the words said after the hand."""

DEALS = "{dealer} deals, {first} leads."
TAKES = "The trick goes to {team}."
TIED = "The trick is tied."
WORTH = "The hand is now worth {stake}."
WON = "The hand goes to {team}."
DRAWN = "Nobody wins the hand."
SCORE = "Score: {score}."
AND = "and"
CAPTIONS = (DEALS, TAKES, TIED, WORTH, WON, DRAWN, SCORE, AND)
"""The text below a picture."""


@dataclass(frozen=True, slots=True)
class FrameSeat:
    """A player in a picture: its place as an hour, its words with their numbers in order, the cards held, the card
    played, and whether it is the best.
    """

    name: str
    team: int
    hour: int
    said: tuple[tuple[int, str], ...]
    held: tuple[str, ...]
    played: str
    best: bool


@dataclass(frozen=True, slots=True)
class HandFrame:
    """A picture of a hand: after the deal, after something was said, or after a trick. ``played`` are the players and
    the cards of the trick, in order; after the last one something may be said as well.
    """

    seats: tuple[FrameSeat, ...]
    played: tuple[tuple[str, str], ...]
    turned: tuple[tuple[str, str], ...]
    caption: str

    @property
    def said(self) -> list[tuple[str, str]]:
        """The words said, in order, with their speakers."""
        found = sorted((number, seat.name, words) for seat in self.seats for number, words in seat.said)
        return [(name, words) for _, name, words in found]


def sample_of(graph: Graph, plans: Iterable[SamplePlan], strength: str, words: Words) -> tuple[HandFrame, ...]:
    """Return the hand with the most pictures, the first of several, whose cards are in the pack; empty if none can be
    played here.

    ``strength`` is the question that tells the better of two cards.
    """
    present = {card.name for card in graph.cards if card.present}
    found: list[tuple[HandFrame, ...]] = []
    for each in plans if graph.seats <= len(names_in(words.language)) else ():
        if len(each.hands) >= graph.seats and present.issuperset(_cards_of(each, graph.seats)):
            with suppress(TrucoError):
                found.append(_Hand(graph, each, strength, words).frames())
    return max((frames for frames in found if len(frames) <= MOST_PICTURES), key=len, default=())


def _cards_of(plan: SamplePlan, seats: int) -> list[str]:
    return [card for hand in plan.hands[:seats] for card in hand.split()]


class _Hand:
    """The hand in play. Seat 0 deals."""

    def __init__(self, graph: Graph, plan: SamplePlan, strength: str, words: Words) -> None:
        self.graph, self.plan, self.words = graph, plan, words
        self.names = names_in(words.language)
        order = [*range(1, graph.seats), 0]
        self.left = {seat: hand.split() for seat, hand in zip(order, plan.hands, strict=False)}
        self.dealt = {seat: tuple(cards) for seat, cards in self.left.items()}
        players = seated(graph)
        parts = [f"{players[seat]} {' '.join(cards)}" for seat, cards in self.left.items()]
        places = turned_where(start_of_play(graph)) if plan.turned else ()
        parts += [f"{place} {plan.turned}" for place in places]
        self.game = start_of_play(graph, ", ".join(parts), players[0])
        self.numbers = {card.name: number for number, card in enumerate(graph.cards)}
        self.strength = {name: self.game.ask(strength, number) for name, number in self.numbers.items()}
        self.turned = tuple(turned_where(self.game).items())
        self.said: dict[int, list[tuple[int, str]]] = {}
        self.played: dict[int, str] = {}
        self.before: Mapping[str, object] = {}

    def frames(self) -> tuple[HandFrame, ...]:
        """Return the pictures; none if the hand does not end."""
        found: list[HandFrame] = []
        self.before = self.game.observe()
        for trick in count(1):
            first = self._to_play()
            if first is None:
                return ()
            if not found:
                found.append(self._frame(self.words(DEALS), first=first.actor))
            self.played = {}
            self._speak(self.plan.said.get(str(trick), ()), first.actor)
            if self.said:
                found.append(self._frame(*self._told()))
                if "hand" in settled(self.game.observe()):
                    break
            while len(self.played) < self.graph.seats:
                action = self._to_play()
                if action is None:
                    return ()
                self._push(action)
                if any(key in settled(self.game.observe()) for key in ("trick", "hand")):
                    break
            told = tuple(self._told())
            over = "hand" in settled(self.game.observe())
            if over:
                self._speak(self.plan.said.get(AFTERWARDS, ()), first.actor)
            found.append(self._frame(*told))
            if over:
                break
        return tuple(found)

    # ---- playing -------------------------------------------------------------------------------

    def _to_play(self) -> Action | None:
        """Return the next card of the plan, by whose turn it is; implicit moves come before it."""
        for _ in range(MOST_ACTIONS):
            for action in self.game.legal_actions():
                if action.actor != CHANCE and self.left[action.actor][:1] == [self._words(action)]:
                    return action
            tacit = tacit_action(self.game)
            if tacit is None:
                return None
            self.game.push(tacit)
        return None

    def _push(self, action: Action) -> None:
        self.played[action.actor] = self.left[action.actor].pop(0)
        self.game.push(action)

    def _speak(self, said: Iterable[str], first: int) -> None:
        """Say these words, each by the next in turn who may."""
        actor = first
        number = count(1)
        for word in said:
            seats = ((actor + n) % self.graph.seats for n in range(self.graph.seats))
            spoken = next((found for seat in seats if (found := self._meant(seat, word))), None)
            if spoken is not None:
                action, words = spoken
                self.said.setdefault(action.actor, []).append((next(number), words.replace("-", " ")))
                self.game.push(action)
                actor = (action.actor + 1) % self.graph.seats

    def _meant(self, seat: int, word: str) -> tuple[Action, str] | None:
        """Return the action and words of a player who says this word: some words include the count of the hand."""
        texts = [word]
        if self.plan.count in self.graph.defines:
            cards = sum(1 << self.numbers[name] for name in self.dealt[seat])
            texts.append(f"{word} {self.game.ask(self.plan.count, cards)}")
        for text in texts:
            with suppress(TextError):
                action = self.game.parse(f"{self.game.players[seat]} {text}")
                if self.game.permits(action):
                    return action, text
        return None

    def _words(self, action: Action) -> str:
        return self.game.text(action).partition(" ")[2]

    # ---- showing -------------------------------------------------------------------------------

    def _frame(self, *captions: str, first: int = 0) -> HandFrame:
        best = max((self.strength[card] for card in self.played.values()), default=None)
        held: dict[int, tuple[str, ...]] = {
            place.seat: tuple(card.name for card in place.cards) for place in places_of(self.game, ()) if place.held
        }
        seats = tuple(
            FrameSeat(
                self.names[seat],
                seat % self.graph.teams,
                hour,
                tuple(self.said.get(seat, ())),
                tuple(card for card in self.dealt[seat] if card in self.left[seat] and card in held.get(seat, ())),
                self.played.get(seat, ""),
                seat in self.played and self.strength[self.played[seat]] == best,
            )
            for seat, hour in enumerate(seats_around(self.graph.seats))
        )
        told = " ".join(captions).replace("{dealer}", self.names[0]).replace("{first}", self.names[first])
        self.said = {}
        self.before = self.game.observe()
        played = tuple((self.names[seat], card) for seat, card in self.played.items())
        return HandFrame(seats, played, self.turned, told)

    def _told(self) -> Iterator[str]:
        """Return the changes since the last picture."""
        now, words = settled(self.game.observe()), self.words
        before = settled(self.before)
        hand = now.get("hand")
        if hand is None and self.played and (trick := now.get("trick")):
            yield words(TAKES).replace("{team}", self._team(trick)) if trick in self.game.players else words(TIED)
        if hand is None and self.said and now.get("stake") != before.get("stake"):
            yield words(WORTH).replace("{stake}", str(now.get("stake")))
        if hand is not None:
            yield words(WON).replace("{team}", self._team(hand)) if hand in self.game.players else words(DRAWN)
        score = now.get("score")
        if isinstance(score, dict) and score != before.get("score"):
            told = ", ".join(f"{self._team(who)} {points}" for who, points in score.items())
            yield words(SCORE).replace("{score}", told)

    def _team(self, player: object) -> str:
        """The names of a team that the observations call by one of its players."""
        at = self.game.players.index(str(player)) % self.graph.teams
        return joined(self.names[at : self.graph.seats : self.graph.teams], self.words(AND))

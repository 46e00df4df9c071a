"""A log as a sequence of moments: after each deal and move, the place of every card, who sees it, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import Annotated, Literal

from truco_spec.base import safe_yaml, shipped
from truco_spec.engine.compiled.program import Position, undo
from truco_spec.engine.explain import Consulted, Verdict, explain
from truco_spec.engine.game import CHANCE, Event, Game
from truco_spec.engine.layout import NONE
from truco_spec.engine.observe import ACTING, cards_seen, settled, waited_for
from truco_spec.engine.position_text import TOKEN
from truco_spec.engine.support import BITS, RangeError
from truco_spec.engine.text import value_text
from truco_spec.graph.model import Datum, Graph
from truco_spec.logs.explanation import authority, pertinent
from truco_spec.logs.line import Log
from truco_spec.logs.narrative import Narrative, remarks
from truco_spec.logs.replay import MoveRefused, Replay, ReplayStep


@dataclass(frozen=True, slots=True)
class BoardFile:
    """``spec/board.yaml``."""

    board: Literal[1]
    licence: str
    best: Annotated[str, "A question about a trick: the players of the best card so far."]
    above: Annotated[tuple[str, ...], "Questions about a card: whether it stands above all others."]
    facts: Annotated[Mapping[str, str], "Observations that always stand at the table, in this order: their labels."]
    counts: Annotated[Mapping[str, str], "Actions that tell a number: the question about their player that it answers."]
    first: Annotated[Mapping[str, str], "The game that a page begins with, by language."]


@cache
def board() -> BoardFile:
    """The questions that draw a table. Raises :class:`~truco_spec.base.safe_yaml.YamlError`."""
    return safe_yaml.load_file(shipped.folder("spec") / "board.yaml").shaped(BoardFile)


REFUSED = "refused"
"""The status of a refused move in strict mode; the log ends there."""


Hand = tuple[int, int]
"""A hand of a log (from 0), and its number among those dealt (from 1): a log may go on to the next within one."""

Trick = tuple[tuple[str, int, bool], ...]
"""The cards of a trick in the order of play: name, seat, whether it is the best so far."""


@dataclass(frozen=True, slots=True)
class ShownReason:
    """A deciding rule: its name, its sentence, and its citations with their texts."""

    rule: str
    prose: str
    cites: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """The table at one point of a log.

    ``number`` is that of the move, 0 after a deal; ``hand`` counts from 1. ``seat`` is the actor, ``done`` its words;
    ``spoken``: no card was played. ``reasons`` permit or forbid it; ``followed`` are the automatic rules. ``trick`` are
    the cards of the trick in the order of play, also after it was taken, until the next card; ``before`` are the
    earlier tricks of the hand. ``seen`` are the observations with an answer, ``awaited`` the seats that the game waits
    for.
    """

    number: int
    hand: int
    seat: int
    done: str
    spoken: bool
    status: str
    remarked: Callable[[], str] = field(compare=False)
    reasons: tuple[ShownReason, ...]
    followed: tuple[ShownReason, ...]
    places: tuple[ShownPlace, ...]
    trick: tuple[PlayedCard, ...]
    before: tuple[tuple[PlayedCard, ...], ...]
    seen: Mapping[str, object]
    awaited: tuple[int, ...]

    @property
    def remark(self) -> str:
        """The effects of the move, in the current language."""
        return self.remarked()


@dataclass(frozen=True, slots=True)
class Track:
    """A log in one mode: strict (it ends at the first refused move) or umpire."""

    mode: str
    moments: tuple[Moment, ...]


def track_of(log: Log, graph: Graph, *, why: bool = True) -> Track:
    """Return every moment of a log under its mode; without ``why``, reasons are omitted, which takes half the time.

    Raises :class:`~truco_spec.logs.line.LogError` if it cannot be played; a refused move is its last moment instead.
    """
    return Track(log.mode, tuple(moments_of(Replay(log, graph), why=why)))


def moments_of(replay: Replay, *, why: bool = True, numbers: Collection[int] | None = None) -> Iterator[Moment]:
    """Yield the moments of a fresh replay; with ``numbers``, those of these moves and their deals.

    Raises :class:`~truco_spec.logs.line.LogError` if it cannot go on, but not for a refused move.
    """
    return _Teller(replay, why, numbers).moments()


def stopped(replay: Replay) -> Moment:
    """The table before a move without meaning, which ended a replay; dealt, if the hand begins with it."""
    if not replay.at:
        replay.deal_out()
    return replace(_Teller(replay, False, None).dealt(replay.hand), number=replay.number + 1)


class _Teller:
    def __init__(self, replay: Replay, why: bool, numbers: Collection[int] | None) -> None:
        self.replay, self.game, self.graph, self.why = replay, replay.game, replay.graph, why
        self.numbers = numbers
        self.tricks = Tricks(replay)
        self.hand, self.ended = 0, True
        self.named: dict[int, frozenset[str]] = {}
        before = self.game.observe()
        self.narrative = Narrative(replay.log, self.graph, before, (), before, ())
        self.seen: Mapping[str, object] = before

    def moments(self) -> Iterator[Moment]:
        moved = False
        try:
            for step in islice(self.replay.steps(), self.replay.moves):
                moved = True
                if step.dealt:
                    self._open_hand()
                before, self.tricks = self.tricks, self.tricks.after(step, (step.hand, self.hand))
                if self.numbers is None or step.number in self.numbers:
                    if step.dealt:
                        yield self._before(step, before)
                    yield self._moved(step)
                self.seen = step.observed
                self.ended = self.ended or step.observed.get("hand") is not None
                if self.numbers is not None and step.number >= max(self.numbers, default=0):
                    return
        except MoveRefused as refused:
            if not self.replay.at:  # the table as it is dealt; the game stands before the deal
                self.replay.deal_out()
                self._open_hand()
                yield self.dealt(self.replay.hand)
            yield self._refused(refused)
        else:
            dealt = len(self.replay.dealer.dealt)
            self.replay.to_the_end()
            if not moved or len(self.replay.dealer.dealt) > dealt:  # a deal alone, at the end
                self._open_hand()
                yield self.dealt(self.replay.hand)

    # ---- the moments ---------------------------------------------------------------------------

    def _open_hand(self) -> None:
        """Another hand begins with a deal, if the one before is over; else its cards are only dealt again."""
        if self.ended:
            self.hand, self.ended = self.hand + 1, False

    def dealt(self, hand: int) -> Moment:
        """The table as it is now, before the moves of this hand of the log (from 0)."""
        seen, places = settled(self.game.observe()), self._places()
        trick, before = self.tricks.shown((hand, self.hand), places)
        return Moment(
            0, max(1, self.hand), CHANCE, "", True, "", str, (), (), places, trick, before, seen, self._awaited()
        )

    def _before(self, step: ReplayStep, tricks: Tricks) -> Moment:
        """The table after the cards were dealt that precede a move."""
        last = max(n for n, event in enumerate(step.events) if event.action.actor == CHANCE)
        later = [self.game.pop() for _ in step.events[last + 1 :]]
        now, self.tricks = self.tricks, tricks
        moment = self.dealt(step.hand)
        self.tricks = now
        for action in reversed(later):
            self.game.push(action)
        return moment

    def _moved(self, step: ReplayStep) -> Moment:
        verdict, event = None, self.game.history[-1]
        if self.why:
            self.game.pop()
            verdict = explain(self.game, event.action)
            self.game.push(event.action)
        action = event.action
        narrative, before = self.narrative, self.seen
        followed = [self._told(name) for after in event.steps[1:] for name in after.rules] if self.why else []
        places = self._places() if any_at_a_seat(self.game) else self._before_it_was_cleared(event)
        return Moment(
            step.number,
            max(1, self.hand),
            action.actor,
            step.move.words,
            not self.replay.notation.cards_of(action),
            event.status,
            lambda: "; ".join(remarks(narrative, step, before)),
            self._reasons(verdict) if verdict else (),
            tuple(followed),
            places,
            *self.tricks.shown((step.hand, self.hand), places),
            settled(step.observed),
            self._awaited(),
        )

    def _refused(self, refused: MoveRefused) -> Moment:
        refusal = refused.refusal
        return replace(
            self.dealt(self.replay.hand),
            number=self.replay.number + 1,
            seat=refusal.action.actor,
            done=self.replay.notation.text(refusal.action).partition(" ")[2],
            spoken=not self.replay.notation.cards_of(refusal.action),
            status=REFUSED,
            remarked=lambda: refusal.message,
            reasons=self._reasons(refused.verdict),
        )

    # ---- their parts ---------------------------------------------------------------------------

    def _awaited(self) -> tuple[int, ...]:
        waits = waited_for(self.game)
        return tuple(self.game.players.index(player) for player in waits[ACTING])

    def _reasons(self, verdict: Verdict) -> tuple[ShownReason, ...]:
        rules: tuple[Consulted, ...] = verdict.deciding
        if not rules:  # not offered: the nearest reading
            rules = tuple(sorted((r for r in verdict.rules if r.shape == "may"), key=lambda r: len(r.missing))[:1])
        return tuple(self._told(rule.name) for rule in rules)

    def _told(self, name: str) -> ShownReason:
        rule = self.graph.rules[name]
        cites = pertinent(self.graph, rule.source.cites)
        return ShownReason(name, self.narrative.prose(name), tuple((str(c), authority(self.graph, c)) for c in cites))

    def _before_it_was_cleared(self, event: Event) -> tuple[ShownPlace, ...]:
        """The table at the move that ended a hand, before the automatic rules cleared it."""
        position = self.game.position
        now = position.copy()
        undo(position, event.steps[1:])
        places = self._places()
        position[:] = now
        return places

    def _places(self) -> tuple[ShownPlace, ...]:
        hand = max(self.replay.hand, 0)
        if hand not in self.named:
            self.named = {hand: named_in(self.replay.log, hand)}
        return tuple(places_of(self.game, self.named[hand]))


# ---- The cards at one moment of a game: where they lie, who sees them, which ones a log names --

_HOURS = 12
"""Seats are numbered like hours on a clock, counterclockwise: the next is on the right of the seat at the bottom."""


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card in its place. ``seen`` has for each seat whether it sees the card.

    ``told`` is False if no log identifies it: a held card that was dealt at random. ``above``: it is identified, and
    stands above all others, as the rules are now (``spec/board.yaml``).
    """

    name: str
    seen: tuple[bool, ...]
    told: bool = True
    above: bool = False

    @property
    def open(self) -> bool:
        """Whether everyone sees it."""
        return all(self.seen)


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A pile or a slot with its cards. ``seat`` is -1 if it belongs to nobody; ``held``: a pile of one seat."""

    label: str
    seat: int
    held: bool
    cards: tuple[ShownCard, ...]


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card of a trick, and the seat that played it. ``best``: so far, it or an equal one takes the trick."""

    card: ShownCard
    seat: int
    best: bool


def seats_around(players: int) -> list[int]:
    """The hour of each seat."""
    return [seat * _HOURS // players for seat in range(players)]


def named_in(log: Log, hand: int) -> frozenset[str]:
    """The words that may name cards of a hand (from 0) in a log: in its deal, its moves and its begin."""
    words = [word for item in log.start for word in item.value.split()]
    words += TOKEN.findall(log.position) if hand == 0 else ()
    for each in log.hands[hand : hand + 1]:
        words += [card for cards in each.deal.values() for card in cards]
        words += [word.strip("()") for move in each.moves for word in move.words.split()]
    return frozenset(words)


def places_of(game: Game, named: Container[str]) -> Iterator[ShownPlace]:
    """Return the cards of a game by place, in the pack and out of it. ``named`` are those that a log names."""
    seats = range(game.graph.seats)
    sees = [cards_seen(game, seat) for seat in seats]
    above = [name for name in board().above if name in game.program.defines]
    for block in game.layout.blocks.values():
        if not block.datum.type.place:
            continue
        for index in block.indices():
            value = game.position[block.slot(index)]
            held = BITS[value] if block.datum.type.place == "pile" else (() if value == NONE else (value,))
            cards = tuple(_card(game, card, sees, named, above) for card in held)
            if cards:
                yield _place(game, block.datum, index, cards)


def any_at_a_seat(game: Game) -> bool:
    """Whether any player holds or has played a card."""
    for block in game.layout.blocks.values():
        kind = block.datum.type.place
        if kind and any(param.type.base == "seat" for param in block.datum.params):
            empty = 0 if kind == "pile" else NONE
            if any(game.position[block.slot(index)] != empty for index in block.indices()):
                return True
    return False


def _card(
    game: Game, card: int, sees: Sequence[Container[str]], named: Container[str], above: Sequence[str]
) -> ShownCard:
    name = game.graph.cards[card].name
    seen = tuple(name in seeing for seeing in sees)
    told = name in named or all(seen)
    return ShownCard(name, seen, told, told and any(_asked(game, game.position, ask, card) for ask in above))


def _asked(game: Game, position: Position, name: str, *args: int) -> int:
    """Return the answer to a question of the specs; 0 if it has none."""
    try:
        return max(game.program.defines[name](position, *args), 0)
    except (RangeError, IndexError, ValueError):
        return 0


def _place(game: Game, datum: Datum, index: tuple[int, ...], cards: tuple[ShownCard, ...]) -> ShownPlace:
    seat, rest = -1, []
    for param, value in zip(datum.params, index, strict=True):
        if param.type.base == "seat" and seat < 0:
            seat = value
        else:
            rest.append(value_text(game.graph, param.type, value, game.players))
    return ShownPlace(" ".join([datum.name, *rest]), seat, datum.type.place == "pile" and seat >= 0, cards)


# ---- The tricks of a hand, in the order of play ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Laid:
    """A card that came to lie in front of a seat; the index of its trick, and the seats whose cards are then best."""

    card: str
    seat: int
    trick: tuple[int, ...]
    best: int


class Tricks:
    """The cards played so far in a hand; :meth:`after` gives those after a move.

    A card is played if a move, or an automatic rule, brought it to a slot in front of its player. The cards of a trick
    lie there until the next one is played.
    """

    def __init__(
        self,
        replay: Replay,
        hand: Hand | None = None,
        tricks: tuple[Trick, ...] = (),
        taken: bool = True,
        number: tuple[int, ...] | None = None,
    ) -> None:
        self._replay, self._hand, self._tricks, self._taken, self._number = replay, hand, tricks, taken, number

    def after(self, step: ReplayStep, hand: Hand) -> Tricks:
        """The tricks after a move, which belongs to this hand."""
        tricks, taken, number = (self._tricks, self._taken, self._number) if hand == self._hand else ((), True, None)
        for laid in self._laid(step.event):
            taken = taken or number not in (None, laid.trick)
            *before, now = (*tricks, ()) if taken else tricks
            seats = [(card, seat) for card, seat, _ in now] + [(laid.card, laid.seat)]
            tricks = (*before, tuple((card, seat, bool(laid.best >> seat & 1)) for card, seat in seats))
            taken, number = False, laid.trick
        return Tricks(self._replay, hand, tricks, taken or step.observed.get("trick") is not None, number)

    def shown(
        self, hand: Hand, places: Iterable[ShownPlace]
    ) -> tuple[tuple[PlayedCard, ...], tuple[tuple[PlayedCard, ...], ...]]:
        """Return the trick on the table in this hand, and the earlier ones, of the cards still there."""
        if hand != self._hand or not self._tricks:
            return (), ()
        lie = {card.name: card for place in places if not place.held for card in place.cards}
        found = [tuple(PlayedCard(lie[n], seat, best) for n, seat, best in t if n in lie) for t in self._tricks]
        return found[-1], tuple(trick for trick in found[:-1] if trick)

    def _laid(self, event: Event) -> list[_Laid]:
        """The cards that a move, or an automatic rule behind it, laid in front of players."""
        game, found = self._replay.game, list[_Laid]()
        played = self._replay.notation.cards_of(event.action)
        position = game.position.copy()
        for step in reversed(event.steps):
            for at in range(0, len(step.back), 2):
                slot, before = step.back[at], step.back[at + 1]
                if game.layout.of_cards.get(slot, True) or position[slot] in (before, NONE):
                    continue
                found += self._at(slot, position, event.action.actor if played == (position[slot],) else None)
            undo(position, (step,))
        return found[::-1]

    def _at(self, slot: int, position: Position, actor: int | None) -> Iterator[_Laid]:
        """The card in a slot, if it is one in front of a player, of a trick or of the actor."""
        game = self._replay.game
        datum, index = game.graph.data[game.layout.names[slot]], game.layout.indices[slot]
        by_type = [(param.type.base == "seat", value) for param, value in zip(datum.params, index, strict=True)]
        seats, rest = [v for seat, v in by_type if seat], tuple(v for seat, v in by_type if not seat)
        if len(seats) != 1 or not datum.type.place:
            return
        best = game.graph.defines.get(board().best)
        of_trick = best is not None and len(best.params) == len(rest) and best.name in game.program.defines
        if of_trick or seats[0] == actor:
            leading = _asked(game, position, board().best, *rest) if of_trick else 0
            yield _Laid(game.graph.cards[position[slot]].name, seats[0], rest, leading)

"""A log as a sequence of moments: after each deal and move, where every card lies, who sees it, and why."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from truco_spec.engine.explain import Consulted, Verdict, explain
from truco_spec.engine.game import CHANCE, Event, Game
from truco_spec.engine.layout import NONE
from truco_spec.engine.observe import ACTING, cards_seen, settled, waited_for
from truco_spec.engine.position_text import TOKEN
from truco_spec.engine.program import undo
from truco_spec.engine.support import BITS
from truco_spec.engine.text import told, value_text
from truco_spec.graph.model import Datum, Graph
from truco_spec.logs.explanation import authority, pertinent
from truco_spec.logs.line import write_line
from truco_spec.logs.model import MODES, STRICT, UMPIRE, Log, LogError
from truco_spec.logs.narrative import Narrative, remarks
from truco_spec.logs.replay import MoveRefused, Replay, ReplayStep
from truco_spec.pages.cards import pack_of, symbols, title
from truco_spec.pages.html import page

REFUSED = "refused"
"""The status of a refused move in strict mode; the log ends there."""


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
    ``spoken``: no card was played. ``reasons`` permit or forbid it; ``followed`` are the automatic rules. ``seen`` are
    the observations with an answer, ``awaited`` the seats that the game waits for.
    """

    number: int
    hand: int
    seat: int
    done: str
    spoken: bool
    status: str
    remark: str
    advice: str
    reasons: tuple[ShownReason, ...]
    followed: tuple[ShownReason, ...]
    places: tuple[ShownPlace, ...]
    seen: Mapping[str, object]
    awaited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """A log in one mode: strict (it ends at the first refused move) or umpire."""

    mode: str
    moments: tuple[Moment, ...]


def track_of(log: Log, graph: Graph, *, why: bool = True) -> Track:
    """Return every moment of a log under its mode; without ``why``, reasons are omitted, which takes half the time.

    Raises :class:`~truco_spec.logs.model.LogError` if it cannot be played; a refused move is its last moment instead.
    """
    return Track(log.mode, tuple(moments_of(Replay(log, graph), why=why)))


def moments_of(replay: Replay, *, why: bool = True, numbers: Collection[int] | None = None) -> Iterator[Moment]:
    """Yield the moments of a fresh replay; with ``numbers``, those of these moves and their deals.

    Raises :class:`~truco_spec.logs.model.LogError` if it cannot go on, but not for a refused move.
    """
    return _Teller(replay, why, numbers).moments()


def stopped(replay: Replay) -> Moment:
    """The table before a move without meaning, which ended a replay; dealt, if the hand begins with it."""
    if not replay.at:
        replay.deal_out()
    return replace(_Teller(replay, False, None).dealt(replay.hand + 1), number=replay.number + 1)


class _Teller:
    def __init__(self, replay: Replay, why: bool, numbers: Collection[int] | None) -> None:
        self.replay, self.game, self.graph, self.why = replay, replay.game, replay.graph, why
        self.numbers = numbers
        self.named: dict[int, frozenset[str]] = {}
        players = replay.log.players
        teams = tuple(players[team :: self.graph.teams] for team in range(self.graph.teams))
        prose = {rule.name: told(self.graph, rule.source.prose) for rule in self.graph.rules.values()}
        before = self.game.observe()
        self.course = Narrative(replay.log, self.graph.title, teams, before, (), before, prose, ())
        self.seen: Mapping[str, object] = before

    def moments(self) -> Iterator[Moment]:
        moved = False
        try:
            for step in self.replay.steps():
                moved = True
                if self.numbers is None or step.number in self.numbers:
                    if step.dealt:
                        yield self._before(step)
                    yield self._moved(step)
                self.seen = step.observed
                if self.numbers is not None and step.number >= max(self.numbers, default=0):
                    return
        except MoveRefused as refused:
            moved = True
            if not self.replay.at:  # the table as it is dealt; the game stands before the deal
                self.replay.deal_out()
                yield self.dealt(self.replay.hand + 1)
            yield self._refused(refused)
        if not moved:
            self.replay.deal_out()
            yield self.dealt(1)

    # ---- the moments ---------------------------------------------------------------------------

    def dealt(self, hand: int) -> Moment:
        """The table as it is now, before the moves of a hand."""
        seen = settled(self.game.observe())
        return Moment(0, hand, CHANCE, "", True, "", "", "", (), (), self._places(), seen, self._awaited())

    def _before(self, step: ReplayStep) -> Moment:
        """The table after the cards were dealt that precede a move."""
        last = max(n for n, event in enumerate(step.events) if event.action.actor == CHANCE)
        later = [self.game.pop() for _ in step.events[last + 1 :]]
        moment = self.dealt(step.hand + 1)
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
        remark = "; ".join(remarks(self.course, step, self.seen))
        followed = [self._told(name) for after in event.steps[1:] for name in after.rules] if self.why else []
        return Moment(
            step.number,
            step.hand + 1,
            action.actor,
            step.move.words,
            not self.replay.notation.cards_of(action),
            event.status,
            remark,
            verdict.legal_if if verdict else "",
            self._reasons(verdict) if verdict else (),
            tuple(followed),
            self._places() if any_at_a_seat(self.game) else self._before_it_was_cleared(event),
            settled(step.observed),
            self._awaited(),
        )

    def _refused(self, refused: MoveRefused) -> Moment:
        refusal = refused.refusal
        return replace(
            self.dealt(self.replay.hand + 1),
            number=self.replay.number + 1,
            seat=refusal.action.actor,
            done=self.replay.notation.text(refusal.action).partition(" ")[2],
            status=REFUSED,
            remark=refusal.message,
            advice=refused.verdict.legal_if,
            reasons=self._reasons(refused.verdict),
        )

    # ---- their parts ---------------------------------------------------------------------------

    def _awaited(self) -> tuple[int, ...]:
        waits = waited_for(self.game, self.game.position, self.game.legal_actions())
        return tuple(self.game.players.index(player) for player in waits[ACTING])

    def _reasons(self, verdict: Verdict) -> tuple[ShownReason, ...]:
        rules: tuple[Consulted, ...] = verdict.deciding
        if not rules:  # not offered: the nearest reading
            rules = tuple(sorted((r for r in verdict.rules if r.shape == "may"), key=lambda r: len(r.missing))[:1])
        return tuple(self._told(rule.name) for rule in rules)

    def _told(self, name: str) -> ShownReason:
        rule = self.graph.rules[name]
        cites = pertinent(self.graph, rule.source.cites)
        return ShownReason(
            name, told(self.graph, rule.source.prose), tuple((str(c), authority(self.graph, c)) for c in cites)
        )

    def _before_it_was_cleared(self, event: Event) -> tuple[ShownPlace, ...]:
        """The table at the move that ended a hand, before the automatic rules cleared it."""
        undo(self.game.position, event.steps[1:])
        places = self._places()
        self.game.pop()
        self.game.push(event.action)
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

    ``told`` is False if no log identifies it: a held card that was dealt at random.
    """

    name: str
    seen: tuple[bool, ...]
    told: bool = True

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
    """The cards of a game by place, in the pack and out of it. ``named`` are those that a log names."""
    seats = range(game.graph.seats)
    sees = [cards_seen(game, seat) for seat in seats]
    for block in game.layout.blocks.values():
        if not block.datum.type.place:
            continue
        for index in block.indices():
            value = game.position[block.slot(index)]
            held = BITS[value] if block.datum.type.place == "pile" else (() if value == NONE else (value,))
            cards = tuple(_card(game.graph.cards[card].name, sees, named) for card in held)
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


def _card(name: str, sees: Sequence[Container[str]], named: Container[str]) -> ShownCard:
    seen = tuple(name in seeing for seeing in sees)
    return ShownCard(name, seen, name in named or all(seen))


def _place(game: Game, datum: Datum, index: tuple[int, ...], cards: tuple[ShownCard, ...]) -> ShownPlace:
    seat, rest = -1, []
    for param, value in zip(datum.params, index, strict=True):
        if param.type.base == "seat" and seat < 0:
            seat = value
        else:
            rest.append(value_text(game.graph, param.type, value, game.players))
    return ShownPlace(" ".join([datum.name, *rest]), seat, datum.type.place == "pile" and seat >= 0, cards)


# ---- A log as a page -----------------------------------------------------------------------------

_REFEREES = {STRICT: "a strict referee", UMPIRE: "an umpire"}
_STYLES = ("pages/table", "pages/controls", "replay")


def page_of(log: Log, graph: Graph, frame: object = None) -> str:
    """Render the page. Raises :class:`~truco_spec.logs.model.LogError` if the log cannot be played at all.

    If strict and umpire mode diverge, the page holds both, the log's own first. ``frame`` is the navigation of the site
    that it is part of.
    """
    tracks = _tracks(log, graph)
    names = [card.name for card in graph.cards]
    pack = pack_of(names)
    used = {
        card.name for track in tracks for moment in track.moments for place in moment.places for card in place.cards
    }
    return page(
        __package__ or "",
        "replay",
        {
            "referees": _REFEREES,
            "log": log,
            "title": graph.title,
            "players": log.players,
            "teams": [log.players[team :: graph.teams] for team in range(graph.teams)],
            "tracks": tracks,
            "symbols": symbols([name for name in names if name in used], pack),
            "titles": {name: title(name, pack) for name in names},
            "line": write_line(log),
            "frame": frame,
            "around": seats_around(len(log.players)),
        },
        styles=_STYLES,
    )


def _tracks(log: Log, graph: Graph) -> list[Track]:
    """The log under its own mode, and under the other if the result differs."""
    own = track_of(log, graph)
    if all(moment.status in ("", "permitted") for moment in own.moments):
        return [own]
    other = next(mode for mode in MODES if mode != log.mode)
    try:
        return [own, track_of(replace(log, mode=other), graph)]
    except LogError:  # cards in a strict log may be inconsistent once more moves are let through
        return [own]

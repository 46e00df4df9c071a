"""A log as a row of moments: after each deal and each move, where every card lies, who sees it, and why it is so.

Nothing here knows a game: a pile of one seat is what that seat holds, a slot of one seat is what it has laid, and what
belongs to nobody lies in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from truco_spec.engine.explain import Consulted, Verdict, explain
from truco_spec.engine.game import CHANCE, Game
from truco_spec.engine.layout import NONE
from truco_spec.engine.support import BITS
from truco_spec.engine.text import value_text
from truco_spec.engine.view import cards_seen
from truco_spec.graph.model import Datum, Graph
from truco_spec.logs.course import Course, remarks
from truco_spec.logs.explanation import authority, pertinent
from truco_spec.logs.model import Log
from truco_spec.logs.prose import told
from truco_spec.logs.replay import MoveRefused, Replay, Step

REFUSED = "refused"
"""The status of a move that a strict referee does not let happen; the log ends there."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card where it lies. ``seen`` has for each seat whether it sees the card."""

    name: str
    seen: tuple[bool, ...]

    @property
    def open(self) -> bool:
        """Does everyone see it?"""
        return all(self.seen)


@dataclass(frozen=True, slots=True)
class Place:
    """A pile or a slot with its cards. ``seat`` is -1 where it belongs to nobody; ``held``: a pile of one seat."""

    label: str
    seat: int
    held: bool
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule that decided: its name, its sentence, and whom it cites with what they say."""

    rule: str
    prose: str
    cites: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """The table at one point of a log.

    ``number`` is that of the move, 0 after a deal; ``hand`` counts from 1. ``seat`` did it, in the words ``done``;
    ``spoken`` says that no card was played. ``reasons`` permit or forbid it; ``followed`` happened of itself. ``seen``
    are the observations of all, ``awaited`` the seats that may go on.
    """

    number: int
    hand: int
    seat: int
    done: str
    spoken: bool
    status: str
    remark: str
    advice: str
    reasons: tuple[Reason, ...]
    followed: tuple[Reason, ...]
    places: tuple[Place, ...]
    seen: Mapping[str, object]
    awaited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """A log as one referee lets it go: strict (it ends at the first move that is refused) or umpire."""

    mode: str
    moments: tuple[Moment, ...]


def track_of(log: Log, graph: Graph, *, why: bool = True) -> Track:
    """Every moment of a log under its mode; without ``why``, no reasons are looked for, which takes half the time.

    Raises :class:`~truco_spec.logs.model.LogError` where it cannot be played, but for a move that is refused: that is
    its last moment.
    """
    return Track(log.mode, tuple(_Teller(Replay(log, graph), why).moments()))


class _Teller:
    def __init__(self, replay: Replay, why: bool) -> None:
        self.replay, self.game, self.graph, self.why = replay, replay.game, replay.graph, why
        players = replay.log.players
        teams = tuple(players[team :: self.graph.teams] for team in range(self.graph.teams))
        prose = {rule.name: told(self.graph, rule.source.prose) for rule in self.graph.rules.values()}
        before = self.game.observe()
        self.course = Course(replay.log, self.graph.title, teams, before, (), before, prose, ())
        self.seen: Mapping[str, object] = before

    def moments(self) -> Iterator[Moment]:
        moved = False
        try:
            for step in self.replay.steps():
                moved = True
                if step.dealt:
                    yield self._before(step)
                yield self._moved(step)
        except MoveRefused as refused:
            moved = True
            yield self._refused(refused)
        if not moved:
            self.replay.deal_out()
            yield self._dealt(1)

    # ---- the moments ---------------------------------------------------------------------------

    def _dealt(self, hand: int) -> Moment:
        seen = self.game.observe()
        return Moment(0, hand, CHANCE, "", True, "", "", "", (), (), self._places(), seen, self._awaited())

    def _before(self, step: Step) -> Moment:
        """The table after the cards were dealt that came before a move."""
        last = max(n for n, event in enumerate(step.events) if event.action.actor == CHANCE)
        later = [self.game.pop() for _ in step.events[last + 1 :]]
        moment = self._dealt(step.hand + 1)
        for action in reversed(later):
            self.game.push(action)
        return moment

    def _moved(self, step: Step) -> Moment:
        verdict, event = None, self.game.history[-1]
        if self.why:
            self.game.pop()
            verdict = explain(self.game, event.action)
            self.game.push(event.action)
        action = event.action
        remark = "; ".join(remarks(self.course, step, self.seen))
        self.seen = step.observed
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
            self._places(),
            step.observed,
            self._awaited(),
        )

    def _refused(self, refused: MoveRefused) -> Moment:
        refusal = refused.refusal
        return Moment(
            self.replay.number + 1,
            self.replay.hand + 1,
            refusal.action.actor,
            self.replay.notation.text(refusal.action).partition(" ")[2],
            True,
            REFUSED,
            refusal.message,
            refused.verdict.legal_if,
            self._reasons(refused.verdict),
            (),
            self._places(),
            self.game.observe(),
            self._awaited(),
        )

    # ---- their parts ---------------------------------------------------------------------------

    def _awaited(self) -> tuple[int, ...]:
        return tuple(sorted(self.game.awaited() - {CHANCE}))

    def _reasons(self, verdict: Verdict) -> tuple[Reason, ...]:
        rules: tuple[Consulted, ...] = verdict.deciding
        if not rules:  # nothing offers it: what came nearest
            rules = tuple(sorted((r for r in verdict.rules if r.shape == "may"), key=lambda r: len(r.missing))[:1])
        return tuple(self._told(rule.name) for rule in rules)

    def _told(self, name: str) -> Reason:
        rule = self.graph.rules[name]
        cites = pertinent(self.graph, rule.source.cites)
        return Reason(
            name, told(self.graph, rule.source.prose), tuple((str(c), authority(self.graph, c)) for c in cites)
        )

    def _places(self) -> tuple[Place, ...]:
        seats = range(self.graph.seats)
        sees = [cards_seen(self.game, seat) for seat in seats]
        found = []
        for block in self.game.layout.blocks.values():
            if not block.datum.type.place:
                continue
            for index in block.indices():
                value = self.game.position[block.slot(index)]
                held = BITS[value] if block.datum.type.place == "pile" else (() if value == NONE else (value,))
                names = [self.graph.cards[card].name for card in held]
                cards = tuple(Card(card, tuple(card in sees[seat] for seat in seats)) for card in names)
                if cards:
                    found.append(_place(self.game, block.datum, index, cards))
        return tuple(found)


def _place(game: Game, datum: Datum, index: tuple[int, ...], cards: tuple[Card, ...]) -> Place:
    seat, rest = -1, []
    for param, value in zip(datum.params, index, strict=True):
        if param.type.base == "seat" and seat < 0:
            seat = value
        else:
            rest.append(value_text(game.graph, param.type, value, game.players))
    return Place(" ".join([datum.name, *rest]), seat, datum.type.place == "pile" and seat >= 0, cards)

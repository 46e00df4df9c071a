"""Shrinks a log that shows a difference, by delta debugging.

Hands are removed first, then moves, then data given before the first hand, then cards; repeated to a fixpoint.
Intermediate logs may serve other differences too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from truco_spec.base.delta_debugging import reduced, stretches, without
from truco_spec.compare.core.scenario import Scenario
from truco_spec.compare.core.statements import Key
from truco_spec.compare.differences.pair import Pair, Parting
from truco_spec.compare.differences.witness import WORKING, Witness, Witnesses, parted_by, witnesses
from truco_spec.logs.model import STRICT

MOST_RUNS = 160
"""Maximum candidates tried for one difference."""
FEW = 6
"""Up to this number of moves any adjacent ones are left out; beyond, half of them, a quarter …"""


class Shrinker:
    """Shrinks the witnesses of one table."""

    def __init__(self, pair: Pair, found: Witnesses, keys: tuple[frozenset[Key], frozenset[Key]]) -> None:
        self.pair, self.found, self.keys = pair, found, keys
        self.partings: dict[str, Parting | None] = {}
        self.working: dict[str, frozenset[Key]] = {}

    def shorten(self, key: Key) -> None:
        """Shrink the best witness of one difference."""
        reduced(self.found.best[key].course, (_shorter,), partial(self._better, key), MOST_RUNS)

    def _better(self, key: Key, course: Scenario) -> Scenario | None:
        """The scenario that now shows the difference, if this one does it better."""
        known = self.found.best[key]
        self._note(known, course)
        found = self.found.best[key]
        return found.course if found is not known else None

    def _note(self, known: Witness, course: Scenario) -> None:
        """Record what else the scenario shows, of this difference and others, if it is shorter."""
        if known.shows == WORKING:
            keys = self._working(course, known.side)
            for other in sorted(keys):
                if other in self.found.best and self.found.best[other].side == known.side:
                    self.found.note(replace(known, key=other, course=course))
            return
        parting = self.parting(course)
        for witness in witnesses(parting, *parted_by(parting, self.keys)) if parting else ():
            if witness.key in self.found.best:
                self.found.note(witness)

    def _working(self, course: Scenario, side: int) -> frozenset[Key]:
        """The statements at work in a scenario by one side; memoised."""
        written = repr((side, course))
        if written not in self.working:
            self.working[written] = self.pair.at_work(course, side, self.keys[side]) & self.keys[side]
        return self.working[written]

    def parting(self, course: Scenario) -> Parting | None:
        """Where the two part in this scenario; memoised."""
        written = repr(course)
        if written not in self.partings:
            self.partings[written] = self.pair.parting(course, views=True)
        return self.partings[written]


def _shorter(course: Scenario) -> Iterator[Scenario]:
    """Smaller scenarios, those that leave out most first."""
    yield from _last_alone(course)
    yield from _fewer_hands(course)
    yield from _fewer_moves(course)
    if course.mode != STRICT:
        yield replace(course, mode=STRICT)
    if course.start:
        yield replace(course, start=())
    if course.score:
        yield replace(course, score={})
    if any(course.deals):
        yield replace(course, deals=({},) * len(course.deals))
    for at in range(len(course.start) if len(course.start) > 1 else 0):
        yield replace(course, start=course.start[:at] + course.start[at + 1 :])
    for player in course.score if len(course.score) > 1 else ():
        yield replace(course, score={who: points for who, points in course.score.items() if who != player})
    yield from _fewer_cards(course)


def _last_alone(course: Scenario) -> Iterator[Scenario]:
    """The last move alone, by any of the players."""
    if course.said < 2:
        return
    words = course.moves[-1][-1].partition(" ")[2]
    for player in course.players:
        yield replace(course, deals=course.deals[-1:], moves=((f"{player} {words}",),))


def _fewer_hands(course: Scenario) -> Iterator[Scenario]:
    """Only the last hand, with any dealer; or without one of the others."""
    if len(course.moves) > 1:
        for dealer in course.players:
            yield replace(course, deals=course.deals[-1:], moves=course.moves[-1:], dealer=dealer)
    for at in range(len(course.moves) - 1):
        deals = course.deals[:at] + course.deals[at + 1 :]
        yield replace(course, deals=deals, moves=course.moves[:at] + course.moves[at + 1 :])


def _fewer_moves(course: Scenario) -> Iterator[Scenario]:
    """Without some moves, never the last: large groups first."""
    but_the_last = (*course.moves[:-1], course.moves[-1][:-1])
    for gone in stretches(but_the_last, _sizes(course.said - 1), FEW):
        yield replace(course, moves=without(course.moves, gone))


def _sizes(size: int) -> Iterator[int]:
    """The sizes of groups of moves: all, half of them, a quarter … and every number up to a few."""
    while size > 0:
        yield size
        size -= max(1, size // 2 if size > FEW else 1)


def _fewer_cards(course: Scenario) -> Iterator[Scenario]:
    """Without the cards of one player or place; then without the last of them."""
    for hand, deal in enumerate(course.deals):
        for key in deal:
            yield _dealt(course, hand, {other: cards for other, cards in deal.items() if other != key})
        for key, cards in deal.items():
            if len(cards) > 1:
                yield _dealt(course, hand, {**deal, key: cards[:-1]})
                yield _dealt(course, hand, {**deal, key: cards[1:]})


def _dealt(course: Scenario, hand: int, deal: dict[str, tuple[str, ...]]) -> Scenario:
    return replace(course, deals=(*course.deals[:hand], deal, *course.deals[hand + 1 :]))

"""What a log shows of a difference, and which of two logs shows it better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from truco_spec.compare.core.scenario import Scenario
from truco_spec.compare.core.statements import Key
from truco_spec.compare.differences.compare import WORDING, Difference
from truco_spec.compare.differences.pair import SETUP, Parting

DECLARES = frozenset(["datum", "phase", "action", "order", "deck", "seats"])
"""Kinds of statements that others use: a log that shows those shows these."""

APART, LED, WORKING = 0, 1, 2
"""What a log shows: the two part by this difference; or it led up to that; or it is at work, no more."""


OTHER, HAND, MOVE = 5, 7, 2
"""What counts against a log, against a fact or card that it has to give: another difference in it, a hand, a move."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A log that shows a difference: ``others`` are further differences that have a hand in it, ``side`` the one by
    whose rules it was played where only that can (0 or 1); ``after`` counts observations that differed before.
    """

    key: Key
    shows: int
    course: Scenario
    others: int
    side: int = 0
    after: int = 0

    @property
    def rank(self) -> tuple[int, int, tuple[int, int, int, int]]:
        """The less, the better it shows the difference: in few moves, and without others in the way."""
        hands, moves, facts, _ = self.course.size
        return self.shows, OTHER * (self.others + self.after) + HAND * hands + MOVE * moves + facts, self.course.size


@dataclass(slots=True)
class Found:
    """The best witnesses so far, and what was looked at."""

    best: dict[Key, Witness] = field(default_factory=dict)
    positions: int = 0

    def note(self, witness: Witness) -> bool:
        """Keep it if it is better than what there is."""
        if not self.lacks(witness):
            return False
        self.best[witness.key] = witness
        return True

    def lacks(self, witness: Witness) -> bool:
        """Is it better than what there is?"""
        known = self.best.get(witness.key)
        return known is None or witness.rank < known.rank


def keys_of(differences: Iterable[Difference]) -> tuple[frozenset[Key], frozenset[Key]]:
    """The statements that differ in play, as each side has them."""
    found = [difference for difference in differences if difference.change != WORDING]
    return frozenset(d.key for d in found if d.a is not None), frozenset(d.key for d in found if d.b is not None)


def parted_by(parting: Parting, keys: tuple[frozenset[Key], frozenset[Key]]) -> tuple[frozenset[Key], frozenset[Key]]:
    """The differences that the two parted by, as far as explanations tell; and those that led up to it.

    An answer counts only where the other side answers the same question otherwise, or does not ask it.
    """
    now: set[Key] = set()
    led: set[Key] = set()
    if parting.at == SETUP:  # a card that only one knows, before anything is played
        return frozenset(key for key in keys[0] | keys[1] if key[0] == "deck"), frozenset()
    for own, other, mine in ((parting.a, parting.b, keys[0]), (parting.b, parting.a, keys[1])):
        led |= own.use.led & mine
        now |= {key for key in own.use.keys & mine if key[0] != "define" or own.use.unlike(key[1], other.use)}
    return frozenset(now), frozenset(led - now)


def others_than(key: Key, keys: frozenset[Key]) -> int:
    """How many further differences there are that are no mere declarations."""
    return sum(other != key and other[0] not in DECLARES for other in keys)


def witnesses(parting: Parting, now: frozenset[Key], led: frozenset[Key]) -> Iterator[Witness]:
    """What a parting shows. Where a word is not even known, it shows the words first, and what permits them less."""
    for key in sorted(now | led):
        unclear = len(parting.earlier) + 2 * (parting.by_words and key[0] not in DECLARES)
        yield Witness(key, APART if key in now else LED, parting.course, others_than(key, now), after=unclear)

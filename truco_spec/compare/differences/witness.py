"""What a log shows of a difference, and which of two logs shows it better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from truco_spec.compare.core.scenario import Scenario
from truco_spec.compare.core.statements import Key
from truco_spec.compare.differences.graph_diff import WORDING, Difference
from truco_spec.compare.differences.pair import SETUP, Parting

DECLARES = frozenset(["datum", "phase", "action", "order", "deck", "seats"])
"""Kinds of statements used by others, whose logs show them."""

APART, LED, WORKING = 0, 1, 2
"""The relation of a log to a difference: the two part by it, or it led up to that, or it is only at work."""


OTHER, HAND, MOVE = 5, 7, 2
"""Penalties of a log, relative to a given fact or card: another difference involved, a hand, a move."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A log that shows a difference: ``others`` are further differences involved, ``side`` the only one whose rules can
    play it (0 or 1), if so; ``after`` counts observations that differed before.
    """

    key: Key
    shows: int
    course: Scenario
    others: int
    side: int = 0
    after: int = 0

    @property
    def rank(self) -> tuple[int, int, tuple[int, int, int, int]]:
        """A sort key, lower being better: few moves, no other differences involved."""
        hands, moves, facts, _ = self.course.size
        return self.shows, OTHER * (self.others + self.after) + HAND * hands + MOVE * moves + facts, self.course.size


@dataclass(slots=True)
class Witnesses:
    """The best witnesses so far, and the number of positions."""

    best: dict[Key, Witness] = field(default_factory=dict)
    positions: int = 0

    def note(self, witness: Witness) -> bool:
        """Keep it if it is better than the present one."""
        if not self.lacks(witness):
            return False
        self.best[witness.key] = witness
        return True

    def lacks(self, witness: Witness) -> bool:
        """Whether it is better than the present one."""
        known = self.best.get(witness.key)
        return known is None or witness.rank < known.rank


def keys_of(differences: Iterable[Difference]) -> tuple[frozenset[Key], frozenset[Key]]:
    """The statements that differ in play, on each side."""
    found = [difference for difference in differences if difference.change != WORDING]
    return frozenset(d.key for d in found if d.a is not None), frozenset(d.key for d in found if d.b is not None)


def parted_by(parting: Parting, keys: tuple[frozenset[Key], frozenset[Key]]) -> tuple[frozenset[Key], frozenset[Key]]:
    """The differences by which the two parted, according to provenance; and those that led up to it.

    An answer counts only if the other side answers the same question differently, or does not ask it.
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
    """The number of further differences that are not mere declarations."""
    return sum(other != key and other[0] not in DECLARES for other in keys)


def witnesses(parting: Parting, now: frozenset[Key], led: frozenset[Key]) -> Iterator[Witness]:
    """The witnesses in a parting. If a word is unknown to one side, it shows the words first, and their permissions
    less.
    """
    for key in sorted(now | led):
        unclear = len(parting.earlier) + 2 * (parting.by_words and key[0] not in DECLARES)
        yield Witness(key, APART if key in now else LED, parting.course, others_than(key, now), after=unclear)

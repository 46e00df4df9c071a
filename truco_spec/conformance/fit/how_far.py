"""How far an answer agrees with some rules, and with which of two rules it agrees further."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from truco_spec.conformance.corpus.protocol import MustOffer, MustSee, MustShow, Position
from truco_spec.conformance.runner.judge import Finding

PER_HAND = 10_000
END = sys.maxsize
"""A place behind every script."""
BESIDE = (MustOffer, MustSee)
"""Checks beside the game: a difference in them hides no other."""
_BITS = 32
MOVE = -1
"""The number of a difference in a move itself, which hides what is shown there."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far an answer agrees with some rules. The game is theirs until ``place``: there it differs, or, if it is
    ``silent``, nothing is compared any more. ``wrong`` are the differences before it in legal actions and views, each a
    number, and ``there`` the observations that differ at the place; the move itself does if there are none.
    """

    place: int
    silent: bool = False
    wrong: frozenset[int] = frozenset()
    there: frozenset[int] = frozenset()

    @property
    def is_game(self) -> bool:
        """Whether no move and no observation differs, as far as compared."""
        return self.silent or self.place == END

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return self.is_game and not self.wrong

    @property
    def first(self) -> int:
        """The place where it differs first."""
        return self.place if not self.is_game else min(self.wrong) >> _BITS if self.wrong else END

    @property
    def rank(self) -> tuple[bool, int, int]:
        """A sort key for the greatest agreement."""
        return self.is_game, self.place, -len(self.wrong)

    def betters(self, other: Reach) -> bool:
        """Whether it agrees further than another: something is compared where the other differs; or the game is the
        same, and of the differences at that place, in legal actions and in views some are gone, and none are new.
        """
        if self.place != other.place and not other.is_game:
            return self.place > other.place
        if self.is_game != other.is_game:
            return False
        mine, theirs = self._both(other)
        return mine < theirs

    def worsens(self, other: Reach) -> bool:
        """Whether it agrees less far than another, or has new differences at its place, in legal actions or views."""
        if self.place != other.place and not other.is_game:
            return self.place < other.place
        if self.is_game != other.is_game:
            return other.is_game
        mine, theirs = self._both(other)
        return not mine <= theirs

    def _both(self, other: Reach) -> tuple[frozenset[int], frozenset[int]]:
        """Return the differences common to both, as far as both are compared."""
        if self.place == other.place:
            shown = self.there and other.there  # where the move itself differs nothing is shown that can be compared
            return (self.wrong | self.there, other.wrong | other.there) if shown else (self.wrong, other.wrong)
        most = min(self.place, other.place) << _BITS
        return frozenset(n for n in self.wrong if n < most), frozenset(n for n in other.wrong if n < most)


AGREES = Reach(END)
NO_GAME = Reach(-2 * PER_HAND)
"""Under these rules the script cannot be played."""
TOO_LONG = Reach(-1 * PER_HAND)
"""The rules take too long, or cannot be played."""


def place_of(at: Position) -> int:
    """A place as a number that grows with it: the hand :data:`PER_HAND` times, and the action."""
    return at.hand * PER_HAND + at.action


def reach_in(findings: Iterable[Finding]) -> Reach:
    """Return how far an answer with these findings agrees."""
    compared, silent, place, wrong, there = -1, False, END, set[int](), set[int]()
    for each in findings:
        at = place_of(each.at)
        if each.outcome == "passed":
            compared = max(compared, at)
        elif each.outcome == "unreached":
            silent = True
        elif each.outcome == "failed" and isinstance(each.check, BESIDE):
            wrong |= wrong_in(each)
        elif each.outcome == "failed" and at <= place:
            there = {number_of(each)} if at < place else {*there, number_of(each)}
            place = at
    if silent and place == END:
        return Reach(compared + 1, True, frozenset(wrong))
    told = frozenset[int]() if MOVE in there else frozenset(there)
    return Reach(place, False, frozenset(n for n in wrong if n >> _BITS < place), told)


def number_of(finding: Finding) -> int:
    """Return the number of a difference in an observation, which begins with its place; that of a move is MOVE."""
    check = finding.check
    return place_of(finding.at) << _BITS | zlib.crc32(check.key.encode()) if isinstance(check, MustShow) else MOVE


def wrong_in(finding: Finding) -> frozenset[int]:
    """Yield the differences in legal actions or views, each a number that begins with their place."""
    check, at = finding.check, place_of(finding.at) << _BITS
    if isinstance(check, MustOffer):
        signed = [*(f"-{text}" for text in finding.missing), *(f"+{text}" for text in finding.superfluous)]
        return frozenset(at | zlib.crc32(f"{check.player} {text}".encode()) for text in signed)
    if isinstance(check, MustSee):
        return frozenset((at | zlib.crc32(f"{check.seat} {finding.expected} {finding.got}".encode()),))
    return frozenset()

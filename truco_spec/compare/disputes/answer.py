"""The answer to a dispute as data: the input of every renderer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from truco_spec.compare.disputes.authorities import Reason
from truco_spec.compare.disputes.playthrough import Playthrough


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """The reasons of those agreements of a group that have the same."""

    names: tuple[str, ...]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """Agreements that say the same of a move: the verdict, what is seen, why, and what happens next.

    ``said`` is the move as it is made there, where that differs from the log.
    """

    names: tuple[str, ...]
    said: str
    verdict: str
    message: str
    told: str
    why: tuple[WhyAnswer, ...]
    next: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartingAnswer:
    """A move at which agreements part that were one so far. ``about`` are the observations in which they differ."""

    number: int
    move: str
    about: tuple[str, ...]
    groups: tuple[GroupAnswer, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """Agreements whose logs end alike: ``number`` is the move that they do not take (0: they take them all).

    ``why`` are the reasons, if no parting shows them.
    """

    names: tuple[str, ...]
    number: int
    text: str
    why: tuple[WhyAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """A card that nobody knows and on which the answer depends; ``cases`` are outcomes with cards that lead to them."""

    names: tuple[str, ...]
    card: str
    cases: tuple[tuple[tuple[str, ...], str], ...]


@dataclass(frozen=True, slots=True)
class OptionSet:
    """Options that turn a verdict on a claim, with the values that do, and the sentences that say what they mean."""

    options: tuple[tuple[str, tuple[str, ...]], ...]
    means: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """Agreements with one verdict on the claim (``right``, ``wrong``, ``depends`` or ``open``) for one reason.

    ``sets`` are the smallest changes of options that turn it; ``size`` is the largest size of sets all of which were
    tried. ``reasons`` are the rules it rests on, if no parting shows them.
    """

    names: tuple[str, ...]
    verdict: str
    why: str
    move: int
    sets: tuple[OptionSet, ...]
    size: int
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """A claim, under which agreements it is right, and the summary in one line. ``tried`` settings were played."""

    text: str
    summary: str
    rows: tuple[ClaimRow, ...]
    tried: int


@dataclass(frozen=True, slots=True)
class DisputeAnswer:
    """The whole answer. ``summary`` is one line; ``looked`` counts the playthroughs.

    ``not_put`` are agreements under which the log cannot be played, with the reason; ``notes`` are the changes made to
    the log for some of them; ``put_in`` are the cards substituted for unknown ones; ``courses`` are the playthroughs of
    all agreements, by name, for renderers that draw the table.
    """

    title: str
    sides: tuple[str, ...]
    begins: tuple[str, ...]
    moves: tuple[str, ...]
    summary: str
    put: tuple[str, ...]
    not_put: tuple[tuple[tuple[str, ...], str], ...]
    notes: tuple[tuple[tuple[str, ...], str], ...]
    partings: tuple[PartingAnswer, ...]
    endings: tuple[Ending, ...]
    put_in: tuple[tuple[str, str], ...]
    unknown: tuple[Unknown, ...]
    claim: ClaimAnswer | None
    looked: int
    accepted: bool
    courses: Mapping[str, Playthrough] = field(default_factory=dict, repr=False, compare=False)

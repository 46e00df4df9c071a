"""The table *change of the rules × script*: which scripts of the corpus differ under each option value and single
change, so that failing scripts name their candidates at once.

``python -m release.fault_table`` writes ``conformance/faults/VARIANT-PLAYERS.txt``. Changes and scripts are
in it by digest: what has been altered since is not found, and is searched for without. A candidate is a guess; whether
it explains anything is decided by replay.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from truco_spec.base import shipped
from truco_spec.base.shapes import plain
from truco_spec.conformance.corpus.protocol import Check, MustPermit, MustRefuse, MustShow, Position, Script, entry_at
from truco_spec.conformance.fit.evidence import Reply
from truco_spec.conformance.fit.how_far import PER_HAND
from truco_spec.conformance.fit.mutants import Mutant
from truco_spec.conformance.runner.judge import same_value

_LENGTH = 8
REFUSED, TAKEN = "refused", "taken"
"""The marks of an action refused, or accepted, against the rules."""


@dataclass(frozen=True, slots=True)
class Departure:
    """The first difference of a script, and what is shown there: observations as ``key: JSON``, or a refusal."""

    place: int
    shown: frozenset[str]

    def is_seen_in(self, reply: Reply) -> bool | None:
        """Whether the reported observations are these; None if they are not reported."""
        hand, action = divmod(self.place, PER_HAND)
        entry = entry_at(reply.answer, Position(0, hand, action - 1))
        told = [found for each in self.shown if (found := _told(each, entry, reply.script)) is not None]
        return False not in told if told else None

    @classmethod
    def of(cls, place: int, checks: Iterable[Check | None], entry: Mapping[str, Any]) -> Departure:
        """Return the departure of an entry in which these checks fail."""
        shown = set[str]()
        for check in checks:
            if isinstance(check, MustShow):
                shown.add(f"{check.key}: {json.dumps(entry[check.key])}")
            elif isinstance(check, (MustPermit, MustRefuse)):
                shown.add(REFUSED if entry.get("refused") else TAKEN)
        return cls(place, frozenset(shown))


def _told(shown: str, entry: Mapping[str, Any], script: Script) -> bool | None:
    """Whether an entry shows this, whichever player of a team it names; None if it does not report it."""
    if shown in (REFUSED, TAKEN):
        return bool(entry.get("refused")) == (shown == REFUSED)
    key, _, value = shown.partition(": ")
    return same_value(key, _value(value), entry[key], script) if key in entry else None


@lru_cache(maxsize=1024)
def _value(text: str) -> Any:
    return json.loads(text)


Failing = Mapping[str, Departure]
"""Failing scripts by digest, each with its first departure."""


@dataclass(frozen=True, slots=True)
class FaultTable:
    """The scripts of the table, and the failures under each value of an option (``name=value``) and each change, by its
    digest.
    """

    scripts: frozenset[str]
    rows: Mapping[str, Failing]


EMPTY = FaultTable(frozenset(), {})


def table_file(variant: str, players: int) -> Path:
    """Return the path of a game's table."""
    return shipped.folder("conformance") / "faults" / f"{variant}-{players}.txt"


@lru_cache(maxsize=8)
def table_of(variant: str, players: int) -> FaultTable:
    """Return the table of a game; an empty one if there is none, or it is unreadable."""
    if variant not in shipped.variant_names():
        return EMPTY
    try:
        return read_table(table_file(variant, players).read_text(encoding="utf-8"))
    except (OSError, ValueError, IndexError):
        return EMPTY


def read_table(text: str) -> FaultTable:
    """Read the text of a table. Raises ValueError or IndexError for any other."""
    first, *rows = [line for line in text.splitlines() if not line.startswith("#")]
    scripts, departures, found = first.split(), list[Departure](), dict[str, Failing]()
    for row in rows:
        of, bar, cells = row.partition(" | ")
        if not bar:
            raise ValueError(row)
        if not of:
            place, *shown = cells.split("\t")
            departures.append(Departure(int(place), frozenset(shown)))
            continue
        pairs = (cell.split(":") for cell in cells.split())
        failing = {scripts[int(number)]: departures[int(at)] for number, at in pairs}
        found.update(dict.fromkeys(of.split(), failing))
    return FaultTable(frozenset(scripts), found)


def text_of_table(head: str, scripts: Sequence[str], rows: Mapping[str, Failing]) -> str:
    """Return the text of a table: the scripts, their departures, and a line for each set of rows with the same
    failures.
    """
    number = {script: at for at, script in enumerate(scripts)}
    found = {each for failing in rows.values() for each in failing.values()}
    departures = sorted(found, key=lambda each: (each.place, sorted(each.shown)))
    at = {each: number for number, each in enumerate(departures)}
    alike = defaultdict[str, list[str]](list)
    for name, failing in rows.items():
        cells = sorted((number[script], at[departure]) for script, departure in failing.items())
        alike[" ".join(f"{script}:{which}" for script, which in cells)].append(name)
    ways = [" | " + "\t".join((str(each.place), *sorted(each.shown))) for each in departures]
    lines = [f"{' '.join(names)} | {cells}" for cells, names in alike.items() if cells]
    return "\n".join([head, " ".join(scripts), *ways, *lines, ""])


# ---- digests -------------------------------------------------------------------------------------


def script_digest(script: Script) -> str:
    """Return a digest of a script as sent, whatever options it requests: its results under others are a guess, too."""
    return _digest(json.dumps({**plain(script), "options": {}}, sort_keys=True))


def change_digests(mutants: Iterable[Mutant]) -> tuple[str, ...]:
    """Return a digest of each change, distinct for changes in the same words."""
    seen = Counter[str]()
    found = []
    for mutant in mutants:
        text = str(mutant)
        found.append(_digest(f"{text} {seen[text]}"))
        seen[text] += 1
    return tuple(found)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]


# ---- whose failing scripts look like these? ------------------------------------------------------

OPTION = 1.3
"""How much likelier another value of an option is than a fault."""
PRECISE = 0.4
"""The share of the scripts of a row that have to fail."""
ELSE, HIDDEN = 0.25, 0.1
"""The weight of a script for a row with another observation at its place, or with an earlier departure."""


@dataclass(frozen=True, slots=True)
class Likely:
    """A row that looks like the failures, and the numbers of the failing scripts in it, the likeliest first.

    ``seen`` are those that show just what is shown by the row, ``against`` how many go on where it departs. ``worth``
    says how much it looks like what fails.
    """

    name: str
    numbers: tuple[int, ...]
    seen: tuple[int, ...]
    against: int
    worth: float = 0

    @property
    def told(self) -> tuple[int, ...]:
        """The scripts that support it."""
        return self.seen or self.numbers


class Guesses:
    """A table applied to an implementation's answers, by number; of rows that are alike the one whose name comes first
    is guessed first. ``known`` are the scripts that the ``claimed`` or requested options do not change.
    """

    def __init__(
        self, table: FaultTable, names: Iterable[str], replies: Sequence[Reply], claimed: Mapping[str, str]
    ) -> None:
        self.rows = {name: table.rows[name] for name in names if name in table.rows}
        self.replies, self.numbers = replies, defaultdict[str, list[int]](list)
        for number, reply in enumerate(replies if table.scripts else ()):
            digest = script_digest(reply.script)
            if digest in table.scripts:
                self.numbers[digest].append(number)
        self.known = frozenset(
            number
            for digest, numbers in self.numbers.items()
            for number in numbers
            for asked in [{**replies[number].script.options, **claimed}.items()]
            if not any(digest in table.rows.get("=".join(pair), ()) for pair in asked)
        )

    def row(self, name: str) -> frozenset[int] | None:
        """Return the scripts that differ under an option value or a change; None if unknown."""
        row = self.rows.get(name)
        return None if row is None else frozenset(n for digest in row for n in self.numbers.get(digest, ()))

    def alike(self, name: str) -> Iterator[str]:
        """Return the other rows in which the same scripts differ in the same way."""
        row = self.rows.get(name)
        yield from (other for other, cells in self.rows.items() if other != name and row and cells == row)

    def likest(self, failing: Mapping[int, int], moved: Set[int] = frozenset()) -> Iterator[Likely]:
        """Return the rows that look like the failures, the likeliest first; ``failing`` has the places by number.
        Scripts ``moved`` by assumptions may differ otherwise than the table says.

        An engine may have other faults too, so what of the row does not fail weighs more than what fails beside it;
        a script that fails before it could show the row weighs little.
        """
        digests = {digest: numbers for digest, numbers in self.numbers.items() if any(n in failing for n in numbers)}
        found, alike = [], dict[int, tuple[float, float, Likely] | None]()
        for name, row in self.rows.items():
            if id(row) not in alike:  # a row stands once for all that goes alike
                alike[id(row)] = self._likely(row, digests, failing, moved)
            if (told := alike[id(row)]) is not None:
                size, worth, likely = told
                worth *= OPTION if "=" in name else 1
                found.append(replace(likely, name=name, worth=worth / size * (worth / len(digests)) ** 0.5))
        yield from sorted(found, key=lambda each: -each.worth)

    def _likely(
        self, row: Failing, digests: Mapping[str, Sequence[int]], failing: Mapping[int, int], moved: Set[int]
    ) -> tuple[float, float, Likely] | None:
        """Return how many scripts of a row might fail, how many support it, and which; None if too few do."""
        size: float = sum(digest in self.numbers for digest in row)
        both = [digest for digest in row if digest in digests]
        if not both or len(both) < PRECISE * size:
            return None
        likeness = {digest: self._likeness(digests[digest], row[digest], failing) for digest in both}
        size -= sum(1 - HIDDEN for each in likeness.values() if each == HIDDEN)
        order = sorted(both, key=lambda digest: -likeness[digest])
        numbers = tuple(n for digest in order for n in digests[digest] if n in failing)
        seen = tuple(n for digest in order if likeness[digest] == 1 for n in digests[digest] if n in failing)
        against = sum(
            departure.is_seen_in(self.replies[n]) is False
            for digest, departure in row.items()
            for n in self.numbers.get(digest, ())
            if n not in moved and failing.get(n, departure.place + 1) > departure.place
        )
        return size, sum(likeness.values()), Likely("", numbers, seen, against)

    def _likeness(self, numbers: Iterable[int], departure: Departure, failing: Mapping[int, int]) -> float:
        """Return the weight of a script's failure for a row with this departure."""
        places = {n: failing[n] for n in numbers if n in failing}
        if departure.place not in places.values():
            return HIDDEN if min(places.values()) < departure.place else 0
        there = (self.replies[n] for n, place in places.items() if place == departure.place)
        return 1 if any(map(departure.is_seen_in, there)) else ELSE

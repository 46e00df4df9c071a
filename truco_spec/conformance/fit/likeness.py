"""The table *change of the rules × script*: which scripts of the corpus go otherwise under each option value and single
change, so that failing scripts name their candidates at once.

``python -m release.fault_table`` writes ``conformance/faults/VARIANT-PLAYERS.txt``. Changes and scripts are
in it by digest: what has been altered since is not found, and is searched for without. A candidate is a guess; whether
it explains anything is decided by replay.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from truco_spec.base import shipped
from truco_spec.base.shapes import plain
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.conformance.fit.mutants import Mutant

_LENGTH = 8
Failing = Mapping[str, int]
"""Failing scripts by digest, each with the place where it first goes otherwise."""


@dataclass(frozen=True, slots=True)
class FaultTable:
    """The scripts that are in it, and what fails under each value of an option (``name=value``) and each change, which
    stands there by its digest.
    """

    scripts: frozenset[str]
    rows: Mapping[str, Failing]


EMPTY = FaultTable(frozenset(), {})


def table_file(variant: str, players: int) -> Path:
    """Where the table of a game stands."""
    return shipped.folder("conformance") / "faults" / f"{variant}-{players}.txt"


@lru_cache(maxsize=8)
def table_of(variant: str, players: int) -> FaultTable:
    """The table of a game; an empty one where there is none, or it cannot be read."""
    if variant not in shipped.variant_names():
        return EMPTY
    try:
        return read_table(table_file(variant, players).read_text(encoding="utf-8"))
    except (OSError, ValueError, IndexError):
        return EMPTY


def read_table(text: str) -> FaultTable:
    """Read the text of a table. Raises ValueError or IndexError for any other."""
    first, *rows = [line for line in text.splitlines() if not line.startswith("#")]
    scripts = first.split()
    found = dict[str, Failing]()
    for row in rows:
        of, bar, cells = row.partition(" | ")
        if not bar:
            raise ValueError(row)
        places = (cell.partition(":") for cell in cells.split())
        failing = {scripts[int(number)]: int(place or 0) for number, _, place in places}
        found.update(dict.fromkeys(of.split(), failing))
    return FaultTable(frozenset(scripts), found)


def text_of_table(head: str, scripts: Sequence[str], rows: Mapping[str, Failing]) -> str:
    """The text of a table, one line for what fails alike."""
    number = {script: at for at, script in enumerate(scripts)}
    alike = defaultdict[str, list[str]](list)
    for name, failing in rows.items():
        cells = sorted((number[script], place) for script, place in failing.items())
        alike[" ".join(f"{at}:{place}" if place else str(at) for at, place in cells)].append(name)
    lines = [f"{' '.join(names)} | {cells}" for cells, names in alike.items() if cells]
    return "\n".join([head, " ".join(scripts), *lines, ""])


# ---- digests -------------------------------------------------------------------------------------


def script_digest(script: Script) -> str:
    """A digest of a script as it is sent."""
    return _digest(json.dumps(plain(script), sort_keys=True))


def change_digests(mutants: Iterable[Mutant]) -> tuple[str, ...]:
    """A digest of each change, told apart from others in the same words."""
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
"""So much likelier is it that an engine plays another value of an option than that it has a fault."""
PRECISE = 0.4
"""The share of the scripts of a row that have to fail."""


@dataclass(frozen=True, slots=True)
class Likely:
    """A row that looks like what fails, and the numbers of the failing scripts that are in it, the likest first."""

    name: str
    numbers: tuple[int, ...]


class Guesses:
    """A table, for the scripts that somebody was asked, by their numbers; of rows that are alike the one whose name
    comes first is guessed first.
    """

    def __init__(self, table: FaultTable, names: Iterable[str], scripts: Sequence[Script]) -> None:
        self.rows = {name: table.rows[name] for name in names if name in table.rows}
        self.numbers = defaultdict[str, list[int]](list)
        for number, script in enumerate(scripts if table.scripts else ()):
            digest = script_digest(script)
            if digest in table.scripts:
                self.numbers[digest].append(number)

    def row(self, name: str) -> frozenset[int] | None:
        """The scripts that go otherwise under an option value or a change; None where that is not known."""
        row = self.rows.get(name)
        return None if row is None else frozenset(n for digest in row for n in self.numbers.get(digest, ()))

    def alike(self, name: str) -> Iterator[str]:
        """The other rows in which the same scripts go otherwise at the same places."""
        row = self.rows.get(name)
        yield from (other for other, cells in self.rows.items() if other != name and row and cells == row)

    def likest(self, failing: Mapping[int, int]) -> Iterator[Likely]:
        """The rows that look like what fails, the likest first; ``failing`` has the places by number.

        An engine may have other faults too, so what of the row does not fail weighs more than what fails beside it.
        """
        digests = {digest: numbers for digest, numbers in self.numbers.items() if any(n in failing for n in numbers)}
        found = []
        for name, row in self.rows.items():
            if not (both := [digest for digest in row if digest in digests]):
                continue
            size = sum(digest in self.numbers for digest in row)
            if len(both) < PRECISE * size:
                continue
            same = [digest for digest in both if any(failing.get(n) == row[digest] for n in digests[digest])]
            worth = (len(both) + len(same)) / 2 * (OPTION if "=" in name else 1)
            found.append((worth / size * (worth / len(digests)) ** 0.5, name, [*same, *both]))
        for _, name, of in sorted(found, key=lambda each: -each[0]):
            yield Likely(name, tuple(n for digest in dict.fromkeys(of) for n in digests[digest] if n in failing))

"""Checks the corpus against its version: a digest of every case, kept beside the version in one file.

``python -m release.digests`` compares the cases with ``conformance/corpus.txt``, raises the version as their
change requires, and rewrites the file. Without a file the corpus begins at 1.0.0.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from truco_spec.base.shapes import plain
from truco_spec.conformance.corpus import EditionError, edition_file, version_in
from truco_spec.conformance.corpus.cases import Case, card_list
from truco_spec.conformance.corpus.corpus import load

COMMAND = "python -m release.digests"
FIRST = "1.0.0"
Part = Literal["major", "minor", "patch"]

_HEAD = f"""\
# The version of the corpus, and of each case a digest of what decides its verdict and a digest of its wording.
# A changed verdict is major, a new case minor, wording a patch. Written by {COMMAND}; do not edit.
"""
_WORDING = ("title", "note", "clauses", "decisions")
_LENGTH = 12
_LINE = re.compile(rf"(\S+) ([0-9a-f]{{{_LENGTH}}}) ([0-9a-f]{{{_LENGTH}}})")


class Digest(NamedTuple):
    """The digest of one case: of all that decides its verdict (set-up, moves, expectations, level, where it applies),
    and of its wording.
    """

    verdict: str
    wording: str


@dataclass(frozen=True, slots=True)
class Edition:
    """A version and its cases: id and digest."""

    version: str
    cases: Mapping[str, Digest]


@dataclass(frozen=True, slots=True)
class Change:
    """The ids of cases removed, with changed verdicts, added, and reworded."""

    removed: tuple[str, ...] = ()
    decides: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    worded: tuple[str, ...] = ()

    @property
    def raises(self) -> Part | None:
        """The part of the version to raise; None if nothing has changed."""
        if self.removed or self.decides:
            return "major"
        return "minor" if self.new else "patch" if self.worded else None

    def __str__(self) -> str:
        told = {
            "removed": self.removed,
            "decided otherwise": self.decides,
            "new": self.new,
            "worded otherwise": self.worded,
        }
        return "; ".join(f"{len(ids)} {what} ({_few(ids)})" for what, ids in told.items() if ids)


def _few(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:3]) + (", …" if len(ids) > 3 else "")


def digest(case: Case) -> Digest:
    """Compute the digests of a case, independent of its place and of default values."""
    entry: dict[str, Any] = plain(case.entry)
    applies = plain(case.applies)
    applies["options"] = list(applies["options"].items())  # their order is part of the names of instances
    decides = {key: value for key, value in entry.items() if key not in _WORDING}
    decides |= {"applies": _given(applies), "deal": {key: card_list(value) for key, value in case.entry.deal.items()}}
    wording = {**{key: entry[key] for key in _WORDING}, "clauses": case.clauses}
    return Digest(_hash(_given(decides)), _hash(_given(wording)))


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", [], {}, ())}


def _hash(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]


def digests(cases: Iterable[Case]) -> dict[str, Digest]:
    """Digests by id, in the order of the ids."""
    return {case.id: digest(case) for case in sorted(cases, key=lambda case: case.id)}


def changed(before: Mapping[str, Digest], now: Mapping[str, Digest]) -> Change:
    """The changes between two sets of digests."""
    both = [name for name in now if name in before]
    return Change(
        removed=tuple(name for name in before if name not in now),
        decides=tuple(name for name in both if before[name].verdict != now[name].verdict),
        new=tuple(name for name in now if name not in before),
        worded=tuple(name for name in both if before[name].wording != now[name].wording),
    )


def raised(version: str, part: Part | None) -> str:
    """The version with that part raised and the parts after it reset to 0."""
    major, minor, patch = map(int, version.split("."))
    return {
        "major": f"{major + 1}.0.0",
        "minor": f"{major}.{minor + 1}.0",
        "patch": f"{major}.{minor}.{patch + 1}",
    }.get(part or "", version)


# ---- the file -----------------------------------------------------------------------------------


def text_of(edition: Edition) -> str:
    """The content of the file."""
    return f"{_HEAD}version {edition.version}\n" + "".join(
        f"{name} {of.verdict} {of.wording}\n" for name, of in sorted(edition.cases.items())
    )


def edition_in(text: str, path: str) -> Edition:
    """Parse the file. Raises :class:`EditionError`."""
    lines = _lines(text)
    _, first = next(lines, (0, ""))
    version = version_in(first, path)
    cases: dict[str, Digest] = {}
    for number, line in lines:
        match = _LINE.fullmatch(line)
        if match is None or match[1] in cases:
            raise EditionError(f"{path}:{number}: This should be the id of a case and two digests, once for each case.")
        cases[match[1]] = Digest(match[2], match[3])
    return Edition(version, cases)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def main() -> None:
    """Compare, raise the version, write."""
    path, now = edition_file(), digests(load())
    if path.exists():
        before = edition_in(path.read_text(encoding="utf-8"), str(path))
        change = changed(before.cases, now)
        version = raised(before.version, change.raises)
        told = f"{before.version} -> {version}: {change}" if change.raises else f"{version}, as before"
    else:
        version, told = FIRST, f"{FIRST}, with {len(now)} cases"
    path.write_text(text_of(Edition(version, now)), encoding="utf-8")
    sys.stdout.write(f"The corpus is at version {told}.\n")


if __name__ == "__main__":
    main()

"""What many verdicts come to: totals, faults by clause, readings that differ. Of results and of reports alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from truco_spec.conformance.cases import LEVELS, Level
from truco_spec.conformance.verdicts import JUDGED, PASSED, VERDICTS, Checks, Verdict


class Judged(Protocol):
    """A case with its verdict: a result of the runner, or what a report says of one."""

    @property
    def name(self) -> str: ...
    @property
    def level(self) -> Level: ...
    @property
    def clauses(self) -> tuple[str, ...]: ...
    @property
    def decisions(self) -> tuple[str, ...]: ...
    @property
    def verdict(self) -> Verdict: ...
    @property
    def checks(self) -> Checks: ...


def totals(cases: Iterable[Judged]) -> dict[Level, dict[Verdict, int]]:
    """How many cases of each level have each verdict; levels without cases are left out."""
    sums: dict[Level, dict[Verdict, int]] = {level: dict.fromkeys(VERDICTS, 0) for level in LEVELS}
    for case in cases:
        sums[case.level][case.verdict] += 1
    return {level: row for level, row in sums.items() if any(row.values())}


@dataclass(frozen=True, slots=True)
class Score:
    """How many cases were passed, of those that were judged. Whether a failure was expected is no matter here."""

    passed: int
    judged: int

    @property
    def share(self) -> str:
        """In percent, rounded down: 100 % is all."""
        return f"{100 * self.passed // self.judged} %" if self.judged else "–"


def score(cases: Iterable[Judged]) -> Score:
    """The score of these cases."""
    verdicts = [case.verdict for case in cases]
    return Score(sum(verdict in PASSED for verdict in verdicts), sum(verdict in JUDGED for verdict in verdicts))


def scores(cases: Iterable[Judged]) -> dict[Level, Score]:
    """The score of each level; levels without cases are left out."""
    found = tuple(cases)
    by_level = {level: [case for case in found if case.level == level] for level in LEVELS}
    return {level: score(of) for level, of in by_level.items() if of}


def faults_by_clause(cases: Iterable[Judged]) -> Mapping[str, tuple[str, ...]]:
    """Clause: the cases in which a check that rests on it failed. Clauses with most such cases first, then by name.

    A case whose script could not be played up to any of its checks accuses no clause (:func:`not_playable`), nor does
    one that rests on a decision of ours (:func:`other_readings`).
    """
    found: dict[str, list[str]] = {}
    for case in cases:
        if _accuses(case) and not _reads(case):
            for clause in case.clauses:
                found.setdefault(clause, []).append(case.name)
    return {clause: tuple(found[clause]) for clause in sorted(found, key=lambda name: (-len(found[name]), name))}


def other_readings(cases: Iterable[Judged]) -> Mapping[str, tuple[str, ...]]:
    """Decision: the failed cases that rest on it. There an implementation may only read its source otherwise."""
    found: dict[str, list[str]] = {}
    for case in cases:
        if _accuses(case):
            for decision in _reads(case):
                found.setdefault(decision, []).append(case.name)
    return {decision: tuple(found[decision]) for decision in sorted(found)}


def not_playable(cases: Iterable[Judged]) -> tuple[str, ...]:
    """The failed cases in which a move on the way was refused and nothing that was asked came out wrong before."""
    return tuple(case.name for case in cases if case.verdict == "fail" and not case.checks.failed)


def _accuses(case: Judged) -> bool:
    return case.verdict == "fail" and case.checks.failed > 0


def _reads(case: Judged) -> tuple[str, ...]:
    return case.decisions if case.level == "decided" else ()

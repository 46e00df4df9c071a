"""The report of a run as data: what ``--json`` writes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from truco_spec.conformance.cases import CORPUS_VERSION, Level
from truco_spec.conformance.protocol import Introduction
from truco_spec.conformance.runner import Checks, Fault, Result, Verdict, faults_by_clause, other_readings, totals
from truco_spec.conformance.shapes import plain

REPORT_VERSION = 1


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case as it was played."""

    name: Annotated[str, "The id of the case, and in brackets what distinguishes this instance of it."]
    id: str
    title: str
    level: Level
    variant: str
    options: Mapping[str, str]
    players: Annotated[tuple[str, ...], "Empty where the variant says who plays."]
    clauses: tuple[str, ...]
    decisions: tuple[str, ...]
    verdict: Verdict
    checks: Checks
    reason: Annotated[str, "Why it is unsupported."] = ""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run. It holds no times: the same answers give the same report."""

    report: Annotated[int, "The version of this format."]
    corpus: int
    command: Annotated[
        tuple[str, ...], "The adapter's command, or --python and a class; empty for the reference engine."
    ]
    implementation: Annotated[Introduction | None, "Null when it never got started."]
    totals: Annotated[Mapping[Level, Mapping[Verdict, int]], "Level: verdict: number of cases."]
    faults: Annotated[Mapping[str, tuple[str, ...]], "Clause: names of the failed cases, but for those in readings."]
    readings: Annotated[Mapping[str, tuple[str, ...]], "Decision: names of the failed cases that rest on it."]
    cases: tuple[CaseReport, ...]


def report_of(results: Sequence[Result], introduction: Introduction | None, command: Sequence[str]) -> Report:
    """The report of these results."""
    return Report(
        report=REPORT_VERSION,
        corpus=CORPUS_VERSION,
        command=tuple(command),
        implementation=introduction,
        totals=totals(results),
        faults=faults_by_clause(results),
        readings=other_readings(results),
        cases=tuple(map(_case, results)),
    )


def _case(result: Result) -> CaseReport:
    instance, entry = result.instance, result.instance.case.entry
    return CaseReport(
        name=instance.name,
        id=entry.id,
        title=entry.title,
        level=entry.level,
        variant=instance.variant,
        options=instance.options,
        players=instance.players or (),
        clauses=instance.case.clauses,
        decisions=entry.decisions,
        verdict=result.verdict,
        checks=result.checks,
        reason=result.reason,
        faults=result.faults,
    )


def text_of(report: Report) -> str:
    """The report as JSON."""
    return json.dumps(plain(report), indent=2, ensure_ascii=True) + "\n"

"""The report of a run as data: what a report in JSON holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from truco_spec.conformance.cases import Level
from truco_spec.conformance.protocol import Introduction
from truco_spec.conformance.verdicts import Checks, Fault, Known, Verdict

REPORT_VERSION = 2
"""1 had no expected failures, no scores beside the result, and no version of the corpus; it can still be read."""


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
    known: Annotated[Known | None, "What the file of expected failures says of it."] = None
    came_to: Annotated[Verdict | None, "Under xfail and xpass: the verdict if nothing had been expected."] = None


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run. It holds no times: the same answers give the same report."""

    report: Annotated[int, "The version of this format."]
    corpus: Annotated[int, "The version of the format of cases."]
    command: Annotated[
        tuple[str, ...], "The adapter's command, or --python and a class; empty for the reference engine."
    ]
    implementation: Annotated[Introduction | None, "Null when it never got started."]
    totals: Annotated[Mapping[Level, Mapping[Verdict, int]], "Level: verdict: number of cases."]
    faults: Annotated[
        Mapping[str, tuple[str, ...]],
        "Clause: names of the failed cases, but for those in readings. First the clause of whose cases most failed.",
    ]
    readings: Annotated[Mapping[str, tuple[str, ...]], "Decision: names of the failed cases that rest on it."]
    cases: tuple[CaseReport, ...]
    planned: Annotated[int, "How many cases there were to play: more than in cases where the run was broken off."] = 0
    edition: Annotated[str, "The version of the corpus, X.Y.Z; empty where other cases were played."] = ""
    beside: Annotated[
        Mapping[Level, Mapping[str, int]],
        "Level: player who knows nothing of the game: how many of the judged cases he passes.",
    ] = field(default_factory=dict)

"""Converts results of the runner to events, with texts truncated, and with the expected failures of the implementer."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from truco_spec.base.harmless import bounded
from truco_spec.base.shapes import plain, read
from truco_spec.conformance.corpus.cases import CORPUS_VERSION, Level
from truco_spec.conformance.corpus.protocol import Introduction, Script
from truco_spec.conformance.reports.events import Begun, Ended, Event, Introduced, Played, Timing
from truco_spec.conformance.reports.totals import totals
from truco_spec.conformance.runner.runner import Result
from truco_spec.conformance.runner.verdicts import (
    NEGATIVE,
    REPORT_VERSION,
    CaseReport,
    CauseReport,
    Fault,
    Known,
    under,
)

IN_PROCESS = ("--python",)
"""The command prefix of an implementation in this process, followed by its class."""

_LONGEST_NAME = 200


def begun(command: Sequence[str], cases: int, edition: str = "") -> Begun:
    """The first event; ``edition`` is the version of the corpus, empty if other cases are played."""
    return Begun(REPORT_VERSION, CORPUS_VERSION, tuple(bounded(list(command))), cases, edition)


def introduced(introduction: Introduction | None) -> Introduced:
    """The implementation's introduction, truncated."""
    if introduction is None:
        return Introduced(None)
    return Introduced(read(bounded(plain(introduction), _LONGEST_NAME), Introduction, lenient=True))


def case_of(result: Result, known: Known | None = None) -> CaseReport:
    """The report of a case, with the implementation's texts truncated."""
    instance, entry = result.instance, result.instance.case.entry
    verdict = under(result.verdict, known)
    faults = result.faults
    if known is not None and verdict == "xpass":
        advice = f"Delete the entry {known.id} from the file of expected failures."
        faults = (Fault(f"a failure: {known.because}", "it passes", advice=advice),)
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
        verdict=verdict,
        checks=result.checks,
        reason=bounded(result.reason),
        faults=tuple(read(bounded(plain(fault)), Fault) for fault in faults),
        known=known,
        came_to=result.verdict if verdict != result.verdict else None,
    )


def played(
    result: Result,
    command: Sequence[str],
    known: Known | None = None,
    *,
    brief: bool = False,
    limits: Sequence[str] = (),
) -> Played:
    """A result with everything needed to show it; ``brief`` omits the script of a passed case. ``limits`` are the
    options of the run under which it failed.
    """
    case = case_of(result, known)
    script = None if brief and case.verdict not in NEGATIVE else result.shown
    return Played(case, bounded(repeat(result, command, limits)), script if isinstance(script, Script) else None)


def ended(
    events: Iterable[Event],
    began: datetime,
    seconds: float,
    *,
    interrupted: bool,
    beside: Mapping[Level, Mapping[str, int]] | None = None,
    causes: Sequence[CauseReport] = (),
) -> Ended:
    """The last event. ``beside``: the scores of the baseline players."""
    told = tuple(read(bounded(plain(cause)), CauseReport) for cause in causes)
    judged = totals(event.case for event in events if isinstance(event, Played))
    timing = Timing(began.strftime("%Y-%m-%dT%H:%M:%SZ"), round(seconds * 1000))
    return Ended(interrupted, judged, timing, beside or {}, told)


def repeat(result: Result, command: Sequence[str], limits: Sequence[str] = ()) -> str:
    """The command that repeats this case, under the same limits."""
    case = result.instance.case
    words = command if tuple(command[:1]) == IN_PROCESS else ("--", *command)
    after = f" {shlex.join(words)}" if command else ""
    under = f" {shlex.join(limits)}" if limits else ""
    return f"truco-spec test --case {shlex.quote(result.instance.name)}{_where(case.path)}{under}{after}"


def _where(path: str) -> str:
    from truco_spec.conformance.corpus.corpus import corpus_folder

    return "" if path.startswith(str(corpus_folder())) else f" --cases {shlex.quote(path)}"

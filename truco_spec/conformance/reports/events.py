"""The events of a run: it begins, the implementation introduces itself, cases are judged, it ends.

The same events are the lines of a JSONL report. Every other report is made from them, gathered into a :class:`Run`, and
can also be made later from the lines. The only times are in the last event.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any

from truco_spec.base.errors import TrucoError, located
from truco_spec.base.harmless import bounded, one_line
from truco_spec.base.shapes import ShapeError, plain, read, shown
from truco_spec.base.words import Sentence, say
from truco_spec.conformance.corpus.cases import CORPUS_VERSION, Level
from truco_spec.conformance.corpus.protocol import Introduction, Script
from truco_spec.conformance.reports.totals import Score, score, sureness, totals
from truco_spec.conformance.runner.runner import Result
from truco_spec.conformance.runner.verdicts import (
    NEGATIVE,
    REPORT_VERSION,
    CaseReport,
    CauseReport,
    Fault,
    Known,
    Report,
    Verdict,
    under,
)

_DIGITS, _LONGEST_MISTAKE = 15, 300
_MOST = 10_000
"""Maximum entries of a list or mapping that is read; fewer are written."""


class ReportError(TrucoError):
    """A report cannot be read, or is of an unknown kind."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The first event: the cases to be played."""

    report: Annotated[int, "The version of this format."]
    corpus: Annotated[int, "The version of the format of cases."]
    command: Annotated[tuple[str, ...], "The adapter's command; empty for the reference engine."]
    cases: Annotated[int, "How many cases there are to play."]
    edition: Annotated[str, "The version of the corpus, X.Y.Z; empty where other cases are played."] = ""


@dataclass(frozen=True, slots=True)
class Introduced:
    """The implementation's introduction."""

    implementation: Annotated[Introduction | None, "Null when the run was stopped before it got started."]


@dataclass(frozen=True, slots=True)
class Played:
    """One case, judged."""

    case: CaseReport
    repeat: Annotated[str, "The command that plays this one case again."]
    script: Annotated[Script | None, "What was played, as far as it takes to show it; null if nothing was."] = None
    idle: Annotated[
        tuple[tuple[int, int], ...] | None, "Its actions (hand, number in it, from 0) that name a card and lay none."
    ] = None


@dataclass(frozen=True, slots=True)
class Timing:
    """Date and duration: the only difference between two runs with the same answers."""

    began: Annotated[str, "Date and time in UTC."]
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The last event. A stream without it was cut off from outside."""

    interrupted: Annotated[bool, "It was stopped before all cases were played."]
    totals: Annotated[Mapping[Level, Mapping[Verdict, int]], "Level: verdict: number of cases."]
    timing: Timing
    beside: Annotated[
        Mapping[Level, Mapping[str, int]],
        "Level: player who knows nothing of the game: how many of the judged cases he passes.",
    ] = field(default_factory=dict)
    causes: Annotated[tuple[CauseReport, ...], "What explains failures, looked for where there are any."] = ()


Event = Begun | Introduced | Played | Ended

KINDS: Mapping[str, type[Event]] = {"begin": Begun, "hello": Introduced, "case": Played, "end": Ended}
"""The values of the key ``event`` of a line."""
_NAMES = {kind: name for name, kind in KINDS.items()}


_BREAKS: Collection[Verdict] = ("error", "timeout", "crash", "protocol")


def alike(played: Iterable[Played]) -> list[tuple[Played, ...]]:
    """Group failures in their order; those without an answer are grouped by message."""
    groups = dict[tuple[str, str] | int, list[Played]]()
    for at, each in enumerate(played):
        case = each.case
        told = (case.verdict, case.faults[0].got) if case.verdict in _BREAKS and case.faults else at
        groups.setdefault(told, []).append(each)
    return [tuple(group) for group in groups.values()]


@dataclass(frozen=True, slots=True)
class Run:
    """All events of a run. ``ended`` is None when the stream was cut off."""

    begun: Begun
    implementation: Introduction | None = None
    played: tuple[Played, ...] = ()
    ended: Ended | None = None

    @property
    def cases(self) -> tuple[CaseReport, ...]:
        return tuple(played.case for played in self.played)

    @property
    def wrong(self) -> tuple[Played, ...]:
        """The cases that make the run fail, the surest to identify a rule first."""
        sure = sureness(self.cases)
        found = [played for played in self.played if played.case.verdict in NEGATIVE]
        return tuple(sorted(found, key=lambda played: sure(played.case)))

    @property
    def beside(self) -> Mapping[Level, Mapping[str, int]]:
        """The scores of the baseline players, by level; empty if not computed."""
        return self.ended.beside if self.ended is not None else {}

    @property
    def causes(self) -> tuple[CauseReport, ...]:
        """The causes of failures in the run, those with most cases first."""
        known = {case.name for case in self.cases}
        causes = self.ended.causes if self.ended is not None else ()
        return tuple(cause for cause in causes if known.issuperset((cause.case, *cause.cases)))

    def causes_of(self, case: CaseReport) -> tuple[CauseReport, ...]:
        """Return the causes of a case's failure: one, or several together."""
        return tuple(cause for cause in self.causes if case.name in cause.cases)

    def settled(self, case: CaseReport) -> bool:
        """Whether a case is reported by its causes or its group: nothing else is wrong in it."""
        return any(cause.settles for cause in self.causes_of(case))

    @property
    def unexplained(self) -> tuple[CaseReport, ...]:
        """The cases without those whose failure has a cause."""
        explained = {name for cause in self.causes if cause.settles for name in cause.cases}
        return tuple(case for case in self.cases if case.name not in explained)

    @property
    def whole(self) -> bool:
        """Whether every case was played."""
        return self.ended is not None and not self.ended.interrupted

    @property
    def title(self) -> str:
        """The name of the implementation."""
        if self.implementation is None:
            return say("an implementation that never got started")
        return f"{self.implementation.name} {self.implementation.version}".strip()


# ---- events as lines -----------------------------------------------------------------------------


def line_of(event: Event) -> str:
    """An event as one line of JSON."""
    return json.dumps({"event": _NAMES[type(event)], **plain(event)}, ensure_ascii=True) + "\n"


def events_in(text: str, name: str) -> Iterator[Event]:
    """Parse the events of a JSONL report. An incomplete last line is ignored: the run was killed while writing it.
    Unknown kinds of events are skipped. Raises :class:`ReportError`.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1], 1):
        try:
            event = _json(line)
            if not isinstance(event, dict):
                raise ShapeError(Sentence("{line} is no event.", line=shown(line)), ())
            kind = KINDS.get(str(event.get("event")))
            if kind is not None:
                yield read(bounded(event, most=_MOST), kind, lenient=True)
        except (ValueError, RecursionError) as error:
            raise ReportError(located(f"{name}:{number}", Sentence("This line is not JSON."))) from error
        except ShapeError as error:
            raise ReportError(located(f"{name}:{number}", _told(error))) from error


def _json(text: str) -> Any:
    """Parse a text as JSON with numbers of bounded size. Raises ValueError."""
    return json.loads(text, parse_int=_number, parse_constant=_number)


def _told(error: ShapeError) -> str:
    """The error on one line, with sanitised keys."""
    told = one_line(str(error))
    return told if len(told) <= _LONGEST_MISTAKE else f"…{told[-_LONGEST_MISTAKE:]}"


def _number(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError("a number with too many digits")
    return int(digits)


def gathered(events: Iterable[Event], name: str = "report") -> Run:
    """Gather events into a run. Raises :class:`ReportError` if they do not start with the first event."""
    run: Run | None = None
    cases: list[Played] = []
    for event in events:
        if isinstance(event, Begun):
            _check_version(event.report, name)
            run = run or Run(event)
        elif run is None:
            break
        elif isinstance(event, Introduced):
            run = replace(run, implementation=event.implementation)
        elif isinstance(event, Played):
            cases.append(event)
        else:
            run = replace(run, ended=event)
    if run is None:
        raise ReportError(
            located(name, Sentence("This is no report of a run; truco-spec test --report jsonl:FILE writes one."))
        )
    return replace(run, played=tuple(cases))


def run_in(text: str, name: str) -> Run:
    """Read the run of a JSONL or a JSON report. Raises :class:`ReportError`."""
    head = text.lstrip()[:200]
    if head.startswith("{") and '"event"' not in head:
        return _of_report(text, name)
    return gathered(events_in(text, name), name)


def _of_report(text: str, name: str) -> Run:
    try:
        report: Report = read(_json(text), Report, lenient=True)
    except (ValueError, RecursionError) as error:
        raise ReportError(located(name, Sentence("This is not JSON."))) from error
    except ShapeError as error:
        raise ReportError(located(name, _told(error))) from error
    _check_version(report.report, name)
    planned = report.planned or len(report.cases)
    began = Begun(report.report, report.corpus, report.command, planned, report.edition)
    timing = Timing("", 0)  # it has no times
    ended = Ended(planned > len(report.cases), report.totals, timing, report.beside, report.causes)
    return Run(began, report.implementation, tuple(Played(case, "") for case in report.cases), ended)


def _check_version(version: int, name: str) -> None:
    if version > REPORT_VERSION:
        form = "This is a report of version {version}; this program reads up to {known}."
        raise ReportError(located(name, Sentence(form, version=version, known=REPORT_VERSION)))


# --------------------------------------------------------------------------------------------------
# The scores of the baseline players on the judged cases, shown beside a result.


_NAME, _MOST_BASELINES = re.compile("[a-z][a-z-]{0,15}"), 5


def baseline_players(run: Run) -> tuple[str, ...]:
    """The baseline players with known scores in the run."""
    found = dict.fromkeys(player for level in run.beside.values() for player in level)
    return tuple(player for player in found if _NAME.fullmatch(player))[:_MOST_BASELINES]


def of_level(run: Run, level: Level) -> Mapping[str, Score]:
    """Their scores on the judged cases of one level."""
    judged = score(case for case in run.cases if case.level == level).judged
    found = run.beside.get(level, {})
    return {player: Score(found.get(player, 0), judged) for player in baseline_players(run)}


def theirs(run: Run) -> Mapping[str, Score]:
    """Their scores on the judged cases, over all levels."""
    judged = score(run.cases).judged
    return {
        player: Score(sum(of.get(player, 0) for of in run.beside.values()), judged) for player in baseline_players(run)
    }


def beside(run: Run) -> str:
    """Return the same in words, to append; empty if unknown."""
    found = theirs(run)
    told = ", ".join(f"{player} {of.share}" for player, of in found.items() if of.judged)
    return say("; without knowing the game: {scores}", scores=told) if told else ""


# --------------------------------------------------------------------------------------------------
# Converts results of the runner to events, with texts truncated, and with the expected failures of the implementer.


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
    again, script = bounded(repeat(result, command, limits)), result.shown
    if not isinstance(script, Script) or (brief and case.verdict not in NEGATIVE):
        return Played(case, again)
    return Played(case, again, script, _laying_nothing(result, script))


def _laying_nothing(result: Result, script: Script) -> tuple[tuple[int, int], ...] | None:
    """Its actions that lay no card, as the reference engine plays it; it need not where a strict case passed without a
    refusal.
    """
    from truco_spec.conformance.adapters.reference import laying_nothing  # reading a report plays nothing

    refused = ("refused" in entry for _, told in result.replies for hand in told for entry in hand.seen)
    if result.verdict == "pass" and script.mode == "strict" and not any(refused):
        return None
    return laying_nothing(script) or None


def ended(
    events: Iterable[Event],
    began: datetime,
    seconds: float,
    *,
    interrupted: bool,
    beside: Mapping[Level, Mapping[str, int]] | None = None,
    causes: Sequence[CauseReport] = (),
) -> Ended:
    """Return the last event. ``beside``: the scores of the baseline players."""
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
    from truco_spec.conformance.corpus.ready import corpus_folder

    return "" if path.startswith(str(corpus_folder())) else f" --cases {shlex.quote(path)}"

"""TAP 14: a line for each case, with a YAML block for each fault. Times are a comment at the end."""

from __future__ import annotations

import json
from collections.abc import Iterator

from truco_spec.base.harmless import one_line, visible
from truco_spec.base.shapes import plain
from truco_spec.conformance.reports.beside import beside, notes
from truco_spec.conformance.reports.events import Played, Run
from truco_spec.conformance.reports.totals import score
from truco_spec.conformance.runner.verdicts import NEGATIVE


def text_of(run: Run) -> str:
    """The report of a run; “Bail out!” marks an interrupted one."""
    return "".join(f"{line}\n" for line in _lines(run))


def _lines(run: Run) -> Iterator[str]:
    yield "TAP version 14"
    yield f"1..{run.begun.cases}"
    yield f"# {one_line(run.title)}"
    if run.begun.edition:
        yield f"# corpus {one_line(run.begun.edition)}"
    for number, played in enumerate(run.played, 1):
        yield from _point(number, played, run)
    for name, note in notes(run.cases):
        yield f"# {one_line(name)} {one_line(note)}"
    mine = score(run.cases)
    yield f"# {mine.passed} of {mine.judged} passed{one_line(beside(run))}"
    if run.ended is not None:
        yield f"# {run.ended.timing.milliseconds / 1000:.3f} s"
    if not run.whole:
        yield f"Bail out! The run was broken off after {len(run.played)} of {run.begun.cases} cases."


def _point(number: int, played: Played, run: Run) -> Iterator[str]:
    case = played.case
    ok = "not ok" if case.verdict in NEGATIVE or case.verdict == "xfail" else "ok"
    skip = ""
    if case.verdict in ("unsupported", "unobserved"):
        skip = f" # SKIP {case.verdict}" + (f": {_escaped(case.reason)}" if case.reason else "")
    if case.verdict == "xfail":  # the harness expects a point that is “not ok” and to do
        skip = f" # TODO {_escaped(case.known.because)}" if case.known is not None else " # TODO"
    yield f"{ok} {number} - {_escaped(case.name)}: {_escaped(case.title)}{skip}"
    if ok == "not ok":
        yield "  ---"
        for key, value in _details(played, run):
            # JSON is YAML; in ASCII and on one line it can neither end the block nor begin another.
            yield f"  {key}: {json.dumps(value, ensure_ascii=True)}"
        yield "  ..."


def _details(played: Played, run: Run) -> Iterator[tuple[str, object]]:
    case = played.case
    yield "verdict", case.verdict
    if causes := run.causes_of(case):
        yield "causes", [visible(cause.sentence) for cause in causes]
    yield "level", case.level
    yield "clauses", list(case.clauses)
    if case.decisions:
        yield "decisions", list(case.decisions)
    if case.known is not None:
        yield "known", {key: visible(str(value)) for key, value in plain(case.known).items() if value}
    parts = ("expected", "got", "advice", "script", "log")
    found = [{part: visible(getattr(fault, part)) for part in parts} for fault in case.faults]
    yield "faults", [{part: text for part, text in fault.items() if text} for fault in found]
    yield "repeat", visible(played.repeat)


def _escaped(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace("#", "\\#")

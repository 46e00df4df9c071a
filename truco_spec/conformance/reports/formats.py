"""The formats of reports, and requested targets: ``FORMAT:FILE``, or a file with a known suffix.

JSON Lines, JSON, TAP, JUnit XML, Markdown, a page and a badge are written here; all are reproducible but for times.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape
from pathlib import Path, PurePath
from typing import Annotated

from truco_spec.base.document import markdown_of
from truco_spec.base.harmless import one_line, visible
from truco_spec.base.paths import led_to
from truco_spec.base.shapes import plain
from truco_spec.base.words import Sentence, Spoken, number, say, speaking, spoken
from truco_spec.conformance.reports import events, run_document, totals
from truco_spec.conformance.runner.verdicts import NEGATIVE, VERDICTS, CaseReport, Report, Verdict


def jsonl(run: events.Run) -> str:
    """The events of a finished run, as they would have been written."""
    told: list[events.Event] = [run.begun, events.Introduced(run.implementation), *run.played]
    return "".join(map(events.line_of, [*told, run.ended] if run.ended else told))


# --------------------------------------------------------------------------------------------------
# One JSON object with everything but times, reproducible for the same answers.


def json_text(run: events.Run) -> str:
    """The report of a run (``conformance/schema/report.schema.json``)."""
    return json.dumps(plain(report_of(run)), indent=2, ensure_ascii=True) + "\n"


def report_of(run: events.Run) -> Report:
    """Return the report as a value."""
    return Report(
        report=run.begun.report,
        corpus=run.begun.corpus,
        command=run.begun.command,
        implementation=run.implementation,
        causes=run.causes,
        totals=totals.totals(run.cases),
        faults=totals.faults_by_clause(run.cases),
        readings=totals.other_readings(run.cases),
        cases=run.cases,
        planned=run.begun.cases,
        edition=run.begun.edition,
        beside=run.beside,
        departures=totals.departures(run.cases),
    )


# --------------------------------------------------------------------------------------------------
# TAP 14: a line for each case, with a YAML block for each fault. Times are a comment at the end.


def tap(run: events.Run) -> str:
    """The report of a run; “Bail out!” marks an interrupted one."""
    return "".join(f"{line}\n" for line in _lines(run))


def _lines(run: events.Run) -> Iterator[str]:
    yield "TAP version 14"
    yield f"1..{run.begun.cases}"
    yield f"# {one_line(run.title)}"
    if run.begun.edition:
        yield f"# corpus {one_line(run.begun.edition)}"
    for at, played in enumerate(run.played, 1):
        yield from _point(at, played, run)
    for name, note in totals.notes(run.cases):
        yield f"# {one_line(name)} {one_line(note)}"
    mine = totals.score(run.cases)
    yield f"# {mine.passed} of {mine.judged} passed{one_line(events.beside(run))}"
    if run.ended is not None:
        yield f"# {run.ended.timing.milliseconds / 1000:.3f} s"
    if not run.whole:
        yield f"Bail out! The run was broken off after {len(run.played)} of {run.begun.cases} cases."


def _point(at: int, played: events.Played, run: events.Run) -> Iterator[str]:
    case = played.case
    ok = "not ok" if case.verdict in NEGATIVE or case.verdict == "xfail" else "ok"
    skip = ""
    if case.verdict in ("unsupported", "unobserved"):
        skip = f" # SKIP {case.verdict}" + (f": {_escaped(case.reason)}" if case.reason else "")
    if case.verdict == "xfail":  # the harness expects a point that is “not ok” and to do
        skip = f" # TODO {_escaped(case.known.because)}" if case.known is not None else " # TODO"
    yield f"{ok} {at} - {_escaped(case.name)}: {_escaped(case.title)}{skip}"
    if ok == "not ok":
        yield "  ---"
        for key, value in _details(played, run):
            # JSON is YAML; in ASCII and on one line it can neither end the block nor begin another.
            yield f"  {key}: {json.dumps(value, ensure_ascii=True)}"
        yield "  ..."


def _details(played: events.Played, run: events.Run) -> Iterator[tuple[str, object]]:
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


# --------------------------------------------------------------------------------------------------
# JUnit XML, as read by Jenkins, GitLab and most others: a suite for each variant, a test for each case.
#
# Times are on the root only, so that the rest is reproducible.

_KIND: dict[Verdict, str] = {
    "fail": "failure",
    "xpass": "failure",
    "xfail": "skipped",
    "unsteady": "error",
    "error": "error",
    "timeout": "error",
    "crash": "error",
    "protocol": "error",
    "unsupported": "skipped",
    "unobserved": "skipped",
}
_COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def junit(run: events.Run) -> str:
    """The report of a run. An interrupted run has an extra error, so that it is not taken for complete."""
    root = ET.Element("testsuites", {"name": one_line(f"truco-spec: {run.title}"), **_counts(run.cases)})
    if run.ended is not None:
        root.set("time", f"{run.ended.timing.milliseconds / 1000:.3f}")
    for variant in dict.fromkeys(case.variant for case in run.cases):
        _suite(root, variant, run)
    if not run.whole:
        _broken_off(root, run)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, variant: str, run: events.Run) -> None:
    played = [one for one in run.played if one.case.variant == variant]
    cases = [one.case for one in played]
    suite = ET.SubElement(root, "testsuite", {"name": one_line(variant), **_counts(cases)})
    _properties(suite, cases, run)
    for one in played:
        _test(suite, one, run)


def _properties(suite: ET.Element, cases: Sequence[CaseReport], run: events.Run) -> None:
    """Notes on the run as a whole, and on outdated entries for these cases."""
    told = {"corpus": run.begun.edition} if run.begun.edition else {}
    told |= {f"run.{player}": f"{of.passed} of {of.judged}" for player, of in events.theirs(run).items()}
    told |= {f"expected.{name}": note for name, note in totals.notes(cases)}
    if told:
        properties = ET.SubElement(suite, "properties")
        for name, value in told.items():
            ET.SubElement(properties, "property", {"name": one_line(name), "value": one_line(value)})


def _counts(cases: Iterable[CaseReport]) -> dict[str, str]:
    counts = dict.fromkeys(("tests", *_COUNTED.values()), 0)
    for case in cases:
        counts["tests"] += 1
        if case.verdict in _KIND:
            counts[_COUNTED[_KIND[case.verdict]]] += 1
    return {name: str(count) for name, count in counts.items()}


def _test(suite: ET.Element, played: events.Played, run: events.Run) -> None:
    case = played.case
    test = ET.SubElement(suite, "testcase", {"classname": one_line(case.variant), "name": one_line(case.name)})
    if case.verdict not in _KIND:
        return
    outcome = ET.SubElement(test, _KIND[case.verdict])
    if _KIND[case.verdict] == "skipped":
        reason = case.known.because if case.verdict == "xfail" and case.known is not None else case.reason
        outcome.set("message", one_line(f"{case.verdict}: {reason}" if reason else case.verdict))
        return
    first = case.faults[0] if case.faults else None
    outcome.set("message", one_line(f"expected {first.expected}, got {first.got}" if first else case.verdict))
    outcome.set("type", case.verdict)
    outcome.text = visible("\n".join(_story(played, run)))


def _story(played: events.Played, run: events.Run) -> list[str]:
    lines = [
        "",
        *(f"{'cause' if cause.explains else 'alike'}: {cause.sentence}" for cause in run.causes_of(played.case)),
    ]
    lines += [played.case.title, f"level: {played.case.level}"]
    lines += [f"clause: {clause}" for clause in played.case.clauses]
    lines += [f"decision: {decision}" for decision in played.case.decisions]
    for fault in played.case.faults:
        parts = {"expected": fault.expected, "got": fault.got, "advice": fault.advice, "script": fault.script}
        lines += [f"{name}: {text}" for name, text in parts.items() if text]
        lines += [f"| {line}" for line in (*fault.log.splitlines(), *fault.case.splitlines())]
    return [*lines, f"repeat: {played.repeat}", ""]


def _broken_off(root: ET.Element, run: events.Run) -> None:
    suite = ET.SubElement(
        root, "testsuite", {"name": "the run", "tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    )
    test = ET.SubElement(suite, "testcase", {"classname": "the run", "name": "every case was played"})
    message = f"The run was broken off after {len(run.played)} of {run.begun.cases} cases."
    ET.SubElement(test, "error", {"message": message, "type": "interrupted"})
    for name in ("tests", "errors"):
        root.set(name, str(int(root.get(name, "0")) + 1))


# --------------------------------------------------------------------------------------------------
# Markdown for the job summary of continuous integration.


def markdown(run: events.Run) -> str:
    """The report of a run."""
    return markdown_of(run_document.document_of(run))


# --------------------------------------------------------------------------------------------------
# One HTML file: every case with its table drawn step by step, without network requests, readable without its script
# (which only filters). Its policy allows no other script, so that foreign text cannot become one.


def html(run: events.Run) -> str:
    """The page of a run."""
    from truco_spec.pages.html import page

    counts = Counter(case.verdict for case in run.cases)
    values = {
        "run": run,
        "totals": totals.totals(run.cases),
        "verdicts": [verdict for verdict in VERDICTS if verdict == "pass" or counts[verdict]],
        "variants": sorted({case.variant for case in run.cases}),
        "clauses": sorted({clause for case in run.cases for clause in (*case.clauses, *case.decisions)}),
        "wrong": events.alike(played for played in run.wrong if not run.settled(played.case)),
        "asked": _asked(run),
        "passed": f"{run_document.passed(run).removesuffix('.')}{events.beside(run)}.",
        "took": run_document.took(run),
        "cases": say("{count} cases", count=number(len(run.played))),
        "dealing": say("{player} (deals)"),
        "number": number,
        "document": run_document,
        "unsteady": totals.unsteady(run.cases),
        "negative": NEGATIVE,
        "faults": totals.faults_by_clause(run.unexplained),
        "readings": totals.other_readings(run.unexplained),
        "unplayable": totals.not_playable(run.unexplained),
        "departing": list(run_document.departing(run.cases)),
        "reasons": totals.unsupported(run.cases),
        "scores": totals.scores(run.cases),
        "baseline_players": events.baseline_players(run),
        "of_level": partial(events.of_level, run),
        "notes": list(totals.notes(run.cases)),
        "anchors": anchors(case.name for case in run.cases),
        "steps": totals.steps,
        "clause_text": lru_cache(maxsize=None)(run_document.clause_told),
    }
    return page(__package__ or "", "page", values)


def _asked(run: events.Run) -> str:
    done, planned, edition = number(len(run.played)), number(run.begun.cases), run.begun.edition
    form = "{done} of {planned} cases of corpus {edition} were played on"
    if not edition:
        form = "{done} of {planned} cases were played on"
    return say(form, done=done, planned=planned, edition=edition)


def anchors(names: Iterable[str]) -> Mapping[str, str]:
    """Map each case to its anchor. The same name has the same anchor in any run, unless another case of the run has
    almost the same name.
    """
    found: dict[str, str] = {}
    taken: Counter[str] = Counter()
    for name in names:
        anchor = f"case-{re.sub(r'[^A-Za-z0-9.]+', '-', name)}".strip("-")
        taken[anchor] += 1
        found[name] = anchor if taken[anchor] == 1 else f"{anchor}--{taken[anchor]}"
    return found


# --------------------------------------------------------------------------------------------------
# A badge: the share of judged cases that passed. An expected failure is judged, and not passed.
#
# Green if all passed, yellow if only expected failures did not, red otherwise.

_LABEL = "truco-spec"
_LETTER, _MARGIN = 7, 6
_GREEN, _YELLOW, _RED, _GREY = "#2a7a2a", "#8a6a00", "#b3261e", "#6a6a6a"


def badge(run: events.Run) -> str:
    """The badge as SVG, without times or network requests."""
    counts = Counter(case.verdict for case in run.cases)
    mine = totals.score(run.cases)
    says = f"{mine.passed} of {mine.judged} pass" if mine.judged else "nothing judged"
    colour = _RED if NEGATIVE & counts.keys() else _YELLOW if counts["xfail"] else _GREEN if mine.judged else _GREY
    if not run.whole:
        says, colour = f"{says}, broken off", _GREY
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    corpus = f" (corpus {run.begun.edition})" if run.begun.edition else ""
    title = one_line(f"{_LABEL}{corpus}: {run.title}: {told or 'no case was played'}{events.beside(run)}")
    return _drawn(says, colour, title)


def _drawn(says: str, colour: str, title: str) -> str:
    left, right = (len(text) * _LETTER + 2 * _MARGIN for text in (_LABEL, says))
    letters = 'fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"'
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{escape(title)}">
<title>{escape(title)}</title>
<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#444"/>\
<rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>
<g {letters}>
<text x="{left / 2:g}" y="14" textLength="{left - 2 * _MARGIN}">{_LABEL}</text>
<text x="{left + right / 2:g}" y="14" textLength="{right - 2 * _MARGIN}">{escape(says)}</text>
</g>
</svg>
"""


# --------------------------------------------------------------------------------------------------
# The formats of reports, and requested targets: ``FORMAT:FILE``, or a file with a known suffix.


STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Format:
    """The writer of one format, and its file extensions. One ``for_people`` is in the current language."""

    text_of: Callable[[events.Run], str]
    endings: tuple[str, ...]
    for_people: bool = False


FORMATS: Mapping[str, Format] = {
    "jsonl": Format(jsonl, (".jsonl", ".ndjson")),
    "json": Format(json_text, (".json",)),
    "junit": Format(junit, (".xml",)),
    "tap": Format(tap, (".tap",)),
    "md": Format(markdown, (".md", ".markdown"), for_people=True),
    "badge": Format(badge, (".svg",)),
    "html": Format(html, (".html", ".htm"), for_people=True),
}


@dataclass(frozen=True, slots=True)
class Target:
    """One requested report."""

    format: str
    path: Annotated[str, "A file, or - for the standard output."]

    def text_of(self, run: events.Run) -> str:
        """The report of a run in this format."""
        form = FORMATS[self.format]
        with speaking(spoken() if form.for_people else Spoken()):
            return form.text_of(run)


def target_of(text: str) -> Target:
    """Parse ``junit:out.xml`` or ``out.xml`` or ``tap:-``. Raises :class:`ReportError`."""
    name, colon, path = text.partition(":")
    name = "md" if name == "markdown" else name
    if colon and name in FORMATS:
        if not path:
            form = "--report {text}: No file is named; write {name}:FILE, or {name}:- for the output."
            raise events.ReportError(Sentence(form, text=text, name=name))
        return Target(name, path)
    ending = PurePath(text).suffix.lower()
    for format_name, kind in FORMATS.items():
        if ending in kind.endings:
            return Target(format_name, text)
    known = tuple(f"{name} ({kind.endings[0]})" for name, kind in FORMATS.items())
    form = "--report {text}: Which format? Write FORMAT:FILE, or a file with the ending of one: {known}."
    raise events.ReportError(Sentence(form, text=text, known=known))


def targets_of(texts: Iterable[str]) -> tuple[Target, ...]:
    """All requested targets. Raises :class:`ReportError`."""
    return apart(tuple(map(target_of, texts)))


def apart(targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """Return the targets. Raises :class:`ReportError` if two have the same file."""
    taken: set[Path | str] = set()
    for target in targets:
        place = STDOUT if target.path == STDOUT else led_to(target.path)
        if place in taken:
            form = "Two reports are to be written to {path}; give each a place of its own."
            raise events.ReportError(Sentence(form, path=target.path))
        taken.add(place)
    return targets

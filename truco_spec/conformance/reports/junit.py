"""JUnit XML, as read by Jenkins, GitLab and most others: a suite for each variant, a test for each case.

Times are on the root only, so that the rest is reproducible.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence

from truco_spec.base.harmless import one_line, visible
from truco_spec.conformance.reports.beside import notes, theirs
from truco_spec.conformance.reports.events import Played, Run
from truco_spec.conformance.runner.verdicts import CaseReport, Verdict

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


def text_of(run: Run) -> str:
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


def _suite(root: ET.Element, variant: str, run: Run) -> None:
    played = [one for one in run.played if one.case.variant == variant]
    cases = [one.case for one in played]
    suite = ET.SubElement(root, "testsuite", {"name": one_line(variant), **_counts(cases)})
    _properties(suite, cases, run)
    for one in played:
        _test(suite, one, run)


def _properties(suite: ET.Element, cases: Sequence[CaseReport], run: Run) -> None:
    """Notes on the run as a whole, and on outdated entries for these cases."""
    told = {"corpus": run.begun.edition} if run.begun.edition else {}
    told |= {f"run.{player}": f"{of.passed} of {of.judged}" for player, of in theirs(run).items()}
    told |= {f"expected.{name}": note for name, note in notes(cases)}
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


def _test(suite: ET.Element, played: Played, run: Run) -> None:
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


def _story(played: Played, run: Run) -> list[str]:
    lines = ["", *(f"cause: {cause.sentence}" for cause in run.causes_of(played.case))]
    lines += [played.case.title, f"level: {played.case.level}"]
    lines += [f"clause: {clause}" for clause in played.case.clauses]
    lines += [f"decision: {decision}" for decision in played.case.decisions]
    for fault in played.case.faults:
        parts = {"expected": fault.expected, "got": fault.got, "advice": fault.advice, "script": fault.script}
        lines += [f"{name}: {text}" for name, text in parts.items() if text]
        lines += [f"| {line}" for line in (*fault.log.splitlines(), *fault.case.splitlines())]
    return [*lines, f"repeat: {played.repeat}", ""]


def _broken_off(root: ET.Element, run: Run) -> None:
    suite = ET.SubElement(
        root, "testsuite", {"name": "the run", "tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    )
    test = ET.SubElement(suite, "testcase", {"classname": "the run", "name": "every case was played"})
    message = f"The run was broken off after {len(run.played)} of {run.begun.cases} cases."
    ET.SubElement(test, "error", {"message": message, "type": "interrupted"})
    for name in ("tests", "errors"):
        root.set(name, str(int(root.get(name, "0")) + 1))

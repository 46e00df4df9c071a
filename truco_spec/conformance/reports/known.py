"""What has to be said of expected failures that are out of date, in sentences for every report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from truco_spec.conformance.report import CaseReport
from truco_spec.conformance.verdicts import NEGATIVE, PASSED, Known


def notes(cases: Iterable[CaseReport]) -> Iterator[tuple[str, str]]:
    """The name of a case, and what to do about its entry; nothing for one that is right, and under xpass."""
    for case in cases:
        if case.known is not None and (note := _note(case, case.known)):
            yield case.name, note


def _note(case: CaseReport, known: Known) -> str:
    if case.verdict in ("unsupported", "unobserved"):
        return f"is {case.verdict}: the entry {known.id} is needless, delete it"
    if known.expired and case.verdict in PASSED:
        return f"passes, and was expected to fail until {known.expires}: delete the entry {known.id}"
    if known.expired:
        return f"was expected to fail until {known.expires}, and fails the run now: mend it, or set another day"
    if case.verdict in NEGATIVE - {"xpass"}:
        return f"was expected to come to {known.verdict}, not to {case.verdict}"
    return ""

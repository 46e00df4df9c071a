"""One JSON object with everything but times, reproducible for the same answers."""

from __future__ import annotations

import json

from truco_spec.base.shapes import plain
from truco_spec.conformance.reports.events import Run
from truco_spec.conformance.reports.totals import faults_by_clause, other_readings, totals
from truco_spec.conformance.runner.verdicts import Report


def text_of(run: Run) -> str:
    """The report of a run (``conformance/schema/report.schema.json``)."""
    return json.dumps(plain(report_of(run)), indent=2, ensure_ascii=True) + "\n"


def report_of(run: Run) -> Report:
    """The same as a value."""
    return Report(
        report=run.begun.report,
        corpus=run.begun.corpus,
        command=run.begun.command,
        implementation=run.implementation,
        totals=totals(run.cases),
        faults=faults_by_clause(run.cases),
        readings=other_readings(run.cases),
        cases=run.cases,
        planned=run.begun.cases,
        edition=run.begun.edition,
        beside=run.beside,
        causes=run.causes,
    )

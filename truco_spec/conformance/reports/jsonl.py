"""JSON Lines: one event per line, written as it happens."""

from __future__ import annotations

from truco_spec.conformance.reports.events import Event, Introduced, Run, line_of


def text_of(run: Run) -> str:
    """The events of a finished run, as they would have been written."""
    events: list[Event] = [run.begun, Introduced(run.implementation), *run.played]
    return "".join(map(line_of, [*events, run.ended] if run.ended else events))

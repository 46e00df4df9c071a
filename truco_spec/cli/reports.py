"""The reports of a run: checked before it begins, moved into place when it ends or is stopped.

Event lines are written as they happen. Every other report is written atomically.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TextIO

import click

from truco_spec.base.harmless import behind
from truco_spec.cli.file_access import STREAM, FileError, must_be_writable, put

if TYPE_CHECKING:
    from truco_spec.conformance.corpus.cases import Level
    from truco_spec.conformance.corpus.protocol import Introduction
    from truco_spec.conformance.reports.events import Event, Run
    from truco_spec.conformance.reports.formats import Target
    from truco_spec.conformance.runner.runner import Result
    from truco_spec.conformance.runner.verdicts import CaseReport, CauseReport, Known

LARGEST_REPORT = 100_000_000
"""The largest report that is read, in bytes."""


class Reports:
    """Collects the events of one run and writes reports. Raises :class:`FileError` for targets that cannot be written,
    as far as possible before anything is played.
    """

    def __init__(self, targets: Sequence[Target], limits: Sequence[str] = ()) -> None:
        self.targets, self.limits = targets, limits
        self.to_stdout = any(target.path == STREAM for target in targets)
        for target in targets:
            must_be_writable(target.path)
        self._events: list[Event] = []
        self._command: Sequence[str] = ()
        self._streams: list[tuple[str, TextIO]] = []
        self._began = datetime.now(UTC)
        self._clock = time.monotonic()

    @property
    def begun(self) -> bool:
        """Whether the run has begun."""
        return bool(self._events)

    def begin(self, command: Sequence[str], cases: int, introduction: Introduction | None, edition: str) -> None:
        """Begin the run, and the files of event lines."""
        from truco_spec.conformance.reports import events

        self._command = command
        self._streams = [(target.path, _opened(target.path)) for target in self.targets if target.format == "jsonl"]
        self._tell(events.begun(command, cases, edition))
        self._tell(events.introduced(introduction))

    def introduced(self, introduction: Introduction | None) -> None:
        """The implementation introduced itself later."""
        from truco_spec.conformance.reports import events

        self._tell(events.introduced(introduction))

    def result(self, result: Result, known: Known | None = None) -> CaseReport:
        """Add a judged case; ``known`` is its expected failure, if any."""
        from truco_spec.conformance.reports import events

        played = events.played(result, self._command, known, brief=not self.targets, limits=self.limits)
        self._tell(played)
        return played.case

    def end(
        self,
        *,
        interrupted: bool,
        beside: Mapping[Level, Mapping[str, int]] | None = None,
        causes: Sequence[CauseReport] = (),
    ) -> Run | None:
        """End the run and write everything. None for a run that has not begun, which leaves no files."""
        if not self._events:
            return None
        from truco_spec.conformance.reports import events

        seconds = time.monotonic() - self._clock
        told = events.ended(self._events, self._began, seconds, interrupted=interrupted, beside=beside, causes=causes)
        self._tell(told)
        for _, stream in self._streams:
            if stream is not sys.stdout:
                stream.close()
        run = events.gathered(self._events)
        write(run, [target for target in self.targets if target.format != "jsonl"])
        return run

    def _tell(self, event: Event) -> None:
        self._events.append(event)
        if not self._streams:
            return
        from truco_spec.conformance.reports.events import line_of

        for path, stream in self._streams:
            try:
                stream.write(line_of(event))
                stream.flush()
            except BrokenPipeError:
                raise
            except OSError as error:
                raise FileError(f"{path}: error: This file cannot be written: {error.strerror or error}.") from None


def write(run: Run, targets: Sequence[Target]) -> None:
    """Write the reports of a run, each moved into place when complete. Raises :class:`FileError`."""
    for target in targets:
        put(target.text_of(run), target.path)


def _opened(path: str) -> TextIO:
    if path == STREAM:
        return sys.stdout
    try:
        return open(path, "w", encoding="utf-8", newline="")
    except OSError as error:
        raise FileError(f"{path}: error: This file cannot be written: {error.strerror or error}.") from None


def targets(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[Target, ...]:
    """Parse targets ``FORMAT:FILE``; a click callback."""
    if not given:
        return ()
    from truco_spec.conformance.reports.formats import targets_of

    return targets_of(given)


def with_json(given: tuple[Target, ...], path: str | None) -> tuple[Target, ...]:
    """The targets with that of ``--json``."""
    if path is None:
        return given
    from truco_spec.conformance.reports.formats import Target, apart

    return apart((*given, Target("json", path)))


report_option = click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="[FORMAT:]FILE",
    callback=targets,
    help="Write a report (repeatable): jsonl, json, junit, tap, markdown, badge or html; the ending of FILE tells "
    "which, too. FORMAT:- prints it instead of the story.",
)


# ---- A run on the terminal: in colours if it shows them, and NO_COLOR is unset (no-color.org) -----


def show_run(run: Run, *, verbose: bool, quiet: bool) -> None:
    """Print the story of a run, or only its summary."""
    from truco_spec.conformance.reports.run_document import story_of, summary

    if quiet:
        click.echo(summary(run))
        return
    colour = coloured()
    click.echo(story_of(run, verbose=verbose, colour=colour), file=behind(sys.stdout) if colour else None, nl=False)


def coloured() -> bool:
    """Whether the standard output is a terminal that shows colours, and NO_COLOR is unset."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

"""``truco-spec report``, ``compare``, and the reports of ``test``: the events of a run, rendered in any format, and
several reports side by side.

Reports are checked before a run begins, and moved into place when it ends or is stopped. Event lines are written as
they happen; every other report is written atomically.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from gettext import gettext as _
from typing import TYPE_CHECKING, TextIO

import click

from truco_spec.base.harmless import behind
from truco_spec.base.words import Spoken, speaking
from truco_spec.cli.arguments import language_option
from truco_spec.cli.file_access import STREAM, cannot_write, must_be_writable, put, read_text, shown, written

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
    """Collects the events of one run and writes reports, those for people in a ``language``. Raises
    :class:`FileError` for targets that cannot be written, as far as possible before anything is played.
    """

    def __init__(self, targets: Sequence[Target], limits: Sequence[str], language: Spoken) -> None:
        self.targets, self.limits, self.language = targets, limits, language
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
        return bool(self._events)

    def begin(self, command: Sequence[str], cases: int, introduction: Introduction | None, edition: str) -> None:
        """Begin the run, and the files of event lines."""
        from truco_spec.conformance.reports import events

        self._command = command
        self._streams = [(target.path, _opened(target.path)) for target in self.targets if target.format == "jsonl"]
        self._tell(events.begun(command, cases, edition))
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
        for _path, stream in self._streams:
            if stream is not sys.stdout:
                stream.close()
        run = events.gathered(self._events)
        with speaking(self.language):
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
                raise cannot_write(path, error) from None


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
        raise cannot_write(path, error) from None


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


# ---- the verbs -----------------------------------------------------------------------------------


@click.command(
    name="report",
    help="""Render a run again: as its story, or as any other report.

RUN is what truco-spec test has written with --report, in JSON lines (jsonl) or as JSON; - reads the standard input.
Nothing is played. A run that was broken off tells what was done.

\b
Examples:
  truco-spec report run.jsonl
  truco-spec report --report html:run.html --report junit:run.xml run.jsonl
  truco-spec report --report markdown:- run.jsonl

Exit status: 0 the run could be read, whatever it came to; 2 it could not.""",
)
@click.argument("run", metavar="RUN")
@report_option
@click.option("-v", "--verbose", is_flag=True, help="Name every case, not only those that went wrong.")
@click.option("-q", "--quiet", is_flag=True, help="One line only: the totals of the run.")
@language_option
def command(run: str, reports: tuple[Target, ...], verbose: bool, quiet: bool) -> int:
    from truco_spec.conformance.reports.events import run_in

    if quiet and verbose:
        raise click.UsageError(_("Give either --quiet or --verbose, not both."))
    for target in reports:
        must_be_writable(target.path)
    found = run_in(read_text(run, LARGEST_REPORT), shown(run))
    write(found, reports)
    if quiet or not reports:
        show_run(found, verbose=verbose, quiet=quiet)
    return 0


_AS_WELL = {"markdown": "md"}
"""Aliases of formats."""


class Form(click.Choice[str]):
    """The formats by name or alias."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(_AS_WELL.get(value, value), param, ctx)


@click.command(
    name="compare",
    help="""Set reports side by side: which rules does which implementation play as the sources say?

A REPORT is what truco-spec test has written with --report, in JSON lines (jsonl) or as JSON; that of an interrupted
run can be read too. A cell tells how many cases of a rule were passed, of those on which the implementation could be
judged; “!” marks a rule that it plays otherwise. Cases that rest on a decision of the spec stand under that decision.

\b
Examples:
  truco-spec compare mine.jsonl reference.jsonl
  truco-spec compare --differing --format html -o matrix.html old.json new.json

Exit status: 0 the reports could be read, 2 they could not.""",
)
@click.argument("reports", metavar="REPORT…", nargs=-1, required=True)
@click.option(
    "--format", "form", type=Form(["text", "md", "html"]), default="text", show_default=True,
    help="How it is printed.",
)  # fmt: skip
@click.option("--differing", is_flag=True, help="Only rules on which they differ.")
@click.option("-o", "--output", metavar="FILE", help="Write to this file instead of the standard output.")
@language_option
def compare_command(reports: tuple[str, ...], form: str, differing: bool, output: str | None) -> int:
    from truco_spec.conformance.reports import run_document
    from truco_spec.conformance.reports.events import run_in

    must_be_writable(output)
    runs = [run_in(read_text(path, LARGEST_REPORT), path) for path in reports]
    found = run_document.compared(runs, differing=differing)
    put(written(run_document.comparison_document(found), form, 200), output)
    return 0

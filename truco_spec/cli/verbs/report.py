"""``truco-spec report``: the stored events of a run, rendered again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from truco_spec.cli.common.file_access import must_be_writable, read_text, shown
from truco_spec.cli.common.progress import coloured, say
from truco_spec.cli.common.reports import LARGEST_REPORT, STDOUT, report_option, write

if TYPE_CHECKING:
    from truco_spec.conformance.reports.formats import Target


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
@click.option("-q", "--quiet", is_flag=True, help="One line only: what the run came to.")
def command(run: str, reports: tuple[Target, ...], verbose: bool, quiet: bool) -> int:
    """Read, render."""
    from truco_spec.conformance.reports import terminal
    from truco_spec.conformance.reports.events import run_in

    if quiet and verbose:
        raise click.UsageError("Give either --quiet or --verbose, not both.")
    for target in reports:
        if target.path != STDOUT:
            must_be_writable(target.path)
    found = run_in(read_text(run, LARGEST_REPORT), shown(run))
    write(found, reports)
    if quiet:
        click.echo(terminal.summary(found))
    elif not reports:
        terminal.show(found, say, verbose=verbose, colour=coloured())
    return 0

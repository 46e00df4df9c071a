"""``truco-spec report``, ``compare``: the stored events of a run, rendered again; several reports side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from truco_spec.cli.file_access import must_be_writable, put, read_text, shown, written
from truco_spec.cli.reports import LARGEST_REPORT, report_option, show_run, write

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
@click.option("-q", "--quiet", is_flag=True, help="One line only: the totals of the run.")
def command(run: str, reports: tuple[Target, ...], verbose: bool, quiet: bool) -> int:
    """Read, render."""
    from truco_spec.conformance.reports.events import run_in

    if quiet and verbose:
        raise click.UsageError("Give either --quiet or --verbose, not both.")
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
        """Resolve an alias."""
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
def compare_command(reports: tuple[str, ...], form: str, differing: bool, output: str | None) -> int:
    """Read, compare, print."""
    from truco_spec.conformance.reports import comparison
    from truco_spec.conformance.reports.events import run_in

    must_be_writable(output)
    runs = [run_in(read_text(path, LARGEST_REPORT), path) for path in reports]
    put(written(comparison.document_of(comparison.compared(runs, differing=differing)), form, 200), output)
    return 0

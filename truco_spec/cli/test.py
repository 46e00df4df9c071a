"""``truco-spec test``: the conformance corpus against an implementation."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from truco_spec.cli.program import NEGATIVE
from truco_spec.cli.reports import Reports, report_option, stoppable, with_json

if TYPE_CHECKING:
    from truco_spec.conformance.pipe import Implementation
    from truco_spec.conformance.reports.formats import Target
    from truco_spec.conformance.runner import Result


@click.command(
    name="test",
    help="""Play the conformance corpus against an implementation and judge it.

COMMAND is an adapter: a program that answers in lines of JSON (docs/protocol.md). With --python it is a class of
Python instead, asked in this process. Without either the reference engine is judged. docs/implementers.md tells how to
write one.

\b
Examples:
  truco-spec test -- ./my-adapter
  truco-spec test --variant paulista --report report.html -- node adapter.js
  truco-spec test --report junit:report.xml --report report.jsonl -- ./my-adapter
  truco-spec test --case pagat-tie-01 -- ./my-adapter
  truco-spec test --python my_adapter:Adapter

Exit status: 0 nothing failed, 1 something failed or gave no answer, 2 the input cannot be used.""",
)
@click.argument("adapter", metavar="[-- COMMAND…]", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--python", "python", metavar="MODULE:CLASS",
    help="Instead of a command: a class, also as FILE.py:CLASS. Without time limit.",
)  # fmt: skip
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="Only cases of this variant (repeatable).")
@click.option("--case", "names", multiple=True, metavar="ID", help="Only this case (repeatable).")
@click.option("--level", "levels", multiple=True, type=click.Choice(["must", "decided", "option"]), help="Only these.")
@click.option("--players", type=click.IntRange(1), help="Only cases for so many players.")
@click.option(
    "--cases", "paths", multiple=True, metavar="PATH", type=click.Path(path_type=Path),
    help="Files or folders of cases, instead of the corpus (repeatable).",
)  # fmt: skip
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), default=5.0, show_default=True, metavar="S",
    help="Seconds for each answer.",
)  # fmt: skip
@report_option
@click.option("--json", "as_json", metavar="FILE", help="The same as --report json:FILE.")
@click.option("-v", "--verbose", is_flag=True, help="Name every case, not only those that went wrong.")
def command(
    adapter: tuple[str, ...],
    python: str | None,
    variants: tuple[str, ...],
    names: tuple[str, ...],
    levels: tuple[str, ...],
    players: int | None,
    paths: tuple[Path, ...],
    timeout: float,
    reports: tuple[Target, ...],
    as_json: str | None,
    verbose: bool,
) -> int:
    """Choose the cases, play them, tell the story."""
    from truco_spec.conformance import corpus, runner, terminal, verdicts
    from truco_spec.conformance.choice import chosen

    if python is not None and adapter:
        raise click.UsageError("Give either --python or a command, not both.")
    wanted = Reports(with_json(reports, as_json))
    cases = chosen(corpus.load(paths), variants=variants, names=names, levels=levels, players=players)
    progress = terminal.Progress(len(cases))
    implementation = _implementation(adapter, python, timeout)
    called = (*terminal.IN_PROCESS, python) if python is not None else adapter
    results: list[Result] = []

    def judged(result: Result) -> None:
        results.append(result)
        wanted.result(result)
        progress.result(result)

    introduction = None
    stopped: BaseException | None = None
    with stoppable():
        try:
            introduction = runner.introduction_of(implementation)
            wanted.begin(called, len(cases), introduction)
            runner.run(cases, implementation, judged)
            if introduction is None:  # a later start may have gone well
                introduction = runner.introduction_of(implementation)
                wanted.introduced(introduction)
        except (KeyboardInterrupt, SystemExit) as end:
            stopped = end
        finally:
            progress.end()
            implementation.close()
    wanted.end(interrupted=stopped is not None)
    if results and not wanted.to_stdout:
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        terminal.show(results, introduction, called, click.echo, verbose=verbose, colour=colour)
    if stopped is not None:
        raise stopped
    return NEGATIVE if any(result.verdict in verdicts.NEGATIVE for result in results) else 0


def _implementation(adapter: tuple[str, ...], python: str | None, timeout: float) -> Implementation:
    if python is not None:
        from truco_spec.conformance.inprocess import InProcess, adapter_class

        return InProcess(adapter_class(python))
    if adapter:
        from truco_spec.conformance.pipe import Limits, Pipe

        return Pipe(adapter, Limits(case=timeout, start=max(timeout, Limits().start)))
    from truco_spec.conformance.reference import Reference

    return Reference()

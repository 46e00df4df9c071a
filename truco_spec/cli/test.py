"""``truco-spec test``: the conformance corpus against an implementation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from truco_spec.cli.files import write_text
from truco_spec.cli.program import NEGATIVE

if TYPE_CHECKING:
    from truco_spec.conformance.pipe import Implementation


@click.command(
    name="test",
    help="""Play the conformance corpus against an implementation and judge it.

COMMAND is an adapter: a program that answers in lines of JSON (docs/protocol.md). With --python it is a class of
Python instead, asked in this process. Without either the reference engine is judged. docs/implementers.md tells how to
write one.

\b
Examples:
  truco-spec test -- ./my-adapter
  truco-spec test --variant paulista --json report.json -- node adapter.js
  truco-spec test --case pagat-tie-definition-1 -- ./my-adapter
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
@click.option("--json", "report", metavar="FILE", help="Write the report as JSON.")
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
    report: str | None,
    verbose: bool,
) -> int:
    """Choose the cases, play them, tell the story."""
    from truco_spec.conformance import corpus, runner, terminal
    from truco_spec.conformance.choice import chosen
    from truco_spec.conformance.report import report_of, text_of

    if python is not None and adapter:
        raise click.UsageError("Give either --python or a command, not both.")
    cases = chosen(corpus.load(paths), variants=variants, names=names, levels=levels, players=players)
    progress = terminal.Progress(len(cases))
    implementation = _implementation(adapter, python, timeout)
    called = (*terminal.IN_PROCESS, python) if python is not None else adapter
    try:
        results = runner.run(cases, implementation, progress.result)
        introduction = runner.introduction_of(implementation)
    finally:
        progress.end()
        implementation.close()
    terminal.show(results, introduction, called, click.echo, verbose=verbose)
    if report is not None:
        write_text(report, text_of(report_of(results, introduction, called)))
    return NEGATIVE if any(result.verdict in runner.NEGATIVE for result in results) else 0


def _implementation(adapter: tuple[str, ...], python: str | None, timeout: float) -> Implementation:
    if python is not None:
        from truco_spec.conformance.inprocess import InProcess, adapter_class

        return InProcess(adapter_class(python))
    if adapter:
        from truco_spec.conformance.pipe import Limits, Pipe

        return Pipe(adapter, Limits(case=timeout, start=max(timeout, Limits().start)))
    from truco_spec.conformance.reference import Reference

    return Reference()

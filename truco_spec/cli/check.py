"""``truco-spec check``: is every rule, table, citation and option of a variant in order?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from truco_spec.cli.files import read_text
from truco_spec.cli.program import BAD_INPUT, NEGATIVE
from truco_spec.cli.progress import Progress
from truco_spec.errors import TrucoError

if TYPE_CHECKING:
    from truco_spec.language.diagnostics import Diagnostic


@click.command(
    name="check",
    help="""Check each FILE, or the variant of that name; without FILE, all variants that are shipped.

Finds what does not read or link, and what the exact checks of the rule graph find: tables with a hole, exceptions
that collide, rules that never apply, phases without a way out, ranges that can be left, clauses that do not exist.
Each finding comes with its place and, where it is one, with a position that shows it.

\b
Examples:
  truco-spec check
  truco-spec check house.truco
  truco-spec check paulista mineiro

Exit status: 0 all well, 1 a check found something, 2 the text cannot be read or linked.""",
)
@click.argument("files", metavar="[FILE]…", nargs=-1)
@click.option("--quiet", "-q", is_flag=True, help="Say nothing of what is in order.")
def command(files: tuple[str, ...], quiet: bool) -> int:
    """Check, print the findings, and tell the worst."""
    from truco_spec.graph.check import check

    status = 0
    targets = files or _shipped()
    with Progress("variants", len(targets), quiet=quiet) as progress:
        for target in targets:
            progress.step(target)
            try:
                found = check(target)
            except TrucoError as error:
                click.echo(str(error), err=True)
                status = BAD_INPUT
                continue
            _show(found)
            if any(d.severity == "error" for d in found):
                status = max(status, NEGATIVE)
            elif not quiet:
                click.echo(f"{target}: in order")
    return status


def _shipped() -> tuple[str, ...]:
    from truco_spec.shipped import folder

    return tuple(sorted(path.stem for path in (folder("spec") / "variants").glob("*.truco")))


def _show(found: list[Diagnostic]) -> None:
    """Print the findings with the lines that they point at."""
    from truco_spec.language.diagnostics import render

    files = {span.file for d in found for span in (d.span, *(place for _, place in d.notes))}
    texts = {file: read_text(file) for file in sorted(files) if file and Path(file).is_file()}
    for diagnostic in found:
        click.echo(render(diagnostic, texts) + "\n", err=True)

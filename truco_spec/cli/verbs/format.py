"""``truco-spec format``: specs in canonical layout."""

from __future__ import annotations

import click

from truco_spec.base.errors import TrucoError
from truco_spec.cli.commands import BAD_INPUT, NEGATIVE
from truco_spec.cli.common.file_access import STDIN, message_of, read_text, shown, write_text


@click.command(
    name="format",
    help="""Write each spec FILE in its one true form: order, indentation, line width; comments stay.

Files are changed in place, each in one step; a file with mistakes is left as it is. With “-” the text comes from the
standard input and the result goes to the standard output.

\b
Examples:
  truco-spec format house.truco
  truco-spec format --check spec/variants/*.truco
  truco-spec format - < house.truco

Exit status: 0 all well, 1 with --check when a file would change, 2 the input cannot be used.""",
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Change nothing; name the files that would change.")
def command(files: tuple[str, ...], check: bool) -> int:
    """Format the files, or list those that would change."""
    from truco_spec.language.format import format_text

    status = 0
    for path in files:
        try:
            text = read_text(path)
            formatted = format_text(text, shown(path))
            if path == STDIN and not check:
                click.echo(formatted, nl=False)
            elif formatted != text and check:
                click.echo(f"{shown(path)}: would change", err=True)
                status = max(status, NEGATIVE)
            elif formatted != text:
                write_text(path, formatted)
                click.echo(f"{path}: formatted", err=True)
        except TrucoError as error:
            click.echo(message_of(error), err=True)
            status = BAD_INPUT
    return status

"""``truco-spec lsp``: help for whoever writes rules, cases and logs in an editor."""

from __future__ import annotations

import sys
from typing import BinaryIO, cast

import click

from truco_spec.base.errors import TrucoError


@click.command(
    name="lsp",
    help="""Serve an editor: mistakes as you type, what a name or a clause means, and completion.

The editor starts it and talks to it through the standard input and output, in the language server protocol;
docs/editors.md shows how to set up Neovim, Helix and VS Code. Texts of rules, logs and cases are read. It wants the
extra truco-spec[editor].

\b
Examples:
  truco-spec lsp --stdio
  truco-spec lsp --no-checks

Exit status: 0 all well, 2 the extra is not installed.""",
)
@click.option("--stdio", is_flag=True, help="Use the standard input and output, as always; editors say so.")
@click.option("--no-checks", is_flag=True, help="Do not run the exact checks after a while; they take seconds.")
def command(stdio: bool, no_checks: bool) -> int:
    """Answer until the editor goes."""
    try:
        from truco_spec.editor.server import serve
    except ImportError:
        raise NoEditor("Without pygls there is no language server. Say: pip install 'truco-spec[editor]'") from None

    stdin, stdout = sys.__stdin__, sys.__stdout__
    if stdin is None or stdout is None:
        raise NoEditor("There is no editor: the standard input or output is closed.")
    sys.stdout = sys.stderr  # only the protocol is written there
    serve(cast(BinaryIO, stdin.buffer), cast(BinaryIO, stdout.buffer), checks=not no_checks)
    return 0


class NoEditor(TrucoError):
    """The language server cannot be started."""

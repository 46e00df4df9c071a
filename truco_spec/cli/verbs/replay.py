"""``truco-spec replay``: a log as a page that shows every move."""

from __future__ import annotations

import click

from truco_spec.cli.common.logs import log_argument, replay_of, spec_option


@click.command(
    name="replay",
    help="""Turn LOG into a page: the table seen from above, move by move, with the reason of each.

The page is one HTML file that needs no network. Keys, buttons and swiping lead through the moves; it can show what one
seat sees, and what a strict referee and an umpire make of an irregular move. LOG is as for “truco-spec run”.

\b
Examples:
  truco-spec replay night.yaml -o night.html
  truco-spec replay "paulista | ana bia caio davi | dealer ana | deal vira 5H | bia 3C, caio truco" -o hand.html

Exit status: 0 the page is made, 2 the log cannot be read or played.""",
)
@log_argument
@spec_option
@click.option("-o", "--output", metavar="FILE", default="-", help="Where the page goes (default: standard output).")
def command(log: str, spec: str | None, output: str) -> int:
    """Make the page."""
    from truco_spec.cli.common.file_access import must_be_writable, put
    from truco_spec.pages.replay_page import page_of

    if output != "-":
        must_be_writable(output)
    replay = replay_of(log, spec)
    put(page_of(replay.log, replay.graph), output)
    return 0

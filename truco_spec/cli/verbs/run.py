"""``truco-spec run``, ``explain``, ``replay``: a log as its narrative, with the reason of each move, and as a page."""

from __future__ import annotations

import click

from truco_spec.cli.arguments import log_argument, log_of, replay_of, spec_option
from truco_spec.cli.commands import BAD_INPUT, NEGATIVE
from truco_spec.cli.file_access import must_be_writable, print_json, put, written
from truco_spec.cli.messages import language_option


@click.command(
    name="run",
    help="""Replay LOG and tell its course: who did what, the tricks, the points, the score.

LOG is a YAML file, “-” for the standard input, or a log in one line. A log in mode strict holds permitted moves only;
in mode umpire, a forbidden move happens and costs what the rules lay down.

\b
Examples:
  truco-spec run night.yaml
  truco-spec run --json night.yaml
  truco-spec run "paulista | ana bia caio davi | dealer ana | deal vira 5H | bia 3C, caio truco, davi corro"
  truco-spec run --write line night.yaml
  truco-spec run --position night.yaml

Exit status: 0 all moves are regular, 1 an umpire found irregular moves, 2 the log cannot be read or played.""",
)
@log_argument
@spec_option
@click.option("--json", "as_json", is_flag=True, help="Print the course as JSON.")
@click.option("--write", type=click.Choice(["yaml", "line"]), help="Do not play; print the log in this notation.")
@click.option(
    "--position", is_flag=True, help="Print only the position that LOG ends in, as a line (docs/position.md)."
)
@language_option
def command(log: str, spec: str | None, as_json: bool, write: str | None, position: bool) -> int:
    if write is not None:
        click.echo(_written(log, write), nl=False)
        return 0
    if position:
        game = replay_of(log, spec).to_the_end()
        click.echo(game.position_line())
        return NEGATIVE if any(event.status != "permitted" for event in game.history) else 0
    from truco_spec.base.document import text_of
    from truco_spec.logs.narrative import data_of, document_of, narrative_of

    narrative = narrative_of(replay_of(log, spec))
    if as_json:
        print_json(data_of(narrative), 1)
    else:
        click.echo(text_of(document_of(narrative), 110), nl=False)
    return NEGATIVE if narrative.irregular else 0


def _written(log: str, notation: str) -> str:
    from truco_spec.logs.files import write
    from truco_spec.logs.line import write_line

    return write(log_of(log)) if notation == "yaml" else write_line(log_of(log)) + "\n"


@click.command(
    name="explain",
    help="""Explain the moves of LOG: which rules were consulted, which exception won, and what they cite.

For a move that is refused: why, and what would have made it legal. LOG is as for “truco-spec run”.

\b
Examples:
  truco-spec explain night.yaml --at 3
  truco-spec explain night.yaml --at 3 --all
  truco-spec explain "paulista | ana bia caio davi | dealer ana | bia 3C, davi truco"

Exit status: 0 all moves are regular, 1 an umpire found irregular moves, 2 the log cannot be read or played.""",
)
@log_argument
@spec_option
@click.option("--at", "number", type=click.IntRange(1), metavar="STEP", help="Explain only the move of this number.")
@click.option("--all", "whole", is_flag=True, help="Show every consulted rule, not only those that apply.")
@language_option
def explain_command(log: str, spec: str | None, number: int | None, whole: bool) -> int:
    from truco_spec.logs.explanation import document_of, explained, refusal_document
    from truco_spec.logs.replay import MoveRefused

    replay = replay_of(log, spec)
    regular = True
    try:
        for found in explained(replay, number):
            click.echo(written(document_of(replay.graph, found, whole=whole), "text"))
            regular = regular and found.verdict.legal
    except MoveRefused as refused:
        click.echo(str(refused), err=True)
        why = refusal_document(replay.graph, refused.verdict, refused.due, refused.against, whole=whole)
        click.echo(written(why, "text"), err=True, nl=False)
        return BAD_INPUT
    return 0 if regular else NEGATIVE


@click.command(
    name="replay",
    help="""Turn LOG into a page: the table seen from above, move by move, with the reason of each.

The page is one HTML file that needs no network. A list of the moves, a slider, keys, buttons and swiping lead through
them; it can show what one seat sees, and what a strict referee and an umpire make of an irregular move. LOG is as for
“truco-spec run”.

\b
Examples:
  truco-spec replay night.yaml -o night.html
  truco-spec replay night.yaml --lang pt -o noite.html
  truco-spec replay "paulista | ana bia caio davi | dealer ana | deal vira 5H | bia 3C, caio truco" -o hand.html

Exit status: 0 the page is made, 2 the log cannot be read or played.""",
)
@log_argument
@spec_option
@click.option(
    "-o", "--output", metavar="FILE", default="-", help="Write the page to this file (default: standard output)."
)
@language_option
def replay_command(log: str, spec: str | None, output: str) -> int:
    from truco_spec.pages.board import page_of

    must_be_writable(output)
    replay = replay_of(log, spec)
    put(page_of(replay.log, replay.graph), output)
    return 0

"""``truco-spec explain``: why each move of a log was permitted or refused."""

from __future__ import annotations

import click

from truco_spec.cli.commands import BAD_INPUT, NEGATIVE
from truco_spec.cli.common.logs import log_argument, replay_of, spec_option


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
@click.option("--all", "whole", is_flag=True, help="Tell of every rule consulted, not only those that apply.")
def command(log: str, spec: str | None, number: int | None, whole: bool) -> int:
    """Explain."""
    from truco_spec.logs.explanation import due_lines, explained, lines_of, verdict_lines
    from truco_spec.logs.replay import MoveRefused

    replay = replay_of(log, spec)
    regular = True
    try:
        for found in explained(replay, number):
            click.echo("\n".join(lines_of(replay.graph, found, whole=whole)) + "\n")
            regular = regular and found.verdict.legal
    except MoveRefused as refused:
        click.echo(str(refused), err=True)
        lines = [*verdict_lines(replay.graph, refused.verdict, whole=whole), *due_lines(replay.graph, refused.due)]
        click.echo("\n".join(lines), err=True)
        return BAD_INPUT
    return 0 if regular else NEGATIVE

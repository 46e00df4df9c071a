"""``truco-spec run``: the narrative of a game from its log."""

from __future__ import annotations

import json

import click

from truco_spec.cli.commands import NEGATIVE
from truco_spec.cli.common.logs import log_argument, log_of, replay_of, spec_option


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

Exit status: 0 all moves are regular, 1 an umpire found irregular moves, 2 the log cannot be read or played.""",
)
@log_argument
@spec_option
@click.option("--json", "as_json", is_flag=True, help="Print the course as JSON.")
@click.option("--write", type=click.Choice(["yaml", "line"]), help="Do not play; print the log in this notation.")
def command(log: str, spec: str | None, as_json: bool, write: str | None) -> int:
    """Replay and print."""
    if write is not None:
        click.echo(_written(log, write), nl=False)
        return 0
    from truco_spec.logs.narrative import course_of, data_of, text_of

    course = course_of(replay_of(log, spec))
    if as_json:
        click.echo(json.dumps(data_of(course), ensure_ascii=False, indent=1))
    else:
        click.echo(text_of(course), nl=False)
    return NEGATIVE if course.irregular else 0


def _written(log: str, notation: str) -> str:
    from truco_spec.logs.files import write
    from truco_spec.logs.line import write_line

    return write(log_of(log)) if notation == "yaml" else write_line(log_of(log)) + "\n"

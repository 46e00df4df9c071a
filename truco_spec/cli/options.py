"""``--option name=value``, as several verbs take it."""

from __future__ import annotations

import click


def switches(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """The options of a variant from ``name=value`` texts; a click callback. A text without “=” is refused."""
    made: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise click.BadParameter(f"“{text}” is not of the form name=value.", ctx, parameter)
        if name in made:
            raise click.BadParameter(f"The option “{name}” is given twice.", ctx, parameter)
        made[name] = value
    return made


option_switches = click.option(
    "--option",
    "-o",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    callback=switches,
    help="Set an option of the variant. May be repeated.",
)

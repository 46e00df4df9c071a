"""Shell completion of variant names."""

from __future__ import annotations

import click


def variants(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The shipped variants with this prefix; after a comma, of a list."""
    from truco_spec.base.shipped import variant_names

    listed, comma, begun = incomplete.rpartition(",")
    given = listed.split(",")
    return [f"{listed}{comma}{name}" for name in variant_names() if name.startswith(begun) and name not in given]


# ---- ``--option name=value``, as several verbs take it -------------------------------------------


def switches(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Parse the options of a variant from ``name=value`` texts; a click callback. A text without “=” is rejected."""
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

"""``truco-spec show``: a variant and all that it extends as one text."""

from __future__ import annotations

import click

from truco_spec.cli.common import variant_names
from truco_spec.cli.common.variant_names import option_switches


@click.command(
    name="show",
    help="""Print VARIANT (a name, or a .truco file) as one text in the rules language that extends nothing: what it
inherits, replaces, drops, sets and cites more is applied.

Above each statement stands where it comes from. The text is a spec itself, and plays the same game. With --option
the stars of options are at these values, and statements that they rule out are marked.

\b
Examples:
  truco-spec show paulista
  truco-spec show mineiro --option deck=clean
  truco-spec show house.truco > whole.truco

Exit status: 0 all well, 2 the input cannot be used.""",
)
@click.argument("variant", shell_complete=variant_names.variants)
@option_switches
def command(variant: str, options: dict[str, str]) -> None:
    """Print the text."""
    from truco_spec.cli.common.variants import chain_of
    from truco_spec.pages.draw.linked import linked_text

    click.echo(linked_text(chain_of(variant, options), options), nl=False)

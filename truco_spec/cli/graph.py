"""``truco-spec graph``: the rule graph of a variant as a picture or as data."""

from __future__ import annotations

import click

from truco_spec.cli.options import option_switches


@click.command(
    name="graph",
    help="""Draw the rule graph of VARIANT: the name of a shipped variant, or a .truco file.

\b
Examples:
  truco-spec graph paulista --format svg > paulista.svg
  truco-spec graph mineiro --option deck=clean --format dot
  truco-spec graph house.truco --core --format json

Exit status: 0 all well, 2 the input cannot be used.""",
)
@click.argument("variant")
@click.option("--core", is_flag=True, help="Print what every construct lowers to, down to the core.")
@option_switches
@click.option(
    "--format",
    "form",
    type=click.Choice(["dot", "svg", "mermaid", "json"]),
    default="mermaid",
    show_default=True,
    help="The form of the drawing.",
)
def command(variant: str, core: bool, options: dict[str, str], form: str) -> None:
    """Print the drawing."""
    from truco_spec.cli.variants import graph_of

    drawn = graph_of(variant, options)
    from truco_spec.graph.draw import draw

    click.echo(draw(drawn, form, core=core))

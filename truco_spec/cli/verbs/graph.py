"""``truco-spec graph``: the rule graph of a variant as a picture or as data."""

from __future__ import annotations

import click

from truco_spec.cli.common import variant_names
from truco_spec.cli.common.variant_names import option_switches


@click.command(
    name="graph",
    help="""Draw the rule graph of VARIANT: the name of a shipped variant, or a .truco file.

Boxes are phases, arrows the rules that lead from one to another. JSON holds the whole graph; with --core the rules
are printed as text of the rules language, every construct lowered to the core.

\b
Examples:
  truco-spec graph paulista --format svg --output paulista.svg
  truco-spec graph mineiro --option deck=clean --option manilhas=fixed --format dot
  truco-spec graph paulista --phase play
  truco-spec graph house.truco --core

Exit status: 0 all well, 2 the input cannot be used.""",
)
@click.argument("variant", shell_complete=variant_names.variants)
@click.option("--core", is_flag=True, help="Print the rules as text, every construct lowered to the core.")
@option_switches
@click.option("--phase", metavar="PHASE", default="", help="Draw this phase only, with those before and after it.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["dot", "svg", "mermaid", "json"]),
    default="mermaid",
    show_default=True,
    help="The form of the drawing.",
)
@click.option("--output", metavar="FILE", default="", help="Write into FILE, all of it or nothing.")
def command(variant: str, core: bool, options: dict[str, str], phase: str, form: str, output: str) -> None:
    """Print or write the drawing."""
    from truco_spec.cli.common.variants import graph_of

    drawn = graph_of(variant, options)
    from truco_spec.pages.draw import draw

    text = draw(drawn, form, core=core, phase=phase)
    if not output:
        click.echo(text, nl=False)
        return
    from truco_spec.cli.common.file_access import write_text

    write_text(output, text)

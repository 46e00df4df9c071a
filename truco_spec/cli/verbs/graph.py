"""``truco-spec graph``, ``show``: a variant as a picture or as data, and with all that it extends as one text."""

from __future__ import annotations

import click

from truco_spec.cli.arguments import complete_variants, option_switches


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
@click.argument("variant", shell_complete=complete_variants)
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
    from truco_spec.cli.arguments import graph_of

    drawn = graph_of(variant, options)
    from truco_spec.pages.draw import draw

    text = draw(drawn, form, core=core, phase=phase)
    if not output:
        click.echo(text, nl=False)
        return
    from truco_spec.cli.file_access import write_file

    write_file(output, text)


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
@click.argument("variant", shell_complete=complete_variants)
@option_switches
def show_command(variant: str, options: dict[str, str]) -> None:
    """Print the text."""
    from truco_spec.cli.arguments import chain_of
    from truco_spec.pages.draw.rules_text import linked_text

    click.echo(linked_text(chain_of(variant, options), options), nl=False)

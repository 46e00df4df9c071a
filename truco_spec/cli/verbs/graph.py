"""``truco-spec graph``, ``show``, ``build``: a variant as a picture or data, as one text, as a module that plays."""

from __future__ import annotations

from gettext import gettext as _
from itertools import chain
from pathlib import Path

import click

from truco_spec.base.errors import located, reason_of
from truco_spec.base.words import Sentence, say
from truco_spec.cli.arguments import chain_of, complete_variants, graph_of, language_option, option_switches, switches
from truco_spec.cli.file_access import FileError, write_file


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
@language_option
def command(variant: str, core: bool, options: dict[str, str], phase: str, form: str, output: str) -> None:
    drawn = graph_of(variant, options)
    from truco_spec.pages.picture import draw

    text = draw(drawn, form, core=core, phase=phase)
    if not output:
        click.echo(text, nl=False)
        return
    write_file(output, text)


@click.command(
    name="show",
    help="""Print VARIANT (a name, or a .truco file) as one text in the rules language that extends nothing: what it
inherits, replaces, drops, sets and cites more is applied.

Above each statement stands where it comes from. The text is a spec itself, and plays the same game. With --option
the stars of options are at these values, and statements that they rule out are marked. With --lang the sentences are
in that language.

\b
Examples:
  truco-spec show paulista
  truco-spec show mineiro --option deck=clean
  truco-spec show paulista --lang pt
  truco-spec show house.truco > whole.truco

Exit status: 0 all well, 2 the input cannot be used.""",
)
@click.argument("variant", shell_complete=complete_variants)
@option_switches
@language_option
def show_command(variant: str, options: dict[str, str]) -> None:
    from truco_spec.pages.rules_text import linked_text

    click.echo(linked_text(chain_of(variant, options), options), nl=False)


# --------------------------------------------------------------------------------------------------
# ``truco-spec build``: a variant, or all, as files that any program can play.


@click.command(
    name="build",
    help="""Write VARIANT (a name, or a .truco file) as WebAssembly, with a library that plays it, into a folder.

The folder then holds VARIANT.wasm, the rules; VARIANT.json, cards, words and the sentence of each rule in three
languages with its clauses; truco.js, an ES module for Node and browsers, the same for every variant, and its types
truco.d.ts. The number of players is an option as any other. docs/embed.md tells how they are used, also from other
languages. It needs truco-spec[native].

With --all it is every game at hand (in a project: every game of the project), each for every number of players:
VARIANT-PLAYERS.wasm and .json, and variants.json, which lists them.

\b
Examples:
  truco-spec build paulista -o rules
  truco-spec build paulista players=2 deck=clean -o rules
  truco-spec build argentino --npm -o truco-argentino
  truco-spec build --all --npm -o truco-games

Exit status: 0 written; 2 the input cannot be used, or the runtime is missing.""",
)
@click.argument("variant", required=False, shell_complete=complete_variants)
@click.argument("options", metavar="[OPTION=VALUE]...", nargs=-1, callback=switches)
@click.option("--all", "every", is_flag=True, help="All games, in one folder, instead of VARIANT.")
@click.option(
    "-o", "--output", "folder", required=True, metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
    help="The folder; files of these names are replaced.",
)  # fmt: skip
@click.option("--npm", is_flag=True, help="Write package.json too, so that `npm pack` makes a package.")
@language_option
def build_command(variant: str | None, options: dict[str, str], every: bool, folder: Path, npm: bool) -> None:
    from truco_spec.base.paths import Inside
    from truco_spec.base.project import subject_names
    from truco_spec.books.bundle import files_of, files_of_all

    if every == (variant is not None):
        raise click.UsageError(_("Name a VARIANT, with its options, or give --all."))
    files = files_of_all(subject_names(), npm=npm) if variant is None else files_of(graph_of(variant, options), npm=npm)
    first = next(files)  # before the folder is made: whatever is wrong is found here
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(located(folder, Sentence("This folder cannot be made: {why}.", why=reason_of(error)))) from None
    inside = Inside(folder)
    for name, content in chain([first], files):
        inside.put(name, content)
        click.echo(say("{path}  {count} bytes", path=str(folder / name), count=len(content)))

"""``truco-spec build``: a variant, or all, as files that any program can play."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click

from truco_spec.cli.arguments import complete_variants, graph_of, switches


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
def command(variant: str | None, options: dict[str, str], every: bool, folder: Path, npm: bool) -> None:
    """Build and write."""
    from truco_spec.base.paths import Inside
    from truco_spec.base.project import subject_names
    from truco_spec.books.bundle import files_of, files_of_all
    from truco_spec.cli.file_access import FileError

    if every == (variant is not None):
        raise click.UsageError("Name a VARIANT, with its options, or give --all.")
    if every and not subject_names():
        raise click.UsageError("This project has no variants yet.")
    files = files_of_all(subject_names(), npm=npm) if variant is None else files_of(graph_of(variant, options), npm=npm)
    first = next(files)  # before the folder is made: whatever is wrong is found here
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: error: This folder cannot be made: {error.strerror or error}.") from None
    inside = Inside(folder)
    for name, content in chain([first], files):
        inside.put(name, content)
        click.echo(f"{folder / name}  {len(content):,} bytes")

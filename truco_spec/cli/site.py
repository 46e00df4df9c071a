"""``truco-spec site``: all books, clauses, cases and graphs as static pages."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    name="site",
    help="""Write the whole site into a folder: the books of rules of every game in three languages, the clauses of the
sources with the rules that cite and the cases that test them, the corpus with replays, the graphs, the table of all
games, the documentation, the results of implementations, a search.

The pages are static and need no network. A folder that holds a site is brought up to date: pages that this installation
has made already are left as they are.

\b
Examples:
  truco-spec site -o public

Exit status: 0 the site is there, 2 the folder cannot be used.""",
)
@click.option(
    "-o", "--output", "folder", required=True, metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
    help="A new or empty folder, or one that holds the site.",
)  # fmt: skip
def command(folder: Path) -> int:
    """Make the site."""
    from truco_spec.cli.progress import Progress
    from truco_spec.site.build import build
    from truco_spec.site.pages import pages

    wanted = pages()
    with Progress("page", len(wanted)) as progress:
        made, there = build(folder, wanted, progress.step)
    click.echo(f"{folder}: {there} pages, {made} of them made now.")
    return 0

"""``truco-spec site``: all books, clauses, cases and graphs as static pages."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import click


@click.command(
    name="site",
    help="""Write the whole site into a folder: the books of rules of every game in three languages, the clauses of the
sources with the rules that cite and the cases that test them, the corpus with replays, the graphs, the table of all
games, the documentation, the results of implementations, a search.

The pages are static and need no network. A folder that holds a site is brought up to date: what has changed since then
is made anew, with all that rests on it.

\b
Examples:
  truco-spec site -o public

Exit status: 0 the site is there, 2 the folder cannot be used, 130 interrupted; then it goes on where it was.""",
)
@click.option(
    "-o", "--output", "folder", required=True, metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
    help="A new or empty folder, or one that holds the site.",
)  # fmt: skip
def command(folder: Path) -> int:
    """Make the site."""
    from truco_spec.books.site.incremental import build
    from truco_spec.books.site.pages import pages
    from truco_spec.cli.commands import Stopped
    from truco_spec.cli.common.progress import Bar

    wanted = pages()
    bar, begun = Bar(len(wanted)), count()
    try:
        made, there = build(folder, wanted, lambda path: bar.at(next(begun), f"pages: {path}"))
    except (KeyboardInterrupt, Stopped):
        bar.end()
        click.echo(f"{folder}: stopped. What is made is kept, and the same command goes on from there.", err=True)
        raise
    finally:
        bar.end()
    click.echo(f"{folder}: {there} pages, {made} of them made now.")
    return 0

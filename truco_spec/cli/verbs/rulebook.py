"""``truco-spec rulebook``, ``site``: a book for people; all books, clauses, cases and graphs as static pages."""

from __future__ import annotations

import re
from datetime import date
from gettext import gettext as _
from gettext import ngettext
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from truco_spec.base import __version__
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.cli.arguments import FOLDER, complete_variants, form_option, graph_of, options_argument
from truco_spec.cli.file_access import must_be_writable, put, written
from truco_spec.cli.messages import asked_language

if TYPE_CHECKING:
    from truco_spec.books.examples import Example
    from truco_spec.graph.model import Graph


ENDINGS = {".md": "md", ".markdown": "md", ".pdf": "pdf"}
_language_option = click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), callback=asked_language,
    help="Its language (default: that of the project, or en).",
)  # fmt: skip


@click.command(
    name="rulebook",
    help="""Write the book of rules of VARIANT, as it is played with the options given.

Everything in it is worked out from the rules: their sentences and numbers, the ranking and the tables, and the
examples, which are cases of the corpus, played while the book is written. VARIANT is a shipped one or a .truco file.

\b
Examples:
  truco-spec rulebook paulista -o paulista.html
  truco-spec rulebook argentino target=24 players=2 --format md
  truco-spec rulebook uruguayo --lang es -o uruguayo.html
  truco-spec rulebook mineiro --format pdf --size letter -o mineiro.pdf
  truco-spec rulebook paulista --lang pt --examples none -o paulista.pdf
  truco-spec rulebook argentino --lang es --size a3 -o afiche.pdf
  truco-spec rulebook club --order articles --project club -o club.html

PDF is printed by the Chromium or Chrome of this machine.

Exit status: 0 the book is written, 2 there is no such variant, option or language.""",
)
@click.argument("variant", shell_complete=complete_variants)
@options_argument
@_language_option
@form_option("html", "md", "pdf", usual=None, help="Default: what the ending of the file says, else html.")
@click.option(
    "--order", type=click.Choice(["chapters", "articles"]), default="chapters", show_default=True,
    help="By chapters, or by the articles of the project's regulation.",
)  # fmt: skip
@click.option(
    "--size", type=click.Choice(["a4", "letter", "a3"]), default="a4", show_default=True,
    help="The paper it is printed on: the whole book, or on A3 its first page as a poster.",
)  # fmt: skip
@click.option(
    "--examples", "amount", type=click.Choice(["none", "some", "all"]),
    help="How many examples: some are the first of each chapter, in HTML the others are folded and not printed "
    "(default: all in Markdown, else some).",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", default="-", help="Write to this file (default: standard output).")
def command(
    variant: str,
    options: dict[str, str],
    language: str | None,
    form: str | None,
    order: str,
    size: str,
    amount: str | None,
    output: str,
) -> int:
    form = form or ENDINGS.get(Path(output).suffix.lower(), "html")
    from truco_spec.books.book_words import words_in
    from truco_spec.books.render import html_of, markdown_of, pdf_of
    from truco_spec.books.whole import ALL, NONE, SOME, whole_of, with_examples
    from truco_spec.graph.model import HOW_MANY

    must_be_writable(output)
    graph = graph_of(variant, options)
    language = language or _language_of(graph)
    words = words_in(language)

    def seated(players: int) -> Graph:
        return graph_of(variant, {**options, HOW_MANY: str(players)})

    amount = amount or (ALL if form == "md" else SOME)
    found: dict[str, Example] | None = {} if amount == NONE else None
    whole = whole_of(graph, words, options, found, seated=seated, articles=order == "articles")
    if form == "md":
        text = markdown_of(with_examples(whole, amount), words)
    else:
        text = html_of(whole, words, size=size, examples=amount, printed=_printed_now(graph) if form == "pdf" else "")
    put(pdf_of(text) if form == "pdf" else text, output)
    if words.missing:
        many = len(words.missing)
        told = ngettext(
            "1 sentence is not translated: the catalog “{language}” lacks it.",
            "{many} sentences are not translated: the catalog “{language}” lacks them.",
            many,
        )
        click.echo(told.format(language=language, many=many), err=True)
    return 0


def _printed_now(graph: Graph) -> str:
    """The edition and the date that a printed book has on it; a project's has an edition of its own."""
    from truco_spec.base.project import project_of
    from truco_spec.conformance.corpus import edition

    made = f"truco-spec {__version__}" if project_of(graph.name) else f"{edition()} (truco-spec {__version__})"
    return f"{made}, {date.today().isoformat()}"


def _language_of(graph: Graph) -> str:
    """Return the first language of the variant's project; English for a shipped variant."""
    from truco_spec.base.project import project_of

    project = project_of(graph.name)
    return project.manifest.languages[0] if project else ENGLISH


@click.command(
    name="scoresheet",
    help="""Write a score sheet for VARIANT, to print and write on, and behind it a card for the table: the ranking of
the cards, and what the words are worth.

\b
Examples:
  truco-spec scoresheet argentino --lang es -o tanteador.html
  truco-spec scoresheet paulista target=15 --lang pt --size a4 -o tentos.pdf

Exit status: 0 the sheet is written, 2 there is no such variant, option or language.""",
)
@click.argument("variant", shell_complete=complete_variants)
@options_argument
@click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default=ENGLISH,
    show_default=True,
    callback=asked_language,
    help="The language of the sheet.",
)
@click.option(
    "--size", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper it is printed on."
)
@click.option(
    "-o", "--output", metavar="FILE", default="-",
    help="Write to this file: a page, or a PDF if its name ends in .pdf (default: standard output).",
)  # fmt: skip
def scoresheet_command(variant: str, options: dict[str, str], language: str, size: str, output: str) -> int:
    from truco_spec.books.book_words import words_in
    from truco_spec.books.render import pdf_of, scoresheet_of

    must_be_writable(output)
    text = scoresheet_of(graph_of(variant, options), words_in(language), size)
    put(pdf_of(text) if ENDINGS.get(Path(output).suffix.lower()) == "pdf" else text, output)
    return 0


@click.command(
    name="penalties",
    help="""Print the table of penalties of VARIANT: what is punished, under which article, and what it costs.

It is read off the rules: what a forbidden act costs, and what the referee may do.

\b
Examples:
  truco-spec penalties paulista
  truco-spec penalties mineiro --lang pt --format html -o penalidades.html

Exit status: 0 the table is written, 2 there is no such variant, option or language.""",
)
@click.argument("variant", shell_complete=complete_variants)
@options_argument
@_language_option
@form_option("text", "md", "html")
@click.option("-o", "--output", metavar="FILE", default="-", help="Write to this file (default: standard output).")
def penalties_command(variant: str, options: dict[str, str], language: str | None, form: str, output: str) -> int:
    from truco_spec.books.articles import printed_book, table_of_penalties
    from truco_spec.books.book_words import words_in

    must_be_writable(output)
    graph = graph_of(variant, options)
    words = words_in(language or _language_of(graph))
    document = table_of_penalties(printed_book(graph, words), words, listed=form == "text")
    put(written(document, form), output)
    return 0


def _web_address(ctx: click.Context, parameter: click.Parameter, given: str) -> str:
    """An address of the web, with a slash at its end; a click callback."""
    if given and not re.fullmatch(r"https?://[^\s<>\"'#?]+", given):
        told = _("“{given}” is no address such as https://example.org/truco/.")
        raise click.BadParameter(told.format(given=given), ctx, parameter)
    return f"{given.rstrip('/')}/" if given else ""


@click.command(
    name="site",
    help="""Write the whole site into a folder: the books of rules of every game in three languages, the clauses of the
sources with the rules that cite and the cases that test them, the corpus with replays, the graphs, the table of all
games, the documentation, the results of implementations, a search; and “Who is right?”, a page that settles an argument
by taps, if the extra truco-spec[native] is installed.

The pages are static and need no network; “Who is right?” wants to be opened from a server once. A folder that holds a
site is brought up to date: what has changed since then is made anew, with all that rests on it.

\b
Examples:
  truco-spec site -o public
  truco-spec site -o public --address https://example.org/truco/
  npm install pyodide && truco-spec site -o public --pyodide node_modules/pyodide

Exit status: 0 the site is there, 2 the folder cannot be used, 130 interrupted; then it goes on where it was.""",
)
@click.option(
    "-o", "--output", "folder", required=True, metavar="DIR", type=FOLDER,
    help="A new or empty folder, or one that holds the site.",
)  # fmt: skip
@click.option(
    "--pyodide", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The unpacked npm package “pyodide”: the site gets the page on which rules are written and tried.",
)  # fmt: skip
@click.option(
    "--address", metavar="URL", default="", callback=_web_address,
    help="The future address of the site: pages name it, sitemap.xml lists them, and with the extra "
    "truco-spec[pictures] links have preview pictures.",
)  # fmt: skip
def site_command(folder: Path, pyodide: Path | None, address: str) -> int:
    from truco_spec.base.processes import cores
    from truco_spec.books.site.link_previews import made_by
    from truco_spec.books.site.pages import build, pages
    from truco_spec.cli.commands import Stopped
    from truco_spec.cli.messages import Progress

    wanted = pages(pyodide, address)
    begun = count()
    try:
        with Progress(_("pages"), len(wanted)) as progress:
            made, there = build(folder, wanted, lambda path: progress.at(next(begun), path), cores())
    except (KeyboardInterrupt, Stopped):
        stopped = _("{folder}: stopped. What is made is kept, and the same command goes on from there.")
        click.echo(stopped.format(folder=folder), err=True)
        raise
    click.echo(_("{folder}: {there} pages, {made} of them made now.").format(folder=folder, there=there, made=made))
    if address and not made_by():
        click.echo(_("Links have no preview pictures; these need: pip install 'truco-spec[pictures]'"), err=True)
    return 0

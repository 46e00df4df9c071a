"""``truco-spec table``: all variants side by side, question by question."""

from __future__ import annotations

import shutil

import click

from truco_spec.cli.common import variant_names
from truco_spec.cli.common.file_access import must_be_writable, put, written


@click.command(
    name="table",
    help="""What people ask of a game, answered for every variant from its rules.

The questions stand in spec/questions.yaml, or in a FILE of your own; then come all options that none of them asks for.
A star marks an answer that rests on a decision of the spec. Where the terminal is too narrow for a table, each question
is followed by its answers and who gives them. docs/diff.md tells more.

\b
Examples:
  truco-spec table
  truco-spec table --variants paulista,mineiro,nowadays
  truco-spec table --differing --format html -o variants.html

Exit status: 0 all well, 2 the table cannot be made.""",
)
@click.option(
    "--variants", metavar="A,B…", default="", shell_complete=variant_names.variants,
    help="These variants only, in this order. Default: all.",
)  # fmt: skip
@click.option("--differing", is_flag=True, help="Only questions that they answer differently.")
@click.option("--all", "everything", is_flag=True, help="Statements that are said differently, too.")
@click.option("--questions", "path", metavar="FILE", default="", help="Ask the questions of this file.")
@click.option(
    "--format", "form", type=click.Choice(["text", "md", "html"]), default="text", show_default=True,
    help="How it is printed.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write to this file instead of the standard output.")
def command(variants: str, differing: bool, everything: bool, path: str, form: str, output: str | None) -> int:
    """Ask and print."""
    if output is not None:
        must_be_writable(output)
    from truco_spec.cli.common.variants import side_of
    from truco_spec.compare.questions.table import document_of, html_of, questions, table_of
    from truco_spec.graph.link import shipped_names

    names = list(dict.fromkeys(name.strip() for name in variants.split(",") if name.strip())) or shipped_names()
    sides = [side_of(name, {}) for name in names]
    table = table_of(sides, questions(path), differing=differing, everything=everything)
    if form == "html":
        put(html_of(table), output)
    else:
        width = min(shutil.get_terminal_size((100, 24)).columns, 200)
        put(written(document_of(table), form, width), output)
    return 0

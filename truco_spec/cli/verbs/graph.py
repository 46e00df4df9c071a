"""``truco-spec graph``, ``show``, ``build``: a variant as a picture or data, as one text, as a module that plays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from gettext import gettext as _
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from truco_spec.base.words import say, spoken, translated
from truco_spec.cli.arguments import (
    FOLDER,
    chain_of,
    complete_variants,
    form_option,
    graph_of,
    known_name,
    options_argument,
    options_either_way,
)
from truco_spec.cli.file_access import all_or_nothing, must_be_writable, must_take_files, put, written
from truco_spec.cli.messages import language_option

if TYPE_CHECKING:
    from truco_spec.base.document import Block, Text
    from truco_spec.conformance.corpus.protocol import Plays
    from truco_spec.conformance.corpus.vocabulary import SaidWord
    from truco_spec.graph.model import Graph


@click.command(
    name="graph",
    help="""Draw the rule graph of VARIANT: the name of a shipped variant, or a .truco file.

Boxes are phases, arrows the rules that lead from one to another. JSON holds the whole graph; with --core the rules
are printed as text of the rules language, every construct lowered to the core.

\b
Examples:
  truco-spec graph paulista --format svg --output paulista.svg
  truco-spec graph mineiro deck=clean manilhas=fixed --format dot
  truco-spec graph paulista --phase play
  truco-spec graph house.truco --core

Exit status: 0 all well, 2 the input cannot be used.""",
)
@click.argument("variant", shell_complete=complete_variants)
@click.option("--core", is_flag=True, help="Print the rules as text, every construct lowered to the core.")
@options_either_way
@click.option("--phase", metavar="PHASE", default="", help="Draw this phase only, with those before and after it.")
@form_option("dot", "svg", "mermaid", "json", usual="mermaid", help="The format of the drawing.")
@click.option("--output", metavar="FILE", default="-", help="Write to this file (default: standard output).")
@language_option
def command(variant: str, core: bool, options: dict[str, str], phase: str, form: str, output: str) -> None:
    must_be_writable(output)
    drawn = graph_of(variant, options)
    from truco_spec.pages.picture import draw

    put(draw(drawn, form, core=core, phase=phase), output)


@click.command(
    name="show",
    help="""Print VARIANT (a name, or a .truco file) as one text in the rules language that extends nothing: what it
inherits, replaces, drops, sets and cites more is applied.

Above each statement stands where it comes from. The text is a spec itself, and plays the same game. With
options the stars are at these values, and statements that they rule out are marked. With --lang the sentences are in
that language.

\b
Examples:
  truco-spec show paulista
  truco-spec show mineiro deck=clean
  truco-spec show paulista --lang pt
  truco-spec show house.truco > whole.truco

Exit status: 0 all well, 2 the input cannot be used.""",
)
@click.argument("variant", shell_complete=complete_variants)
@options_either_way
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
  truco-spec build paulista players=2 tie-lead=last -o rules
  truco-spec build argentino --npm -o truco-argentino
  truco-spec build --all --npm -o truco-games

Exit status: 0 written; 2 the input cannot be used, or the runtime is missing.""",
)
@click.argument("variant", required=False, shell_complete=complete_variants)
@options_argument
@click.option("--all", "every", is_flag=True, help="All games, in one folder, instead of VARIANT.")
@click.option(
    "-o", "--output", "folder", required=True, metavar="DIR", type=FOLDER,
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
    with all_or_nothing(folder):
        must_take_files(folder)
        inside = Inside(folder)
        for name, content in chain([first], files):
            inside.put(name, content)
            click.echo(say("{path}  {count} bytes", path=str(folder / name), count=len(content)))


# ---- words ------------------------------------------------------------------------------------------


@click.command(
    name="words",
    help="""List what an adapter can claim of VARIANT (a name, or a .truco file). First stands a `hello` to paste and
trim, of one that sets no option; then words, observations and options. With --format hello all options are in it.

A word is listed as `omits` and `itself` call it, with its other forms, and who may say it in which phase. Words are
implicit where they are done without being said. With options the listing is for a variant that is always played so.

\b
Examples:
  truco-spec words paulista
  truco-spec words argentino con-flor=off
  truco-spec words paulista --lang pt
  truco-spec words mineiro --format json
  truco-spec words mineiro --format hello > hello.json

Exit status: 0 all well, 2 the input cannot be used.""",
)
@click.argument("variant", shell_complete=complete_variants)
@options_either_way
@form_option(
    "text", "md", "json", "hello", help="The format of the listing; hello: only the answer to paste, with all options."
)
@language_option
def words_command(variant: str, options: dict[str, str], form: str) -> None:
    from truco_spec.conformance.adapters.reference import Reference
    from truco_spec.graph.model import HOW_MANY

    name = known_name(variant)
    graph = graph_of(variant, options)
    plays = Reference().hello().variants[name]
    always = {option: value for option, value in options.items() if option != HOW_MANY}
    if HOW_MANY in options:
        plays = replace(plays, players=(graph.seats,))
    if form in ("text", "md"):
        click.echo(written(_document(graph, plays, always), form), nl=False)
    else:
        click.echo("\n".join({"json": _data, "hello": _hello}[form](graph, plays, always)))


def _document(graph: Graph, plays: Plays, always: dict[str, str]) -> Iterator[Block]:
    from truco_spec.base.document import Code, Heading, Item, Items, LogBlock
    from truco_spec.conformance.corpus.vocabulary import observed, vocabulary
    from truco_spec.engine.text import told
    from truco_spec.graph.model import HOW_MANY

    words = vocabulary(graph)
    said = [word for word in words if word.said_by and not word.implicit]
    implicit = [word for word in words if word.implicit]
    silent = [word for word in words if not word.said_by and not word.implicit]
    yield Heading(1, (f"{spoken().rules(graph.title)}: ", Code(graph.name)))
    cards = " ".join(card.name for card in graph.cards if card.present)
    yield Items((Item(" ".join(map(str, plays.players)), label=say("players")), Item(Code(cards), label=say("cards"))))
    trim = 'A `hello` to trim (`"omits": ["*"]`: cards only); into `options` go those below that yours can set'
    yield Heading(2, say(trim))
    yield LogBlock("\n".join(_hello(graph, replace(plays, options={}), always)))
    yield from _section(say("Words"), _words(said))
    yield from _section(
        say("Implicit: done where nobody says them (`itself`, if yours deals at once)"), _words(implicit)
    )
    yield from _section(
        say("Said under other options, or never permitted (`omits`, if yours does not have them)"), _words(silent)
    )
    shapes = observed(graph).items()
    yield from _section(
        say("Observations"),
        ((Code(name), translated(shape) if "`" in shape else Code(translated(shape))) for name, shape in shapes),
    )
    options = (
        (Code(o.name), Code(_values(o.values, o.value)), told(graph, o.source.prose))
        for o in graph.options.values()
        if o.name != HOW_MANY
    )
    yield from _section(say("Options: values, with the variant's own in brackets"), options)


def _section(title: str, rows: Iterable[tuple[Text, ...]]) -> Iterator[Block]:
    from truco_spec.base.document import Cell, Grid, Heading

    told = tuple((head, tuple(map(Cell, others))) for head, *others in rows)
    if told:
        yield Heading(2, title)
        yield Grid(("",) * (len(told[0][1]) + 1), told, narrow=True)


def _words(words: Iterable[SaidWord]) -> Iterator[tuple[Text, ...]]:
    from truco_spec.base.document import Code

    for word in words:
        first, *others = word.written
        if word.word != first.split()[0]:
            first, others = word.word or say("a card"), list(word.written)
        said = f"{first} ({', '.join(others)})" if others else first
        yield Code(said), word.meaning, Code("; ".join(word.said_by))


def _values(values: Iterable[str], own: str) -> str:
    return " ".join(f"[{value}]" if value == own else value for value in values)


def _data(graph: Graph, plays: Plays, always: dict[str, str]) -> Iterator[str]:
    import json

    from truco_spec.base.shapes import plain
    from truco_spec.conformance.corpus.vocabulary import claim, observed, vocabulary
    from truco_spec.graph.model import HOW_MANY

    options = [
        {"name": o.name, "values": o.values, "default": o.default, "value": o.value, "meaning": o.source.prose}
        for o in graph.options.values()
        if o.name != HOW_MANY
    ]
    found = {
        "variant": graph.name,
        "title": graph.title,
        "players": plays.players,
        "cards": [card.name for card in graph.cards if card.present],
        "words": plain(vocabulary(graph)),
        "options": options,
        "observations": observed(graph),
        "hello": claim(graph, plays, always),
    }
    yield json.dumps(found, ensure_ascii=False, indent=1)


def _hello(graph: Graph, plays: Plays, always: dict[str, str]) -> Iterator[str]:
    """One line for each key and each option, so that lines can be deleted."""
    from truco_spec.conformance.corpus.vocabulary import claim

    yield from _lines(claim(graph, plays, always), depth=3)


def _lines(value: object, depth: int, before: str = "", after: str = "", indent: str = "") -> Iterator[str]:
    """JSON with mappings expanded down to a depth."""
    import json

    if not (isinstance(value, dict) and value and depth >= 0):
        yield f"{indent}{before}{json.dumps(value, ensure_ascii=False)}{after}"
        return
    yield f"{indent}{before}{{"
    *_, last = value
    for key, inner in value.items():
        comma = "" if key == last else ","
        yield from _lines(inner, depth - 1, f"{json.dumps(key)}: ", comma, indent + "  ")
    yield f"{indent}}}{after}"

"""Updates the catalogs of sentences: ``python -m release.catalogs [LANGUAGE…]``.

Every sentence that a book can print, and the title of every case, becomes a message of
``spec/locales/LANGUAGE/rules.po``, with the names of its statements as a comment; what a clause says, in our words, one
of ``clauses.po``; what the command line says of itself, one of ``commands.po``, which is compiled for gettext.
Translations are kept, and so is their order; if a sentence has changed a little, its translation is marked fuzzy, and
is not used until it is reviewed.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from truco_spec.base import shipped
from truco_spec.base.shipped import ENGLISH, LANGUAGES, variant_names
from truco_spec.base.words import ACT
from truco_spec.books.articles import ARTICLE, AS_ABOVE, AS_SAID, CAPTION, COLUMNS, LEFT, NONE, TITLE
from truco_spec.books.book_words import read_catalog
from truco_spec.books.catalog import Message, reviewed, text_of, told_by, updated
from truco_spec.books.examples import NEXT_HAND, PERMITTED, REFUSED
from truco_spec.books.whole import CAPTIONS
from truco_spec.books.worked_tables import cells_of
from truco_spec.checks.checking import PARTS_OF_A_CHECK
from truco_spec.cli.commands import VERBS, group
from truco_spec.cli.file_access import write_file
from truco_spec.cli.messages import DOMAIN, with_help
from truco_spec.compare.statements import ComparedStatement, statements
from truco_spec.compare.witness_search import PLAYING, SHORTENING
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.links import read_corpus
from truco_spec.graph.load import load
from truco_spec.graph.model import AGREED, NEVER, Graph
from truco_spec.graph.plan import glossary, plan
from truco_spec.graph.sources import registry, sources
from truco_spec.logs.setup import deal_keys

TRANSLATED = tuple(language for language in LANGUAGES if language != ENGLISH)
TEMPLATES = ("book.html", "book.md.jinja", "scoresheet.html")
LICENCE = "# To the extent possible under law, this file is in the public domain (CC0 1.0).\n"


def sentences() -> Iterator[tuple[str, str]]:
    """Every sentence that a book can print, and its statements."""
    yield AGREED, "formula"
    yield LEFT, "articles"
    for told in (TITLE, NONE, AS_SAID, AS_ABOVE, CAPTION, *COLUMNS, ARTICLE):
        yield told, "penalties"
    yield "acting", "what is seen"
    yield "may speak", "what is seen"
    for verdict in (REFUSED, PERMITTED, NEXT_HAND):
        yield verdict, "examples"
    for caption in CAPTIONS:
        yield caption, "pictures of a hand"
    for template in TEMPLATES:
        text = resources.files("truco_spec.books").joinpath(template).read_text(encoding="utf-8")
        parsed = Environment().parse(text)  # noqa: S701 -- nothing is rendered
        for _, _, message in extract_from_ast(parsed, ("_",)):
            if isinstance(message, str):
                yield message, template
    for chapter in plan().chapters:
        yield chapter.title, f"chapter {chapter.key}"
        if chapter.about:
            yield chapter.about, f"chapter {chapter.key}"
    for agreement in plan().agreements:
        yield agreement.title, "agreement"
    for table in plan().tables:
        yield table.title, f"table {table.of}"
        for column in table.columns:
            yield column, f"table {table.of}"
    for source in sources():
        yield registry(source).record.title, f"source {source}"
    for kind in sorted({entry.term.kind for entry in glossary().entries}):
        yield kind, "glossary"
    for name in variant_names():
        graph = load(name)
        if graph.rules and graph.seats:
            yield graph.title, f"variant {name}"
            yield from _of_graph(name)
            for table in plan().tables:
                for cell in cells_of(graph, table):
                    yield cell, f"table {table.of}"


def values() -> Iterator[tuple[str, str]]:
    """Every option value that is a word, with its option; every act, with ``act``: their message contexts."""
    yield from ((act, ACT) for act in plan().acts)
    for name in variant_names():
        graph = load(name)
        if graph.rules and graph.seats:
            for option in graph.options.values():
                for value in option.values:
                    if not value.isdigit():
                        yield value.replace("-", " "), option.name


def titles() -> Iterator[tuple[str, str]]:
    """The titles of all cases, and their cases."""
    yield from ((case.entry.title, f"case {case.id}") for case in corpus.load())


def _of_graph(name: str) -> Iterator[tuple[str, str]]:
    graph = load(name)
    yield from ((one.chapter, f"chapter of {one.kind} {one.name}") for one in _first_of_chapters(graph))
    yield from ((sentence, place) for sentence, place, _ in told_by(graph))
    yield from _about_a_log(graph)
    for define in graph.defines:
        if define.startswith("table."):
            yield define.removeprefix("table.").replace("-", " "), "what is seen"


def _first_of_chapters(graph: Graph) -> Iterator[ComparedStatement]:
    """A statement of each chapter, also of those that no book has."""
    yield from {one.chapter: one for one in reversed([*statements(graph).values()])}.values()


def _about_a_log(graph: Graph) -> Iterator[tuple[str, str]]:
    """What no book prints, but an answer about a log may."""
    for kind, statement, source in graph.cites:
        if source.prose and (kind == "refuse" or statement.startswith(NEVER)):
            yield source.prose, f"{kind} {statement}"
    said = ((f"action {one.name}", one.source) for one in graph.actions.values())
    where = ((f"phase {one.name}", one.source) for one in graph.phases.values())
    answers = ((f"define {answer.name}", answer.source) for one in graph.defines.values() for answer in one.answers)
    rules = ((f"rule {rule.name}", rule.source) for rule in graph.rules.values())
    places = [datum.name for datum in graph.data.values() if datum.type.place]
    yield from ((name.replace("-", " "), "where cards lie") for name in (*places, *deal_keys(graph)))
    yield from ((source.prose, place) for place, source in (*rules, *answers, *said, *where) if source.prose)


def path_of(language: str, name: str = "rules") -> Path:
    """The path of a language's catalog."""
    return shipped.folder("spec") / "locales" / language / f"{name}.po"


def clauses_of(language: str) -> Catalog:
    """The catalog of what sources say, in our words, brought up to date."""
    wanted: dict[Message, list[str]] = {}
    for source in sources():
        for clause in registry(source).clauses.values():
            wanted.setdefault((clause.text, ""), []).append(f"clause {source}:{clause.id}")
        for gap in registry(source).gaps.values():
            wanted.setdefault((gap.question, ""), []).append(f"gap {source}:{gap.id}")
        for option in registry(source).options.values():
            if option.note:
                wanted.setdefault((option.note, ""), []).append(f"option {source}:{option.id}")
    for source, excused in read_corpus().excused.items():
        for each in excused:
            wanted.setdefault((each.excuse.reason, ""), []).append(f"excuse {source}:{each.excuse.id}")
    return updated(_before(path_of(language, "clauses"), language), wanted)


# ---- What the command line says of itself ----------------------------------------------------------

UNMARKED = (
    PLAYING, SHORTENING, "options", "rules", "equal explanations", "options that play settles", "required",
    *PARTS_OF_A_CHECK,
)  # fmt: skip
"""What takes time, and what click says of an option: looked up, and not marked in the code."""
CLICK = ("core", "decorators", "exceptions", "formatting", "parser", "types")
"""The modules of click that say something."""
ASKED = {"_": None, "gettext": None, "ngettext": (1, 2)}
"""How sentences are marked in the code; those of click are, too."""


def messages() -> Iterator[tuple[str | tuple[str, ...], str]]:
    """Every sentence of the help of verbs, and every other one that is marked, click's too: a pair has a plural."""
    told: list[str] = []

    def hear(text: str) -> str:
        told.append(text)
        return text

    ctx = click.Context(group)
    for name, command in ((name, group.get_command(ctx, name)) for name in VERBS):
        assert command is not None
        with_help(command, ctx, hear)
        yield from ((text, name) for text in (VERBS[name], *told))
        told.clear()
    with_help(group, ctx, hear)
    yield from ((text, "help") for text in told)
    yield from ((text, "progress and help") for text in UNMARKED)
    for package, files in (("truco_spec.cli", "**"), *(("click", name) for name in CLICK)):
        folder = str(resources.files(package))
        for file, _, found, _, _ in sorted(extract_from_dir(folder, [(f"{files}.py", "python")], keywords=ASKED)):
            yield found, f"{package}/{file}"


def commands_of(language: str) -> Catalog:
    """The catalog of what the command line says of itself, brought up to date."""
    wanted: dict[tuple[str | tuple[str, ...], str], list[str]] = {}
    for sentence, place in messages():
        places = wanted.setdefault((sentence, ""), [])
        if place not in places:
            places.append(place)
    return updated(_before(path_of(language, DOMAIN), language), wanted)


def compiled(catalog: Catalog) -> bytes:
    """The catalog as gettext reads it, without its date."""
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def compiled_path(language: str) -> Path:
    """Where gettext looks for the compiled catalog of a language."""
    return path_of(language).parent / "LC_MESSAGES" / f"{DOMAIN}.mo"


def _before(path: Path, language: str) -> Catalog:
    return read_catalog(path, language) if path.is_file() else Catalog(locale=language, charset="utf-8")


def catalog_of(language: str) -> Catalog:
    """The catalog of a language, brought up to date."""
    wanted: dict[Message, list[str]] = {}
    for sentence, place in (*sentences(), *titles()):
        wanted.setdefault((sentence, ""), []).append(place)
    for value, option in values():
        wanted.setdefault((value, option), [])
    return updated(_before(path_of(language), language), wanted)


def main(languages: list[str]) -> None:
    """Update the catalogs."""
    for language in languages or TRANSLATED:
        for path, catalog in (
            (path_of(language), catalog_of(language)),
            (path_of(language, "clauses"), clauses_of(language)),
            (path_of(language, DOMAIN), commands_of(language)),
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(str(path), text_of(catalog, LICENCE))
            sys.stdout.write(f"{path}: {reviewed(catalog)} of {len(catalog)} sentences are translated.\n")
        compiled_path(language).parent.mkdir(exist_ok=True)
        write_file(str(compiled_path(language)), compiled(commands_of(language)))


if __name__ == "__main__":
    main(sys.argv[1:])

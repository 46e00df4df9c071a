"""``truco-spec new``, ``translate``: a project of one's own, and its catalogs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from truco_spec.base.errors import TrucoError
from truco_spec.base.paths import led_to
from truco_spec.base.shipped import LANGUAGES
from truco_spec.base.shipped import folder as shipped_folder
from truco_spec.cli.arguments import complete_variants, graph_of
from truco_spec.cli.file_access import all_or_nothing, must_take_files, write_file
from truco_spec.cli.messages import asked_language, counted

if TYPE_CHECKING:
    from truco_spec.base.project import Project
    from truco_spec.conformance.corpus.cases import Instance
    from truco_spec.graph.model import Graph

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_FILES = {
    "truco.yaml": "truco.yaml",
    "README.{language}.md": "README.md",
    "source.yaml": "sources/{name}.yaml",
    "variant.truco": "variants/{name}.truco",
    "cases.yaml": "cases/{name}.yaml",
    "workflow.yml": ".github/workflows/rules.yml",
    "pre-commit.yaml": ".pre-commit-config.yaml",
}
"""The templates in ``cli/new_project``, and the files made of them."""
_ADAPTERS = {
    "python": ("template/adapter.py",),
    "javascript": ("template/adapter.js",),
    "go": ("go/template.go", "go/pipe.go"),
    "java": ("java/Template.java", "java/Pipe.java", "java/Json.java"),
    "typescript": ("typescript/template.ts", "typescript/pipe.ts"),
}
"""The templates of an adapter, by language, in ``conformance/adapters``."""
_EMPTY = ("glossary", "locales")
_HEADINGS = {"en": "First article", "es": "Artículo primero", "pt": "Artigo primeiro"}


class NewProjectError(TrucoError):
    """A project cannot be made here."""


@click.command(
    name="new",
    help="""Make a project in a new or empty folder DIR: rules of your own, beside what is shipped.

It holds a manifest (truco.yaml), a source with its first article, a variant with the rule that the article makes, a
case that tests it, places for translations and terms, and what runs the checks in continuous integration. Every verb
finds all of it when it runs in the folder, or with --project DIR. The name of the folder is that of the variant.

With --adapter the folder gets the template of an adapter in that language instead, with which “truco-spec test” judges
an implementation (docs/implementers.md).

\b
Examples:
  truco-spec new club
  truco-spec new liga-2026 --extends argentino --lang es
  cd club && truco-spec check && truco-spec test
  truco-spec new adapter --adapter go

Exit status: 0 the project or the adapter is there, 2 it cannot be made.""",
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--extends", "base", default="paulista", show_default=True, metavar="VARIANT", shell_complete=complete_variants,
    help="The most similar shipped game.",
)  # fmt: skip
@click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True,
    callback=asked_language, help="The language of its texts.",
)  # fmt: skip
@click.option(
    "--adapter", type=click.Choice(tuple(_ADAPTERS)),
    help="Write the template of an adapter in this programming language, and no project.",
)  # fmt: skip
def new_command(folder: Path, base: str, language: str, adapter: str | None) -> int:
    if adapter is not None:
        return _new_adapter(folder, adapter)
    from truco_spec.base.project import Project
    from truco_spec.graph.link import known_texts
    from truco_spec.graph.sources import sources

    name = led_to(folder).name
    if not _NAME.fullmatch(name):
        told = _(
            "{folder}: error: The folder is named as its variant will be: small letters, figures and single "
            "hyphens, beginning with a letter."
        )
        raise NewProjectError(told.format(folder=folder))
    _must_be_empty(folder)
    if name in (*known_texts(), *sources()):
        told = _("{folder}: error: There is a variant or a source {name} already; name it otherwise.")
        raise NewProjectError(told.format(folder=folder, name=name))
    texts = _texts(name, base, language)
    with all_or_nothing(folder):
        for path, text in texts.items():
            must_take_files((folder / path).parent)
            write_file(str(folder / path), text)
        for empty in _EMPTY:
            must_take_files(folder / empty)
        Project.of(folder).check()
    told = _("{folder}: a project with the variant {name}. Go on there: truco-spec check, test, rulebook {name}.")
    click.echo(told.format(folder=folder, name=name))
    return 0


def _new_adapter(folder: Path, language: str) -> int:
    _must_be_empty(folder)
    templates = [shipped_folder("conformance") / "adapters" / path for path in _ADAPTERS[language]]
    with all_or_nothing(folder):
        must_take_files(folder)
        for template in templates:
            write_file(str(folder / template.name), template.read_text(encoding="utf-8"))
    names = ", ".join(template.name for template in templates)
    told = _(
        "{folder}: {names}. It refuses everything until its five places marked TODO are filled in. "
        "Its first lines say how it is run, “truco-spec words VARIANT” what can stand there."
    )
    click.echo(told.format(folder=folder, names=names))
    return 0


def _must_be_empty(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        raise NewProjectError(_("{folder}: error: This folder is not empty. Name a new one.").format(folder=folder))


@click.command(
    name="translate",
    help="""Bring the catalogs of the project up to date: locales/LANGUAGE/rules.po for each LANGUAGE of truco.yaml but
the first, in which its texts are written.

A sentence of yours that no catalog has becomes a message without a translation, for Poedit or any editor. Translations
are kept, in their order; one whose sentence has changed a little is marked fuzzy. Books print neither fuzzy nor missing
ones: there the sentence stays as it is written.

\b
Examples:
  truco-spec translate
  truco-spec translate pt --project club

Exit status: 0 everything is translated, 1 something is missing or fuzzy, 2 there is no project or no such language.""",
)
@click.argument("languages", metavar="[LANGUAGE]…", nargs=-1)
def translate_command(languages: tuple[str, ...]) -> int:
    """Update the catalogs, and report how much is translated."""
    from truco_spec.base.project import own_projects

    if not own_projects():
        raise NewProjectError(_("There is no project here. “truco-spec new DIR” makes one; --project DIR names one."))
    whole = True
    for project in own_projects():
        others = project.manifest.languages[1:]
        for language in languages:
            if language not in others:
                told = _("“{language}” is not one of the languages to translate to (truco.yaml): {known}.")
                raise NewProjectError(told.format(language=language, known=", ".join(others) or _("none")))
        for language in languages or others:
            whole = _translate(project, language) and whole
    return 0 if whole else 1


def _translate(project: Project, language: str) -> bool:
    """Update one catalog; return whether nothing is missing."""
    from truco_spec.books.catalog import own_catalog, reviewed, text_of

    complete = _has_articles(project, language)
    catalog, path = own_catalog(project, language)
    if not len(catalog):
        click.echo(_("{path}: nothing to translate.").format(path=path))
        return complete
    must_take_files(path.parent)
    write_file(str(path), text_of(catalog))
    told = _("{path}: {done} of {total} sentences are translated.")
    click.echo(told.format(path=path, done=counted(reviewed(catalog)), total=counted(len(catalog))))
    return complete and reviewed(catalog) == len(catalog)


def _has_articles(project: Project, language: str) -> bool:
    """Name the articles that a source has in other languages only; return whether there are none."""
    from truco_spec.graph.sources import registry

    complete = True
    for name, path in project.sources().items():
        articles = registry(name).record.articles
        missing = [a.number for a in articles if any(told and language not in told for told in (a.heading, a.text))]
        if missing:
            complete = False
            told = _("{path}: articles without words in “{language}”: {numbers}.")
            click.echo(told.format(path=path, language=language, numbers=", ".join(missing)))
    return complete


def _texts(name: str, base: str, language: str) -> dict[str, str]:
    """The files of a new project by path. Raises TrucoError for an unknown variant."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from truco_spec.base import __version__
    from truco_spec.language.format import format_text

    known = graph_of(base, {})
    first, sentence = _first_case(base, known, language)
    ((option, value),) = first.options.items()
    named = name.replace("-", " ").title()
    values = {
        "name": name,
        "title": f"{known.title} — {named}",
        "base": base,
        "language": language,
        "languages": dict.fromkeys((language, *LANGUAGES)),
        "option": option,
        "value": value,
        "sentence": sentence,
        "heading": _HEADINGS[language],
        "case": _case(name, first, sentence),
        "version": __version__,
    }
    environment = Environment(  # noqa: S701 -- none of these files is a page
        loader=PackageLoader("truco_spec.cli", "new_project"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )
    environment.filters["tojson"] = partial(json.dumps, ensure_ascii=False)
    made = {
        path.format(name=name): environment.get_template(f"{template.format(language=language)}.jinja").render(values)
        for template, path in _FILES.items()
    }
    return {path: format_text(text, path) if path.endswith(".truco") else text for path, text in made.items()}


def _first_case(base: str, known: Graph, language: str) -> tuple[Instance, str]:
    """Return the example in a new project, and its rule as a sentence: the shortest shipped case of an option that
    brings in a rule; if none does, of any option, with the option and its value.
    """
    from truco_spec.base.shapes import plain
    from truco_spec.books.book_words import words_in
    from truco_spec.conformance.corpus.corpus import load_instances
    from truco_spec.graph.model import HOW_MANY

    found = [i for i in load_instances(base) if len(i.options) == 1 and HOW_MANY not in i.options]
    if not found:
        told = _("{base}: error: No case sets one option of it; extend another variant.")
        raise NewProjectError(told.format(base=base))

    def liking(instance: Instance) -> tuple[object, ...]:
        otherwise_seated = len(instance.players or range(known.seats)) != known.seats
        return otherwise_seated, len(str(plain(instance.case.entry))), instance.name

    found.sort(key=liking)
    of_each: dict[tuple[tuple[str, str], ...], Instance] = {}
    for case in found:
        of_each.setdefault(tuple(case.options.items()), case)
    for first in of_each.values():
        if sentence := _brought_in(base, first.options, language):
            return first, sentence
    ((option, value),), words = found[0].options.items(), words_in(language)
    return found[0], f"{words(known.options[option].source.prose).rstrip('.')}: {words.value(option, value)}"


def _brought_in(base: str, options: Mapping[str, str], language: str) -> str:
    """The sentence of the first rule that only these options have in force, without its full stop."""
    from truco_spec.base.words import speaking
    from truco_spec.books.book_words import words_in
    from truco_spec.cli.messages import spoken_now
    from truco_spec.compare.diff_report import structure
    from truco_spec.compare.scenario import Side
    from truco_spec.compare.statements import ADDED
    from truco_spec.engine.text import plainly
    from truco_spec.graph.model import AGREED

    with speaking(spoken_now(language)):
        _, found = structure(Side(base, {}), Side(base, options))
        new = (one.b.sentence for one in found if one.change == ADDED and one.b is not None and one.b.sentence)
        return plainly(next(new, ""), words_in(language)(AGREED)).removesuffix(".")


def _case(name: str, first: Instance, title: str) -> str:
    """The case as YAML, without the option, which the variant sets."""
    import textwrap

    import yaml

    from truco_spec.base.shapes import plain

    entry: dict[str, Any] = plain(first.case.entry)
    kept = {key: value for key, value in entry.items() if value not in (None, {}, [], "")}
    kept |= {"id": f"{name}-article-1-01", "title": title, "clauses": ["article-1"], "level": "must"}
    if first.players:
        kept["players"] = list(first.players)
    kept = {key: value for key, value in kept.items() if key not in ("options", "decisions", "applies", "note", "mode")}
    if first.case.entry.mode != "strict":
        kept["mode"] = first.case.entry.mode
    text = yaml.safe_dump([kept], sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
    return textwrap.indent(text.rstrip(), "  ")

"""The catalogs of sentences, brought up to date: ordinary gettext files, ``locales/LANGUAGE/rules.po``.

Every sentence that a book can print is a message, with the names of its statements as a comment. Translations are kept,
and so is their order; if a sentence has changed a little, its translation is marked fuzzy, and is not used until it is
reviewed.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from truco_spec.base.project import Project
from truco_spec.base.words import key_of
from truco_spec.books.book_words import read_catalog, words_in
from truco_spec.conformance.corpus.corpus import read_own
from truco_spec.graph.load import load
from truco_spec.graph.model import UNASKED, Graph, Source
from truco_spec.graph.plan import plan
from truco_spec.graph.sources import registry

_WIDTH = 110
_LONGEST_WORD = _LONGEST_COMPARED = 2000
"""Characters of a word, and of a sentence, beyond which a catalog is not wrapped, and no sentence compared with others:
both take the square of it.
"""

Message = tuple[str, str]
"""A sentence, and its context: empty, an option that has it as a value, or ``act``."""


def told_by(graph: Graph) -> Iterator[tuple[str, str, Source]]:
    """Return the sentences of a graph that a book can print: the sentence, its statement, and its place."""
    for kind, statement, source in graph.cites:
        if kind not in ("decision", "set", "order", "refuse") and source.prose and not statement.startswith(UNASKED):
            yield source.prose, f"{kind} {statement}", source
    for decision in graph.decisions.values():
        for sentence in (decision.reading, decision.because, *decision.rather):
            if sentence:
                yield sentence, f"decision {decision.name}", decision.source


def messages_of(project: Project) -> dict[Message, list[str]]:
    """Return the sentences of a project's own texts, each with its statement. Raises TrucoError for texts that do not
    link.
    """
    found: dict[Message, list[str]] = {}

    def add(sentence: str, place: str, context: str = "") -> None:
        places = found.setdefault((sentence, context), [])
        if place not in places:
            places.append(place)

    for name in project.sources():
        add(registry(name).record.title, f"source {name}")
    texts = {str(path) for path in project.texts().values()}
    for name in project.variants:
        graph = load(name)
        if not (graph.rules and graph.seats):
            continue
        add(graph.title, f"variant {name}")
        for sentence, place, source in told_by(graph):
            if source.span.file in texts:
                add(sentence, place)
                chapter = plan().chapter_of(place.partition(" ")[2], source)[0]
                if chapter not in plan().chapters:
                    add(chapter.title, f"chapter {chapter.key}")
        for option in graph.options.values():
            if option.source.span.file in texts:
                for value in option.values:
                    if not value.isdigit():
                        add(value.replace("-", " "), f"option {option.name}", option.name)
    for case in read_own():
        if Path(case.path).is_relative_to(project.root):
            add(case.entry.title, f"case {case.id}")
    return found


def own_catalog(project: Project, language: str) -> tuple[Catalog, Path]:
    """The catalog of a project in a language, brought up to date, and its file. What is shipped already is left out."""
    path = project.root / "locales" / language / "rules.po"
    before = read_catalog(path, language) if path.is_file() else Catalog(locale=language, charset="utf-8")
    held = {(str(m.id), m.context or "") for m in before}
    shipped = words_in(language, projects=1).catalog
    wanted = {
        message: places
        for message, places in messages_of(project).items()
        if message in held or key_of(*message) not in shipped
    }
    return updated(before, wanted), path


def updated(catalog: Catalog, wanted: Mapping[Any, Sequence[str]]) -> Catalog:
    """The catalog with the wanted messages, each with its places as a comment, in the order that it had. A sentence
    with a plural is a pair.

    A new one is a message that changed a little only if an old one is gone; to look for that takes long.
    """
    template = Catalog(project="truco-spec", charset="utf-8")
    before = [(m.id, m.context or "") for m in catalog if m.id]
    for sentence, context in _in_order(wanted, before):
        template.add(sentence, context=context or None, auto_comments=wanted[sentence, context])
    too_long = any(len(str(sentence)) > _LONGEST_COMPARED for sentence, _ in (*wanted, *before))
    catalog.update(template, no_fuzzy_matching=too_long or wanted.keys() >= {*before})
    catalog.obsolete.clear()
    return catalog


def _in_order(wanted: Iterable[Any], before: Iterable[Any]) -> list[Any]:
    """The wanted messages: known ones in the order ``before``, a new one behind the one that it follows."""
    places = {key: place for place, key in enumerate(before)}
    placed: list[tuple[int, bool, Any]] = []
    place = -1
    for key in wanted:
        place = places.get(key, place)
        placed.append((place, key not in places, key))
    return [key for _, _, key in sorted(placed, key=lambda each: each[:2])]


def text_of(catalog: Catalog, licence: str = "") -> bytes:
    """The catalog as text, without its date, so that the output is reproducible.
    ``licence`` is a comment in its head.
    """
    out = io.BytesIO()
    words = (word for message in catalog for text in (message.id, message.string) for word in str(text).split())
    width = _WIDTH if max(map(len, words), default=0) <= _LONGEST_WORD else 0
    write_po(out, catalog, width=width, omit_header=True, sort_output=False)
    head = (
        f"# The sentences of the specs in another language: {catalog.locale}. How to work on it: docs/rulebook.md.\n"
        f"{licence}"
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Language: '
        f'{catalog.locale}\\n"\n\n'
    )
    return head.encode() + out.getvalue().rstrip() + b"\n"


def reviewed(catalog: Catalog) -> int:
    """Return how many of its messages are translated, and reviewed."""
    return sum(bool(message.string) and not message.fuzzy for message in catalog if message.id)

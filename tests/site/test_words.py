"""What stands around the pages, and what commands print for people, is there in every language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import resources
from itertools import chain
from pathlib import Path

import pytest
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from truco_spec.base.project import playable_names
from truco_spec.base.safe_yaml import IN_OUR_WORDS
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.base.words import Sentence
from truco_spec.books.book_words import words_in
from truco_spec.books.site import documents, playground_page
from truco_spec.books.site.home import families
from truco_spec.books.site.page_frame import Addresses, words
from truco_spec.cli.verbs.check import COUNTED
from truco_spec.cli.verbs.trace import FOR_PEOPLE
from truco_spec.compare.diff_report import SHOWN
from truco_spec.compare.disputes.agreement import packs
from truco_spec.compare.disputes.answer import DEPENDS, OPEN, RIGHT, WRONG
from truco_spec.compare.disputes.claim import FORMS, MORE, WHICH
from truco_spec.compare.disputes.playthrough import TOLD, TOLD_OF_NOBODY, TOLD_OF_SEVERAL, VERDICTS
from truco_spec.compare.questions import questions
from truco_spec.compare.reasons import NEVER
from truco_spec.compare.statements import CHANGES, READINGS, SETTINGS
from truco_spec.compare.statements import TOLD as TOLD_AT_THE_TABLE
from truco_spec.conformance.reports.run_document import (
    ALIKE,
    CAUSES,
    DEPARTS,
    FIRST,
    KEPT,
    NEXT_ONLY,
    NOR_ASKED,
    SAYS,
    UNSTEADY,
)
from truco_spec.conformance.runner.verdicts import VERDICTS as OF_CASES
from truco_spec.conformance.trace import KINDS
from truco_spec.engine.text import NO_MORE, NOTHING_MORE, STANDS, whole_sentence
from truco_spec.graph.load import load
from truco_spec.graph.model import OUTSIDERS
from truco_spec.graph.sources import registry, sources
from truco_spec.language.grammar import HINTS, INSTEAD
from truco_spec.language.parse_errors import messages
from truco_spec.logs.replay import UNREACHABLE
from truco_spec.logs.setup import NOT_KNOWN, NOT_WEIGHED
from truco_spec.pages.board import REFEREES
from truco_spec.pages.moments import board
from truco_spec.pages.picture import SHAPES, roles_in

PACKAGES = (
    "truco_spec.books.site", "truco_spec.pages", "truco_spec.compare.disputes", "truco_spec.compare",
    "truco_spec.conformance.reports",
)  # fmt: skip
"""Their templates speak the words of the site."""
PACKAGE = Path(__file__).parents[2] / "truco_spec"
PARTS = {
    "because", "cards", "from the lowest", "number", "players", "rather", "reading", "seen by", "teams", "value",
    "values",
}  # fmt: skip
"""The clauses of statements that are no words of the rules language."""
SAID = {
    "drawn", "Site", "Search", "Clauses", "Docs", "Others", "not offered", "impossible", "The argument",
    "covers", "No such file or directory", "Is a directory", "Permission denied", "gap", "common", "Questions",
    "answered to the request `deal`", "answered to the request `perft`",
    "It plays as though this were no rule", "It plays as though this read otherwise",
    "It plays as though this held in all cases", "It plays as though this never held", "but in its place always",
    "It refuses what this permits",
    "It takes what this does not permit", "What it tells of “{key}” differs from this",
    "What is seen or may be done differs from this", "Of so few cases other causes may explain as much.",
    'A `hello` to trim (`"omits": ["*"]`: cards only); into `options` go those below that yours can set',
    "Causes", "Alike, without a cause", "expected", "got", "advice",
    "taken", "refused", "changed", "legal", "view", "options", "scores", "data to begin with", "cards in a deal",
}  # fmt: skip
"""Words that no template asks for."""


def of_grammar() -> Iterator[str]:
    """What is said where a text of rules cannot be read; examples and single words of the language aside."""
    said = messages()
    yield from (role for tails in said.after.values() for role in tails.values())
    yield from (role for tails in said.comes.values() for role in tails.values())
    yield from said.symbols.values()
    yield from (text for entry in said.missing.values() for text in (entry["message"], entry.get("hint", "")))
    yield from (entry["say"] for entry in said.hints)


TURNED = "{count} {change}"
"""Its holes come in another order in other languages, where the change has no form for several."""


def in_words(text: str) -> bool:
    """Whether anything of it is to be translated: signs, holes and words of the language are not."""
    return text == TURNED or re.search(r"[^\W\d_]", re.sub(r"`[^`]*`|\{\w+\}", "", text)) is not None


TABLES = {
    *(form for forms in COUNTED.values() for form in forms),
    STANDS, NO_MORE, NOTHING_MORE, *(whole_sentence(Sentence(form)) for form in (STANDS, NO_MORE, NOTHING_MORE)),
    *HINTS.values(), *(hint for _, hint in INSTEAD.values()), *(ours for _, ours in IN_OUR_WORDS), *of_grammar(),
    *COUNTED, NOT_WEIGHED, FOR_PEOPLE, *KINDS,
    NOT_KNOWN, UNREACHABLE,
    *VERDICTS.values(), *SAYS.values(), *TOLD.values(), *TOLD_OF_SEVERAL.values(), *TOLD_OF_NOBODY.values(),
    *(form for forms in (*FORMS.values(), *map(dict.values, WHICH.values()), MORE.values()) for form in forms),
    *CHANGES, *SHOWN.values(), NEVER, SETTINGS, TOLD_AT_THE_TABLE, READINGS, *PARTS, UNSTEADY, FIRST,
    *OF_CASES, CAUSES, ALIKE, DEPARTS, *KEPT, RIGHT, WRONG, DEPENDS, OPEN, *(pack.name for pack in packs()),
    NEXT_ONLY, NOR_ASKED,
}  # fmt: skip
"""Sentences that commands look up in a table."""


_SAYING = re.compile(r"^ *from truco_spec.base.words import .*\b(?:say|Sentence)\b", re.MULTILINE)


def said_in_python() -> Iterator[str]:
    """The sentences of ``say("…")`` and ``Sentence("…")``, and of what is called ``form`` before it is said."""
    texts = (path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    saying = [text for text in texts if _SAYING.search(text) or "class Sentence(" in text]
    for node in (node for text in saying for node in ast.walk(ast.parse(text))):
        match node:
            case ast.Call(func=ast.Name("say" | "Sentence"), args=[sentence, *_]):
                yield from sentences(sentence)
            case ast.Assign(targets=[ast.Name("form" | "forms")]):
                yield from sentences(node.value)


def sentences(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(str() as text):
            yield text
        case ast.IfExp():
            yield from (*sentences(node.body), *sentences(node.orelse))
        case ast.Tuple():
            yield from (text for part in node.elts for text in sentences(part))


def drawn() -> Iterator[str]:
    """What a drawing of rules says of its phases."""
    for graph in map(load, playable_names()):
        for phase in graph.phases.values():
            yield from roles_in(graph, phase.source.prose).values()
            if any(datum.fresh == phase.name for datum in graph.data.values()):
                yield from filter(None, (phase.name, phase.within))


def wanted() -> set[str]:
    found = (
        {name for name, _ in Addresses().ways()}
        | SAID
        | {*REFEREES.values(), *board().facts.values(), *TABLES, *said_in_python()}
    )
    found |= {text for family in families() for text in (family.title, family.about, *family.members.values())}
    found |= {text for group in questions("") for text in (group.title, *(one.ask for one in group.questions))}
    found |= {clause.kind for source in sources() for clause in registry(source).clauses.values()}
    found |= {argued.question for argued in documents.arguments(Addresses())}
    found |= {*playground_page.SAID.values(), *SHAPES.values(), *drawn(), *OUTSIDERS}
    for file in chain(*(resources.files(package).iterdir() for package in PACKAGES)):
        if file.name.endswith(".html"):
            tree = Environment().parse(file.read_text(encoding="utf-8"))
            found |= {str(message) for _, _, message in extract_from_ast(tree, ("_",)) if isinstance(message, str)}
    return found


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_every_word_is_there_and_none_is_left_over(language: str) -> None:
    catalog = words_in(language, "site").catalog
    assert set(catalog) == set(filter(in_words, wanted()))
    assert all(catalog.values())


def test_english_needs_none() -> None:
    assert words(ENGLISH)("Search") == "Search"
    assert words("pt")("Search") == "Busca"

"""What stands around the pages is there in every language."""

from __future__ import annotations

from importlib import resources
from itertools import chain

import pytest
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.books.rulebook.book_words import words_in
from truco_spec.books.site import documents, playground
from truco_spec.books.site.home import families
from truco_spec.books.site.page_frame import Addresses, words
from truco_spec.logs.narrative import REMARKS
from truco_spec.pages.board import REFEREES
from truco_spec.pages.moments import board

SAID = {"drawn", "Site", "Search", "Clauses", "Docs", "graph", "Others"}
"""Words that no template asks for."""


def wanted() -> set[str]:
    found = (
        {name for name, _ in Addresses().ways()}
        | SAID
        | {*REMARKS.values(), *REFEREES.values(), *board().facts.values()}
    )
    found |= {text for family in families() for text in (family.title, family.about, *family.members.values())}
    found |= {argued.question for argued in documents.arguments(Addresses())}
    found |= set(playground.SAID.values())
    for file in chain(
        *(resources.files(package).iterdir() for package in ("truco_spec.books.site", "truco_spec.pages"))
    ):
        if file.name.endswith(".html"):
            tree = Environment().parse(file.read_text(encoding="utf-8"))
            found |= {str(message) for _, _, message in extract_from_ast(tree, ("_",)) if isinstance(message, str)}
    return found


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_every_word_is_there_and_none_is_left_over(language: str) -> None:
    catalog = words_in(language, "site").catalog
    assert set(catalog) == wanted()
    assert all(catalog.values())


def test_english_needs_none() -> None:
    assert words(ENGLISH)("Search") == "Search"
    assert words("pt")("Search") == "Busca"

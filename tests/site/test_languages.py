"""A page speaks one language: what is in another says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from one_language import foreign, text_of_page

from truco_spec.base.shipped import ENGLISH, LANGUAGES, variant_names
from truco_spec.books.site.pages import Page
from truco_spec.graph.load import load

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
ALONE = re.compile(r"(index|table|search|who|docs/[\w-]+)\.\w\w\.html")
ALIKE = re.compile(r"(clauses|docs/disputes|docs/logs|atlas|cases|results)/.*\.\w\w\.html")
SAMPLE = 7
"""Of alike pages every seventh is made in the long tests, all in a campaign."""


def of(wanted: list[Page], language: str, every: int) -> list[Page]:
    """The pages in a language, the books aside: they have a test of their own."""
    spoken = [page for page in wanted if page.path.endswith(f".{language}.html")]
    alone = [page for page in spoken if ALONE.fullmatch(page.path)]
    return [*alone, *[page for page in spoken if ALIKE.fullmatch(page.path)][::every]]


def strange(wanted: list[Page], language: str, every: int) -> Iterator[str]:
    graphs = [load(name) for name in variant_names()]
    for page in of(wanted, language, every):
        made = page.make()
        assert isinstance(made, str)
        assert f'<html lang="{language}">' in made
        yield from (f"{page.path}: {found}" for found in foreign(told(page.path, made), language, *graphs))


def told(path: str, page: str) -> str:
    """What the page says; of cases it names the file."""
    return text_of_page(page).replace(path.rpartition("/")[2].partition(".")[0], "")


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
def test_no_page_has_a_word_of_another_language(language: str, wanted: list[Page]) -> None:
    assert list(strange(wanted, language, SAMPLE)) == []


@pytest.mark.campaign
@pytest.mark.parametrize("language", OTHERS)
def test_no_page_at_all_has_a_word_of_another_language(language: str, wanted: list[Page]) -> None:
    assert list(strange(wanted, language, 1)) == []


def test_what_is_in_another_language_says_so() -> None:
    page = '<html lang="pt"><head></head><p aria-label="shuffles">Uma vaza</p><p lang="en">The trick</p></html>'
    assert text_of_page(page).split() == ["shuffles", "Uma", "vaza"]
    assert list(foreign(text_of_page(page), "pt", load("paulista"))) == ["shuffles: shuffles"]

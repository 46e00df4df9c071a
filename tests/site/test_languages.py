"""A page speaks one language: what is in another says so."""

from __future__ import annotations

import posixpath
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
MARKED = re.compile(r'(?s)(?P<tag><(?P<name>\w+)\b[^>]*\blang="\w+"[^>]*>)(?P<text>.*?)</(?P=name)>')
ALTERNATE = re.compile(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]+)">')
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


def said_elsewhere(wanted: list[Page], language: str, every: int) -> Iterator[str]:
    """What a page says is in another language, if it is neither a link to that language nor a quotation."""
    for page in of(wanted, language, every):
        made = str(page.make())
        for found in MARKED.finditer(made.partition("<body>")[2]):
            text = re.sub(r"<[^>]*>", "", found["text"]).strip()
            if "hreflang=" not in found["tag"] and not text.startswith("“"):
                yield f"{page.path}: {text[:100]}"


def told(path: str, page: str) -> str:
    """What the page says; of cases it names the file."""
    return text_of_page(page).replace(path.rpartition("/")[2].partition(".")[0], "")


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
def test_no_page_has_a_word_of_another_language(language: str, wanted: list[Page]) -> None:
    assert list(strange(wanted, language, SAMPLE)) == []


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
def test_nothing_but_links_and_quotations_is_in_another_language(language: str, wanted: list[Page]) -> None:
    assert list(said_elsewhere(wanted, language, SAMPLE)) == []


@pytest.mark.long
def test_a_page_of_three_languages_names_each_itself_too_and_one_for_all_others(wanted: list[Page]) -> None:
    there = {page.path for page in wanted}
    for page in of(wanted, "pt", 3 * SAMPLE):
        made = str(page.make())
        named = {
            code: posixpath.normpath(posixpath.join(posixpath.dirname(page.path), to))
            for code, to in ALTERNATE.findall(made)
        }
        assert list(named) == ["en", "x-default", "pt", "es"], page.path
        assert '<meta name="description"' in made, page.path
        assert named["pt"] == page.path
        assert named["x-default"] == named["en"]
        assert set(named.values()) <= there


@pytest.mark.campaign
@pytest.mark.parametrize("language", OTHERS)
def test_no_page_at_all_has_a_word_of_another_language(language: str, wanted: list[Page]) -> None:
    assert list(strange(wanted, language, 1)) == []


def test_what_is_in_another_language_says_so() -> None:
    page = '<html lang="pt"><head></head><p aria-label="shuffles">Uma vaza</p><p lang="en">The trick</p></html>'
    assert text_of_page(page).split() == ["shuffles", "Uma", "vaza"]
    assert list(foreign(text_of_page(page), "pt", load("paulista"))) == ["shuffles: shuffles"]

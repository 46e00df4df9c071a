"""The first page: every game once, with the one that it extends and its best cards."""

from __future__ import annotations

import re

import pytest

from truco_spec.base.shipped import LANGUAGES, variant_names
from truco_spec.books.site import home
from truco_spec.books.site.page_frame import SiteInputs, rule_words
from truco_spec.graph.load import load
from truco_spec.pages.moments import board


def test_every_shipped_game_has_its_sentence_in_a_family_that_it_extends() -> None:
    said = [name for family in home.families() for name in family.members]
    assert sorted(said) == sorted(variant_names())
    for family in home.families():
        assert all(family.of in load(name).lineage for name in family.members)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_game_that_a_language_knows_best_comes_first_and_each_comes_once(shelf: SiteInputs, language: str) -> None:
    page = home.page_of(shelf, language)
    games = re.findall(rf'<h3><a href="rules/([\w-]+)\.{language}\.html">', page)
    assert games[0] == board().first[language]
    assert sorted(games) == sorted(variant_names())
    extending = page.split('<h3><a href="rules/venezolano.')[1].partition("</li>")[0]
    told = rule_words(language)
    assert f"{told(load('uruguayo').title)}</p>" in extending
    assert told(load("argentino").title) not in extending


def test_the_best_cards_are_those_of_the_ranking(shelf: SiteInputs) -> None:
    page = home.page_of(shelf, "es")
    shown = page.split(">Truco argentino</a>")[1].split("</p>")[0]
    assert re.findall(r'href="#\w+-card-(\w+)"', shown) == ["1E", "1B", "7E", "7O"]


def test_what_a_language_has_is_linked_in_that_language_and_a_source_has_its_author_and_day(shelf: SiteInputs) -> None:
    page = home.page_of(shelf, "pt").partition("<main")[2]
    assert 'href="docs/implementers.pt.html"' in page
    assert 'href="docs/federation.pt.html"' in page
    assert "brenolleite, 2015-02-10" in page


def test_a_playground_is_linked_where_there_is_one(shelf: SiteInputs) -> None:
    assert "playground.html" not in home.page_of(shelf, "en")
    assert 'href="playground.html"' in home.page_of(shelf, "en", "playground.html")

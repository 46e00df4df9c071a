"""A book speaks one language: no word stands in it that only the catalogs of the others have.

What players say (``aceito``, ``quiero``) stays as they say it, names and words of the glossary too.
"""

from __future__ import annotations

import pytest
from one_language import WORD, foreign

from truco_spec.base.shipped import LANGUAGES, variant_names
from truco_spec.base.words import Words
from truco_spec.books.book_words import words_in
from truco_spec.books.render import markdown_of
from truco_spec.books.whole import whole_of
from truco_spec.graph.load import load

GAMES = variant_names()


def book(name: str, language: str) -> str:
    words = words_in(language)
    return markdown_of(whole_of(load(name), words), words)


@pytest.mark.sample(0, long=6)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_no_word_of_another_language_stands_in_a_book(name: str, language: str) -> None:
    assert list(foreign(book(name, language), language, load(name))) == []


def test_a_word_of_another_language_is_noticed() -> None:
    graph = load("paulista")
    assert list(foreign("Ana shuffles.", "pt", graph)) == ["shuffles: Ana shuffles."]
    assert list(foreign("Ana embaralha.", "en", graph)) == ["embaralha: Ana embaralha."]
    assert list(foreign("Ana aceito.", "es", graph)) == []


def test_what_is_done_is_translated_as_a_whole_and_what_is_said_is_not() -> None:
    words = words_in("pt")
    assert words.moves("Ana bad-shuffle, Bia turn up") == "Ana embaralha fora da regra, Bia vira a carta de cima"
    assert words.moves("Ana real-envido, Bia pido flor Ana") == "Ana real envido, Bia pede a flor a Ana"
    assert Words().moves("Ana real-envido") == "Ana real envido"


@pytest.mark.long
def test_players_have_names_of_the_language() -> None:
    assert not {"Bia", "Caio", "Davi"} & {*WORD.findall(book("argentino", "es"))}
    assert "Ana, Bia, Caio, Davi" in book("argentino", "pt")

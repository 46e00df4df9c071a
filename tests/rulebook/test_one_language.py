"""A book speaks one language: no word stands in it that only the catalogs of the others have.

What players say (``aceito``, ``quiero``) stays as they say it, names and words of the glossary too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from release.catalogs import TRANSLATED
from truco_spec.base.glossary import glossary
from truco_spec.base.shipped import LANGUAGES, variant_names
from truco_spec.books.rulebook.book_words import Words, words_in
from truco_spec.books.rulebook.render import markdown_of
from truco_spec.books.rulebook.whole import whole_of
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.pages.cards import letters, pack_of

WORD = re.compile(r"[^\W\d_]{2,}")
NOT_PROSE = re.compile(r"`[^`]*`|<sup>.*?</sup>|<a id=[^>]*>|\]\(#[^)]*\)|\*\*[^*]*\*\*|^- \w+:(?= )", re.MULTILINE)
"""Names of the specs, citations, links, words of the glossary, names of sources."""
NO_WORD = frozenset({"tanto"})
"""Said in a case, and refused, for no game has it."""
GAMES = variant_names()


def words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for text in texts for word in WORD.findall(text))


@cache
def vocabulary(language: str) -> frozenset[str]:
    """The words of a catalog (those of English are what is translated), of the glossary, and on the cards."""
    words = words_in(language if language in TRANSLATED else TRANSLATED[0])
    sentences = words.catalog.values() if language in TRANSLATED else words.catalog
    terms = [entry.term for entry in glossary().entries]
    meanings = [getattr(text, language) for term in terms for text in (term.meaning, term.gesture) if text]
    packs = ({card.name for card in load(name).cards} for name in ("argentino", "mineiro"))
    cards = [called for names in packs for called in letters(names, pack_of(names), language).values()]
    return words_of((*sentences, *meanings, *cards))


def said(graph: Graph) -> frozenset[str]:
    """What can be said, the names of all other actions aside: they are translated."""
    acts = words_in(TRANSLATED[0]).catalog
    return words_of(name.replace("-", " ") for name in (*graph.actions, *graph.words) if f"act\4{name}" not in acts)


def foreign(text: str, language: str, graph: Graph) -> Iterator[str]:
    others = frozenset().union(*(vocabulary(other) for other in LANGUAGES if other != language))
    strange = others - vocabulary(language) - said(graph) - NO_WORD
    for line in NOT_PROSE.sub(" ", text).splitlines():
        yield from (f"{word}: {line}" for word in WORD.findall(line) if word.lower() in strange)


def book(name: str, language: str) -> str:
    words = words_in(language)
    return markdown_of(whole_of(load(name), words), words)


@pytest.mark.sample(0, long=9)
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

"""The catalogs of Portuguese and Spanish: whole, with every placeholder, and true to their formula."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog

from truco_spec.graph.link import shipped_names
from truco_spec.graph.load import load
from truco_spec.rulebook.book import AGREED, book_of
from truco_spec.rulebook.catalog import TRANSLATED, sentences, text_of, titles, updated
from truco_spec.rulebook.locales import words_in

HOLE = re.compile(r"\{[^}]*\}")


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_of_the_specs_is_translated(language: str) -> None:
    catalog = words_in(language).catalog
    assert not [sentence for sentence, _ in sentences() if not catalog.get(sentence)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_and_the_formula_are_kept(language: str) -> None:
    catalog = words_in(language).catalog
    formula = catalog[AGREED]
    for english, translated in catalog.items():
        assert sorted(HOLE.findall(english)) == sorted(HOLE.findall(translated)), english
        assert english.startswith(AGREED) == translated.startswith(formula), english


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("variant", ["mineiro", "uruguayo"])
def test_a_book_lacks_no_sentence(language: str, variant: str) -> None:
    words = words_in(language)
    made = book_of(load(variant, **{"tie-lead": "last"}) if variant == "mineiro" else load(variant), words)
    assert not words.missing
    formula = words(AGREED)
    assert not [e.sentence for s in made.sections for e in s.entries if e.sentence.startswith(formula)]


def test_a_catalog_is_written_the_same_again() -> None:
    catalog = Catalog(locale="pt")
    catalog.add("A card.", "Uma carta.", auto_comments=["rule card"])
    assert text_of(catalog) == text_of(catalog)
    assert b'msgstr "Uma carta."' in text_of(catalog)


@pytest.mark.long
@pytest.mark.parametrize("language", TRANSLATED)
def test_titles_of_examples_are_translated_too_and_nothing_is_in_the_catalog_for_nothing(language: str) -> None:
    catalog = words_in(language).catalog
    wanted = {sentence for sentence, _ in (*sentences(), *titles())}
    assert not [title for title in wanted if not catalog.get(title)]
    assert not catalog.keys() - wanted
    assert {message.id for message in updated(language) if message.id} == wanted
    assert [name for name in shipped_names() if load(name).rules]

"""The catalogs of Portuguese and Spanish: whole, with every placeholder, and true to their formula."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from alarm import alarm
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from release import catalogs
from release.catalogs import LICENCE, TRANSLATED, catalog_of, clauses_of, path_of, sentences, titles, values
from truco_spec.base.project import Project
from truco_spec.base.shipped import variant_names
from truco_spec.base.words import Words, key_of, say, speaking
from truco_spec.books import book_words
from truco_spec.books.book import AGREED, book_of
from truco_spec.books.book_words import joined_in, read_catalog, spoken_in, words_in
from truco_spec.books.catalog import text_of, updated
from truco_spec.books.whole import whole_of
from truco_spec.graph.load import load
from truco_spec.graph.model import OUTSIDERS
from truco_spec.graph.plan import plan
from truco_spec.graph.sources import registry, sources

HOLE = re.compile(r"\{[^}]*\}")


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_of_the_specs_and_every_title_of_a_case_is_translated(language: str) -> None:
    catalog = words_in(language).catalog
    assert not [sentence for sentence, _ in (*sentences(), *titles()) if not catalog.get(sentence)]
    assert not [(option, value) for value, option in values() if not catalog.get(key_of(value, option))]


def clauses() -> set[str]:
    found = [registry(source) for source in sources()]
    return {c.text for each in found for c in each.clauses.values()} | {
        gap.question for each in found for gap in each.gaps.values()
    }


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_clause_and_gap_is_translated_and_keeps_its_cards(language: str) -> None:
    catalog = words_in(language).catalog
    assert not clauses() - catalog.keys()
    assert [text for text in clauses() if cards(text) - cards(catalog[text])] == []


def cards(text: str) -> set[str]:
    """The cards of a text, and its numbers from ten."""
    return set(re.findall(r"\b(?:[A2-7KQJ][CHSD]|1?[0-7][EBOC]|\d\d+)\b", text))


@pytest.mark.long
@pytest.mark.parametrize("language", TRANSLATED)
def test_the_catalogs_are_as_they_would_be_written(language: str) -> None:
    assert text_of(catalog_of(language), LICENCE) == path_of(language).read_bytes()
    assert text_of(clauses_of(language), LICENCE) == path_of(language, "clauses").read_bytes()


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_and_the_formula_are_kept(language: str) -> None:
    catalog = words_in(language).catalog
    formula = catalog[AGREED]
    for english, translated in catalog.items():
        assert sorted(HOLE.findall(english)) == sorted(HOLE.findall(translated)), english
        assert english.startswith(AGREED) == translated.startswith(formula), english


@pytest.mark.sample(1)
@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("variant", ["mineiro", "uruguayo"])
def test_a_book_lacks_no_sentence(language: str, variant: str) -> None:
    words = words_in(language)
    made = book_of(load(variant, **{"tie-lead": "last"}) if variant == "mineiro" else load(variant), words)
    assert not words.missing
    formula = words(AGREED)
    assert not [e.sentence for s in made.sections for e in s.entries if e.sentence.startswith(formula)]


@pytest.mark.long
def test_values_of_options_and_cells_of_tables_are_told_in_the_language_of_the_book() -> None:
    whole = whole_of(load("argentino"), words_in("es"))
    agreed = {option.name: option for option in whole.book.options}
    assert agreed["rotation"].value.told == "derecha"
    assert agreed["rotation"].value.name == "right"
    results = next(table for table in whole.tables["hand"])
    assert results.rows[1] == ("X", "parda", "-", "X")


def test_what_is_done_is_told_in_the_language_of_the_book_and_what_is_said_as_it_is_said() -> None:
    spanish, english = words_in("es"), words_in("en")
    assert spanish.moves("Ana shuffle, Bia deal-to Caio top, Bia no-quiero") == (
        "Ana baraja, Bia da a Caio la de arriba, Bia no quiero"
    )
    assert spanish.moves("Ana 6E, Bia (KC), Caio tengo 33") == "Ana 6E, Bia (KC), Caio tengo 33"
    assert english.moves("Ana shuffle, Bia no-quiero") == "Ana shuffles, Bia no quiero"


def test_every_act_is_a_word_of_some_move() -> None:
    graphs = [load(name) for name in variant_names()]
    actions = [action for graph in graphs for action in graph.actions.values()]
    told = {word for action in actions for written in action.written for word in written.split()}
    told |= {word for action in actions for param in action.params for word in param.type.words}
    assert set(plan().acts) <= told | set(OUTSIDERS)


def test_an_article_grows_together_with_the_word_before_it() -> None:
    spanish, english = words_in("es"), Words()
    assert spanish.joined("los puntos de", "el que pierde") == "los puntos del que pierde"
    assert spanish.joined("va a", "el mano") == "va al mano"
    assert spanish.joined("la", "el mano") == "la el mano"
    assert words_in("pt").joined("por", "o pé") == "pelo pé"
    assert words_in("pt").joined("dá um tento a", "a outra equipe") == "dá um tento à outra equipe"
    assert words_in("pt").joined("em", "as mãos") == "nas mãos"
    assert english.joined("de", "el mano") == "de el mano"


def test_the_name_of_a_player_grows_together_with_nothing() -> None:
    with speaking(spoken_in("pt")):
        assert say("trick to {team}", team="o e de") == "vaza de o e de"
    with speaking(spoken_in("es")):
        assert say("trick to {team}", team="el y a") == "baza de el y a"


HOOKS = {
    "pt": {"a", "antes", "até", "com", "de", "desde", "em", "por", "só", "sempre", "nunca", "é"},
    "es": {"a", "antes", "hasta", "con", "de", "desde", "en", "por", "solo", "siempre", "nunca"},
}
"""Words that want a thing behind them, and no other of them: of two that meet, one belongs to another sentence."""


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_value_of_an_option_continues_the_sentence_in_which_it_stands(language: str) -> None:
    """As “o que falta a {falta-basis}” did not with “com as duas equipes nas malas, …”."""
    catalog = book_words.read_catalog(path_of(language), language)
    graphs = [load(name) for name in variant_names()]
    names = {name for graph in graphs for name in graph.options}
    told = [(str(message.context), str(message.string)) for message in catalog if message.context in names]
    sentences = [str(message.string) for message in catalog if message.id and not message.context]
    torn = [
        f"{before.rpartition('. ')[2]}{value}"
        for option, value in told
        for before in (sentence.partition(f"{{{option}}}")[0] for sentence in sentences if f"{{{option}}}" in sentence)
        if (first := value.split()[0]) in HOOKS[language]
        and before[-1:] == " "
        and (before.split()[-1] in HOOKS[language] or first in before.split()[-3:])
    ]
    assert {option for option, _ in told} & {"falta-basis", "flor-window", "con-flor"}
    assert torn == []


@pytest.mark.long
@pytest.mark.parametrize("language", TRANSLATED)
def test_no_book_has_a_preposition_that_should_have_grown_together_with_an_article(language: str) -> None:
    torn = re.compile(rf"\b(?:{'|'.join(joined_in(language))})\b")
    words = words_in(language)
    for variant in ("argentino", "mineiro", "mineiro-wp"):
        made = book_of(load(variant), words)
        assert not [e.sentence for s in made.sections for e in (*s.entries, *s.otherwise) if torn.search(e.sentence)]


def test_a_catalog_is_written_the_same_again() -> None:
    catalog = Catalog(locale="pt")
    catalog.add("A card.", "Uma carta.", auto_comments=["rule card"])
    assert text_of(catalog) == text_of(catalog)
    assert b'msgstr "Uma carta."' in text_of(catalog)


def test_a_sentence_of_a_million_letters_is_brought_up_to_date_at_once(tmp_path: Path) -> None:
    path, long = tmp_path / "rules.po", "x" * 10**6
    path.write_text(f'msgid "{long}"\nmsgstr "{long}"\n\nmsgid "gone"\nmsgstr "embora"\n', encoding="utf-8")
    with alarm(60):
        catalog = updated(read_catalog(path, "pt"), {(long, ""): ["rule a"], (f"{long} y", ""): ["rule b"]})
        path.write_bytes(text_of(catalog))
    assert [message.string for message in read_catalog(path, "pt") if message.id] == [long, ""]


def test_a_catalog_that_needs_no_change_is_left_as_it_is_and_a_new_sentence_stands_behind_the_one_before_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = [("A card.", "rule card"), ("A hand.", "rule hand")]
    monkeypatch.setattr(catalogs, "sentences", lambda: told)
    monkeypatch.setattr(catalogs, "titles", tuple)
    monkeypatch.setattr(catalogs, "values", lambda: [("off", "flor")])
    monkeypatch.setattr(catalogs, "path_of", lambda language: tmp_path / "rules.po")
    written = Catalog(locale="pt")
    written.add("off", "sem", context="flor")
    written.add("A hand.", "Uma mão.", auto_comments=["rule hand"])
    written.add("A card.", "Uma carta.", auto_comments=["rule card"])
    before = text_of(written)
    (tmp_path / "rules.po").write_bytes(before)
    assert text_of(catalog_of("pt")) == before
    told.insert(1, ("Play it.", "rule play"))
    assert [message.id for message in catalog_of("pt") if message.id] == ["off", "A hand.", "A card.", "Play it."]


def test_a_translation_that_nobody_has_looked_at_is_not_printed_and_counted_as_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The lowest card does not deal because a program guessed so."""
    folder = tmp_path / "locales" / "pt"
    folder.mkdir(parents=True)
    folder.joinpath("rules.po").write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
        '#, fuzzy\nmsgid "The highest card deals."\nmsgstr "A carta mais baixa dá."\n\n'
        'msgid "Example"\nmsgstr "Exemplo"\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(book_words, "at_hand", lambda: (Project(tmp_path),))
    monkeypatch.setattr(book_words, "joined_in", lambda language: {})
    words = words_in("pt")
    assert words("The highest card deals.") == "The highest card deals."
    assert words("Example") == "Exemplo"
    assert list(words.missing) == ["The highest card deals."]


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_waits_to_be_looked_at(language: str) -> None:
    for name in ("rules", "clauses", "site", "commands"):
        with path_of(language, name).open("rb") as file:
            assert not [message.id for message in read_po(file, locale=language) if message.id and message.fuzzy]

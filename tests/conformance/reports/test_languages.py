"""Reports for people in Portuguese and Spanish; those for programs are the same in every language."""

from __future__ import annotations

import re

import pytest
from one_language import foreign

from release.catalogs import TRANSLATED
from truco_spec.base.shipped import folder
from truco_spec.base.words import number, speaking
from truco_spec.books.book_words import spoken_in
from truco_spec.conformance.reports.events import Run, run_in
from truco_spec.conformance.reports.formats import FORMATS, Target
from truco_spec.conformance.reports.run_document import cause_sentence, compared, kept_in_words, story_of, told_apart
from truco_spec.conformance.reports.run_document import comparison_document as matrix_of
from truco_spec.graph.load import load

OURS = re.compile(r"<(?:h2|dt|label|th scope=\"col\"|button type=\"reset\")>([^<]*)")
"""What a page says by itself: headings, names of entries, fields and columns."""


@pytest.fixture(scope="module")
def run() -> Run:
    kept = folder("docs") / "results" / "minitruco.jsonl"
    return run_in(kept.read_text(encoding="utf-8"), kept.name)


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if not form.for_people])
def test_what_programs_read_is_the_same_in_every_language(run: Run, form: str) -> None:
    english = Target(form, "-").text_of(run)
    with speaking(spoken_in("pt")):
        assert Target(form, "-").text_of(run) == english


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_page_says_nothing_by_itself_in_english(run: Run, language: str) -> None:
    with speaking(spoken_in(language)):
        page = Target("html", "-").text_of(run)
    said = OURS.findall(page)
    assert len(said) > 100
    assert list(foreign("\n".join(said), language, load("paulista"))) == []
    assert [*foreign("\n".join(OURS.findall(Target("html", "-").text_of(run))), language, load("paulista"))]


def test_sentences_that_a_run_keeps_are_told_in_the_language_that_is_spoken() -> None:
    kept = "It plays as though this were no rule: “They may play the hand” (onze.play)"
    assert cause_sentence(kept, "paulista") == kept
    with speaking(spoken_in("pt")):
        assert kept_in_words("P1 seis is refused") == "P1 seis não vale"
        assert kept_in_words("it was refused (not-now)") == "foi recusado (not-now)"
        assert kept_in_words("does not play mineiro with 2 players") == "não joga mineiro com 2 jogadores"
        assert kept_in_words("beats the drum") == "beats the drum"
        told = cause_sentence(kept, "paulista")
        assert told.startswith("Joga como se esta regra não existisse: “")
        assert told.endswith(" (onze.play)")
        assert "They may" not in told
        assert "They may" in cause_sentence(kept, "no-such-variant")
        told = cause_sentence(f"{kept}; nor does it ask who may act in onze.run", "paulista")
        assert told.startswith("Joga como se esta regra não existisse: “")
        assert told.endswith(" (onze.play); nem pergunta quem pode agir em onze.run")
    with speaking(spoken_in("es")):
        told = cause_sentence(f"{kept}; only the next player may do it, as in onze.run", "paulista")
        assert told.endswith(" (onze.play); solo el siguiente jugador puede hacerlo, como en onze.run")
        assert cause_sentence("It plays tie-lead=first, not mano", "uruguayo") == "Juega tie-lead=first, no mano"


def test_observations_are_told_in_words_in_every_language() -> None:
    taken = 'it was taken; then: {"acting": ["P0"], "hand": null, "score": {"P0": 1, "P1": 0}, "stake": 2}'
    assert kept_in_words(taken) == "it was taken; then: acting: P0; score: P0 1, P1 0; stake: 2"
    assert kept_in_words('winner: "P0"') == "winner: P0"
    assert kept_in_words("stake: -1") == "stake: -1"
    assert told_apart("trick: null", 'trick: "tie"') == ("trick: –", "trick: tie")
    assert told_apart("stake: 1", 'stake: "1"') == ("stake: 1", 'stake: "1"')
    with speaking(spoken_in("es")):
        assert kept_in_words(taken) == "se admitió; después: le toca a: P0; tanteo: P0 1, P1 0; la mano vale: 2"
        assert kept_in_words("stake: {cut sho…") == "stake: {cut sho…"


def test_the_story_and_the_matrix_of_a_run_are_told_in_the_language_that_is_spoken(run: Run) -> None:
    with speaking(spoken_in("es")):
        assert "Totales" in story_of(run)
        heading, *_ = matrix_of(compared([run, run]))
        assert "Reglas por implementación" in str(heading)


def test_numbers_have_the_marks_of_the_language() -> None:
    assert (number(97804), number(1.5, 1), number(999)) == ("97,804", "1.5", "999")
    for language in TRANSLATED:
        with speaking(spoken_in(language)):
            assert (number(97804), number(1234.5, 1), number(0)) == ("97.804", "1.234,5", "0")


@pytest.mark.parametrize("told", ["1", '{"a"', '{"a": ' + "[" * 900 + "]" * 900 + "}", "[" * 990 + "]" * 990])
def test_what_is_no_observation_is_told_as_it_was_kept(told: str) -> None:
    """A kept report, and what an implementation shows, may hold anything."""
    assert kept_in_words(f"it was taken; then: {told}") == f"it was taken; then: {told}"
    assert kept_in_words(f"score: {told}") == f"score: {told}"
    assert kept_in_words("it was taken; then: [1]") == "it was taken; then: 1"

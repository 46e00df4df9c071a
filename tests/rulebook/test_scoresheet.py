"""A score sheet has room for the points that are played for, and tells what the words are worth."""

from __future__ import annotations

import shutil

import pytest

from truco_spec.base.shipped import LANGUAGES, variant_names
from truco_spec.books.book_words import words_in
from truco_spec.books.render import BROWSERS, figures, pdf_of, scoresheet_of
from truco_spec.graph.load import load


@pytest.mark.parametrize(("points", "halves"), [(12, False), (15, False), (30, True), (24, True), (1, False)])
def test_the_figures_hold_all_points(points: int, halves: bool) -> None:
    found = figures(points, halves=halves)
    assert sum(figure.strokes for figure in found) == found[-1].points == points
    assert [figure.points for figure in found if figure.half] == ([points // 2] if halves else [])
    assert max(figure.strokes for figure in found) <= 5


def test_a_sheet_has_a_column_for_each_team_and_what_the_words_are_worth() -> None:
    text = scoresheet_of(load("argentino"), words_in("es"), "letter")
    assert text.count('aria-label="30"') == 2
    assert "vale cuatro" in text
    assert "size: letter" in text


def test_a_score_is_parted_in_halves_where_it_is_told_so() -> None:
    assert 'class="figure half"' in scoresheet_of(load("argentino"), words_in("es"))
    assert 'class="figure half"' not in scoresheet_of(load("paulista"), words_in("pt"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_a_sheet_and_a_card_in_every_language(language: str) -> None:
    words = words_in(language)
    for name in variant_names():
        sheet = scoresheet_of(load(name), words)
        assert f'lang="{language}"' in sheet and words(load(name).title) in sheet, name
    assert not words.missing


@pytest.mark.long
@pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no Chromium is installed")
def test_the_sheet_is_printed_on_one_page_and_the_card_on_another() -> None:
    printed = pdf_of(scoresheet_of(load("uruguayo"), words_in("es")))
    assert printed.count(b"/Type /Page\n") == 2

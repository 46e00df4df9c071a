"""The page that a book begins with: what it draws and tells is what the rules answer, under any options."""

from __future__ import annotations

import re

import pytest

from truco_spec.base.shipped import LANGUAGES, variant_names
from truco_spec.base.words import Words
from truco_spec.books.book import book_of
from truco_spec.books.book_words import words_in
from truco_spec.books.render import html_of
from truco_spec.books.whole import FirstPage, first_page_of, whole_of
from truco_spec.graph.load import load
from truco_spec.language.diagnostics import SpecError

GAMES = variant_names()
FEWEST, MOST = 300, 450
"""Words of a page, with those of its tables and what is said in its pictures; names at the seats of pictures, letters
of the teams, and numbers are none.
"""


def first(variant: str, words: Words | None = None, **options: str) -> FirstPage:
    words = words or Words()
    return first_page_of(book_of(load(variant, **options), words), words)


def part(page: FirstPage, key: str) -> object:
    return next((each for each in page.parts if each.key == key), None)


def test_what_the_turned_card_makes_is_asked_of_the_rules() -> None:
    made = {each.card: each.made for each in first("paulista").parts[1].turned}
    assert made["5H"] == ("6C", "6H", "6S", "6D")
    assert made["3D"] == ("4C", "4H", "4S", "4D")
    short = {each.card: each.made for each in first("fisch").parts[1].turned}
    assert "5H" not in short
    assert short["3D"] == ("7C", "7H", "7S", "7D")


@pytest.mark.long
def test_the_ranks_stand_unbroken_where_a_turned_card_makes_one_the_best() -> None:
    assert first("paulista").parts[1].about == ("The pack has 40 cards (3 › 2 › A › K › J › Q › 7 › 6 › 5 › 4).",)
    assert "A › K › Q › J › 7" in first("paulista-wp", court_order="queen-above-jack").parts[1].about[0]
    clean = first("mineiro", deck="clean", extra_card="joker").parts[1].about[0]
    assert "(4C › 7H › 7D › JK › 3 › 2 › A › K › J › Q)" in clean


def test_manilhas_that_are_always_the_same_are_marked_and_no_card_is_turned() -> None:
    page = first("mineiro")
    assert page.above == ("4C", "7H", "AS", "7D")
    assert not page.parts[1].turned
    assert part(page, "envido") is None


def test_manilhas_that_a_turned_card_makes_are_marked_as_well() -> None:
    page = first("paulista")
    assert page.above == ("AC", "AH", "AS", "AD")
    assert page.parts[1].tables[0].turned == (("vira", "KC"),)


def test_what_is_not_played_is_not_on_the_page() -> None:
    assert part(first("argentino"), "flor") is not None
    assert part(first("argentino", con_flor="off"), "flor") is None


def test_a_hand_is_counted_card_by_card() -> None:
    told = {name: first(name).parts[5].counted for name in ("argentino", "uruguayo")}
    assert [(each.more, each.total) for each in told["argentino"]] == [("20", "33"), ("20", "25"), ("", "7")]
    assert told["argentino"][0].cards == (("7E", "7"), ("6E", "6"), ("3B", ""))
    assert told["uruguayo"][2].total == "37"
    assert told["uruguayo"][2].cards[0] == ("11O", "30")


def test_the_hand_in_pictures_is_played_by_the_engine() -> None:
    frames = first("paulista").frames
    assert [frame.said for frame in frames if frame.said] == [
        [("Bia", "truco"), ("Caio", "aceito")],
        [("Caio", "seis"), ("Davi", "aceito")],
    ]
    assert frames[-1].caption == "The hand goes to Bia and Davi. Score: Ana and Caio 0, Bia and Davi 6."
    assert [seat.played for seat in frames[-1].seats if seat.best] == ["JC"]
    assert "Ana and Caio 4" in first("uruguayo").frames[-1].caption


def test_a_raise_is_said_as_the_game_calls_it() -> None:
    frames = first("gamelog").frames
    assert [frame.said for frame in frames if frame.said][1] == [("Caio", "truco"), ("Davi", "aceito")]
    assert "6" in frames[-1].caption


def test_where_a_truco_is_a_bet_on_the_trick_it_comes_in_the_last() -> None:
    frames = first("mineiro").frames
    assert [bool(frame.said) for frame in frames] == [False, False, False, True, False]


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_every_game_is_short_and_in_one_language(name: str) -> None:
    for language in LANGUAGES:
        words = words_in(language)
        page = first(name, words)
        assert not words.missing
        html = html_of(whole_of(load(name), words, examples={}), words)
        told = html.partition('<section class="first"')[2].partition("<nav ")[0]
        told = re.sub(r"<[^>]+>", " ", re.sub(r'<span class="side team\d">[^<]*</span>', "", told))
        count = len([word for word in re.findall(r"[^\W\d_]+", told) if word not in ("X", "Y")])
        assert FEWEST <= count <= MOST, (language, count)
        assert len(page.frames) == (5 if name == "mineiro" else 6), language


@pytest.mark.campaign
@pytest.mark.parametrize("name", GAMES)
def test_a_page_comes_about_under_every_value_of_an_option(name: str) -> None:
    for option in load(name).options.values():
        for value in option.values[1:]:
            try:
                page = first(name, None, **{option.name: value})
            except SpecError:  # what the rules refuse together
                continue
            assert page.parts
            assert len(page.frames) in (0, *range(3, 7))

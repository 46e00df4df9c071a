"""The pack: what any option could bring has a name, and what these options bring is in it."""

from __future__ import annotations

import pytest
from tiny import TABLE, told, wrong_with

from truco_spec.graph.load import load, load_text
from truco_spec.graph.model import Graph

PLAIN = "deck pack : rank x suit @decided:tiny"


def deck(parts: str, **options: object) -> Graph:
    text = f'variant v {{ title "V" {TABLE.replace(PLAIN, f"deck pack : rank x suit {parts} @decided:tiny")} }}'
    return load_text(text, "", "<text>", **options)


def names(graph: Graph, present: bool = True) -> str:
    return " ".join(card.name for card in graph.cards if card.present is present)


def test_every_rank_of_every_suit() -> None:
    assert names(deck("")) == "4D 4S 5D 5S 6D 6S AD AS"


def test_a_rank_or_a_card_is_left_out() -> None:
    assert names(deck("without 4 AS;")) == "5D 5S 6D 6S AD"


def test_all_but_some_are_left_out() -> None:
    assert names(deck("without 4 5 but 4D 5S;")) == "4D 5S 6D 6S AD AS"


def test_what_no_option_brings_has_no_name() -> None:
    assert len(deck("without 4;").cards) == 6


def test_what_an_option_leaves_out_keeps_its_name_and_number() -> None:
    red, blue = deck("without 4 when colour is blue;"), deck("without 4 when colour is blue;", colour="blue")
    assert [card.name for card in red.cards] == [card.name for card in blue.cards]
    assert (names(red, False), names(blue, False)) == ("", "4D 4S")


def test_a_card_is_added_with_the_rank_and_suit_of_another() -> None:
    joker = deck("with JK as AS when colour is blue;", colour="blue").cards[-1]
    assert (joker.name, joker.rank, joker.suit, joker.present) == ("JK", 3, 1, True)
    assert not deck("with JK as AS when colour is blue;").cards[-1].present


def test_the_pack_begins_with_all_that_is_present() -> None:
    first = deck("without 4;").data["pack"].first
    assert first is not None and first.value == 0b111111


@pytest.mark.parametrize("parts", ["without 9;", "without 4 but 9D;", "with JK as 9D;"])
def test_a_card_that_is_none_is_refused(parts: str) -> None:
    text = f'variant v {{ title "V" {TABLE.replace(PLAIN, f"deck pack : rank x suit {parts} @decided:tiny")} }}'
    assert next(told(found) for found in wrong_with(text)).endswith("is neither a card nor a rank of this deck")


@pytest.mark.parametrize("when", ["ready", "count-down is 3", "some seat s : s in passed"])
def test_a_deck_is_decided_by_options_alone(when: str) -> None:
    parts = f"deck pack : rank x suit without 4 when {when}; @decided:tiny"
    (found,) = wrong_with(f'variant v {{ title "V" {TABLE.replace(PLAIN, parts)} }}')
    assert told(found) == "only options can decide this: the position is not known yet"


def test_pagat_the_dirty_deck_has_40_cards_and_the_clean_one_27() -> None:
    assert sum(card.present for card in load("mineiro").cards) == 40
    assert sum(card.present for card in load("mineiro", deck="clean").cards) == 27
    assert sum(card.present for card in load("mineiro", extra_card="joker").cards) == 41

"""What a table in Brazil cannot agree on together, and what it can: eight players, packs, the call for the match."""

from __future__ import annotations

import pytest

from truco_spec.graph.load import load
from truco_spec.language.diagnostics import SpecError


@pytest.mark.parametrize(
    ("variant", "options", "message"),
    [
        ("paulista-wp", {"players": "8", "deck": "clean"}, "Eight players get all 24 cards of the clean deck"),
        ("paulista-wp", {"clean_manilhas": "taken-out"}, "only where they are always the same"),
        ("mineiro-wp", {"clean_manilhas": "taken-out"}, "only where they are always the same"),
        ("paulista-wp", {"match_call": "on", "games": "one"}, "only where it has more than one game"),
        ("paulista-wp", {"players": "3"}, "option players has no value 3"),
        ("paulista-wp", {"deck": "p28"}, "option deck has no value p28"),
        ("paulista-wp", {"extra_card": "joker"}, "there is no option extra-card"),
    ],
)
def test_what_cannot_be_played_is_said(variant: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        load(variant, **options)


@pytest.mark.parametrize(
    ("variant", "options", "cards"),
    [
        ("paulista-wp", {"players": "8"}, 40),
        ("paulista-wp", {"players": "6", "deck": "clean"}, 24),
        ("mineiro-wp", {"players": "8", "deck": "clean"}, 27),
        ("mineiro-wp", {"players": "8", "deck": "clean", "clean_manilhas": "taken-out"}, 24),
    ],
)
def test_so_many_cards_are_enough(variant: str, options: dict[str, str], cards: int) -> None:
    graph = load(variant, **options)
    assert sum(card.present for card in graph.cards) == cards
    assert cards >= 3 * graph.seats + (graph.options["manilhas"].value == "vira")


def test_the_manilhas_of_a_short_pack_are_the_ace_of_spades_alone() -> None:
    graph = load("mineiro-wp", deck="clean", clean_manilhas="taken-out")
    left = {card.name for card in graph.cards if card.present}
    assert left & {"4C", "7H", "AS", "7D"} == {"AS"}

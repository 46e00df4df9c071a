"""What two or four players cannot agree on, as used nowadays and after the game log."""

from __future__ import annotations

import pytest

from truco_spec.graph.load import load
from truco_spec.language.diagnostics import SpecError

SEATS = "Two play this game, one against the other; or four, two against two."
PACKETS = "Packets for the mão and a card for the cutter are of Truco Mineiro."


@pytest.mark.parametrize(
    ("variant", "options", "sentence"),
    [
        ("nowadays", {"players": 6}, SEATS),
        ("gamelog", {"players": 6}, SEATS),
        ("nowadays", {"dealing": "packets"}, PACKETS),
        ("nowadays", {"dealing": "cutter-keeps"}, PACKETS),
        ("gamelog", {"dealing": "packets"}, PACKETS),
        ("gamelog", {"scoring": "points"}, "Here a hand begins worth 1."),
        ("gamelog", {"target": 12}, "No call is worth more than the game."),
    ],
)
def test_what_cannot_be_agreed_is_refused(variant: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(SpecError) as caught:
        load(variant, **options)
    assert sentence in [found.message for found in caught.value.diagnostics]


@pytest.mark.parametrize("variant", ["nowadays", "gamelog"])
def test_three_and_five_are_no_number_of_players(variant: str) -> None:
    for players in (1, 3, 5):
        with pytest.raises(SpecError, match=f"option players has no value {players}"):
            load(variant, players=players)


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("nowadays", {"players": 2}),
        ("nowadays", {"players": 4, "dealing": "simplified"}),
        ("gamelog", {"players": 2, "target": 12, "last_stake": 12}),
        ("gamelog", {"players": 4, "last_stake": 12}),
        ("gamelog", {"target": 30}),
    ],
)
def test_the_rest_can_be_agreed(variant: str, options: dict[str, object]) -> None:
    graph = load(variant, **options)
    assert {name: graph.options[name.replace("_", "-")].value for name in options} == {
        name: str(value) for name, value in options.items()
    }

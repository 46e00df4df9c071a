"""The drawings: every card of every shipped pack has its own, and is named in three languages."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from truco_spec.graph.load import load
from truco_spec.pages.cards import pack_of, packs, symbols, title

SVG = "{http://www.w3.org/2000/svg}"


def drawn(names: list[str]) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{symbols(names, pack_of(names))}</svg>')
    return {symbol.attrib["id"]: symbol for symbol in root.iter(f"{SVG}symbol")}


@pytest.mark.parametrize(("variant", "cards"), [("argentino", 40), ("mineiro", 42)])
def test_every_card_has_a_drawing_of_its_own(variant: str, cards: int) -> None:
    names = [card.name for card in load(variant).cards]
    found = drawn(names)
    faces = [ElementTree.tostring(found[f"card-{name}"]) for name in names]
    assert len(set(faces)) == cards
    assert "card-back" in found
    used = {use.attrib["href"][1:] for symbol in found.values() for use in symbol.iter(f"{SVG}use")}
    assert used <= found.keys()


def test_a_card_shows_as_many_pips_as_it_says() -> None:
    found = drawn(["1E", "4C", "7O", "2B"])
    pips = {name: sum(float(use.attrib["width"]) > 11 for use in found[f"card-{name}"].iter(f"{SVG}use")) for name in
            ("1E", "4C", "7O", "2B")}  # fmt: skip
    assert pips == {"1E": 1, "4C": 4, "7O": 7, "2B": 2}


def test_cards_are_named_in_three_languages() -> None:
    names = ["7O", "12C", "1E"]
    pack = pack_of(names)
    assert [title(name, pack) for name in names] == ["7 of coins", "king of cups", "ace of swords"]
    assert title("12C", pack, "pt") == "rei de copas"
    assert title("1E", pack, "es") == "as de espadas"
    assert title("JK", pack_of(["JK", "4H"])) == "joker"
    for each in packs():
        for figure in (*each.suits.values(), *each.ranks.values()):
            assert figure.names.keys() == {"en", "pt", "es"}


def test_a_card_of_no_known_pack_bears_its_name_and_nothing_else_of_it() -> None:
    assert pack_of(["??"]) is None
    assert title("??", None) == "??"
    (text, *_) = drawn(["<b>"])["card-<b>"].iter(f"{SVG}text")
    assert text.text == "<b>"

"""A replay embedded in a page: its moments as compact data for ``cases.js``, and its cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from truco_spec.pages.cards import pack_of, symbols
from truco_spec.pages.moments import Moment


class Embedded:
    """The replays on one page, with one drawing per card."""

    def __init__(self) -> None:
        self._drawn: dict[str, None] = {}

    def replay(self, players: Sequence[str], moments: Iterable[Moment]) -> str:
        """The replay as JSON text."""
        held = [_short(moment, players) for moment in moments]
        self._drawn |= dict.fromkeys(card for _, _, places in held for _, _, cards in places for card, _ in cards)
        return json.dumps({"players": list(players), "moments": held}, ensure_ascii=False, separators=(",", ":"))

    @property
    def symbols(self) -> Markup:
        """The drawings of all its cards."""
        return symbols(self._drawn, pack_of(self._drawn))


_Places = list[tuple[str, int, list[tuple[str, str]]]]


def _short(moment: Moment, players: Sequence[str]) -> tuple[str, str, _Places]:
    """The action, its result and the cards: a label, a seat, each card and who sees it."""
    done = f"{players[moment.seat]} {moment.done}" if moment.number else "the deal"
    places: _Places = []
    for place in moment.places:
        cards = [card for card in place.cards if place.seat >= 0 or card.open]
        if cards:
            seen = [(card.name, "".join("1" if sees else "0" for sees in card.seen)) for card in cards]
            places.append((place.label, place.seat, seen))
    return done, moment.remark, places

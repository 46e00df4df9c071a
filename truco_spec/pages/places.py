"""Where the cards lie at one moment of a game, who sees them, and of which a log tells.

Nothing here knows a game: a pile of one seat is what that seat holds, a slot of one seat is what it has laid, and what
belongs to nobody lies in the middle.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from truco_spec.engine.game import Game
from truco_spec.engine.layout import NONE
from truco_spec.engine.support import BITS
from truco_spec.engine.text import value_text
from truco_spec.engine.view import cards_seen
from truco_spec.graph.model import Datum
from truco_spec.logs.model import Log

_HOURS = 12
"""Seats stand like hours on a clock, which runs backwards: the next is on the right of whoever sits at the bottom."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card where it lies. ``seen`` has for each seat whether it sees the card.

    ``told`` is False where no log says what it is: somebody holds it, and it was dealt by lot.
    """

    name: str
    seen: tuple[bool, ...]
    told: bool = True

    @property
    def open(self) -> bool:
        """Does everyone see it?"""
        return all(self.seen)


@dataclass(frozen=True, slots=True)
class Place:
    """A pile or a slot with its cards. ``seat`` is -1 where it belongs to nobody; ``held``: a pile of one seat."""

    label: str
    seat: int
    held: bool
    cards: tuple[Card, ...]


def seats_around(players: int) -> list[int]:
    """The hour at which each seat stands."""
    return [seat * _HOURS // players for seat in range(players)]


def named_in(log: Log, hand: int) -> frozenset[str]:
    """The words with which a log may name cards of a hand (from 0): those of its deal, its moves and its beginning."""
    words = [word for item in log.start for word in item.value.split()]
    for each in log.hands[hand : hand + 1]:
        words += [card for cards in each.deal.values() for card in cards]
        words += [word.strip("()") for move in each.moves for word in move.words.split()]
    return frozenset(words)


def places_of(game: Game, named: Container[str]) -> Iterator[Place]:
    """Where the cards lie that a game has out of the pack, and in it. ``named`` are those of which a log tells."""
    seats = range(game.graph.seats)
    sees = [cards_seen(game, seat) for seat in seats]
    for block in game.layout.blocks.values():
        if not block.datum.type.place:
            continue
        for index in block.indices():
            value = game.position[block.slot(index)]
            held = BITS[value] if block.datum.type.place == "pile" else (() if value == NONE else (value,))
            cards = tuple(_card(game.graph.cards[card].name, sees, named) for card in held)
            if cards:
                yield _place(game, block.datum, index, cards)


def any_at_a_seat(game: Game) -> bool:
    """Does any player hold or has laid a card?"""
    for block in game.layout.blocks.values():
        kind = block.datum.type.place
        if kind and any(param.type.base == "seat" for param in block.datum.params):
            empty = 0 if kind == "pile" else NONE
            if any(game.position[block.slot(index)] != empty for index in block.indices()):
                return True
    return False


def _card(name: str, sees: Sequence[Container[str]], named: Container[str]) -> Card:
    seen = tuple(name in seeing for seeing in sees)
    return Card(name, seen, name in named or all(seen))


def _place(game: Game, datum: Datum, index: tuple[int, ...], cards: tuple[Card, ...]) -> Place:
    seat, rest = -1, []
    for param, value in zip(datum.params, index, strict=True):
        if param.type.base == "seat" and seat < 0:
            seat = value
        else:
            rest.append(value_text(game.graph, param.type, value, game.players))
    return Place(" ".join([datum.name, *rest]), seat, datum.type.place == "pile" and seat >= 0, cards)

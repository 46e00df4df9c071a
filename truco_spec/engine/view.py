"""What a seat may know: every datum that it sees, and the shape of what it does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truco_spec.engine.layout import NONE, UNSET
from truco_spec.engine.support import BITS, RangeError
from truco_spec.engine.text import value_text
from truco_spec.graph.groups import SEEN
from truco_spec.graph.types import Type, bare

if TYPE_CHECKING:
    from collections.abc import Callable

    from truco_spec.engine.game import Game
    from truco_spec.engine.program import Position


def view(game: Game, seat: int) -> dict[str, object]:
    """Datum -> value, or index -> value where it has one.

    Of a hidden pile only ``{"hidden": number of cards}`` is told, of a hidden slot ``{"hidden": 1}`` or None; other
    hidden data are left out. Cards, words and players are texts, sets are lists.
    """
    found: dict[str, object] = {}
    for name, block in game.layout.blocks.items():
        kind = block.datum.type
        values: dict[str, object] = {}
        for index in block.indices():
            value = game.position[block.slot(index)]
            if sees(game, seat, name, index):
                shown = _shown(game, kind, value)
            elif kind.place:
                count = value.bit_count() if kind.place == "pile" else int(value != NONE)
                shown = {"hidden": count} if count or kind.place == "pile" else None
            else:
                continue
            params = [
                value_text(game.graph, p.type, i, game.players) for p, i in zip(block.datum.params, index, strict=True)
            ]
            values[" ".join(params)] = shown
        if values:
            found[name] = values if block.dims else values[""]
    return found


def sees(game: Game, seat: int, datum: str, index: tuple[int, ...]) -> bool:
    """May this seat see this datum at this index now? Nobody does where that hangs on what is not given yet."""
    ask = game.program.defines.get(datum + SEEN)
    if ask is None:  # an option that a graph leaves open: all have agreed on it
        return True
    return bool(_seers(ask, game.position, index) >> seat & 1)


def _seers(ask: Callable[..., int], position: Position, index: tuple[int, ...]) -> int:
    try:
        return ask(position, *index)
    except (RangeError, IndexError, ValueError):
        return 0


def cards_seen(game: Game, seat: int) -> set[str]:
    """The cards that a seat sees anywhere: where they lie, or in what it remembers of cards shown to it."""
    layout, position, defines = game.layout, game.position, game.program.defines
    found = 0
    for slot, many in layout.of_cards.items():
        held = position[slot] if many else (1 << position[slot] if position[slot] > NONE else 0)
        if held & ~found and _seers(defines[layout.names[slot] + SEEN], position, layout.indices[slot]) >> seat & 1:
            found |= held
    return {game.graph.cards[card].name for card in BITS[found]}


def _shown(game: Game, kind: Type, value: int) -> object:
    if value == UNSET:
        return None
    if kind.many:
        single = bare(Type(kind.base, kind.low, kind.high, kind.name))
        return [value_text(game.graph, single, bit + kind.low, game.players) for bit in BITS[value]]
    if value == NONE:
        return None
    if kind.base == "flag" and value > NONE:
        return bool(value)
    if kind.base == "number" and value > NONE:
        return int(value)
    return value_text(game.graph, kind, value, game.players)

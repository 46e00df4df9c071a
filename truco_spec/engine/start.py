"""How a game begins: who plays it, and which data have other first values than the rules give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from truco_spec.engine.layout import Layout
from truco_spec.errors import TrucoError
from truco_spec.graph.model import Graph


def named(players: Sequence[str] | int | None, graph: Graph) -> tuple[str, ...]:
    """The names of the players, in the order of play; P0, P1 … where none are given. Raises TrucoError."""
    if players is None or isinstance(players, int):
        if isinstance(players, int) and players != graph.seats:
            raise TrucoError(f"{graph.name} is linked for {graph.seats} players, not {players}: give it as an option")
        return tuple(f"P{i}" for i in range(graph.seats))
    found = tuple(players)
    if len(found) != graph.seats:
        raise TrucoError(f"{graph.name} is played here by {graph.seats}, and {len(found)} players are named")
    if len(set(found)) != len(found):
        raise TrucoError("two players have the same name")
    return found


def begin_with(layout: Layout, position: list[int], name: str, value: object) -> None:
    """Give a datum that lasts another first value, or values by index. Raises TrucoError for what it cannot be."""
    graph = layout.graph
    block = layout.blocks.get(name)
    if block is None or block.datum.type.place or block.datum.fresh:
        lasting = [n for n, d in graph.data.items() if not d.fresh and not d.type.place]
        raise TrucoError(f"a game cannot begin with {name}; it can with {', '.join(lasting)}")
    given = value if isinstance(value, Mapping) else {(): value}
    for index, number in given.items():
        where = index if isinstance(index, tuple) else (index,)
        kind = block.datum.type
        if not isinstance(number, int) or not (
            kind.low <= number <= kind.high or number in [graph.words[w] for w in kind.words]
        ):
            raise TrucoError(f"{name} cannot begin as {number}: it is {kind}")
        try:
            position[block.slot(where)] = number
        except (IndexError, ValueError, TypeError):
            raise TrucoError(f"{name} has no place {index}") from None

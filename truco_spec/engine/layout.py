"""The memory layout of a position: one flat list of small integers.

====================  ================================================================
slots                 hold
====================  ================================================================
0 .. DEPTH-1          the stack of phases, the one on top first; -1 where there is none
data, one block each  the value for every index, the last index running fastest
the last ``cards``    for each card the slot of the pile or slot that it lies in
====================  ================================================================

A pile is a mask of cards; a slot holds a card or ``none``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence
from truco_spec.graph.model import OUTSIDERS, Datum, Expr, Graph, indices
from truco_spec.graph.types import FIRST_WORD, Type
from truco_spec.graph.walk import data_read

DEPTH = 4
"""Maximum depth of the phase stack; the checks prove that it suffices."""

UNSET = -9999
"""The value of an unset datum."""

NONE = FIRST_WORD


def unset(kind: Type) -> int:
    """The value of a datum before its scope opens: no for a flag, the empty set, otherwise unset."""
    return 0 if kind.many or (kind.base == "flag" and not kind.words) else UNSET


@dataclass(frozen=True, slots=True)
class Block:
    """The slots of one datum: the first slot, and for each index its lowest value, size and stride."""

    datum: Datum
    base: int
    dims: tuple[tuple[int, int, int], ...]
    count: int

    def slot(self, index: tuple[int, ...]) -> int:
        """The slot of the datum at an index. Raises IndexError for an index out of range."""
        at = self.base
        for value, (low, size, stride) in zip(index, self.dims, strict=True):
            if not low <= value < low + size:
                raise IndexError(Sentence("{name} has no place {value}", name=self.datum.name, value=value))
            at += (value - low) * stride
        return at

    def indices(self) -> list[tuple[int, ...]]:
        """Every index, in the order of the slots."""
        return indices(self.datum.params)


class Layout:
    """The layout of a graph's positions."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.phases = list(graph.phases)
        self.number = {name: i for i, name in enumerate(self.phases)}
        self.blocks: dict[str, Block] = {}
        at = DEPTH
        for name, datum in graph.data.items():
            dims: list[tuple[int, int, int]] = []
            stride = 1
            for param in reversed(datum.params):
                dims.append((param.type.low, param.type.size, stride))
                stride *= param.type.size
            self.blocks[name] = Block(datum, at, tuple(reversed(dims)), stride)
            at += stride
        self.cards_at = at
        self.size = at + len(graph.cards)
        self.place_of: dict[int, tuple[str, tuple[int, ...]]] = {}
        self.of_cards: dict[int, bool] = {}
        """The slots that hold or remember cards, each with whether it holds many."""
        self.is_pile = [False] * self.size
        self.low = [0] * self.size
        self.high = [0] * self.size
        self.names = [""] * self.size
        self.indices: list[tuple[int, ...]] = [()] * self.size
        for name, block in self.blocks.items():
            kind = block.datum.type
            for slot, index in enumerate(block.indices(), block.base):
                self.indices[slot] = index
                self.low[slot], self.high[slot] = kind.low, kind.high
                self.names[slot] = name
                if kind.place:
                    self.place_of[slot] = (name, index)
                    self.is_pile[slot] = kind.place == "pile"
                if kind.base == "card":
                    self.of_cards[slot] = kind.many
        self.evaluators: dict[int, tuple[Expr, Any]] = {}
        """The functions of expressions by their identity (:func:`truco_spec.engine.evaluate.function_of`)."""
        self.askers: dict[str, Any] = {}
        """The parameters and answers of questions (:meth:`truco_spec.engine.evaluate.Evaluator.ask`)."""
        self.ground = {name for name, phase in graph.phases.items() if not phase.interrupts}
        self.scopes = self._scopes()
        self._resets: dict[str, tuple[str, ...]] = {}

    def kind(self, slot: int) -> Type:
        """The type of the value in a slot."""
        return self.graph.data[self.names[slot]].type

    def _scopes(self) -> dict[str, tuple[str, ...]]:
        """Map each phase to the phases whose data are initialised on entry: itself and the phases within it."""
        fresh = {datum.fresh for datum in self.graph.data.values() if datum.fresh}
        found: dict[str, tuple[str, ...]] = {}
        for name in self.graph.phases:
            inside = tuple(other for other in fresh if self.graph.lies_within(other, name))
            if inside:
                found[name] = tuple(sorted(inside, key=self.number.__getitem__))
        return found

    def resets(self, phase: str) -> tuple[str, ...]:
        """The data initialised when the phase is entered, in topological order; memoised."""
        found = self._resets.get(phase)
        if found is None:
            scopes = self.scopes.get(phase, ())
            wanted = [name for name, datum in self.graph.data.items() if datum.fresh and datum.fresh in scopes]
            found = self._resets[phase] = self.ordered(wanted)
        return found

    def ordered(self, wanted: list[str]) -> tuple[str, ...]:
        """The data in topological order: no initial value reads a later datum."""
        result: list[str] = []
        state: dict[str, int] = {}

        def visit(name: str) -> None:
            if state.get(name):
                return
            state[name] = 1
            first: Expr | None = self.graph.data[name].first
            for other in sorted(data_read(self.graph, [first] if first is not None else [])):
                if other in wanted_set:
                    visit(other)
            result.append(name)

        wanted_set = set(wanted)
        for name in wanted:
            visit(name)
        return tuple(result)


class Noted(list[int]):
    """A position that records which slots are read, except by copying; copies record too."""

    read: set[int]

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int:
            self.read.add(key)
        elif key != slice(None):
            self.read.update(range(*key.indices(len(self))))
        return list.__getitem__(self, key)

    def copy(self) -> Noted:
        found = Noted(self)
        found.read = self.read
        return found


# --------------------------------------------------------------------------------------------------
# The start of a game: its players, and data with other initial values than the rules give them.


def named(players: Sequence[str] | int | None, graph: Graph) -> tuple[str, ...]:
    """The players' names, in the order of play; P0, P1 … by default. Raises TrucoError."""
    if players is None or isinstance(players, int):
        if isinstance(players, int) and players != graph.seats:
            raise TrucoError(
                Sentence(
                    "{game} is linked for {seats} players, not {players}: give it as an option",
                    game=graph.name,
                    seats=graph.seats,
                    players=players,
                )
            )
        return tuple(f"P{i}" for i in range(graph.seats))
    found = tuple(players)
    if len(found) != graph.seats:
        raise TrucoError(
            Sentence(
                "{game} is played here by {seats}, and {count} players are named",
                game=graph.name,
                seats=graph.seats,
                count=len(found),
            )
        )
    if len(set(found)) != len(found):
        raise TrucoError(Sentence("two players have the same name"))
    for name in found:
        if str(name).split() != [name] or name in OUTSIDERS:
            raise TrucoError(
                Sentence(
                    "{name} is no name for a player: it is one word, and none of {words}",
                    name=repr(name)[:80],
                    words=OUTSIDERS,
                )
            )
    return found


def begin_with(layout: Layout, position: list[int], start: Mapping[str, object]) -> None:
    """Override the initial values of data, or their values by index. Raises TrucoError for an invalid value."""
    for name, value in start.items():
        _begin_with(layout, position, name, value)


def _begin_with(layout: Layout, position: list[int], name: str, value: object) -> None:
    graph = layout.graph
    block = layout.blocks.get(name)
    if block is None or block.datum.type.place or block.datum.fresh:
        lasting = [n for n, d in graph.data.items() if not d.fresh and not d.type.place]
        raise TrucoError(
            Sentence("a game cannot begin with {name}; it can with {lasting}", name=name, lasting=tuple(lasting))
        )
    given = value if isinstance(value, Mapping) else {(): value}
    for index, number in given.items():
        where = index if isinstance(index, tuple) else (index,)
        kind = block.datum.type
        if not isinstance(number, int) or not (
            kind.low <= number <= kind.high or number in [graph.words[w] for w in kind.words]
        ):
            raise TrucoError(
                Sentence("{name} cannot begin as {number}: it is {kind}", name=name, number=number, kind=kind)
            )
        try:
            position[block.slot(where)] = number
        except (IndexError, ValueError, TypeError):
            raise TrucoError(Sentence("{name} has no place {index}", name=name, index=index)) from None

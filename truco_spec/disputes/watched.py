"""A game that notes which open options its rules ask, so that what they did not ask need not be tried."""

from __future__ import annotations

from typing import Any

from truco_spec.engine.game import Game, program_of
from truco_spec.engine.program import Position
from truco_spec.graph.model import Graph
from truco_spec.graph.unsettled import is_open


class _Noted(list[int]):
    """A position whose slots are noted when they are read. To copy it is no reading; the copy notes likewise."""

    read: set[int]

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int:
            self.read.add(key)
        elif key != slice(None):
            self.read.update(range(*key.indices(len(self))))
        return list.__getitem__(self, key)

    def copy(self) -> _Noted:
        found = _Noted(self)
        found.read = self.read
        return found


class Watch:
    """What the games made by :attr:`game` have asked, together."""

    def __init__(self) -> None:
        self.read: set[int] = set()
        read = self.read

        class Watched(Game):
            """A game whose readings are noted."""

            def _blank(self) -> Position:
                position = _Noted(super()._blank())
                position.read = read
                return position

        self.game: type[Game] = Watched

    def asked(self, graph: Graph) -> tuple[str, ...]:
        """The open options that were asked, in their order."""
        blocks = program_of(graph).layout.blocks
        return tuple(name for name in graph.options if is_open(graph, name) and blocks[name].base in self.read)

"""Writes how a scope begins: its data get their first values, and its cards go back to the pack."""

from __future__ import annotations

from truco_spec.engine.layout import DEPTH, Layout, unset
from truco_spec.engine.python import Source
from truco_spec.graph.walk import data_read

FEW = 24
"""So few slots are noted one by one, whether they change or not."""


class OpeningWriter:
    """Writes the openings of scopes, and the beginning of everything."""

    def __init__(self, layout: Layout, expr: Source) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.expr = expr

    def opening(self, phase: str) -> list[str]:
        """Lines that open the scope of a phase and note in ``back`` what they replace."""
        names = self.layout.resets(phase)
        slots = self._slots(names)
        places = [name for name in names if self.graph.data[name].type.place]
        lines = self._first_values(phase, names, places)
        if not slots:
            return []
        if not places and len(slots) <= FEW:
            return [f"back += ({', '.join(f'{i}, v[{i}]' for i in slots)},)", *lines]
        noted = ["now = v[:]", "for i, old in enumerate(before):", "  if now[i] != old: back += (i, old)"]
        return ["before = v[:]", *lines, *noted]

    def beginning(self) -> list[str]:
        """Lines that fill a position before anything has happened."""
        lines = [f"v[{i}] = -1" for i in range(DEPTH)]
        for name in self.layout.ordered([name for name in self.graph.data if name != self.graph.pack]):
            lines += self._first(name, waits=True)
        pack = self.layout.blocks.get(self.graph.pack)
        if pack is not None:
            at, count = self.layout.cards_at, len(self.graph.cards)
            lines += [f"v[{pack.base}] = {self.expr.full}", f"v[{at}:{at + count}] = [{pack.base}] * {count}"]
        return lines

    def _slots(self, names: tuple[str, ...] | list[str]) -> list[int]:
        blocks = [self.layout.blocks[name] for name in names]
        return [slot for block in blocks for slot in range(block.base, block.base + block.count)]

    def _first_values(self, phase: str, names: tuple[str, ...], places: list[str]) -> list[str]:
        """All cards in these places go back to the pack; then each datum gets its first value.

        A datum of a scope within this one whose first value has to be worked out waits unset until its own scope opens.
        """
        lines = []
        pack = self.layout.blocks.get(self.graph.pack)
        if pack is not None and places:
            slots, at, count = self._slots(places), self.layout.cards_at, len(self.graph.cards)
            if all(slot in slots for slot in self.layout.place_of if slot != pack.base):
                lines += [f"v[{pack.base}] = {self.expr.full}", f"v[{at}:{at + count}] = [{pack.base}] * {count}"]
            else:
                lines += [
                    f"m = v[{pack.base}]",
                    f"for c in BITS[{self.expr.full} & ~m]:",
                    f"  if v[c + {at}] in {{{', '.join(map(str, slots))}}}:",
                    f"    v[c + {at}] = {pack.base}; m |= 1 << c",
                    f"v[{pack.base}] = m",
                ]
        for name in names:
            lines += self._first(name, waits=self.graph.data[name].fresh != phase)
        return lines

    def _first(self, name: str, waits: bool) -> list[str]:
        block = self.layout.blocks[name]
        first = block.datum.first
        if first is None or first.op == "const" or (waits and data_read(self.graph, [first])):
            value = first.value if first is not None and first.op == "const" else unset(block.datum.type)
            if block.count == 1:
                return [f"v[{block.base}] = {value}"]
            return [f"v[{block.base}:{block.base + block.count}] = [{value}] * {block.count}"]
        lines = []
        for index in block.indices():
            env = {p.name: str(i) for p, i in zip(block.datum.params, index, strict=True)}
            lines.append(f"v[{block.slot(index)}] = {self.expr.text(first, env)}")
        return lines

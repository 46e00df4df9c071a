"""Graphs as bytes. What a graph has in common with another of its variant is not written again: it is that one's.

Under two agreements of one variant nearly all is the same: every rule that no option of theirs speaks of. So only one
of them is kept whole, and of each of the others what differs, some thirtieth of it; both are then read sooner.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator, Mapping
from typing import Any

from truco_spec.graph.model import Graph

MAPPINGS = (
    "options",
    "data",
    "phases",
    "actions",
    "defines",
    "tables",
    "effects",
    "rules",
    "decisions",
    "refusals",
)
"""The fields of a graph that hold its things by name."""
SEQUENCES = ("cards", "cites", "vanished")

Place = tuple[str, Any]
"""Where a thing stands: the field, and its name or number in it. The whole field where that is None."""


def written(graph: Graph, base: Graph | None = None) -> bytes:
    """The graph as bytes, without what ``base`` has in common with it."""
    found = io.BytesIO()
    _Writer(found, {} if base is None else _common(graph, base)).dump(graph)
    return found.getvalue()


def read(text: bytes, base: Graph | None = None) -> object:
    """What :func:`written` wrote, with the same ``base``. Raises whatever pickle raises for other bytes."""
    return _Reader(io.BytesIO(text), base).load()


class _Writer(pickle.Pickler):
    """``common`` are the places in the base of what need not be written, by identity."""

    def __init__(self, file: io.BytesIO, common: Mapping[int, Place]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.common = common

    def persistent_id(self, thing: object) -> Place | None:
        return self.common.get(id(thing))


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, base: Graph | None) -> None:
        super().__init__(file)
        self.base = base

    def persistent_load(self, place: Place) -> object:
        field = getattr(self.base, place[0])
        if place[1] is not None:
            return field[place[1]]
        return field.copy() if isinstance(field, dict) else field


def _common(graph: Graph, base: Graph) -> dict[int, Place]:
    """What need not be written, by identity: places in the base where the same stands, spans and all."""
    found: dict[int, Place] = {}
    for name in (*MAPPINGS, *SEQUENCES):
        of_base = [(at, thing, _bytes(thing)) for at, thing in _things(getattr(base, name))]
        known = {text: (name, at) for at, _, text in of_base}
        own = [(at, thing, _bytes(thing)) for at, thing in _things(getattr(graph, name))]
        if own and [(at, text) for at, _, text in own] == [(at, text) for at, _, text in of_base]:
            found[id(getattr(graph, name))] = (name, None)
        found |= {id(thing): known[text] for _, thing, text in own if text in known}
    return found


def _things(field: Mapping[str, object] | tuple[object, ...]) -> Iterator[tuple[Any, object]]:
    return iter(field.items() if isinstance(field, Mapping) else enumerate(field))


def _bytes(thing: object) -> bytes:
    return pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)

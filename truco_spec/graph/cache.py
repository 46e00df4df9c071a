"""Caches linked graphs between runs.

They are kept on a :class:`~truco_spec.base.user_cache.Shelf`. A name holds a digest of all inputs: the shipped texts,
this package, the Python that runs it, the variant and its options. A graph may be stored as a delta to another of its
variant.
"""

from __future__ import annotations

import hashlib
import io
import marshal
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

from truco_spec.base.memo import by_identity
from truco_spec.base.user_cache import Records, Shelf, installation
from truco_spec.graph.model import Graph

CODE = ".code"
"""Suffix of a graph's name for its compiled module."""

MADE_BY = ("base", "language", "graph", "engine")
"""The parts of this package that affect a graph."""

SHELF = Shelf("graphs", 2400)


def name_of(variant: str, options: Iterable[tuple[str, str]]) -> str:
    """The cache key of a graph."""
    return hashlib.sha256(installation(MADE_BY) + repr((variant, tuple(options))).encode()).hexdigest()


Options = tuple[tuple[str, str], ...]


def fetch(name: str, other: Callable[[Options], Graph] | None = None) -> Graph | None:
    """The cached graph, or None. ``other`` returns the graph of the same variant under other options."""
    kept: Any = SHELF.take(name)
    try:
        base, content = kept
        found = read(content, None if base is None or other is None else other(base))
    except Exception:  # noqa: BLE001  (whatever is wrong with a kept file: it is as good as none)
        return None
    return found if isinstance(found, Graph) else None


def keep(name: str, graph: Graph, options: Options | None = None, base: Graph | None = None) -> None:
    """Cache a graph, as a delta to ``base``, the graph under these ``options``; a failure is ignored."""
    SHELF.put(name, (options, written(graph, base)))


def fetch_code(name: str) -> CodeType | None:
    """The cached compiled module of a graph, or None."""
    text = SHELF.read(name + CODE)
    if text is None:
        return None
    try:
        found = marshal.loads(text)  # noqa: S302  (only this user can have written it: it was kept with its key)
    except (ValueError, EOFError, TypeError):
        return None
    return found if isinstance(found, CodeType) else None


def keep_code(name: str, code: CodeType) -> None:
    """Cache the compiled module of a graph; a failure is ignored."""
    SHELF.write(name + CODE, marshal.dumps(code))


# --------------------------------------------------------------------------------------------------
# Serialisation of graphs. Parts shared with another graph of the variant are stored as references to it.

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
"""The fields of a graph that map names to parts."""
SEQUENCES = ("cards", "cites", "vanished")
MOST_KEPT = 32
"""Maximum graphs whose serialised parts are memoised."""

Place = tuple[str, Any]
"""The place of a part: the field, and its name or number in it, or None for the whole field."""


def written(graph: Graph, base: Graph | None = None) -> bytes:
    """Serialise the graph without the parts it shares with ``base``."""
    if base is None:
        return pickle.dumps(graph, pickle.HIGHEST_PROTOCOL)
    found = io.BytesIO()
    _Writer(found, _common(graph, base)).dump(graph)
    return found.getvalue()


def read(text: bytes, base: Graph | None = None) -> object:
    """Deserialise the output of :func:`written`, given the same ``base``. Raises as pickle does for other bytes."""
    return _Reader(io.BytesIO(text), base).load()


class _Writer(pickle.Pickler):
    """``common`` maps shared parts, by identity, to their places in the base."""

    def __init__(self, file: io.BytesIO, common: Mapping[int, Place]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.common = common

    def persistent_id(self, thing: object) -> Place | None:
        return self.common.get(id(thing))


class _Reader(Records):
    def __init__(self, file: io.BytesIO, base: Graph | None) -> None:
        super().__init__(file)
        self.base = base

    def persistent_load(self, place: Place) -> object:
        field = getattr(self.base, place[0])
        if place[1] is not None:
            return field[place[1]]
        return field.copy() if isinstance(field, dict) else field


def _common(graph: Graph, base: Graph) -> dict[int, Place]:
    """Map shared parts, by identity, to their places in the base; equal including spans."""
    found: dict[int, Place] = {}
    for name, (in_order, places) in _parts_of(base).items():
        field = getattr(graph, name)
        own = [(at, _bytes(thing), thing) for at, thing in _things(field)]
        if own and [(at, text) for at, text, _ in own] == in_order:
            found[id(field)] = (name, None)
        found |= {id(thing): (name, places[text]) for _, text, thing in own if text in places}
    return found


_Parts = dict[str, tuple[list[tuple[Any, bytes]], dict[bytes, Any]]]


@by_identity(MOST_KEPT)
def _parts_of(base: Graph) -> _Parts:
    """The serialised parts of a graph by field, in order, and their places; memoised."""
    found: _Parts = {}
    for name in (*MAPPINGS, *SEQUENCES):
        in_order = [(at, _bytes(thing)) for at, thing in _things(getattr(base, name))]
        found[name] = in_order, {text: at for at, text in in_order}
    return found


def _things(field: Mapping[str, object] | tuple[object, ...]) -> Iterator[tuple[Any, object]]:
    return iter(field.items() if isinstance(field, Mapping) else enumerate(field))


def _bytes(thing: object) -> bytes:
    return pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)

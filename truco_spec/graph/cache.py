"""Linked graphs kept between runs, so that a variant that did not change is not linked again.

They are kept on a :class:`~truco_spec.user_cache.Shelf`. A name holds a digest of everything that the graph depends on:
the shipped texts, this package, the Python that runs it, the variant and its options. A graph may be kept as what is
different from another of its variant (:mod:`truco_spec.graph.alike`).
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from truco_spec.graph import alike
from truco_spec.graph.model import Graph
from truco_spec.user_cache import Shelf, installation

CODE = ".code"
"""Behind the name of a graph: its compiled module."""

MADE_BY = ("language", "graph", "graph/lower", "engine")
"""The parts of this package that make a graph."""

SHELF = Shelf("graphs", 2400)


def name_of(variant: str, options: Iterable[tuple[str, str]]) -> str:
    """The name under which a graph is kept."""
    return hashlib.sha256(installation(MADE_BY) + repr((variant, tuple(options))).encode()).hexdigest()


Options = tuple[tuple[str, str], ...]


def fetch(name: str, other: Callable[[Options], Graph] | None = None) -> Graph | None:
    """The graph kept under a name, or None. ``other`` gives the graph of the same variant under other options."""
    kept: Any = SHELF.take(name)
    try:
        base, content = kept
        found = alike.read(content, None if base is None or other is None else other(base))
    except Exception:  # noqa: BLE001  (whatever is wrong with a kept file: it is as good as none)
        return None
    return found if isinstance(found, Graph) else None


def keep(name: str, graph: Graph, options: Options | None = None, base: Graph | None = None) -> None:
    """Keep a graph, if that can be done: as what is different from ``base``, the graph under these ``options``."""
    SHELF.put(name, (options, alike.written(graph, base)))


def fetch_code(name: str) -> CodeType | None:
    """The compiled module of the graph kept under a name, or None."""
    text = SHELF.read(name + CODE)
    if text is None:
        return None
    try:
        found = marshal.loads(text)  # noqa: S302  (only this user can have written it: it was kept with its key)
    except (ValueError, EOFError, TypeError):
        return None
    return found if isinstance(found, CodeType) else None


def keep_code(name: str, code: CodeType) -> None:
    """Keep the compiled module of a graph, if that can be done."""
    SHELF.write(name + CODE, marshal.dumps(code))

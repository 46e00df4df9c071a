"""A graph with open options: each is a datum, set at the start of a game.

Linking under fixed options folds them, which is fast to play, but every other setting must be linked again. Here the
switches stay in the rules, so that one graph plays under any setting, and the options read in a game can be recorded.
Some options cannot stay open: those that bound a range, make the pack or seat the players are settled when the graph is
built.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial

from truco_spec.base.shipped import is_file
from truco_spec.graph import cache
from truco_spec.graph.load import load_file
from truco_spec.graph.model import Graph

OPEN = ("open", "options")
"""The part of a cached graph's name in addition to its options."""
REFUSED = "refused."
"""Prefix of a refusal: the question whether it applies."""
SETTLED = "settled."
"""Prefix of a settled option: a datum that only refusals read."""


@lru_cache(maxsize=64)
def _load(name: str, settled: tuple[tuple[str, str], ...]) -> Graph:
    if is_file(name):
        return _load_file(name, dict(settled))
    place = cache.name_of(name, (*settled, OPEN))
    found = cache.fetch(place, partial(_load, name))
    if found is None:
        from truco_spec.graph.linking.open_build import unsettled  # a cached graph needs no building

        found = unsettled(name, dict(settled))
        cache.keep(place, found, () if settled else None, _load(name, ()) if settled else None)
    found.module = cache.fetch_code(place)
    found.keep = partial(cache.keep_code, place)
    return found


def load_unsettled(name: str, settled: Mapping[str, str] | None = None) -> Graph:
    """Return the cached graph of a shipped variant with its options open, except those ``settled``.

    A name that ends in ``.truco`` or holds a ``/`` is a file, whose last variant is used; its graph is not cached.
    Raises :class:`truco_spec.language.diagnostics.SpecError` for an unknown variant, option or value.
    """
    return _load(name, tuple(sorted((settled or {}).items())))


def is_open(graph: Graph, option: str) -> bool:
    """Whether the graph leaves this option open."""
    return option in graph.options and option in graph.data


def _load_file(path: str, settled: dict[str, str]) -> Graph:
    """Build the graph of the last variant in a file. Raises SpecError, also for one too large to play."""
    from truco_spec.graph.linking.open_build import unsettled
    from truco_spec.language.read import read_file

    file = read_file(path)
    load_file(path, "", **settled)
    return unsettled(file.variants[-1].name, settled, [file])

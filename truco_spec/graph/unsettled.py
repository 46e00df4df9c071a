"""A graph whose options are still open: each is a datum, and a game says with which values it begins.

Linking under one agreement leaves only what that agreement says: quick to play, but every other agreement has to be
linked anew. Here the switches stay in the rules, so that one graph plays under any of them, and a game can be watched
for those that it asks. Some options cannot stay open: those that bound a range, make the pack or seat the players are
settled when the graph is made (:mod:`truco_spec.graph.unsettle`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial

from truco_spec.graph import cache
from truco_spec.graph.model import Graph
from truco_spec.shipped import is_file

OPEN = ("open", "options")
"""What stands beside the options in the name of a kept graph."""
REFUSED = "refused."
"""Before the name of a refusal: the question whether it applies."""
SETTLED = "settled."
"""Before the name of an option that is not open: the datum that only refusals read."""


@lru_cache(maxsize=64)
def _load(name: str, settled: tuple[tuple[str, str], ...]) -> Graph:
    if is_file(name):
        from truco_spec.graph.unsettle import unsettled_file

        return unsettled_file(name, dict(settled))
    place = cache.name_of(name, (*settled, OPEN))
    found = cache.fetch(place, partial(_load, name))
    if found is None:
        # Building is imported when something is built: a kept graph needs none of it.
        from truco_spec.graph.unsettle import unsettled

        found = unsettled(name, dict(settled))
        cache.keep(place, found, () if settled else None, _load(name, ()) if settled else None)
    found.module = cache.fetch_code(place)
    found.keep = partial(cache.keep_code, place)
    return found


def load_unsettled(name: str, settled: Mapping[str, str] | None = None) -> Graph:
    """The graph of a shipped variant with its options open, kept like others; ``settled`` are those that are not.

    A name that ends in ``.truco`` or holds a ``/`` is a file, whose last variant is meant; its graph is not kept.
    Raises :class:`truco_spec.language.diagnostics.SpecError` for an unknown variant, option or value.
    """
    return _load(name, tuple(sorted((settled or {}).items())))


def is_open(graph: Graph, option: str) -> bool:
    """Does the graph leave this option open?"""
    return option in graph.options and option in graph.data

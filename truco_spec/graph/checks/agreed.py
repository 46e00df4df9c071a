"""Collisions, and who may see what is read, under any agreement, and not only under that of the variant as it stands.

**Proved**: what :mod:`~truco_spec.graph.checks.collisions` and :mod:`~truco_spec.graph.checks.sight` prove, with every
option open that can be (:mod:`truco_spec.graph.unsettle`): so under every pair of options, and under all of them at
once, save for what a ``refuse`` rules out. **How**: the open options are data of which the search knows nothing. First
without the bounds of the other data, which is quick and settles nearly all; what is left can be searched again within
them. Options that bound a range, make the pack or seat the players have to be settled: :func:`settlings` lists how.
**Witness**: the options, and the rest of the position.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from truco_spec.graph.checks import collisions, sight
from truco_spec.graph.checks.study import Study
from truco_spec.graph.checks.variant import Variant
from truco_spec.graph.model import Graph
from truco_spec.graph.ruled_out import values_of
from truco_spec.graph.unsettle import OpenBuilder, settled_first
from truco_spec.language.diagnostics import SpecError

_BUDGET = 8_000
"""More sets of positions than elsewhere: every open option is one thing more to split on."""


def settlings(variant: Variant, *, pairs: bool = False) -> Iterator[dict[str, str]]:
    """How the options that cannot stay open are settled: as they stand; with ``pairs``, any two of them otherwise."""
    yield {}
    options = variant.options()
    settled = sorted(settled_first(variant.chain.items.values(), options)) if pairs else []
    choices = [[(name, value) for value in values_of(options[name])] for name in settled]
    for one, other in itertools.combinations(choices, 2):
        yield from (dict(pair) for pair in itertools.product(one, other))


def open_graph(variant: Variant, settled: Mapping[str, str]) -> Graph | None:
    """The variant with its options open; None where these settled ones exclude each other."""
    try:
        return OpenBuilder(variant.chain, {**variant.set_options, **settled}).graph()
    except SpecError:
        return None


def examine_open(graph: Graph, *, whole: bool = False) -> Study:
    """The collisions and the reads of hidden data of a graph with open options; what is not ruled out are its doubts.

    ``whole``: what the quick search leaves is searched for within the bounds of all data, which takes far longer.
    """
    quick = Study(graph, budget=_BUDGET, bounded=False)
    collisions.check(quick)
    sight.check(quick)
    return _within_bounds(graph, quick) if whole and quick.doubts else quick


def _within_bounds(graph: Graph, quick: Study) -> Study:
    study = Study(graph)
    for doubt in quick.doubts:
        study.doubt(doubt.diagnostic, doubt.conditions, doubt.tops, doubt.moment, doubt.names)
    return study


__all__ = ["examine_open", "open_graph", "settlings"]

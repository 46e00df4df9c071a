"""All checks of a variant: static checks of its graph, and play, which confirms doubts.

* What the static checks report is certain.
* A doubt (a fault that they could not rule out) is an **error** if play met it, with the moves that lead
  there; else a **note**.
* A fault found by play alone (a conflict, a value out of range, a dead end) is an error as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from truco_spec.checks import Doubt, collisions, examine, in_order, shipped_variant, sight, variant_in
from truco_spec.checks.explore import Exploration, PlayFault, explore
from truco_spec.checks.reach.study import Study
from truco_spec.checks.variant import Variant
from truco_spec.checks.ways import final_phases
from truco_spec.graph.link import shipped_variants
from truco_spec.graph.linking.names import values_of
from truco_spec.graph.linking.open_build import OpenBuilder, settled_first
from truco_spec.graph.model import Graph, Source
from truco_spec.language.diagnostics import Diagnostic, SpecError
from truco_spec.language.tree import NOWHERE, Span

MOVES = 12_000
"""Moves played per variant."""


def check_variant(
    name_or_path: str | Path,
    progress: Callable[[str], None] | None = None,
    moves: int = MOVES,
    *,
    pairs: bool = False,
    **options: str,
) -> list[Diagnostic]:
    """Check a shipped variant or the (last) variant in a file; return the findings, the worst first.

    ``progress`` is called with the current check; ``pairs`` is that of :func:`check_linked`. Raises
    :class:`truco_spec.language.diagnostics.SpecError` for a text that cannot be read or linked.
    """
    name = str(name_or_path)
    shipped = name in shipped_variants()
    variant = shipped_variant(name, options) if shipped else variant_in(name_or_path, "", options)
    return check_linked(variant, progress, moves, pairs=pairs)


def check_linked(
    variant: Variant | Graph,
    progress: Callable[[str], None] | None = None,
    moves: int = MOVES,
    *,
    pairs: bool = False,
) -> list[Diagnostic]:
    """As :func:`check_variant`, for a linked variant.

    Collisions are searched for under all other options too, and a third as many moves played under random options; with
    ``pairs`` also under any two other values of the options that cannot stay open, which takes minutes.
    """
    study = examine(variant, progress)
    if progress is not None:
        progress("play")
    played = explore(study.graph, set(final_phases(study)), moves)
    found = [*study.findings, *_judged(study, played)]
    if isinstance(variant, Variant):
        if progress is not None:
            progress("other options")
        for settled in settlings(variant, pairs=pairs):
            graph = open_graph(variant, settled)
            if graph is None:
                continue
            others = examine_open(graph, whole=pairs)
            elsewhere = explore(graph, set(final_phases(others)), moves // 3)
            new = {key: fault for key, fault in elsewhere.faults.items() if key not in played.faults}
            played.faults |= new
            known = {d.message for d in found}
            judged = _judged(others, Exploration(new))
            told = [d for d in judged if d.severity == "error" or d.message not in known]
            found += [replace(d, hint=_settled_so(settled) + d.hint) for d in told]
    return in_order(found)


def _settled_so(settled: Mapping[str, str]) -> str:
    return f"with {' '.join(f'{name}={value}' for name, value in settled.items())}: " if settled else ""


def _judged(study: Study, played: Exploration) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    told: set[int] = set()
    faults = list(played.faults.values())
    for doubt in study.doubts:
        meeting = [i for i, fault in enumerate(faults) if _meets(doubt, fault)]
        if meeting:
            told.update(meeting)
            how = f"it happens: {faults[meeting[0]].text()}"
            found.append(replace(doubt.diagnostic, hint=f"{how}\n{doubt.diagnostic.hint}".strip()))
        else:
            found.append(doubt.note(study.words(doubt.answer.partial)))
    found += [_told(study.graph, fault) for i, fault in enumerate(faults) if i not in told]
    return found


def _meets(doubt: Doubt, fault: PlayFault) -> bool:
    """Whether a fault met in play confirms this doubt."""
    if fault.kind == "leak":
        here = not doubt.tops or fault.phase in doubt.tops
        return doubt.diagnostic.code == "hidden" and here and bool(doubt.names & fault.names)
    if doubt.moment == "circle":
        return fault.kind == "circle" and fault.names <= doubt.names
    if fault.kind != "error" or (doubt.tops and doubt.moment == "action" and fault.phase not in doubt.tops):
        return False
    return bool(doubt.names) and doubt.names <= fault.names


def _told(graph: Graph, fault: PlayFault) -> Diagnostic:
    places = [source for name in sorted(fault.names) if (source := _source(graph, name)) is not None]
    code = {"error": "play", "dead-end": "dead-end", "circle": "endless", "leak": "leak"}[fault.kind]
    severity = "warning" if fault.kind == "leak" else "error"
    span: Span = NOWHERE
    if places:
        span = places[0].span
    elif fault.phase in graph.phases:
        span = graph.phases[fault.phase].source.span
    notes = tuple(("this too", source.span) for source in places[1:4])
    return Diagnostic(severity, code, fault.message, span, f"it happens: {fault.text()}", notes)


def _source(graph: Graph, name: str) -> Source | None:
    if name in graph.rules:
        return graph.rules[name].source
    for define in graph.defines.values():
        for answer in define.answers:
            if answer.name == name:
                return answer.source
    if name in graph.effects:
        return graph.effects[name].turns[0].source
    return graph.data[name].source if name in graph.data else None


# --------------------------------------------------------------------------------------------------
# Collisions, and visibility of reads, under any options rather than only the variant's own.

_BUDGET = 8_000
"""A larger search budget than elsewhere: every open option is another datum to split on."""


def settlings(variant: Variant, *, pairs: bool = False) -> Iterator[dict[str, str]]:
    """Settings of the options that cannot stay open: the present ones; with ``pairs``, also any two others."""
    yield {}
    options = variant.options()
    settled = sorted(settled_first(variant.chain.items.values(), options)) if pairs else []
    choices = [[(name, value) for value in values_of(options[name])] for name in settled]
    for one, other in itertools.combinations(choices, 2):
        yield from (dict(pair) for pair in itertools.product(one, other))


def open_graph(variant: Variant, settled: Mapping[str, str]) -> Graph | None:
    """The variant with its options open; None if these settled ones exclude each other."""
    try:
        return OpenBuilder(variant.chain, {**variant.set_options, **settled}).graph()
    except SpecError:
        return None


def examine_open(graph: Graph, *, whole: bool = False) -> Study:
    """Collisions and reads of hidden data in a graph with open options; those not ruled out are its doubts.

    ``whole``: repeat an inconclusive quick search within the bounds of all data, which takes far longer.
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

"""Static checks of the rule graph of a variant.

In: a linked variant. Out: findings, each proved or with a position that shows it. Begin with ``study``.

    findings = check(shipped_variant("…"))      # diagnostics
    study = examine(shipped_variant("…"))       # the same, with the doubts that play may confirm

The docstring of each check (of its module or function) says what is proved, how, and the form of a witness. ``study``
holds what all of them share: the map of phase stacks, the values that data can have in each (``flow``),
and invariants; ``meaning`` evaluates conditions in partially known ``positions``, ``search`` looks for
a whole one.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial

from truco_spec.base.processes import made_of
from truco_spec.checks import collisions, endless, never, ranges, sight
from truco_spec.checks.never import check_unset, check_ways
from truco_spec.checks.study import Doubt, Study
from truco_spec.checks.variant import (
    Variant,
    check_citations,
    check_options,
    check_unused,
    shipped_variant,
    variant_in,
    variant_of,
)
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import Diagnostic

ORDER = {"error": 0, "warning": 1, "note": 2}

_OF_GRAPHS: tuple[tuple[str, Callable[[Study], None]], ...] = (
    ("ways", check_ways),
    ("collisions", collisions.check),
    ("ranges", ranges.check),
    ("unset data", check_unset),
    ("endless hands", endless.check),
    ("what is seen", sight.check),
)
_OF_TEXTS: tuple[tuple[str, Callable[[Study, Variant], None]], ...] = (
    ("citations", check_citations),
    ("options", check_options),
    ("unused", check_unused),
    ("never", never.check),
)

LONGEST = ("ranges", "endless hands", "never")
"""The checks that are begun first, so that no process is left with one of them alone."""

PARTS = tuple(name for name, _ in (*_OF_GRAPHS, *_OF_TEXTS))
"""The steps that progress names."""


def examine(
    variant: Variant | Graph,
    progress: Callable[[str], None] | None = None,
    workers: int = 1,
    study: Study | None = None,
) -> Study:
    """Run all checks of a variant, in this many processes, for a new study or a given one. ``progress`` is called with
    the name of each.

    Raises SpecError if it does not link. A bare graph is accepted too, without the checks that need the text
    (citations, options, unused statements).
    """
    study = study or Study(variant if isinstance(variant, Graph) else variant.graph)
    checks = dict[str, Callable[[Study], None]](_OF_GRAPHS)
    if isinstance(variant, Variant):
        checks |= {name: partial(_of_text, check_text, variant) for name, check_text in _OF_TEXTS}
    study.prepare()
    first = sorted(checks, key=lambda name: name not in LONGEST)
    every = made_of(partial(_found, study), [checks[name] for name in first], workers)
    found = {}
    for name in first:
        if progress is not None:
            progress(name)
        found[name] = next(every)
    for findings, doubts in map(found.__getitem__, checks):
        study.findings += findings
        study.doubts += doubts
    return study


def _of_text(check: Callable[[Study, Variant], None], variant: Variant, study: Study) -> None:
    check(study, variant)


def _found(study: Study, check: Callable[[Study], None]) -> tuple[list[Diagnostic], list[Doubt]]:
    alone = copy(study)
    alone.findings, alone.doubts = [], []
    check(alone)
    return alone.findings, alone.doubts


def check(variant: Variant | Graph, progress: Callable[[str], None] | None = None) -> list[Diagnostic]:
    """The findings of the checks, the worst first; doubts are notes."""
    study = examine(variant, progress)
    return in_order([*study.findings, *(doubt.note for doubt in study.doubts)])


def in_order(found: list[Diagnostic]) -> list[Diagnostic]:
    """Errors before warnings before notes, each in the order of the text, without duplicates."""
    unique = {(d.severity, d.message, d.place()): d for d in found}
    return sorted(unique.values(), key=lambda d: (ORDER[d.severity], d.place(), d.message))


__all__ = ["Doubt", "Study", "Variant", "check", "examine", "in_order", "shipped_variant", "variant_in", "variant_of"]

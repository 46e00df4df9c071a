"""The mutants of ``python -m bench mutants``: texts that could be written, whose rules are others."""

from __future__ import annotations

import pytest

from bench.mutants import mutants_of, mutated
from truco_spec.graph.link import blocks_of, link
from truco_spec.graph.linking.build import build
from truco_spec.language.diagnostics import SpecError


@pytest.mark.parametrize("variant", ["fisch", "mineiro"])
def test_a_mutant_of_a_construct_is_linked_or_refused(variant: str) -> None:
    blocks = blocks_of(variant)
    linked = refused = 0
    for mutant in mutants_of(blocks[-1]):
        if mutant.statement.kind in ("rule", "option", "refuse", "define", "table", "set"):
            continue
        try:
            graph = build(link(mutated(blocks, mutant)), {})
        except SpecError:
            refused += 1
            continue
        linked += 1
        assert graph.rules
    assert linked > refused

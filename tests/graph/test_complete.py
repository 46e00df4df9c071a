"""Each variant has all that its source says of it: executable clauses and options are cited in it, gaps decided."""

from __future__ import annotations

import pytest

from truco_spec.graph.load import load
from truco_spec.graph.sources import registry

OF = {
    "argentino": "wikipedia",
    "uruguayo": "wikipedia",
    "venezolano": "wikipedia",
    "paraguayo": "wikipedia",
    "pica-pica": "wikipedia",
    "paulista-wp": "wikipedia",
    "mineiro-wp": "wikipedia",
    "mineiro": "pagat",
    "paulista": "pagat",
    "fisch": "fisch",
    "nowadays": "nowadays",
    "gamelog": "gamelog",
}
ELSEWHERE = {
    "gap.paulista-court-order": "a question of the Brazilian packs, told of with the names of the Spanish cards",
}
"""Gaps that touch a variant by a word only: why."""


def cited(variant: str, source: str, *kinds: str) -> set[str]:
    """The clauses of the source that statements of these kinds (all, if none is named) cite in the variant."""
    cites = load(variant).cites
    return {c.clause for kind, _, s in cites if not kinds or kind in kinds for c in s.cites if c.source == source}


@pytest.mark.parametrize(("variant", "source"), OF.items())
def test_every_executable_clause_and_option_is_cited(variant: str, source: str) -> None:
    book, here = registry(source), cited(variant, source)
    clauses = {c.id for c in book.clauses.values() if c.executable == "yes" and variant in book.variants(c.id)}
    assert clauses
    assert clauses | {o for o in book.options if variant in book.variants(o)} <= here


@pytest.mark.parametrize(("variant", "source"), OF.items())
def test_every_gap_is_decided(variant: str, source: str) -> None:
    book = registry(source)
    gaps = {gap for gap in book.gaps if variant in book.variants(gap)} - cited(variant, source, "decision")
    assert {gap for gap in gaps if gap not in ELSEWHERE} == set()


def test_what_is_decided_elsewhere_is_decided_somewhere() -> None:
    assert set(ELSEWHERE) <= cited("paulista-wp", "wikipedia", "decision")

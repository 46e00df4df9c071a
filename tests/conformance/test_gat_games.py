"""The first implementation from outside: gat-games, whose faults are found and named by clause."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from truco_spec.base import shipped
from truco_spec.conformance.adapters.pipe import Limits, Pipe
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.reports.events import case_of
from truco_spec.conformance.reports.totals import faults_by_clause
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result

ADAPTER = shipped.folder("conformance") / "adapters" / "python" / "gat_games.py"


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    if importlib.util.find_spec("gat_games") is None:
        pytest.skip("gat-games is not installed")
    cases = chosen(corpus.load([corpus.corpus_folder() / "paulista" / "two-players.yaml"]))
    with Pipe([sys.executable, str(ADAPTER)], Limits(case=10, start=30)) as pipe:
        return {result.instance.name: result for result in runner.run(cases, pipe)}


FAULTS = {
    "nowadays:nowadays.raise.truco-run-one": ("nowadays-two-truco-03", 'hand: "P0"'),
    "nowadays:nowadays.tie.definition": ("nowadays-two-tie-01", 'trick: "P1"'),
    "pagat:mineiro.trick.winner-leads-second": ("pagat-two-lead-01", 'leader: "P1"'),
    "wikipedia:paulista-wp.vira-from-remainder": ("nowadays-two-deal-01", "is with P"),
    "nowadays:nowadays.raise.truco-answer-six": ("nowadays-two-raise-01", "proposal: 3"),
    "pagat:mineiro.deal-rotates-right": ("pagat-two-deal-01", 'acting: ["P1"]'),
    "pagat:mineiro.truco.only-on-own-turn": ("pagat-two-truco-01", "it was taken"),
    "nowadays:nowadays.eleven.no-truco": ("nowadays-two-eleven-01", "it was taken"),
    "pagat:mineiro.truco.illegal-raise-when-accept-wins": ("pagat-two-raise-03", "it was taken"),
}


@pytest.mark.parametrize("clause", FAULTS)
def test_a_fault_is_named_by_its_clause(clause: str, results: dict[str, Result]) -> None:
    name, got = FAULTS[clause]
    assert name in faults_by_clause(map(case_of, results.values()))[clause]
    assert got in results[name].faults[0].got


def test_what_it_does_well_passes(results: dict[str, Result]) -> None:
    well = [name for name, result in results.items() if result.verdict == "pass"]
    assert [name for name in well if "rank" in name or "manilha" in name] == [
        *(f"nowadays-two-rank-0{n}" for n in (1, 2, 3, 4)),
        *(f"nowadays-two-manilha-0{n}" for n in (1, 2, 3, 4)),
        "pagat-two-manilha-01",
        "pagat-two-manilha-02",
    ]
    assert "pagat-two-raise-04" in well


def test_nothing_went_wrong_but_the_rules(results: dict[str, Result]) -> None:
    assert {result.verdict for result in results.values()} == {"pass", "fail", "unsupported", "unobserved"}


def test_the_page_about_it_names_every_fault(results: dict[str, Result]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "results" / "gat-games.md").read_text(encoding="utf-8")
    failed = [name for name, result in results.items() if result.verdict == "fail"]
    assert [name for name in failed if name not in page] == []
    assert [clause for clause in faults_by_clause(map(case_of, results.values())) if clause not in page] == []

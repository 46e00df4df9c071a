"""Another implementation from outside: pytruco. Its faults are named by clause, and its readings are no faults."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from truco_spec.base import shipped
from truco_spec.conformance.adapters.pipe import Limits, Pipe
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.fit.fit_report import causes_of
from truco_spec.conformance.reports.events import case_of
from truco_spec.conformance.reports.totals import faults_by_clause, other_readings
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result

pytestmark = pytest.mark.long

ADAPTER = shipped.folder("conformance") / "adapters" / "python" / "pytruco.py"
PAGE = (Path(__file__).parents[2] / "docs" / "results" / "pytruco.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    if importlib.util.find_spec("pytruco") is None:
        pytest.skip("pytruco is not installed")
    cases = chosen(corpus.load(), variants=["uruguayo"])
    with Pipe([sys.executable, str(ADAPTER)], Limits(case=10, start=30)) as pipe:
        return {result.instance.name: result for result in runner.run(cases, pipe)}


@pytest.mark.campaign
def test_what_it_says_by_itself_and_refuses_is_one_cause_where_hello_does_not_tell(tmp_path: Path) -> None:
    told = ADAPTER.read_text(encoding="utf-8").replace("COUNTS + SILENCE,", "SILENCE,")
    deaf = told.replace(
        "if word in COUNTS + SILENCE:",
        "if word in COUNTS:\n            return {'refused': True}\n        if word in SILENCE:",
    )
    path = tmp_path / "naive.py"
    path.write_text(deaf, encoding="utf-8")
    with Pipe([sys.executable, str(path)], Limits(case=10, start=30)) as pipe:
        results = runner.run(chosen(corpus.load(), variants=["uruguayo"], players=2), pipe)
        causes = causes_of(results, pipe.hello())
    (claimed,) = (cause for cause in causes if cause.claim)
    assert claimed.sentence == "It says “paso”, “son-buenas”, “tengo” by itself"
    assert claimed.agreeing == len(claimed.cases) > 20


def test_no_other_option_explains_what_it_only_seems_to(results: dict[str, Result]) -> None:
    """With the muestra turned before the deal two cases would pass, but only because no card is observed there."""
    with Pipe([sys.executable, str(ADAPTER)], Limits(case=10, start=30)) as pipe:
        causes = causes_of([*results.values()], pipe.hello())
    assert {cause.option for cause in causes if cause.option} == {"tie-lead=first"}


FAULTS = [
    ("truco-answers", "wikipedia-uy-truco-01", "it was taken"),
    ("flor-achico-score", "wikipedia-flor-achico-01[uruguayo]", 'score: {"P0": 6, "P1": 0}'),
    ("contraflor-achico", "wikipedia-uy-flor-01", 'score: {"P0": 0, "P1": 7}'),
    ("contraflor-quiero", "wikipedia-contraflor-02[uruguayo]", 'score: {"P0": 4, "P1": 0}'),
    ("contraflor-to-resto", "wikipedia-uy-flor-04", "it was refused"),
    ("parda-same-mano-leads", "wikipedia-uy-parda-01", 'leader: "P1"'),
    ("contraflor-resto", "wikipedia-uy-flor-05", 'score: {"P0": 22, "P1": 20}'),
    ("flor-value", "wikipedia-uy-flor-06", 'score: {"P0": 0, "P1": 6}'),
    ("flor-order", "wikipedia-uy-flor-08", "it was taken"),
    ("flor-others-follow", "wikipedia-uy-flor-09", "it was refused"),
]
OPTIONAL = {"wikipedia-uy-flor-08"}


@pytest.mark.parametrize(("clause", "name", "got"), FAULTS)
def test_a_fault_is_named_by_its_clause(clause: str, name: str, got: str, results: dict[str, Result]) -> None:
    assert name in faults_by_clause(map(case_of, results.values()))[f"wikipedia:argentino.{clause}"]
    assert got in results[name].faults[0].got
    assert results[name].instance.case.entry.level == ("option" if name in OPTIONAL else "must")


def test_another_reading_is_the_option_that_it_always_plays_and_no_fault(results: dict[str, Result]) -> None:
    reasons = {result.reason for result in results.values()}
    for reading in (
        "falta-basis winner-in-malas",
        "falta-accumulates adds",
        "pieza-values traditional",
        "envido-callers anyone",
        "truco-out-of-turn own-turn-to-open",
    ):
        assert f"always plays {reading}" in reasons
        assert all(word in PAGE for word in reading.split())
    assert other_readings(map(case_of, results.values())) == {}


def test_what_it_says_by_itself_is_never_passed(results: dict[str, Result]) -> None:
    assert results["wikipedia-pieza-worth-07"].verdict == "unobserved"
    assert results["wikipedia-pieza-worth-07"].checks.passed == 0


def test_what_it_does_well_passes(results: dict[str, Result]) -> None:
    for name in (
        "muestra-01",
        "king-01",
        "uy-piezas-02",
        "uy-piezas-05",
        "vale-cuatro-01[uruguayo]",
        "flor-01[uruguayo]",
    ):
        assert results[f"wikipedia-{name}"].verdict == "pass"


def test_nothing_went_wrong_but_the_rules(results: dict[str, Result]) -> None:
    assert {result.verdict for result in results.values()} == {"pass", "fail", "unsupported", "unobserved"}


def test_the_page_about_it_names_every_fault(results: dict[str, Result]) -> None:
    failed = [name for name, result in results.items() if result.verdict == "fail"]
    assert [name for name in failed if name not in PAGE] == []
    assert [clause for clause in faults_by_clause(map(case_of, results.values())) if clause not in PAGE] == []

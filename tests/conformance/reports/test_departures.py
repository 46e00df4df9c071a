"""What an implementation claims to play against its source is said plainly, where no source offers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from reported import cause

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Introduction, Plays
from truco_spec.conformance.reports.events import Begun, Run, played
from truco_spec.conformance.reports.formats import FORMATS, report_of
from truco_spec.conformance.reports.run_document import to_add
from truco_spec.conformance.reports.totals import decided_against, departures
from truco_spec.conformance.runner import runner

BINDING = "pagat:mineiro.truco.first-reply-binding"
TIED = "pagat:mineiro.tie.three-tied-tricks-is-complete-tie"
FILES = ("mineiro/refusal-binds.yaml", "paulista/truco.yaml")


class Claiming(Reference):
    """The reference engine, which always plays these options of Paulista."""

    def __init__(self, always: Mapping[str, str]) -> None:
        super().__init__()
        self.always = dict(always)

    def hello(self) -> Introduction:
        return replace(super().hello(), variants={"paulista": Plays((4,), always=self.always)})


def run_of(always: Mapping[str, str]) -> Run:
    folder = corpus.corpus_folder()
    cases = chosen(corpus.load([folder / file for file in FILES]), variants=["paulista"])
    results = runner.run(cases, Claiming(always))
    begun = Begun(report=2, corpus=1, command=(), cases=len(results))
    return Run(begun, Claiming(always).hello(), tuple(played(result, ()) for result in results))


def test_what_no_source_offers_departs_from_the_clause_that_binds() -> None:
    run = run_of({"who-runs": "both"})
    assert departures(run.cases) == report_of(run).departures == {"who-runs=both": (BINDING,)}
    asked = {case.name for case in run.cases if case.verdict == "pass"}
    assert not asked & {f"pagat-refusal-binds-0{number}" for number in (4, 5, 6)}


@pytest.mark.parametrize("name", ["md", "html"])
def test_a_report_says_so_with_the_sentence_of_the_source(name: str) -> None:
    text = FORMATS[name].text_of(run_of({"who-runs": "both"}))
    assert "Departures" in text
    assert "The first answer from either partner binds the team" in text


def test_what_a_source_offers_is_no_departure() -> None:
    run = run_of({"counter-as-answer": "off"})
    assert any(case.level == "must" and case.verdict == "unsupported" for case in run.cases)
    assert not departures(run.cases)


def test_it_is_the_value_that_a_source_offers_or_not() -> None:
    assert TIED in decided_against("paulista", "tied-hand", "mano")
    assert not decided_against("paulista", "tied-hand", "dealer")
    assert not decided_against("paulista", "tied-hand", "no-such-value")


def test_the_causes_that_a_hello_can_claim_are_told_as_it_would_claim_them() -> None:
    plain = cause("")
    told = (
        replace(plain, option="covering=never", rule="", change=""),
        replace(plain, claim="itself keep no-familia", rule="", change=""),
        replace(plain, claim="behind score", rule="", change=""),
        replace(plain, option="bet=hand", rule="", change="", variant="mineiro"),
        plain,
    )
    assert to_add(told) == {
        "paulista": {"always": {"covering": "never"}, "itself": ["keep", "no-familia"]},
        "mineiro": {"always": {"bet": "hand"}},
    }

"""In every report the fault that most surely names its rule comes first."""

from __future__ import annotations

import pytest

from truco_spec.conformance.corpus.cases import Level
from truco_spec.conformance.reports.totals import faults_by_clause, other_readings, sureness
from truco_spec.conformance.runner.verdicts import CaseReport, Checks, Verdict

SEEN, WRONG, UNSEEN = Checks(passed=1), Checks(passed=1, failed=1), Checks(unobserved=1)


def told(
    name: str,
    clauses: tuple[str, ...],
    verdict: Verdict = "fail",
    checks: Checks = WRONG,
    level: Level = "must",
    decisions: tuple[str, ...] = (),
) -> CaseReport:
    return CaseReport(name, name, name, level, "paulista", {}, (), clauses, decisions, verdict, checks)


def passed(name: str, *clauses: str, checks: Checks = SEEN, verdict: Verdict = "pass") -> CaseReport:
    return told(name, clauses, verdict, checks)


def test_the_clause_of_whose_cases_the_greatest_share_failed_comes_first() -> None:
    cases = [told("1", ("broad", "narrow")), told("2", ("broad",)), passed("3", "broad")]
    assert list(faults_by_clause(cases)) == ["narrow", "broad"]


def test_of_equal_shares_the_clause_with_more_failed_cases_comes_first() -> None:
    cases = [told("1", ("once",)), told("2", ("twice",)), told("3", ("twice",))]
    assert faults_by_clause(cases) == {"twice": ("2", "3"), "once": ("1",)}


@pytest.mark.parametrize(
    "unseen", [passed("3", "hardly", checks=UNSEEN, verdict="unobserved"), passed("3", "hardly", verdict="unsupported")]
)
def test_what_was_not_put_or_not_seen_is_not_counted(unseen: CaseReport) -> None:
    cases = [told("1", ("hardly",)), told("2", ("half",)), unseen, passed("4", "half")]
    assert list(faults_by_clause(cases)) == ["hardly", "half"]


def test_readings_are_ranked_alike() -> None:
    def decided(name: str, decision: str, verdict: Verdict = "fail") -> CaseReport:
        return told(name, (), verdict, WRONG if verdict == "fail" else SEEN, "decided", (decision,))

    cases = [decided("1", "some"), decided("2", "some", "pass"), decided("3", "all")]
    assert list(other_readings(cases)) == ["all", "some"]


def test_failed_cases_stand_in_the_order_of_their_clauses_and_what_accuses_none_is_last() -> None:
    broken = told("1", ("broad",), "crash", Checks())
    way = told("2", ("broad",), "fail", Checks(unreached=1))
    reading = told("3", ("broad",), level="decided", decisions=("ours",))
    cases = [broken, way, reading, told("4", ("broad",)), passed("5", "broad"), told("6", ("broad", "narrow"))]
    assert [case.name for case in sorted(cases, key=sureness(cases)) if case.verdict != "pass"] == list("64312")

"""Implementations that always play an option otherwise: told apart from those that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import instances

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import Deal, HandSeen, Introduction, OwnDeals, Plays, Script, Seen
from truco_spec.conformance.reports.events import begun, case_of, gathered, played
from truco_spec.conformance.reports.run_document import story_of
from truco_spec.conformance.reports.totals import faults_by_clause, other_readings
from truco_spec.conformance.runner.runner import Result, play

DEAL = "{P1: 3C 2C 7S, P2: 3H 2H 7H, P3: 3S JS QS, P0: 4C 4H 5D, vira: 5H}"
TIE = "P1 2C, P2 3H, P3 3S, P0 4C"


class Otherwise:
    """The reference engine, set in its ways; ``stake`` is what it tells as the stake, whatever it is."""

    def __init__(self, stake: int | None = None, **always: str) -> None:
        self.always, self.stake = {name.replace("_", "-"): value for name, value in always.items()}, stake
        self.engine, self.asked_for = Reference(), list[Script]()

    def hello(self) -> Introduction:
        return Introduction("own", "1", {"paulista": Plays((4,), always=self.always)}, ("leader", "stake"))

    def run(self, script: Script) -> Seen:
        self.asked_for.append(script)
        told = self.engine.run(script)
        if self.stake is None:
            return told
        return tuple(HandSeen(tuple({**entry, "stake": self.stake} for entry in hand.seen)) for hand in told)

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        return self.engine.deal(request)

    def close(self) -> None:
        pass


def one(folder: Path, moves: str, implementation: Otherwise, level: str = "must", more: str = "") -> Result:
    (instance,) = instances(
        folder,
        f"""
  - id: own-rule-1
    title: A rule
    clauses: [paulista.tie-leader-leads-again]
    level: {level}
{more}    deal: {DEAL}
    moves: [{moves}]
""",
    )
    return play(instance, implementation)


def test_a_case_that_is_true_with_the_own_value_too_is_asked(tmp_path: Path) -> None:
    own = Otherwise(tie_lead="last")
    assert one(tmp_path, f"{TIE}, expect: {{trick: tie, stake: 1}}", own).verdict == "pass"
    assert [script.options for script in own.asked_for] == [{}]


def test_what_is_untrue_with_the_own_value_is_no_fault_but_that_option(tmp_path: Path) -> None:
    own = Otherwise(tie_lead="last", partner_lead="as-tie")
    result = one(tmp_path, f"{TIE}, expect: {{leader: P1}}", own)
    assert (result.verdict, result.reason) == ("unsupported", "always plays tie-lead last")
    assert own.asked_for == []


def test_options_that_make_it_untrue_only_together_are_told_together(tmp_path: Path) -> None:
    own = Otherwise(covering="never", partner_lead="as-tie", tie_lead="last")
    result = one(tmp_path, "P1 3C, P2 2H, P3 3S, P0 4C, expect: {trick: P1, leader: P1}", own)
    assert (result.verdict, result.reason) == ("unsupported", "always plays partner-lead as-tie, tie-lead last")


def test_a_fault_beside_the_own_value_is_one(tmp_path: Path) -> None:
    result = one(tmp_path, f"{TIE}, expect: {{stake: 1}}", Otherwise(stake=3, tie_lead="last"))
    assert result.verdict == "fail"


def test_a_case_of_another_value_is_not_asked(tmp_path: Path) -> None:
    own = Otherwise(tie_lead="last")
    result = one(tmp_path, f"{TIE}, expect: {{leader: P2}}", own, "option", "    options: {tie-lead: first}\n")
    assert (result.verdict, result.reason) == ("unsupported", "has no option tie-lead first")
    own = Otherwise(tie_lead="first")
    result = one(tmp_path, f"{TIE}, expect: {{leader: P2}}", own, "option", "    options: {tie-lead: first}\n")
    assert result.verdict == "pass"


def test_an_option_that_the_variant_does_not_have_is_a_mistake(tmp_path: Path) -> None:
    for own in (Otherwise(colour="red"), Otherwise(tie_lead="red")):
        result = one(tmp_path, f"{TIE}, expect: {{leader: P1}}", own)
        assert (result.verdict, own.asked_for) == ("protocol", [])
        assert "paulista" in result.faults[0].expected
        assert "red" in result.faults[0].got


@pytest.mark.parametrize(
    ("level", "decisions", "faults"),
    [("must", "[own-view]", True), ("decided", "[own-view]", False), ("decided", "[]", True)],
)
def test_a_decision_that_is_not_shared_is_told_apart_from_a_fault(
    tmp_path: Path, level: str, decisions: str, faults: bool
) -> None:
    result = one(tmp_path, "P1 3C, expect: {stake: 1}", Otherwise(stake=2), level, f"    decisions: {decisions}\n")
    clauses = {} if not faults else {"pagat:paulista.tie-leader-leads-again": ("own-rule-1",)}
    readings = {} if faults else {"own-view": ("own-rule-1",)}
    reported = [case_of(result)]
    assert (faults_by_clause(reported), other_readings(reported)) == (clauses, readings)
    lines = story_of(gathered([begun([], 1), played(result, [])])).splitlines()
    assert ("Faults by clause" in lines) is faults
    assert ("Readings that differ, by decision" in lines) is not faults

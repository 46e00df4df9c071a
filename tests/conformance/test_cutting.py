"""``truco-spec test --shrink``: a failing case is cut down to what shows the fault, and told as a case to be kept."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tables import case_file, command
from wrong import EARLY, LEADER, REFUSAL, Breaks, Wrong

from truco_spec.cli import main
from truco_spec.conformance.adapters.pipe import Broken, Implementation
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.protocol import Plays, Script, Seen
from truco_spec.conformance.fuzz import shrink
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result

LED = "pagat:mineiro.trick.winner-leads-second"
HEAD = """
  - id: own-long-1
    title: A long way to a small fault
    clauses: [pagat:mineiro.trick.winner-leads-second]
    level: must
    players: 4
    score: {P0: 4, P1: 2}
    options: {covering: from-second}
    deal: {P1: 3C 4D 7S, P2: 3H 2H 7H, P3: KS JS QS, P0: 4C 4H 6D, vira: 5H}
    moves:
"""
LEADS = HEAD + "      - P1 4D, P2 truco, P3 aceito, P2 3H, P3 KS, P0 4H\n      - expect: {leader: P2, stake: 3}\n"
RUNS = HEAD + "      - P1 4D, P2 2H, P3 KS, P0 4H, P2 truco, P3 corro\n      - expect: {hand: P2}\n"
WAITS = HEAD + "      - P1 4D, P2 2H\n      - refused: P0 truco\n      - P3 KS\n      - expect: {stake: 1}\n"


def instance(folder: Path, case: str) -> Instance:
    ((found,),) = [corpus.instances(one) for one in corpus.load([case_file(folder, case)])]
    return found


def cut(folder: Path, case: str, one: Callable[[], Implementation], most: int = 200) -> tuple[Result, Result]:
    before = runner.play(instance(folder, case), one())
    return before, shrink.cut_down(before, one, most)


@pytest.mark.long
@pytest.mark.parametrize(
    ("case", "one", "actions", "clause"),
    [
        (LEADS, lambda: Wrong(LEADER), 4, LED),  # of the two who are needed neither side can go
        (RUNS, lambda: Wrong(REFUSAL), 2, "pagat:mineiro.truco.run-away-gives-one"),
        (WAITS, lambda: Wrong(EARLY, observes=("trick", "score")), 1, "pagat:mineiro.truco.only-on-own-turn"),
    ],
)
def test_the_shortest_script_is_told_and_the_case_is_true(
    case: str, one: Callable[[], Wrong], actions: int, clause: str, tmp_path: Path
) -> None:
    before, after = cut(tmp_path, case, one)
    assert (before.verdict, after.verdict) == ("fail", "fail")
    assert isinstance(after.shown, Script)
    assert sum(len(hand.actions) for hand in after.shown.hands) == actions
    assert (after.shown.options, after.shown.score) == ({}, {})
    assert len(after.faults[0].script) < len(before.faults[0].script)
    path = tmp_path / "cut.yaml"
    path.write_text(after.faults[0].case, encoding="utf-8")
    ((kept,),) = [corpus.instances(one) for one in corpus.load([path])]
    assert runner.play(kept, Reference()).verdict == "pass"
    assert runner.play(kept, one()).verdict == "fail"
    assert clause in kept.case.clauses
    assert (LED in kept.case.clauses) == (clause == LED)  # else what the case is about has no bearing on it
    assert kept.case.entry.level == before.instance.case.entry.level


@pytest.mark.long
def test_the_fault_of_the_case_is_cut_down_and_not_another_before_it(tmp_path: Path) -> None:
    class Stingy(Wrong):
        """Right but for the lead, and for a stake that it always tells one too high."""

        def run(self, script: Script) -> Seen:
            hands = super().run(script)
            for hand in hands:
                for entry in hand.seen:
                    entry.update({"stake": entry["stake"] + 1} if "stake" in entry else {})  # type: ignore[attr-defined]
            return hands

    case = LEADS.replace(", stake: 3", "")
    before, after = cut(tmp_path, case, lambda: Stingy(LEADER))
    assert before.faults[0].expected == after.faults[0].expected.replace("P0", "P2").replace("P1", "P2")
    assert "expect: {leader: " in after.faults[0].case


@pytest.mark.long
def test_a_crash_is_cut_down_too(tmp_path: Path) -> None:
    before, after = cut(tmp_path, LEADS, lambda: Breaks("truco"))
    assert (before.verdict, after.verdict) == ("crash", "crash")
    assert isinstance(after.shown, Script)
    assert [a.text.split()[1] for a in after.shown.hands[0].actions] == ["truco"]


class Silent(Wrong):
    def run(self, script: Script) -> Seen:
        self.asked_for.append(script)
        raise Broken("timeout", "No answer within 5 s.")


def test_what_does_not_answer_is_not_asked_again(tmp_path: Path) -> None:
    made: list[Silent] = []

    def one() -> Silent:
        made.append(Silent(""))
        return made[-1]

    before, after = cut(tmp_path, LEADS, one)
    assert after.faults[0].advice.endswith("It was not shortened: with the verdict timeout no shorter script is tried.")
    assert (after.shown, after.faults[0].script) == (before.shown, before.faults[0].script)
    assert len(made) == 1


def test_what_fails_only_once_is_left_as_it_is_and_said(tmp_path: Path) -> None:
    before = runner.play(instance(tmp_path, LEADS), Wrong(LEADER))
    after = shrink.cut_down(before, lambda: Wrong(""))
    assert after.faults[0].advice == (
        "It was not shortened: beside the reference engine, step by step, this fault does not show."
    )
    assert replace(after.faults[0], advice="") == before.faults[0]


def test_it_is_asked_so_often_and_no_more(tmp_path: Path) -> None:
    made: list[Wrong] = []

    def one() -> Wrong:
        made.append(Wrong(LEADER))
        return made[-1]

    before, after = cut(tmp_path, LEADS, one, most=5)
    assert (
        sum(len(wrong.asked_for) for wrong in made) <= 1 + 1 + 5 + 4
    )  # the case, the fault, the cuts, four times more
    assert after.verdict == before.verdict


@pytest.mark.long
def test_options_that_it_always_plays_are_played(tmp_path: Path) -> None:
    def one() -> Wrong:
        wrong = Wrong(LEADER)
        wrong.plays = Plays((2, 4), {}, always={"covering": "never"})
        return wrong

    case = LEADS.replace("    options: {covering: from-second}\n", "")
    _, after = cut(tmp_path, case, one)
    assert isinstance(after.shown, Script)
    assert after.shown.options == {}  # what is left does not depend on it


# ---- the command ----------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], path: Path, *arguments: str) -> str:
    with pytest.raises(SystemExit) as end:
        main(["test", "--no-causes", "--cases", str(path), *arguments, "--", *command("wrong")])
    assert end.value.code == 1
    return capsys.readouterr().out


THREE = "".join(
    f"""
  - id: own-stake-{number}
    title: The stake is one
    clauses: [paulista.dirty-deck]
    level: must
    players: 4
    deal: {{P1: 3C 4D 7S, P2: 3H 2H 7H, P3: KS JS QS, P0: 4C 4H 6D, vira: 5H}}
    moves: [P1 3C, P2 3H, P3 KS, expect: {{stake: 1}}]
"""
    for number in (1, 2, 3)
)


@pytest.mark.long
def test_the_command_tells_the_shortest_and_the_same_every_time(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = case_file(tmp_path, THREE)
    one, two = (run(capsys, path, "--shrink", "--report", "json:-") for _ in range(2))
    assert re.sub(r"\d\d:\d\d.*", "", one) == re.sub(r"\d\d:\d\d.*", "", two)
    for case in json.loads(one)["cases"]:
        assert case["faults"][0]["script"].endswith("vira 5H |") or "P1 3C," not in case["faults"][0]["script"]
        assert f"id: {case['id']}-cut" in case["faults"][0]["case"]
    told = run(capsys, path, "--shrink")
    assert "    | - id: own-stake-2-cut" in told


def test_without_it_nothing_is_cut_down(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = json.loads(run(capsys, case_file(tmp_path, THREE), "--report", "json:-"))
    assert {case["faults"][0]["case"] for case in report["cases"]} == {""}
    assert all("P1 3C, P2 3H, P3 KS" in case["faults"][0]["script"] for case in report["cases"])


@pytest.mark.long
def test_while_one_is_cut_down_no_answer_of_another_is_too_late(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def slow(result: Result, open_one: object) -> Result:
        time.sleep(1)  # longer than any answer may take
        return result

    monkeypatch.setattr(shrink, "cut_down", slow)
    report = json.loads(run(capsys, case_file(tmp_path, THREE), "--shrink", "--timeout", "0.8", "--report", "json:-"))
    assert [case["verdict"] for case in report["cases"]] == ["fail"] * 3


def test_who_interrupts_the_cutting_has_the_verdicts_all_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def interrupted(result: Result, open_one: object) -> Result:
        if result.name == "own-stake-2":
            raise KeyboardInterrupt
        return result

    monkeypatch.setattr(shrink, "cut_down", interrupted)
    with pytest.raises(SystemExit) as end:
        main(
            [
                "test",
                "--cases",
                str(case_file(tmp_path, THREE)),
                "--shrink",
                "--report",
                "json:-",
                "--",
                *command("wrong"),
            ]
        )
    cases = json.loads(capsys.readouterr().out)["cases"]
    assert (end.value.code, [case["name"] for case in cases]) == (130, [f"own-stake-{n}" for n in (1, 2, 3)])

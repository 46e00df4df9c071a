"""What failed is asked again: a fault of a rule is one only where the answer stays the same."""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tables import DEAL, instances
from wrong import LEADER, Wrong

from truco_spec.base.document import text_of
from truco_spec.base.shapes import plain, read
from truco_spec.conformance.adapters.inprocess import InProcess
from truco_spec.conformance.adapters.pipe import Broken, Limits, Pipe
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import HandSeen, OwnDeals, Plays, RunAnswer, Script, Seen
from truco_spec.conformance.fuzz.findings import text_of_outcome
from truco_spec.conformance.fuzz.fuzz import FuzzOutcome, fuzz
from truco_spec.conformance.fuzz.rounds import Job
from truco_spec.conformance.reports import events
from truco_spec.conformance.reports.run_document import case_document
from truco_spec.conformance.reports.totals import changed, faults_by_clause, not_playable, unsteady
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result, doubt

CASES = "".join(
    f"""
  - id: own-{name}-1
    title: One card and another
    clauses: [paulista.dirty-deck]
    level: must
    deal: {DEAL}
    moves: {moves}
"""
    for name, moves in {
        "stake": "[P1 3C, expect: {stake: 1}]",
        "twice": "[P1 3C, refused: P1 2C, 'P2 2H, P3 KS, P0 5D', expect: {trick: P1}, P1 2C]",
    }.items()
)


@pytest.mark.parametrize(
    ("afterwards", "told"),
    [(["wrong"] * 5, "before"), (["wrong", "right"], "unsteady"), (["wrong"] * 4 + ["right"], "unsteady")],
)
def test_earlier_scripts_are_blamed_only_for_what_they_bring_about_each_time(afterwards: list[str], told: str) -> None:
    assert doubt("wrong", lambda: ("right", "right"), iter(afterwards).__next__) == (told, "right")


class Right:
    """The reference engine as an adapter in Python; what it tells can be changed."""

    count = itertools.count()

    def __init__(self) -> None:
        self.asked = 0

    def hello(self) -> dict[str, Any]:
        variants = {"paulista": {"players": [2, 4]}}
        observes = ["stake", "trick", "leader", "hand", "score"]
        return {"protocol": 1, "name": "n", "version": "1", "variants": variants, "observes": observes}

    def run(self, asked: dict[str, Any]) -> dict[str, Any]:
        self.asked += 1
        answer: dict[str, Any] = plain(RunAnswer(self.answer(read(asked, Script))))
        return answer

    def answer(self, script: Script) -> Seen:
        return Reference().run(script)


def staked(seen: Seen, stake: int) -> Seen:
    """The same, but for the stake."""
    return tuple(
        HandSeen(tuple({**e, "stake": stake} for e in hand.seen), {**hand.start, "stake": stake}) for hand in seen
    )


class Chancy(Right):
    """The stake is another each time."""

    def answer(self, script: Script) -> Seen:
        return staked(super().answer(script), 10 + next(self.count))


class Ages(Right):
    """Right at first; later the stake is as many as were asked."""

    def answer(self, script: Script) -> Seen:
        return staked(super().answer(script), self.asked)


class Forgetful(Right):
    """A card that is played out of turn is lost."""

    def answer(self, script: Script) -> Seen:
        found, lost = [], set[str]()
        for seen, hand in zip(super().answer(script), script.hands, strict=True):
            entries = []
            for entry, action in zip(seen.seen, hand.actions, strict=True):
                gone = action.play in lost
                lost |= {action.play} if entry.get("refused") and action.play else set()
                entries.append({"refused": "not-held"} if gone else dict(entry))
            found.append(HandSeen(tuple(entries), seen.start))
        return tuple(found)


def played(adapter: Callable[[], Any], folder: Path) -> dict[str, Result]:
    results = runner.run(instances(folder, CASES), InProcess(adapter))
    return {result.name: result for result in results}


def test_an_answer_that_is_another_each_time_is_unsteady_and_blames_no_rule(tmp_path: Path) -> None:
    results = played(Chancy, tmp_path)
    found = results["own-stake-1"]
    assert found.verdict == "unsteady"
    assert found.faults[0].got.startswith("stake: 1") and "; asked again: stake: 1" in found.faults[0].got
    assert unsteady(map(events.case_of, results.values())) == ("own-stake-1",)
    assert faults_by_clause([events.case_of(found)]) == {}
    told = text_of(case_document(events.played(found, ["./x"])))
    assert "UNSTEADY" in told and "no rule is to blame" in told and "clause" not in told


def test_what_a_fresh_process_answers_otherwise_depends_on_what_was_played_before(tmp_path: Path) -> None:
    twice = [replace(each, name=f"{each.name}-{n}") for n in (1, 2) for each in instances(tmp_path, CASES)[:1]]
    first, second = runner.run(twice, InProcess(Ages))
    assert (first.verdict, second.verdict) == ("pass", "fail")
    assert "it depends on what was played before" in second.faults[0].advice


class Late(Right):
    """It books the points when the hand is over, and nobody wins the match."""

    def hello(self) -> dict[str, Any]:
        plays = {"players": [2, 4], "late": ["score"]}
        return super().hello() | {"variants": {"paulista": plays}, "observes": ["score", "winner"]}

    def answer(self, script: Script) -> Seen:
        told = {"score": {"P0": 0, "P1": 0}, "winner": None}
        return tuple(HandSeen(tuple(told for _ in hand.seen), told) for hand in super().answer(script))


def test_what_is_late_is_judged_by_the_same_checks_when_it_is_asked_again(tmp_path: Path) -> None:
    cases = f"""
  - id: own-late-1
    title: The points of the hand win the match
    clauses: [mineiro.game-end.first-to-12]
    level: must
    score: {{P1: 9, P0: 0}}
    deal: {DEAL}
    moves: [P1 truco, P2 vale-6, P1 vale-9, P2 corro, expect: {{score: {{P1: 15, P0: 0}}, winner: P1}}]
"""
    (late,) = runner.run(instances(tmp_path, cases), InProcess(Late))
    assert (late.verdict, late.faults[0].advice) == ("fail", "")


class Seldom(Right):
    """The stake is wrong once in a life, whatever was played before."""

    def answer(self, script: Script) -> Seen:
        return staked(super().answer(script), 9) if next(self.count) == 1 else super().answer(script)


def test_what_comes_once_and_not_again_in_the_same_order_is_unsteady(tmp_path: Path) -> None:
    class Once(Seldom):
        count = itertools.count()

    twice = [replace(each, name=f"{each.name}-{n}") for n in (1, 2) for each in instances(tmp_path, CASES)[:1]]
    first, second = runner.run(twice, InProcess(Once))
    assert (first.verdict, second.verdict) == ("pass", "unsteady")
    assert faults_by_clause([events.case_of(second)]) == {}


class Sometimes(Right):
    """The stake is wrong one time in ten; ``chance`` is that of all processes."""

    chance = random.Random()

    def answer(self, script: Script) -> Seen:
        seen = super().answer(script)
        return staked(seen, 9) if self.chance.random() < 0.1 else seen


@pytest.mark.long
def test_what_is_wrong_one_time_in_ten_is_never_told_to_depend_on_what_was_played_before(tmp_path: Path) -> None:
    (one,) = instances(tmp_path, CASES)[:1]
    many = [replace(one, name=f"{one.name}-{n}") for n in range(40)]
    told: Counter[tuple[str, ...]] = Counter()
    for seed in range(25):
        Sometimes.chance = random.Random(seed)
        results = runner.run(many, InProcess(Sometimes))
        told.update((result.verdict, *(fault.advice for fault in result.faults[:1])) for result in results)
    assert not [advice for _, *advice in told if advice and "before" in advice[0]]
    verdicts = Counter({verdict: number for (verdict, *_), number in told.items()})
    assert verdicts["unsteady"] > 50
    assert verdicts["fail"] < 5  # twice the same wrong answer, before any other has shown that chance decides


class Wears(Right):
    """The stake is wrong whenever an even number of scripts was asked before."""

    def answer(self, script: Script) -> Seen:
        return staked(super().answer(script), 9 if self.asked % 2 else 1)


def test_what_each_fresh_process_answers_so_at_first_and_otherwise_then_depends_on_what_was_played(
    tmp_path: Path,
) -> None:
    result = played(Wears, tmp_path)["own-stake-1"]
    assert result.verdict == "fail"
    assert "it depends on what was played before" in result.faults[0].advice


def test_a_steady_fault_is_asked_for_once_more_and_stays_what_it_is(tmp_path: Path) -> None:
    made: list[Right] = []

    class Two(Right):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

        def answer(self, script: Script) -> Seen:
            return staked(super().answer(script), 2)

    result = played(Two, tmp_path)["own-stake-1"]
    assert (result.verdict, result.faults[0].got, result.faults[0].advice) == ("fail", "stake: 2", "")
    assert (len(made), made[0].asked) == (1, 3)  # two cases, one of them twice


def test_a_refused_action_that_changes_the_game_is_a_fault_of_its_own(tmp_path: Path) -> None:
    results = played(Forgetful, tmp_path)
    assert results["own-stake-1"].verdict == "pass"
    found = results["own-twice-1"]
    assert found.verdict == "fail"
    assert found.faults[0].expected == "the refused P1 2C leaves the game as it was: P1 2C is permitted after it"
    assert found.faults[0].got == "it was refused (not-held); without P1 2C it is taken"
    cases = list(map(events.case_of, results.values()))
    assert (changed(cases), not_playable(cases)) == (("own-twice-1",), ())


@pytest.mark.long
def test_over_a_pipe_it_is_the_same(tmp_path: Path) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(PIPED.format(folder=str(Path(__file__).parent)), encoding="utf-8")
    for name, verdicts in {"Chancy": ["unsteady", "pass"], "Forgetful": ["pass", "fail"]}.items():
        with Pipe([sys.executable, str(adapter), name], Limits(), 2) as pipe:
            results = runner.run(instances(tmp_path, CASES), pipe)
        assert [result.verdict for result in results] == verdicts
        assert changed(map(events.case_of, results)) == (("own-twice-1",) if name == "Forgetful" else ())


PIPED = """
import json, os, sys
sys.path.insert(0, {folder!r})
import itertools, test_again
test_again.Right.count = itertools.count(int.from_bytes(os.urandom(2), "big"))
adapter = getattr(test_again, sys.argv[1])()
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] != "bye":
        told = adapter.hello() if request["do"] == "hello" else adapter.run(request["script"])
        print(json.dumps({{"id": request["id"], **told}}), flush=True)
"""


# ---- by random play -----------------------------------------------------------------------------


def fuzzed(adapter: Callable[[], Any], hands: int = 12) -> FuzzOutcome:
    return fuzz(Job(lambda: InProcess(adapter), "paulista", 2, {}, 1, hands))


def test_random_play_tells_an_unsteady_implementation_as_one_cause_with_both_answers() -> None:
    found = fuzzed(Chancy)
    assert (found.found, found.wrong) == ((), 1)
    text = text_of_outcome(found, 1)
    assert "\nUnsteady, " in text and "\n  again     " in text and "clause" not in text


@pytest.mark.long
def test_random_play_finds_that_a_refused_action_changed_the_game() -> None:
    found = fuzzed(Forgetful, 120)
    kinds = {each.minimal.failure.kind for each in found.found}
    assert kinds == {"changed"}
    assert all("leaves the game as it was" in each.minimal.failure.expected for each in found.found)


class Breaks(Right):
    """It answers ``error`` to whoever says truco."""

    def run(self, asked: dict[str, Any]) -> dict[str, Any]:
        if any(action.get("say") == "truco" for hand in asked["hands"] for action in hand["actions"]):
            return {"error": "the pack is sticky"}
        return super().run(asked)


def test_errors_of_the_adapter_end_no_part_and_blame_no_rule() -> None:
    found = fuzzed(Breaks, 40)
    (error,) = found.found
    assert (found.hands >= 40, error.statements, error.count > 10) == (True, (), True)
    assert [a.text.split()[1] for hand in error.minimal.failure.script.hands for a in hand.actions] == ["truco"]
    text = text_of_outcome(found, 1)
    assert "expected  an answer\n" in text and "rule  " not in text and "pagat:" not in text


class Silent(Wrong):
    """No answer in time, ever."""

    def run(self, script: Script) -> Seen:
        raise Broken("timeout", "No answer within 5 s.")


def test_a_run_that_stops_early_says_so_and_why() -> None:
    found = fuzz(Job(partial(Silent, ""), "paulista", 2, {}, 1, 60, part=30))
    text = text_of_outcome(found, 1)
    assert found.hands < 60 and f"{found.hands} of 60 hands, seed 1" in text
    assert f"{60 - found.hands} hands were not played: there was no answer 10 times timeout." in text
    assert text.endswith(f"Only {found.hands} of 60 hands were played.")


@pytest.mark.long
@pytest.mark.parametrize("partner", ["P0", "P2"])
def test_points_are_of_a_team_whichever_of_its_players_is_named(partner: str) -> None:
    class Counts(Wrong):
        def run(self, script: Script) -> Seen:
            more = [
                HandSeen(tuple({**e, "score": {partner: 40, "P1": 0}} for e in hand.seen), {})
                for hand in super().run(script)
            ]
            return tuple(more)

    def one() -> Counts:
        counts = Counts("", observes=("score",))
        counts.plays = Plays((4,))
        return counts

    found = fuzz(Job(one, "paulista", 4, {}, 1, 10))
    assert {each.minimal.failure.about for each in found.found} <= {"too many", "too few and too many"}


# ---- deals --------------------------------------------------------------------------------------

SLOW = """
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    told = dict(protocol=1, name="n", version="1", variants=dict(paulista=dict(players=[4])), observes=["deal"])
    if request["do"] == "deal":
        time.sleep(float(sys.argv[1]))
        told = dict(deals=[{}] * request["deal"]["times"])
    print(json.dumps(dict(id=request["id"], **told)), flush=True)
"""


@pytest.mark.long
def test_many_deals_may_take_longer_than_one_case(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    asked = OwnDeals("paulista", {}, ("P0", "P1", "P2", "P3"), "P0", 500)
    limits = Limits(case=0.4, bye=0.1)
    with Pipe([sys.executable, str(tmp_path / "slow.py"), "1"], limits) as pipe:
        assert len(pipe.deal(asked)) == 500
        with pytest.raises(Broken, match=r"No answer within 0\.4 s\."):
            pipe.deal(replace(asked, times=50))
    with Pipe([sys.executable, str(tmp_path / "slow.py"), "60"], Limits(case=0.05, bye=0.1)) as pipe:
        with pytest.raises(Broken) as late:
            pipe.deal(asked)
        assert (late.value.verdict, late.value.message) == ("timeout", "No answer within 0.5 s.")
        assert "no fault of a rule" in late.value.advice


# ---- a shorter script shows the same fault -------------------------------------------------------


@pytest.mark.long
def test_the_lead_is_a_fault_of_the_lead_however_short_the_script() -> None:
    found = fuzz(Job(partial(Wrong, LEADER), "paulista", 2, {}, 1, 40))
    assert {each.minimal.failure.manner for each in found.found} == {'acting: ["@"]; acting: ["@"]'}

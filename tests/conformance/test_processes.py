"""Cases are put to several processes at once: nothing of that can be seen in a verdict."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tables import QUICK, command, instances, verdicts
from test_miniatures import gone

from truco_spec.conformance.adapters.pipe import Limits, Pipe
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result

COUNT = 60
WHERE = 40

SIXTY = "".join(
    f"""
  - id: own-sixty-{points}
    title: The stake is as many as the points
    clauses: [paulista.dirty-deck]
    level: must
    score: {{P1: {points}}}
    deal: {{P1: 3C 2C 7S, P2: 3H 2H 7H, P3: KS JS QS, P0: 4C 4H 5D, vira: 5H}}
    moves: [P1 3C, expect: {{stake: {points}}}{", allowed: P2 3H" if points % 7 == 0 else ""}]
"""
    for points in range(1, COUNT + 1)
)


def play(folder: Path, name: str, *arguments: str, processes: int = 1, limits: Limits = QUICK) -> Sequence[Result]:
    with Pipe(command(name, *arguments), limits, processes) as pipe:
        return runner.run(instances(folder, SIXTY), pipe)


FAULTS = {
    "crash": ("crash", "exit status 1", "the pack fell"),
    "hang": ("timeout", "No answer within 0.7 s", ""),
    "error": ("error", "the pack is sticky", ""),
    "short": ("protocol", "0 entries for 1 actions", ""),
    "chatter": ("protocol", "Chatter", ""),
    "garbage": ("protocol", "Garbage", ""),
    "split": ("protocol", "split over", ""),
    "number": ("protocol", "another number", ""),
    "flood": ("protocol", "Flood", ""),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("how", FAULTS)
def test_a_fault_in_the_middle_costs_one_case_for_any_number_of_processes(how: str, tmp_path: Path) -> None:
    verdict, words, said = FAULTS[how]
    found = [play(tmp_path, "at", how, str(WHERE), processes=processes) for processes in (1, 2)]
    wanted = ["pass"] * COUNT
    wanted[WHERE - 1] = verdict
    assert verdicts(found[0]) == wanted
    (fault,) = found[0][WHERE - 1].faults
    assert words in fault.got
    assert said in fault.log
    assert fault.log.splitlines()[0] == f"asked {{'P1': {WHERE}}}"  # nothing that was logged for another case
    assert found[1] == found[0]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_many_faults_are_the_same_for_any_number_of_processes(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    ways = [way for way in FAULTS if way != "hang"]
    points = chance.sample(range(1, COUNT + 1), 9)
    faults = [word for at in points for word in (chance.choice(ways), str(at))]
    single, several = [play(tmp_path, "at", *faults, processes=processes) for processes in (1, 3)]
    assert [at for at, result in enumerate(single, 1) if result.verdict != "pass"] == sorted(points)
    assert several == single


def test_only_the_guilty_case_pays_when_a_process_reads_ahead(tmp_path: Path) -> None:
    results = play(tmp_path, "reads_ahead", str(WHERE))
    wanted = ["pass"] * COUNT
    wanted[WHERE - 1] = "crash"
    assert verdicts(results) == wanted


def test_answers_out_of_order_are_nobody_elses(tmp_path: Path) -> None:
    assert verdicts(play(tmp_path, "shuffled")) == ["pass"] * COUNT


def test_a_process_that_dies_of_nothing_in_particular_is_not_let_off(tmp_path: Path) -> None:
    found = verdicts(play(tmp_path, "tired"))
    assert set(found) == {"pass", "crash"}
    assert found.count("crash") <= 3


def test_second_answers_shift_nothing(tmp_path: Path) -> None:
    assert verdicts(play(tmp_path, "twice", processes=2)) == ["pass"] * COUNT


@pytest.mark.long
def test_answers_to_guessed_numbers_are_nobodys(tmp_path: Path) -> None:
    results = play(tmp_path, "guesses")
    assert verdicts(results) == ["protocol"] * COUNT
    assert all("A wrong number" in result.faults[0].got for result in results)


def test_what_never_starts_says_so_in_every_case(tmp_path: Path) -> None:
    assert verdicts(play(tmp_path, "exits", processes=3)) == ["crash"] * COUNT


@pytest.mark.long
def test_the_time_of_a_case_runs_from_its_turn(tmp_path: Path) -> None:
    limits = Limits(case=1, start=10)  # and all of the slow ones together take twice as long
    assert verdicts(play(tmp_path, "at", "slow", str(WHERE), limits=limits)) == ["pass"] * COUNT


# ---- memory, and what is left behind -----------------------------------------------------------------


def test_too_much_memory_costs_one_case(tmp_path: Path) -> None:
    found = play(tmp_path, "at", "hog", str(WHERE), limits=Limits(case=10, start=20, memory=200 * 1024**2))
    wanted = ["pass"] * COUNT
    wanted[WHERE - 1] = "crash"
    assert verdicts(found) == wanted
    assert found[WHERE - 1].faults[0].got == "It used more than 200M of memory."
    assert "--memory" in found[WHERE - 1].faults[0].advice


def test_no_limit_of_memory_is_no_limit(tmp_path: Path) -> None:
    found = play(tmp_path, "at", "hog", str(WHERE), limits=Limits(case=10, start=20, memory=0))
    assert verdicts(found) == ["pass"] * COUNT


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="who left its group is found by /proc")
def test_a_process_that_left_its_group_and_holds_the_pipes_is_gone_afterwards(tmp_path: Path) -> None:
    note = tmp_path / "process"
    assert verdicts(play(tmp_path, "escapes", str(note))) == ["pass"] * COUNT
    assert gone(int(note.read_text()))


def test_all_processes_are_gone_when_a_run_is_broken_off(tmp_path: Path) -> None:
    told: list[Result] = []

    def stop(result: Result) -> None:
        told.append(result)
        if len(told) == 20:
            raise KeyboardInterrupt

    with Pipe(command("honest"), QUICK, 2) as pipe:
        with pytest.raises(KeyboardInterrupt):
            runner.run(instances(tmp_path, SIXTY), pipe, stop)
        numbers = [channel._process.number for channel in pipe._channels if channel._process]
    assert len(numbers) == 2
    assert all(gone(number) for number in numbers)
    names = [result.name for result in told]
    assert names[:20] == [f"own-sixty-{number}" for number in range(1, 21)]

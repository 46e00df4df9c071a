"""Every way of going wrong has its own verdict, costs one case only, and leaves nothing behind."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from tables import QUICK, command, instances, play, verdicts

from truco_spec.base.document import text_of
from truco_spec.conformance.adapters.pipe import Limits, NeverStarted, Pipe, greeted
from truco_spec.conformance.adapters.process import CommandError, last_words
from truco_spec.conformance.reports.events import played
from truco_spec.conformance.reports.run_document import case_document
from truco_spec.conformance.runner import runner

ONE_CASE = {
    "fails": ("error", "the pack is sticky"),
    "crash": ("crash", "exit status 1"),
    "killed": ("crash", "SIGSEGV"),
    "hang": ("timeout", "No answer within 0.7 s"),
    "late": ("timeout", "No answer within 0.7 s"),
    "garbage": ("protocol", "Garbage"),
    "deep": ("protocol", "Garbage"),
    "split": ("protocol", "split over"),
    "chatter": ("protocol", "Chatter"),
    "wrong_number": ("protocol", "A wrong number"),
    "flood": ("protocol", "Flood"),
    "prattle": ("protocol", "Flood"),
    "short": ("protocol", "0 entries for 1 actions"),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ONE_CASE)
def test_a_fault_costs_one_case_and_shifts_no_answer(name: str, tmp_path: Path) -> None:
    verdict, words = ONE_CASE[name]
    results = play(tmp_path, name)
    assert verdicts(results) == ["pass", verdict, "pass"]
    assert words in results[1].faults[0].got


NEVER_STARTS = {"exits": "exit status 3", "silent": "No answer within 0.5 s", "banner": "Chatter"}


@pytest.mark.parametrize("name", NEVER_STARTS)
def test_what_never_starts_says_so_once_before_any_case(name: str) -> None:
    with (
        Pipe(command(name), Limits(case=0.5, start=0.5, stray=0.3, bye=0.3)) as pipe,
        pytest.raises(NeverStarted, match=NEVER_STARTS[name]),
    ):
        greeted(pipe)


JAVASCRIPT = (
    "app.js:3\n  throw err;\n\nTypeError: no deck\n    at Object.<anonymous> (app.js:3:9)\n    at load (l:1)\nNode v20"
)
GO = (
    "panic: no deck\n\ngoroutine 1 [running]:\nmain.deal(...)\n\t/app/main.go:7 +0x1d\nmain.main()\n"
    "\t/app/main.go:3\nexit status 2"
)
PYTHON = (
    'Traceback (most recent call last):\n  File "app.py", line 3, in deal\n    at = 1 / 0\nZeroDivisionError: no deck'
)


@pytest.mark.parametrize("log", [JAVASCRIPT, GO, PYTHON])
def test_the_last_words_have_the_message_and_not_the_stack(log: str) -> None:
    assert any("no deck" in line for line in last_words(log, 3))


def test_what_never_starts_is_no_run_of_failures(ends: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    status, out, err = ends("test", "--report", str(report), "--", "sh", "-c", "echo no deck >&2; exit 3")
    assert (status, out, report.exists()) == (2, "", False)
    assert err.splitlines()[-2:] == [
        "It never got started. It gave no answer: it ended with exit status 3. See its last words.",
        "| no deck",
    ]


def test_an_adapter_that_a_nameless_signal_kills_costs_its_cases(tmp_path: Path) -> None:
    hello = (
        '{"id":"%s","protocol":1,"name":"n","version":"1","variants":{"paulista":{"players":[4]}},"observes":["stake"]}'
    )
    script = f"read line; printf '{hello}\\n' \"$(echo $line | cut -d'\"' -f4)\"; read line; kill -40 $$"
    with Pipe(["sh", "-c", script], QUICK) as pipe:
        results = runner.run(instances(tmp_path), pipe)
    assert [(result.verdict, "killed by signal 40" in result.faults[0].got) for result in results] == [
        ("crash", True)
    ] * 3


def test_an_honest_table_passes(tmp_path: Path) -> None:
    assert verdicts(play(tmp_path, "honest")) == ["pass"] * 3


def test_a_table_that_is_always_wrong_fails_every_case(tmp_path: Path) -> None:
    results = play(tmp_path, "wrong")
    assert verdicts(results) == ["fail"] * 3
    assert (results[2].faults[0].expected, results[2].faults[0].got) == ("stake: 3", "stake: -1")


def test_a_second_answer_to_an_earlier_request_is_nobodys_answer(tmp_path: Path) -> None:
    with Pipe(command("twice"), QUICK) as pipe:
        assert verdicts(runner.run(instances(tmp_path), pipe)) == ["pass"] * 3
        assert pipe.strays == 3
        assert pipe.generation == 1


def test_standard_error_is_a_log_and_never_a_verdict(tmp_path: Path) -> None:
    assert verdicts(play(tmp_path, "noisy")) == ["pass"] * 3


def test_the_last_words_of_a_crash_are_shown(tmp_path: Path) -> None:
    shown = text_of(case_document(played(play(tmp_path, "crash")[1], ["./adapter"])))
    assert "the pack fell under the table" in shown


def test_text_from_an_adapter_cannot_command_the_terminal(tmp_path: Path) -> None:
    assert "\x1b" not in text_of(case_document(played(play(tmp_path, "garbage")[1], ["./adapter"])))


@pytest.mark.long
def test_a_process_that_closes_its_output_is_a_crash_and_is_stopped(tmp_path: Path) -> None:
    results = play(tmp_path, "deaf")
    assert verdicts(results) == ["crash"] * 3
    assert "closed its standard output" in results[0].faults[0].got


def test_a_hanging_process_and_its_children_are_gone_afterwards(tmp_path: Path) -> None:
    note = tmp_path / "processes"
    play(tmp_path, "hang", str(note))
    for number in note.read_text().split():
        assert gone(int(number))


def gone(number: int) -> bool:
    for _ in range(100):
        try:
            os.kill(number, 0)
            state = Path(f"/proc/{number}/stat")
            if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
                return True  # dead, and only waits for its new parent to look
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def test_a_command_that_does_not_exist_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be started"), Pipe([str(tmp_path / "nothing")], QUICK) as pipe:
        pipe.hello()


def test_of_a_program_that_is_called_otherwise_here_the_other_name_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian has a ``python3``, and no ``python``."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CommandError, match="there is no program “snake” here\\."), Pipe(["snake"], QUICK) as pipe:
        pipe.hello()
    (tmp_path / "snake3").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "snake3").chmod(0o755)
    with pytest.raises(CommandError, match="but there is “snake3”"), Pipe(["snake"], QUICK) as pipe:
        pipe.hello()


PROBES = """
  - id: own-probe-1
    title: A refused move
    clauses: [paulista.dirty-deck]
    level: must
    moves: [refused: P2 3H]
  - id: own-probe-2
    title: An allowed move
    clauses: [paulista.dirty-deck]
    level: must
    moves: [allowed: P1 3C]
  - id: own-probe-3
    title: An observation
    clauses: [paulista.dirty-deck]
    level: must
    moves: [P1 3C, expect: {trick: null}]
"""


def test_a_yes_man_passes_only_where_something_is_allowed(tmp_path: Path) -> None:
    assert verdicts(play(tmp_path, "yes_man", cases=PROBES)) == ["fail", "pass", "unobserved"]


def test_a_no_man_passes_only_where_something_is_refused(tmp_path: Path) -> None:
    assert verdicts(play(tmp_path, "no_man", cases=PROBES)) == ["pass", "fail", "fail"]


def test_the_reference_engine_is_judged_alike_in_process_and_over_the_pipe(tmp_path: Path) -> None:
    from truco_spec.conformance.adapters.reference import Reference

    cases = instances(tmp_path, PROBES + TRICK)
    here = runner.run(cases, Reference())
    with Pipe([*command("echo")], type(QUICK)(case=20, start=20)) as pipe:
        there = runner.run(cases, pipe)
    assert verdicts(here) == ["pass"] * 4
    assert there == here


TRICK = """
  - id: own-trick-1
    title: A trick
    clauses: [paulista.dirty-deck]
    level: must
    deal: {vira: 5H}
    moves:
      - legal: {P1: [cards, truco], P2: []}
      - P1 3C, P2 2H, P3 KS, P0 5D
      - expect: {trick: P3, leader: P1, acting: [P1], stake: 1}
      - view: {seat: P2, sees: [3C, 5D]}
"""

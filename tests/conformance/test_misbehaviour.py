"""What adapters can do wrong in the midst of a run, as ``truco-spec test`` judges it: each costs its own cases, shifts
no answer of another, and leaves no process behind.

The honest table tells as stake the points of P1. So a case that passes has had its own answer.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tables import DEAL, case_file, command, instances

from truco_spec.cli import main
from truco_spec.conformance.adapters.pipe import Pipe
from truco_spec.conformance.runner import runner

MARK = "TRUCO_SPEC_TEST_MARK"


def case(name: str, points: int, more: str = "", moves: str = "") -> str:
    return f"""
  - id: own-{name}-{points}
    title: The stake is as many as the points
    clauses: [paulista.dirty-deck]
    level: must
    score: {{P1: {points}}}
    deal: {DEAL}
    {more or "dealer: P0"}
    moves: {moves or f"[P1 3C, expect: {{stake: {points}}}]"}
"""


FIVE = "".join(case("good", points) for points in (1, 2, 3, 4, 5))


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A word in the environment of everything that the test starts; nothing that bears it is alive afterwards."""
    word = tmp_path.as_posix()
    monkeypatch.setenv(MARK, word)
    yield word
    assert left(word) == []


def left(word: str) -> list[str]:
    """The command lines of the processes that bear the mark, once they have had a moment to go."""
    wanted = f"{MARK}={word}".encode()
    for _ in range(100):
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                dead = (process / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
                bears = wanted in (process / "environ").read_bytes().split(b"\0")
                if bears and not dead and int(process.name) != os.getpid():
                    found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:  # it has gone, or it is somebody else's
                continue
        if not found:
            break
        time.sleep(0.02)
    return found


def play(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    name: str,
    *arguments: str,
    cases: str = FIVE,
    timeout: float = 1.5,
    more: tuple[str, ...] = (),
) -> tuple[int, list[tuple[str, str]]]:
    """The exit status, and for each case the verdict and what is said of it."""
    path = case_file(folder, cases)
    words = ["test", "--no-causes", "--cases", str(path), "--timeout", str(timeout), "--report", "json:-", *more, "--"]
    with pytest.raises(SystemExit) as end:
        main([*words, *command(name, *arguments)])
    report = json.loads(capsys.readouterr().out)
    told = [(c["verdict"], " ".join(f["got"] for f in c["faults"]) or c["reason"]) for c in report["cases"]]
    return int(str(end.value.code)), told


GOOD = [
    "answers_bye",
    "blank_lines",
    "children",
    "echoing_child",
    "honest",
    "ignores_bye",
    "no_log",
    "noisy",
    "twice",
]


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", GOOD)
def test_what_does_no_harm_costs_nothing(
    name: str, mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, told = play(capsys, tmp_path, name, timeout=5)
    assert (status, [verdict for verdict, _ in told]) == (0, ["pass"] * 5)


ONE_CASE = {
    "ahead": ("protocol", "A wrong number"),
    "big_number": ("protocol", "Garbage"),
    "halts": ("timeout", "No answer within 1.5 s"),
    "latin": ("protocol", "Garbage"),
    "mutters": ("timeout", "No answer within 1.5 s"),
    "no_number": ("protocol", 'Garbage instead of an answer: \'{"id": "…"'),
    "orphan": ("timeout", "it ended with exit status 1, and another process holds its output open"),
    "out_of_order": ("timeout", "No answer within 1.5 s"),  # asked once more and alone it says nothing
    "shuts_ears": ("timeout", "No answer within 1.5 s"),
    "unfinished": ("timeout", 's, only a line without a newline: \'{"id": "…"'),
    "whispering_child": ("protocol", "A wrong number"),
    "wrong_types": ("protocol", "A wrong answer"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ONE_CASE)
def test_a_fault_costs_its_own_case(name: str, mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict, words = ONE_CASE[name]
    status, told = play(capsys, tmp_path, name)
    assert (status, [verdict for verdict, _ in told]) == (1, ["pass", "pass", verdict, "pass", "pass"])
    assert words in told[2][1]


@pytest.mark.long
@pytest.mark.parametrize("name", ["ahead", "latin", "shuts_ears", "whispering_child"])
def test_of_several_processes_one_goes_wrong_and_costs_the_same_case(
    name: str, mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, told = play(capsys, tmp_path, name, more=("-j", "3"))
    assert [verdict for verdict, _ in told] == ["pass", "pass", ONE_CASE[name][0], "pass", "pass"]
    assert ONE_CASE[name][1] in told[2][1]


def test_who_ends_after_an_answer_has_given_it_and_the_next_case_finds_nobody(
    mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, told = play(capsys, tmp_path, "one_shot")
    assert [verdict for verdict, _ in told] == ["pass", "pass", "pass", "crash", "pass"]
    assert "it ended with exit status 0" in told[3][1]


@pytest.mark.long
def test_who_never_reads_again_costs_every_case_its_time(
    mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, told = play(capsys, tmp_path, "unread", timeout=0.3)
    assert (status, told) == (1, [("timeout", "No answer within 0.3 s.")] * 5)


def test_who_claims_otherwise_after_a_restart_is_not_heard_any_more(
    mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, told = play(capsys, tmp_path, "two_faced", str(tmp_path / "been-here"))
    assert [verdict for verdict, _ in told] == ["pass", "pass", "crash", "protocol", "protocol"]
    assert all("introduced itself differently" in words for _, words in told[3:])


# ---- lies about what is supported -----------------------------------------------------------------


def test_a_variant_that_is_claimed_and_not_played_is_an_error_of_its_cases_only(
    mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = (
        case("claim", 1)
        + case("claim", 2, "applies: {variants: [mineiro]}")
        + case("claim", 3, "players: 2").replace(DEAL, "{P1: 3C 2C 7S, P0: 4C 4H 5D, vira: 5H}")
        + case("claim", 4, "applies: {variants: [nowadays]}")
        + case("claim", 5)
    )
    status, told = play(capsys, tmp_path, "claims_variants", cases=cases)
    assert [verdict for verdict, _ in told] == ["pass", "error", "error", "unsupported", "pass"]
    assert "what is that?" in told[1][1]
    assert status == 1


def test_what_is_claimed_to_be_seen_and_never_told_is_unobserved_and_never_passed(
    mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = (
        case("sight", 1)
        + case("sight", 2, moves="[P1 3C, expect: {trick: null}]")
        + case("sight", 3, moves="[P1 3C, legal: {P2: [cards]}]")
        + case("sight", 4, moves="[P1 3C, view: {seat: P1, hides: 3H}]")
        + case("sight", 5, moves="[deals: {times: 5, counts: {P0: 3}}]")
        + case("sight", 6)
    )
    status, told = play(capsys, tmp_path, "claims_observations", cases=cases)
    assert [verdict for verdict, _ in told] == ["pass", *["unobserved"] * 3, "protocol", "pass"]
    assert "0 deals were answered; 5 were asked for" in told[4][1]
    assert status == 1


def test_an_option_that_is_claimed_and_not_heeded_fails_where_it_matters(
    mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dealer = "options: {tied-hand: dealer}"
    cases = (
        case("option", 1, dealer)
        + case("option", 2, dealer, "[P1 3C, expect: {stake: 1}]")  # it has two points, it tells
        + case("option", 3, "options: {tied-hand: carries}")
        + case("option", 4, "options: {covering: never}")
        + case("option", 5)
    )
    status, told = play(capsys, tmp_path, "claims_options", cases=cases)
    assert [verdict for verdict, _ in told] == ["pass", "fail", "unsupported", "unsupported", "pass"]
    assert [words for _, words in told[2:4]] == ["has no option tied-hand carries", "has no option covering never"]


def test_an_option_that_nobody_has_cannot_always_be_played(
    mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Pipe(command("always_otherwise")) as pipe:
        result = runner.play(instances(tmp_path)[0], pipe)
    assert result.verdict == "protocol"
    assert "hello says that it always plays moon full" in result.faults[0].got


def test_what_is_told_without_being_listed_is_judged_all_the_same(
    mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = (
        case("told", 1)
        + case("told", 2, moves="[P1 3C, P2 3H, P3 KS, P0 4C, expect: {trick: P1}]")
        + case("told", 3, moves="[P1 3C, expect: {trick: null}]")
        + case("told", 4, moves="[P1 3C, expect: {leader: null}]")
        + case("told", 5)
    )
    status, told = play(capsys, tmp_path, "unlisted", cases=cases)
    assert [verdict for verdict, _ in told] == ["pass", "pass", "fail", "unobserved", "pass"]
    assert status == 1


def test_every_miniature_is_tried() -> None:
    folder = Path(command("honest")[1]).parent
    tests = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    names = [path.stem for path in folder.glob("*.py") if path.stem != "table"]
    assert [name for name in names if not any(f'"{name}"' in text for text in tests)] == []

"""``truco-spec test --report``: what is written, what is refused before the run, and what a stopped run leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tables import THREE, case_file, command

from truco_spec.cli.commands import main
from truco_spec.conformance.reports.events import run_in
from truco_spec.conformance.reports.formats import FORMATS


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(["test", "--no-causes", *arguments])
    return end.value.code


def written(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_all_formats_of_one_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases, out = case_file(tmp_path, THREE), tmp_path / "out"
    out.mkdir()
    wanted = [f"--report={name}:{out / name}" for name in FORMATS]
    assert status("--cases", str(cases), *wanted, "--", *command("wrong")) == 1
    assert written(out) == sorted(FORMATS)
    assert "FAIL own-three-1" in capsys.readouterr().out
    run = run_in((out / "jsonl").read_text(), "r")
    assert run.whole and [case.verdict for case in run.cases] == ["fail"] * 3
    assert run_in((out / "json").read_text(), "r").cases == run.cases
    assert ET.parse(out / "junit").getroot().get("failures") == "3"
    assert all(played.script and played.script.hands for played in run.played)
    assert run.played[0].repeat.startswith("truco-spec test --case own-three-1 --cases ")


@pytest.mark.long
def test_two_runs_write_the_same_but_for_the_last_line(tmp_path: Path) -> None:
    cases = case_file(tmp_path, THREE)
    files = [tmp_path / "first.jsonl", tmp_path / "second.jsonl"]
    for file in files:
        assert status("--cases", str(cases), "--report", str(file), "--", *command("garbage")) == 1
    first, second = (file.read_text().splitlines() for file in files)
    assert first[:-1] == second[:-1]
    ends = [{**json.loads(lines[-1]), "timing": None} for lines in (first, second)]
    assert ends[0] == ends[1]


def test_a_report_instead_of_the_story(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("--cases", str(case_file(tmp_path, THREE)), "--report", "tap:-", "--", *command("honest")) == 0
    out = capsys.readouterr().out
    assert out.startswith("TAP version 14\n1..3\n")
    assert not any("must" in line for line in out.splitlines())


REFUSED = {
    "no format": (["report"], "Which format?"),
    "no file": (["junit:"], "No file is named"),
    "no folder": (["nowhere/report.html"], "nowhere/report.html: error: This file cannot be written"),
    "a folder": (["html:."], ".: error: This file cannot be written: Is a directory"),
    "twice": (["a.xml", "junit:./a.xml"], "Two reports are to be written to"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_written_is_found_before_the_run(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cases, here = case_file(tmp_path, THREE), tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    given, words = REFUSED[what]
    wanted = [part for report in ("good.jsonl", "good.md", *given) for part in ("--report", report)]
    assert status("--cases", str(cases), *wanted, "--", "would-be-started") == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1
    assert words in told[0]
    assert written(here) == []


def test_a_run_that_does_not_begin_leaves_the_reports_of_the_last(tmp_path: Path) -> None:
    file = tmp_path / "last.jsonl"
    file.write_text("as it was")
    assert status("--cases", str(case_file(tmp_path, THREE)), "--report", str(file), "--", str(tmp_path / "no")) == 2
    assert file.read_text() == "as it was"
    assert written(tmp_path) == ["cases.yaml", "last.jsonl"]


def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    status("--cases", str(case_file(tmp_path, THREE)), "--report", f"html:{os.devnull}", "--", *command("honest"))
    assert Path(os.devnull).is_char_device()


# ---- stopped ------------------------------------------------------------------------------------


def stopped(folder: Path, with_signal: int) -> int:
    """The status of a run whose second case hangs, stopped there."""
    cases, lines = case_file(folder, THREE), folder / "out.jsonl"
    arguments = ["--cases", str(cases), "--timeout", "60", "--report", str(lines), "--report", str(folder / "out.tap")]
    arguments += ["--write-expected", str(folder / "known.yaml")]
    child = subprocess.Popen(
        [sys.executable, "-m", "truco_spec", "test", *arguments, "--", *command("hang", str(folder / "note"))],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for _ in range(400):
        if (folder / "note").exists() and (folder / "note").read_text() and '"event": "case"' in lines.read_text():
            break
        time.sleep(0.05)
    child.send_signal(with_signal)
    out, err = child.communicate(timeout=30)
    assert "Traceback" not in err
    return child.returncode


@pytest.mark.long
@pytest.mark.usefixtures("hearing")
@pytest.mark.parametrize(("with_signal", "wanted"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_run_that_is_stopped_reports_what_was_done(tmp_path: Path, with_signal: int, wanted: int) -> None:
    assert stopped(tmp_path, with_signal) == wanted
    run = run_in((tmp_path / "out.jsonl").read_text(), "r")
    assert [case.name for case in run.cases] == ["own-three-1"]
    assert run.ended is not None and run.ended.interrupted and not run.whole
    assert not (tmp_path / "known.yaml").exists()  # of the other cases nobody knows
    assert (tmp_path / "out.tap").read_text().endswith("Bail out! The run was broken off after 1 of 3 cases.\n")
    for number in (tmp_path / "note").read_text().split():
        assert not alive(int(number))


@pytest.mark.long
@pytest.mark.usefixtures("hearing")
def test_a_run_that_is_stopped_before_anything_is_judged_says_so(tmp_path: Path) -> None:
    note, lines = tmp_path / "note", tmp_path / "out.jsonl"
    deaf = f"import pathlib, time; pathlib.Path({str(note)!r}).touch(); time.sleep(60)"
    reports = ["--report", str(lines), "--report", str(tmp_path / "out.md")]
    child = subprocess.Popen(
        [sys.executable, "-m", "truco_spec", "test", "--timeout", "60", *reports, "--", sys.executable, "-c", deaf],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for _ in range(400):
        if note.exists():
            break
        time.sleep(0.05)
    time.sleep(1)  # whether the cases are being read or the adapter is waited for
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out) == (130, "")
    assert err.endswith("Stopped before any case was judged.\n") and "Traceback" not in err
    run = run_in(lines.read_text(), "r")
    assert run.cases == () and run.ended is not None and run.ended.interrupted
    assert "broken off" in (tmp_path / "out.md").read_text()


@pytest.mark.long
def test_a_run_that_is_killed_leaves_its_lines(tmp_path: Path) -> None:
    assert stopped(tmp_path, signal.SIGKILL) == -signal.SIGKILL
    run = run_in((tmp_path / "out.jsonl").read_text(), "r")
    assert [case.verdict for case in run.cases] == ["pass"]
    assert run.ended is None
    assert not [name for name in written(tmp_path) if "tap" in name]
    for number in (tmp_path / "note").read_text().split():
        if alive(int(number)):
            os.kill(int(number), signal.SIGKILL)


def alive(number: int) -> bool:
    for _ in range(60):
        state = Path(f"/proc/{number}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.01)
    return True

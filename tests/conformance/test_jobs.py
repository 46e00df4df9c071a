"""``truco-spec test -j N``: the same reports for any number of processes; limits that are asked for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tables import DEAL, THREE, case_file, command

from truco_spec import cli
from truco_spec.base import shipped
from truco_spec.cli.commands import main
from truco_spec.conformance.adapters import process
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.reports.events import run_in

FORMATS = ("json", "jsonl", "badge")
"""All others are made of the lines."""

COUNT, WHERE = 29, 20
"""As many as can be told apart by a score with which a game can begin; by the second several are asked ahead."""
HIGHEST = 12
"""The highest stake that the rules know of."""

MANY = "".join(
    f"""
  - id: own-many-{points}
    title: The stake is as many as the points, where it can be
    clauses: [paulista.dirty-deck]
    level: must
    options: {{target: 30}}
    score: {{P1: {points}}}
    deal: {DEAL}
    moves: [P1 3C, expect: {{stake: {min(points, HIGHEST)}}}{", allowed: P2 3H" if points % 7 == 0 else ""}]
"""
    for points in range(1, COUNT + 1)
)

NO_TIME = {"began": "", "milliseconds": 0}


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(["test", "--no-causes", *arguments])
    return end.value.code


def reports(folder: Path, jobs: int, *arguments: str) -> dict[str, str]:
    """What a run writes, but for its times."""
    place = folder / str(jobs)
    place.mkdir()
    wanted = [f"--report={name}:{place / name}" for name in FORMATS]
    status("-j", str(jobs), *wanted, *arguments)
    found = {name: (place / name).read_text(encoding="utf-8") for name in FORMATS}
    lines = found["jsonl"].splitlines()
    found["jsonl"] = "\n".join([*lines[:-1], json.dumps(json.loads(lines[-1]) | {"timing": NO_TIME})]) + "\n"
    return found


@pytest.mark.long
@pytest.mark.parametrize("how", ["crash", "error", "garbage", "nothing"])
def test_reports_are_the_same_for_any_number_of_processes(how: str, tmp_path: Path) -> None:
    cases = ["--cases", str(case_file(tmp_path, MANY)), "--", *command("at", how, str(WHERE))]
    first, *others = (reports(tmp_path, jobs, *cases) for jobs in (1, 2, 5))
    assert len(run_in(first["jsonl"], "r").played) == COUNT
    assert others == [first, first]


@pytest.mark.long
def test_the_reference_engine_and_classes_are_played_by_workers(tmp_path: Path) -> None:
    cases = ["--cases", str(corpus.corpus_folder() / "paulista" / "two-players.yaml")]
    template = str(shipped.folder("conformance") / "adapters" / "template" / "adapter.py")
    for number, more in enumerate(([], ["--python", f"{template}:Adapter"])):
        folder = tmp_path / str(number)
        folder.mkdir()
        first, second = (reports(folder, jobs, *cases, *more) for jobs in (1, 2))
        assert second == first
        assert run_in(first["jsonl"], "r").played


@pytest.mark.long
@pytest.mark.usefixtures("hearing")
@pytest.mark.parametrize(("with_signal", "ends"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_run_of_several_processes_that_is_stopped_tells_what_was_done(
    with_signal: signal.Signals, ends: int, tmp_path: Path
) -> None:
    cases, lines = case_file(tmp_path, MANY), tmp_path / "out.jsonl"
    arguments = ["-j", "2", "--cases", str(cases), "--timeout", "60", "--report", str(lines)]
    child = subprocess.Popen(
        [sys.executable, "-m", "truco_spec", "test", *arguments, "--", *command("at", "hang", "20")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for _ in range(1200):
        if lines.exists() and lines.read_text().count('"event": "case"') >= 19:
            break
        time.sleep(0.05)
    os.kill(child.pid, with_signal)
    _, err = child.communicate(timeout=60)
    run = run_in(lines.read_text(), "r")
    assert child.returncode == ends
    assert "Traceback" not in err
    assert run.ended is not None and run.ended.interrupted
    names = [case.name for case in run.cases]
    assert names[:19] == [f"own-many-{number}" for number in range(1, 20)]
    assert names == sorted(names, key=lambda name: int(name.rpartition("-")[2]))  # those beyond the one that hangs too


@pytest.mark.long
@pytest.mark.usefixtures("hearing")
def test_workers_are_not_waited_for_when_a_run_is_stopped(tmp_path: Path) -> None:
    note, adapter = tmp_path / "note", tmp_path / "adapter.py"
    adapter.write_text(
        f"""
import time
HELLO = dict(protocol=1, name="n", version="1", variants=dict(paulista=dict(players=[4])), observes=["stake"])
class Adapter:
    def hello(self):
        return HELLO
    def run(self, script):
        open({str(note)!r}, "w").close()
        time.sleep(600)
""",
        encoding="utf-8",
    )
    cases = str(case_file(tmp_path, THREE))
    child = subprocess.Popen(
        [sys.executable, "-m", "truco_spec", "test", "-j", "2", "--cases", cases, "--python", f"{adapter}:Adapter"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for _ in range(1200):
        if note.exists():
            break
        time.sleep(0.05)
    os.kill(child.pid, signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "Traceback" not in err


@pytest.mark.parametrize(("given", "words"), [("much", "is no amount of memory"), ("-1", "is no amount of memory")])
def test_an_amount_of_memory_that_is_none_is_told(
    given: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("--memory", given, "--cases", str(case_file(tmp_path, THREE)), "--", *command("honest")) == 2
    assert words in capsys.readouterr().err


def test_memory_may_be_limited_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = case_file(tmp_path, MANY)
    assert status("--memory", "200M", "--cases", str(cases), "--", *command("at", "hog", "20")) == 1
    assert "It used more than 200M of memory." in capsys.readouterr().out


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "words", [["--report", "nowhere/report.html"], ["--help"], ["--json", "nowhere/x"], ["--nonsense"]]
)
def test_nothing_is_begun_where_something_is_to_be_looked_at_before(words: list[str], tmp_path: Path) -> None:
    note = tmp_path / "note"
    program = f"open({str(note)!r}, 'w').close()"
    with pytest.raises(SystemExit):
        cli.main(["test", *words, "--", sys.executable, "-c", program])
    time.sleep(0.3)
    assert not note.exists()


def test_an_amount_that_cannot_be_looked_at_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(process, "_PROC", str(tmp_path / "nowhere"))
    cases = str(case_file(tmp_path, THREE))
    assert status("--cases", cases, "--", *command("honest")) == 0
    assert capsys.readouterr().err == ""
    assert status("--memory", "1G", "--cases", cases, "--", *command("honest")) == 0
    assert capsys.readouterr().err.count("this system has no /proc") == 1


def test_an_adapter_that_was_started_for_nothing_is_gone(tmp_path: Path) -> None:
    note = tmp_path / "note"
    program = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    with pytest.raises(SystemExit) as end:
        cli.main(["test", "--cases", str(tmp_path / "nowhere.yaml"), "--", sys.executable, "-c", program])
    assert end.value.code == 2
    if note.exists() and note.read_text():
        with pytest.raises(ProcessLookupError):
            os.kill(int(note.read_text()), 0)

"""A campaign finds the same wherever it is played; what cannot be played on is reported in one line."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from test_misbehaviour import MARK, left
from wrong import LEADER, Wrong

from truco_spec.cli import main
from truco_spec.conformance.corpus.protocol import Script, Seen
from truco_spec.conformance.fuzz import dask_cluster
from truco_spec.conformance.fuzz.dask_cluster import ExecutorError, cluster, rules_digest, standing
from truco_spec.conformance.fuzz.findings import text_of_outcome
from truco_spec.conformance.fuzz.fuzz import fuzz
from truco_spec.conformance.fuzz.rounds import Job, Part

ADAPTER = Path(__file__).with_name("wrong_adapter.py")
JOB = Job(partial(Wrong, LEADER), "paulista", 2, {}, 1, 20, part=5)


LIGHT = {
    "processes": False,
    "protocol": "tcp://",
    "host": "127.0.0.1",
    "dashboard_address": ":0",
    "silence_logs": 50,
}
"""In threads of this process, and asked over the network all the same."""


def who() -> str:
    """The implementation, as it tells itself here."""
    return "wrong 1"


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    """A cluster of one worker."""
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **LIGHT) as cluster:
        yield cluster


def address(local: Any) -> str:
    return str(local.scheduler_address).replace("tcp://", "dask://")


@pytest.mark.long
def test_a_cluster_finds_the_same(local: Any) -> None:
    here = fuzz(JOB)
    with cluster(address(local), who) as executor:
        there = fuzz(JOB, executor)
    assert text_of_outcome(there, 1) == text_of_outcome(here, 1)
    assert there.found


def interrupted(part: Part) -> None:
    raise KeyboardInterrupt


@pytest.mark.long
def test_who_interrupts_on_a_cluster_or_here_is_told_of_the_parts_that_were_done(local: Any) -> None:
    with cluster(address(local), who) as executor:
        there = fuzz(JOB, executor, interrupted)
    here = fuzz(JOB, None, interrupted)
    assert text_of_outcome(there, 1) == text_of_outcome(here, 1)
    assert isinstance(there.stopped, KeyboardInterrupt)
    assert 5 <= there.hands < 10
    assert "Not cut down: the command ended before." in text_of_outcome(there, 1)


@pytest.mark.long
def test_who_interrupts_the_cutting_down_is_told_what_was_cut_down() -> None:
    def enough(done: int, of: int) -> None:
        raise KeyboardInterrupt

    class Two(Wrong):
        """The stake is too much where P0 deals, and too little where another does."""

        def run(self, script: Script) -> Seen:
            hands = super().run(script)
            for hand in hands:
                for entry in (hand.start, *hand.seen):
                    entry.update({"stake": 99 if script.dealer == "P0" else 0})  # type: ignore[attr-defined]
            return hands

    two = Job(partial(Two, ""), "paulista", 2, {}, 1, 20)
    found = fuzz(two, None, lambda part: None, enough)
    assert [each.cut for each in found.found].count(True) == 1
    assert len(found.found) > 1


@pytest.mark.long
def test_the_command_plays_on_a_cluster(local: Any, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for more in ((), ("--executor", address(local))):
        with pytest.raises(SystemExit) as end:
            main(["fuzz", "--no-causes", "--hands", "20", *more, "--python", f"{ADAPTER}:Mistaken"])
        told.append((end.value.code, capsys.readouterr().out))
    assert told[0] == told[1]
    assert told[0][0] == 1


@pytest.mark.long
@pytest.mark.parametrize("given", [("--depth", "8"), ("--depth", "8", "--divide"), ("--shipped", "paulista")])
def test_a_cluster_counts_the_same(local: Any, capsys: pytest.CaptureFixture[str], given: tuple[str, ...]) -> None:
    log = "paulista | ana bia | dealer ana | deal bia 3C 4D 7S, ana KS JS QS, vira 5H"
    told = []
    for more in (("-j", "1"), ("--executor", address(local))):
        with pytest.raises(SystemExit) as end:
            main(["perft", *given, *more, *(() if "--shipped" in given else (log,))])
        told.append((end.value.code, capsys.readouterr().out))
    assert told[0][0] == 0
    assert told[1] == told[0]


def test_a_worker_with_other_rules_or_another_implementation_is_told(
    local: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["wrong 1", "wrong 2"])
    with (
        pytest.raises(
            ExecutorError, match=r"The worker tcp://.* differs in “implementation”: wrong 2; here it is wrong 1"
        ),
        cluster(address(local), partial(next, answers)),
    ):
        pass
    digests = iter(["aaa", "bbb"])
    monkeypatch.setattr(dask_cluster, "rules_digest", partial(next, digests))
    with (
        pytest.raises(ExecutorError, match="differs in “set of rules”: bbb; here it is aaa"),
        cluster(address(local), who),
    ):
        pass


def test_what_has_to_be_the_same_is_told() -> None:
    told = standing(who)
    assert told["implementation"] == "wrong 1"
    assert told["set of rules"] == rules_digest()
    assert len(rules_digest()) == 12


def test_no_scheduler_there_is_one_line_after_a_bounded_wait() -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    with socket.socket() as taken:  # a port that nobody listens at
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with (
            pytest.raises(ExecutorError, match=f"No scheduler answers at 127.0.0.1:{port} within 0.5 s"),
            cluster(f"dask://127.0.0.1:{port}", who, patience=0.5),
        ):
            pass


def test_a_scheduler_without_workers_is_one_line() -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with (
        distributed.LocalCluster(n_workers=0, **LIGHT) as empty,
        pytest.raises(ExecutorError, match="has no workers"),
        cluster(address(empty), who, patience=0.5),
    ):
        pass


@pytest.mark.parametrize(
    "given", ["dask://", "dask://host", "dask://:8786", "dask://host:port", "ray://host:1", "host:1"]
)
def test_what_is_no_address_is_told(given: str) -> None:
    with pytest.raises(ExecutorError, match=r"Write dask://HOST:PORT"), cluster(given, who):
        pass


def test_without_the_package_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match=r"pip install 'truco-spec\[dask\]'"), cluster("dask://localhost:1", who):
        pass


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--executor", "here"), "is no executor"),
        (("--executor", "dask://localhost:1", "-j", "2"), "either -j or --executor"),
    ],
)
def test_the_command_ends_with_2(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["fuzz", *arguments, "--python", f"{ADAPTER}:Right"])
    assert (end.value.code, message in capsys.readouterr().err) == (2, True)


def test_nothing_of_a_cluster_is_imported_unless_it_is_asked_for() -> None:
    code = (
        "import sys; from truco_spec.base.processes import processes\n"
        "from truco_spec.conformance.fuzz.fuzz import fuzz\n"
        "print([name for name in ('dask', 'distributed', 'tornado') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


@pytest.mark.sample(0, long=2)
@pytest.mark.usefixtures("hearing")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("workers", [1, 2])
def test_who_interrupts_is_told_what_was_found_and_nothing_is_left(
    number: signal.Signals, workers: int, tmp_path: Path
) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(_SERVED.format(folder=str(ADAPTER.parent)), encoding="utf-8")
    word = tmp_path.as_posix()
    command = [sys.executable, "-m", "truco_spec", "fuzz", "--no-causes", "--hands", "100000", "-j", str(workers)]
    process = subprocess.Popen(
        [*command, "--", sys.executable, str(adapter), word],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, MARK: word},
    )
    begun = Path(word) / "many"
    while not begun.exists() and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (128 + number, "")
    stopped = re.search(r"^ +- Stopped after (\d+) hands", out, re.MULTILINE)
    assert stopped is not None and 0 < int(stopped[1]) < 250  # of its first part, too
    assert "expected  " in out and "Not cut down" in out
    assert left(word) == []


_SERVED = """
import json, pathlib, sys
sys.path.insert(0, {folder!r})
from wrong_adapter import Mistaken
adapter, asked = Mistaken(), 0
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "bye":
        break
    asked += 1
    if asked == 12:
        (pathlib.Path(sys.argv[1]) / "many").touch()
    answer = adapter.run(request["script"]) if request["do"] == "run" else adapter.hello()
    print(json.dumps({{"id": request["id"], **answer}}), flush=True)
"""

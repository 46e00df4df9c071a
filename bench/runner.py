"""What the runner adds to an adapter: cases per second with adapters that do next to nothing."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from truco_spec.base import shipped
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus, ready
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Introduction, OwnDeals, Plan, Script
from truco_spec.conformance.runner.runner import run as run_cases

ROOT = Path(__file__).resolve().parents[1]
ADAPTERS = {
    "Python": [sys.executable, str(ROOT / "bench" / "echo" / "adapter.py")],
    "Node": ["node", str(ROOT / "bench" / "echo" / "adapter.js")],
}
_AHEAD = 32

# Runs the command line and tells the processor time of this process, and that of all that it waited for.
_TIMED = """
import json, os, sys
sys.argv[0] = "truco-spec"
try:
    from truco_spec.cli import main
    main(sys.argv[2:])
finally:
    t = os.times()
    with open(sys.argv[1], "w") as file:
        json.dump([t.user + t.system, t.children_user + t.children_system], file)
"""


def adapters() -> dict[str, list[str]]:
    """The adapters that can run on this machine."""
    return {name: command for name, command in ADAPTERS.items() if shutil.which(command[0])}


def rates(name: str, count: int, rounds: int) -> dict[str, object]:
    """Two-trick cases per second of one core, runner and adapter together, beside a ruler that only sends such lines
    and reads lines; all in processor time, with the starts of all programs in it."""
    command = ADAPTERS[name]
    with tempfile.TemporaryDirectory() as folder:
        cases = Path(folder) / "two-tricks.yaml"
        cases.write_text("".join(two_tricks(count)), encoding="utf-8")
        few = Path(folder) / "few.yaml"
        few.write_text("".join(two_tricks(1)), encoding="utf-8")
        run(few, command, folder)
        whole, start, ruled = [], [], []
        for _ in range(rounds):  # in turns: a busy machine slows all of them
            whole.append(run(cases, command, folder))
            start.append(sum(run(few, command, folder)))
            ruled.append(ruler(command, count))
    seconds = statistics.median(own + others for own, others in whole)
    return {
        "cases per second": round(count / seconds),
        "cases per second, but for the starts": round(count / (seconds - statistics.median(start))),
        "ruler, lines per second": round(count / statistics.median(ruled)),
        "runner : ruler, time": round(statistics.median([sum(a) / b for a, b in zip(whole, ruled, strict=True)]), 1),
        "outside the adapter (%)": round(100 * statistics.median(own / (own + others) for own, others in whole)),
    }


class _Recorded:
    """An implementation that knows its answers: those of the reference engine."""

    def __init__(self, plans: Iterable[Plan]) -> None:
        self.reference = Reference()
        self.answers = {repr(each): self._answer(each) for plan in plans for each in plan.requests}

    def _answer(self, request: Script | OwnDeals) -> Any:
        return self.reference.run(request) if isinstance(request, Script) else self.reference.deal(request)

    def hello(self) -> Introduction:
        return self.reference.hello()

    def run(self, script: Script) -> Any:
        return self.answers[repr(script)]

    def deal(self, request: OwnDeals) -> Any:
        return self.answers[repr(request)]

    def close(self) -> None:
        pass


def judging(variant: str, rounds: int) -> dict[str, object]:
    """Shipped cases of a variant per second of processor time that are read, asked and judged, beside only reading
    their lines as JSON; the answers are known."""
    cases = chosen(corpus.load(), variants=[variant])
    recorded = _Recorded(map(ready.whole, cases))
    lines = (shipped.folder("conformance") / "scripts" / f"{variant}.jsonl").read_text(encoding="utf-8").splitlines()
    judged, ruled = [], []
    for _ in range(rounds):
        begin = time.process_time()
        results = run_cases(cases, recorded)
        judged.append(time.process_time() - begin)
        begin = time.process_time()
        for line in lines:
            json.loads(line)
        ruled.append(time.process_time() - begin)
        assert all(result.verdict == "pass" for result in results)
    return {
        "cases per second": round(len(cases) / statistics.median(judged)),
        "judging : reading JSON, time": round(
            statistics.median([a / b for a, b in zip(judged, ruled, strict=True)]), 1
        ),
    }


def two_tricks(count: int) -> Iterator[str]:
    """A file of cases: two tricks for two players, each with cards of its own."""
    yield "corpus: 1\nsource: pagat\napplies: {variants: [paulista], players: [2]}\ncases:\n"
    suits = "CHSD"
    deals = itertools.product(suits, suits, suits, "7QJ", suits, suits, "KA")
    for number, (a, b, c, rank, d, e, other) in enumerate(itertools.islice(deals, count)):
        yield (
            f"  - id: bench-two-tricks-{number}\n    title: Two tricks\n    clauses: [paulista.dirty-deck]\n"
            f"    level: must\n    deal: {{P1: 3{a} 2{c} {rank}{d}, P0: 4{b} {other}{e} 5C, vira: 5H}}\n"
            f"    moves: [P1 3{a}, P0 4{b}, expect: {{stake: 1}}, P1 2{c}, P0 5C, expect: {{proposal: null}}]\n"
        )


def run(cases: Path, command: Sequence[str], kept: str) -> tuple[float, float]:
    """Seconds of processor time that a run takes: those of the runner, and those of the adapter."""
    return run_command(_test(cases, command), kept)


def run_command(words: Sequence[str], kept: str) -> tuple[float, float]:
    """Seconds of processor time that a command of truco-spec takes: its own, and those of what it starts."""
    told = Path(kept) / "times.json"
    _python(["-c", _TIMED, str(told), *words], kept, negative=True)
    own, others = json.loads(told.read_text())
    return own, others


def _test(cases: Path, command: Sequence[str]) -> list[str]:
    return ["test", "--quiet", "--no-null", "--cases", str(cases), "--", *command]


def _python(arguments: Sequence[str], kept: str, *, negative: bool = False) -> str:
    """What a Python on one core prints, with a folder of its own; ``negative``: it may end with status 1."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"XDG_CACHE_HOME": kept, "PYTHONPYCACHEPREFIX": str(Path(kept) / "compiled")}
    command = [*one_core(), sys.executable, *arguments]
    ended = subprocess.run(command, check=False, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    if not (negative and ended.returncode == 1):
        ended.check_returncode()
    return ended.stdout


def one_core() -> list[str]:
    """What stands before a command so that it, and all that it starts, runs on one core."""
    return ["taskset", "-c", "0"] if shutil.which("taskset") else []


def ruler(command: Sequence[str], count: int) -> float:
    """Seconds of processor time to send a number of lines, some ahead, and to read as many: nothing is looked at."""
    line = json.dumps(_like_a_case()).encode() + b"\n"
    program = f"""
import os, subprocess, sys
line = {line!r}
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
sent = 0
for read in range({count}):
    if read >= sent - {_AHEAD // 2}:
        more = min({_AHEAD}, {count} - sent)
        child.stdin.write(line * more)
        child.stdin.flush()
        sent += more
    child.stdout.readline()
child.stdin.close()
child.wait()
times = os.times()
print(times.user + times.system + times.children_user + times.children_system)
"""
    words = [*one_core(), sys.executable, "-c", program, *command]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def _like_a_case() -> Mapping[str, object]:
    cards = {"P1": ["3C", "2C", "7S"], "P0": ["4C", "QS", "5C"], "vira": ["5H"]}
    actions = [{"player": who, "text": f"{who} {card}", "play": card} for who, card in (("P1", "3C"), ("P0", "4C")) * 2]
    script: dict[str, object] = {"variant": "paulista"}
    script |= {"options": {}, "players": ["P0", "P1"], "teams": [["P0"], ["P1"]], "dealer": "P0"}
    script |= {"score": {}, "mode": "strict", "hands": [{"deal": cards, "actions": actions}]}
    return {"id": "1.1000", "script": script, "do": "run"}

"""How long an argument takes to settle: each in a fresh process of the command, with linked graphs kept from before.

Measured are processor seconds of one core, of the slowest and of all famous arguments, and how many positions were
looked at (moves of all courses that were played). Of each the better of two runs counts: in the other a graph may have
been linked that was not kept.
"""

from __future__ import annotations

import gc
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from truco_spec.compare.disputes.agreement import agreements_of
from truco_spec.compare.disputes.settle import settle
from truco_spec.logs.files import read_file

ROOT = Path(__file__).resolve().parents[1]
WORST = "paulista | ana bia caio davi | dealer ana | deal vira JH | bia 3C, caio 3D, davi 4D, ana 4S"
NOWHERE = "move 4 is illegal"
"""A claim that no setting makes right: every set that is allowed is tried."""


def plain(quick: bool = False) -> dict[str, object]:
    """Disputes without a claim, put to all variants."""
    paths = sorted((ROOT / "docs" / "disputes").glob("*.yaml"))[:: 6 if quick else 1]
    _command(str(paths[0]))
    spent = {path.stem: min(_command(str(path)) for _ in range(1 if quick else 2)) for path in paths}
    slowest = max(spent, key=lambda name: spent[name])
    return {
        "median (s)": round(statistics.median(spent.values()), 2),
        "slowest (s)": round(spent[slowest], 2),
        "arguments": len(spent),
        "positions looked at": sum(_positions(path) for path in paths),
    }


def claims(quick: bool = False) -> dict[str, object]:
    """A claim over all options of all variants, where nothing makes it right."""
    settings = _settings()
    spent = [_command(WORST, "--claim", NOWHERE) for _ in range(1 if quick else 3)]
    return {"the longest search (s)": round(statistics.median(spent), 2), **settings}


def _settings() -> dict[str, int]:
    from truco_spec.logs.line import read_line

    log = read_line(WORST)
    gc.set_threshold(200_000, 50, 100)
    answer = settle(log, agreements_of("all", log.options, log.variant), NOWHERE)
    assert answer.claim is not None
    moves = len(answer.moves)
    return {"settings tried": answer.claim.tried, "positions looked at": answer.looked * moves}


def _positions(path: Path) -> int:
    log = read_file(path)
    answer = settle(log, agreements_of("all", log.options, log.variant))
    return answer.looked * len(answer.moves)


def _command(*words: str) -> float:
    """Processor seconds of the command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "truco_spec", "dispute", *words],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    begun = time.process_time()
    print(plain(quick=True), claims(quick=True), time.process_time() - begun)

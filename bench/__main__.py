"""``python -m bench [--quick] [--json FILE]``: how fast the reference engine is, measured against a ruler in the same
run."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable, Mapping
from pathlib import Path

from bench import measure
from truco_spec.graph.load import load

TARGETS = {
    ("random play", "ratio"): 40,
    ("memory", "bytes per event"): 1024,
    ("loading (ms)", "load"): 50,
    ("start (ms)", "truco-spec --version"): 150,
    ("corpus", "seconds"): 3,
}
"""What each number may be at most."""

NOTES = {
    "random play": "actions per second of one core: cards, calls and answers; deals and draws are played, not counted",
    "where the engine's time goes (%)": "by kind of action",
    "memory": "of each event kept, undo included",
    "loading (ms)": "each in a fresh process; “first time” with an empty cache",
    "start (ms)": "median of several",
    "corpus": "truco-spec test on the reference engine, seconds of one core; “first time” with an empty cache",
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a look, not a measurement")
    parser.add_argument("--json", metavar="FILE", help="write the numbers to FILE too")
    given = parser.parse_args()
    rounds, hands = (3, 150) if given.quick else (15, 400)
    graph = load("paulista")
    measures: dict[str, Callable[[], Mapping[str, object]]] = {
        "random play": lambda: measure.rates(graph, rounds, hands),
        "where the engine's time goes (%)": lambda: measure.shares(graph, hands),
        "memory": lambda: measure.memory(graph, 2000 if given.quick else 20000),
        "loading (ms)": lambda: measure.loading("paulista", rounds),
        "start (ms)": lambda: measure.starting(rounds),
        "corpus": lambda: measure.corpus(1 if given.quick else 3),
    }
    found: dict[str, Mapping[str, object]] = {}
    for name, take in measures.items():
        found[name] = take()
        show(name, found[name])
    if given.json:
        about = {"python": platform.python_version(), "machine": platform.machine(), "quick": given.quick}
        text = json.dumps({"about": about, "measured": found}, indent=2, ensure_ascii=False) + "\n"
        Path(given.json).write_text(text, encoding="utf-8")


def show(name: str, numbers: Mapping[str, object]) -> None:
    """Print one measurement, with its targets."""
    print(f"\n{name}: {NOTES[name]}")
    for what, number in numbers.items():
        target = TARGETS.get((name, what))
        mark = ""
        if target is not None and isinstance(number, (int, float)):
            mark = f"   (at most {target}: {'well' if number <= target else 'MISSED'})"
        print(f"  {what:42} {number:>12}{mark}")


if __name__ == "__main__":
    main()

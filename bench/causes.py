"""What causes add to a run of ``truco-spec test``: processor time of the whole command without and with them.

The engines have rules changed at random, one or several, and know their answers by heart. They are asked all cases of a
variant. What an engine takes that needs a few milliseconds for each action is added, since none is asked for causes.
"""

from __future__ import annotations

import itertools
import json
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.fits import Miniature
from bench.runner import ROOT, run_command
from truco_spec.base.shapes import plain
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Deal, Introduction, OwnDeals, Plays, Script, Seen
from truco_spec.conformance.fit.hypothesis import Hypothesis, mutants_of_variant
from truco_spec.conformance.fit.likeness import change_digests, table_of
from truco_spec.conformance.runner import runner

VARIANT, PLAYERS = "paulista", (2, 4)
FAULTS = (1, 3)
MILLISECONDS = (1, 5)
_ADAPTER = [sys.executable, str(ROOT / "bench" / "echo" / "recorded.py")]


class Recorded:
    """An engine with these changes for every number of players; ``answers`` are kept, ``steps`` counts actions."""

    def __init__(self, changes: Sequence[int]) -> None:
        self.engines = {n: Miniature(Hypothesis(VARIANT, n, (), tuple(changes))) for n in PLAYERS}
        self.answers, self.steps = {"hello": plain(self.hello())}, 0

    def hello(self) -> Introduction:
        return replace(self.engines[PLAYERS[0]].hello(), variants={VARIANT: Plays(PLAYERS)})

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        raise NotImplementedError  # it does not say that it deals

    def close(self) -> None:
        """Nothing is open."""

    def run(self, script: Script) -> Seen:
        seen = self.engines[len(script.players)].run(script)
        self.answers[json.dumps(plain(script), sort_keys=True)] = {"hands": plain(seen)}
        self.steps += sum(len(hand.actions) for hand in script.hands)
        return seen


def added(rounds: int, engines: int = 3, seed: int = 1) -> dict[str, object]:
    """Processor seconds of runs, and how many times as long they take with causes, by the number of faults."""
    found: dict[str, object] = {}
    shown, chance = _noticeable(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        _measured(chance.sample(shown, 1), 1, folder)  # so that modules are compiled, and the rules as they are kept
        for faults in FAULTS:
            ratios: dict[str, list[float]] = {}
            for number in range(1, engines + 1):
                alone, *causes, cases, steps = _measured(chance.sample(shown, faults), rounds, folder)
                name = f"{faults} faults, engine {number}" if faults > 1 else f"1 fault, engine {number}"
                first, again = (round(1000 * each) for each in causes)
                found[name] = {"run (ms)": round(1000 * alone), "causes (ms)": first, "asked again (ms)": again}
                for time, each in itertools.product(("", " again"), MILLISECONDS):
                    for per, count in (("case", cases), ("action", steps)):
                        ratio = causes[time != ""] / (alone + count * each / 1000)
                        ratios.setdefault(f"causes{time} : run, {faults} faults, {each} ms per {per}", []).append(ratio)
            found |= {name: round(statistics.mean(each), 2) for name, each in ratios.items()}
    return found


def _noticeable() -> list[int]:
    """Single changes that some cases notice, and not half of them, at every number of players."""
    digests = change_digests(mutants_of_variant(VARIANT))
    tables = [table_of(VARIANT, players) for players in PLAYERS]
    return [
        number
        for number, digest in enumerate(digests)
        if all(0 < 2 * len(table.rows.get(digest, ())) < len(table.scripts) for table in tables)
    ]


def _measured(changes: Sequence[int], rounds: int, folder: str) -> tuple[float, float, float, int, int]:
    """Seconds of a run without causes, those that they add when it is asked first and again, and how many scripts and
    actions the engine is asked. In ``folder`` is what is kept between runs.
    """
    engine = Recorded(changes)
    runner.run(chosen(variants=(VARIANT,)), engine)
    answers = Path(folder) / "answers.json"
    answers.write_text(json.dumps(engine.answers), encoding="utf-8")
    command = ["test", "--variant", VARIANT, "--report", f"json:{folder}/report.json"]
    runs: dict[str, list[float]] = {"--no-causes": [], "--causes": []}
    for _ in range(rounds + 1):
        for word, seconds in runs.items():
            seconds.append(sum(run_command([*command, word, "--", *_ADAPTER, str(answers)], folder)))
    alone, (first, *later) = min(runs["--no-causes"]), runs["--causes"]
    return alone, first - alone, min(later) - alone, len(engine.answers) - 1, engine.steps

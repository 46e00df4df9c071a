"""The measurements, each a function that returns plain numbers. Times are processor times of one core where that is
possible."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import defaultdict
from pathlib import Path

from bench import engine_paulista, ruler_paulista
from truco_spec.base.shipped import variant_names
from truco_spec.engine.game import Game
from truco_spec.engine.sample import random_action
from truco_spec.engine.support import CHANCE
from truco_spec.graph.model import Graph

ROOT = Path(__file__).resolve().parents[1]
_COMPILED = tempfile.TemporaryDirectory()


def rates(graph: Graph, rounds: int, hands: int) -> dict[str, object]:
    """Actions per second of the ruler and of the engine, in turns, so that a busy machine slows both; the median
    ratio."""
    engine_paulista.play(graph, random.Random(0), hands // 2 + 1)
    ruler: list[float] = []
    engine: list[float] = []
    played = engine_paulista.Played()
    for seed in range(rounds):
        start = time.process_time()
        counted = ruler_paulista.play(random.Random(seed), 30 * hands)
        ruler.append(counted / (time.process_time() - start))
        start = time.process_time()
        played = engine_paulista.play(graph, random.Random(seed), hands)
        engine.append(played.counted / (time.process_time() - start))
    return {
        "ruler": round(statistics.median(ruler)),
        "engine": round(statistics.median(engine)),
        "ratio": round(statistics.median([a / b for a, b in zip(ruler, engine, strict=True)]), 1),
        "counted per hand": round(played.counted / played.hands, 2),
        "played per hand": round(played.actions / played.hands, 2),
    }


def shares(graph: Graph, hands: int) -> dict[str, float]:
    """Where the engine's time goes, in percent: choosing (what is permitted, or a draw) and pushing, of chance and of
    players."""
    spent: dict[str, float] = defaultdict(float)
    rng, clock, done = random.Random(7), time.perf_counter, 0
    tacit = {kind.name for kind in graph.actions.values() if kind.tacit}
    while done < hands:
        game = Game(graph)
        while True:
            start = clock()
            action = random_action(game, rng)
            chosen = clock()
            if action is None:
                break
            game.push(action)
            pushed = clock()
            who = "cards, calls, answers"
            if action.actor == CHANCE:
                who = "deals and draws"
            elif action.verb in tacit:
                who = "shuffle, cut, begin"
            spent[f"{who}: what is permitted"] += chosen - start
            spent[f"{who}: push"] += pushed - chosen
        done += 1 + sum(game.value("score", team) for team in range(graph.teams)) // 3
    whole = sum(spent.values())
    return {name: round(100 * part / whole, 1) for name, part in sorted(spent.items(), key=lambda pair: -pair[1])}


def memory(graph: Graph, actions: int) -> dict[str, float]:
    """Bytes that each event kept in the history needs, everything it holds included."""
    rng = random.Random(3)
    for _ in range(3):
        engine_paulista.play(graph, rng, 60)  # what the engine remembers of the variant is there before
    games = []
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    events = 0
    while events < actions:
        game = Game(graph)
        while (action := random_action(game, rng)) is not None:
            game.push(action)
        games.append(game)
        events += len(game.history)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {"bytes per event": round((after - before) / events), "events": events}


def loading(variant: str, rounds: int) -> dict[str, float]:
    """Milliseconds to load a variant and to set up its first game, each in a fresh process: the first time, then
    again."""
    program = (
        "import time, sys; start = time.perf_counter(); import truco_spec.graph.load as load;"
        "imported = time.perf_counter(); graph = load.load(sys.argv[1]); loaded = time.perf_counter();"
        "from truco_spec.engine.game import Game; between = time.perf_counter(); Game(graph);"
        "print(imported - start, loaded - imported, between - loaded, time.perf_counter() - between)"
    )

    def once(kept: str) -> list[float]:
        return [1000 * float(part) for part in _run(["-c", program, variant], kept).stdout.split()]

    with tempfile.TemporaryDirectory() as kept:
        cold, warm = once(kept), [once(kept) for _ in range(rounds)]
    middle = [statistics.median(column) for column in zip(*warm, strict=True)]
    return {
        "load, first time": round(cold[1], 1),
        "load": round(middle[1], 1),
        "first game, first time": round(cold[3], 1),
        "first game": round(middle[3], 1),
        "imports": round(middle[0] + middle[2], 1),
    }


def _run(arguments: list[str], kept: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in the checkout, with graphs kept in the folder, and compiled modules for these measurements only."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = _COMPILED.name
    if kept:
        environment["XDG_CACHE_HOME"] = kept
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)


def starting(rounds: int) -> dict[str, float]:
    """Milliseconds of ``truco-spec --version``, and of a Python that does nothing."""
    return {
        "truco-spec --version": _start(["-m", "truco_spec", "--version"], rounds),
        "python -c pass": _start(["-c", "pass"], rounds),
    }


def _start(arguments: list[str], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        _run(arguments)
        times.append(time.perf_counter() - start)
    return round(1000 * statistics.median(times), 1)


def corpus(rounds: int) -> dict[str, float]:
    """Seconds of one core for the corpus on the reference engine, the start of the program included."""
    found: dict[str, float] = {}
    brazilian = ["--variant", "paulista", "--variant", "mineiro"]
    for which, only in (("the Brazilian variants", brazilian), ("all variants", [])):
        with tempfile.TemporaryDirectory() as kept:
            times = [_seconds(["-m", "truco_spec", "test", *only], kept) for _ in range(rounds + 1)]
        found[f"{which}, first time"] = round(times[0], 2)
        found[which] = round(statistics.median(times[1:]), 2)
    return found


def checks() -> dict[str, float]:
    """Seconds for the checks of every shipped variant, each for itself."""
    return {name: round(_seconds(["-m", "truco_spec", "check", "--quiet", name]), 1) for name in variant_names()}


def _seconds(arguments: list[str], kept: str = "") -> float:
    """Seconds of processor time that a Python needs."""
    before = os.times()
    _run(arguments, kept)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system

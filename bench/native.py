"""The WebAssembly body: random play beside a C ruler that is compiled to WebAssembly too, perft, the corpus, and making
a module.

The ruler (``limit_paulista.c``) plays the least that random hands of Truco Paulista for four can be; it needs
``ziglang`` (the extra ``truco-spec[bench]``), and both run on the same runtime.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar

from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig, wat2wasm

from bench import engine_paulista
from truco_spec.base.shipped import variant_names
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.corpus import load_instances
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.conformance.corpus.ready import as_written
from truco_spec.engine.game import Action, Event, Game
from truco_spec.engine.layout import Layout
from truco_spec.engine.wasm.module import WasmWriter
from truco_spec.engine.wasm.native import NativeGame
from truco_spec.engine.wasm.random_play import RandomWriter
from truco_spec.graph.fold import specialise
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

RULER = Path(__file__).with_name("limit_paulista.c")
ACTIONS, HANDS = 1_000_000, 5_000_000
PERFT = "argentino | P0 P1 | dealer P0 | deal P1 3E 2E 7O, P0 3C 4E 7E"
DEPTH = 6


def rates(rounds: int) -> dict[str, object]:
    """Random Paulista hands for four, with all rules, per second; and the ratio to the ruler's."""
    graph = load("paulista")
    native, played = NativeGame(graph), engine_paulista.play(graph, random.Random(5), 300)
    _played(native, 1, 1)  # the module of random play is made
    per_hand = played.actions / played.hands
    ruler = [_ruled() for _ in range(rounds)]
    hands = [ACTIONS / per_hand / _seconds(partial(_played, native, seed + 1, ACTIONS)) for seed in range(rounds)]
    return {
        "ruler, hands": round(statistics.median(ruler)),
        "module, hands": round(statistics.median(hands)),
        "ratio": round(statistics.median(ruler) / statistics.median(hands), 1),
        "module, actions": round(statistics.median(hands) * per_hand),
        "actions per hand, with chance": round(per_hand, 1),
    }


def _played(native: NativeGame, seed: int, actions: int) -> None:
    """Random play from the start of a match."""
    native.begin()
    native.play(seed, actions)


def counting() -> dict[str, object]:
    """Nodes per second of perft, from an opening of truco argentino."""
    game = Replay(read_line(PERFT)).played_out()
    native = NativeGame(game.graph)
    native.position = game.position
    taken = _seconds(lambda: native.perft(DEPTH))
    return {"sequences": native.perft(DEPTH), "per second": round(native.perft(DEPTH) / taken)}


@dataclass(slots=True)
class Run:
    """Actions that the reference did one after another from a position: the status of each, and where they led."""

    graph: Graph
    mode: str
    start: list[int]
    actions: list[Action] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)
    end: list[int] = field(default_factory=list)


class _Recorded(Game):
    """A game that notes what is done, and what is undone again."""

    done: ClassVar[list[_Recorded]] = []

    def push(self, action: Action) -> Event:
        """As the game does it."""
        before, status = list(map(int, self.position)), self.rule_on(action).status
        event = super().push(action)
        if not hasattr(self, "seen"):
            self.seen = dict[int, tuple[Event, list[int], str, list[int]]]()
            self.done.append(self)
        self.seen[id(event)] = event, before, status, list(map(int, self.position))
        return event

    def runs(self) -> Iterator[Run]:
        """What stands at the end."""
        run: Run | None = None
        for event, before, status, after in (self.seen[id(one)] for one in self.history if id(one) in self.seen):
            if run is None or run.end != before:
                if run is not None:
                    yield run
                run = Run(self.graph, self.mode, before)
            run.actions.append(event.action)
            run.statuses.append(status)
            run.end = after
        if run is not None:
            yield run


def scripts(quick: bool = False) -> dict[str, object]:
    """The scripts of the corpus, played by the reference and then natively with one call each."""
    variants, runs = ("gaucho", "nowadays") if quick else variant_names(), list[Run]()
    asked = (one for variant in variants for case in load_instances(variant) for one in as_written(case).requests)
    for request in asked:
        if isinstance(request, Script):
            _Recorded.done.clear()
            Reference(make=_Recorded).run(request)
            runs += [run for game in _Recorded.done for run in game.runs()]
    began, games = time.process_time(), dict[tuple[int, str], NativeGame]()
    for run in runs:
        key = id(run.graph), run.mode
        games[key] = games.get(key) or NativeGame(run.graph, mode=run.mode)
    made = time.process_time() - began
    other = list[Run]()

    def played() -> None:
        for run in runs:
            game = games[id(run.graph), run.mode]
            game.position = run.start
            if game.push_all(run.actions) != run.statuses or game.position != run.end:
                other.append(run)

    taken = statistics.median(_seconds(played) for _ in range(5))
    return {
        "scripts": len(runs),
        "actions": sum(len(run.actions) for run in runs),
        "seconds": round(taken, 2),
        "other than the reference": len(other),
        f"modules, {len(games)} (s)": round(made),
    }


def modules() -> dict[str, object]:
    """The largest module, and the slowest to write and to compile, of all variants, and of random play of them."""
    sizes, writing, compiling = {}, {}, {}
    for variant, writer in itertools.product(variant_names(), (WasmWriter, RandomWriter)):
        name, graph, engine = f"{variant}, {writer.__name__}", load(variant), Engine()
        start = time.process_time()
        raw = bytes(wat2wasm(writer(Layout(specialise(graph))).source()))
        writing[name], sizes[name] = time.process_time() - start, len(raw)
        compiling[name] = _seconds(partial(Module, engine, raw))
    slow, late = max(writing, key=writing.__getitem__), max(compiling, key=compiling.__getitem__)
    return {
        f"largest (bytes), {max(sizes, key=sizes.__getitem__)}": max(sizes.values()),
        f"written (ms), {slow}": round(1000 * writing[slow]),
        f"compiled (ms), {late}": round(1000 * compiling[late]),
    }


def _ruled() -> float:
    """The hands per second of the ruler; 0 without a compiler for it."""
    with tempfile.TemporaryDirectory() as folder:
        built, told = Path(folder) / "ruler.wasm", Path(folder) / "told"
        command = [sys.executable, "-m", "ziglang", "cc", "-O2", "-target", "wasm32-wasi", "-o", str(built), str(RULER)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return 0.0
        engine = Engine()
        linker, store, wasi = Linker(engine), Store(engine), WasiConfig()
        linker.define_wasi()
        wasi.argv, wasi.stdout_file = ("ruler", str(HANDS)), str(told)
        store.set_wasi(wasi)
        main = linker.instantiate(store, Module.from_file(engine, str(built))).exports(store)["_start"]
        began = time.process_time()
        with contextlib.suppress(ExitTrap):
            main(store)  # type: ignore[operator]  # a function
        return HANDS / (time.process_time() - began)


def _seconds(what: Callable[[], object]) -> float:
    """Processor time: others may work on the machine."""
    start = time.process_time()
    what()
    return time.process_time() - start

"""Both bodies of a graph in step: Python and WebAssembly play the same random hands, and everything is compared.

After each action: the status of what was tried, and which rules fired, step by step. Before it: every slot of the
position, what is permitted, in its order, and what the table observes; in many hands before each action of a player and
one draw in eight, with one of the observations. In umpire mode players also try what the rules do not permit.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from concurrent.futures import Executor

from bench.games import SCORE
from bench.schemata import ChangedParts, NotSwitched, OpenVariant
from bench.settings import SettingRefused, by_many, setting
from truco_spec.conformance.fit.mutants import Mutant, mutants_in, mutated
from truco_spec.engine.game import Game, IllegalAction
from truco_spec.engine.ruling import Unreachable, drawn_by
from truco_spec.engine.sample import any_action, random_action
from truco_spec.engine.support import PlayError
from truco_spec.engine.wasm.native import NativeGame
from truco_spec.graph.link import linked
from truco_spec.graph.linking.rebuild import rebuild
from truco_spec.graph.model import OBSERVED, Graph
from truco_spec.graph.walk import opening_rules
from truco_spec.language.diagnostics import SpecError

_WRONG = 0.3
"""The share of actions in umpire mode that anybody tries at random."""
_HANDS = 400
"""Hands of a setting in each mode."""
_DRAWS = 1 / 8
"""The share of draws before which both are compared in many hands."""


class OutOfStep(AssertionError):
    """The two bodies differ."""


def run(hands: int, pool: Executor, first: int = 0) -> dict[str, object]:
    """Play at least this many hands under random options; seeds of settings are the numbers from ``first``."""
    found, differences = by_many(tried, hands, pool, first)
    told = {f"difference {number}": text for number, text in enumerate(differences, 1)}
    return {**found, "differences": len(differences), **told}


def tried(seed: int) -> tuple[Counter[str], list[str]]:
    """One setting in both modes: what was played, and where the bodies differed."""
    rng = random.Random(seed)
    try:
        graph, told = setting(rng)
    except SettingRefused:
        return Counter({"settings that a rule refuses": 1}), []
    found, differences = Counter[str]({"settings": 1}), list[str]()
    for mode in ("strict", "umpire"):
        try:
            found.update(Pairing(graph, mode, rng, thorough=False).play(_HANDS))
        except (OutOfStep, PlayError) as error:
            differences.append(f"{mode}, seed {seed}, {told}: {error}")
    return found, differences


def changed(rng: random.Random, count: int) -> tuple[Graph, Graph, list[Mutant]]:
    """A variant under random options, the same with its options open and some changes switched, and the changes.

    Raises :class:`~bench.settings.SettingRefused`.
    """
    plain, _ = setting(rng)
    chain = linked(plain.name)
    variant = OpenVariant(chain, {name: option.value for name, option in plain.options.items()})
    found, parts = list[Mutant](), list[ChangedParts]()
    every = list(mutants_in(chain))
    for mutant in rng.sample(every, len(every)):
        with contextlib.suppress(NotSwitched, SpecError):
            if made := variant.changed(mutant.statement, mutant.other):
                found.append(mutant)
                parts.append(made)
        if len(found) == count:
            break
    return plain, variant.with_changes(parts), found


def relinked(plain: Graph, mutant: Mutant) -> Graph:
    """The graph with a change, linked by itself."""
    chain = linked(plain.name)
    options = {name: option.value for name, option in plain.options.items()}
    return rebuild(mutated(chain, [mutant]), chain, plain, options)


class Pairing:
    """A game on both bodies; ``native`` plays the same rules, if it is not made of the graph.

    ``thorough``: everything is compared before each action, draws included.
    """

    def __init__(
        self, graph: Graph, mode: str, rng: random.Random, native: NativeGame | None = None, *, thorough: bool = True
    ) -> None:
        self.graph, self.mode, self.rng, self.thorough = graph, mode, rng, thorough
        self.opening = opening_rules(graph)
        self.asked = [name for name, define in graph.defines.items() if name.startswith(OBSERVED) and not define.params]
        self.rules = list(graph.rules)
        self.native = native or NativeGame(graph, mode=mode)
        self.game = self._begun()

    def play(self, hands: int) -> Counter[str]:
        """Play this many hands. Raises :class:`OutOfStep`."""
        found = Counter[str]()
        while found["hands"] < hands:
            if self.game.over:
                self._compare()
                self.game = self._begun()
            fired = self.step()
            found["actions"] += 1
            found["hands"] += any(name in self.opening for name in fired)
        return found

    def step(self) -> tuple[str, ...]:
        """Compare, then try one action on both; the names of the rules that fired."""
        if self.thorough or drawn_by(self.game) is None or self.rng.random() < _DRAWS:
            self._compare()
        wrong = self.mode == "umpire" and self.rng.random() < _WRONG
        action = None if wrong else random_action(self.game, self.rng)
        action = action or any_action(self.graph, self.rng, self.rng.choice(list(self.graph.actions)))
        status = self.native.push(action)
        try:
            event = self.game.push(action)
        except IllegalAction as refused:
            self._same("status", refused.ruling.status, status)
            return ()
        self._same("status", event.status, status)
        if event.steps:
            self._same("rules", [set(step.rules) for step in event.steps], [set(step) for step in self.native.fired()])
        return event.fired

    def _begun(self) -> Game:
        """A new game on both; often somebody is near to the target."""
        score = {team: self.rng.randrange(int(self.graph.options["target"].value)) for team in range(self.graph.teams)}
        start = {SCORE: score} if self.rng.random() < 0.5 else None
        with contextlib.suppress(Unreachable):
            game = Game(self.graph, mode=self.mode, start=start)
            self.native.begin(start)
            return game
        self.native.begin()
        return Game(self.graph, mode=self.mode)

    def _compare(self) -> None:
        python, native = self.game.position, self.native.position
        if python != native:
            slots = zip(self.game.layout.names, python, native, strict=True)
            self._same("position", [], [(name, int(a), b) for name, a, b in slots if int(a) != b])
        self._same("permitted", self.game.legal_actions(), self.native.legal_actions())
        for name in self.asked if self.thorough else (self.rng.choice(self.asked),):
            self._same(name, int(self.game.ask(name)), self.native.ask(name))

    def _same(self, what: str, python: object, native: object) -> None:
        if python != native:
            moves = ", ".join(self.game.text(event.action) for event in self.game.history[-30:])
            raise OutOfStep(f"{what}: {python} in Python, {native} in WebAssembly, after {moves}")

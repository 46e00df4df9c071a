"""Games of variants whose options are set at random: ``python -m bench settings``.

The corpus tries what options do one or two at a time; here many are set together. Each setting either links or is
refused by a rule that says why. Then hands are played strictly and before an umpire, with forbidden actions among the
permitted ones, until a given number is reached. After every action all observations are taken, and every seat takes its
view and asks why it may do something or not; after a sample of them cards that a seat cannot tell are exchanged through
the whole history (:mod:`truco_spec.checks.sight`). One game of each setting is played to its end with every
point accounted for. Each failure is reported with its seed and setting.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor

from bench.account import play_whole
from bench.games import SCORE, WEIGHTS
from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import variant_names
from truco_spec.checks.sight import leak
from truco_spec.engine.game import Game
from truco_spec.engine.ruling import Unreachable
from truco_spec.engine.sample import random_action
from truco_spec.engine.support import Action
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.graph.walk import opening_rules
from truco_spec.language.diagnostics import SpecError

_CHANGED = 0.3
"""The chance that an option is set to another value than its first."""
_AT_NOTHING = 0.3
"""The share of games that begin without points."""
_WRONG = 0.15
"""The chance that a player tries before the umpire what the rules may not permit."""
_SWAPPED = 0.02
"""The share of actions after which hidden cards are exchanged."""

_TRIES = 20
_HANDS = 12
"""Hands of a setting that are played strictly, and as many before an umpire."""
_LONGEST = 4_000
"""Events after which a game of a few hands is taken to have no end."""
_BATCH = 64

FAULTS = (TrucoError, ArithmeticError, LookupError, TypeError, ValueError, AssertionError)


def run(hands: int, pool: Executor, first: int = 0) -> dict[str, object]:
    """Play at least this many hands; the seeds of their settings are the numbers from ``first`` up.

    A long run is best made in slices, each from the next seed that the one before reports.
    """
    found, broken = by_many(tried, hands, pool, first)
    return {**found, **{f"broken: {number}": text for number, text in enumerate(broken, 1)}}


def by_many(
    tried: Callable[[int], tuple[Counter[str], list[str]]], hands: int, pool: Executor, first: int
) -> tuple[dict[str, int], list[str]]:
    """Try settings in an executor until there are this many hands: all counts and the next seed, and all faults."""
    found: Counter[str] = Counter()
    faults: list[str] = []
    seeds = itertools.count(first)
    while found["hands"] < hands:
        for counts, more in pool.map(tried, [next(seeds) for _ in range(_BATCH)]):
            found.update(counts)
            faults += more
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{found['hands']:,} of {hands:,} hands")
    return {**found, "the next seed": next(seeds)}, faults


class SettingRefused(Exception):
    """A rule refuses these options together."""


def setting(rng: random.Random) -> tuple[Graph, str]:
    """A variant under random options, and what it is called. Raises :class:`SettingRefused`."""
    variant = rng.choice(variant_names())
    chosen = {
        option.name: rng.choice(option.values) for option in load(variant).options.values() if rng.random() < _CHANGED
    }
    try:
        graph = load(variant, **{name.replace("-", "_"): value for name, value in chosen.items()})
    except SpecError as error:
        raise SettingRefused from error
    return graph, " ".join([variant, *(f"{option}={value}" for option, value in chosen.items())])


def tried(seed: int) -> tuple[Counter[str], list[str]]:
    """One setting: what was played, and what broke."""
    rng = random.Random(seed)
    try:
        graph, told = setting(rng)
    except SettingRefused:
        return Counter({"settings that a rule refuses": 1}), []
    found, broken = Counter[str]({"settings": 1}), list[str]()
    for name in ("whole", "strict", "umpire"):
        try:
            found.update(_whole(graph, rng) if name == "whole" else _Hands(graph, name, rng).played())
        except FAULTS as error:
            broken.append(f"{name}, seed {seed}, {told}: {type(error).__name__}: {error}")
    return found, broken


def _whole(graph: Graph, rng: random.Random) -> Counter[str]:
    played = play_whole(graph, [rng.randrange(10**6)], SCORE, rng.choice(({}, WEIGHTS)))
    return Counter({"whole games": played.matches, "events": played.events})


class _Hands:
    """Hands of one setting, with everything asked of them."""

    def __init__(self, graph: Graph, mode: str, rng: random.Random) -> None:
        self.graph, self.mode, self.rng = graph, mode, rng
        self.opening = opening_rules(graph)
        self.found = Counter[str]()

    def played(self) -> Counter[str]:
        """Play games from scores at random until there are enough hands."""
        while self.found["hands"] < _HANDS:
            game = self._begun()
            try:
                self._game(game)
            except FAULTS as error:
                moves = ", ".join(game.text(event.action) for event in game.history[-60:])
                raise TrucoError(f"{type(error).__name__}: {error} after {moves}") from error
        return self.found

    def _begun(self) -> Game:
        """Often somebody is near to the target, so that games end."""
        target = int(self.graph.options["target"].value)
        while self.rng.random() >= _AT_NOTHING:
            score = {team: self.rng.randrange(target) for team in range(self.graph.teams)}
            with contextlib.suppress(Unreachable):
                return Game(self.graph, mode=self.mode, start={SCORE: score})
        return Game(self.graph, mode=self.mode)

    def _game(self, game: Game) -> None:
        before = self.found["hands"]
        while self.found["hands"] < _HANDS and (action := self._action(game)) is not None:
            event = game.push(action)
            self.found["events"] += 1
            self.found["hands"] += any(name in self.opening for step in event.steps for name in step.rules)
            game.observe()
            self._ask_all(game)
            if self.rng.random() < _SWAPPED:
                self._swap(game)
            if len(game.history) > _LONGEST:
                raise TrucoError(f"{self.found['hands'] - before} hands take {_LONGEST} events")

    def _action(self, game: Game) -> Action | None:
        if self.mode == "umpire" and self.rng.random() < _WRONG:
            for _ in range(_TRIES):
                action = self._any(game, self.rng.randrange(len(game.players)))
                if game.rule_on(action).status == "forbidden":
                    self.found["forbidden actions"] += 1
                    return action
        return random_action(game, self.rng, WEIGHTS)

    def _any(self, game: Game, seat: int) -> Action:
        """Any action with any arguments, possible or not."""
        verb, words = self.rng.choice(list(game.graph.actions.values())), game.graph.words
        known = [
            [*range(of.low, of.high + 1), *(words[word] for word in of.words)] for of in (p.type for p in verb.params)
        ]
        return Action(seat, verb.name, tuple(map(self.rng.choice, known)))

    def _ask_all(self, game: Game) -> None:
        """What each seat sees, and why it may do something, or not."""
        for seat in range(len(game.players)):
            game.view(seat)
            mine = game.legal_actions(seat)
            action = self.rng.choice(mine) if mine and self.rng.random() < 0.5 else self._any(game, seat)
            verdict, status = game.why(action).status, game.rule_on(action).status
            if verdict != status:
                raise TrucoError(f"{game.text(action)} is {status}, and the explanation says {verdict}")
            self.found["questions why"] += 1

    def _swap(self, game: Game) -> None:
        told = leak(game, self.rng)
        self.found["exchanges of hidden cards"] += 1
        if told is not None:
            raise TrucoError(told.text())

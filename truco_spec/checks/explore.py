"""Random testing of the rules: seeded games, in which every position is also explored one step in all directions.

Findings have happened: each fault comes with the moves that lead to it. The same graph gives the same faults.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from truco_spec.checks.abstract.frame import changes_of
from truco_spec.checks.sight import leak
from truco_spec.engine.game import CHANCE, Action, Event, Game, IllegalAction
from truco_spec.engine.observe import observe, waited_for
from truco_spec.engine.ruling import broken
from truco_spec.engine.sample import any_action
from truco_spec.engine.support import PlayError
from truco_spec.graph.load import REFUSED, is_open
from truco_spec.graph.model import Graph
from truco_spec.graph.types import Type
from truco_spec.graph.walk import change_parts, data_read, exprs_of_rule, opening_rules

LONGEST = 1_500
"""Moves after which a game is abandoned for another."""

ROUND = "automatic rules go round in a circle"
"""Identifies play's error about automatic rules without a fixpoint."""

_CHANGED = 0.3
"""The probability that an open option gets another value than its default."""

_TOLD = 40
"""Number of last moves shown."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")


@dataclass(frozen=True, slots=True)
class PlayFault:
    """A fault met in play. ``kind`` is error, dead-end, circle or leak; ``names`` are the names concerned."""

    kind: str
    message: str
    names: frozenset[str]
    phase: str
    start: str
    moves: tuple[str, ...]

    def text(self) -> str:
        """The moves that lead to it."""
        told = ", ".join(self.moves[-_TOLD:]) or "nothing is done"
        before = "…, " if len(self.moves) > _TOLD else ""
        return f"{self.start}{before}{told}"


@dataclass(slots=True)
class Exploration:
    """The result of play: faults (one of a kind), phases reached, rules fired, moves made."""

    faults: dict[tuple[str, str], PlayFault] = field(default_factory=dict)
    phases: set[str] = field(default_factory=set)
    fired: set[str] = field(default_factory=set)
    moves: int = 0


def explore(
    graph: Graph,
    ends: set[str],
    moves: int = 6_000,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Exploration:
    """Play this many moves in strict and in umpire mode. A game is over in one of the phases ``ends``.

    Options that the graph leaves open (:mod:`truco_spec.graph.load`) are set anew for each game.
    """
    found = Exploration()
    rng = random.Random(seed)  # noqa: S311  (chance of cards, not of secrets)
    number = 0
    ground = _Ground(graph, ends, opening_rules(graph), idle_data(graph))
    while found.moves < moves:
        number += 1
        agreed = agreed_at_random(graph, rng)
        _Play(ground, found, rng, "umpire" if number % 3 == 0 else "strict", agreed).run()
        if progress is not None:
            progress(min(found.moves, moves))
    return found


@dataclass(frozen=True, slots=True)
class _Ground:
    """State shared by all games of one graph."""

    graph: Graph
    ends: set[str]
    opening: frozenset[str]
    idle: frozenset[str]


class _Play:
    def __init__(
        self, ground: _Ground, found: Exploration, rng: random.Random, mode: str, agreed: Mapping[str, int]
    ) -> None:
        self.graph, self.ends, self.opening, self.idle = ground.graph, ground.ends, ground.opening, ground.idle
        self.found, self.rng, self.mode, self.agreed = found, rng, mode, agreed
        self.moves: list[str] = []
        self.seen: dict[tuple[int, ...], int] = {}

    def run(self) -> None:
        """Play one game, to its end, its first fault, or the limit."""
        self.found.moves += 1
        try:
            game = Game(self.graph, mode=self.mode, start=self.agreed)
        except PlayError as error:
            self._fault("error", str(error), "")
            return
        for step in game.opening:
            self.found.fired.update(step.rules)
        while len(self.moves) < LONGEST and self._move(game):
            self.found.moves += 1

    def _move(self, game: Game) -> bool:
        self.found.phases.add(game.phase)
        try:
            legal = game.legal_actions()
            waited_for(game, game.position, legal)
        except PlayError as error:
            self._fault("error", str(error), game.phase)
            return False
        if not legal:
            if game.phase not in self.ends:
                self._fault(
                    "dead-end", f"in {game.phase} nobody can do anything, and the match is not over", game.phase
                )
            return False
        if self.rng.random() < 0.05:
            self._told_by_hidden(game)
        if self.rng.random() < 0.1 and not self._tried(game, legal):
            return False
        action = self._chosen(game, legal)
        try:
            event = game.push(action)
        except (PlayError, IllegalAction) as error:
            self.moves.append(game.text(action))
            self._fault("error", str(error), game.phase, _names(self.graph, str(error)))
            return False
        self.moves.append(game.text(action))
        self.found.fired.update(event.rules)
        for step in event.steps:
            self.found.fired.update(step.rules)
        return self._after(game, self._matters(game, event))

    def _matters(self, game: Game, event: Event) -> bool:
        """Whether it changed anything that a rule reads; signs and idle talk do not."""
        names = game.layout.names
        return any(names[slot] not in self.idle for step in event.steps for slot in step.back[::2])

    def _after(self, game: Game, changed: bool) -> bool:
        """Check the position after a move: that it can be observed, and whether it is new."""
        try:
            observe(game, acting=False)
            for name in broken(game):
                self._fault("error", f"{name} holds, and should in no game", game.phase)
                return False
        except PlayError as error:
            self._fault("error", str(error), game.phase)
            return False
        if self.mode == "umpire" or not changed:
            return True  # forbidden actions may be repeated for ever; talk changes nothing
        if any(name in self.opening for step in game.history[-1].steps for name in step.rules):
            self.seen.clear()
        position = tuple(game.position)
        if self.seen.setdefault(position, len(self.moves)) != len(self.moves):
            since = self.moves[self.seen[position] :]
            names = frozenset(name for event in game.history[-len(since) :] for name in event.rules)
            self._fault("circle", "the same position comes back", game.phase, names)
            return False
        return True

    def _chosen(self, game: Game, legal: list[Action]) -> Action:
        if self.mode == "umpire" and self.rng.random() < 0.15:
            wrong = self._wrong(game)
            if wrong is not None:
                return wrong
        if self.rng.random() < 0.5:
            return self.rng.choice(legal)
        verb = self.rng.choice(sorted({action.verb for action in legal}))
        return self.rng.choice([action for action in legal if action.verb == verb])

    def _wrong(self, game: Game) -> Action | None:
        """A forbidden action here."""
        verbs = [
            v.action
            for r in self.graph.rules.values()
            if r.shape == "must not"
            for v in r.verbs
            if not r.phases or game.phase in r.phases
        ]
        for _ in range(12 if verbs else 0):
            action = any_action(self.graph, self.rng, self.rng.choice(verbs))
            try:
                if game.rule_on(action).status == "forbidden":
                    return action
            except PlayError as error:
                self.moves.append(game.text(action))
                self._fault("error", str(error), game.phase)
                self.moves.pop()
        return None

    def _told_by_hidden(self, game: Game) -> None:
        """Whether anybody's actions depend on hidden cards."""
        try:
            found = leak(game, self.rng)
        except PlayError:
            return  # no game reaches the other position
        if found is not None:
            self._fault("leak", found.text(), game.phase, found.rules)

    def _tried(self, game: Game, legal: list[Action]) -> bool:
        """Try some of the permitted actions, undoing each."""
        some = legal if len(legal) <= 12 else self.rng.sample(legal, 12)
        for action in some:
            try:
                game.push(action)
                self.found.moves += 1
                observe(game, acting=False)
                waited_for(game, game.position, game.legal_actions())
            except PlayError as error:
                self.moves.append(game.text(action))
                self._fault("error", str(error), game.phase)
                return False
            game.pop()
        return True

    def _fault(self, kind: str, message: str, phase: str, names: frozenset[str] = frozenset()) -> None:
        named = names or _names(self.graph, message)
        if ROUND in message:
            kind = "circle"
        options = (f"{o}={self.graph.text_of(self.graph.data[o].type, value)}" for o, value in self.agreed.items())
        start = f"{' '.join((self.graph.name, *options))}, {self.mode}: "
        fault = PlayFault(kind, message, named, phase, start, tuple(self.moves))
        same = message.partition(" (rules")[0] if kind in ("error", "dead-end") else ", ".join(sorted(named))
        key = (kind, same)
        old = self.found.faults.get(key)
        if old is None or len(fault.moves) < len(old.moves):
            self.found.faults[key] = fault


def agreed_at_random(graph: Graph, rng: random.Random) -> dict[str, int]:
    """Random values for some of the open options, such that no refusal applies."""
    switches = [name for name, option in graph.options.items() if is_open(graph, name) and option.values[1:]]
    options = [(name, graph.data[name].type) for name in switches]
    refusals = [name for name in graph.defines if name.startswith(REFUSED)]
    while options:
        agreed = {name: _value_of(graph, name, kind, rng) for name, kind in options if rng.random() < _CHANGED}
        game = Game(graph, start=agreed)
        if not any(game.ask(refused) for refused in refusals):
            return agreed
    return {}


def _value_of(graph: Graph, option: str, kind: Type, rng: random.Random) -> int:
    others = [value for value in graph.options[option].values if value != graph.options[option].value]
    value = graph.value_of(kind, rng.choice(others))
    assert value is not None
    return value


def idle_data(graph: Graph) -> frozenset[str]:
    """The data that no rule reads: they are only shown."""
    exprs = [part for rule in graph.rules.values() for part in exprs_of_rule(rule)]
    changes = [g for rule in graph.rules.values() for g in changes_of(graph, (*rule.do, *rule.lest))]
    exprs += [part for g in changes for part in (*g.guards, *change_parts(g.change))]
    exprs += [part for kind in graph.actions.values() for part in (kind.possible,) if part is not None]
    exprs += [datum.first for datum in graph.data.values() if datum.first is not None]
    return frozenset(graph.data) - data_read(graph, exprs)


def _names(graph: Graph, message: str) -> frozenset[str]:
    """The names of rules, answers, effects and data in a message."""
    known = {*graph.rules, *graph.defines, *graph.effects, *graph.data, *graph.tables}
    known |= {answer.name for define in graph.defines.values() for answer in define.answers}
    return frozenset(word.strip(".") for word in _NAME.findall(message) if word.strip(".") in known)


__all__ = ["CHANCE", "Exploration", "PlayFault", "explore"]

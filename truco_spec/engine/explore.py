"""Play that looks for faults of the rules: random games, in which every position is also tried in all directions.

What is found has happened: each fault comes with the moves that lead to it. The generator is seeded, so the same
graph gives the same faults.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from truco_spec.engine.game import CHANCE, Action, Game, IllegalAction
from truco_spec.engine.hidden import leak
from truco_spec.engine.observe import observe
from truco_spec.engine.support import PlayError
from truco_spec.graph.checks.frame import changes_of
from truco_spec.graph.model import Graph, Way

LONGEST = 1_500
"""After so many moves a game is given up and another begun."""

ROUND = "automatic rules go round in a circle"
"""How play tells of automatic rules that never come to rest."""

_TOLD = 40
"""So many of the last moves are told."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that went wrong in play. ``kind`` is error, dead-end, circle or leak; ``names`` are the names that it
    speaks of.
    """

    kind: str
    message: str
    names: frozenset[str]
    phase: str
    start: str
    moves: tuple[str, ...]

    def text(self) -> str:
        """How it comes about."""
        told = ", ".join(self.moves[-_TOLD:]) or "nothing is done"
        before = "…, " if len(self.moves) > _TOLD else ""
        return f"{self.start}{before}{told}"


@dataclass(slots=True)
class Exploration:
    """What play found: faults (one of a kind), the phases reached, the rules that fired, moves made."""

    faults: dict[tuple[str, str], Fault] = field(default_factory=dict)
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
    """Play so many moves in strict and in umpire mode. In one of the phases ``ends`` a game is over."""
    found = Exploration()
    rng = random.Random(seed)  # noqa: S311  (chance of cards, not of secrets)
    number = 0
    while found.moves < moves:
        number += 1
        _Play(graph, ends, found, rng, "umpire" if number % 3 == 0 else "strict").run()
        if progress is not None:
            progress(min(found.moves, moves))
    return found


class _Play:
    def __init__(self, graph: Graph, ends: set[str], found: Exploration, rng: random.Random, mode: str) -> None:
        self.graph, self.ends, self.found, self.rng, self.mode = graph, ends, found, rng, mode
        self.opening = opening_rules(graph)
        self.moves: list[str] = []
        self.seen: dict[tuple[int, ...], int] = {}

    def run(self) -> None:
        """One game, to its end, to its first fault, or until it has lasted long enough."""
        self.found.moves += 1
        try:
            game = Game(self.graph, mode=self.mode)
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
        return self._after(game, bool(event.steps))

    def _after(self, game: Game, changed: bool) -> bool:
        """Look at the position after a move: can it be observed, and is it a new one?"""
        try:
            observe(game)
        except PlayError as error:
            self._fault("error", str(error), game.phase)
            return False
        if self.mode == "umpire" or not changed:
            return True  # what is forbidden may be done again and again; talk changes nothing
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
        """Something that is forbidden now."""
        verbs = [
            v.action
            for r in self.graph.rules.values()
            if r.shape == "must not"
            for v in r.verbs
            if not r.phases or game.phase in r.phases
        ]
        for _ in range(12 if verbs else 0):
            verb = self.rng.choice(verbs)
            args = tuple(self._any(param.type.low, param.type.high) for param in self.graph.actions[verb].params)
            action = Action(self.rng.randrange(self.graph.seats), verb, args)
            try:
                if game.rule_on(action).status == "forbidden":
                    return action
            except PlayError as error:
                self.moves.append(game.text(action))
                self._fault("error", str(error), game.phase)
                self.moves.pop()
        return None

    def _any(self, low: int, high: int) -> int:
        return self.rng.randint(low, max(low, high))

    def _told_by_hidden(self, game: Game) -> None:
        """Does what somebody may do depend on hidden cards?"""
        try:
            found = leak(game, self.rng)
        except PlayError:
            return  # the other position is none that a game reaches
        if found is not None:
            what, (one, other) = game.text(found.action), found.cards
            message = f"whether {what} is permitted depends on cards that P{found.seat} does not see ({one}, {other})"
            self._fault("leak", message, game.phase, found.rules)

    def _tried(self, game: Game, legal: list[Action]) -> bool:
        """Do some of all permitted actions and take each back."""
        some = legal if len(legal) <= 12 else self.rng.sample(legal, 12)
        for action in some:
            try:
                game.push(action)
                self.found.moves += 1
                observe(game)
                game.legal_actions()
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
        start = f"{self.graph.name}, {self.mode}: "
        fault = Fault(kind, message, named, phase, start, tuple(self.moves))
        same = message.partition(" (rules")[0] if kind in ("error", "dead-end") else ", ".join(sorted(named))
        key = (kind, same)
        old = self.found.faults.get(key)
        if old is None or len(fault.moves) < len(old.moves):
            self.found.faults[key] = fault


def opening_rules(graph: Graph) -> frozenset[str]:
    """The rules that can open a phase whose data begin anew: with them another hand, or deal, begins."""
    fresh = {datum.fresh for datum in graph.data.values() if datum.fresh}
    ways = ((rule.name, g.change) for rule in graph.rules.values() for g in changes_of(graph, rule.do))
    return frozenset(name for name, way in ways if isinstance(way, Way) and way.word == "then" and way.phase in fresh)


def _names(graph: Graph, message: str) -> frozenset[str]:
    """The names of rules, answers, effects and data in a message."""
    known = {*graph.rules, *graph.defines, *graph.effects, *graph.data, *graph.tables}
    known |= {answer.name for define in graph.defines.values() for answer in define.answers}
    return frozenset(word.strip(".") for word in _NAME.findall(message) if word.strip(".") in known)


__all__ = ["CHANCE", "Exploration", "Fault", "explore"]

"""The statements at work in a scenario by the rules of one side, move by move: those that decide, answer or forbid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from truco_spec.compare.core.derivation import (
    reads_of,
    used_at_opening,
    used_by,
    used_to_forbid,
    used_to_see,
    written_by,
)
from truco_spec.compare.core.sides import Scenario, Side
from truco_spec.compare.core.statements import Key
from truco_spec.engine.game import CHANCE, Event, Game
from truco_spec.engine.layout import NONE, UNSET
from truco_spec.engine.observe import ACTING, PREFIX, observe
from truco_spec.engine.provenance import backwards
from truco_spec.engine.support import PlayError
from truco_spec.graph.groups import SEEN
from truco_spec.graph.model import Apply, Change, Expr, Graph, Way
from truco_spec.graph.walk import change_parts, exprs_of_define, flat_changes, walk
from truco_spec.logs.model import LogError
from truco_spec.logs.replay import MoveRefused, Replay

NOTHING_THERE = (0, NONE, UNSET)
"""Trivial values of a datum: no card, no player, nothing."""


WAITED_FOR = PREFIX + ACTING


class Gaze:
    """Watches public observations and visibility besides moves, in search of some statements.

    They are evaluated only where they may involve one of these statements.
    """

    def __init__(self, reaches: Reaches, wanted: frozenset[Key]) -> None:
        self.graph, self.reaches, self.wanted = reaches.graph, reaches, wanted
        questions = [name for name in self.graph.defines if not wanted.isdisjoint(reaches.question(name))]
        self.told = [name for name in questions if name.startswith(PREFIX)]
        self.seen = [name.removesuffix(SEEN) for name in questions if name.endswith(SEEN)]

    def at_work(self, game: Game, mark: int) -> frozenset[Key]:
        """Return the statements at work in the last event of a game, with all events since ``mark``.

        Events whose rules, by their text, cannot involve a wanted statement are skipped.
        """
        last = len(game.history) - 1
        found: set[Key] = set()
        for at in range(mark, last + 1):
            told = self._asked(game) if at == last else ()
            if told or not self.wanted.isdisjoint(self.reaches.fired(game.history[at])):
                found |= used_by(game, at, told).keys
        observed = observe(game, acting=False) if self.told else {}
        for name in self.told:
            if name != WAITED_FOR and not _tells(observed.get(name.removeprefix(PREFIX))):
                found.discard(("define", name))  # an empty observation is no answer, if no exception gave it
        return frozenset(found | self._sights(game))

    def _asked(self, game: Game) -> list[str]:
        """The questions evaluated now: whom the game waits for, only if several may act."""
        several = WAITED_FOR not in self.told or len(game.awaited() - {CHANCE}) > 1
        return self.told if several else [name for name in self.told if name != WAITED_FOR]

    def _sights(self, game: Game) -> set[Key]:
        """The provenance of visibility: after each step of the last event, and before it."""
        found: set[Key] = set()
        if not self.seen:
            return found
        before = (before for _, before, _ in backwards(game.position, game.history[-1].steps))
        for position in (game.position, *before):
            for name in self.seen:
                block = game.layout.blocks[name]
                for index in block.indices():
                    if position[block.slot(index)] not in NOTHING_THERE:
                        found |= used_to_see(game, name, index, position).keys
        return found


class Work:
    """A scenario played by one side, in search of some statements. ``looked`` counts the positions."""

    def __init__(self, side: Side, reaches: Reaches, course: Scenario, wanted: frozenset[Key]) -> None:
        self.side, self.graph, self.course = side, reaches.graph, course
        self.gaze = Gaze(reaches, wanted)
        self.looked = 0

    def moves(self, *, last: bool = False) -> Iterator[frozenset[Key]]:
        """The statements at work in each move, or only in the ``last``, including the implicit actions before it.

        A forbidden move is the last one played: what forbids it is at work. For a move that lacks a single condition,
        so is whatever that condition depends on.
        """
        try:
            replay = Replay(self.course.log(self.side), self.graph, acting=False)
            begun = used_at_opening(replay.game).keys
            for number in range(1, self.course.said + 1):
                mark = len(replay.game.history)
                try:
                    replay.advance()
                except MoveRefused as refused:
                    if number == self.course.said or not last:
                        yield used_to_forbid(self.graph, refused.verdict, refused.refusal.action.verb).keys
                    return
                finally:
                    self.looked += len(replay.game.history) - mark
                if number == self.course.said or not last:
                    yield begun | self.gaze.at_work(replay.game, mark)
                begun = frozenset()
        except (LogError, PlayError):
            return


def _tells(value: object) -> bool:
    return any(item is not None for item in value.values()) if isinstance(value, dict) else value is not None


# --------------------------------------------------------------------------------------------------
# Reachability by the text alone: which statements a rule, a question or a view may involve, to skip the others in play.


class Reaches:
    """Reachability in a graph, memoised by name."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._questions: dict[str, frozenset[Key]] = {}
        self._rules: dict[str, frozenset[Key]] = {}

    def rule(self, name: str) -> frozenset[Key]:
        """The rule with its reads, effects and questions, transitively."""
        found = self._rules.get(name)
        if found is None:
            rule = self.graph.rules[name]
            changes = (*rule.do, *rule.lest)
            keys = {("rule", name), *self._changes(changes), *self._exprs((rule.by, rule.when))}
            keys |= {("action", verb.action) for verb in rule.verbs}
            keys |= self._opened(changes) | {("datum", name) for name in written_by(self.graph)[rule.name]}
            found = self._rules[name] = self._with_reads(keys)
        return found

    def fired(self, event: Event) -> frozenset[Key]:
        """The statements that the rules of an event may involve."""
        return frozenset(key for name in {*event.fired} if name in self.graph.rules for key in self.rule(name))

    def question(self, name: str) -> frozenset[Key]:
        """All answers of a question, and of its questions in turn."""
        if name not in self.graph.defines:
            return frozenset()
        found = self._questions.get(name)
        if found is None:
            self._questions[name] = frozenset()  # questions are acyclic
            define = self.graph.defines[name]
            keys = {("define", answer.name) for answer in define.answers} | self._exprs(exprs_of_define(define))
            found = self._questions[name] = self._with_reads(keys)
        return found

    def _exprs(self, exprs: Iterable[Expr | None]) -> set[Key]:
        asked = {node.value for expr in exprs for node in walk(expr) if node.op == "ask"}
        return {key for name in sorted(asked) for key in self.question(name)}

    def _changes(self, changes: Iterable[Change]) -> set[Key]:
        found = self._exprs(part for change in changes for part in change_parts(change))
        for change in changes:
            if isinstance(change, Apply):
                for turn in self.graph.effects[change.effect].turns:
                    found |= {("effect", turn.name), *self._exprs((turn.when,)), *self._changes(turn.changes)}
        return found

    def _opened(self, changes: Iterable[Change]) -> set[Key]:
        """The phases that they lead to, and the initial values of fresh data there."""
        phases = {change.phase for change in flat_changes(self.graph, changes) if isinstance(change, Way)}
        firsts = (datum.first for datum in self.graph.data.values() if datum.fresh in phases)
        return {*(("phase", phase) for phase in phases), *self._exprs(firsts)}

    def _with_reads(self, keys: Iterable[Key]) -> frozenset[Key]:
        reads = reads_of(self.graph)
        return frozenset(key for one in keys for key in (one, *reads.get(one, ())))

"""A log played by one set of rules, move by move: the result of each move, and the statements at work in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from truco_spec.compare.core.derivation import (
    used_at_opening,
    used_by,
    used_to_forbid,
    used_to_see,
)
from truco_spec.compare.core.reach import Reaches
from truco_spec.compare.core.sides import Scenario, Side
from truco_spec.compare.core.statements import Key
from truco_spec.engine.game import CHANCE, Game
from truco_spec.engine.layout import NONE, UNSET
from truco_spec.engine.observe import ACTING, PREFIX, observe
from truco_spec.engine.provenance import backwards
from truco_spec.engine.support import PlayError
from truco_spec.graph.groups import SEEN
from truco_spec.logs.model import LogError
from truco_spec.logs.replay import MoveRefused, Replay, ReplayStep, UnknownWord

UNKNOWN_WORD, STUCK = "unknown-word", "stuck"
"""Statuses of a move beside those of the rules: a word unknown there, and a deal or rules that fail."""


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The result of a move: its step; or the reason why there is none, with the derivation of a refusal."""

    status: str
    step: ReplayStep | None = None
    message: str = ""
    refused: MoveRefused | None = None


def next_move(replay: Replay) -> MoveResult | None:
    """Play the next move of a log; None after the last."""
    try:
        step = replay.advance()
    except MoveRefused as refused:
        return MoveResult(refused.refusal.status, None, refused.refusal.message, refused)
    except LogError as error:
        status = UNKNOWN_WORD if isinstance(error, UnknownWord) else STUCK
        return MoveResult(status, None, error.diagnostics[0].message)
    return None if step is None else MoveResult(step.event.status, step)


# ---- the statements at work ----------------------------------------------------------------------

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
                mark, wanted = len(replay.game.history), number == self.course.said or not last
                found = next_move(replay)
                self.looked += len(replay.game.history) - mark
                if found is not None and found.refused is not None and wanted:
                    verdict, verb = found.refused.verdict, found.refused.refusal.action.verb
                    yield used_to_forbid(self.graph, verdict, verb).keys
                if found is None or found.step is None:
                    return
                if wanted:
                    yield begun | self.gaze.at_work(replay.game, mark)
                begun = frozenset()
        except (LogError, PlayError):
            return


def _tells(value: object) -> bool:
    return any(item is not None for item in value.values()) if isinstance(value, dict) else value is not None

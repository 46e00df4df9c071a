"""What is at work in a course by the rules of one side, move by move: what decides, answers or forbids there."""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.differences.reaches import Reaches
from truco_spec.differences.scenario import Scenario
from truco_spec.differences.sides import Side
from truco_spec.differences.statements import Key
from truco_spec.differences.used import used_at_opening, used_by, used_to_forbid, used_to_see
from truco_spec.engine.game import CHANCE, Game
from truco_spec.engine.layout import NONE, UNSET
from truco_spec.engine.observe import ACTING, PREFIX, observe
from truco_spec.engine.provenance import backwards
from truco_spec.engine.support import PlayError
from truco_spec.graph.groups import SEEN
from truco_spec.logs.model import LogError
from truco_spec.logs.replay import MoveRefused, Replay

NOTHING_THERE = (0, NONE, UNSET)
"""What a datum holds that is not worth a look: no card, no player, nothing."""


WAITED_FOR = PREFIX + ACTING


class Gaze:
    """What is looked at beside the moves, in search of some statements: what is told at the table, and who sees what.

    It is asked only where it may tell of one of these statements.
    """

    def __init__(self, reaches: Reaches, wanted: frozenset[Key]) -> None:
        self.graph, self.reaches, self.wanted = reaches.graph, reaches, wanted
        questions = [name for name in self.graph.defines if not wanted.isdisjoint(reaches.question(name))]
        self.told = [name for name in questions if name.startswith(PREFIX)]
        self.seen = [name.removesuffix(SEEN) for name in questions if name.endswith(SEEN)]

    def at_work(self, game: Game, mark: int) -> frozenset[Key]:
        """What is at work in the last event of a game, with all events since ``mark``.

        Events that by the text of their rules cannot come to anything that is wanted are passed over.
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
                found.discard(("define", name))  # that nothing is told is no answer, if no exception gave it
        return frozenset(found | self._sights(game))

    def _asked(self, game: Game) -> list[str]:
        """The questions that are asked now: whom the game waits for, only where several may do something."""
        several = WAITED_FOR not in self.told or len(game.awaited() - {CHANCE}) > 1
        return self.told if several else [name for name in self.told if name != WAITED_FOR]

    def _sights(self, game: Game) -> set[Key]:
        """What tells who sees what: after each step of the last event, and before it."""
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
    """A course as it is played by one side, in search of some statements. ``looked`` counts the positions."""

    def __init__(self, side: Side, reaches: Reaches, course: Scenario, wanted: frozenset[Key]) -> None:
        self.side, self.graph, self.course = side, reaches.graph, course
        self.gaze = Gaze(reaches, wanted)
        self.looked = 0

    def moves(self, *, last: bool = False) -> Iterator[frozenset[Key]]:
        """What is at work in each move, or only in the ``last``, with all that goes without saying before it.

        A move that is forbidden is the last that is played: what forbids it is at work. So is what would have to be
        otherwise for one that nothing but one condition keeps from being permitted.
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

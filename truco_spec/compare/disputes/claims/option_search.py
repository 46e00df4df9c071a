"""The smallest changes of options that turn the verdict on a claim.

Single options are tried first, then pairs. The options read during a game are recorded; others cannot matter, and are
not tried. Options that make the pack or bound a range cannot be recorded, as they are folded into the graph: each of
their values has a graph of its own, and all are tried. So every relevant single option is tried, and pairs up to the
limit, first those with an option that changed something by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from truco_spec.compare.disputes.agreement import NotPlayed, Rules, rules_of
from truco_spec.engine.game import Game, program_of
from truco_spec.engine.program import Position
from truco_spec.graph.load import is_open
from truco_spec.graph.model import Graph
from truco_spec.logs.setup import HOW_MANY

MOST_TRIED = 140
"""Maximum settings tried per variant."""
LARGEST = 2
"""The largest size of sets tried."""
MOST_SETS = 12
"""Maximum sets of one size reported."""

Changes = tuple[tuple[str, str], ...]
"""Options and their new values, in the order of the spec."""


@dataclass(frozen=True, slots=True)
class SettingOutcome:
    """The result of a setting: the verdict, and whatever else distinguishes playthroughs."""

    right: bool | None
    course: object


Judge = Callable[[Rules, type[Game]], SettingOutcome]


@dataclass(frozen=True, slots=True)
class FoundSettings:
    """The result of a search: ``sets`` are the smallest changes that turn the verdict, all of one size.

    ``tried`` settings were played; all sets up to ``size`` were tried.
    """

    sets: tuple[Changes, ...]
    tried: int
    size: int


class OptionSearch:
    """Searches the settings around one agreement. ``judge`` plays a setting with the given kind of game.

    ``confirm`` is asked of a setting that turns the verdict: does it also where players hold other cards?
    """

    def __init__(
        self,
        rules: Rules,
        players: int,
        judge: Judge,
        base: SettingOutcome,
        most: int = MOST_TRIED,
        confirm: Callable[[Rules], bool] | None = None,
    ) -> None:
        self.rules, self.players, self.judge, self.base, self.most = rules, players, judge, base, most
        self.confirm = confirm
        self.tried = 0
        self.asked: dict[Changes, tuple[str, ...]] = {}
        self.active: dict[Changes, bool] = {}
        self.order = {name: at for at, name in enumerate(rules.graph.options)}
        self.settled = tuple(n for n in rules.graph.options if not is_open(rules.graph, n) and n != HOW_MANY)

    def run(self, told: Callable[[int], None] | None = None) -> FoundSettings:
        """Search by increasing size. ``told`` is called with the number of settings played."""
        self._play(())
        complete = 0
        for size, sets in ((1, self._alone()), (2, self._pairs())):
            found: list[Changes] = []
            for changes in sets:
                if self.tried >= self.most:
                    return FoundSettings(tuple(found[:MOST_SETS]), self.tried, complete)
                outcome = self._play(changes)
                if told is not None:
                    told(self.tried)
                if outcome is not None and self._turns(outcome) and self._confirmed(changes):
                    found.append(changes)
            if size == 1 or len(self.settled) < LARGEST:
                complete = size
            if found:
                return FoundSettings(tuple(found[:MOST_SETS]), self.tried, complete)
        return FoundSettings((), self.tried, complete)

    # ---- inside ------------------------------------------------------------------------------

    def _confirmed(self, changes: Changes) -> bool:
        return self.confirm is None or self.confirm(rules_of(self.rules.agreement.but(**dict(changes)), self.players))

    def _turns(self, outcome: SettingOutcome) -> bool:
        if self.base.right is None:
            return outcome.right is not None
        return outcome.right is (not self.base.right)

    def _alone(self) -> Iterator[Changes]:
        yield from self._further(())

    def _pairs(self) -> Iterator[Changes]:
        """Pairs in which one option has an effect by itself, then the others, without repetition."""
        firsts = sorted((c for c in self.asked if len(c) == 1), key=lambda c: not self.active[c])
        seen: set[Changes] = set()
        for first in firsts:
            for pair in self._further(first):
                if pair not in seen:
                    seen.add(pair)
                    yield pair

    def _further(self, changes: Changes) -> Iterator[Changes]:
        """The changes with one more, of an option that was read under them, or that has graphs of its own."""
        given = dict(changes)
        for name in (*self.asked.get(changes, ()), *(() if changes else self.settled)):
            option = self.rules.option(name)
            if name in given or name == HOW_MANY:
                continue
            for value in option.values:
                if value != option.value:
                    yield tuple(sorted([*changes, (name, value)], key=lambda pair: self.order[pair[0]]))

    def _play(self, changes: Changes) -> SettingOutcome | None:
        """Play a setting; None if the variant refuses it, or the log cannot be played under it."""
        agreement = self.rules.agreement.but(**dict(changes)) if changes else self.rules.agreement
        try:
            rules = rules_of(agreement, self.players)
        except NotPlayed:
            return None
        self.tried += 1
        watch = Watch()
        try:
            # No larger sets are tried, so the options read need not be recorded.
            outcome = self.judge(rules, Game if len(changes) == LARGEST else watch.game)
        except NotPlayed:
            return None
        self.asked[changes] = watch.asked(rules.graph)
        self.active[changes] = outcome.course != self.base.course
        return outcome


# --------------------------------------------------------------------------------------------------
# A game that records which open options its rules read, so that the others need not be tried.


class _Noted(list[int]):
    """A position that records which slots are read, except by copying; copies record too."""

    read: set[int]

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int:
            self.read.add(key)
        elif key != slice(None):
            self.read.update(range(*key.indices(len(self))))
        return list.__getitem__(self, key)

    def copy(self) -> _Noted:
        found = _Noted(self)
        found.read = self.read
        return found


class Watch:
    """The joint record of the games made by :attr:`game`."""

    def __init__(self) -> None:
        self.read: set[int] = set()
        read = self.read

        class Watched(Game):
            """A game whose reads are recorded."""

            def _blank(self) -> Position:
                position = _Noted(super()._blank())
                position.read = read
                return position

        self.game: type[Game] = Watched

    def asked(self, graph: Graph) -> tuple[str, ...]:
        """The open options that were read, in their order."""
        blocks = program_of(graph).layout.blocks
        return tuple(name for name in graph.options if is_open(graph, name) and blocks[name].base in self.read)

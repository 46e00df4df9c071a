"""Plays whole games at random and checks that the rules account for every change of a datum.

The compiled rules change a position; the graph says what its rules change. :func:`accounted` compares the two: each
step of the last event that wrote a datum is temporarily undone, and its effect is evaluated on the graph, as for
explanations. :func:`play_whole` plays to the end and checks every event.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from truco_spec.base.errors import TrucoError
from truco_spec.engine.compiled.program import undo
from truco_spec.engine.game import CHANCE, Event, Game
from truco_spec.engine.provenance import Cause, Provenance
from truco_spec.engine.sample import random_action
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import Assign, Graph

LONGEST = 20_000
"""A game with this many events is taken to be endless."""

_TOLD = 60
"""Number of last moves shown with an error."""


class Unaccounted(TrucoError):
    """A change that no rule explains, or a game that does not end."""


class AccountEntry(NamedTuple):
    """One change of a datum at one index: the rules behind it, and the values before and after."""

    rules: tuple[str, ...]
    place: tuple[int, ...]
    before: int
    after: int


@dataclass(slots=True)
class GameStatistics:
    """Statistics of games played to the end: events, events that were no draws, the longest game, changes by rules, and
    the final values of each game.
    """

    matches: int = 0
    events: int = 0
    acts: int = 0
    longest: int = 0
    by_rule: Counter[tuple[str, ...]] = field(default_factory=Counter)
    ends: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, other: GameStatistics) -> None:
        """Add the statistics of other games."""
        self.matches += other.matches
        self.events += other.events
        self.acts += other.acts
        self.longest = max(self.longest, other.longest)
        self.by_rule.update(other.by_rule)
        self.ends += other.ends


def play_whole(
    graph: Graph,
    seeds: Iterable[int],
    datum: str,
    weights: Mapping[str, float] | None = None,
    most: int = LONGEST,
) -> GameStatistics:
    """Play a game for each seed, at random and strictly, to its end, checking every change of the datum.

    The datum must last for the whole game; ``weights`` are those of :func:`~truco_spec.engine.sample.random_action`.
    Raises :class:`Unaccounted`, with the seed and the last moves, for a change that the rules do not explain, for a
    position in which play fails, and for a game that has not ended at the limit.
    """
    played = GameStatistics()
    for seed in seeds:
        game = Game(graph)
        try:
            _play(game, random.Random(seed), datum, weights, most, played)
        except (Unaccounted, PlayError) as error:
            moves = ", ".join(game.text(event.action) for event in game.history[-_TOLD:])
            raise Unaccounted(f"{graph.name}, seed {seed}: {error}\nafter {moves}") from error
        played.matches += 1
        played.events += len(game.history)
        played.longest = max(played.longest, len(game.history))
        played.ends.append(tuple(_values(game, datum).values()))
    return played


def _play(
    game: Game, rng: random.Random, datum: str, weights: Mapping[str, float] | None, most: int, played: GameStatistics
) -> None:
    running = _values(game, datum)
    while (action := random_action(game, rng, weights)) is not None:
        game.push(action)
        played.acts += action.actor != CHANCE
        for entry in accounted(game, datum):
            played.by_rule[entry.rules] += 1
            running[entry.place] += entry.after - entry.before
        if len(game.history) > most:
            raise Unaccounted(f"no end after {most} events")
    if running != _values(game, datum):
        raise Unaccounted(f"{datum} is {_values(game, datum)}, and what was told of it makes {running}")


def accounted(game: Game, datum: str) -> list[AccountEntry]:
    """The last event's changes of a datum, each with the rules behind it. Raises Unaccounted if there are none."""
    event, block = game.history[-1], game.layout.blocks[datum]
    if block.datum.fresh or block.datum.type.many or block.datum.type.place:
        raise TrucoError(f"{datum} is no number that lasts for the whole game")
    first, end = block.base, block.base + block.count
    if not any(first <= at < end for step in event.steps for at in step.back[::2]):
        return []
    v, now, found = game.position, list(game.position), []
    try:
        for step in reversed(event.steps):
            after = v[first:end]
            undo(v, (step,))
            told = _told(game, event, step.rules, datum)
            for index, before, later in zip(block.indices(), v[first:end], after, strict=True):
                rules, value = told.get(index, ((), before))
                if value != later:
                    names = ", ".join(step.rules)
                    raise Unaccounted(f"{datum} went from {before} to {later} where {names} make it {value}")
                if before != later:
                    found.append(AccountEntry(rules, index, before, later))
    finally:
        v[:] = now
    return found[::-1]


def _values(game: Game, datum: str) -> dict[tuple[int, ...], int]:
    block = game.layout.blocks[datum]
    return {index: game.position[block.slot(index)] for index in block.indices()}


def _told(
    game: Game, event: Event, names: Iterable[str], datum: str
) -> dict[tuple[int, ...], tuple[tuple[str, ...], int]]:
    """The effect of the rules of one step on a datum in the present position, and the rules."""
    walk = Provenance(game.layout, game.position)
    found: dict[tuple[int, ...], tuple[tuple[str, ...], int]] = {}
    for cause in walk.fired(names, event):
        for change, values in _changes(cause, datum):
            *index, value = values
            rules, so_far = found.get(tuple(index), ((), game.value(datum, *index)))
            whole = value if change.sign == "=" else so_far + value if change.sign == "+=" else so_far - value
            found[tuple(index)] = (*rules, cause.statement.name), whole
    return found


def _changes(cause: Cause, datum: str) -> Iterator[tuple[Assign, list[int]]]:
    """Each change of the datum, with its index and value."""
    for one in (one for part in cause.whole() for one in part.changes):
        if isinstance(one.change, Assign) and one.change.datum == datum:
            values = [value for value in one.values if value is not None]
            if len(values) < len(one.values):
                raise Unaccounted(f"a change of {datum} has no value")
            yield one.change, values

"""Whole games at random, in which every change of a number is accounted for.

The compiled rules change a position; the graph says what its rules change. :func:`accounted` holds the one against the
other: each step of the last event that wrote a datum is taken back for a moment, and what its rules say there is read
from the graph, the way explanations do it. :func:`play_whole` plays to the end and accounts for every event.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from truco_spec.base.errors import TrucoError
from truco_spec.engine.apply import undo
from truco_spec.engine.game import CHANCE, Event, Game
from truco_spec.engine.provenance import Changed, Provenance, made
from truco_spec.engine.sample import random_action
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import Assign, Graph

LONGEST = 20_000
"""A game of so many events has no end."""

_TOLD = 60
"""So many of the last moves are told where something is wrong."""


class Unaccounted(TrucoError):
    """A number changed as no rule says, or a game came to no end."""


class Entry(NamedTuple):
    """One change of a datum at one place: the rules that say so, and the values before and after."""

    rules: tuple[str, ...]
    place: tuple[int, ...]
    before: int
    after: int


@dataclass(slots=True)
class Played:
    """Games played to their ends: events in all, those that were no draws, the longest game, how often which rules
    changed the number, and what it was at the end of each game.
    """

    matches: int = 0
    events: int = 0
    acts: int = 0
    longest: int = 0
    by_rule: Counter[tuple[str, ...]] = field(default_factory=Counter)
    ends: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, other: Played) -> None:
        """These games and others."""
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
) -> Played:
    """A game for each seed, played at random, strictly, to its end; every change of the datum is accounted for.

    The datum is one that lasts for the whole game; ``weights`` are those of
    :func:`~truco_spec.engine.sample.random_action`. Raises :class:`Unaccounted`, with the seed and the last moves, for
    a change that the rules do not explain, for a position in which play breaks down, and for a game that has not
    ended after so many events.
    """
    played = Played()
    for seed in seeds:
        game = Game(graph)
        try:
            _play(game, random.Random(seed), datum, weights, most, played)  # noqa: S311  (chance of cards)
        except (Unaccounted, PlayError) as error:
            moves = ", ".join(game.text(event.action) for event in game.history[-_TOLD:])
            raise Unaccounted(f"{graph.name}, seed {seed}: {error}\nafter {moves}") from error
        played.matches += 1
        played.events += len(game.history)
        played.longest = max(played.longest, len(game.history))
        played.ends.append(tuple(_values(game, datum).values()))
    return played


def _play(
    game: Game, rng: random.Random, datum: str, weights: Mapping[str, float] | None, most: int, played: Played
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


def accounted(game: Game, datum: str) -> list[Entry]:
    """What the last event changed of a datum, each change explained by rules. Raises Unaccounted where none do."""
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
                    found.append(Entry(rules, index, before, later))
    finally:
        v[:] = now
    return found[::-1]


def _values(game: Game, datum: str) -> dict[tuple[int, ...], int]:
    block = game.layout.blocks[datum]
    return {index: game.position[block.slot(index)] for index in block.indices()}


def _told(
    game: Game, event: Event, names: Iterable[str], datum: str
) -> dict[tuple[int, ...], tuple[tuple[str, ...], int]]:
    """What the rules of one step make of a datum in the position as it is, and which of them."""
    walk = Provenance(game.layout, game.position)
    found: dict[tuple[int, ...], tuple[tuple[str, ...], int]] = {}
    for name in names:
        for change, values in _changes(walk.changes(game.graph.rules[name], event.action, event.status), datum):
            *index, value = values
            rules, so_far = found.get(tuple(index), ((), game.value(datum, *index)))
            whole = value if change.sign == "=" else so_far + value if change.sign == "+=" else so_far - value
            found[tuple(index)] = (*rules, name), whole
    return found


def _changes(changes: Iterable[Changed], datum: str) -> Iterator[tuple[Assign, list[int]]]:
    """Each change of the datum, with its index and its value."""
    for one in made(changes):
        if isinstance(one.change, Assign) and one.change.datum == datum:
            values = [value for value in one.values if value is not None]
            if len(values) < len(one.values):
                raise Unaccounted(f"a change of {datum} has no value")
            yield one.change, values

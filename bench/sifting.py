"""Finds, of the single changes of a variant, those that make a difference in given games: only these need be played.

The games are played once, by the rules as they are, and every moment of them is noted. Then one WebAssembly module
after the other looks at all moments under some sixty changes (:mod:`bench.sieve`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from bench.schemata import ChangedParts, NotSwitched, OpenVariant
from bench.sieve import MOST, Moments, OpenGame
from truco_spec.conformance.fit.mutants import Mutant
from truco_spec.engine.game import program_of
from truco_spec.engine.wasm.module import TooLarge
from truco_spec.graph.link import Chain
from truco_spec.graph.model import Graph, by_identity
from truco_spec.graph.walk import data_read
from truco_spec.language.diagnostics import SpecError


@dataclass(frozen=True, slots=True)
class PlayedMoments:
    """The moments of games that one graph played in one mode, and the slots that had a value ``again``."""

    graph: Graph
    mode: str
    moments: Moments
    again: Set[int]

    def may_begin_afresh(self, datum: str) -> bool:
        """Whether a datum that has had another value may be as at first again here."""
        known = self.graph.data.get(datum)
        if known is None:
            return False
        if known.type.place or data_read(self.graph, [] if known.first is None else [known.first]):
            return True
        block = program_of(self.graph).layout.blocks[datum]
        return not self.again.isdisjoint(range(block.base, block.base + block.count))


@dataclass(slots=True)
class Sifter:
    """Single changes of a variant, by number.

    ``same`` change nothing, ``wrong`` do not link (with the error), ``other`` cannot be switched: they must be played.
    """

    chain: Chain
    mutants: Mapping[int, Mutant]
    same: set[int] = field(default_factory=set)
    wrong: dict[int, str] = field(default_factory=dict)
    other: set[int] = field(default_factory=set)

    def sift(self, matches: Iterable[PlayedMoments]) -> Iterator[tuple[int, set[int]]]:
        """Each change that can be switched, with the matches in which it makes a difference, by their place. The graphs
        of the matches differ in no option that cannot stay open.
        """
        matches = list(matches)
        options = matches[0].graph.options.values()
        variant = _variant(self.chain, tuple((option.name, option.value) for option in options))
        parts = self._parts(variant)
        numbers = list(parts)
        batches = -(-len(numbers) // MOST)
        for at in range(batches):
            yield from self._batch(variant, {n: parts[n] for n in numbers[at::batches]}, matches)

    def _parts(self, variant: OpenVariant) -> dict[int, ChangedParts]:
        found = {}
        for number, mutant in self.mutants.items():
            try:
                parts = variant.changed(mutant.statement, mutant.other)
            except NotSwitched:
                self.other.add(number)
            except SpecError as error:
                self.wrong[number] = error.diagnostics[0].message
            else:
                if parts:
                    found[number] = parts
                else:
                    self.same.add(number)
        return found

    def _batch(
        self, variant: OpenVariant, parts: Mapping[int, ChangedParts], matches: list[PlayedMoments]
    ) -> Iterator[tuple[int, set[int]]]:
        numbers = list(parts)
        try:
            sieve = OpenGame(variant.with_changes(list(parts.values())), matches[0].graph)
        except TooLarge:
            if len(numbers) < 2:
                self.other.update(numbers)
                return
            for half in (numbers[::2], numbers[1::2]):
                yield from self._batch(variant, {n: parts[n] for n in half}, matches)
            return
        touched = touching(sieve, matches)
        for at, number in enumerate(numbers, 1):
            yield number, {game for game, mask in enumerate(touched) if mask >> at & 1}


@by_identity(8)
def _variant(chain: Chain, options: tuple[tuple[str, str], ...]) -> OpenVariant:
    return OpenVariant(chain, dict(options))


def touching(sieve: OpenGame, matches: Iterable[PlayedMoments]) -> list[int]:
    """For each game the changes that make a difference in it, as a mask."""
    found, known = list[int](), defaultdict[tuple[int, str], dict[object, int]](dict)
    graph: Graph | None = None
    for game in matches:
        if game.graph is not graph:
            graph = game.graph
            sieve.play_as(graph)
        seen, mask = known[id(graph), game.mode], 0
        sieve.judge(game.mode)
        for position, actions in game.moments.items():
            key = position, frozenset(actions)
            if key not in seen:
                sieve.position = list(position)
                seen[key] = sieve.differing(actions)
            mask |= seen[key]
        found.append(mask)
    return found

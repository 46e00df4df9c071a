"""``python -m bench.witness VARIANT < NAMES``: where does a change of the rules that no case notices change the game?

Random hands are played under random options, before an umpire too, with cards that are alike and scores near the end.
In every position one module (:mod:`bench.sieve`) tells which of the changes make a difference there.
Printed is the shortest game that was found for each; changes without one may mean the same.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bench.games import SCORE
from bench.mutants import mutants_by_name
from bench.schemata import ChangedParts, NotSwitched, OpenVariant
from bench.sieve import MOST, OpenGame
from truco_spec.base.shipped import variant_names
from truco_spec.conformance.fit.mutants import Mutant
from truco_spec.engine.game import Action, Game, IllegalAction
from truco_spec.engine.ruling import Unreachable, drawn_by
from truco_spec.engine.sample import any_action, first_draw, order_of_cards, random_action
from truco_spec.engine.support import PlayError
from truco_spec.graph.link import linked
from truco_spec.graph.load import is_open, load, load_open
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError

_CHANGED = (0.0, 0.05, 0.3)
"""The chance that an option which no change speaks of has another value; one of these for each game."""
_SPOKEN_OF = 0.6
"""The same for an option that a change speaks of."""
_WRONG = 0.15
"""The share of actions that anybody tries at random before the umpire."""
_ALIKE = 0.6
"""The share of deals with many cards of a few ranks or suits."""
_TRIED = 6
"""Actions at random that are looked at in every position, besides those that are permitted."""
_LONGEST = 400
"""Actions of one game."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A game, and what is done differently after it. ``steps`` are its actions since the last deal began."""

    options: str
    mode: str
    score: str
    moves: tuple[str, ...]
    tried: tuple[str, ...]

    def __str__(self) -> str:
        tried = f" | {', '.join(self.tried)}" if self.tried else ""
        return f"{self.options or 'as it is'}, {self.mode}, {self.score}: {', '.join(self.moves)}{tried}"


class Search:
    """Looks for positions in which changes of one variant make a difference."""

    def __init__(self, variant: str, names: Iterable[str], settled: Mapping[str, str], seed: int) -> None:
        mutants = mutants_by_name(variant)
        self.variant, self.settled, self.rng = variant, settled, random.Random(seed)
        self.chain = linked(variant)
        opened, self.parts = OpenVariant(self.chain, settled), dict[str, ChangedParts]()
        for name in names:
            with contextlib.suppress(NotSwitched, SpecError):
                if parts := opened.changed(mutants[name].statement, mutants[name].other):
                    self.parts[name] = parts
        self.opened, self.mutants = opened, mutants

    def found(self, seconds: float) -> Iterator[tuple[str, Witness]]:
        """Each change with a game that shows it, as they are found; at most this long for sixty changes."""
        names = list(self.parts)
        for at in range(0, len(names), MOST):
            some = names[at : at + MOST]
            with contextlib.suppress(SpecError):
                plain = load(self.variant, **self.settled)
                sieve = OpenGame(self.opened.with_changes([self.parts[name] for name in some]), plain)
                yield from self._batch(sieve, some, time.process_time() + seconds)

    def _batch(self, sieve: OpenGame, names: list[str], until: float) -> Iterator[tuple[str, Witness]]:
        left, positions = dict(enumerate(names, 1)), 0
        while left and time.process_time() < until:
            graph, options = self._graph([self.mutants[name] for name in left.values()])
            if graph is None:
                continue
            mode = self.rng.choice(("strict", "umpire"))
            sieve.play_as(graph)
            sieve.judge(mode)
            with contextlib.suppress(PlayError, Unreachable):
                for game, tried in self._game(graph, mode):
                    positions += 1
                    sieve.position = game.position
                    mask = sieve.differing(tried)
                    for number in [n for n in left if mask >> n & 1]:
                        yield left.pop(number), self._witness(sieve, number, game, options, mode, tried)
        print(f"{positions} positions, {len(left)} of {len(names)} without a difference", file=sys.stderr)

    def _graph(self, mutants: list[Mutant]) -> tuple[Graph | None, str]:
        said = repr(self.rng.choice(mutants).statement)
        chance, chosen = self.rng.choice(_CHANGED), dict(self.settled)
        for option in load(self.variant).options.values():
            if option.name not in self.settled and self.rng.random() < (
                _SPOKEN_OF if f"'{option.name}'" in said else chance
            ):
                chosen[option.name] = self.rng.choice(option.values)
        told = " ".join(f"{name}={value}" for name, value in chosen.items())
        try:
            return load(self.variant, **chosen), told
        except SpecError:
            return None, told

    def _game(self, graph: Graph, mode: str) -> Iterator[tuple[Game, list[Action | None]]]:
        rng, target = self.rng, int(graph.options["target"].value)
        near = [target - 1, target - 2, target - 3, rng.randrange(target), rng.randrange(target)]
        start = {SCORE: {team: rng.choice(near) for team in range(graph.teams)}} if rng.random() < 0.6 else None
        try:
            game = Game(graph, mode=mode, start=start)
        except Unreachable:
            game = Game(graph, mode=mode)
        preferred, verbs = order_of_cards(graph, rng, _ALIKE), list(graph.actions)
        shown = {
            verb for verb in verbs if graph.actions[verb].params and graph.actions[verb].params[0].type.base == "card"
        }
        for _ in range(_LONGEST):
            if game.over:
                return
            drawing = drawn_by(game)
            if drawing is not None and drawing.verb in shown:
                action = first_draw(game, drawing, preferred) or random_action(game, rng)
                yield game, [action]
            else:
                legal = game.legal_actions()
                others = [any_action(graph, rng, rng.choice(verbs)) for _ in range(_TRIED)]
                others += [a._replace(actor=rng.randrange(graph.seats)) for a in rng.sample(legal, min(2, len(legal)))]
                yield game, [*legal, *others]
                by_word: dict[str, list[Action]] = {}
                for each in legal:
                    by_word.setdefault(each.verb, []).append(each)
                action = rng.choice(by_word[rng.choice(list(by_word))]) if by_word else None
                if mode == "umpire" and rng.random() < _WRONG:
                    action = rng.choice(others)
            if action is None:
                return
            if rng.random() < 0.02:
                preferred = order_of_cards(graph, rng, _ALIKE)
            with contextlib.suppress(IllegalAction):
                game.push(action)

    def _witness(
        self, sieve: OpenGame, number: int, game: Game, options: str, mode: str, tried: list[Action | None]
    ) -> Witness:
        differing = []
        for action in tried:
            sieve.position = game.position
            if sieve.differing([action]) >> number & 1:
                differing.append(action)
        moves = [game.text(event.action) for event in game.history]
        told = () if len(differing) == len(tried) else tuple(game.text(a) for a in differing if a is not None)
        return Witness(options, mode, str(game.start if hasattr(game, "start") else ""), tuple(moves[-40:]), told)


def main() -> int:
    """Read names, print witnesses."""
    parser = argparse.ArgumentParser(prog="python -m bench.witness", description=__doc__)
    parser.add_argument("variant", choices=variant_names())
    parser.add_argument("settled", nargs="*", metavar="OPTION=VALUE", help="what cannot stay open")
    parser.add_argument("--seconds", type=float, default=60, help="of processor time for every sixty changes")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    asked = dict(each.split("=") for each in given.settled)
    whole, options = load_open(given.variant), load(given.variant, **asked).options
    settled = {name: option.value for name, option in options.items() if not is_open(whole, name)}
    names = [line.rstrip("\n") for line in sys.stdin]
    search = Search(given.variant, [n for n in names if n in mutants_by_name(given.variant)], settled, given.seed)
    found = set[str]()
    for name, witness in search.found(given.seconds):
        found.add(name)
        print(f"{name}\n    {witness}", flush=True)
    for name in names:
        if name not in found:
            print(f"{name}\n    {'-' if name in search.parts else 'not looked at'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Set-ups of a hand: the cards dealt, the score, and other data that last from hand to hand.

Lasting data are taken from random matches, so that every set-up is reachable.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from truco_spec.compare.core.sides import Deal
from truco_spec.engine.game import CHANCE, Game
from truco_spec.engine.observe import observe
from truco_spec.engine.sample import alike_first, random_action
from truco_spec.engine.support import PlayError
from truco_spec.engine.text import value_text
from truco_spec.graph.model import Graph
from truco_spec.logs.model import Start

MATCHES = 6
MOST_MOVES = 2_500
ALIKE, PLAIN, LATE = 0.55, 0.4, 0.2
"""Probabilities: of drawing from similar cards, of the first hand of a match, and of one of the last."""
LAST = 3
"""The number of last hands of a match."""

SCORE, DEALER = "score", "dealer"
"""Data for which a log has names of its own."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Lasting data: the points by the first player of each team, and other data as in a log."""

    score: Mapping[str, int]
    start: tuple[Start, ...]


NOTHING = Setup({}, ())


class Setups:
    """Set-ups of one graph."""

    def __init__(self, graph: Graph, players: Sequence[str], chance: random.Random) -> None:
        self.graph, self.players, self.chance = graph, players, chance
        self.positions = 0
        self.found: list[Setup] = []
        self.late: list[Setup] = []
        self.shape: dict[str, int] = {}
        for _ in range(MATCHES):
            before = len(self.found)
            self._match()
            self.late += self.found[before:][-LAST:]
        self.cards = [card.name for card in graph.cards if card.present]

    def any(self) -> Setup:
        """One of those that were reached, often one of the last of a match."""
        if not self.found or self.chance.random() < PLAIN:
            return NOTHING
        return self.chance.choice(self.late if self.chance.random() < LATE else self.found)

    def _match(self) -> None:
        try:
            game = Game(self.graph, players=self.players)
            plain = _lasting(game)
            for _ in range(MOST_MOVES):
                action = random_action(game, self.chance)
                if action is None:
                    break
                game.push(action)
                self.positions += 1
                if action.actor != CHANCE:
                    for key, count in self._dealt(game).items():
                        self.shape[key] = max(count, self.shape.get(key, 0))
                if (
                    action.actor != CHANCE
                    and _whole(game)
                    and observe(game, acting=False, only=("winner",)).get("winner") is None
                ):
                    self.found.append(self._setup(game, plain))
        except PlayError:
            return

    def _dealt(self, game: Game) -> dict[str, int]:
        """The number of cards of each player, and the other places of cards that a log can name."""
        found: dict[str, int] = {}
        for name, index, count in _lie(game):
            datum = self.graph.data[name]
            if datum.type.place == "slot" and not index:
                found[name] = 1
            elif len(index) == 1 and datum.params[0].type.base == "seat" and datum.type.place == "pile":
                found[self.players[index[0]]] = found.get(self.players[index[0]], 0) + count
        return found

    def _setup(self, game: Game, plain: Mapping[tuple[str, tuple[int, ...]], int]) -> Setup:
        score: dict[str, int] = {}
        start: list[Start] = []
        for (name, index), value in _lasting(game).items():
            if value == plain[name, index] or name == DEALER:
                continue
            datum = self.graph.data[name]
            if name == SCORE and len(index) == 1:
                score[self.players[index[0]]] = value
                continue
            words = [value_text(self.graph, p.type, i, self.players) for p, i in zip(datum.params, index, strict=True)]
            start.append(Start(name, tuple(words), value_text(self.graph, datum.type, value, self.players)))
        return Setup(score, tuple(start))


def _lasting(game: Game) -> dict[tuple[str, tuple[int, ...]], int]:
    """The data that last for the whole match, as far as a log can give them."""
    graph, blocks = game.graph, game.layout.blocks
    names = [name for name, d in graph.data.items() if not d.fresh and not d.type.place and not d.type.many]
    return {
        (name, index): game.position[blocks[name].slot(index)] for name in names for index in blocks[name].indices()
    }


def _lie(game: Game) -> list[tuple[str, tuple[int, ...], int]]:
    """Where cards lie, apart from the pack: the datum, its index, the number."""
    found = []
    for slot, (name, index) in game.layout.place_of.items():
        value = game.position[slot]
        count = value.bit_count() if game.layout.is_pile[slot] else int(value >= 0)
        if name != game.graph.pack and count and value > 0 - (not game.layout.is_pile[slot]):
            found.append((name, index, count))
    return found


def _whole(game: Game) -> bool:
    return not _lie(game)


def common(setup: Setup, graph: Graph, known: Setups) -> Setup:
    """The part of a set-up that another graph has too, if one of its matches reached it."""
    most = max((points for other in known.found for points in other.score.values()), default=0)
    score = {player: points for player, points in setup.score.items() if points <= most}
    start = tuple(
        item
        for item in setup.start
        if item.datum in graph.data and not graph.data[item.datum].fresh and _fits(graph, item, known)
    )
    return Setup(score, start)


def _fits(graph: Graph, item: Start, known: Setups) -> bool:
    return any(item == other for setup in known.found for other in setup.start)


def deal(
    chance: random.Random, shape: Mapping[str, int], cards: Sequence[str], kinds: Mapping[str, tuple[int, int]]
) -> Deal:
    """Cards for everybody, drawn from all, or mostly from some of equal rank or suit."""
    order = chance.sample(list(cards), len(cards))
    if chance.random() < ALIKE:
        by = chance.randrange(2)
        alike_first(order, {card: kinds[card][by] for card in cards}, chance)
        count = min(len(order), sum(shape.values()))
        order[:count] = chance.sample(order[:count], count)
    return dict(_shared(shape, iter(order)))


def _shared(shape: Mapping[str, int], order: Iterator[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for key, count in shape.items():
        given = tuple(card for _, card in zip(range(count), order, strict=False))
        if given:
            yield key, given

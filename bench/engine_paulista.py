"""The reference engine plays random hands of Truco Paulista for four, match after match, as the ruler does.

Counted is what the ruler counts: cards, calls and answers. Shuffling, cutting, dealing and the turning of the vira
are actions of the engine too; they are played one by one, and their time is in the measure, but they are not counted.
"""

import random
from dataclasses import dataclass

from truco_spec.engine.game import CHANCE, Game
from truco_spec.engine.sample import random_action
from truco_spec.graph.model import Graph


@dataclass
class Played:
    """What was played: hands, actions in all, and those that count."""

    hands: int = 0
    actions: int = 0
    counted: int = 0


def play(graph: Graph, rng: random.Random, hands: int, mode: str = "strict") -> Played:
    """Play at least ``hands`` hands, and the last match to its end."""
    tacit = {kind.name for kind in graph.actions.values() if kind.tacit}
    done = Played()
    while done.hands < hands:
        game = Game(graph, mode=mode)
        slot, dealer = game.layout.blocks["dealer"].base, None
        while (action := random_action(game, rng)) is not None:
            game.push(action)
            done.actions += 1
            if action.actor != CHANCE and action.verb not in tacit:
                done.counted += 1
            now = game.position[slot]
            if now != dealer:
                dealer = now
                done.hands += 1
    return done

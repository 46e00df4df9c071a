"""Does what a seat may do depend on what it cannot see?

Two cards that a seat sees nowhere are exchanged, in every place and everything that is remembered of them: for this
seat the two positions look the same. If it may do one thing in the one and not in the other, the list of what it
may do tells it something hidden.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from truco_spec.engine.action import Action
from truco_spec.engine.game import Game
from truco_spec.engine.layout import Layout
from truco_spec.engine.program import Position
from truco_spec.engine.view import cards_seen


@dataclass(frozen=True, slots=True)
class Leak:
    """What a seat may do only if a hidden card is where it is: the action, the rules about it, the two cards."""

    seat: int
    action: Action
    rules: frozenset[str]
    cards: tuple[str, str]


def leak(game: Game, rng: random.Random) -> Leak | None:
    """Exchange two hidden cards for one of those who may act, and compare. None where nothing changes."""
    seats = sorted({action.actor for action in game.legal_actions() if action.actor >= 0})
    if not seats:
        return None
    seat = rng.choice(seats)
    seen = cards_seen(game, seat)
    hidden = [i for i, card in enumerate(game.graph.cards) if card.present and card.name not in seen]
    if len(hidden) < 2:
        return None
    a, b = rng.sample(hidden, 2)
    other = exchanged(game.layout, game.position, a, b)
    before = [action for action in game.judge.legal(game.position) if action.actor == seat]
    after = [action for action in game.judge.legal(other) if action.actor == seat]
    for action in [*before, *after]:
        if (action in before) != (action in after):
            return Leak(seat, action, _permitting(game, action), (game.graph.cards[a].name, game.graph.cards[b].name))
    return None


def _permitting(game: Game, action: Action) -> frozenset[str]:
    """The rules that can permit the action, where the game is."""
    here = (r for r in game.graph.rules.values() if not r.phases or game.phase in r.phases)
    return frozenset(r.name for r in here if r.shape == "may" and any(v.action == action.verb for v in r.verbs))


def exchanged(layout: Layout, position: Position, a: int, b: int) -> Position:
    """The position with two cards exchanged wherever they are, and in whatever holds cards."""
    v = list(position)
    for block in layout.blocks.values():
        kind = block.datum.type
        if kind.base != "card":
            continue
        for slot in range(block.base, block.base + block.count):
            value = v[slot]
            if kind.many:
                if (value >> a & 1) != (value >> b & 1):
                    v[slot] = value ^ (1 << a | 1 << b)
            elif value in (a, b):
                v[slot] = a + b - value
    at = layout.cards_at
    v[at + a], v[at + b] = v[at + b], v[at + a]
    return v

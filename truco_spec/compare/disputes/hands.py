"""Hands with which something else is permitted, found without playing them.

Where several cards of a player are unknown there are thousands of hands, too many to play the log with each. But it is
quickly asked with each of them, in the position before the move, whether the move is permitted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace

from truco_spec.engine.compiled.program import Position
from truco_spec.engine.game import Action, Game
from truco_spec.engine.layout import Layout, Noted

MOST_HANDS = 10_000
"""Maximum hands that are asked about: as many as there are of three cards of a pack of forty."""


@dataclass(frozen=True, slots=True)
class PermitQuestion:
    """Whether one of some actions of a player is permitted, as the game stands."""

    game: Game
    actions: tuple[Action, ...]

    @property
    def actor(self) -> int:
        """The seat of the player; negative for an outsider, and where nothing is asked."""
        return self.actions[0].actor if self.actions else -1

    def otherwise(
        self, held: Sequence[str], pool: Sequence[str], permitted: Sequence[tuple[PermitQuestion, Sequence[str]]] = ()
    ) -> Iterator[tuple[str, ...]]:
        """The cards of the pool that the player could have in place of those held, so that the answer is another.

        ``permitted`` are earlier questions with what was held then: these cards permit what they ask, too.
        """
        cards, layout = self.game.graph.cards, self.game.layout
        numbers = {card.name: number for number, card in enumerate(cards)}
        mine, others = ([numbers[card] for card in names] for names in (held, pool))
        game = copy(self.game)
        position = Noted(self.game.position)
        game.position = position
        of_cards = {*layout.of_cards, *(layout.cards_at + card for card in (*mine, *others))}
        asked, now = list[Action](), False
        for action in self.actions:  # those whose answer no card changes are asked once
            position.read = set()
            offered = game.permits(action)
            now = now or offered
            if not position.read.isdisjoint(of_cards):
                asked.append(action)
            elif offered:
                return
        if not asked:
            return
        here = replace(self, actions=tuple(asked))
        before = [(question, [numbers[card] for card in names]) for question, names in permitted]
        for hand in itertools.islice(itertools.combinations(others, len(mine)), MOST_HANDS):
            if here.permits_with(mine, hand) is not now and all(one.permits_with(had, hand) for one, had in before):
                yield tuple(cards[card].name for card in _in_place_of(mine, hand))

    def permits_with(self, held: Sequence[int], hand: Sequence[int]) -> bool:
        """Whether it is permitted with another hand."""
        game = copy(self.game)
        game.position = self.game.position.copy()
        for old, new in zip(held, _in_place_of(held, hand), strict=True):
            exchange(game.position, game.layout, old, new)
        return any(game.permits(action) for action in self.actions)


def _in_place_of(held: Sequence[int], hand: Sequence[int]) -> list[int]:
    """The hand, each card that was held already in its place."""
    coming = (card for card in hand if card not in held)
    return [card if card in hand else next(coming) for card in held]


def exchange(position: Position, layout: Layout, one: int, other: int) -> None:
    """Let two cards change places, and what is remembered of them, as if each had come where the other did."""
    if one == other:
        return
    first = layout.cards_at
    position[first + one], position[first + other] = position[first + other], position[first + one]
    for slot, many in layout.of_cards.items():
        value = position[slot]
        if many and value > 0:
            if value >> one & 1 != value >> other & 1:
                position[slot] = value ^ (1 << one | 1 << other)
        elif not many and value in (one, other):
            position[slot] = other if value == one else one

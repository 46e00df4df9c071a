"""Random play: one permitted action, uniformly or weighted by word.

The generator is the caller's: the same seed gives the same game. Where chance draws a card, cards are drawn by
rejection sampling, which is much faster than listing forty draws, and equally fair.

A word with many forms (fifty counts, a card for each player), or one that ends the hand at once, dominates uniform
choice. The caller may therefore weigh words: a word is chosen first, then one of its actions.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from truco_spec.engine.ruling import drawn_by
from truco_spec.engine.support import CHANCE, REFEREE, Action, lowest_actor

if TYPE_CHECKING:
    from truco_spec.engine.compiled.program import VerbRules
    from truco_spec.engine.game import Event, Game
    from truco_spec.graph.model import Graph

TRIES = 100
"""Rejected draws after which the permitted ones are listed."""
FAVOUR = 0.8
"""The probability that a card of a favoured rank or suit comes first."""

T = TypeVar("T")


def random_action(game: Game, rng: random.Random, weights: Mapping[str, float] | None = None) -> Action | None:
    """Return a random permitted action, uniformly; None when the game is over.

    With ``weights`` a word is chosen first, by its weight (default 1), then one of its actions.
    """
    draw = random_draw(game, rng)
    if draw is not None:
        return draw
    legal = game.legal_actions()
    if weights is not None and len(legal) > 1:
        return _weighed(legal, rng, weights)
    return legal[int(rng.random() * len(legal))] if legal else None


def random_draw(game: Game, rng: random.Random) -> Action | None:
    """Return a random card that chance draws, without listing the permitted ones; None if it draws none."""
    drawing = drawn_by(game)
    return None if drawing is None else _drawn(game, drawing, rng)


def random_match(game: Game, rng: random.Random, most: int) -> Iterator[Event]:
    """Play random actions to the end of the game, at most ``most``; yields the event of each."""
    for _ in range(most):
        action = random_action(game, rng)
        if action is None:
            break
        yield game.push(action)


def any_action(graph: Graph, rng: random.Random, verb: str) -> Action:
    """A random action with this word, by anybody, the referee included, permitted or not."""
    kinds = [param.type for param in graph.actions[verb].params]
    args = tuple(rng.randint(kind.low, max(kind.low, kind.high)) for kind in kinds)
    actor = rng.randrange(graph.seats + (lowest_actor(graph) == REFEREE))
    return Action(actor if actor < graph.seats else REFEREE, verb, args)


def alike_first(order: list[T], kind: Mapping[T, int], rng: random.Random) -> None:
    """Move cards of up to three random kinds, such as ranks or suits, mostly to the front."""
    kinds = sorted({kind[card] for card in order})
    favoured = set(rng.sample(kinds, min(len(kinds), rng.randint(1, 3))))
    first = {card: kind[card] in favoured and rng.random() < FAVOUR for card in order}
    order.sort(key=lambda card: not first[card])


def order_of_cards(graph: Graph, rng: random.Random, alike: float) -> list[int]:
    """Return all cards of the pack in a random order; with this probability mostly those of some ranks
    or suits first.
    """
    cards = [number for number, card in enumerate(graph.cards) if card.present]
    cards = rng.sample(cards, len(cards))
    if rng.random() < alike:
        by_rank, known = rng.random() < 0.5, graph.cards
        alike_first(cards, {card: known[card].rank if by_rank else known[card].suit for card in cards}, rng)
    return cards


def first_draw(game: Game, drawing: VerbRules, cards: Iterable[int]) -> Action | None:
    """Return the draw of the first of these cards that chance can draw; None if there is none."""
    number = game.program.numbers[drawing.verb]
    draws = (game.program.actions[(number, CHANCE, card)] for card in cards)
    return next((draw for draw in draws if game.draws(drawing, draw)), None)


def _weighed(legal: list[Action], rng: random.Random, weights: Mapping[str, float]) -> Action:
    by_word: dict[str, list[Action]] = {}
    for action in legal:
        by_word.setdefault(action.verb, []).append(action)
    left = rng.random() * sum(weights.get(word, 1) for word in by_word)
    for word, actions in by_word.items():
        left -= weights.get(word, 1)
        if left < 0:
            return actions[int(rng.random() * len(actions))]
    return legal[-1]


def _drawn(game: Game, drawing: VerbRules, rng: random.Random) -> Action | None:
    """Draw until an action is permitted; None at the limit."""
    verb = drawing.verb
    number, domains, known = game.program.numbers[verb], game.program.domains[verb], game.program.actions
    for _ in range(TRIES):
        args = [low + int(rng.random() * (high - low + 1)) for low, high, _ in domains]
        action = known[(number, CHANCE, *args)]
        if game.draws(drawing, action):
            return action
    return None

"""Random play: one permitted action, uniformly or weighted by word.

The generator is the caller's: the same seed gives the same game. Where chance draws a card, cards are drawn by
rejection sampling, which is much faster than listing forty draws, and equally fair.

A word with many forms (fifty counts, a card for each player), or one that ends the hand at once, dominates uniform
choice. The caller may therefore weigh words: a word is chosen first, then one of its actions.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from truco_spec.engine.action import CHANCE, Action

if TYPE_CHECKING:
    from truco_spec.engine.compile.program import VerbRules
    from truco_spec.engine.game import Game

TRIES = 100
"""Rejected draws after which the permitted ones are listed."""


def random_action(game: Game, rng: random.Random, weights: Mapping[str, float] | None = None) -> Action | None:
    """Return a random permitted action, uniformly; None when the game is over.

    With ``weights`` a word is chosen first, by its weight (default 1), then one of its actions.
    """
    drawing = drawn_by(game)
    if drawing is not None:
        action = _drawn(game, drawing, rng)
        if action is not None:
            return action
    legal = game.legal_actions()
    if weights is not None and len(legal) > 1:
        return _weighed(legal, rng, weights)
    return legal[int(rng.random() * len(legal))] if legal else None


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


def drawn_by(game: Game) -> VerbRules | None:
    """The verb by which chance draws now; None if anybody else may act, or several verbs could draw."""
    v = game.position
    drawing = None
    for rules in game.program.draws[v[0]] or ():
        for rule in rules.may:
            if rule.now is None or rule.now(v):
                if drawing is not None and drawing is not rules:
                    return None
                drawing = rules
    return drawing


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

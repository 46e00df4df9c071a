"""What is due before a move that comes too early: the rule that asks for it, and those by which it can be done.

A card is laid, and the side at eleven has not decided yet: due is that choice, by the rule that puts it before play.
"""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.engine.explain import Verdict
from truco_spec.engine.game import CHANCE, Game
from truco_spec.graph.model import Graph
from truco_spec.graph.walk import ways


def due_rules(game: Game, verdict: Verdict) -> tuple[str, ...]:
    """The names of the rules by which something else is due first; none where it is not too early for the move.

    It is too early where the move belongs to a phase that goes on later, or that comes of itself. The first rule is the
    one that led here, the others are those by which the game can go on.
    """
    offers = [rule for rule in verdict.rules if rule.shape == "may"]
    least = min((len(rule.missing) for rule in offers), default=0)
    nearest = [rule for rule in offers if len(rule.missing) == least]
    if (
        verdict.status != "not-offered"
        or not nearest
        or not all("in" in [c.kind for c in rule.missing] for rule in nearest)
    ):
        return ()
    phases = {phase for rule in nearest for phase in game.graph.rules[rule.name].phases}
    if phases.isdisjoint(game.stack()[1:]) and phases.isdisjoint(_of_themselves(game.graph)):
        return ()
    return tuple(dict.fromkeys((*_led_here(game), *_offering(game))))


def _of_themselves(graph: Graph) -> Iterator[str]:
    """The phases to which a rule goes on that nobody has to call."""
    for rule in graph.rules.values():
        if not rule.verbs:
            yield from (way.phase for way in ways(graph, rule.do))


def _led_here(game: Game) -> Iterator[str]:
    """The last rule that went on to the phase on top."""
    rules = game.graph.rules
    for event in reversed(game.history):
        for step in reversed(event.steps):
            for name in step.rules:
                if any(way.phase == game.phase for way in ways(game.graph, rules[name].do)):
                    yield name
                    return


def _offering(game: Game) -> Iterator[str]:
    """The rules that permit what can be done now."""
    for action in game.legal_actions():
        if action.actor != CHANCE and not game.graph.actions[action.verb].tacit:
            yield from (rule.name for rule in game.rule_on(action).rules if rule.shape == "may")

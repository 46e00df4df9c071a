"""The word of one game for the word of another: what the rules of the same names let a player say.

Two games that share a base share the names of its rules. Where one says ``aceito`` by the rule ``truco.accept``, the
other says what its own ``truco.accept`` permits. Nothing here knows a word of either.
"""

from __future__ import annotations

from collections.abc import Iterable

from truco_spec.engine.game import Action
from truco_spec.graph.model import Graph, Param, Rule, Verb


def counterparts(one: Graph, readings: Iterable[Action], other: Graph) -> list[Action]:
    """What a move, read in one game, can be in the other, in the order of the rules; empty where no rule tells."""
    found: dict[Action, None] = {}
    for action in readings:
        params = one.actions[action.verb].params
        for rule in one.rules.values():
            there = other.rules.get(rule.name)
            if there is None or not _offers(there) or not _offers(rule):
                continue
            if any(verb.action == action.verb for verb in rule.verbs):
                ways = [made for verb in there.verbs if (made := _made(one, params, action, other, verb)) is not None]
                found |= dict.fromkeys(ways if len(ways) == 1 else ())
    return list(found)


def _offers(rule: Rule) -> bool:
    return rule.shape == "may" and not rule.chance


def _made(one: Graph, params: tuple[Param, ...], action: Action, other: Graph, verb: Verb) -> Action | None:
    """The action with this verb and the same arguments, or None."""
    wanted = other.actions[verb.action].params
    if len(wanted) != len(params) or len(verb.args) != len(action.args):
        return None
    values: list[int] = []
    for given, value, mine, yours in zip(verb.args, action.args, params, wanted, strict=True):
        found = given if isinstance(given, int) else _value(one, mine, value, other, yours)
        if found is None:
            return None
        values.append(found)
    return Action(action.actor, verb.action, tuple(values))


def _value(one: Graph, mine: Param, value: int, other: Graph, yours: Param) -> int | None:
    """The value that stands in the same place: of an order of the same name, or a number, seat or team."""
    kind, there = mine.type, yours.type
    if kind.base != there.base or kind.many or there.many:
        return None
    if kind.base in ("number", "seat", "team") or (kind.base == "order" and kind.name == there.name):
        return value if there.low <= value <= there.high else None
    return other.value_of(there, one.text_of(kind, value))

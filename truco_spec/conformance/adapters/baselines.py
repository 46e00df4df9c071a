"""Baseline players (yes-man, no-man, random) and their scores on the same cases, for comparison.

The three players run in this process and are judged like any implementation. They claim to play and observe everything,
so a case that is *unobserved* is not passed. For the shipped cases the results are precomputed
(:mod:`~truco_spec.conformance.corpus.ready`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from truco_spec.base.project import by_variant
from truco_spec.conformance.corpus import ready
from truco_spec.conformance.corpus.cases import Instance, Level
from truco_spec.conformance.corpus.protocol import Deal, HandScript, HandSeen, Introduction, Plan, Script, Seen
from truco_spec.conformance.runner.judge import judge
from truco_spec.engine import Game
from truco_spec.engine.observe import OPEN
from truco_spec.graph.load import load
from truco_spec.graph.model import OBSERVED, Define
from truco_spec.graph.types import Type

PLAYERS = ("yes-man", "no-man", "random")

_NOBODY = Introduction("nobody", "", {}, ())


def passed(instances: Iterable[Instance]) -> Mapping[Level, Mapping[str, int]]:
    """The number of these cases that each player passes, by level."""
    found: dict[Level, dict[str, int]] = {}
    for instance in instances:
        level = found.setdefault(instance.case.entry.level, dict.fromkeys(PLAYERS, 0))
        known = ready.baselines_of(instance)
        for player in passes(ready.as_written(instance)) if known is None else known:
            level[player] += 1
    return found


def passes(planned: Plan) -> tuple[str, ...]:
    """The players that pass a case."""
    return tuple(player for player in PLAYERS if _passes(planned, ANSWERS[player]))


def _passes(planned: Plan, player: Callable[[Script], Seen]) -> bool:
    answers: list[Seen | tuple[Deal, ...]] = [
        player(asked) if isinstance(asked, Script) else ({},) * asked.times for asked in planned.requests
    ]
    outcomes = [(finding.outcome, finding.asked) for finding in judge(planned, answers, _NOBODY)]
    if any(outcome == "failed" for outcome, _ in outcomes):
        return False
    return ("passed", True) in outcomes or ("unobserved", True) not in outcomes


# ---- The baseline players: how each answers a script ---------------------------------------------

_CATEGORIES = ("not-your-turn", "not-now", "not-held", "not-offered", True)

BaselinePlayer = Callable[[Script], Seen]


def yes_man(script: Script) -> Seen:
    """Permits everything; nothing ever happens."""
    return tuple(
        HandSeen(
            tuple(_nothing_happened(script, hand, done + 1) for done in range(len(hand.actions))),
            _nothing_happened(script, hand, 0),
        )
        for hand in script.hands
    )


def no_man(script: Script) -> Seen:
    """Refuses everything."""
    return tuple(
        HandSeen(tuple({"refused": True} for _ in hand.actions), _nothing_happened(script, hand, 0))
        for hand in script.hands
    )


def by_chance(script: Script) -> Seen:
    """Permits or refuses at random, and answers random observations."""
    chance = random.Random(repr(script))  # noqa: S311 -- a toss, and no secret

    def seen(hand: HandScript) -> dict[str, Any]:
        if chance.random() < 1 / 2:
            return {"refused": chance.choice(_CATEGORIES)}
        return _anything(script, hand, chance)

    return tuple(
        HandSeen(tuple(seen(hand) for _ in hand.actions), _anything(script, hand, chance)) for hand in script.hands
    )


ANSWERS: Mapping[str, BaselinePlayer] = {"yes-man": yes_man, "no-man": no_man, "random": by_chance}


# ---- their answers -------------------------------------------------------------------------------


def _nothing_happened(script: Script, hand: HandScript, done: int) -> dict[str, Any]:
    """The table before the first move; the next actor in the script may act."""
    following = hand.actions[done : done + 1]
    return {
        **_opening(script.variant),
        "score": dict(script.score) | {team[0]: 0 for team in script.teams if not set(team) & set(script.score)},
        "acting": [action.player for action in following],
        "legal": {player: list(hand.deal.get(player, ())) for player in script.players},
        "view": {player: [*hand.deal.get(player, ()), *_turned(script, hand)] for player in script.players},
    }


@by_variant(64)
def _opening(variant: str) -> Mapping[str, Any]:
    """The public observations before the first action."""
    return {key: value for key, value in Game(load(variant)).observe().items() if not isinstance(value, dict)}


def _turned(script: Script, hand: HandScript) -> list[str]:
    return [card for key, cards in hand.deal.items() if key not in script.players for card in cards]


def _anything(script: Script, hand: HandScript, chance: random.Random) -> dict[str, Any]:
    """A random value for every observation."""
    found: dict[str, Any] = {}
    for key, define in _questions(script.variant):
        if define.params:
            found[key] = {team[0]: _value(define.type, script, hand, chance) for team in script.teams}
        else:
            found[key] = _value(define.type, script, hand, chance)
    cards = [card for held in hand.deal.values() for card in held]
    found |= {"acting": [chance.choice(script.players)], "may-speak": _some(script.players, chance)}
    found["legal"] = {player: _some(hand.deal.get(player, ()), chance) for player in script.players}
    found["view"] = {player: _some(cards, chance) for player in script.players}
    return {key: value for key, value in found.items() if value != OPEN}


@by_variant(64)
def _questions(variant: str) -> tuple[tuple[str, Define], ...]:
    defines = load(variant).defines
    return tuple((name[len(OBSERVED) :], define) for name, define in defines.items() if name.startswith(OBSERVED))


def _value(kind: Type, script: Script, hand: HandScript, chance: random.Random) -> Any:
    """A random value of the type, uniformly."""
    at = chance.randrange(kind.size + len(kind.words))
    if at >= kind.size:
        word = sorted(kind.words)[at - kind.size]
        return None if word == "none" else word
    if kind.base in ("seat", "team"):
        return chance.choice(script.players)
    if kind.base == "card":
        return chance.choice([card for cards in hand.deal.values() for card in cards] or [None])
    return bool(at) if kind.base == "flag" else kind.low + at


def _some(cards: Iterable[str], chance: random.Random) -> list[str]:
    return [card for card in cards if chance.random() < 1 / 2]

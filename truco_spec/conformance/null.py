"""So that a score means something: what would somebody come to on these cases who knows nothing of the game?

Three such players (:mod:`~truco_spec.conformance.strangers`) are asked in this process and judged like anybody else.
They claim to play everything and to see everything, so a case that is *unobserved* is not passed. What they come to
hangs on the case and the specs alone: it is worked out once, and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from truco_spec.conformance.cases import Instance, Level
from truco_spec.conformance.judge import judge
from truco_spec.conformance.prepared import Preparation
from truco_spec.conformance.protocol import Deal, Introduction, Script, Seen
from truco_spec.conformance.scripts import Plan

PLAYERS = ("yes-man", "no-man", "random")

_NOBODY = Introduction("nobody", "", {}, ())
_QUESTION = "null"


def passes(instances: Iterable[Instance]) -> Mapping[Level, Mapping[str, int]]:
    """How many of these cases each of the players passes, by level."""
    preparation = Preparation()
    found: dict[Level, dict[str, int]] = {}
    for instance in instances:
        level = found.setdefault(instance.case.entry.level, dict.fromkeys(PLAYERS, 0))
        for player in _passed_by(instance, preparation):
            level[player] += 1
    preparation.keep()
    return found


def _passed_by(instance: Instance, preparation: Preparation) -> Iterable[str]:
    """Who passes a case."""
    told = preparation.remembered(instance, _QUESTION)
    if told is None:
        from truco_spec.conformance.strangers import STRANGERS

        planned = preparation.plan(instance)
        told = " ".join(player for player in PLAYERS if _passes(planned, STRANGERS[player]))
        preparation.remember(instance, _QUESTION, told)
    return [player for player in str(told).split() if player in PLAYERS]


def _passes(planned: Plan, stranger: Callable[[Script], Seen]) -> bool:
    answers: list[Seen | tuple[Deal, ...]] = [
        stranger(asked) if isinstance(asked, Script) else ({},) * asked.times for asked in planned.requests
    ]
    outcomes = [(finding.outcome, finding.asked) for finding in judge(planned, answers, _NOBODY)]
    if any(outcome == "failed" for outcome, _ in outcomes):
        return False
    return ("passed", True) in outcomes or ("unobserved", True) not in outcomes

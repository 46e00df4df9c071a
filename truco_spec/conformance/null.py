"""So that a score means something: what would somebody come to on these cases who knows nothing of the game?

Three such players (:mod:`~truco_spec.conformance.strangers`) are asked in this process and judged like anybody else.
They claim to play everything and to see everything, so a case that is *unobserved* is not passed. Of the shipped cases
it is known who passes them (:mod:`~truco_spec.conformance.ready`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from truco_spec.conformance import ready
from truco_spec.conformance.cases import Instance, Level
from truco_spec.conformance.judge import judge
from truco_spec.conformance.protocol import Deal, Introduction, Script, Seen
from truco_spec.conformance.scripts import Plan

PLAYERS = ("yes-man", "no-man", "random")

_NOBODY = Introduction("nobody", "", {}, ())


def passed(instances: Iterable[Instance]) -> Mapping[Level, Mapping[str, int]]:
    """How many of these cases each of the players passes, by level."""
    found: dict[Level, dict[str, int]] = {}
    for instance in instances:
        level = found.setdefault(instance.case.entry.level, dict.fromkeys(PLAYERS, 0))
        known = ready.baselines_of(instance)
        for player in passes(ready.as_written(instance)) if known is None else known:
            level[player] += 1
    return found


def passes(planned: Plan) -> tuple[str, ...]:
    """Who passes a case."""
    from truco_spec.conformance.strangers import STRANGERS

    return tuple(player for player in PLAYERS if _passes(planned, STRANGERS[player]))


def _passes(planned: Plan, stranger: Callable[[Script], Seen]) -> bool:
    answers: list[Seen | tuple[Deal, ...]] = [
        stranger(asked) if isinstance(asked, Script) else ({},) * asked.times for asked in planned.requests
    ]
    outcomes = [(finding.outcome, finding.asked) for finding in judge(planned, answers, _NOBODY)]
    if any(outcome == "failed" for outcome, _ in outcomes):
        return False
    return ("passed", True) in outcomes or ("unobserved", True) not in outcomes

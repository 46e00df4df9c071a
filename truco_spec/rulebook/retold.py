"""A case as other rules have it: the same moves, and what then holds under these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from truco_spec.conformance import filling, ready
from truco_spec.conformance.cases import Expect, Instance
from truco_spec.conformance.judge import judge
from truco_spec.conformance.pipe import Broken
from truco_spec.conformance.protocol import TEAM_VALUES, Script
from truco_spec.conformance.reference import Reference
from truco_spec.conformance.scripts import MustShow, Plan


def retold(instance: Instance, engine: Reference) -> Instance | None:
    """The case with the observations of ``engine``; its title, which may not be true any more, is empty.

    None where the engine does not take the moves as the case has them, permitted and refused, or shows less.
    """
    plan = ready.as_written(instance)
    engine.asked = filling.asked_of(plan)
    try:
        answers = [engine.run(request) for request in plan.requests if isinstance(request, Script)]
    except Broken:
        return None
    moves = replace(plan, checks=tuple(check for check in plan.checks if not isinstance(check, MustShow)))
    if any(finding.outcome != "passed" for finding in judge(moves, answers, engine.hello())):
        return None
    shown = list(_shown(plan, answers))
    if any(value is _NOTHING for value in shown):
        return None
    values = iter(shown)
    entry = instance.case.entry
    steps = tuple(
        Expect({key: next(values) for key in step.expect}) if isinstance(step, Expect) else step for step in entry.moves
    )
    return replace(instance, case=replace(instance.case, entry=replace(entry, title="", moves=steps)))


_NOTHING = object()
"""What is not shown; None is a value."""


def _shown(plan: Plan, answers: Sequence[Any]) -> Iterator[Any]:
    """The value of each observation, in the order of the checks; teams are named by the players that the case names."""
    for check in plan.checks:
        if isinstance(check, MustShow):
            at = check.at
            hand = answers[at.script][at.hand]
            seen: Mapping[str, Any] = hand.start if at.action < 0 else hand.seen[at.action]
            script = plan.requests[at.script]
            assert isinstance(script, Script)  # own deals are no examples
            yield _called(check, seen.get(check.key, _NOTHING), script)


def _called(check: MustShow, got: Any, script: Script) -> Any:
    def same(one: Any, other: Any) -> bool:
        return one == other or any(one in team and other in team for team in script.teams)

    if check.key == "score" and isinstance(got, Mapping) and isinstance(check.value, Mapping):
        points = {who: [value for team, value in got.items() if same(who, team)] for who in check.value}
        return {who: found[0] for who, found in points.items()} if all(points.values()) else _NOTHING
    return check.value if check.key in TEAM_VALUES and same(check.value, got) else got

"""Shrinks failures of the corpus like those of fuzzing: to the shortest script that fails in the same way.

The expectation is recomputed by playing the rest with the reference engine, so the new case is as correct as the
original, and rests on the same clauses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from truco_spec.base.errors import TrucoError
from truco_spec.conformance.adapters.pipe import Broken, Implementation
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.protocol import Plays, Script
from truco_spec.conformance.corpus.scripts import MustShow
from truco_spec.conformance.fuzz.as_case import case_text
from truco_spec.conformance.fuzz.shrink import MOST_RUNS, Minimal, shrink
from truco_spec.conformance.fuzz.trial import Examiner, Failure
from truco_spec.conformance.runner.runner import Result

_CUT = frozenset({"fail", "error", "crash"})
"""Verdicts worth shrinking; repeated timeouts would take too long."""


class Cutter:
    """Shrinks the first fault of results with an implementation of its own, started by ``open_one``."""

    def __init__(self, open_one: Callable[[], Implementation], most: int = MOST_RUNS) -> None:
        self.open_one, self.most = open_one, most

    def __call__(self, result: Result) -> Result:
        """The result with the shortest script and the case made of it; else with the reason why there is none."""
        if result.verdict not in _CUT or not isinstance(result.shown, Script):
            return result
        if result.shown.mode != "strict":
            return _uncut(result, "scripts for an umpire are not")
        try:
            failure = self._failure(result, result.shown)
            if failure is None:
                return _uncut(result, "beside the reference engine, step by step, this fault does not show")
            minimal = shrink(failure, self.open_one, most=self.most, among=True)
        except (TrucoError, Broken):
            return _uncut(result, "the implementation did not answer again")
        return _with(result, minimal) if minimal.repeatable else _uncut(result, "it does not show each time")

    def _failure(self, result: Result, script: Script) -> Failure | None:
        """The fault of the case, as the comparison with the reference engine finds it."""
        implementation = self.open_one()
        try:
            plays = implementation.hello().variants.get(script.variant, Plays(()))
            whole = replace(script, options={**plays.own(len(script.players)), **script.options})
            for failure in Examiner(implementation).failures(whole):
                if failure.kind == result.verdict or _is_told(failure, result.faults[0].expected, script):
                    return failure
        finally:
            implementation.close()
        return None


def _is_told(failure: Failure, expected: str, script: Script) -> bool:
    """Whether this is the expected value named by the case; a team may be named by another of its players."""
    if not isinstance(failure.check, MustShow):
        return failure.expected == expected
    last = (len(script.hands) - 1, len(script.hands[-1].actions) - 1)
    at = failure.check.at
    return (at.hand, at.action) == last and expected.startswith(f"{failure.check.key}: ")


def _with(result: Result, minimal: Minimal) -> Result:
    failure, first = minimal.failure, result.faults[0]
    name = f"{result.instance.case.id}-cut"
    case = case_text(failure, name, f"Cut down from {result.instance.name}.", result.instance.case)
    fault = replace(
        first, expected=failure.expected, got=failure.got, script=filling.notation(failure.script), case=case
    )
    return replace(result, faults=(fault, *result.faults[1:]), shown=failure.script)


def _uncut(result: Result, why: str) -> Result:
    first = result.faults[0]
    advice = f"{first.advice} It was not shortened: {why}.".strip()
    return replace(result, faults=(replace(first, advice=advice), *result.faults[1:]))

"""Cases against one implementation: what it does not play, what it is asked, verdicts.

An implementation at the end of a pipe may have several processes; results are in the order of the cases all the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from truco_spec.conformance import ready
from truco_spec.conformance.again import Answer, Doubt, Doubts, Failing, Questions, again
from truco_spec.conformance.always import Untrue
from truco_spec.conformance.asked import DEALS_EACH, Asked, Broken
from truco_spec.conformance.cases import Instance, Level
from truco_spec.conformance.in_order import InOrder
from truco_spec.conformance.judge import Finding, judge, lacking, needs_of
from truco_spec.conformance.pipe import Implementation, Pipe, request_line
from truco_spec.conformance.protocol import Introduction, OwnDeals, Script, deals_in, seen_in
from truco_spec.conformance.scripts import START, Plan, cut_short
from truco_spec.conformance.verdicts import Checks, Fault, Verdict
from truco_spec.errors import TrucoError

Shown = Script | OwnDeals
OnResult = Callable[["Result"], None]


@dataclass(frozen=True, slots=True)
class Result:
    """One case, judged. ``reason`` says why it is unsupported; ``shown`` is what was played, up to the first fault.
    ``failing`` is what is asked again.
    """

    instance: Instance
    verdict: Verdict
    checks: Checks = field(default_factory=Checks)
    faults: tuple[Fault, ...] = ()
    reason: str = ""
    shown: Shown | None = field(default=None, repr=False, compare=False)
    failing: Failing | None = field(default=None, repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.instance.name

    @property
    def clauses(self) -> tuple[str, ...]:
        return self.instance.case.clauses

    @property
    def decisions(self) -> tuple[str, ...]:
        return self.instance.case.entry.decisions

    @property
    def level(self) -> Level:
        return self.instance.case.entry.level


def run(
    cases: Iterable[Instance], implementation: Implementation, on_result: OnResult = lambda result: None
) -> tuple[Result, ...]:
    """Play every instance and judge it. ``on_result`` is called for each, in order; when the run is broken off, for
    those that were done.
    """
    untrue, doubts = Untrue(), Doubts(implementation)
    results: list[Result] = []

    def told(result: Result) -> None:
        results.append(result)
        on_result(result)

    try:
        if isinstance(implementation, Pipe):
            _Piped(implementation, untrue, told, doubts).run(tuple(cases))
        else:
            for instance in cases:
                told(_play(instance, implementation, untrue, doubts))
    finally:
        untrue.keep()
    return tuple(results)


def introduction_of(implementation: Implementation) -> Introduction | None:
    """How the implementation introduces itself, or None when it never gets started."""
    try:
        return implementation.hello()
    except Broken:
        return None


def play(instance: Instance, implementation: Implementation) -> Result:
    """One instance: plan it, ask, judge; what failed is asked again."""
    (result,) = run([instance], implementation)
    return result


def _play(instance: Instance, implementation: Implementation, untrue: Untrue, doubts: Doubts) -> Result:
    from truco_spec.conformance.reference import Reference

    plan_of = ready.as_written if isinstance(implementation, Reference) else ready.whole  # it deals what is left open
    try:
        introduction = implementation.hello()
        plan = _settled(instance, plan_of, introduction, untrue)
        if isinstance(plan, Result):
            return plan
        if isinstance(implementation, Reference):
            from truco_spec.conformance.filling import asked_of

            implementation.asked = asked_of(plan)
        answers = [
            implementation.run(request) if isinstance(request, Script) else implementation.deal(request)
            for request in plan.requests
        ]
    except Broken as broken:
        return _broken(instance, broken)
    result = _judged(instance, plan, answers, introduction)
    if result.failing is None or isinstance(implementation, Reference) or not doubts.wants():
        return result
    return _with_doubt(result, *doubts.at_once(result.failing, implementation))


# ---- what is told without asking --------------------------------------------------------------------


def _settled(
    instance: Instance, plan_of: Callable[[Instance], Plan], introduction: Introduction, untrue: Untrue
) -> Result | Plan:
    """What is asked; the result of a case that is not, because the spec does not have its variant, or because of what
    the implementation says of itself.
    """
    try:
        rules = ready.rules_of(instance.variant)
        plays = introduction.variants.get(instance.variant)
        if plays is None:
            return Result(instance, "unsupported", reason=f"does not play {instance.variant}")
        plan = plan_of(instance)
    except TrucoError as error:
        return Result(instance, "error", faults=(Fault("a case that can be played", str(error)),))
    own = plays.own(len(ready.players_of(instance)))
    always = {name: of for name, of in own.items() if name not in instance.options}
    if wrong := [f"{name} {of}" for name, of in always.items() if of not in rules.values(name)]:
        says = f"hello says that it always plays {', '.join(wrong)}"
        return Result(instance, "protocol", faults=(Fault(f"options that {instance.variant} has", says),))
    for needs in dict.fromkeys(map(needs_of, plan.requests)):
        if reason := lacking(needs, introduction, rules.defaults):
            return Result(instance, "unsupported", reason=reason)
    if always and (reason := untrue.why(instance, always)):
        return Result(instance, "unsupported", reason=reason)
    return plan


# ---- over pipes ---------------------------------------------------------------------------------------


class _Piped:
    """One run of cases over pipes. What failed is asked again among the others."""

    def __init__(self, pipe: Pipe, untrue: Untrue, told: OnResult, doubts: Doubts) -> None:
        self.pipe, self.untrue, self.doubts = pipe, untrue, doubts
        self.results: InOrder[Result] = InOrder(told)
        self.more: deque[Asked] = deque()
        self.open: list[tuple[int, Result, str]] = []  # answered otherwise: a fresh process will tell

    def run(self, cases: Sequence[Instance]) -> None:
        with self.results:
            self._play(self._asked(cases))
            while self.more:
                self._play(iter([self.more.popleft()]))
            for number, result, other in self.open:
                assert result.failing is not None  # it was asked again
                self.results.done(number, _with_doubt(result, "", self.doubts.settled(result.failing, other)))

    def _play(self, cases: Iterator[Asked]) -> None:
        for asked in self.pipe.play(cases):
            if isinstance(asked.about[1], Result):
                number, failed, questions = asked.about
                self._again(number, failed, questions, asked.fault or asked.answers)
                continue
            number, instance, plan = asked.about
            if asked.fault is not None:
                self.results.done(number, _broken(instance, asked.fault))
                continue
            result = _judged(instance, plan, asked.answers, self.pipe.hello_said)
            if result.failing is None or not self.doubts.wants():
                self.results.done(number, result)
            else:
                self._again(number, result, again(result.failing), None)

    def _again(self, number: int, result: Result, questions: Questions, answer: Answer | None) -> None:
        """One more answer of a case that failed: what else is asked, or what came of it."""
        try:
            scripts = questions.send(answer)
        except StopIteration as end:
            changed, other = end.value
            if other:
                self.open.append((number, result, other))
            else:
                self.results.done(number, _with_doubt(result, changed, ("", "")))
            return
        self.more.append(_asking(scripts, (number, result, questions)))

    def _asked(self, cases: Sequence[Instance]) -> Iterator[Asked]:
        """The cases that are asked; the others are done at once."""
        for number, instance in enumerate(cases):
            while self.more:
                yield self.more.popleft()
            try:
                plan = _settled(instance, ready.whole, self.pipe.hello(), self.untrue)
            except Broken as broken:
                plan = _broken(instance, broken)
            if isinstance(plan, Result):
                self.results.done(number, plan)
            else:
                yield _asking(plan.requests, (number, instance, plan))


def _asking(requests: Sequence[Shown], about: Any) -> Asked:
    """These requests as a case on its way. To deal hundreds of hands takes its time."""

    def reader(number: int, message: dict[str, Any]) -> Any:
        request = requests[number]
        return seen_in(message, request) if isinstance(request, Script) else deals_in(message, request)

    deals = sum(request.times for request in requests if isinstance(request, OwnDeals))
    return Asked([request_line(each) for each in requests], reader, about, patience=max(1, -(-deals // DEALS_EACH)))


# ---- verdicts -----------------------------------------------------------------------------------------


def _broken(instance: Instance, broken: Broken) -> Result:
    from truco_spec.conformance import filling

    request = ready.whole(instance).requests[0]
    fault = Fault("an answer", broken.message, filling.notation(request), broken.advice, broken.log)
    return Result(instance, broken.verdict, faults=(fault,), shown=request)


def _judged(instance: Instance, plan: Plan, answers: Sequence[Any], introduction: Introduction) -> Result:
    findings = judge(plan, answers, introduction)
    if any(finding.outcome == "failed" for finding in findings):
        return _failed(instance, findings, introduction)
    checks = _checks(findings)
    return Result(instance, _unfailed(checks), checks, shown=plan.requests[0])


def _checks(findings: Sequence[Finding]) -> Checks:
    asked = [finding.outcome for finding in findings if finding.asked]
    return Checks(*(asked.count(outcome) for outcome in ("passed", "failed", "unobserved", "unreached")))


def _unfailed(checks: Checks) -> Verdict:
    return "unobserved" if checks.unobserved and not checks.passed else "pass"


def _failed(instance: Instance, findings: Sequence[Finding], introduction: Introduction) -> Result:
    from truco_spec.conformance import filling

    planned = ready.whole(instance)  # shown with whole deals, whoever dealt them
    failed = [finding for finding in findings if finding.outcome == "failed"]
    shown = [_shown(planned, finding) for finding in failed]
    faults = tuple(
        Fault(finding.expected, finding.got, filling.notation(script), changed=finding.changed)
        for finding, script in zip(failed, shown, strict=True)
    )
    failing = None
    if isinstance(shown[0], Script):
        failing = Failing(shown[0], failed[0], introduction, planned.refused)
    return Result(instance, "fail", _checks(findings), faults, shown=shown[0], failing=failing)


def _with_doubt(result: Result, changed: str, doubt: tuple[Doubt, str]) -> Result:
    """The result, once its first fault was asked again: ``changed`` by what was refused, or in doubt."""
    first, (kind, other) = result.faults[0], doubt
    result = replace(result, failing=None)
    if changed:
        expected, _, got = changed.partition("\n")
        return replace(result, faults=(replace(first, expected=expected, got=got, changed=True), *result.faults[1:]))
    if kind == "unsteady":
        got = f"{first.got}; asked again: {other}"
        advice = "It answers otherwise each time: no rule is to blame."
        return replace(result, verdict="unsteady", faults=(replace(first, got=got, advice=advice),))
    if kind == "before":
        advice = f"A fresh process answers otherwise ({other}): it depends on what was played before."
        return replace(result, faults=(replace(first, advice=advice), *result.faults[1:]))
    return result


def _shown(planned: Plan, finding: Finding) -> Shown:
    script = planned.requests[finding.at.script]
    if isinstance(script, OwnDeals):
        return script
    return cut_short(script, finding.at) if finding.at.action >= START else script

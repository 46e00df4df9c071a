"""Cases, one after another, against one implementation: plans, answers, verdicts, totals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from truco_spec.conformance import filling, reference
from truco_spec.conformance.cases import Instance, Level
from truco_spec.conformance.judge import Finding, judge, unsupported
from truco_spec.conformance.pipe import Broken, Implementation
from truco_spec.conformance.protocol import Introduction, OwnDeals, Script
from truco_spec.conformance.scripts import START, Plan, cut_short, plan
from truco_spec.conformance.verdicts import Checks, Fault, Verdict
from truco_spec.errors import TrucoError


@dataclass(frozen=True, slots=True)
class Result:
    """One case, judged. ``reason`` says why it is unsupported; ``shown`` is what was played, up to the first fault."""

    instance: Instance
    verdict: Verdict
    checks: Checks = field(default_factory=Checks)
    faults: tuple[Fault, ...] = ()
    reason: str = ""
    shown: Script | OwnDeals | None = field(default=None, repr=False, compare=False)

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
    cases: Iterable[Instance],
    implementation: Implementation,
    on_result: Callable[[Result], None] = lambda result: None,
) -> tuple[Result, ...]:
    """Play every instance and judge it. ``on_result`` is called after each, in order."""
    results = []
    for instance in cases:
        result = play(instance, implementation)
        results.append(result)
        on_result(result)
    return tuple(results)


def introduction_of(implementation: Implementation) -> Introduction | None:
    """How the implementation introduces itself, or None when it never gets started."""
    try:
        return implementation.hello()
    except Broken:
        return None


def play(instance: Instance, implementation: Implementation) -> Result:
    """One instance: plan it, ask, judge."""
    try:
        given = _planned(instance)
        # The reference engine deals what a case leaves open by itself; others are sent whole deals.
        own = isinstance(implementation, reference.Reference)
        planned = filling.marked(given) if own else filling.complete(given)
        if isinstance(implementation, reference.Reference):
            implementation.asked = filling.asked_of(given)
    except TrucoError as error:  # a variant or option that the spec does not have
        return Result(instance, "error", faults=(Fault("a case that can be played", str(error)),))
    try:
        introduction = implementation.hello()
        always = _always(instance, introduction)
        if wrong := [
            f"{name} {value}" for name, value in always.items() if not filling.has(instance.variant, name, value)
        ]:
            says = f"hello says that it always plays {', '.join(wrong)}"
            return Result(instance, "protocol", faults=(Fault(f"options that {instance.variant} has", says),))
        if always and not _holds(instance, always):
            return Result(instance, "unsupported", reason=_otherwise(instance, always))
        if reason := unsupported(planned, introduction, filling.defaults_of(instance.variant)):
            return Result(instance, "unsupported", reason=reason)
        answers = [
            implementation.run(request) if isinstance(request, Script) else implementation.deal(request)
            for request in planned.requests
        ]
    except Broken as broken:
        script = (filling.complete(given) if own else planned).requests[0]
        fault = Fault("an answer", broken.message, filling.notation(script), broken.advice, broken.log)
        return Result(instance, broken.verdict, faults=(fault,), shown=script)
    result = _judged(instance, planned, judge(planned, answers, introduction))
    if own and result.faults:  # shown with whole deals, as others would get them
        return _judged(instance, filling.complete(given), judge(planned, answers, introduction))
    return result


# ---- an implementation that always plays some options otherwise ----------------------------------


def _always(instance: Instance, introduction: Introduction) -> Mapping[str, str]:
    """Options that the case leaves to the variant, and that the implementation always plays otherwise."""
    plays = introduction.variants.get(instance.variant)
    always = plays.always if plays else {}
    return {name: value for name, value in always.items() if name not in instance.options}


def _holds(instance: Instance, options: Mapping[str, str]) -> bool:
    """Whether what the case says is true under these options too, as the reference engine plays it."""
    under = replace(instance, options={**instance.options, **options})
    return play(under, reference.Reference()).verdict == "pass"


def _otherwise(instance: Instance, always: Mapping[str, str]) -> str:
    """Options that make the case untrue, alone or together: each time the one is added with which it becomes so."""
    blamed: dict[str, str] = {}
    while _holds(instance, blamed):
        others = [name for name in always if name not in blamed]
        least, most = 1, len(others)  # with all of them it is untrue
        while least < most:
            middle = (least + most) // 2
            if _holds(instance, blamed | {name: always[name] for name in others[:middle]}):
                least = middle + 1
            else:
                most = middle
        blamed[others[least - 1]] = always[others[least - 1]]
    return "always plays " + ", ".join(f"{name} {value}" for name, value in always.items() if name in blamed)


def _planned(instance: Instance) -> Plan:
    players = instance.players or filling.players_of(instance.variant)
    return plan(instance, players, filling.teams_of(instance.variant, players))


def _judged(instance: Instance, planned: Plan, findings: Sequence[Finding]) -> Result:
    asked = [finding for finding in findings if finding.asked]
    counts = Checks(
        **{
            outcome: sum(finding.outcome == outcome for finding in asked)
            for outcome in ("passed", "failed", "unobserved", "unreached")
        }
    )
    failed = [finding for finding in findings if finding.outcome == "failed"]
    if failed:
        shown = [_shown(planned, finding) for finding in failed]
        faults = tuple(
            Fault(finding.expected, finding.got, filling.notation(script))
            for finding, script in zip(failed, shown, strict=True)
        )
        return Result(instance, "fail", counts, faults, shown=shown[0])
    verdict: Verdict = "unobserved" if counts.unobserved and not counts.passed else "pass"
    return Result(instance, verdict, counts, shown=planned.requests[0])


def _shown(planned: Plan, finding: Finding) -> Script | OwnDeals:
    script = planned.requests[finding.at.script]
    if isinstance(script, OwnDeals):
        return script
    return cut_short(script, finding.at) if finding.at.action >= START else script

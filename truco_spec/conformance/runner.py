"""Cases against one implementation: what it does not play, what it is asked, verdicts.

An implementation at the end of a pipe is asked ahead of its answers, and by several processes if it is wanted; the
results are told in the order of the cases all the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from truco_spec.conformance.again import Answer, Doubt, Doubts, Failing, Questions, again
from truco_spec.conformance.asked import DEALS_EACH, Asked, Broken
from truco_spec.conformance.cases import Instance, Level
from truco_spec.conformance.in_order import InOrder
from truco_spec.conformance.judge import Finding, judge, lacking
from truco_spec.conformance.pipe import Implementation, Pipe, request_line
from truco_spec.conformance.plain import plainly
from truco_spec.conformance.prepared import Preparation, Prepared, is_run
from truco_spec.conformance.protocol import Introduction, OwnDeals, Script, deals_of, hands_in
from truco_spec.conformance.scripts import START, Plan, cut_short
from truco_spec.conformance.verdicts import Checks, Fault, Verdict
from truco_spec.errors import TrucoError

Shown = Script | OwnDeals
OnResult = Callable[["Result"], None]


@dataclass(frozen=True, slots=True)
class Result:
    """One case, judged. ``reason`` says why it is unsupported; ``played`` is what was played, up to the first fault, or
    how to make it: most of it nobody looks at. ``failing`` is what is asked again.
    """

    instance: Instance
    verdict: Verdict
    checks: Checks = field(default_factory=Checks)
    faults: tuple[Fault, ...] = ()
    reason: str = ""
    played: Shown | Callable[[], Shown] | None = field(default=None, repr=False, compare=False)
    failing: Failing | None = field(default=None, repr=False, compare=False)

    @property
    def shown(self) -> Shown | None:
        """What was played, up to the first fault."""
        return self.played() if callable(self.played) else self.played

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
    preparation = Preparation()
    results: list[Result] = []

    def told(result: Result) -> None:
        results.append(result)
        on_result(result)

    doubts = Doubts(implementation)
    try:
        if isinstance(implementation, Pipe):
            _Piped(implementation, preparation, told, doubts).run(tuple(cases))
        else:
            for instance in cases:
                told(play(instance, implementation, preparation, doubts))
    finally:
        preparation.keep()
    return tuple(results)


def introduction_of(implementation: Implementation) -> Introduction | None:
    """How the implementation introduces itself, or None when it never gets started."""
    try:
        return implementation.hello()
    except Broken:
        return None


def play(
    instance: Instance,
    implementation: Implementation,
    preparation: Preparation | None = None,
    doubts: Doubts | None = None,
) -> Result:
    """One instance: plan it, ask, judge; what failed is asked again."""
    from truco_spec.conformance.reference import Reference

    if isinstance(implementation, Reference):
        return _play_reference(instance, implementation, preparation or Preparation(fetch=False))
    preparation, doubts = preparation or Preparation(), doubts or Doubts(implementation)
    if isinstance(implementation, Pipe):
        found: list[Result] = []
        _Piped(implementation, preparation, found.append, doubts).run([instance])
        return found[0]
    prepared = None
    try:
        if unplayable := _unplayable(instance, preparation):
            return unplayable
        introduction = implementation.hello()
        if settled := _settled(instance, introduction, preparation):
            return settled
        prepared = preparation.ready(instance)
        requests = [prepared.request(number) for number in range(len(prepared.requests))]
        answers = [
            implementation.run(request) if isinstance(request, Script) else implementation.deal(request)
            for request in requests
        ]
    except Broken as broken:
        return _broken(instance, prepared or preparation.ready(instance), broken)
    result = _judged(instance, prepared, answers, introduction, preparation)
    if result.failing is None or not doubts.wants():
        return result
    return _with_doubt(result, *doubts.at_once(result.failing, implementation))


# ---- the reference engine -------------------------------------------------------------------------


def _play_reference(instance: Instance, reference: Any, preparation: Preparation) -> Result:
    """It deals by itself what a case leaves open; others are sent whole deals."""
    from truco_spec.conformance import filling

    if unplayable := _unplayable(instance, preparation):
        return unplayable
    planned = preparation.plan(instance)
    reference.asked = filling.asked_of(planned)
    try:
        introduction = reference.hello()
        if settled := _settled(instance, introduction, preparation):
            return settled
        answers = [
            reference.run(request) if isinstance(request, Script) else reference.deal(request)
            for request in planned.requests
        ]
    except Broken as broken:
        return _broken_by(instance, filling.complete(planned).requests[0], broken)
    findings = judge(planned, answers, introduction)
    if any(finding.outcome == "failed" for finding in findings):  # shown with whole deals, as others would get them
        return _failed(instance, filling.complete(planned), findings)
    checks = _checks(findings)
    return Result(instance, _unfailed(checks), checks, played=planned.requests[0])


# ---- what is told without asking --------------------------------------------------------------------


def _unplayable(instance: Instance, preparation: Preparation) -> Result | None:
    """A case of a variant that the spec does not have."""
    try:
        preparation.variant(instance.variant, instance.case.kept)
    except TrucoError as error:
        return Result(instance, "error", faults=(Fault("a case that can be played", str(error)),))
    return None


def _settled(instance: Instance, introduction: Introduction, preparation: Preparation) -> Result | None:
    """A case that the implementation is not asked, because of what it says of itself."""
    variant = preparation.variant(instance.variant, instance.case.kept)
    always = _always(instance, introduction, len(preparation.players(instance)))
    if wrong := [f"{name} {value}" for name, value in always.items() if not variant.has(name, value)]:
        says = f"hello says that it always plays {', '.join(wrong)}"
        return Result(instance, "protocol", faults=(Fault(f"options that {instance.variant} has", says),))
    for needs in preparation.needs(instance):
        if reason := lacking(needs, introduction, variant.defaults):
            return Result(instance, "unsupported", reason=reason)
    if always and (reason := _otherwise(instance, always, preparation)):
        return Result(instance, "unsupported", reason=reason)
    return None


def _always(instance: Instance, introduction: Introduction, players: int) -> Mapping[str, str]:
    """Options that the case leaves to the variant, and that the implementation always plays otherwise."""
    plays = introduction.variants.get(instance.variant)
    always = plays.own(players) if plays else {}
    return {name: value for name, value in always.items() if name not in instance.options}


def _otherwise(instance: Instance, always: Mapping[str, str], preparation: Preparation) -> str:
    """Why the case is not true under these options, as the reference engine plays it; nothing where it is."""
    question = f"always {sorted(always.items())}"
    found = preparation.remembered(instance, question)
    if not isinstance(found, str):
        found = "" if _holds(instance, always) else _blamed(instance, always)
        preparation.remember(instance, question, found)
    return found


def _holds(instance: Instance, options: Mapping[str, str]) -> bool:
    from truco_spec.conformance.reference import Reference

    under = replace(instance, options={**instance.options, **options})
    return play(under, Reference()).verdict == "pass"


def _blamed(instance: Instance, always: Mapping[str, str]) -> str:
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


# ---- over pipes, ahead of the answers -----------------------------------------------------------------


class _Piped:
    """One run of cases over pipes. What failed is asked again among the others."""

    def __init__(self, pipe: Pipe, preparation: Preparation, told: OnResult, doubts: Doubts) -> None:
        self.pipe, self.preparation, self.doubts = pipe, preparation, doubts
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
            number, instance, prepared = asked.about
            if asked.fault is not None:
                self.results.done(number, _broken(instance, prepared, asked.fault))
                continue
            result = _judged(instance, prepared, asked.answers, self.pipe.hello_said, self.preparation)
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
        lines = [request_line(script) for script in scripts]
        counts = [[len(hand.actions) for hand in script.hands] for script in scripts]
        self.more.append(Asked(lines, lambda at, told: hands_in(told, counts[at]), (number, result, questions)))

    def _asked(self, cases: Sequence[Instance]) -> Iterator[Asked]:
        """The cases that are asked; the others are done at once."""
        introduction = None
        for number, instance in enumerate(cases):
            while self.more:
                yield self.more.popleft()
            if result := _unplayable(instance, self.preparation):
                self.results.done(number, result)
                continue
            try:
                introduction = introduction or self.pipe.hello()
            except Broken as broken:
                self.results.done(number, _broken(instance, self.preparation.ready(instance), broken))
                continue
            if result := _settled(instance, introduction, self.preparation):
                self.results.done(number, result)
                continue
            prepared = self.preparation.ready(instance)
            yield Asked(
                prepared.requests, _reader(prepared), (number, instance, prepared), patience=_patience(prepared)
            )


def _reader(prepared: Prepared) -> Callable[[int, dict[str, Any]], Any]:
    def read(number: int, message: dict[str, Any]) -> Any:
        counts = prepared.counts[number]
        return hands_in(message, counts) if is_run(prepared.requests[number]) else deals_of(message, counts[0])

    return read


def _patience(prepared: Prepared) -> int:
    """How many times as long as other cases this one may take: to deal hundreds of hands takes its time."""
    deals = [count for number, (count, *_) in enumerate(prepared.counts) if not is_run(prepared.requests[number])]
    return max(1, -(-sum(deals) // DEALS_EACH))


# ---- verdicts -----------------------------------------------------------------------------------------


def _broken(instance: Instance, prepared: Prepared, broken: Broken) -> Result:
    return _broken_by(instance, prepared.request(0), broken)


def _broken_by(instance: Instance, request: Shown, broken: Broken) -> Result:
    from truco_spec.conformance import filling

    fault = Fault("an answer", broken.message, filling.notation(request), broken.advice, broken.log)
    return Result(instance, broken.verdict, faults=(fault,), played=request)


def _judged(
    instance: Instance,
    prepared: Prepared,
    answers: Sequence[Any],
    introduction: Introduction,
    preparation: Preparation,
) -> Result:
    plays = introduction.variants.get(instance.variant)
    if prepared.checks is not None and plays is not None and not plays.itself:
        plain = plainly(prepared.checks, answers, prepared.teams)
        if plain is not None:
            checks = Checks(passed=plain[0], unobserved=plain[1])
            return Result(instance, _unfailed(checks), checks, played=partial(prepared.request, 0))
    given = preparation.plan(instance)
    requests = tuple(prepared.request(number) for number in range(len(prepared.requests)))
    planned = replace(given, requests=requests)
    findings = judge(planned, answers, introduction)
    if any(finding.outcome == "failed" for finding in findings):
        return _failed(instance, planned, findings, introduction)
    checks = _checks(findings)
    return Result(instance, _unfailed(checks), checks, played=requests[0])


def _checks(findings: Sequence[Finding]) -> Checks:
    asked = [finding.outcome for finding in findings if finding.asked]
    return Checks(*(asked.count(outcome) for outcome in ("passed", "failed", "unobserved", "unreached")))


def _unfailed(checks: Checks) -> Verdict:
    return "unobserved" if checks.unobserved and not checks.passed else "pass"


def _failed(
    instance: Instance, planned: Plan, findings: Sequence[Finding], introduction: Introduction | None = None
) -> Result:
    from truco_spec.conformance import filling

    failed = [finding for finding in findings if finding.outcome == "failed"]
    shown = [_shown(planned, finding) for finding in failed]
    faults = tuple(
        Fault(finding.expected, finding.got, filling.notation(script), changed=finding.changed)
        for finding, script in zip(failed, shown, strict=True)
    )
    failing = None
    if introduction is not None and isinstance(shown[0], Script):
        failing = Failing(shown[0], failed[0], introduction, planned.refused)
    return Result(instance, "fail", _checks(findings), faults, played=shown[0], failing=failing)


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

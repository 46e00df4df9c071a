"""Runs cases against one implementation: skips unsupported ones, sends the rest, collects verdicts.

An implementation over pipes may have several processes; results are still in the order of the cases.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from truco_spec.base.errors import TrucoError
from truco_spec.base.user_cache import KeptResults, Shelf
from truco_spec.conformance.adapters.pipe import Asked, Broken, Implementation, Pipe
from truco_spec.conformance.corpus import ready
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.protocol import (
    START,
    Check,
    Introduction,
    MustPermit,
    OwnDeals,
    Plan,
    Position,
    Script,
    ScriptAction,
    Seen,
    cut_short,
)
from truco_spec.conformance.runner.judge import Finding, judge, unclaimed, unsupported
from truco_spec.conformance.runner.verdicts import Checks, Fault, Verdict

if TYPE_CHECKING:
    from truco_spec.conformance.adapters.reference import Reference

Shown = Script | OwnDeals
OnResult = Callable[["Result"], None]


@dataclass(frozen=True, slots=True)
class Result:
    """One judged case. ``reason`` says why it is unsupported; ``shown`` is the script up to the first fault.
    ``failing`` is repeated; ``replies`` are the scripts with their answers; ``failed`` are the failed checks.
    """

    instance: Instance
    verdict: Verdict
    checks: Checks = field(default_factory=Checks)
    faults: tuple[Fault, ...] = ()
    reason: str = ""
    shown: Shown | None = field(default=None, repr=False, compare=False)
    failing: Failing | None = field(default=None, repr=False, compare=False)
    replies: tuple[tuple[Script, Seen], ...] = field(default=(), repr=False, compare=False)
    failed: tuple[Check, ...] = field(default=(), repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.instance.name


def run(
    cases: Iterable[Instance], implementation: Implementation, on_result: OnResult = lambda result: None
) -> tuple[Result, ...]:
    """Run and judge every instance. ``on_result`` is called for each, in order; if the run is interrupted, for the
    finished ones.
    """
    untrue, results = Untrue(), list[Result]()

    def told(result: Result) -> None:
        results.append(result)
        on_result(result)

    try:
        _Asking(implementation, untrue, told).run(tuple(cases))
    finally:
        untrue.keep()
    return tuple(results)


def play(instance: Instance, implementation: Implementation) -> Result:
    """Run one instance: plan, ask, judge; a failure is repeated."""
    (result,) = run([instance], implementation)
    return result


# ---- results without asking ---------------------------------------------------------------------------


def _settled(
    instance: Instance, plan_of: Callable[[Instance], Plan], introduction: Introduction, untrue: Untrue
) -> Result | Plan:
    """The plan to ask; or the result of a case that is not asked, because its variant is unknown to the spec, or
    because of the implementation's claims.
    """
    try:
        rules = ready.rules_of(instance.variant)
        plays = introduction.variants.get(instance.variant)
        if plays is None:
            return Result(instance, "unsupported", reason=unclaimed(instance.variant))
        plan = plan_of(instance)
    except TrucoError as error:
        return Result(instance, "error", faults=(Fault("a case that can be played", str(error)),))
    own = plays.own(len(ready.players_of(instance)))
    always = {name: of for name, of in own.items() if name not in instance.options}
    if wrong := [f"{name} {of}" for name, of in always.items() if of not in rules.values(name)]:
        says = f"hello says that it always plays {', '.join(wrong)}"
        return Result(instance, "protocol", faults=(Fault(f"options that {instance.variant} has", says),))
    if reason := unsupported(plan, introduction, rules.defaults):
        return Result(instance, "unsupported", reason=reason)
    if always and (reason := untrue.why(instance, always)):
        return Result(instance, "unsupported", reason=reason)
    return plan


# ---- asking -------------------------------------------------------------------------------------------


class _Asking:
    """One run of cases, over pipes several at a time. Failures are repeated among the other cases."""

    def __init__(self, implementation: Implementation, untrue: Untrue, told: OnResult) -> None:
        self.implementation, self.untrue, self.doubts = implementation, untrue, Doubts(implementation)
        self.reference: Reference | None = None
        if not isinstance(implementation, Pipe):
            from truco_spec.conformance.adapters.reference import Reference  # a command needs no engine

            self.reference = implementation if isinstance(implementation, Reference) else None
        self.results: InOrder[Result] = InOrder(told)
        self.introduction: Introduction
        self.more: deque[Asked] = deque()
        self.open: list[tuple[int, Result, str]] = []  # differing answer: a fresh process will show

    def run(self, cases: Sequence[Instance]) -> None:
        with self.results:
            self._play(self._asked(cases))
            while self.more:
                self._play(iter([self.more.popleft()]))
            for number, result, other in self.open:
                assert result.failing is not None  # it was repeated
                self.results.done(number, _with_doubt(result, "", self.doubts.settled(result.failing, other)))

    def _play(self, cases: Iterator[Asked]) -> None:
        one = self.implementation
        for asked in one.play(cases) if isinstance(one, Pipe) else map(self._answered, cases):
            if isinstance(asked.about[1], Result):
                number, failed, questions = asked.about
                self._again(number, failed, questions, asked.fault or asked.answers)
                continue
            number, instance, plan, before = asked.about
            if asked.fault is not None:
                self.results.done(number, _broken(instance, asked.fault))
                continue
            result = _judged(instance, plan, asked.answers, self.introduction, before)
            if result.failing is None or self.reference is not None or not self.doubts.wants():
                self.results.done(number, result)
            else:
                self._again(number, result, again(result.failing, TIMES_IN_DOUBT if self.open else 1), None)

    def _answered(self, asked: Asked) -> Asked:
        """The case with the answers of an implementation in this process."""
        try:
            for request in asked.requests:
                match request:
                    case Script():
                        asked.answers.append(self.implementation.run(request))
                    case OwnDeals():
                        asked.answers.append(self.implementation.deal(request))
        except Broken as broken:
            asked.fault = broken
        return asked

    def _again(self, number: int, result: Result, questions: Questions, answer: Answer | None) -> None:
        """Handle another answer of a failed case: the next request, or the result."""
        try:
            scripts = questions.send(answer)
        except StopIteration as end:
            changed, other = end.value
            if other:
                self.open.append((number, result, other))
            else:
                self.results.done(number, _with_doubt(result, changed, ("", "")))
            return
        self.more.append(Asked(scripts, (number, result, questions)))

    def _asked(self, cases: Sequence[Instance]) -> Iterator[Asked]:
        """The cases to ask; the others are completed at once. The reference engine deals the open cards itself."""
        plan_of = ready.whole if self.reference is None else ready.as_written
        for number, instance in enumerate(cases):
            while self.more:
                yield self.more.popleft()
            try:
                self.introduction = self.implementation.hello()
                plan = _settled(instance, plan_of, self.introduction, self.untrue)
            except Broken as broken:
                plan = _broken(instance, broken)
            if isinstance(plan, Result):
                self.results.done(number, plan)
                continue
            if self.reference is not None:
                from truco_spec.conformance.corpus.filling import asked_of

                self.reference.asked = asked_of(plan)
            yield Asked(plan.requests, (number, instance, plan, self.doubts.note(plan)))


# ---- verdicts -----------------------------------------------------------------------------------------


def _broken(instance: Instance, broken: Broken) -> Result:
    from truco_spec.conformance.corpus import filling

    request = ready.whole(instance).requests[0]
    fault = Fault("an answer", broken.message, filling.notation(request), broken.advice, broken.log)
    return Result(instance, broken.verdict, faults=(fault,), shown=request)


def _judged(
    instance: Instance, plan: Plan, answers: Sequence[Any], introduction: Introduction, before: tuple[Script, ...]
) -> Result:
    findings = judge(plan, answers, introduction)
    if any(finding.outcome == "failed" for finding in findings):
        result = _failed(instance, findings, introduction, before)
    else:
        checks = _checks(findings)
        verdict: Verdict = "unobserved" if checks.unobserved and not checks.passed else "pass"
        result = Result(instance, verdict, checks, shown=plan.requests[0])
    asked = zip(plan.requests, answers, strict=True)
    replies = tuple((each, told) for each, told in asked if isinstance(each, Script))
    return replace(result, replies=replies, failed=tuple(each.check for each in findings if each.check is not None))


def _checks(findings: Sequence[Finding]) -> Checks:
    asked = [finding.outcome for finding in findings if finding.asked]
    return Checks(*(asked.count(outcome) for outcome in ("passed", "failed", "unobserved", "unreached")))


def _failed(
    instance: Instance, findings: Sequence[Finding], introduction: Introduction, before: tuple[Script, ...]
) -> Result:
    from truco_spec.conformance.corpus import filling

    planned = ready.whole(instance)  # shown with complete deals, whoever dealt them
    failed = [finding for finding in findings if finding.outcome == "failed"]
    shown = [_shown(planned, finding) for finding in failed]
    faults = tuple(
        Fault(finding.expected, finding.got, filling.notation(script), changed=finding.changed)
        for finding, script in zip(failed, shown, strict=True)
    )
    failing = None
    if isinstance(shown[0], Script):
        earlier = (request for request in planned.requests[: failed[0].at.script] if isinstance(request, Script))
        first = failed[0]
        beside = tuple(check for check in planned.checks if check.at == first.at and check != first.check)
        failing = Failing(shown[0], first, introduction, planned.refused, (*before, *earlier), beside)
    return Result(instance, "fail", _checks(findings), faults, shown=shown[0], failing=failing)


def _with_doubt(result: Result, changed: str, doubt: tuple[Doubt, str]) -> Result:
    """Return the result after repeating its first fault: with what a refusal ``changed``, or in doubt."""
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


# ---- Unordered results, emitted in the order of their cases -------------------------------------------

T = TypeVar("T")


class InOrder(Generic[T]):
    """A context that emits each result once all before it have been emitted; on exit, which may be early, the rest."""

    def __init__(self, told: Callable[[T], None]) -> None:
        self.told = told
        self._results: dict[int, T] = {}
        self._next = 0

    def __enter__(self) -> InOrder[T]:
        return self

    def __exit__(self, *exception: object) -> None:
        for number in sorted(self._results):
            self.told(self._results[number])

    def done(self, number: int, result: T) -> None:
        """Record the result of the case with this number, from 0."""
        self._results[number] = result
        while self._next in self._results:
            result = self._results.pop(self._next)
            self._next += 1
            self.told(result)


# --------------------------------------------------------------------------------------------------
# Whether cases still hold under the options fixed by an implementation, by the rules.

MADE_BY = ("base", "language", "graph", "engine", "logs", "conformance")
"""The parts of this package that an answer depends on."""

SHELF = Shelf("always", 200)


class Untrue:
    """Finds the cases that do not hold under the fixed options, and why. :meth:`keep` caches the answers."""

    def __init__(self) -> None:
        self._known: dict[str, KeptResults[str]] = {}

    def why(self, instance: Instance, always: Mapping[str, str]) -> str:
        """The options under which the case does not hold; empty if it holds under all of them."""
        if not ready.is_shipped(instance):
            return _blamed(instance, always)
        told = repr((instance.variant, tuple(sorted(always.items())), ready.origin()))
        if told not in self._known:
            self._known[told] = KeptResults(SHELF, MADE_BY, told)
        return self._known[told].taken(instance.name, lambda: _blamed(instance, always))

    def keep(self) -> None:
        """Cache new answers for later runs."""
        for known in self._known.values():
            known.keep()


def _holds(instance: Instance, options: Mapping[str, str]) -> bool:
    """Whether the case also holds under these options."""
    from truco_spec.conformance.adapters.pipe import Broken
    from truco_spec.conformance.adapters.reference import Reference
    from truco_spec.conformance.corpus.filling import asked_of

    plan = ready.as_written(replace(instance, options={**instance.options, **options}))
    if any(isinstance(request, OwnDeals) for request in plan.requests):
        return True  # own deals do not depend on options
    engine = Reference(asked=asked_of(plan))
    try:
        answers = [engine.run(request) for request in plan.requests if isinstance(request, Script)]
    except Broken:
        return False
    return all(finding.outcome != "failed" for finding in judge(plan, answers, engine.hello()))


def _blamed(instance: Instance, always: Mapping[str, str]) -> str:
    """Options that falsify the case, alone or together: repeatedly adds the one that makes it false. Empty if it holds
    under all of them.
    """
    if _holds(instance, always):
        return ""
    blamed: dict[str, str] = {}
    while _holds(instance, blamed):
        others = [name for name in always if name not in blamed]
        least, most = 1, len(others)  # with all of them it is false
        while least < most:
            middle = (least + most) // 2
            if _holds(instance, blamed | {name: always[name] for name in others[:middle]}):
                least = middle + 1
            else:
                most = middle
        blamed[others[least - 1]] = always[others[least - 1]]
    return "always plays " + ", ".join(f"{name} {value}" for name, value in always.items() if name in blamed)


# --------------------------------------------------------------------------------------------------
# Runs cases in several worker processes, for the reference engine and in-process adapters.


_MOST = 40  # cases per part
_PARTS_EACH = 4  # minimum per worker

Open = Callable[[], Implementation]


def run_in_workers(cases: Sequence[Instance], open_one: Open, workers: int, on_result: OnResult) -> None:
    """Run and judge every instance. Each worker has its own implementation; ``on_result`` is called here, in order of
    the cases.
    """
    from truco_spec.base.processes import processes  # one process needs none of it

    parts = list(_parts(cases, max(1, min(_MOST, len(cases) // (_PARTS_EACH * workers)))))
    with processes(workers, _begin, open_one) as pool, InOrder(on_result) as results:
        given = [[cases[number] for number in part] for part in parts]
        playing = map(_play_part, given) if pool is None else pool.map(_play_part, given)
        for part, found in zip(parts, playing, strict=True):
            for number, result in zip(part, found, strict=True):
                results.done(number, result)


def _parts(cases: Sequence[Instance], size: int) -> Iterator[list[int]]:
    """Group the cases by variant and options, so that only one worker has to link each."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for number, case in enumerate(cases):
        setting = (case.variant, len(case.players or ()), *sorted(case.options.items()))
        alike.setdefault(setting, []).append(number)
    for numbers in alike.values():
        yield from (numbers[at : at + size] for at in range(0, len(numbers), size))


_ours: list[Implementation] = []


def _begin(open_one: Open) -> None:
    _ours[:] = [open_one()]


def _play_part(part: Sequence[Instance]) -> tuple[Result, ...]:
    return run(part, _ours[0])


# ---- Failing scripts again: unchanged, and without an action that was refused in them ---------------
#
# If the same script is answered differently, no rule is to blame: the implementation is nondeterministic, or keeps
# state between scripts. If a move is refused only after another refusal, the refused action changed the game.

MOST_AGAIN = 100
"""Maximum cases of one run that are repeated while all answers stay the same."""
MOST_AFRESH = 10
"""Maximum cases of one run that are repeated in fresh processes."""
MOST_EARLIER = 12
"""Maximum scripts asked before a failing one that are asked again in their order."""
TIMES_IN_DOUBT = 10
"""The number of times that a failing case is repeated once another was answered differently."""
TIMES_AFTERWARDS = 5
"""Number of fresh processes that have to repeat an answer after the earlier scripts, before these are blamed."""
MOST_BEFORE = 3
"""Maximum refused actions before a move that are left out, one at a time, the last first."""

Doubt = Literal["", "before", "unsteady"]
"""What a differing answer depends on: nothing, earlier scripts, or unknown."""
Answer = Sequence[Seen] | Broken
Questions = Generator[Sequence[Script], Answer | None, tuple[str, str]]


# ---- without a refused action -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Without:
    """A script up to the move at ``at``, without the refused action ``gone``, which stood at ``gone_at``."""

    script: Script
    gone: ScriptAction
    at: Position
    gone_at: Position

    def takes(self, answer: Seen) -> bool:
        """Whether the move was accepted this time."""
        return not answer[self.at.hand].seen[self.at.action].get("refused")

    @property
    def expected(self) -> str:
        """The expected result, in words."""
        move = self.script.hands[-1].actions[-1].text
        return f"the refused {self.gone.text} leaves the game as it was: {move} is permitted after it"

    def got(self, got: str) -> str:
        """The actual result, where the move was accepted without the refused action."""
        return f"{got}; without {self.gone.text} it is taken"


def without_refused(script: Script, at: Position, refused: Iterable[tuple[int, int]]) -> Iterator[Without]:
    """Variants of the script, each without one refused action (hand and number) before ``at``."""
    cut = cut_short(script, at)
    before = sorted(place for place in refused if place < (at.hand, at.action))
    for hand, number in reversed(before[-MOST_BEFORE:]):
        hands = list(cut.hands)
        actions = hands[hand].actions
        hands[hand] = replace(hands[hand], actions=actions[:number] + actions[number + 1 :])
        there = replace(at, script=0, action=at.action - (hand == at.hand))
        gone_at = Position(at.script, hand, number)
        yield Without(replace(cut, hands=tuple(hands)), actions[number], there, gone_at)


# ---- unchanged ----------------------------------------------------------------------------------


def doubt(
    got: str, ask: Callable[[], tuple[str, str]], afterwards: Callable[[], str] | None = None
) -> tuple[Doubt, str]:
    """Classify a differing answer, and return another answer to the same script.

    ``ask`` returns two successive answers of a fresh process, ``afterwards`` the answer of one that was asked the
    earlier scripts before: an answer by chance is not repeated each time. The first answers of all fresh processes have
    to agree.
    """
    first, second = ask()
    other, last = ask()
    if first != other or (second != last and first == got):
        return "unsteady", next(told for told in (first, other, second, last) if told != got)
    if first == got:
        return "", ""
    repeated = afterwards is None or all(afterwards() == got for _ in range(TIMES_AFTERWARDS))
    return "before" if repeated else "unsteady", first


@dataclass(frozen=True, slots=True)
class Failing:
    """The first failed check of a case, with the script up to it. ``refused`` are the actions that the case expects to
    be refused, as hand and number; ``before`` are the scripts sent to the same process just before; ``beside`` are the
    other checks at its position, which say what else is expected there.
    """

    script: Script
    finding: Finding
    introduction: Introduction
    refused: frozenset[tuple[int, int]]
    before: tuple[Script, ...] = ()
    beside: tuple[Check, ...] = ()

    def got(self, answer: Answer) -> str:
        """The result of another answer at this check, in words."""
        if isinstance(answer, Broken):
            return answer.message
        check = self.finding.check
        assert check is not None  # it failed
        checks = (replace(each, at=replace(each.at, script=0)) for each in (check, *self.beside))
        found = judge(Plan((self.script,), tuple(checks)), answer, self.introduction)
        return next((f.got for f in found if f.expected == self.finding.expected), "as expected")

    def ways(self) -> list[Without]:
        """Scripts that can show that a refused action changed the game."""
        if not isinstance(self.finding.check, MustPermit) or self.finding.at.script:
            return []
        return list(without_refused(self.script, self.finding.at, self.refused))


def again(failing: Failing, times: int = 1) -> Questions:
    """A generator that yields scripts and is sent their answers. Returns what a refused action changed (expected and
    got, a line each), and another answer to the same script, sent ``times`` times; empty if there is none.
    """
    for _ in range(times):
        other = failing.got((yield [failing.script]) or ())
        if other != failing.finding.got:
            return "", other
    ways = failing.ways()
    answers = (yield [way.script for way in ways]) if ways else ()
    if isinstance(answers, Broken):
        return "", ""
    for way, answer in zip(ways, answers or (), strict=True):
        if way.takes(answer):
            return f"{way.expected}\n{way.got(failing.finding.got)}", ""
    return "", ""


class Doubts:
    """Selects the failed cases of a run that are repeated, and classifies differing answers with fresh processes."""

    def __init__(self, implementation: Any) -> None:
        self.afresh: Callable[[], Any] | None = getattr(implementation, "afresh", None)
        self.asked = self.fresh = 0
        self.last: Doubt = ""
        self._sent: deque[Script] = deque(maxlen=MOST_EARLIER)

    def note(self, plan: Plan) -> tuple[Script, ...]:
        """Record the next request; return the requests sent to the same process before it."""
        before = tuple(self._sent)
        self._sent.extend(request for request in plan.requests if isinstance(request, Script))
        return before

    def wants(self) -> bool:
        """Whether one more is repeated."""
        self.asked += 1
        return self.asked <= MOST_AGAIN or bool(self.last)

    def settled(self, failing: Failing, other: str) -> tuple[Doubt, str]:
        """Classify the differing answer ``other``."""
        if self.afresh is None:
            return "unsteady", other
        self.fresh += 1
        if self.fresh > MOST_AFRESH:
            return self.last, other
        got = failing.finding.got
        found, told = doubt(got, lambda: self._twice(failing), lambda: self._twice(failing, failing.before)[0])
        if not found:  # fresh processes answer as this one did first, and not when it was asked again
            steady = all(self._twice(failing, failing.before) == (got, other) for _ in range(TIMES_AFTERWARDS))
            found, told = "before" if steady else "unsteady", other
        self.last = "unsteady" if self.last == "unsteady" else found
        return found, told

    def _twice(self, failing: Failing, before: Sequence[Script] = ()) -> tuple[str, str]:
        """Two answers of a fresh process that was asked these scripts before."""
        assert self.afresh is not None  # it was repeated
        fresh = self.afresh()
        try:
            for script in before:
                answers([script], fresh)
            return tuple(failing.got(answers([failing.script], fresh)) for _ in range(2))  # type: ignore[return-value]
        finally:
            fresh.close()


def answers(scripts: Sequence[Script], implementation: Any) -> Answer:
    """Return the answers to these scripts, or what is wrong with them."""
    try:
        return [implementation.run(script) for script in scripts]
    except Broken as broken:
        return broken

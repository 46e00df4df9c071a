"""Rounds of a campaign: what explains the failures of one is assumed in the next, so that it hides nothing there."""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Generic, Protocol, TypeVar

from truco_spec.base.processes import Processes
from truco_spec.conformance.adapters.pipe import Broken, Implementation
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.protocol import Deal, Introduction, OwnDeals, Plays, Script, Seen
from truco_spec.conformance.fit.assumed import Assumed, supposed
from truco_spec.conformance.fit.evidence import Reply
from truco_spec.conformance.fit.fit_result import FitCause
from truco_spec.conformance.fit.habits import first_said
from truco_spec.conformance.fit.hypothesis import NO_GAME
from truco_spec.conformance.fit.weighing import MUCH
from truco_spec.conformance.fuzz.generator import Setting
from truco_spec.conformance.fuzz.part import MOST_ALIKE, Answered, Job, Part, part_of
from truco_spec.conformance.fuzz.trial import CHANGED, Examiner, Failure, Signature, Unplayable, same_kind
from truco_spec.conformance.runner.judge import same_answer
from truco_spec.conformance.runner.verdicts import CauseReport

T = TypeVar("T")
Named = Mapping[str, Sequence[Answered]]
Ask = Callable[[Script], Seen | None]


class Explain(Protocol):
    """Finds what more explains failures of hands: given what is assumed, replies that fail, by name, and replies that
    agree. ``ask`` puts a further hand to the implementation.
    """

    def __call__(
        self, assumed: Assumed, players: int, failed: Named, right: Named, *, ask: Ask | None
    ) -> Sequence[tuple[CauseReport, FitCause]]: ...


ROUNDS = 4
"""The share of the hands in the first round; each further one has half of what is left, while it has a cause."""
FEWEST_HANDS = 50
"""In a round."""
FEWEST_REPLIES = 3
"""In how many replies a change of a rule has to be seen: of hundreds of changes one fits a few refusals by chance."""
MOST_ASKED = 4
"""Of the hands that are left one in four is asked at most to tell causes apart."""
HIDES = 20
"""What no cause explains is avoided where it comes in more than one of twenty hands."""
PATIENCE = 10.0
"""Seconds that a worker has to return partial results when asked to stop."""


@dataclass(frozen=True, slots=True)
class FailureKind:
    """Failures of one kind: the shortest, how many there were, and some whole replies."""

    failure: Failure
    count: int
    replies: tuple[Answered, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A cause, and the kinds of failures that it explains, the most frequent first; they were judged by what ``job``
    assumes. It is assumed after ``since`` hands.
    """

    report: CauseReport
    cause: FitCause
    kinds: tuple[FailureKind, ...]
    job: Job
    since: int

    @property
    def replies(self) -> list[Answered]:
        """What it was found by."""
        return [reply for kind in self.kinds for reply in kind.replies]


def kinds_of(part: Part) -> dict[Signature, FailureKind]:
    """What fails, the most frequent first."""
    keys = sorted(part.failures, key=lambda key: (-part.counts[key], key))
    return {key: FailureKind(part.failures[key], part.counts[key], tuple(part.replies.get(key, ()))) for key in keys}


class Rounds:
    """A campaign. ``whole`` has what fails by what is assumed now, ``taken`` the causes."""

    def __init__(
        self,
        job: Job,
        setting: Setting,
        introduction: Introduction,
        executor: Executor | None,
        explain: Explain | None,
        on_part: Callable[[Part], None],
    ) -> None:
        self.job, self.setting, self.explain, self.on_part = job, setting, explain, on_part
        self.claimed = Assumed(introduction, setting.variant)
        self.whole, self.taken, self.agreeing = Part(), list[Taken](), list[Answered]()
        self.parts = Shared[Part](executor)
        self.number, self.left = 0, job.hands
        self.undoubted, self.vain = list[Taken](), set[Signature]()
        self.opened: Implementation | None = None

    def play(self) -> None:
        """Play all hands."""
        going_on = self.explain is not None
        try:
            while self.left > 0:
                self._round(self._size() if going_on else self.left)
                going_on = self.explain is not None and self._look(self.explain)
        finally:
            if self.opened is not None:
                self.opened.close()

    def break_off(self) -> None:
        """Add what the workers have."""
        for part in self.parts.broken_off():
            self.whole.add(part)

    def _size(self) -> int:
        """The hands of the next round: whole parts, if there are as many."""
        share = -(-self.left // (2 if self.number else ROUNDS))
        if self.job.hands >= ROUNDS * self.job.part:
            share = -(-share // self.job.part) * self.job.part
        size = max(share, FEWEST_HANDS)
        return size if self.left - size >= FEWEST_HANDS else self.left

    def _round(self, size: int) -> None:
        sizes = [min(self.job.part, size - done) for done in range(0, size, self.job.part)]
        numbers = range(self.number, self.number + len(sizes))
        self.number, self.left = self.number + len(sizes), self.left - size
        for part in self.parts.done(part_of, [self.job] * len(sizes), numbers, sizes):
            self.whole.add(part)
            self.on_part(self.whole)
            if part.stopped is not None:
                raise part.stopped
            if self.left and part.lost and size < self.job.part:  # as the rest of an abandoned part
                self.whole.lost[next(iter(part.lost))] += self.left
                self.left = 0

    # ---- causes --------------------------------------------------------------------------------------

    def _look(self, explain: Explain) -> bool:
        """Look for causes, and assume them; whether something else is assumed now."""
        changed = self._doubt()
        kinds = [*kinds_of(self.whole).values()]
        failed = {
            f"kind {number}, {at}": [each]
            for number, kind in enumerate(kinds)
            for at, each in enumerate(kind.replies)
            if kind.failure.signature not in self.vain
        }
        if not failed:
            return changed
        right = [reply for rule in sorted(self.whole.right) for reply in self.whole.right[rule]]
        by_script = {filling.notation(script): (script, answer) for script, answer in (*self.agreeing, *right)}
        agreeing = {f"hand {number}": [reply] for number, reply in enumerate(by_script.values())}
        with self._asking() as ask:
            found = explain(self._assumed(), len(self.setting.players), failed, agreeing, ask=ask)
        taken = list[Taken]()
        for report, cause in found:
            times = Counter(name.partition(",")[0] for name in report.cases)
            numbers = sorted(_number(name) for name in times if times[name] == len(kinds[_number(name)].replies))
            if numbers and (len(report.cases) >= FEWEST_REPLIES or not report.change):
                told = replace(report, cases=tuple(f"kind {number}" for number in numbers))
                explained = tuple(kinds[number] for number in numbers)
                taken.append(Taken(told, cause, explained, self.job, self.whole.hands))
        self.taken += taken
        gone = self._spoken_against(taken)
        self.taken = [each for each in self.taken if each not in gone]
        if taken := [each for each in taken if each not in gone]:
            if needless := self._needless():
                self._take_back(needless)
            self.undoubted = [each for each in self.taken if each.since == self.whole.hands]
            self._assume({kinds[_number(name)].failure.signature for each in taken for name in each.report.cases})
        whole = {kind.failure.signature for kind in kinds if len(kind.replies) == MOST_ALIKE}
        self.vain = {key for key in whole if len(self.whole.replies.get(key, ())) == MOST_ALIKE}
        often = (key for key, count in self.whole.counts.items() if HIDES * count > self.whole.hands)
        self.job = replace(self.job, avoid=frozenset(name for key in often for name in key[2].statements))
        return changed or bool(found)

    def _assumed(self, but: Collection[Taken] = ()) -> Assumed:
        """What is assumed now, without some of the causes."""
        return self._assuming(each for each in self.taken if each not in but)

    def _assuming(self, causes: Iterable[Taken]) -> Assumed:
        return reduce(lambda found, each: found.beside(each.cause), causes, self.claimed)

    def _doubt(self) -> bool:
        """Assume no more what the hands speak against that were played since it was found."""
        gone = self._spoken_against(self.undoubted)
        self.undoubted = []
        if gone:
            self._take_back(gone)
            self._assume(set())
        return bool(gone)

    def _spoken_against(self, causes: Sequence[Taken]) -> list[Taken]:
        """Those without which answers agree further, and not only few of many."""
        replies = [*self.whole.right.get("", ()), *itertools.chain(*self.whole.replies.values())]
        replies += itertools.chain(*(each.replies for each in self.taken if each not in causes))
        gone = list[Taken]()
        for each in causes:
            pairs = list(self._weighed(each, replies))
            better, worse = sum(less < by for by, less in pairs), sum(by < less for by, less in pairs)
            if MUCH * worse > better:
                gone.append(each)
        return gone

    def _needless(self) -> list[Taken]:
        """Those that explain nothing beside what was found since: another value of the same option, say."""
        gone = list[Taken]()
        for each in self.taken:
            speaking = itertools.chain(each.replies, self.agreeing, self.whole.right.get("", ()))
            if not any(less < by for by, less in self._weighed(each, speaking, gone)):
                gone.append(each)
        return gone

    def _weighed(
        self, cause: Taken, replies: Iterable[Answered], gone: Sequence[Taken] = ()
    ) -> Iterator[tuple[tuple[int, bool], tuple[int, bool]]]:
        """How far answers agree by what is assumed now, but for causes that are gone, and without a further one."""
        now, less = self._assumed(gone), self._assumed([*gone, cause])
        for reply in (Reply("", *each) for each in replies):
            yield now.agreement(reply), less.agreement(reply)

    def _take_back(self, gone: Collection[Taken]) -> None:
        """Assume some causes no more. What was found behind them is judged anew; of the same option, it
        explains what they did.
        """
        self.taken = [each for each in self.taken if each not in gone]
        for kind in (kind for each in gone for kind in each.kinds):
            self._note_again(kind)
        first = min(each.since for each in gone)
        self.taken = [each if each.since < first else self._told_without(gone, each) for each in self.taken]

    def _told_without(self, gone: Collection[Taken], cause: Taken) -> Taken:
        before = [each for each in self.taken if each.since < cause.since]
        job = replace(cause.job, assumed=self._assuming(before) if before else None)
        same, part = (each for each in gone if each.cause.option == cause.cause.option != ""), Part()
        for kind in (kind for each in (cause, *same) for kind in each.kinds):
            for nth, reply in enumerate(kind.replies):
                self._judge(part, job.assumed, *reply, count=1 if nth else kind.count + 1 - len(kind.replies))
        return replace(cause, kinds=tuple(kinds_of(part).values()) or cause.kinds, job=job)

    def _assume(self, explained: set[Signature]) -> None:
        """Judge all replies that are kept by what is assumed now."""
        before, agreeing, assumed = self.whole, self.agreeing, self._assumed()
        self.job = replace(self.job, assumed=assumed if self.taken else None)
        self.whole, self.agreeing = Part(before.hands, before.lost, rules=before.rules), []
        for key, kind in kinds_of(before).items():
            if key[0] == CHANGED or not kind.replies:
                if key not in explained and not self._is_no_game(kind.failure):
                    self._note_again(kind)
                continue
            for reply in kind.replies:
                self._take(*reply)
            if key in self.whole.counts and key not in explained:
                self.whole.counts[key] = max(self.whole.counts[key], kind.count)
        for reply in agreeing:
            if assumed.agrees(Reply("", *reply)):
                self.agreeing.append(reply)
            else:
                self._take(*reply)
        for rule, replies in before.right.items():
            self.whole.keep_right(rule, [each for each in replies if assumed.agrees(Reply("", *each))])

    def _is_no_game(self, failure: Failure) -> bool:
        """Whether an error answers a script that is none by what is assumed now."""
        unanswered = Reply("", failure.script, ())
        return failure.kind == "error" and self._assumed().agreement(unanswered)[0] == NO_GAME

    def _note_again(self, kind: FailureKind) -> None:
        self.whole.note(kind.failure, kind.count)
        self.whole.keep(kind.failure.signature, kind.replies)

    def _take(self, script: Script, answer: Seen) -> None:
        """Judge a reply by what is assumed now."""
        if self._judge(self.whole, self.job.assumed, script, answer):
            self.agreeing.append((script, answer))

    def _judge(self, part: Part, assumed: Assumed | None, script: Script, answer: Seen, *, count: int = 1) -> bool:
        """Note a reply by what is assumed; not one in which a word is said that the implementation has not. Whether it
        agrees.
        """
        told = (assumed or self.claimed).introduction
        if first_said(script, told.variants.get(script.variant, Plays(())).omits) is not None:
            return False
        with supposed(assumed), contextlib.suppress(Unplayable):
            failures = list(same_kind(Examiner(_Replying(told, script, answer, self._asked)).failures(script)))
            for failure in failures:
                part.note(failure, count)
                part.keep(failure.signature, [(script, answer)])
            return not failures
        return False

    def _asked(self, script: Script) -> Seen:
        """The answer of the implementation itself. Raises Broken."""
        self.opened = self.opened or self.job.open_one()
        return self.opened.run(script)

    @contextlib.contextmanager
    def _asking(self) -> Iterator[Ask | None]:
        """What puts further hands to the implementation, while some are left. They are judged, too."""
        if self.left <= 0 or self.job.options:
            yield None
            return
        told, least = list[Answered](), self.left - self.left // MOST_ASKED
        observed = frozenset(self.claimed.introduction.observes)

        def ask(script: Script) -> Seen | None:
            if self.left <= least:
                return None
            self.left, self.whole.hands = self.left - 1, self.whole.hands + 1
            script = replace(script, options=self.setting.options)
            try:
                answer = self._asked(script)
                if not same_answer(script, self._asked(script), answer, observed):
                    return None
            except Broken:
                return None
            told.append((script, answer))
            return answer

        yield ask
        for reply in told:
            self._take(*reply)


def _number(name: str) -> int:
    return int(name.removeprefix("kind "))


@dataclass(frozen=True, slots=True)
class _Replying:
    """An implementation that has given one answer to one script; ``asked`` about others it is itself."""

    introduction: Introduction
    script: Script
    answer: Seen
    asked: Callable[[Script], Seen]

    def hello(self) -> Introduction:
        return self.introduction

    def run(self, script: Script) -> Seen:
        if [hand.actions for hand in script.hands] != [hand.actions for hand in self.script.hands]:
            return self.asked(script)
        return self.answer

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        return ()

    def close(self) -> None:
        pass


class Shared(Generic[T]):
    """Maps a function over items, with the workers of an executor or in this process."""

    def __init__(self, executor: Executor | None) -> None:
        self.executor = executor
        self.asked: deque[Future[T]] = deque()

    def done(self, work: Callable[..., T], *given: Iterable[Any]) -> Iterator[T]:
        """The results, in order."""
        if self.executor is None:
            yield from map(work, *given)
            return
        self.asked.extend(self.executor.submit(work, *each) for each in zip(*given, strict=True))
        while self.asked:
            found = self.asked[0].result()
            self.asked.popleft()
            yield found

    def broken_off(self) -> Iterator[T]:
        """Results not yet consumed that the workers have, or can return at once."""
        if self.asked and isinstance(self.executor, Processes):
            self.executor.halt()
        for future in self.asked:
            with contextlib.suppress(Exception, CancelledError, SystemExit):
                yield future.result(timeout=PATIENCE if isinstance(self.executor, Processes) else 0)
        self.asked.clear()

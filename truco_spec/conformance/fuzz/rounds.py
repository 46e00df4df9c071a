"""Rounds of a campaign, in parts: what explains the failures of one is assumed in the next, so that it hides nothing.

A part is random hands against an implementation in a process of its own, compared with the reference engine, or with
what is assumed instead of it.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Generic, Protocol, TypeVar

from truco_spec.base.errors import TrucoError
from truco_spec.base.processes import Processes
from truco_spec.base.project import playable_names
from truco_spec.base.words import Sentence, hinted, suggestion
from truco_spec.conformance.adapters.pipe import Broken, Implementation, greeted
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.protocol import Deal, HandScript, Introduction, OwnDeals, Plan, Script, Seen
from truco_spec.conformance.corpus.vocabulary import must_be_sound
from truco_spec.conformance.fit.evidence import Reply, steady
from truco_spec.conformance.fit.fit_result import FitCause
from truco_spec.conformance.fit.habits import claiming, first_said
from truco_spec.conformance.fit.how_far import NO_GAME, TOO_LONG, Reach
from truco_spec.conformance.fit.hypothesis import SECONDS, Hypothesis, TooLong, at_most, first_difference
from truco_spec.conformance.fit.weighing import MUCH
from truco_spec.conformance.fuzz.generator import Generator, Setting
from truco_spec.conformance.fuzz.trial import CHANGED, MOST_SILENT, Examiner, Failure, Signature, Unplayable, same_kind
from truco_spec.conformance.runner.judge import unsupported
from truco_spec.conformance.runner.verdicts import CauseReport
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import nearest

Answered = tuple[Script, Seen]
"""A script and its answer."""

PART = 250
"""Hands per part."""


MOST_ALIKE = 6
"""The most replies kept of each kind of failure."""

MOST_RIGHT, RIGHT_EACH = 40, 3
"""The most agreeing replies kept, in all and for one rule: a cause must not worsen them."""


class FuzzError(TrucoError):
    """No comparison is possible: the implementation does not start, or does not support the request."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """How an implementation plays a variant: its corrected hello, values of options that it does not claim, and
    ``changes`` of rules by mutant number.
    """

    introduction: Introduction
    variant: str
    options: tuple[tuple[str, str], ...] = ()
    changes: tuple[int, ...] = ()

    def beside(self, cause: FitCause) -> Assumed:
        """Return the same with a further cause."""
        if cause.claim:
            values = tuple(cause.value.split())
            return replace(self, introduction=claiming(self.introduction, self.variant, cause.claim, values))
        if cause.option:
            return replace(self, options=tuple({**dict(self.options), cause.option: cause.value}.items()))
        return replace(self, changes=(*self.changes, cause.mutant))

    def graph(self, script: Script | OwnDeals) -> Graph:
        """Return the rules of a script. Raises TrucoError if they do not link."""
        return Hypothesis(script.variant, len(script.players), self.options, self.changes).graph(script.options)

    def agrees(self, reply: Reply) -> bool:
        """Whether an answer agrees with all assumptions to the end."""
        return self.agreement(reply)[0].agrees

    def agreement(self, reply: Reply) -> tuple[Reach, bool]:
        """Return how far an answer agrees, and whether only a report differs there: the move is as by these rules."""
        options = tuple(sorted({**reply.script.options, **dict(self.options)}.items()))
        hypothesis = Hypothesis(self.variant, len(reply.script.players), options, self.changes)
        reach, differs = first_difference(hypothesis, reply, self.introduction)
        return reach, reach != TOO_LONG and (differs is None or not differs.is_of_move)


def supposed(assumed: Assumed | None) -> contextlib.AbstractContextManager[None]:
    """A context in which everything is played by the assumptions, if any."""
    if assumed is None or not (assumed.options or assumed.changes):
        return contextlib.nullcontext()
    return filling.supposing(assumed.graph)


@dataclass(frozen=True, slots=True)
class Job:
    """The parameters of a campaign. ``variant`` may be empty if the implementation plays only one, ``players`` 0 for
    the variant's default. ``open_one`` starts the implementation; for several workers it has to be picklable. A part
    has ``part`` hands. The rules ``assumed`` replace the implementation's claims; half of the hands ``avoid`` these
    statements.
    """

    open_one: Callable[[], Implementation]
    variant: str = ""
    players: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    hands: int = 1000
    part: int = PART
    assumed: Assumed | None = None
    avoid: frozenset[str] = frozenset()

    def opened(self) -> Implementation:
        """The implementation, with the hello that it is assumed to have."""
        return self.open_one() if self.assumed is None else _Introduced(self.open_one(), self.assumed.introduction)


class _Introduced:
    """An implementation with another hello."""

    def __init__(self, implementation: Implementation, introduction: Introduction) -> None:
        self.introduction = introduction
        self.run, self.deal, self.close = implementation.run, implementation.deal, implementation.close

    def hello(self) -> Introduction:
        return self.introduction


@dataclass(slots=True)
class Part:
    """The result of one part: per signature the shortest failure and its count. ``stopped``: it ended early.

    ``lost`` counts the hands not played, by reason. ``replies`` are some whole scripts with their answers, by what they
    fail in; ``right`` some that agree, by the rules that bear in them, and some of all under no name.
    """

    hands: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    failures: dict[Signature, Failure] = field(default_factory=dict)
    counts: dict[Signature, int] = field(default_factory=dict)
    replies: dict[Signature, list[Answered]] = field(default_factory=dict)
    right: dict[str, list[Answered]] = field(default_factory=dict)
    rules: set[str] = field(default_factory=set)
    stopped: BaseException | None = None

    def note(self, failure: Failure, count: int = 1) -> None:
        """Add a failure, or ``count`` of them from another part."""
        key = failure.signature
        self.counts[key] = self.counts.get(key, 0) + count
        known = self.failures.get(key)
        if known is None or length_of(failure) < length_of(known):
            self.failures[key] = failure

    def keep(self, key: Signature, replies: Sequence[Answered]) -> None:
        """Keep the first replies of each kind of failure."""
        kept = self.replies.setdefault(key, [])
        kept += replies[: MOST_ALIKE - len(kept)]

    def keep_right(self, rule: str, replies: Sequence[Answered]) -> None:
        """Keep the first agreeing replies in which a rule bears; without a name the first of all."""
        kept = self.right.setdefault(rule, [])
        kept += replies[: (RIGHT_EACH if rule else MOST_RIGHT) - len(kept)]

    def add(self, other: Part) -> None:
        """Merge the result of another part."""
        self.hands += other.hands
        self.rules |= other.rules
        self.lost += other.lost
        for key, failure in other.failures.items():
            self.note(failure, other.counts[key])
        for kind, replies in other.replies.items():
            self.keep(kind, replies)
        for rule, replies in other.right.items():
            self.keep_right(rule, replies)


def prepared(job: Job) -> tuple[Introduction, Setting]:
    """Identify the implementation and what will be played. Raises :class:`FuzzError`."""
    implementation = job.open_one()
    try:
        introduction = greeted(implementation)
    finally:
        implementation.close()
    must_be_sound(introduction)
    return introduction, setting_for(job, introduction)


def who(job: Job) -> str:
    """A short identification of the implementation, compared between machines. Raises :class:`FuzzError`."""
    introduction, setting = prepared(job)
    plays = sorted(f"{key}={value}" for key, value in setting.options.items())
    return " ".join((introduction.name, introduction.version, setting.variant, str(len(setting.players)), *plays))


def setting_for(job: Job, introduction: Introduction) -> Setting:
    _must_be_there(job.variant, job.options)
    claimed = tuple(introduction.variants) or Sentence("nothing")
    variant = job.variant or (next(iter(introduction.variants)) if len(introduction.variants) == 1 else "")
    if not variant:
        raise FuzzError(
            Sentence("{name} plays {claimed}. Choose one with --variant.", name=introduction.name, claimed=claimed)
        )
    plays = introduction.variants.get(variant)
    if plays is None:
        raise FuzzError(
            Sentence(
                "{name} does not play {variant}, it says. It plays {claimed}.",
                name=introduction.name,
                variant=variant,
                claimed=claimed,
            )
        )
    if "strict" not in introduction.modes:
        raise FuzzError(Sentence("{name} has no strict mode; in another nothing is refused.", name=introduction.name))
    _must_be_there(variant, job.options)
    rules = ready.rules_of(variant)
    own = rules.seats in plays.players or not plays.players
    count = job.players or (rules.seats if own else plays.players[0])
    setting = Setting(variant, tuple(f"P{n}" for n in range(count)), {**plays.own(count), **job.options}, plays)
    script = setting.script((HandScript({}, ()),), setting.players[0], {})
    if reason := unsupported(Plan((script,), ()), introduction, rules.defaults):
        raise FuzzError(Sentence("{name} {reason}, it says.", name=introduction.name, reason=reason))
    _ = setting.graph  # report unknown options now
    return setting


def _must_be_there(variant: str, options: Mapping[str, str]) -> None:
    """Raises :class:`FuzzError` for an unknown variant, option or value."""
    if not variant:
        return
    _must_be_of(Sentence("There is no variant “{name}”.", name=variant), variant, playable_names())
    known = load(variant).options
    for name, value in options.items():
        _must_be_of(Sentence("{game} has no option “{name}”.", game=variant, name=name), name, tuple(known))
        form = "The option “{name}” of {variant} has no value “{value}”."
        _must_be_of(Sentence(form, name=name, variant=variant, value=value), value, known[name].values)


def _must_be_of(message: Sentence, name: str, known: Sequence[str]) -> None:
    if name not in known:
        near = nearest(name, known)
        hint = Sentence("There are: {names}.", names=tuple(known))
        raise FuzzError(hinted(message, suggestion(near, hint)))


def part_of(job: Job, number: int, hands: int) -> Part:
    """Run one part in a process of its own: this many hands, or one more."""
    part = Part()
    implementation: Implementation | None = None
    try:
        implementation = job.opened()
        with supposed(job.assumed):
            setting = setting_for(job, implementation.hello())
            chance = random.Random(f"{job.seed}.{number}")  # noqa: S311 -- for play, not for secrets
            generator = Generator(setting, chance, job.avoid)
            _play_part(part, hands, generator, Examiner(implementation), timed=job.assumed is not None)
    except (Broken, TrucoError) as error:  # it changed, or no longer starts
        part.lost[str(error)] += max(hands - part.hands, 0)
    except (KeyboardInterrupt, SystemExit) as end:
        part.stopped = end
    finally:
        if implementation is not None:
            implementation.close()
    return part


def _play_part(part: Part, hands: int, generator: Generator, examiner: Examiner, *, timed: bool) -> None:
    """Play the hands of a part, or until too many scripts had no answer. Rules that are only assumed may be
    anything: each hand is ``timed``, and one that does not end by them is lost.
    """
    silent: Counter[str] = Counter()
    while part.hands + part.lost.total() < hands:
        try:
            with at_most(SECONDS) if timed else contextlib.nullcontext():
                script = generator.script()
        except TooLong:
            part.lost["by the rules that are assumed a hand does not end"] += 1
            continue
        part.hands += len(script.hands)
        part.rules = set(generator.met.rules)
        try:
            failures = list(same_kind(examiner.failures(script)))
        except Unplayable:
            continue  # the second hand cannot have these cards; try others
        replies = [] if examiner.reply is None else [examiner.reply]
        if not failures:
            for rule in ("", *generator.met.bearing):
                part.keep_right(rule, replies)
            continue
        failure = failures[0]
        for each in failures:
            part.keep(each.signature, replies)
            part.note(each)
        if failure.check is None and failure.kind != "error":
            silent[failure.kind] += 1
        if silent.total() >= MOST_SILENT:
            often = " and ".join(f"{count} times {kind}" for kind, count in sorted(silent.items()))
            part.lost[f"there was no answer {often}"] += max(hands - part.hands, 0)
            return


def length_of(failure: Failure) -> tuple[int, int, int, str]:
    """The length of a script; of equally long ones, the one with fewer words is smaller."""
    hands = failure.script.hands
    actions = [action for hand in hands for action in hand.actions]
    return len(hands), len(actions), sum(bool(action.say) for action in actions), filling.notation(failure.script)


# ---- Rounds -----------------------------------------------------------------------------------------

T = TypeVar("T")
Named = Mapping[str, Sequence[Answered]]
Ask = Callable[[Script], Seen | None]


class Explain(Protocol):
    """Finds further causes of failing hands, given the assumptions, failing replies by name, and agreeing replies.
    ``ask`` sends a further hand to the implementation.
    """

    def __call__(
        self, assumed: Assumed, players: int, failed: Named, right: Named, *, ask: Ask | None
    ) -> Sequence[tuple[CauseReport, FitCause]]: ...


ROUNDS = 4
"""The first round has one hand in this many; each further round has half of the rest, while causes are found."""
FEWEST_HANDS = 50
"""The fewest hands of a round."""
FEWEST_REPLIES = 3
"""The fewest replies that must show a change of a rule: of hundreds of changes one fits a few refusals by chance."""
MOST_ASKED = 4
"""At most one in this many of the remaining hands is used to tell causes apart."""
HIDES = 20
"""An unexplained failure is avoided if it occurs in more than one hand in this many."""
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
        """The replies by which it was found."""
        return [reply for kind in self.kinds for reply in kind.replies]


def kinds_of(part: Part) -> dict[Signature, FailureKind]:
    """Return the kinds of failures, most frequent first."""
    keys = sorted(part.failures, key=lambda key: (-part.counts[key], key))
    return {key: FailureKind(part.failures[key], part.counts[key], tuple(part.replies.get(key, ()))) for key in keys}


class Rounds:
    """A campaign. ``whole`` has the failures under the current assumptions, ``taken`` the causes."""

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
        """Play all hands; then search for causes while there are more behind the last ones."""
        going_on = self.explain is not None
        try:
            while self.left > 0:
                self._round(self._size() if going_on else self.left)
                going_on = self.explain is not None and self._look(self.explain)
            while self.explain is not None and going_on:
                known = len(self.taken)
                going_on = self._look(self.explain) and len(self.taken) > known
        finally:
            if self.opened is not None:
                self.opened.close()

    def break_off(self) -> None:
        """Add the results of the workers so far."""
        for part in self.parts.broken_off():
            self.whole.add(part)

    def _size(self) -> int:
        """Return the number of hands of the next round: whole parts, if possible."""
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
        failed, of_kind, known = dict[str, list[Answered]](), dict[int, set[str]](), dict[str, str]()
        for number, kind in enumerate(kinds):
            for at, each in enumerate(kind.replies if kind.failure.signature not in self.vain else ()):
                name = known.setdefault(filling.notation(each[0]), f"kind {number}, {at}")  # one may differ in several
                failed.setdefault(name, [each])
                of_kind.setdefault(number, set()).add(name)
        if not failed:
            return changed
        right = [reply for rule in sorted(self.whole.right) for reply in self.whole.right[rule]]
        by_script = {filling.notation(script): (script, answer) for script, answer in (*self.agreeing, *right)}
        agreeing = {f"hand {number}": [reply] for number, reply in enumerate(by_script.values())}
        with self._asking() as ask:
            found = explain(self._assumed(), len(self.setting.players), failed, agreeing, ask=ask)
        taken = list[Taken]()
        for report, cause in found:
            numbers = [number for number, names in of_kind.items() if names.issubset(report.cases)]
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
        """Return the current assumptions without some of the causes."""
        return self._assuming(each for each in self.taken if each not in but)

    def _assuming(self, causes: Iterable[Taken]) -> Assumed:
        return reduce(lambda found, each: found.beside(each.cause), causes, self.claimed)

    def _doubt(self) -> bool:
        """Drop the causes contradicted by the hands played since they were found."""
        gone = self._spoken_against(self.undoubted)
        self.undoubted = []
        if gone:
            self._take_back(gone)
            self._assume(set())
        return bool(gone)

    def _spoken_against(self, causes: Sequence[Taken]) -> list[Taken]:
        """Return the causes without which answers agree further, and not only few of many."""
        replies = [*self.whole.right.get("", ()), *itertools.chain(*self.whole.replies.values())]
        replies += itertools.chain(*(each.replies for each in self.taken if each not in causes))
        gone = list[Taken]()
        for each in causes:
            speaks = list(self._weighed(each, replies))
            if MUCH * speaks.count(-1) > speaks.count(1):
                gone.append(each)
        return gone

    def _needless(self) -> list[Taken]:
        """Return the causes that explain nothing beside later ones: another value of the same option, say."""
        gone = list[Taken]()
        for each in self.taken:
            speaking = itertools.chain(each.replies, self.agreeing, self.whole.right.get("", ()))
            if 1 not in self._weighed(each, speaking, gone):
                gone.append(each)
        return gone

    def _weighed(self, cause: Taken, replies: Iterable[Answered], gone: Sequence[Taken] = ()) -> Iterator[int]:
        """Yield for each reply 1 if it agrees further with a cause than without it, -1 if less far, else 0; without the
        causes that are gone.
        """
        now, less = self._assumed(gone), self._assumed([*gone, cause])
        for reply in (Reply("", *each) for each in replies):
            (by, told), (without, before) = now.agreement(reply), less.agreement(reply)
            further = by.betters(without) - by.worsens(without)
            yield further or (told - before if by == without else 0)

    def _take_back(self, gone: Collection[Taken]) -> None:
        """Drop some causes. Those found behind them are judged again; a cause of the same option inherits their
        failures.
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
        """Judge all kept replies under the current assumptions."""
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
        """Whether an error answers a script that is not playable under the current assumptions."""
        unanswered = Reply("", failure.script, ())
        return failure.kind == "error" and self._assumed().agreement(unanswered)[0] == NO_GAME

    def _note_again(self, kind: FailureKind) -> None:
        self.whole.note(kind.failure, kind.count)
        self.whole.keep(kind.failure.signature, kind.replies)

    def _take(self, script: Script, answer: Seen) -> None:
        """Judge a reply under the current assumptions."""
        if self._judge(self.whole, self.job.assumed, script, answer):
            self.agreeing.append((script, answer))

    def _judge(self, part: Part, assumed: Assumed | None, script: Script, answer: Seen, *, count: int = 1) -> bool:
        """Record a reply, judged under the assumptions, unless a word in it is unknown to the implementation. Returns
        whether it agrees.
        """
        told = (assumed or self.claimed).introduction
        if first_said(script, told.plays(script.variant).omits) is not None:
            return False
        with supposed(assumed), contextlib.suppress(Unplayable):
            failures = self._failures(told, script, answer)
            for failure in failures:
                part.note(failure, count)
                part.keep(failure.signature, [(script, answer)])
            return not failures
        return False

    def _failures(self, told: Introduction, script: Script, answer: Seen) -> list[Failure]:
        """Return the failures of a reply. If by the assumptions the order of the pack gives somebody other cards than
        the script names, the implementation may have dealt either: the failures of the reading that fails later. Raises
        :class:`Unplayable`.
        """

        def failures(script: Script) -> tuple[list[Failure], bool]:
            examiner = Examiner(_Replying(told, script, answer, self._asked))
            return list(same_kind(examiner.failures(script))), examiner.right.otherwise

        failed, otherwise = failures(script)
        if not otherwise:
            return failed
        ways = failures(filling.as_named(script))[0], failed
        return max(ways, key=lambda way: length_of(way[0])[:2] if way else (math.inf, 0))

    def _open(self) -> Implementation:
        """The implementation itself."""
        self.opened = self.opened or self.job.open_one()
        return self.opened

    def _asked(self, script: Script) -> Seen:
        """The answer of the implementation itself. Raises Broken."""
        return self._open().run(script)

    @contextlib.contextmanager
    def _asking(self) -> Iterator[Ask | None]:
        """Return a function that sends further hands to the implementation, while some are left, and judges them."""
        if self.left <= 0 or self.job.options:
            yield None
            return
        told, least = list[Answered](), self.left - self.left // MOST_ASKED

        def ask(script: Script) -> Seen | None:
            if self.left <= least:
                return None
            self.left, self.whole.hands = self.left - 1, self.whole.hands + 1
            script = replace(script, options=self.setting.options)
            if (answer := steady(self._open(), script)) is not None:
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

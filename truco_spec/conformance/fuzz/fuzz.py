"""Fuzzing: random hands against an implementation, compared step by step with the reference engine.

The hands come in parts. Each part depends only on the seed and its number, and restarts the implementation, so the
findings are the same for any number of workers.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from truco_spec.base.errors import TrucoError
from truco_spec.base.processes import Processes
from truco_spec.base.project import playable_names
from truco_spec.base.words import Sentence, hinted, suggestion
from truco_spec.conformance.adapters.pipe import Broken, Implementation, greeted
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.protocol import HandScript, Introduction, OwnDeals, Script, Seen
from truco_spec.conformance.corpus.scripts import Plan
from truco_spec.conformance.corpus.vocabulary import must_be_sound
from truco_spec.conformance.fuzz.generator import Generator, Setting
from truco_spec.conformance.fuzz.own_deals import TIMES, DealFault, deal_fault
from truco_spec.conformance.fuzz.shrink import MOST_RUNS, Minimal, shrink
from truco_spec.conformance.fuzz.trial import Examiner, Failure, Signature, Unplayable
from truco_spec.conformance.runner.judge import unsupported
from truco_spec.conformance.runner.verdicts import CauseReport
from truco_spec.language.diagnostics import nearest

T = TypeVar("T")
Answered = tuple[Script, Seen]
"""A script and what was answered."""
Named = Mapping[str, Sequence[Answered]]
Explain = Callable[[Introduction, Named, Named], tuple[CauseReport, ...]]
"""Finds the causes of failures: given replies that fail, by name, and replies that agree."""

PART = 250
"""Hands per part."""

MOST_SILENT = 10
"""Scripts without an answer after which a part is abandoned; ``error`` answers, which are fast, do not count."""

PATIENCE = 10.0
"""Seconds that a worker has to return partial results when asked to stop."""

MOST_ALIKE = 6
"""How many replies are kept of each kind of failure."""

MOST_RIGHT, RIGHT_EACH = 40, 3
"""How many of those that agree, and how many in which one rule bears: what explains failures must not worsen them."""

FEWEST_REPLIES = 3
"""In how many replies a change of a rule has to be seen: of hundreds of changes one fits a few refusals by chance."""

MOST_FAULTS = 60
"""Maximum distinct failures that are shrunk; further ones are only counted."""


class FuzzError(TrucoError):
    """Nothing can be compared: the implementation does not start, or does not support what is asked for."""


@dataclass(frozen=True, slots=True)
class Job:
    """The parameters of a campaign. ``variant`` may be empty if the implementation plays only one, ``players`` 0 for
    the variant's default. ``open_one`` starts the implementation; for several workers it has to be picklable. A part
    has ``part`` hands.
    """

    open_one: Callable[[], Implementation]
    variant: str = ""
    players: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    hands: int = 1000
    part: int = PART


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
        if known is None or _length(failure) < _length(known):
            self.failures[key] = failure

    def keep(self, key: Signature, replies: Sequence[Answered]) -> None:
        """Keep the first replies of each kind of failure."""
        kept = self.replies.setdefault(key, [])
        kept += replies[: MOST_ALIKE - len(kept)]

    def keep_right(self, rule: str, replies: Sequence[Answered]) -> None:
        """Keep the first replies that agree in which a rule bears; without a name the first of all."""
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


@dataclass(frozen=True, slots=True)
class FoundFault:
    """One fault; ``count`` scripts failed in this way. ``cut`` is false if there was no time to shrink it."""

    minimal: Minimal
    count: int
    cut: bool = True

    @property
    def statements(self) -> tuple[str, ...]:
        """The names of the rules and answers that decided the step."""
        return self.minimal.failure.decided.statements


@dataclass(frozen=True, slots=True)
class FuzzCause:
    """What explains ``kinds`` of failures, in ``count`` scripts. ``found`` is the most frequent of them."""

    cause: CauseReport
    found: FoundFault
    kinds: int
    count: int


@dataclass(frozen=True, slots=True)
class FuzzOutcome:
    """All findings: causes of failures, then failures that none explains, grouped by rule, most frequent first.

    ``hands`` were played of those ``asked`` for; ``lost`` counts the others by reason. ``unsteady`` are failures of a
    nondeterministic implementation. ``fired`` rules of all ``rules`` were reached in play; ``more`` kinds of failures
    were not shrunk. ``deals`` is the fault of its own deals. ``stopped`` is why the campaign ended early.
    """

    introduction: Introduction
    setting: Setting
    asked: int
    hands: int
    found: tuple[FoundFault, ...]
    fired: int
    rules: int
    more: int
    deals: DealFault | None = None
    stopped: BaseException | None = None
    unsteady: tuple[FoundFault, ...] = ()
    lost: Mapping[str, int] = field(default_factory=dict)
    causes: tuple[FuzzCause, ...] = ()

    @property
    def wrong(self) -> int:
        """The number of kinds of failures that no cause explains; all nondeterministic ones count as one."""
        return len(self.found) + (self.deals is not None) + bool(self.unsteady)


def fuzz(
    job: Job,
    executor: Executor | None = None,
    on_part: Callable[[Part], None] = lambda part: None,
    on_fault: Callable[[int, int], None] = lambda done, of: None,
    explain: Explain | None = None,
) -> FuzzOutcome:
    """Play, compare, explain, shrink; the result is the same with and without an executor.

    ``on_part`` is called after each part, in order, and ``on_fault`` for each shrunk fault. ``explain`` finds causes of
    failures; of those that one cause explains only the most frequent is shrunk. An interrupt (Ctrl-C) returns the
    findings so far. Raises :class:`FuzzError`.
    """
    introduction, setting = prepared(job)
    job = replace(job, variant=setting.variant, players=len(setting.players))
    whole, deals, cut, causes, shown = Part(), None, list[Minimal](), tuple[CauseReport, ...](), list[Signature]()
    stopped: BaseException | None = None
    parts = _Shared[Part](executor)
    try:
        deals = _own_deals(job, introduction, setting)
        for part in parts.done(part_of, *_parts(job)):
            whole.add(part)
            on_part(whole)
            if part.stopped is not None:
                raise part.stopped
        kinds = sorted(whole.failures, key=lambda key: (-whole.counts[key], key))
        causes = _explained(explain, introduction, whole, kinds) if explain is not None else ()
        shown = _to_show(kinds, causes)
        for minimal in _Shared[Minimal](executor).done(partial(_cut, job), [whole.failures[k] for k in shown]):
            cut.append(minimal)
            on_fault(len(cut), len(shown))
    except BaseException as end:  # noqa: BLE001 -- whatever it was: what was found is reported first
        stopped = end
        for part in parts.broken_off():
            whole.add(part)
    kinds = sorted(whole.failures, key=lambda key: (-whole.counts[key], key))
    shown = shown or _to_show(kinds, causes)
    found = {key: FoundFault(minimal, whole.counts[key]) for key, minimal in zip(shown, cut, strict=False)}
    for key in shown[len(cut) :]:
        found[key] = FoundFault(Minimal(whole.failures[key], 0, repeatable=True), whole.counts[key], cut=False)
    told = [_fuzz_cause(cause, whole, kinds, found) for cause in causes]
    explained = {_number(name) for cause in causes for name in cause.cases}
    left = [each for key, each in found.items() if kinds.index(key) not in explained]
    return FuzzOutcome(
        introduction,
        setting,
        job.hands,
        whole.hands,
        tuple(_grouped(each for each in left if not each.minimal.other)),
        len(whole.rules),
        len(setting.graph.rules),
        len(kinds) - len(explained) - len(left),
        deals,
        stopped,
        tuple(each for each in left if each.minimal.other),
        whole.lost,
        tuple(told),
    )


# ---- causes ---------------------------------------------------------------------------------------


def _explained(
    explain: Explain, introduction: Introduction, whole: Part, kinds: Sequence[Signature]
) -> tuple[CauseReport, ...]:
    """What explains failures; the names of cases are the numbers of their kinds, of which all that is kept is
    explained.
    """
    kept = [whole.replies.get(key, []) for key in kinds]
    failed = {f"kind {number}, {at}": [each] for number, of in enumerate(kept) for at, each in enumerate(of)}
    agreeing = {filling.notation(reply[0]): reply for rule in sorted(whole.right) for reply in whole.right[rule]}
    right = {f"hand {number}": [reply] for number, reply in enumerate(agreeing.values())}
    found = []
    for cause in explain(introduction, failed, right):
        times = Counter(name.partition(",")[0] for name in cause.cases)
        of_kinds = tuple(name for name in times if times[name] == len(kept[_number(name)]))
        if of_kinds and (len(cause.cases) >= FEWEST_REPLIES or not cause.change):
            found.append(replace(cause, cases=of_kinds))
    return tuple(found)


def _number(name: str) -> int:
    return int(name.removeprefix("kind "))


def _to_show(kinds: Sequence[Signature], causes: Sequence[CauseReport]) -> list[Signature]:
    """The failures to be shrunk: the most frequent of each cause, then those that none explains."""
    first = [min(map(_number, cause.cases)) for cause in causes]
    explained = {_number(name) for cause in causes for name in cause.cases}
    others = [number for number in range(len(kinds)) if number not in explained]
    return [kinds[number] for number in dict.fromkeys((*first, *others[:MOST_FAULTS]))]


def _fuzz_cause(
    cause: CauseReport, whole: Part, kinds: Sequence[Signature], found: Mapping[Signature, FoundFault]
) -> FuzzCause:
    numbers = sorted(map(_number, cause.cases))
    count = sum(whole.counts[kinds[number]] for number in numbers)
    return FuzzCause(cause, found[kinds[numbers[0]]], len(numbers), count)


def _cut(job: Job, failure: Failure) -> Minimal:
    return shrink(failure, job.open_one, MOST_RUNS)


class _Shared(Generic[T]):
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


def _parts(job: Job) -> tuple[list[Job], list[int], list[int]]:
    """For each part the job, its number and its number of hands."""
    sizes = [min(job.part, job.hands - done) for done in range(0, job.hands, job.part)]
    return [job] * len(sizes), list(range(len(sizes))), sizes


def _own_deals(job: Job, introduction: Introduction, setting: Setting) -> DealFault | None:
    """The fault of its own deals, if it reports them."""
    if "deal" not in introduction.observes:
        return None
    own = setting.plays.own(len(setting.players))
    options = {name: value for name, value in setting.options.items() if name not in own}
    asked = OwnDeals(setting.variant, options, setting.players, setting.players[0], TIMES, job.seed, match=True)
    return deal_fault(asked, job.open_one)


def prepared(job: Job) -> tuple[Introduction, Setting]:
    """Identify the implementation and what will be played. Raises :class:`FuzzError`."""
    implementation = job.open_one()
    try:
        introduction = greeted(implementation)
    finally:
        implementation.close()
    must_be_sound(introduction)
    return introduction, _setting(job, introduction)


def who(job: Job) -> str:
    """A short identification of the implementation, compared between machines. Raises :class:`FuzzError`."""
    introduction, setting = prepared(job)
    plays = sorted(f"{key}={value}" for key, value in setting.options.items())
    return " ".join((introduction.name, introduction.version, setting.variant, str(len(setting.players)), *plays))


def _setting(job: Job, introduction: Introduction) -> Setting:
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
    own = len(filling.players_of(variant))
    count = job.players or (own if own in plays.players or not plays.players else plays.players[0])
    setting = Setting(variant, tuple(f"P{n}" for n in range(count)), {**plays.own(count), **job.options}, plays)
    script = setting.script((HandScript({}, ()),), setting.players[0], {})
    if reason := unsupported(Plan((script,), ()), introduction, filling.defaults_of(variant)):
        raise FuzzError(Sentence("{name} {reason}, it says.", name=introduction.name, reason=reason))
    _ = setting.graph  # report unknown options now
    return setting


def _must_be_there(variant: str, options: Mapping[str, str]) -> None:
    """Raises :class:`FuzzError` for an unknown variant, option or value."""
    if not variant:
        return
    _must_be_of(Sentence("There is no variant “{name}”.", name=variant), variant, playable_names())
    known = filling.options_of(variant)
    for name, value in options.items():
        _must_be_of(Sentence("{game} has no option “{name}”.", game=variant, name=name), name, tuple(known))
        form = "The option “{name}” of {variant} has no value “{value}”."
        _must_be_of(Sentence(form, name=name, variant=variant, value=value), value, known[name][1])


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
        implementation = job.open_one()
        setting = _setting(job, implementation.hello())
        generator = Generator(setting, random.Random(f"{job.seed}.{number}"))  # noqa: S311 -- for play, not for secrets
        _play_part(part, hands, generator, Examiner(implementation))
    except (Broken, TrucoError) as error:  # it changed, or no longer starts
        part.lost[str(error)] += max(hands - part.hands, 0)
    except (KeyboardInterrupt, SystemExit) as end:
        part.stopped = end
    finally:
        if implementation is not None:
            implementation.close()
    return part


def _play_part(part: Part, hands: int, generator: Generator, examiner: Examiner) -> None:
    """Play the hands of a part, or until too many scripts had no answer."""
    silent: Counter[str] = Counter()
    while part.hands < hands:
        script = generator.script()
        part.hands += len(script.hands)
        part.rules = set(generator.met.rules)
        try:
            failure = examiner.failure(script)
        except Unplayable:
            continue  # the second hand cannot have these cards; try others
        replies = [] if examiner.reply is None else [examiner.reply]
        if failure is None:
            for rule in ("", *generator.met.bearing):
                part.keep_right(rule, replies)
            continue
        part.keep(failure.signature, replies)
        part.note(failure)
        if failure.check is None and failure.kind != "error":
            silent[failure.kind] += 1
        if silent.total() >= MOST_SILENT:
            often = " and ".join(f"{count} times {kind}" for kind, count in sorted(silent.items()))
            part.lost[f"there was no answer {often}"] += max(hands - part.hands, 0)
            return


def _length(failure: Failure) -> tuple[int, int, int, str]:
    """The length of a script; of equally long ones, the one with fewer words is smaller."""
    hands = failure.script.hands
    actions = [action for hand in hands for action in hand.actions]
    return len(hands), len(actions), sum(bool(action.say) for action in actions), filling.notation(failure.script)


def _grouped(found: Iterable[FoundFault]) -> Iterator[FoundFault]:
    """Group by first statement."""
    groups: dict[str, list[FoundFault]] = {}
    for each in found:
        groups.setdefault(each.statements[0] if each.statements else "", []).append(each)
    for group in groups.values():
        yield from group

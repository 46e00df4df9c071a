"""Fuzzing: random hands against an implementation, compared step by step with the reference engine.

The hands come in parts. Each part depends only on the seed and its number, and restarts the implementation, so the
findings are the same for any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import islice

from truco_spec.conformance.corpus.protocol import Introduction, OwnDeals
from truco_spec.conformance.fit.assumed import Assumed, supposed
from truco_spec.conformance.fuzz.generator import Setting
from truco_spec.conformance.fuzz.own_deals import TIMES, DealFault, deal_fault
from truco_spec.conformance.fuzz.rounds import (
    Explain,
    FailureKind,
    Job,
    Part,
    Rounds,
    Shared,
    Taken,
    kinds_of,
    prepared,
)
from truco_spec.conformance.fuzz.shrink import MOST_RUNS, Minimal, shrink
from truco_spec.conformance.fuzz.trial import Failure, Unplayable
from truco_spec.conformance.runner.verdicts import CauseReport

MOST_FAULTS = 60
"""Maximum distinct failures that are shrunk; further ones are only counted."""


@dataclass(frozen=True, slots=True)
class FoundFault:
    """One fault; ``count`` scripts failed in this way. ``cut`` is false if the campaign ended before it was shrunk. It
    was judged by what is ``assumed``, instead of what the implementation claims.
    """

    minimal: Minimal
    count: int
    cut: bool = True
    assumed: Assumed | None = None

    @property
    def statements(self) -> tuple[str, ...]:
        """The names of the rules and answers that decided the step."""
        return self.minimal.failure.decided.statements


@dataclass(frozen=True, slots=True)
class FuzzCause:
    """What explains ``kinds`` of failures, in ``count`` scripts. ``found`` is the most frequent of them. It is assumed
    after ``since`` hands, and was found with the first ``behind`` causes assumed.
    """

    cause: CauseReport
    found: FoundFault
    kinds: int
    count: int
    since: int
    behind: int


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
    failures: they are assumed in the hands that are played then; of what one explains only the most frequent failure
    is shrunk. An interrupt (Ctrl-C) returns the findings so far. Raises :class:`FuzzError`.
    """
    introduction, setting = prepared(job)
    job = replace(job, variant=setting.variant, players=len(setting.players))
    rounds = Rounds(job, setting, introduction, executor, explain, on_part)
    deals, cut, shown = None, list[Minimal](), list[_Shown]()
    stopped: BaseException | None = None
    try:
        deals = _own_deals(job, introduction, setting)
        rounds.play()
        shown = _to_show(rounds)
        for minimal in Shared[Minimal](executor).done(_cut, [by for by, _ in shown], [of.failure for _, of in shown]):
            cut.append(minimal)
            on_fault(len(cut), len(shown))
    except BaseException as end:  # noqa: BLE001 -- whatever it was: what was found is reported first
        stopped = end
        rounds.break_off()
    shown, whole = shown or _to_show(rounds), rounds.whole
    uncut = [Minimal(kind.failure, 0, repeatable=True) for _, kind in shown[len(cut) :]]
    found = [
        FoundFault(minimal, kind.count, cut=at < len(cut), assumed=by.assumed)
        for at, ((by, kind), minimal) in enumerate(zip(shown, (*cut, *uncut), strict=True))
    ]
    left = found[len(rounds.taken) :]
    return FuzzOutcome(
        introduction,
        setting,
        job.hands,
        whole.hands,
        tuple(_grouped(each for each in left if not each.minimal.other)),
        len(whole.rules),
        len(setting.graph.rules),
        len(whole.failures) - len(left),
        deals,
        stopped,
        tuple(each for each in left if each.minimal.other),
        whole.lost,
        tuple(_fuzz_cause(rounds, *each) for each in zip(rounds.taken, found, strict=False)),
    )


_Shown = tuple[Job, FailureKind]
"""What is shrunk, and by what it was judged."""


def _to_show(rounds: Rounds) -> list[_Shown]:
    """The failures to be shrunk: the most frequent of each cause, then those that none explains."""
    explained = [(taken.job, taken.kinds[0]) for taken in rounds.taken]
    return explained + [(rounds.job, kind) for kind in islice(kinds_of(rounds.whole).values(), MOST_FAULTS)]


def _fuzz_cause(rounds: Rounds, taken: Taken, found: FoundFault) -> FuzzCause:
    count, behind = sum(kind.count for kind in taken.kinds), sum(each.since < taken.since for each in rounds.taken)
    return FuzzCause(taken.report, found, len(taken.kinds), count, taken.since, behind)


def _cut(job: Job, failure: Failure) -> Minimal:
    with supposed(job.assumed):
        try:
            return shrink(failure, job.opened, MOST_RUNS)
        except Unplayable:  # it was found before something else was assumed
            return Minimal(failure, 0, repeatable=True)


def _own_deals(job: Job, introduction: Introduction, setting: Setting) -> DealFault | None:
    """The fault of its own deals, if it reports them."""
    if "deal" not in introduction.observes:
        return None
    own = setting.plays.own(len(setting.players))
    options = {name: value for name, value in setting.options.items() if name not in own}
    asked = OwnDeals(setting.variant, options, setting.players, setting.players[0], TIMES, job.seed, match=True)
    return deal_fault(asked, job.open_one)


def _grouped(found: Iterable[FoundFault]) -> Iterator[FoundFault]:
    """Group by first statement."""
    groups: dict[str, list[FoundFault]] = {}
    for each in found:
        groups.setdefault(each.statements[0] if each.statements else "", []).append(each)
    for group in groups.values():
        yield from group

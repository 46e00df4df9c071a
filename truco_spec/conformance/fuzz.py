"""Random hands against an implementation, compared step by step with the reference engine.

The hands come in parts. Each part depends on the seed and its number alone and starts the implementation anew, so that
any number of workers finds the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace

from truco_spec.conformance import filling
from truco_spec.conformance.chance import Setting, Table
from truco_spec.conformance.judge import unsupported
from truco_spec.conformance.pipe import Broken, Implementation
from truco_spec.conformance.protocol import HandScript, Introduction
from truco_spec.conformance.reference import Reference
from truco_spec.conformance.scripts import Plan
from truco_spec.conformance.shrink import MOST_RUNS, Minimal, shrink
from truco_spec.conformance.trial import Examiner, Failure, Signature, Unplayable
from truco_spec.errors import TrucoError

PART = 250
"""Hands of one part."""

MOST_SILENT = 10
"""After so many scripts without an answer a part is given up."""

MOST_FAULTS = 60
"""So many different failures are cut down; further ones are only counted."""


class FuzzError(TrucoError):
    """There is nothing to compare: the implementation does not start, or does not play what is asked for."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is asked for. ``variant`` may be empty where the implementation plays only one, ``players`` 0 for as many as
    the variant says. ``open_one`` starts the implementation; for several workers it has to be picklable. A part has
    ``part`` hands.
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
    """What one part met: by signature the shortest failure and how often it came up."""

    hands: int = 0
    failures: dict[Signature, Failure] = field(default_factory=dict)
    counts: dict[Signature, int] = field(default_factory=dict)
    rules: set[str] = field(default_factory=set)

    def note(self, failure: Failure, count: int = 1) -> None:
        """Another failure, or one that came up so often in another part."""
        key = failure.signature
        self.counts[key] = self.counts.get(key, 0) + count
        known = self.failures.get(key)
        if known is None or _length(failure) < _length(known):
            self.failures[key] = failure

    def add(self, other: Part) -> None:
        """What another part met."""
        self.hands += other.hands
        self.rules |= other.rules
        for key, failure in other.failures.items():
            self.note(failure, other.counts[key])


@dataclass(frozen=True, slots=True)
class Found:
    """One fault, cut down; ``count`` hands failed in this way."""

    minimal: Minimal
    count: int

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that decided the step."""
        return self.minimal.failure.rules


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was found, faults of the same rules together, most frequent first.

    ``fired`` rules of all ``rules`` came up in play; ``more`` kinds of failures were not cut down.
    """

    introduction: Introduction
    setting: Setting
    hands: int
    found: tuple[Found, ...]
    fired: int
    rules: int
    more: int


def fuzz(
    job: Job,
    workers: int = 1,
    on_part: Callable[[Part], None] = lambda part: None,
    on_fault: Callable[[int, int], None] = lambda done, of: None,
    right: Reference | None = None,
) -> Outcome:
    """Play, compare, cut down. ``on_part`` is called after each part, in order, and ``on_fault`` before each fault that
    is cut down. Raises :class:`FuzzError`.
    """
    introduction, setting = prepared(job)
    whole = Part()
    for part in _parts(replace(job, variant=setting.variant, players=len(setting.players)), workers, right):
        whole.add(part)
        on_part(whole)
    common = sorted(whole.failures, key=lambda key: (-whole.counts[key], key))
    found = []
    for at, key in enumerate(common[:MOST_FAULTS]):
        on_fault(at + 1, min(len(common), MOST_FAULTS))
        found.append(Found(shrink(whole.failures[key], job.open_one, right, MOST_RUNS), whole.counts[key]))
    more = max(0, len(common) - MOST_FAULTS)
    rules = setting.graph.rules
    return Outcome(introduction, setting, whole.hands, tuple(_grouped(found)), len(whole.rules), len(rules), more)


def prepared(job: Job) -> tuple[Introduction, Setting]:
    """Who the implementation is, and what will be played. Raises :class:`FuzzError`."""
    implementation = job.open_one()
    try:
        introduction = implementation.hello()
    except Broken as broken:
        raise FuzzError(f"{broken.message} {broken.advice} {broken.log}".strip()) from broken
    finally:
        implementation.close()
    return introduction, _setting(job, introduction)


def _setting(job: Job, introduction: Introduction) -> Setting:
    claimed = ", ".join(introduction.variants) or "nothing"
    variant = job.variant or (next(iter(introduction.variants)) if len(introduction.variants) == 1 else "")
    if not variant:
        raise FuzzError(f"{introduction.name} plays {claimed}. Choose one with --variant.")
    plays = introduction.variants.get(variant)
    if plays is None:
        raise FuzzError(f"{introduction.name} does not play {variant}, it says. It plays {claimed}.")
    if "strict" not in introduction.modes:
        raise FuzzError(f"{introduction.name} has no strict mode; in another nothing is refused.")
    own = len(filling.players_of(variant))
    count = job.players or (own if own in plays.players or not plays.players else plays.players[0])
    setting = Setting(variant, tuple(f"P{n}" for n in range(count)), {**plays.always, **job.options}, plays)
    script = setting.script((HandScript({}, ()),), setting.players[0], {})
    if reason := unsupported(Plan((script,), ()), introduction, filling.defaults_of(variant)):
        raise FuzzError(f"{introduction.name} {reason}, it says.")
    _ = setting.graph  # an option that the variant does not have is told now
    return setting


def _parts(job: Job, workers: int, right: Reference | None) -> Iterator[Part]:
    sizes = [min(job.part, job.hands - done) for done in range(0, job.hands, job.part)]
    if workers < 2 or len(sizes) < 2:
        yield from (part_of(job, number, size, right) for number, size in enumerate(sizes))
        return
    with ProcessPoolExecutor(min(workers, len(sizes))) as pool:
        try:
            yield from pool.map(part_of, [job] * len(sizes), range(len(sizes)), sizes)
        finally:
            pool.shutdown(cancel_futures=True)


def part_of(job: Job, number: int, hands: int, right: Reference | None = None) -> Part:
    """One part: so many hands or one more, by a process of its own."""
    implementation = job.open_one()
    part, silent = Part(), 0
    try:
        setting = _setting(job, implementation.hello())
        table = Table(setting, random.Random(f"{job.seed}.{number}"))  # noqa: S311 -- for play, not for secrets
        examiner = Examiner(implementation, right)
        while part.hands < hands and silent < MOST_SILENT:
            script = table.script()
            part.hands += len(script.hands)
            try:
                failure = examiner.failure(script)
            except Unplayable:
                continue  # cards that do not come so in the second hand; others will
            if failure is not None:
                part.note(failure)
                silent += failure.check is None
        part.rules = set(table.met.rules)
    except Broken as broken:
        raise FuzzError(broken.message) from broken
    finally:
        implementation.close()
    return part


def _length(failure: Failure) -> tuple[int, int, str]:
    hands = failure.script.hands
    return len(hands), sum(len(hand.actions) for hand in hands), filling.notation(failure.script)


def _grouped(found: Iterable[Found]) -> Iterator[Found]:
    """Those of the same first rule together."""
    groups: dict[str, list[Found]] = {}
    for each in found:
        groups.setdefault(each.rules[0] if each.rules else "", []).append(each)
    for group in groups.values():
        yield from group

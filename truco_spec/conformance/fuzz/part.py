"""Parts of a campaign: random hands against an implementation in a process of their own, compared with the reference
engine, or with what is assumed instead of it.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import playable_names
from truco_spec.base.words import Sentence, hinted, suggestion
from truco_spec.conformance.adapters.pipe import Broken, Implementation, greeted
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.protocol import HandScript, Introduction, Script, Seen
from truco_spec.conformance.corpus.scripts import Plan
from truco_spec.conformance.corpus.vocabulary import must_be_sound
from truco_spec.conformance.fit.assumed import Assumed, supposed
from truco_spec.conformance.fit.hypothesis import SECONDS, TooLong, at_most
from truco_spec.conformance.fuzz.generator import Generator, Setting
from truco_spec.conformance.fuzz.trial import MOST_SILENT, Examiner, Failure, Signature, Unplayable, same_kind
from truco_spec.conformance.runner.judge import unsupported
from truco_spec.language.diagnostics import nearest

Answered = tuple[Script, Seen]
"""A script and what was answered."""

PART = 250
"""Hands per part."""


MOST_ALIKE = 6
"""How many replies are kept of each kind of failure."""

MOST_RIGHT, RIGHT_EACH = 40, 3
"""How many of those that agree, and how many in which one rule bears: what explains failures must not worsen them."""


class FuzzError(TrucoError):
    """Nothing can be compared: the implementation does not start, or does not support what is asked for."""


@dataclass(frozen=True, slots=True)
class Job:
    """The parameters of a campaign. ``variant`` may be empty if the implementation plays only one, ``players`` 0 for
    the variant's default. ``open_one`` starts the implementation; for several workers it has to be picklable. A part
    has ``part`` hands. What is ``assumed`` takes the place of what the implementation claims; half of the hands
    ``avoid`` what these statements decide.
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

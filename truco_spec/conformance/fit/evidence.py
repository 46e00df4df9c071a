"""The evidence: an implementation's answers to the scripts of cases and random hands, all under its own options.

A case about an option is asked without it: what the implementation then does tells which value it plays.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import TypeVar

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import playable_names
from truco_spec.base.words import Sentence
from truco_spec.conformance.adapters.pipe import Broken, Implementation
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.corpus import load_instances
from truco_spec.conformance.corpus.protocol import Check, Introduction, Plays, Script, Seen, refused_in
from truco_spec.conformance.fit.orders import tricks_in
from truco_spec.conformance.fuzz.generator import Generator, Setting
from truco_spec.conformance.fuzz.trial import MOST_SILENT
from truco_spec.conformance.runner.judge import lacking, same_answer
from truco_spec.graph.load import load
from truco_spec.graph.model import HOW_MANY

Item = TypeVar("Item")

OnStep = Callable[[str], None]
Asking = tuple[str, frozenset[str], Script]
"""The name of a script, the options that it is about, and the script."""
HANDS_EACH, KEPT_EACH = 16, 2
"""The hands played under each value of an option, and the most kept that show it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A script as sent, and its answer. ``about`` are the options that it tests; ``whole`` is the script, if only its
    beginning is compared; ``failed`` are the failed checks of its case.
    """

    name: str
    script: Script
    answer: Seen
    about: frozenset[str] = frozenset()
    whole: Script | None = None
    failed: tuple[Check, ...] = ()


@dataclass(slots=True)
class Evidence:
    """All replies. ``silent`` counts scripts without an answer, by reason, of which ``unanswered`` has the first with
    its name; ``unsteady`` are those with another answer on repetition, which are not in ``replies``; ``assumed`` are
    the numbers of replies that a runner found to agree, and ``excused`` of those that agree further by claims missing
    in the hello. ``options`` and ``changes`` of rules are assumed from the start, beyond the claims; ``mending`` puts
    what comes late in an answer where it belongs, as in all replies.
    """

    introduction: Introduction
    setting: Setting
    replies: list[Reply] = field(default_factory=list)
    silent: Counter[str] = field(default_factory=Counter)
    unanswered: dict[str, tuple[str, Script]] = field(default_factory=dict)
    unsteady: list[str] = field(default_factory=list)
    assumed: range = range(0)
    excused: frozenset[int] = frozenset()
    options: tuple[tuple[str, str], ...] = ()
    changes: tuple[int, ...] = ()
    mending: tuple[Callable[[Seen], Seen], ...] = ()

    @property
    def gave_up(self) -> bool:
        """Whether too many scripts had no readable answer; errors, which are fast, do not count."""
        return sum(self.silent[reason] for reason in ("timeout", "crash", "protocol")) >= MOST_SILENT

    def mended(self, answer: Seen) -> Seen:
        """Return a further answer as all replies are."""
        return reduce(lambda told, mend: mend(told), self.mending, answer)

    @property
    def plays(self) -> Plays:
        """The claims of the hello about the variant; empty for an implementation that makes none."""
        return self.setting.plays


def setting_of(introduction: Introduction, variant: str, players: int, asked: Mapping[str, str]) -> Setting:
    """Return the setting of a variant with only the requested options, ``asked``."""
    return Setting(variant, tuple(f"P{n}" for n in range(players)), asked, introduction.plays(variant))


def gather(
    implementation: Implementation,
    setting: Setting,
    scripts: Iterable[Asking],
    on_step: OnStep = lambda name: None,
) -> Evidence:
    """Send each script once. Ends early if too many have no answer.

    Not kept is the answer to a script with cards that only words bring which the implementation refused: it may know no
    place for them, and have given them to anybody.
    """
    evidence, sent = Evidence(implementation.hello(), setting), set[str]()
    for name, about, script in scripts:
        line = filling.notation(script)
        if line in sent:
            continue
        sent.add(line)
        on_step(name)
        try:
            answer = implementation.run(script)
            if not (about and _deals_in_vain(script, answer, setting)):
                evidence.replies.append(Reply(name, script, answer, about))
        except Broken as broken:
            if broken.verdict != "timeout" and not _is_game(script, setting):
                continue  # by its own rules it is none, and nobody may have cards
            reason = broken.message.partition("\n")[0] if broken.verdict == "error" else broken.verdict
            evidence.silent[reason] += 1
            evidence.unanswered.setdefault(reason, (name, script))
            if evidence.gave_up:
                break
    return evidence


def _is_game(script: Script, setting: Setting) -> bool:
    """Whether the script is playable by the implementation's claims, with cards for everybody, as without the options
    of its case there may be none.
    """
    dealt = all(hand.deal.keys() >= {*script.players} for hand in script.hands)
    return dealt and _played_under(_as_claimed(script, setting)) is not None


def _as_claimed(script: Script, setting: Setting) -> Script:
    return replace(script, options={**setting.plays.own(len(setting.players)), **script.options})


def _deals_in_vain(script: Script, answer: Seen, setting: Setting) -> bool:
    """Whether by the implementation's claims players get fewer cards than the script has for them, and it refused all
    the words that are refused by these.
    """
    said = {(at, n) for at, hand in enumerate(script.hands) for n, action in enumerate(hand.actions) if action.say}
    refused = said.intersection(refused_in(answer))
    claimed = _as_claimed(script, setting)
    if not refused or not any(more.keys() & {*script.players} for more in filling.left_over(claimed)):
        return False
    unknown = said.intersection(refused_in(_played_under(claimed) or ()))
    return bool(unknown) and unknown <= refused


def options_about(variant: str, clauses: Iterable[str]) -> Iterator[str]:
    """Return the options of a variant that rest on one of these clauses."""
    asked = frozenset(clauses)
    for option in load(variant).options.values():
        if option.name != HOW_MANY and not asked.isdisjoint(f"{c.source}:{c.clause}" for c in option.source.cites):
            yield option.name


def of_cases(introduction: Introduction, setting: Setting) -> Iterator[Asking]:
    """Yield the scripts of the corpus that the implementation supports."""
    defaults = ready.rules_of(setting.variant).defaults
    instances = load_instances(setting.variant) if setting.variant in playable_names() else ()
    for instance in instances:
        if len(ready.players_of(instance)) != len(setting.players):
            continue
        try:
            plan = ready.whole(replace(instance, options=setting.options))
        except TrucoError:
            continue  # under its own options the case cannot be set up
        for script in plan.requests:
            if not isinstance(script, Script) or script.mode != "strict":
                continue
            claimed = bool(setting.plays.players)
            if not (claimed and lacking(script, introduction, {**defaults, **script.options})):
                yield instance.name, frozenset(instance.options) - {HOW_MANY}, script


def of_hands(setting: Setting, hands: int, seed: int, executor: Executor | None) -> Iterator[Asking]:
    """Yield random hands, as they are sent: by the implementation's claims, then a few under each other value of an
    option that it might play.
    """
    own = {**setting.plays.own(len(setting.players)), **setting.options}
    base = replace(setting, options=own)
    generator = Generator(base, random.Random(f"{seed}.fit"))  # noqa: S311 -- for play
    for number, script in enumerate(_sent(generator, hands, own), 1):
        yield Sentence("hand {number}", number=str(number)), frozenset(), replace(script, options=setting.options)
    others = [(name, value) for name, value in other_values(base) if name not in setting.options]
    mapped = map if executor is None else executor.map
    work = partial(_under, base, seed)
    for (name, value), scripts in zip(others, mapped(work, *zip(*others, strict=True)) if others else (), strict=True):
        for number, script in enumerate(scripts, 1):
            hand = Sentence("{option}, hand {number}", option=f"{name}={value}", number=str(number))
            yield hand, frozenset((name,)), replace(script, options=setting.options)


def other_values(setting: Setting) -> list[tuple[str, str]]:
    """Return the options of the variant not fixed by this setting, each with its other values."""
    options = [option for option in setting.graph.options.values() if option.name != HOW_MANY]
    return [(option.name, value) for option in options for value in option.values if value != option.value]


def _under(setting: Setting, seed: int, name: str, value: str) -> list[Script]:
    """Yield hands played under another value of an option that differ without it."""
    other = replace(setting, options={**setting.options, name: value})
    try:
        generator = Generator(other, random.Random(f"{seed}.{name}.{value}"))  # noqa: S311 -- for play
        found = []
        for script in _sent(generator, HANDS_EACH, setting.options):
            seen = Reference().run(script)
            if all(entry.get("refused") for hand in seen for entry in hand.seen):
                break  # the deal cannot come about with this dealer
            plain = _played_under(replace(script, options=setting.options))
            if seen != plain and (plain is not None or _tells(script, seen, setting)):
                found.append(script)
            if len(found) == KEPT_EACH:
                break
    except (TrucoError, Broken):
        return []  # it does not go with the other options
    return found


def _tells(script: Script, seen: Seen, setting: Setting) -> bool:
    """Whether a script that is unplayable in this setting still tests an implementation that plays it: a trick compares
    the cards that are not in the pack. A score beyond the end of the match tests nothing.
    """
    pack = {card.name for card in setting.graph.cards if card.present}
    foreign = {card for hand in script.hands for cards in hand.deal.values() for card in cards} - pack
    compared = {card for trick in tricks_in(script, seen) for card in trick.laid.values()}
    return bool(foreign) and foreign <= compared  # play tests no other card


def _played_under(script: Script) -> Seen | None:
    try:
        return Reference().run(script)
    except Broken:
        return None


def _sent(generator: Generator, hands: int, told: Mapping[str, str]) -> Iterator[Script]:
    """Yield hands as sent to an implementation with the options ``told``, by which the pack is dealt."""
    for _ in range(hands):
        script = generator.script()
        whole = as_sent(replace(script, options=told)) or as_sent(script)
        if whole is not None:
            yield replace(whole, options=script.options)


def as_sent(script: Script) -> Script | None:
    """Return the script with complete deals; None if the rules cannot play it."""
    expected = _played_under(script)
    return None if expected is None else filling.completed(script, expected)


def steady(implementation: Implementation, script: Script) -> Seen | None:
    """Return the answer to a script; None without one, or if a repetition has another."""
    try:
        answer = implementation.run(script)
        return answer if is_repeated(implementation, script, answer) else None
    except Broken:
        return None


def is_repeated(implementation: Implementation, script: Script, answer: Seen) -> bool:
    """Whether a repeated script has the same answer. Raises Broken."""
    observed = frozenset(implementation.hello().observes)
    return same_answer(script, implementation.run(script), answer, observed)


def without_unsteady(
    evidence: Evidence, implementation: Implementation, numbers: Sequence[int], on_step: OnStep = lambda name: None
) -> Evidence:
    """Return the evidence without those of these scripts that have another answer on repetition."""
    gone = set()
    for number in numbers:
        reply = evidence.replies[number]
        on_step(reply.name)
        try:
            same = is_repeated(implementation, reply.script, reply.answer)
        except Broken:
            same = False
        if not same:
            gone.add(number)
    left = [each for number, each in enumerate(evidence.replies) if number not in gone]
    return replace(evidence, replies=left, unsteady=[evidence.replies[number].name for number in sorted(gone)])


def evenly_chosen(group: Sequence[Item], most: int) -> list[Item]:
    """Return at most ``most`` of a group, evenly from the first to the last."""
    few = min(most, len(group))
    return [group[at * (len(group) - 1) // max(few - 1, 1)] for at in range(few)]

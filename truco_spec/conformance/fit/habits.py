"""Habits that the hello of an implementation should declare, and does not: observations that come late, words that it
says by itself, words that it does not have; and observations told one action behind, which no hello declares.

Such ways are no rules that are played otherwise, but they differ in every script that meets them. So they are looked
for first, and assumed in all that follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from truco_spec.conformance.corpus.protocol import (
    START,
    Check,
    HandSeen,
    Introduction,
    MustShow,
    Plan,
    Position,
    Script,
    Seen,
    acts_in,
    entry_at,
    hand_is_over,
)
from truco_spec.conformance.corpus.vocabulary import awaited, truthful, unsaid_words
from truco_spec.conformance.fit.evidence import Evidence, Reply
from truco_spec.conformance.fit.fit_result import FitCause, plain_hypothesis
from truco_spec.conformance.fit.how_far import place_of
from truco_spec.conformance.fit.hypothesis import Mismatch, all_failed, begin, compared
from truco_spec.conformance.fuzz.trial import checks_of
from truco_spec.conformance.runner.judge import ACTING, MAY_SPEAK, Finding, judge

ENOUGH, FEWEST, MUCH = 3, 2, 10
"""The fewest scripts, or hands, that must show a habit; those that must show what comes later, as few go on after a
hand; and how many times more than speak against it.
"""
LOOKED_AT = 200
"""The most differing scripts that are examined."""
LATE, OMITS, ITSELF, BEHIND, IN_NEXT = "late", "omits", "itself", "behind", "in-next-hand"
_AT_ONCE = (ACTING, MAY_SPEAK, "trick", "leader", "hand", "game-score")
"""Observations that are never late: who is due, and effects of a single action."""


def with_habits(
    evidence: Evidence,
    numbers: Sequence[int],
    met: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    but: Collection[str] = (),
) -> tuple[Evidence, list[FitCause]]:
    """Return the evidence with further habits declared, ``but`` some, and a cause for each. ``numbers`` are the scripts
    that differ from the claims; ``met`` are habits seen with other numbers of players, which have the same declaration.
    """
    causes, before = list[FitCause](), _differences(evidence, numbers)
    shown = sum(isinstance(each.check, MustShow) for each in before.values())
    for key, find in _HABITS.items():
        values = met.get(key, ())
        if not values and key not in but and (shown >= ENOUGH or key == OMITS):
            values = find(list(_looked_at(evidence, [*before])), before, evidence)
            values = tuple(value for value in values if value not in _claimed_by(evidence))
        if not values:
            continue
        claimed = _moved(evidence, key, values) if key in MOVED else _claiming(evidence, key, values)
        if key == OMITS:
            claimed = _without_words(claimed, [*before], values)
            better = {n: each for n, each in before.items() if not _is_asked(claimed.replies[n].script, each.at)}
        else:
            better = {n: cured for n in before if (cured := _cured(n, evidence, claimed)) is not None}
        if better and (key != ITSELF or any(_shows(n, each.at, claimed) for n, each in better.items())):
            shortest = min(better, key=lambda n: (place_of(better[n].at), n))
            causes.append(FitCause(tuple(better), shortest, better[shortest], claim=key, value=" ".join(values)))
            evidence = replace(claimed, excused=evidence.excused.union(better))
            before = _differences(evidence, before)
    return evidence, causes


def _claimed_by(evidence: Evidence) -> frozenset[str]:
    """Return the words that its hello tells of: acts that need not be said are its own unless it tells otherwise."""
    plays = evidence.plays
    tacit = unsaid_words(plain_hypothesis(evidence).graph()) if plays.deals_at_once else frozenset[str]()
    return tacit.union(plays.own_words, plays.omits)


def _is_asked(script: Script, at: Position) -> bool:
    """Whether a script has this position."""
    return at.hand < len(script.hands) and at.action < len(script.hands[at.hand].actions)


def first_said(script: Script, words: Collection[str]) -> Position | None:
    """Return where one of the words is said first; None if none is."""
    acts = ((hand, at, action) for hand, each in enumerate(script.hands) for at, action in enumerate(each.actions))
    return next((Position(0, hand, at) for hand, at, action in acts if action.word in words), None)


def _without_words(evidence: Evidence, numbers: Iterable[int], words: Collection[str]) -> Evidence:
    """Return the evidence with these scripts cut before the first of the words."""
    replies = [*evidence.replies]
    for number in numbers:
        reply = replies[number]
        script, answer, at = reply.script, reply.answer, first_said(reply.script, words)
        if at is not None:
            last = replace(script.hands[at.hand], actions=script.hands[at.hand].actions[: at.action])
            seen = replace(answer[at.hand], seen=answer[at.hand].seen[: at.action])
            begun = replace(script, hands=(*script.hands[: at.hand], last))
            replies[number] = replace(reply, script=begun, answer=(*answer[: at.hand], seen), whole=script)
    return replace(evidence, replies=replies)


def _moved(evidence: Evidence, key: str, keys: Collection[str]) -> Evidence:
    """Return the evidence with these observations where they belong, as far as they come later."""
    mend = partial(MOVED[key], keys=keys)
    replies = [replace(each, answer=mend(each.answer)) for each in evidence.replies]
    return replace(evidence, replies=replies, mending=(*evidence.mending, mend))


def told_at_once(answer: Seen, keys: Collection[str]) -> Seen:
    """Return an answer with these observations as told one action later, or at the beginning of the next hand."""
    hands, later = list[HandSeen](), dict[str, Any]()
    for hand in reversed(answer):
        seen = list[Mapping[str, Any]]()
        for entry in reversed(hand.seen):
            seen.append(_with(entry, keys, later))
            later = {key: entry[key] for key in keys if key in entry}
        later = {key: hand.start[key] for key in keys if key in hand.start}
        hands.append(replace(hand, seen=tuple(reversed(seen))))
    return tuple(reversed(hands))


def told_in_time(answer: Seen, keys: Collection[str]) -> Seen:
    """Return an answer with these observations, once a hand is over, as told when the next one begins, and without
    them before.
    """
    hands, later = list[HandSeen](), dict[str, Any]()
    for hand in reversed(answer):
        over = next((at for at, entry in enumerate(hand.seen) if entry.get("hand") is not None), len(hand.seen) - 1)
        seen = (_with(entry, keys, later if at >= over else {}) for at, entry in enumerate(hand.seen))
        hands.append(replace(hand, seen=tuple(seen)))
        later = {key: hand.start[key] for key in keys if key in hand.start}
    return tuple(reversed(hands))


def _with(entry: Mapping[str, Any], keys: Collection[str], told: Mapping[str, Any]) -> dict[str, Any]:
    return {**{key: value for key, value in entry.items() if key not in keys}, **told}


MOVED = {BEHIND: told_at_once, IN_NEXT: told_in_time}
"""What makes of an answer one without these habits."""


def _cured(number: int, evidence: Evidence, claimed: Evidence) -> Mismatch | None:
    """Return the first difference of a script that a claim removes, also behind others; None if it removes none."""
    before = compared(plain_hypothesis(evidence), number)
    if isinstance(before.game, Mismatch):
        return None
    was, now = before.failed, all_failed(*before.game, claimed.replies[number], claimed.introduction)
    left = [(finding.at, finding.check) for finding in now]
    cured = [each for each in was if (each.at, each.check) not in left]
    if len(now) >= len(was) or not cured:
        return None
    return Mismatch(cured[0].at, cured[0].check, cured[0].expected, cured[0].got)


def _shows(number: int, at: Position, claimed: Evidence) -> bool:
    """Whether an observation that changes there, or later, by an action that is taken, is compared with a claim, and
    right: after words that are an implementation's own nothing may be compared.
    """
    game = compared(plain_hypothesis(claimed), number).game
    if isinstance(game, Mismatch):
        return False
    (script, expected), answer = game, claimed.replies[number].answer
    before = entry_at(expected, replace(at, action=max(at.action - 1, START)))
    shown = (check for check in checks_of(script, expected, claimed.introduction) if isinstance(check, MustShow))
    later = (check for check in shown if (check.at.hand, check.at.action) >= (at.hand, at.action))
    changed = (check for check in later if check.key != ACTING and check.value != before.get(check.key))
    plan = Plan((script,), tuple(check for check in changed if not entry_at(answer, check.at).get("refused")))
    return any(each.outcome == "passed" for each in judge(plan, [answer], claimed.introduction, {0: expected}))


def _differences(evidence: Evidence, numbers: Iterable[int]) -> dict[int, Mismatch]:
    plain = plain_hypothesis(evidence)
    begin(evidence, {})  # the search begins with what is compared here
    found = {number: compared(plain, number).differs for number in numbers}
    return {number: mismatch for number, mismatch in found.items() if mismatch is not None}


@dataclass(frozen=True, slots=True)
class _Game:
    """A script, its observations by the claimed rules, its answer, and the differences."""

    number: int
    script: Script
    expected: Seen
    reply: Reply
    failed: Sequence[Finding]


def _looked_at(evidence: Evidence, differing: Sequence[int]) -> Iterator[_Game]:
    plain = plain_hypothesis(evidence)
    for number in differing[:: max(len(differing) // LOOKED_AT, 1)]:
        found = compared(plain, number)
        if not isinstance(found.game, Mismatch):
            yield _Game(number, *found.game, evidence.replies[number], found.failed)


def _itself(looked_at: Sequence[_Game], differing: Mapping[int, Mismatch], evidence: Evidence) -> tuple[str, ...]:
    """Return the words that are always refused, if the game did not wait for them alone but went on; and others always
    refused in their place.
    """
    refused, awaits, went_on = set[str](), list[set[str]](), list[set[str]]()
    taken = _taken_elsewhere(differing, evidence)
    for game in looked_at:
        for right, _ in zip(game.expected, game.reply.answer, strict=False):
            awaits += map(awaited, right.seen)
        for word, refusal, _ in _permitted(game):
            (refused if refusal else taken).add(word)
        first = differing.get(game.number)
        if first is not None and isinstance(first.check, MustShow):
            went_on.append(awaited(entry_at(game.expected, first.at)))
    own = [words for words in went_on if words & refused and not words & taken and "" not in words]
    if len(own) < ENOUGH:
        return ()
    words = set[str]().union(*own)
    return tuple(sorted(words.union(*(each & refused - taken for each in awaits if each & words))))


def _omits(looked_at: Sequence[_Game], differing: Mapping[int, Mismatch], evidence: Evidence) -> tuple[str, ...]:
    """Return the words that are never offered, if they belong to several parts of the rules: for a single part, its
    rule is the cause.
    """
    refused, taken = set[str](), _taken_elsewhere(differing, evidence)
    for word, refusal, begun in (said for game in looked_at for said in _permitted(game)):
        if begun:
            (refused if refusal == "not-offered" else taken).add(word)
    words = refused - taken
    rules = plain_hypothesis(evidence).graph().rules.values()
    parts = {
        min((rule.name.partition(".")[0] for rule in rules if word in {each.action for each in rule.verbs}), default="")
        for word in words
    }
    return tuple(sorted(words)) if len(parts) >= ENOUGH else ()


def _permitted(game: _Game) -> Iterator[tuple[str, object, bool]]:
    """Yield the permitted words of a script, each with its refusal, if any, and whether its hand began."""
    for hand, seen, right in zip(game.script.hands, game.reply.answer, game.expected, strict=False):
        begun = any(told.get("refused") != "not-now" for told in seen.seen)
        for action, told, expected in zip(hand.actions, seen.seen, right.seen, strict=False):
            if action.say and not expected.get("refused"):
                yield action.word, told.get("refused"), begun


def _taken_elsewhere(differing: Mapping[int, Mismatch], evidence: Evidence) -> set[str]:
    """Return the words accepted in scripts that do not differ."""
    agreeing = (reply for number, reply in enumerate(evidence.replies) if number not in differing)
    acts = (act for reply in agreeing for act in acts_in(reply.script, reply.answer))
    return {action.word for action, told in acts if action.say and not told.get("refused")}


def _late(looked_at: Sequence[_Game], differing: Mapping[int, Mismatch], evidence: Evidence) -> tuple[str, ...]:
    """Return the observations that are constant during a hand and right after it, and seldom wrong then, as far as the
    moves agree; behind other differences, too. An implementation that refuses the last move may have finished before
    it.
    """
    caught_up, wrong = Counter[str](), Counter[str]()
    for game in looked_at:
        answer, ends = game.reply.answer, _parted(game)
        failed = {(each.at, each.check.key) for each in game.failed if isinstance(each.check, MustShow)}
        standing = [each for each in failed if not hand_is_over(game.expected, each[0]) and _stands(answer, *each)]
        behind = {(at.hand, key) for at, key in standing if key not in _AT_ONCE and (at.hand, at.action) < ends}
        checks = checks_of(game.script, game.expected, evidence.introduction) if behind else ()
        for check in (
            check for check in checks if isinstance(check, MustShow) and hand_is_over(game.expected, check.at)
        ):
            at, key, hand = check.at, check.key, check.at.hand - (check.at.action == START)
            if (hand, key) in behind and (at.hand, at.action) <= ends:
                plan = Plan((game.script,), (check,))
                (finding,) = judge(plan, [answer], evidence.introduction, {0: game.expected})
                if finding.outcome == "passed" or (finding.outcome == "failed" and (at.hand, at.action) < ends):
                    behind.discard((hand, key))
                    (caught_up if finding.outcome == "passed" else wrong)[key] += 1
    return tuple(key for key, times in caught_up.most_common() if times >= max(ENOUGH, wrong[key]))


def _stands(answer: Seen, at: Position, key: str) -> bool:
    """Whether an observation still has its value from the beginning of the hand."""
    return entry_at(answer, at).get(key) == entry_at(answer, Position(at.script, at.hand, START)).get(key)


def _parted(game: _Game) -> tuple[int, int]:
    """Return the hand, and the action in it, that is first refused or accepted against the rules."""
    for hand, (told, expected) in enumerate(zip(game.reply.answer, game.expected, strict=False)):
        for action, (seen, right) in enumerate(zip(told.seen, expected.seen, strict=False)):
            if seen and bool(seen.get("refused")) != bool(right.get("refused")):
                return hand, action
    return len(game.expected), 0


def _behind(looked_at: Sequence[_Game], differing: Mapping[int, Mismatch], evidence: Evidence) -> tuple[str, ...]:
    """Return the observations that come one action late: wrong where they change, nearly always right as told then."""
    behind, next_hand = (_amiss(looked_at, evidence, habit) for habit in (BEHIND, IN_NEXT))
    return tuple(key for key, times in behind.items() if times <= next_hand.get(key, times))


def _in_next_hand(looked_at: Sequence[_Game], differing: Mapping[int, Mismatch], evidence: Evidence) -> tuple[str, ...]:
    """Return the observations that come when the next hand begins: nearly always right then."""
    return tuple(_amiss(looked_at, evidence, IN_NEXT))


def _amiss(looked_at: Sequence[_Game], evidence: Evidence, habit: str) -> Mapping[str, int]:
    """Return the observations that are wrong as told, and nearly always right as told later, each with the number of
    scripts where it is not.
    """
    wrong, right, amiss = Counter[str](), Counter[str](), Counter[str]()
    for game in looked_at:
        failed = [each.check for each in game.failed if isinstance(each.check, MustShow)]
        for key in {check.key for check in failed}.difference(_AT_ONCE):
            moved = MOVED[habit](game.reply.answer, (key,))

            def outcomes(checks: Iterable[Check], key: str = key, moved: Seen = moved, game: _Game = game) -> set[str]:
                of_key = (each for each in checks if isinstance(each, MustShow) and each.key == key)
                plan = Plan((game.script,), tuple(of_key))
                return {each.outcome for each in judge(plan, [moved], evidence.introduction, {0: game.expected})}

            wrong[key] += 1
            amiss[key] += "failed" in outcomes(checks_of(game.script, game.expected, evidence.introduction))
            right[key] += "passed" in outcomes(failed)
    return {key: amiss[key] for key, times in right.items() if times >= FEWEST and MUCH * amiss[key] <= wrong[key]}


_HABITS = {ITSELF: _itself, LATE: _late, BEHIND: _behind, IN_NEXT: _in_next_hand, OMITS: _omits}
"""The examination of each key of the hello."""


def _claiming(evidence: Evidence, key: str, values: tuple[str, ...]) -> Evidence:
    """Return the evidence with this declaration."""
    introduction = claiming(evidence.introduction, evidence.setting.variant, key, values)
    setting = replace(evidence.setting, plays=introduction.variants[evidence.setting.variant])
    return replace(evidence, introduction=introduction, setting=setting)


def claiming(introduction: Introduction, variant: str, key: str, values: tuple[str, ...]) -> Introduction:
    """Return a hello with this declaration for a variant."""
    plays = introduction.plays(variant)
    if key == LATE:
        plays = replace(plays, late=(*plays.late, *values))
    elif key in MOVED:  # it cannot be declared: nothing is compared
        return replace(introduction, observes=tuple(each for each in introduction.observes if each not in values))
    elif key == OMITS:
        plays = replace(plays, omits=(*plays.omits, *values))
    else:
        plays = replace(plays, itself=(*plays.own_words, *values))
    return truthful(replace(introduction, variants={**introduction.variants, variant: plays}))

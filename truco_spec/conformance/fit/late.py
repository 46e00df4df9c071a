"""Observations that an implementation brings up to date only when a hand is over, though its hello does not say so.

Points that are booked at the end of a hand are no rule that is played otherwise, but they differ in every script that
is looked at before. So they are looked for first, and assumed in all that follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from truco_spec.conformance.corpus.protocol import Introduction, Seen
from truco_spec.conformance.corpus.scripts import START, MustShow, Plan, Position, entry_at
from truco_spec.conformance.fit.evidence import Evidence
from truco_spec.conformance.fit.fit_result import FitCause, plain_hypothesis
from truco_spec.conformance.fit.hypothesis import Hypothesis, Mismatch, difference, played
from truco_spec.conformance.fuzz.trial import checks_of
from truco_spec.conformance.runner.judge import ACTING, MAY_SPEAK, judge

ENOUGH = 3
"""In how many hands an observation has to be behind, and right at the end."""
LOOKED_AT = 200
"""How many scripts are looked at."""
_AT_ONCE = (ACTING, MAY_SPEAK)


def with_late(evidence: Evidence, numbers: Sequence[int]) -> tuple[Evidence, list[FitCause]]:
    """The evidence of an implementation that says what is late, and a cause for each such observation. ``numbers`` are
    the scripts that differ from what it claims.
    """
    plain, causes = plain_hypothesis(evidence), list[FitCause]()
    before = _differences(evidence, plain, numbers)
    shown = Counter(each.check.key for each in before.values() if isinstance(each.check, MustShow))
    for key in _behind(evidence, plain, [key for key in shown if key not in _AT_ONCE and shown[key] >= ENOUGH]):
        claimed = _claiming(evidence, key)
        after = _differences(claimed, plain, before)
        better = [n for n, was in before.items() if (now := after.get(n)) is None or now.reach > was.reach]
        if better:
            shortest = min(better, key=lambda n: (before[n].reach, n))
            causes.append(FitCause(tuple(better), shortest, before[shortest], late=key))
            evidence, before = replace(claimed, late=evidence.late.union(better)), after
    return evidence, causes


def _differences(evidence: Evidence, plain: Hypothesis, numbers: Iterable[int]) -> dict[int, Mismatch]:
    found = {number: difference(plain, evidence.replies[number], evidence.introduction) for number in numbers}
    return {number: mismatch for number, mismatch in found.items() if mismatch is not None}


def _behind(evidence: Evidence, plain: Hypothesis, keys: Sequence[str]) -> list[str]:
    """Those of these observations that are wrong while a hand goes on and right when it is over, and seldom wrong then:
    also in scripts that agree, as nothing was compared there before the end.
    """
    caught_up, wrong = Counter[str](), Counter[str]()
    for reply in evidence.replies[:: max(len(evidence.replies) // LOOKED_AT, 1)] if keys else ():
        game = played(plain, reply, evidence.introduction)
        if isinstance(game, Mismatch):
            continue
        script, expected = game
        shown = (check for check in checks_of(script, expected, evidence.introduction) if isinstance(check, MustShow))
        checks = tuple(check for check in shown if check.key in keys)
        findings = judge(Plan((script,), checks), [reply.answer], evidence.introduction, {0: expected})
        behind = set[tuple[int, str]]()
        for check, finding in zip(checks, findings, strict=True):
            hand = check.at.hand - (check.at.action == START)
            if not _over(expected, check.at):
                behind |= {(hand, check.key)} if finding.outcome == "failed" else set()
            elif (hand, check.key) in behind and finding.outcome in ("passed", "failed"):
                behind.discard((hand, check.key))
                (caught_up if finding.outcome == "passed" else wrong)[check.key] += 1
    return [key for key, times in caught_up.most_common() if times >= max(ENOUGH, wrong[key])]


def _over(expected: Seen, at: Position) -> bool:
    entry: Mapping[str, Any] = entry_at(expected, at)
    return at.action == START or entry.get("hand") is not None or entry.get("winner") is not None


def _claiming(evidence: Evidence, key: str) -> Evidence:
    """The evidence of an implementation that says so."""
    variant, plays = evidence.setting.variant, evidence.plays
    plays = replace(plays, late=(*plays.late, key))
    introduction: Introduction = evidence.introduction
    introduction = replace(introduction, variants={**introduction.variants, variant: plays})
    return replace(evidence, introduction=introduction, setting=replace(evidence.setting, plays=plays))

"""Aggregates verdicts: totals, faults by clause, differing readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from truco_spec.base.project import by_variant
from truco_spec.base.words import number, say
from truco_spec.conformance.corpus.cases import LEVELS, Level
from truco_spec.conformance.corpus.protocol import HandScript, OwnDeals, Script, ScriptAction
from truco_spec.conformance.runner.judge import unclaimed
from truco_spec.conformance.runner.verdicts import (
    JUDGED,
    NEGATIVE,
    PASSED,
    VERDICTS,
    CaseReport,
    Known,
    Verdict,
)


def totals(cases: Iterable[CaseReport]) -> dict[Level, dict[Verdict, int]]:
    """The number of cases by level and verdict; levels without cases are omitted."""
    sums: dict[Level, dict[Verdict, int]] = {level: dict.fromkeys(VERDICTS, 0) for level in LEVELS}
    for case in cases:
        sums[case.level][case.verdict] += 1
    return {level: row for level, row in sums.items() if any(row.values())}


@dataclass(frozen=True, slots=True)
class Score:
    """The number of passed cases among those judged, whether failures were expected or not."""

    passed: int
    judged: int

    @property
    def share(self) -> str:
        """In percent, rounded down, so that 100 % means all."""
        return f"{100 * self.passed // self.judged} %" if self.judged else "–"

    @property
    def text(self) -> str:
        return f"{number(self.passed)}/{number(self.judged)}" if self.judged else "–"

    @property
    def verdict(self) -> str:
        return "none" if not self.judged else "pass" if self.passed == self.judged else "fail"


def score(cases: Iterable[CaseReport]) -> Score:
    """The score of these cases."""
    verdicts = [case.verdict for case in cases]
    return Score(sum(verdict in PASSED for verdict in verdicts), sum(verdict in JUDGED for verdict in verdicts))


def scores(cases: Iterable[CaseReport]) -> dict[Level, Score]:
    """The score of each level; levels without cases are omitted."""
    found = tuple(cases)
    by_level = {level: [case for case in found if case.level == level] for level in LEVELS}
    return {level: score(of) for level, of in by_level.items() if of}


def faults_by_clause(cases: Iterable[CaseReport]) -> Mapping[str, tuple[str, ...]]:
    """Map each clause to the cases with a failed check that rests on it. Clauses are ordered by how surely they name
    the broken rule: by the share of failed cases among the judged ones, then by the number of failed cases, then in
    their order.

    A case whose script failed before any of its checks accuses no clause (:func:`not_playable`), nor does one that
    rests on a decision of ours (:func:`other_readings`).
    """
    return _ranked(cases, lambda case: case.clauses, lambda case: not _reads(case))


def other_readings(cases: Iterable[CaseReport]) -> Mapping[str, tuple[str, ...]]:
    """Map each decision to the failed cases that rest on it, in the same order. The implementation may only have
    another reading of its source.
    """
    return _ranked(cases, _reads, lambda case: True)


def sureness(cases: Iterable[CaseReport]) -> Callable[[CaseReport], tuple[int, int]]:
    """The sort key of failed cases: those of the first clause in :func:`faults_by_clause` first, then of the next; then
    readings; then failures on the way, and missing answers.
    """
    found = tuple(cases)
    clauses, readings = (list(listed(found)) for listed in (faults_by_clause, other_readings))

    def key(case: CaseReport) -> tuple[int, int]:
        if not _accuses(case):
            return (2, 0)
        names, listed = (_reads(case), readings) if _reads(case) else (case.clauses, clauses)
        return (bool(_reads(case)), min(map(listed.index, names), default=len(listed)))

    return key


def _ranked(
    cases: Iterable[CaseReport],
    names_of: Callable[[CaseReport], tuple[str, ...]],
    accuses: Callable[[CaseReport], bool],
) -> Mapping[str, tuple[str, ...]]:
    judged: Counter[str] = Counter()
    failed: dict[str, list[str]] = {}
    for case in cases:
        if case.verdict in JUDGED and (case.checks.passed or case.checks.failed):
            judged.update(set(names_of(case)))
        if _accuses(case) and accuses(case):
            for name in dict.fromkeys(names_of(case)):
                failed.setdefault(name, []).append(case.name)
    order = sorted(failed, key=lambda name: (-len(failed[name]) / judged[name], -len(failed[name])))
    return {name: tuple(failed[name]) for name in order}


def not_playable(cases: Iterable[CaseReport]) -> tuple[str, ...]:
    """Return the failed cases in which a move on the way was refused, without an earlier failed check."""
    return tuple(
        case.name for case in cases if case.verdict == "fail" and not case.checks.failed and not _changes(case)
    )


def changed(cases: Iterable[CaseReport]) -> tuple[str, ...]:
    """Return the failed cases in which a refused action changed the game."""
    return tuple(case.name for case in cases if case.verdict == "fail" and _changes(case))


def unsteady(cases: Iterable[CaseReport]) -> tuple[str, ...]:
    """The cases with nondeterministic answers."""
    return tuple(case.name for case in cases if case.verdict == "unsteady")


def _changes(case: CaseReport) -> bool:
    return any(fault.changed for fault in case.faults)


def _accuses(case: CaseReport) -> bool:
    """Whether a failed check rests on the case's clauses; that refusals change nothing rests on none."""
    rests = not case.faults or any(not fault.changed for fault in case.faults)
    return case.verdict == "fail" and case.checks.failed > 0 and rests


def _reads(case: CaseReport) -> tuple[str, ...]:
    return case.decisions if case.level == "decided" else ()


# --------------------------------------------------------------------------------------------------
# What is not asked, and why.

ALWAYS = "always plays "
"""The beginning of the reason for a case that is not true under options which an implementation always plays."""


def unsupported(cases: Iterable[CaseReport]) -> list[tuple[str, int]]:
    """Why cases were not asked, and how many for each reason, the most frequent first: of the games that it claims to
    play, then of all others.
    """
    found = Counter((case.reason == unclaimed(case.variant), case.reason) for case in cases if case.reason)
    return [(reason, count) for (_, reason), count in sorted(found.most_common(), key=lambda each: each[0][0])]


def departures(cases: Iterable[CaseReport]) -> Mapping[str, tuple[str, ...]]:
    """Map each option (``name=value``) that is always played, and that no source offers, to the clauses from which it
    departs: those of cases of level ``must`` that it makes untrue, if a decision permits that reading.
    """
    found: dict[str, dict[str, None]] = {}
    for case in cases:
        if case.level == "must" and case.reason.startswith(ALWAYS):
            for claim in case.reason.removeprefix(ALWAYS).split(", "):
                name, _, value = claim.partition(" ")
                against = decided_against(case.variant, name, value)
                if clauses := [clause for clause in case.clauses if clause in against]:
                    found.setdefault(f"{name}={value}", {}).update(dict.fromkeys(clauses))
    return {claim: tuple(clauses) for claim, clauses in found.items()}


@by_variant(256)
def decided_against(variant: str, option: str, value: str) -> frozenset[str]:
    """Return the clauses from which a value of an option departs, if its statements rest on decisions alone."""
    from truco_spec.base.errors import TrucoError
    from truco_spec.graph.load import load
    from truco_spec.graph.model import DECIDED

    try:
        before, graph = load(variant), load(variant, **{option: value})
    except TrucoError:
        return frozenset()
    brought = [rule.source for name, rule in graph.rules.items() if name not in before.rules]
    cites = [cite for source in brought or [graph.options[option].source] for cite in source.cites]
    if not all(cite.source == DECIDED for cite in cites):
        return frozenset()
    resolved = (of for cite in cites for of in graph.decisions[cite.clause].resolves)
    return frozenset(f"{of.source}:{of.clause}" for of in resolved)


# --------------------------------------------------------------------------------------------------
# The table after the deal and after every action. What the rules refuse lays nothing: that was noted with the result.


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's place. ``laid`` are the cards played, a covered one in brackets."""

    player: str
    deals: bool
    held: tuple[str, ...]
    laid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepRow:
    """The table at one point. ``done`` led to it; empty after a deal. Hands count from 1."""

    hand: int
    done: str
    turned: Mapping[str, tuple[str, ...]]
    seats: tuple[Seat, ...]


def steps(script: Script, idle: Collection[tuple[int, int]]) -> Iterator[StepRow]:
    """Every point of a script; ``idle`` are its actions (hand, number in it) that lay no card, though they name one."""
    for at, hand in enumerate(script.hands):
        theirs = {card for player in script.players for card in hand.deal.get(player, ())}
        turned = {  # the order of the pack is not drawn
            key: cards for key, cards in hand.deal.items() if key not in script.players and not theirs & set(cards)
        }
        dealer = script.dealer if len(script.hands) == 1 else ""
        for done in range(len(hand.actions) + 1):
            laid = [a for n, a in enumerate(hand.actions[:done]) if not a.say and (at, n) not in idle]
            seats = tuple(_seat(player, player == dealer, hand, laid) for player in script.players)
            yield StepRow(at + 1, _told(hand.actions[done - 1], (at, done - 1) in idle) if done else "", turned, seats)


def _told(action: ScriptAction, idle: bool) -> str:
    return say("{action} (lays nothing)", action=action.text) if idle else action.text


def _seat(player: str, deals: bool, hand: HandScript, laid: Sequence[ScriptAction]) -> Seat:
    own = [action for action in laid if action.player == player]
    gone = {action.play or action.cover for action in own}
    held = tuple(card for card in hand.deal.get(player, ()) if card not in gone)
    return Seat(player, deals, held, tuple(action.play or f"({action.cover})" for action in own))


def picture(script: Script | OwnDeals, idle: Collection[tuple[int, int]]) -> list[str]:
    """The table after the last action of a script, as lines of text (see :func:`steps`); empty for own deals."""
    if isinstance(script, OwnDeals) or not (script.hands and script.players):
        return []
    *_, last = steps(script, idle)
    rows = [
        (
            say("{player} (deals)", player=seat.player) if seat.deals else seat.player,
            f"[{' '.join(seat.held)}]",
            " ".join(seat.laid),
        )
        for seat in last.seats
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = [", ".join(f"{key} {' '.join(cards)}" for key, cards in last.turned.items())] if last.turned else []
    lines += [f"{name:{widths[0]}}  {held:{widths[1]}}  {laid}".rstrip() for name, held, laid in rows]
    return [*lines, say("last: {action}", action=last.done)] if last.done else lines


# --------------------------------------------------------------------------------------------------
# Notes on outdated expected failures, for every report.


def notes(cases: Iterable[CaseReport]) -> Iterator[tuple[str, str]]:
    """The name of a case, and what to do about its entry; empty for a current one, and under xpass."""
    for case in cases:
        if case.known is not None and (note := _note(case, case.known)):
            yield case.name, note


def _note(case: CaseReport, known: Known) -> str:
    if case.verdict in ("unsupported", "unobserved"):
        form = "is {verdict}: the entry {id} is needless, delete it"
    elif known.expired and case.verdict in PASSED:
        form = "passes, and was expected to fail until {day}: delete the entry {id}"
    elif known.expired:
        form = "was expected to fail until {day}, and fails the run now: mend it, or set another day"
    elif case.verdict in NEGATIVE - {"xpass"}:
        form = "was expected to be {expected}, and is {verdict}"
    else:
        return ""
    return say(form, verdict=say(case.verdict), expected=say(str(known.verdict)), day=known.expires, id=known.id)


# ---- The text of a clause, by its full name ------------------------------------------------------


def clause_text(name: str) -> str | None:
    """The text of the clause ``source:id``, the question of the gap or the values of the option; None if unknown."""
    from truco_spec.base.safe_yaml import YamlError
    from truco_spec.graph.sources import UnknownSource, registry  # most runs need no clauses

    source, _, cite = name.partition(":")
    try:
        found = registry(source)
        if cite in found.clauses:
            return found.clauses[cite].text
        if cite in found.gaps:
            return found.gaps[cite].question
        if cite in found.options:
            return say("A switch: {values}.", values=", ".join(found.options[cite].values))
    except (UnknownSource, YamlError):
        return None
    return None

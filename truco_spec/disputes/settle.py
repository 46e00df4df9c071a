"""Settling a dispute: a log is put to agreements, the courses are compared, and a claim is weighed.

answer = settle(log, agreements_of("all", log.options), claim="bia's team wins the hand")
print(answer.summary)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from truco_spec.disputes.agreement import Agreement, NotPlayed, Rules, rules_of
from truco_spec.disputes.answer import Answer, ClaimAnswer, Ending, GroupAnswer, PartingAnswer, Unknown, WhyAnswer
from truco_spec.disputes.blanks import MOVE, blanks_of
from truco_spec.disputes.claim import Claim, read_claim
from truco_spec.disputes.course import PERMITTED, Course
from truco_spec.disputes.packs import cards_between
from truco_spec.disputes.parting import Parting, partings
from truco_spec.disputes.put import Put, moves_of, put
from truco_spec.disputes.reasons import reasons
from truco_spec.disputes.unknown import Weighed, weigh
from truco_spec.disputes.verdict import check, ruling
from truco_spec.disputes.words import joined, team_of, told_in_words, verdict_in_words
from truco_spec.graph.model import Graph
from truco_spec.graph.unsettled import load_unsettled
from truco_spec.logs.model import UNKNOWN, Log
from truco_spec.logs.words import hint_for, shown
from truco_spec.shipped import variant_names

K = TypeVar("K")
MOST_MOVES = 500
"""Moves of a log that can be argued about at once."""
MOST_NEXT = 6
"""Lines that tell what happens next."""

Notice = Callable[[str, int], None]
"""Is told how far it is: the name of an agreement, and how many courses were played."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An agreement, its rules, the log as it was put to them, and what came of it."""

    agreement: Agreement
    rules: Rules
    put: Put
    weighed: Weighed

    @property
    def course(self) -> Course:
        """The course, with the cards that were put in for unknown ones."""
        return self.weighed.course


def home_of(log: Log) -> Graph:
    """The graph of the variant that a log was written for. Raises :class:`LogError` where there is no such variant."""
    known = variant_names()
    if log.variant not in known:
        message = f"There is no variant “{shown(log.variant)}”."
        raise log.mistake("variant", message, "variant", hint_for(log.variant, known))
    return load_unsettled(log.variant)


def settle(
    log: Log, agreements: Sequence[Agreement], claim: str = "", notice: Notice | None = None, most: int = 0
) -> Answer:
    """The answer to a dispute. Raises :class:`LogError` and :class:`~truco_spec.disputes.claim.ClaimError`.

    For a claim ``most`` settings of each agreement are tried (0: as many as it takes some seconds to try).
    """
    home = home_of(log)
    if len(moves_of(log)) > MOST_MOVES:
        message = f"The log has {len(moves_of(log))} moves; a dispute is about {MOST_MOVES} at most."
        raise log.mistake("size", message, "hands", "Cut out the part that is argued about.")
    statements = read_claim(claim, log.players) if claim else ()
    tried, refused = try_all(log, home, agreements, statements, notice)
    if statements:
        graphs = [one.rules.graph for one in tried] or [home]
        check(statements, graphs, len(moves_of(log)), log.players, home)
    looked = sum(one.weighed.looked for one in tried)
    claimed: ClaimAnswer | None = None
    if statements:
        from truco_spec.disputes.claimed import claim_answer

        claimed, played = claim_answer(claim, statements, tried, home, notice, most)
        looked += played
    courses = [one.course for one in tried]
    texts = tuple(move.text for move in moves_of(log))
    found = list(partings(courses)) if len(courses) > 1 else []
    names = {id(one.course): one.agreement.name for one in tried}
    accepted = any(course.complete for course in courses)
    told = tuple(_parting(one, names, found, texts) for one in found)
    return Answer(
        title=home.title,
        sides=_sides(log, home),
        begins=tuple(_begins(log)),
        moves=texts,
        summary=_summary(tried, told, accepted=accepted),
        put=tuple(names.values()),
        not_put=_grouped((agreement.name, reason) for agreement, reason in refused),
        notes=_grouped((one.agreement.name, note) for one in tried for note in one.put.notes),
        partings=told,
        endings=tuple(_endings(courses, names)),
        put_in=_put_in(tried),
        unknown=tuple(_unknown(tried, statements)),
        claim=claimed,
        looked=looked,
        accepted=accepted,
        courses={one.agreement.name: one.course for one in tried},
    )


def try_all(
    log: Log,
    home: Graph,
    agreements: Sequence[Agreement],
    statements: Sequence[Claim] = (),
    notice: Notice | None = None,
) -> tuple[list[Tried], list[tuple[Agreement, str]]]:
    """The log under every agreement; and the agreements that it cannot be put to, with the reasons."""
    tried: list[Tried] = []
    refused: list[tuple[Agreement, str]] = []
    for agreement in agreements:
        if notice is not None:
            notice(agreement.name, 0)
        try:
            rules = rules_of(agreement, len(log.players))
            here = put(log, home, rules)
        except NotPlayed as reason:
            refused.append((agreement, str(reason)))
            continue
        likes = cards_between(home, rules.graph)
        order = [likes[card.name] for card in reversed(home.cards) if card.name in likes]
        judged = (lambda course: ruling(statements, course, home).right) if statements else None
        tried.append(Tried(agreement, rules, here, weigh(here, rules, order, judged)))
    return tried, refused


# ---- in words ----------------------------------------------------------------------------------


def _sides(log: Log, home: Graph) -> tuple[str, ...]:
    teams = max(1, home.teams)
    return tuple(" and ".join(log.players[team::teams]) for team in range(min(teams, len(log.players))))


def _begins(log: Log) -> Iterable[str]:
    if log.options:
        yield "agreed: " + ", ".join(f"{name} {value}" for name, value in log.options.items())
    if log.dealer:
        yield f"{log.dealer} deals"
    if log.score:
        yield "score " + ", ".join(f"{name} {points}" for name, points in log.score.items())
    for item in log.start:
        yield f"{' '.join((item.datum, *item.index))} {item.value}"
    for at, hand in enumerate(log.hands):
        dealt = "; ".join(f"{key} {' '.join(cards)}" for key, cards in hand.deal.items() if cards)
        if dealt:
            yield f"dealt{f' in hand {at + 1}' if len(log.hands) > 1 else ''}: {dealt}"


def _summary(tried: Sequence[Tried], told: Sequence[PartingAnswer], *, accepted: bool) -> str:
    count = len(tried)
    if not count:
        return "The log cannot be put to any of these rules."
    none = "" if accepted else "None of these rules takes the whole log. "
    if not told:
        same = (
            "All of these rules say the same." if count > 1 else "These rules take the whole log." if accepted else ""
        )
        return f"{none}{same}".strip()
    first = told[0]
    about = f": {joined(first.about)}" if first.about else ""
    return f"{none}They part at move {first.number}, {first.move}{about}."


def _parting(
    one: Parting, names: Mapping[int, str], all_partings: Sequence[Parting], texts: Sequence[str]
) -> PartingAnswer:
    groups, move = [], texts[one.number - 1] if one.number <= len(texts) else ""
    for group, why in zip(one.groups, reasons(one), strict=True):
        course = group[0]
        moment = course.moments[one.number - 1] if one.number <= len(course.moments) else None
        groups.append(
            GroupAnswer(
                names=tuple(names[id(member)] for member in group),
                said=moment.said if moment and moment.said != move else "",
                verdict=verdict_in_words(moment) if moment else "the log has ended there",
                message=moment.message if moment else "",
                told=told_in_words(course, moment.told) if moment else "",
                why=tuple(WhyAnswer(tuple(names[id(c)] for c in one.courses), one.reasons) for one in why),
                next=tuple(_next(course, group, one.number, all_partings)),
            )
        )
    return PartingAnswer(one.number, move, one.keys, tuple(groups))


def _next(course: Course, group: Sequence[Course], number: int, all_partings: Sequence[Parting]) -> Iterable[str]:
    """What follows for a group, up to where it parts again, or to the end of the log."""
    later = [p.number for p in all_partings if p.number > number and any(c is course for g in p.groups for c in g)]
    until = min(later, default=len(course.moments) + 1)
    lines = []
    for moment in course.moments[number : until - 1]:
        told = told_in_words(course, moment.told)
        if moment.verdict != PERMITTED:
            why = f"{verdict_in_words(moment)}. {moment.message}".rstrip(". ")
            lines.append(f"{moment.move} (move {moment.number}): {why}")
        elif told:
            lines.append(f"{moment.said} (move {moment.number}): {told}")
    if len(lines) > MOST_NEXT:
        lines = [*lines[: MOST_NEXT - 1], f"and {len(lines) - MOST_NEXT + 1} more that are seen"]
    yield from lines
    if later:
        yield f"they part again at move {until}"
    elif len(course.moments) >= number:
        yield from _standing(course, number)


def _standing(course: Course, number: int) -> Iterable[str]:
    """Who scores in the end, and who is to go on."""
    last = course.moments[-1]
    score = last.seen.get("score")
    if isinstance(score, Mapping) and not (last.number == number and "score" in last.told):
        points = ", ".join(f"{team_of(course, who)} {value}" for who, value in score.items())
        unchanged = score == course.start.get("score")
        yield f"nobody has scored: {points}" if unchanged else f"score in the end: {points}"
    acting = last.seen.get("acting")
    if course.complete and isinstance(acting, list) and acting:
        yield f"{joined(map(str, acting))} may speak or play next"


def _endings(courses: Sequence[Course], names: Mapping[int, str]) -> Iterable[Ending]:
    found: dict[tuple[int, str], list[str]] = {}
    for course in courses:
        if course.complete:
            key = (0, "")
        else:
            last = course.moments[-1]
            key = (last.number, f"{verdict_in_words(last)}. {last.message}" if last.message else verdict_in_words(last))
        found.setdefault(key, []).append(names[id(course)])
    return [Ending(tuple(who), number, text) for (number, text), who in sorted(found.items())]


def _grouped(pairs: Iterable[tuple[str, K]]) -> tuple[tuple[tuple[str, ...], K], ...]:
    found: dict[K, list[str]] = {}
    for name, text in pairs:
        found.setdefault(text, []).append(name)
    return tuple((tuple(names), text) for text, names in found.items())


# ---- cards that nobody knows -------------------------------------------------------------------


def _put_in(tried: Sequence[Tried]) -> tuple[tuple[str, str], ...]:
    """The cards that were put in for those written as unknown, where the log was written."""
    if not tried:
        return ()
    one = tried[0]
    hands = one.course.put.log.hands
    found = []
    for blank in blanks_of(one.put, one.rules):
        hand = hands[blank.hand]
        is_move = blank.kind == MOVE
        card = hand.moves[blank.at].words.strip("()") if is_move else hand.deal[blank.key][blank.at]
        if card != UNKNOWN:
            found.append((blank.label, card))
    return tuple(found)


def _unknown(tried: Sequence[Tried], statements: Sequence[Claim]) -> Iterable[Unknown]:
    found: dict[tuple[str, tuple[tuple[tuple[str, ...], str], ...]], list[str]] = {}
    for one in tried:
        for dependence in one.weighed.dependences:
            cases = tuple(
                (case.cards, _outcome_in_words(one.course, case.course) if not statements else _last_told(case.course))
                for case in dependence.cases
            )
            found.setdefault((dependence.blank.label, cases), []).append(one.agreement.name)
    return [Unknown(tuple(names), label, cases) for (label, cases), names in found.items()]


def _outcome_in_words(usual: Course, other: Course) -> str:
    """The first move of a course that is told otherwise than with the cards put in; of the usual course, its last."""
    for one, two in zip(other.moments, usual.moments, strict=False):
        if (one.verdict, one.told) != (two.verdict, two.told):
            told = told_in_words(other, one.told) or verdict_in_words(one)
            return f"move {one.number}: {told}"
    return _last_told(other)


def _last_told(course: Course) -> str:
    for moment in reversed(course.moments):
        if moment.told or moment.verdict != PERMITTED:
            return f"move {moment.number}: {told_in_words(course, moment.told) or verdict_in_words(moment)}"
    return "nothing changes"

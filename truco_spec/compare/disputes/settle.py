"""Settles a dispute: plays a log under agreements, compares the playthroughs, and judges a claim.

answer = settle(log, agreements_of("all", log.options), claim="bia's team wins the hand") print(answer.summary)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from truco_spec.base.words import Sentence, label, listed, move_text, say, spoken
from truco_spec.compare.disputes.agreement import Agreement, moves_of
from truco_spec.compare.disputes.answer import (
    ClaimAnswer,
    DisputeAnswer,
    Ending,
    GroupAnswer,
    PartingAnswer,
    Unknown,
    WhyAnswer,
)
from truco_spec.compare.disputes.authorities import reasons_of_verdict, together
from truco_spec.compare.disputes.claim import Claim, claim_in_words, read_claim
from truco_spec.compare.disputes.playthrough import (
    FORBIDDEN,
    PERMITTED,
    JudgedMove,
    Playthrough,
    team_of,
    told_in_words,
    verdict_in_words,
)
from truco_spec.compare.disputes.unknown import MOVE, Blank, Notice, Tried, blanks_of, home_of, try_all
from truco_spec.compare.disputes.verdict import about_of, check, ruling
from truco_spec.compare.disputes.why import Branching, Why, alike, partings, reasons
from truco_spec.graph.model import Graph
from truco_spec.logs.model import UNKNOWN, Log

MOST_MOVES = 500
"""Maximum moves of a log in a dispute."""


def settle(
    log: Log,
    agreements: Sequence[Agreement],
    claim: str | None = None,
    notice: Notice | None = None,
    most: int = 0,
    workers: int = 1,
) -> DisputeAnswer:
    """The answer to a dispute.

    With a claim, only its subject is compared; at most ``most`` settings of each agreement are tried for it (0: a
    budget of some seconds), by ``workers`` processes, which find the same as one. Raises :class:`LogError` and
    :class:`~truco_spec.compare.disputes.claim.ClaimError`.
    """
    home = home_of(log, agreements)
    if len(moves_of(log)) > MOST_MOVES:
        form = "The log has {count} moves; a dispute is about {most} at most."
        message = Sentence(form, count=len(moves_of(log)), most=MOST_MOVES)
        raise log.mistake("size", message, "hands", Sentence("Cut out the part that is argued about."))
    statements = read_claim(claim, log.players) if claim is not None else ()
    tried, refused = try_all(log, home, agreements, statements, notice)
    if statements:
        graphs = [one.rules.graph for one in tried] or [home]
        check(statements, graphs, len(moves_of(log)), log.players, home)
    playthroughs = [one.playthrough for one in tried]
    texts = tuple(move_text(move.text) for move in moves_of(log))
    found = list(partings(playthroughs, about_of(statements)))
    looked = sum(one.weighed.looked for one in tried)
    claimed: ClaimAnswer | None = None
    if claim is not None:
        from truco_spec.compare.disputes.claimed import claim_answer

        text = claim_in_words(claim, statements, log.players, home.teams)
        parted = {(id(playthrough), one.number) for one in found for group in one.groups for playthrough in group}
        claimed, played = claim_answer(text, statements, tried, home, notice, most, parted, workers)
        looked += played
    names = {id(one.playthrough): one.agreement.name for one in tried}
    told = tuple(_parting(one, names, found, texts) for one in found)
    accepted = any(playthrough.complete for one in tried for playthrough in one.weighed.playthroughs)
    unknown = tuple(_unknown(tried, statements, home))
    alike = all(len(one.names) == len(tried) for one in unknown)
    return DisputeAnswer(
        title=spoken().rules(home.title),
        sides=_sides(log, home),
        begins=tuple(_begun(log)),
        moves=texts,
        summary=_summary(playthroughs, told, texts, claimed=bool(statements), taken=accepted, alike=alike),
        put=tuple(names.values()),
        not_put=_grouped((agreement.name, reason) for agreement, reason in refused),
        notes=_grouped((one.agreement.name, note) for one in tried for note in (*one.transposed.notes, *_tried(one))),
        partings=told,
        endings=tuple(_endings(playthroughs, found, names)),
        put_in=_put_in(tried),
        unknown=unknown,
        claim=claimed,
        looked=looked,
        accepted=accepted,
        playthroughs={one.agreement.name: one.playthrough for one in tried},
    )


# --------------------------------------------------------------------------------------------------
# The answer in words: the start of the log, where playthroughs part, how they end, and unknown cards.

K = TypeVar("K")
MOST_NEXT = 6
"""Maximum lines about what happens next."""
EXAMPLES = 4
"""Maximum cards named for each outcome."""


def _sides(log: Log, home: Graph) -> tuple[str, ...]:
    """The teams, each by its players."""
    teams = max(1, home.teams)
    return tuple(listed(log.players[team::teams]) for team in range(min(teams, len(log.players))))


def _begun(log: Log) -> Iterator[str]:
    """How the log begins, as a sentence does: with a capital letter, unless that is a name."""
    for number, text in enumerate(_begins(log)):
        named = text.partition(" ")[0] in log.players
        yield text if number or named else f"{text[:1].upper()}{text[1:]}"


def _begins(log: Log) -> Iterable[str]:
    """Settings, score, dealer, and the cards given in the log."""
    if log.options:
        yield say("agreed: {options}", options=", ".join(f"{name} {value}" for name, value in log.options.items()))
    if log.dealer:
        yield say("{player} deals", player=log.dealer)
    if log.score:
        yield say("score {it}", it=", ".join(f"{name} {points}" for name, points in log.score.items()))
    for item in log.start:
        if not spoken().english and label(item.datum) == item.datum:
            continue  # an English name, which the log itself tells
        yield f"{' '.join((label(item.datum), *item.index))} {item.value}"
    if log.position:
        yield say("position {line}", line=log.position)
    for at, hand in enumerate(log.hands):
        dealt = "; ".join(f"{label(key)} {' '.join(cards)}" for key, cards in hand.deal.items() if cards)
        if dealt and len(log.hands) > 1:
            yield say("dealt in hand {number}: {cards}", number=at + 1, cards=dealt)
        elif dealt:
            yield say("dealt: {cards}", cards=dealt)


def _summary(
    playthroughs: Sequence[Playthrough],
    told: Sequence[PartingAnswer],
    texts: Sequence[str],
    *,
    claimed: bool,
    taken: bool,
    alike: bool,
) -> str:
    """The answer in one line: where they part first; with a claim, where they part in its subject. The whole log is
    ``taken`` with some cards in place of unknown ones; ``alike``: these decide the same under all rules.
    """
    if not playthroughs:
        return say("The log cannot be put to any of these rules.")
    accepted, many = any(playthrough.complete for playthrough in playthroughs), len(playthroughs) > 1
    before = _in_other_things(playthroughs, told, texts) if claimed and many else ""
    sentences = [] if accepted else [say("None of these rules takes the whole log.")]
    if taken and not accepted:
        sentences = [say("Whether these rules take the whole log depends on cards that nobody knows.")]
    if told:
        about = f": {listed(map(label, told[0].about))}" if told[0].about else ""
        first = say("They part at move {number}, {move}", number=told[0].number, move=told[0].move)
        sentences.append(f"{first}{about}.")
    elif many:
        form = "All of these rules say the same of it." if before else "All of these rules say the same."
        sentences.append(say(form if alike else "With the cards that are put in all of these rules say the same."))
    elif accepted:
        sentences.append(say("These rules take the whole log."))
    return " ".join(filter(None, (*sentences, before)))


def _in_other_things(playthroughs: Sequence[Playthrough], told: Sequence[PartingAnswer], texts: Sequence[str]) -> str:
    """Where they part earlier in anything else."""
    first = next(partings(playthroughs), None)
    if first is None or (told and told[0].number <= first.number):
        return ""
    form = "In other things they part at move {number}, {move} ({keys})."
    return say(form, number=first.number, move=texts[first.number - 1], keys=listed(map(label, first.keys)))


def _parting(
    one: Branching, names: Mapping[int, str], all_partings: Sequence[Branching], texts: Sequence[str]
) -> PartingAnswer:
    """A parting: sides, reasons, and consequences."""
    groups, move = [], texts[one.number - 1] if one.number <= len(texts) else ""
    for group, why in zip(one.groups, reasons(one), strict=True):
        playthrough = group[0]
        moment = playthrough.moments[one.number - 1] if one.number <= len(playthrough.moments) else None
        said = move_text(moment.said) if moment and moment.said else move
        groups.append(
            GroupAnswer(
                names=tuple(names[id(member)] for member in group),
                said=said if said != move else "",
                verdict=verdict_in_words(moment) if moment else say("the log has ended there"),
                message=_refusal(moment) if moment else "",
                told=told_in_words(playthrough, _told_by_all(group, one.number)) if moment else "",
                why=_answers(why, names),
                next=tuple(_next(playthrough, group, one.number, all_partings)),
            )
        )
    return PartingAnswer(one.number, move, one.keys, tuple(groups))


def _next(
    playthrough: Playthrough, group: Sequence[Playthrough], number: int, all_partings: Sequence[Branching]
) -> Iterable[str]:
    """What follows for a group, up to its next parting, or to the end of the log."""
    later = [p.number for p in all_partings if p.number > number and any(c is playthrough for g in p.groups for c in g)]
    until = min(later, default=len(playthrough.moments) + 1)
    lines = []
    for moment in playthrough.moments[number : until - 1]:
        told = told_in_words(playthrough, _told_by_all(group, moment.number))
        if moment.verdict != PERMITTED:
            why = f"{verdict_in_words(moment)}. {moment.message}".rstrip(". ")
            lines.append(f"{_at(moment.move, moment.number)}: {why}")
        elif told:
            lines.append(f"{_at(moment.said, moment.number)}: {told}")
    if len(lines) > MOST_NEXT:
        lines = [*lines[: MOST_NEXT - 1], say("and {count} more that are seen", count=len(lines) - MOST_NEXT + 1)]
    yield from lines
    if later:
        yield say("they part again at move {number}", number=until)
    elif len(playthrough.moments) >= number:
        yield from _standing(group, number)


def _at(move: str, number: int) -> str:
    return say("{move} (move {number})", move=move_text(move), number=number)


def _told_by_all(group: Sequence[Playthrough], number: int) -> Mapping[str, object]:
    """The results of a move common to a group: with a claim they may differ in other subjects."""
    first, *others = [playthrough.moments[number - 1].told for playthrough in group]
    return {name: value for name, value in first.items() if all(told.get(name) == value for told in others)}


def _standing(group: Sequence[Playthrough], number: int) -> Iterable[str]:
    """Who scores in the end, and who is next."""
    playthrough = group[0]
    last = playthrough.moments[-1]
    score = last.seen.get("score")
    if any(other.last.get("score") != score for other in group):
        return
    if isinstance(score, Mapping) and not (last.number == number and "score" in last.told):
        points = ", ".join(f"{team_of(playthrough, who)} {value}" for who, value in score.items())
        unchanged = score == playthrough.start.get("score")
        form = "nobody has scored: {points}" if unchanged else "score in the end: {points}"
        yield say(form, points=points)
    acting = last.seen.get("acting")
    alike = all(other.last.get("acting") == acting for other in group)
    if playthrough.complete and alike and isinstance(acting, list) and acting:
        yield say("{players} may speak or play next", players=listed(map(str, acting)))


def _refusal(moment: JudgedMove) -> str:
    """Why a move is refused, and what is due first; what forbids it are its reasons."""
    if moment.verdict == FORBIDDEN:
        return ""
    refused = moment.refused
    return f"{moment.message} {refused.refusal.hint}" if refused is not None and refused.due else moment.message


def _endings(
    playthroughs: Sequence[Playthrough], told: Sequence[Branching], names: Mapping[int, str]
) -> Iterable[Ending]:
    """Who accepts the whole log, and where it stops under the others; and why, if no parting shows it."""
    parted = {(id(playthrough), one.number) for one in told for group in one.groups for playthrough in group}
    found: dict[tuple[int, str], list[Playthrough]] = {}
    for playthrough in playthroughs:
        last = playthrough.moments[-1] if playthrough.moments else None
        if playthrough.complete or last is None:
            key = (0, "")
        elif (id(playthrough), last.number) in parted:
            key = (last.number, verdict_in_words(last))
        else:
            refusal = _refusal(last)
            key = (last.number, f"{verdict_in_words(last)}. {refusal}" if refusal else verdict_in_words(last))
        found.setdefault(key, []).append(playthrough)
    for (number, text), same in sorted(found.items(), key=lambda pair: pair[0]):
        told_there = (id(same[0]), number) in parted
        why = () if told_there or not number else _why(same, number, names)
        yield Ending(tuple(names[id(playthrough)] for playthrough in same), number, text, why)


def _why(playthroughs: Iterable[Playthrough], number: int, names: Mapping[int, str]) -> tuple[WhyAnswer, ...]:
    """The reasons of a verdict; those with the same sentences are grouped."""
    return _answers(
        alike((playthrough, reasons_of_verdict(playthrough, number)) for playthrough in playthroughs), names
    )


def _answers(found: Iterable[Why], names: Mapping[int, str]) -> tuple[WhyAnswer, ...]:
    named = ([(names[id(playthrough)], why) for playthrough, why in same] for same in found)
    return tuple(WhyAnswer(tuple(name for name, _ in same), together(same)) for same in named)


def _grouped(pairs: Iterable[tuple[str, K]]) -> tuple[tuple[tuple[str, ...], K], ...]:
    """The names of each text, in order."""
    found: dict[K, list[str]] = {}
    for name, text in pairs:
        found.setdefault(text, []).append(name)
    return tuple((tuple(names), text) for text, names in found.items())


# ---- unknown cards -----------------------------------------------------------------------------


def _put_in(tried: Sequence[Tried]) -> tuple[tuple[str, str], ...]:
    """The cards substituted for those written as unknown."""
    if not tried:
        return ()
    one = tried[0]
    hands = one.playthrough.transposed.log.hands
    found = []
    for blank in blanks_of(one.transposed, one.rules):
        hand = hands[blank.hand]
        is_move = blank.kind == MOVE
        card = hand.moves[blank.at].words.strip("()") if is_move else hand.deal[blank.key][blank.at]
        if card != UNKNOWN:
            found.append((blank.label, card))
    return tuple(found)


def _tried(one: Tried) -> Iterator[str]:
    """That there are more cards than were tried."""
    if not one.weighed.exhaustive:
        form = "of the cards that nobody knows {count} combinations were tried, not all that there are"
        if one.weighed.looked == 1:
            form = "of the cards that nobody knows one combination was tried, not all that there are"
        yield say(form, count=one.weighed.looked)


def _unknown(tried: Sequence[Tried], statements: Sequence[Claim], home: Graph) -> Iterable[Unknown]:
    """The cards that decide the outcome, or the verdict on the claim; with some cards for each."""
    found: dict[tuple[str, tuple[tuple[tuple[str, ...], str], ...]], list[str]] = {}
    for one in tried:
        for dependence in one.weighed.dependences:
            blank, same = dependence.blank, dict[tuple[int, str], list[str]]()
            usual = set(_held(blank, one.playthrough))
            others = (_held(blank, playthrough) for case in dependence.cases for _, playthrough in case)
            several = any(len(usual.difference(held)) > 1 for held in others)  # so that no card decides alone
            for at, case in enumerate(dependence.cases):
                for card, playthrough in case:
                    if statements:
                        text = _claimed(playthrough, statements, home)
                    else:
                        text = _outcome_in_words(one.playthrough, playthrough)
                    held = " ".join(_held(blank, playthrough))
                    same.setdefault((at, text), []).append(held if several else card)
            cases = tuple((_some(cards), text) for (_, text), cards in same.items())
            called = say("the cards dealt to {player}", player=blank.key) if several else blank.label
            found.setdefault((called, cases), []).append(one.agreement.name)
    return [Unknown(tuple(names), label, cases) for (label, cases), names in found.items()]


def _held(blank: Blank, playthrough: Playthrough) -> tuple[str, ...]:
    """The cards dealt where a blank is."""
    return playthrough.transposed.log.hands[blank.hand].deal.get(blank.key, ()) if blank.kind != MOVE else ()


def _some(cards: Sequence[str]) -> tuple[str, ...]:
    """Some of the cards, and the number of the others."""
    more = say("and {count} more", count=len(cards) - EXAMPLES)
    return tuple(cards) if len(cards) <= EXAMPLES + 1 else (*cards[:EXAMPLES], more)


def _claimed(playthrough: Playthrough, statements: Sequence[Claim], home: Graph) -> str:
    right = ruling(statements, playthrough, home).right
    verdict = say("not decided") if right is None else say("right") if right else say("wrong")
    return f"{verdict}, {_last_told(playthrough)}"


def _outcome_in_words(usual: Playthrough, other: Playthrough) -> str:
    """The first move that differs from the main playthrough with the substituted cards; for the main one, its last."""
    for one, two in zip(other.moments, usual.moments, strict=False):
        if (one.verdict, one.told) != (two.verdict, two.told):
            told = told_in_words(other, one.told) or verdict_in_words(one)
            return f"{say('move {number}', number=one.number)}: {told}"
    return _last_told(other)


def _last_told(playthrough: Playthrough) -> str:
    for moment in reversed(playthrough.moments):
        if moment.told or moment.verdict != PERMITTED:
            told = told_in_words(playthrough, moment.told) or verdict_in_words(moment)
            return f"{say('move {number}', number=moment.number)}: {told}"
    return say("nothing changes")

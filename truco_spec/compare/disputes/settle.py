"""Settles a dispute: plays a log under agreements, compares the playthroughs, and judges a claim.

answer = settle(log, agreements_of("all", log.options), claim="bia's team wins the hand") print(answer.summary)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

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
from truco_spec.compare.disputes.authorities import (
    MOST,
    QUESTION,
    RULE,
    Node,
    Reason,
    reason_of,
    reasons_of_verdict,
    together,
    trace,
)
from truco_spec.compare.disputes.claim import Claim, claim_in_words, read_claim
from truco_spec.compare.disputes.playthrough import (
    FORBIDDEN,
    MATCH,
    PERMITTED,
    WINNER,
    JudgedMove,
    Playthrough,
    team_of,
    told_in_words,
    verdict_in_words,
)
from truco_spec.compare.disputes.unknown import MOVE, Blank, Notice, Tried, blanks_of, home_of, try_all
from truco_spec.compare.disputes.verdict import about_of, check, numbered, ruling
from truco_spec.graph.model import DECIDED, OBSERVED, Graph
from truco_spec.logs.line import UNKNOWN, Log

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
    claim = " ".join(claim.split()) if claim is not None else None
    statements = numbered(read_claim(claim, log.players), log, home) if claim is not None else ()
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
        begins=tuple(_begins(log)),
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
    """Return the answer in one line: the first parting; with a claim, the parting in its subject. The whole log is
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
    """Return where they part earlier in other observations."""
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
    """Return what follows for a group, up to its next parting, or to the end of the log."""
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
    """The results of a move common to a group: with a claim they may differ in other subjects. Whether the match is
    over stays open where they differ in that.
    """
    first, *others = [playthrough.moments[number - 1].told for playthrough in group]
    found = {name: value for name, value in first.items() if all(told.get(name) == value for told in others)}
    return {**found, MATCH: None} if any(MATCH in told for told in (first, *others)) else found


def _standing(group: Sequence[Playthrough], number: int) -> Iterable[str]:
    """Return the final score, and who is next."""
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
    """Return why a move is refused, and what is due first; the rules that forbid it are its reasons."""
    if moment.verdict == FORBIDDEN:
        return ""
    refused = moment.refused
    return f"{moment.message} {refused.refusal.hint}" if refused is not None and refused.due else moment.message


def _endings(
    playthroughs: Sequence[Playthrough], told: Sequence[Branching], names: Mapping[int, str]
) -> Iterable[Ending]:
    """Return the rules that accept the whole log, and where it stops under the others, with the reason if no parting
    shows it.
    """
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
    """Return the reasons of a verdict, grouped by sentences."""
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
    """Return the cards substituted for unknown ones."""
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
    """Return a note that there are more cards than were tried."""
    if not one.weighed.exhaustive:
        form = "of the cards that nobody knows {count} combinations were tried, not all that there are"
        if one.weighed.looked == 1:
            form = "of the cards that nobody knows one combination was tried, not all that there are"
        yield say(form, count=one.weighed.looked)


def _unknown(tried: Sequence[Tried], statements: Sequence[Claim], home: Graph) -> Iterable[Unknown]:
    """Return the cards that decide the outcome, or the verdict on the claim; with some cards for each."""
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


# ---- Why agreements part at a move ------------------------------------------------------------------

Key = tuple[str, str, tuple[str, ...]]


class KnownAnswers(NamedTuple):
    """The content of a provenance: the outcomes of questions, and all answers of each question."""

    outcomes: dict[Key, set[tuple[str, str]]]
    answers: dict[tuple[str, str], set[str]]


Why = list[tuple[Playthrough, tuple[Reason, ...]]]
"""Playthroughs with their reasons, which have the same sentences."""


def alike(reasons: Iterable[tuple[Playthrough, tuple[Reason, ...]]]) -> list[Why]:
    """The playthroughs whose reasons have the same sentences, together."""
    found: dict[frozenset[str], Why] = {}
    for playthrough, why in reasons:
        found.setdefault(frozenset(reason.prose for reason in why), []).append((playthrough, why))
    return list(found.values())


def reasons(parting: Branching) -> list[list[Why]]:
    """The reasons of each group of a parting; members of a group with other reasons are listed separately."""
    traces = {
        id(playthrough): trace(playthrough, parting.number, parting.keys) if _went_on(playthrough, parting) else []
        for group in parting.groups
        for playthrough in group
    }
    known = {key: _known(nodes) for key, nodes in traces.items()}
    found = []
    for group in parting.groups:
        others = [known[id(other[0])] for other in parting.groups if other is not group and traces[id(other[0])]]
        whys = []
        for playthrough in group:
            nodes = _differing(traces[id(playthrough)], others, parting.keys)
            why = tuple(reason_of(playthrough.rules, node) for node in nodes)
            whys.append((playthrough, why or reasons_of_verdict(playthrough, parting.number)))
        found.append(alike(whys))
    return found


def _went_on(playthrough: Playthrough, parting: Branching) -> bool:
    taken = parting.number <= len(playthrough.moments)
    return taken and playthrough.moments[parting.number - 1].verdict in (PERMITTED, FORBIDDEN)


# ---- what differs ------------------------------------------------------------------------------


def _known(nodes: Sequence[Node]) -> KnownAnswers:
    found = KnownAnswers({}, {})
    waiting, seen = list(nodes), set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        found.outcomes.setdefault(node.key, set()).add(node.outcome)
        found.answers.setdefault((node.kind, node.name), set()).add(node.answer)
        waiting += node.asked
    return found


def _differing(nodes: Sequence[Node], others: Sequence[KnownAnswers], keys: Sequence[str]) -> list[Node]:
    """Return the innermost nodes that differ from those of the others, the most informative first.

    For each of the others only the best kind of difference counts: another answer, another value, another rule. If the
    provenance explains the differences in all of ``keys``, nothing else is considered.
    """
    counted: dict[tuple[Key, tuple[str, str]], list[Node]] = {}
    ruled = False
    for other in others:
        done: dict[int, list[Node]] = {}
        turn = _first_turn(nodes, other)
        picked = _behind(nodes, other, keys, done)
        picked = picked or {(n.key, n.outcome): n for node in nodes for n in _innermost(node, other, done)}
        graded = {key: _grade(node, other, turn) for key, node in picked.items()}
        best = min((grade for grade in graded.values() if grade < _NOTHING), default=_NOTHING)
        for key, node in picked.items():
            if graded[key] == best < _NOTHING:
                counted.setdefault(key, []).append(node)
                ruled = ruled or best == 0
    known = list(counted.values())
    if ruled:  # a value derived from other values is less informative than the rule that made the difference
        known = [same for same in known if same[0].kind == RULE or not same[0].asked or _ruled(same[0], others)]
    found = sorted(known, key=lambda same: (not _weighs(same[0]), -len(same)))
    chosen: dict[str, Node] = {}
    for same in found:
        chosen.setdefault(same[0].source.prose, same[0])
    return list(chosen.values())[:MOST]


_NOTHING = 4


def _behind(
    nodes: Sequence[Node], other: KnownAnswers, keys: Sequence[str], done: dict[int, list[Node]]
) -> dict[tuple[Key, tuple[str, str]], Node]:
    """The differences in the provenance of each observation; empty unless each has some."""
    found: dict[tuple[Key, tuple[str, str]], Node] = {}
    told = {node.name: node for node in nodes if _only_tells(node)}
    for key in keys:
        root = told.get(OBSERVED + key)
        behind = [n for n in _innermost(root, other, done) if not _only_tells(n)] if root is not None else []
        if not behind:
            return {}
        found |= {(n.key, n.outcome): n for n in behind}
    return found


def _ruled(node: Node, others: Sequence[KnownAnswers]) -> bool:
    """Whether another answer won than elsewhere."""
    return any(node.answer not in other.answers.get((node.kind, node.name), (node.answer,)) for other in others)


def _grade(node: Node, other: KnownAnswers, turn: int) -> int:
    """0 if another answer won, or another rule fired first; 1 another value; 2, 3 mere consequences."""
    if node.kind == RULE:
        return 0 if node.step == turn else 3
    if _only_tells(node):
        return 2
    return int(node.answer in other.answers.get((node.kind, node.name), ()))


def _first_turn(nodes: Sequence[Node], other: KnownAnswers) -> int:
    """The first step in which a rule fired that did not fire there."""
    steps = [node.step for node in nodes if node.kind == RULE and node.key not in other.outcomes]
    return min(steps, default=-1)


def _innermost(node: Node, other: KnownAnswers, done: dict[int, list[Node]]) -> list[Node]:
    """Return the differences below a node, or the node itself; ``done`` are those found already."""
    if id(node) not in done:
        done[id(node)] = _differences(node, other, done)
    return done[id(node)]


def _differences(node: Node, other: KnownAnswers, done: dict[int, list[Node]]) -> list[Node]:
    """Return the differing children; a question that the other was not asked cannot be compared, and an inapplicable
    rule makes no difference by itself.
    """
    there = other.outcomes.get(node.key)
    answers = other.answers.get((node.kind, node.name))
    same = there is not None and node.outcome in there
    if not node.answer or (node.kind == QUESTION and (answers is None or same)):
        return []
    deeper = {id(n): n for kid in node.asked for n in _innermost(kid, other, done)}
    if node.kind == RULE and there is None:
        return [node, *deeper.values()]
    if deeper:
        return list(deeper.values())
    if there is None and node.kind == QUESTION:
        return [node] if node.answer not in (answers or ()) else []
    return [node] if there is None or node.outcome not in there else []


def _only_tells(node: Node) -> bool:
    """Whether it only reports an observation."""
    return node.kind == QUESTION and node.name.startswith(OBSERVED)


def _weighs(node: Node) -> bool:
    """Whether it is more than a transition."""
    return bool(node.options) or any(cite.source == DECIDED for cite in node.source.cites)


# --------------------------------------------------------------------------------------------------
# Where the playthroughs of one log part: the moves at which the rules disagree, and who is on which side.

Told = tuple[str, tuple[tuple[str, object], ...]]
"""The result of a move: the verdict, and the changed observations."""


@dataclass(frozen=True, slots=True)
class Branching:
    """A move (from 1) at which playthroughs part that agreed so far; ``groups`` still agree.

    ``keys`` are the observations in which they differ.
    """

    number: int
    groups: tuple[tuple[Playthrough, ...], ...]
    keys: tuple[str, ...]


def partings(playthroughs: Sequence[Playthrough], about: frozenset[str] | None = None) -> Iterator[Branching]:
    """Every parting of these playthroughs, in order; groups in the order of the playthroughs.

    ``about`` are the observations that count beside the verdicts (all, if not given).
    """
    shared = keys_shared(playthroughs) if about is None else keys_shared(playthroughs) & about
    waiting = [(1, tuple(playthroughs))]
    while waiting:
        waiting.sort(key=lambda pair: pair[0])
        number, group = waiting.pop(0)
        if len(group) < 2 or all(number > len(playthrough.moments) for playthrough in group):
            continue
        found: dict[object, list[Playthrough]] = {}
        for playthrough in group:
            found.setdefault(_key(told_at(playthrough, number, shared)), []).append(playthrough)
        groups = tuple(tuple(same) for same in found.values())
        waiting += [(number + 1, same) for same in groups]
        if len(groups) > 1:
            yield Branching(number, groups, _differing_values([told_at(same[0], number, shared) for same in groups]))


def keys_shared(playthroughs: Sequence[Playthrough]) -> frozenset[str]:
    """The observations common to all these games, ignoring playthroughs that could not begin."""
    seen = [set(playthrough.start) for playthrough in playthroughs if playthrough.start]
    return frozenset(set.intersection(*seen)) if seen else frozenset()


def told_at(playthrough: Playthrough, number: int, shared: frozenset[str]) -> Told | None:
    """The result of a move in the common observations; None if the playthrough has ended."""
    if number > len(playthrough.moments):
        return None
    moment = playthrough.moments[number - 1]
    return moment.verdict, tuple((name, value) for name, value in moment.told.items() if name in shared)


def _differing_values(told: Sequence[Told | None]) -> tuple[str, ...]:
    """The observations that are not the same in all of these."""
    values = [dict(one[1]) if one is not None else {} for one in told]
    names = dict.fromkeys(name for one in values for name in one)
    differ = tuple(name for name in names if len({repr(one.get(name)) for one in values}) > 1)
    return tuple(name for name in differ if name != MATCH or WINNER not in differ)


def _key(told: Told | None) -> object:
    return None if told is None else (told[0], tuple(sorted((name, repr(value)) for name, value in told[1])))

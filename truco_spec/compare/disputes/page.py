"""An answer as one HTML file, rendered from a template: text around the tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from truco_spec.base.words import label, move_text
from truco_spec.compare.disputes.answer import (
    DisputeAnswer,
    GroupAnswer,
    PartingAnswer,
    about_of,
    claim_of,
    endings_of,
    group_of,
    notes_of,
    unknown_of,
)
from truco_spec.compare.disputes.playthrough import (
    FORBIDDEN,
    MATCH,
    Playthrough,
    before_move,
    told_in_words,
    verdict_in_words,
)
from truco_spec.engine.observe import settled
from truco_spec.logs.line import UMPIRE, LogError
from truco_spec.pages.board import STYLES, board_of, drawings, facts_of, titles_of, words_of
from truco_spec.pages.cards import pack_of
from truco_spec.pages.html import markup, page
from truco_spec.pages.moments import Moment, board, moments_of, seats_around, stopped


def html_of(answer: DisputeAnswer) -> str:
    """Render one HTML file without network access: where rules part, their tables are side by side.

    Its script only selects two of them and steps through their moves; without it the first two are shown.
    """
    pairs = pairs_of(answer)
    values = {
        "answer": answer,
        "pairs": pairs,
        "drawings": drawings_of(pairs),
        "labels": board().facts,
        "board": lambda pair, side, step: board_of(
            step.table,
            pair.players,
            side.facts,
            pair.parting.about if step.number == pair.parting.number else (),
            said=side.said,
        ),
        "about_of": lambda parting: ", ".join(map(label, parting.about)),
        "claim": answer.claim.text if answer.claim else "",
        "around": seats_around(len(pairs[0].players)) if pairs else (),
        "about": about_of(answer),
        "claimed": markup([claim_of(answer.claim.rows)]) if answer.claim else "",
        "notes": markup(notes_of(answer)),
        "group_of": lambda group: markup(group_of(group)),
        "unknown": markup(block for unknown in answer.unknown for block in unknown_of(unknown)),
        "endings": markup(endings_of(answer)),
    }
    return page(__package__ or "", "answer", values, styles=(*STYLES, "answer"))


# ---- The tables shown side by side: for each group those around the parting -----------------------

BEFORE, AFTER = 4, 6
"""Moves before and after a parting whose table is drawn."""
MOST = 250
"""Maximum tables on one page; beyond it, fewer moves before and after are drawn, at least one."""


@dataclass(frozen=True, slots=True)
class PageStep:
    """The table after a move (``number`` 0: before the first), the move as made there, and its verdict."""

    number: int
    said: str
    verdict: str
    told: str
    message: str
    table: Moment


@dataclass(frozen=True, slots=True)
class PageSide:
    """A group of a parting and its tables; the one at index ``shown`` (-1: none) is at the parting itself.

    ``of`` is the prefix of the names of its card drawings, ``titles`` are the names of the cards, ``facts`` the
    observations that always stand at its table, ``said`` tells a move.
    """

    group: GroupAnswer
    steps: tuple[PageStep, ...]
    shown: int
    of: str
    titles: Mapping[str, str]
    facts: tuple[str, ...]
    said: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PagePair:
    """A parting with its groups, two of them side by side. ``players`` sit around the tables.

    If the rules do not part there is one side, ``alone``, and the move is the one that decides a claim, or the last.
    """

    parting: PartingAnswer
    sides: tuple[PageSide, ...]
    players: tuple[str, ...]
    alone: bool = False


def pairs_of(answer: DisputeAnswer) -> tuple[PagePair, ...]:
    """All partings of an answer with the tables of their groups; a group is drawn by its first agreement."""
    partings = answer.partings or tuple(_whole(answer))
    before, after = _reach(sum(len(parting.groups) for parting in partings))
    wanted: dict[str, set[int]] = defaultdict(set)
    for parting in partings:
        for group in parting.groups:
            wanted[group.names[0]].update(_window(answer.playthroughs[group.names[0]], parting.number, before, after))
    drawn = {name: {step.number: step for step in steps_of(answer.playthroughs[name], wanted[name])} for name in wanted}
    found = []
    for parting in partings:
        sides = []
        for group in parting.groups:
            playthrough, steps = answer.playthroughs[group.names[0]], drawn[group.names[0]]
            window = [steps[n] for n in _window(playthrough, parting.number, before, after) if n in steps]
            sides.append(_side(group, playthrough, tuple(window), parting.number))
        players = answer.playthroughs[parting.groups[0].names[0]].transposed.log.players
        found.append(PagePair(parting, tuple(sides), players, alone=not answer.partings))
    return tuple(found)


def drawings_of(pairs: Collection[PagePair]) -> Markup:
    """The drawings of all cards on the tables of a page."""
    used: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        for side in pair.sides:
            places = (place for step in side.steps for place in step.table.places)
            used[side.of].update(
                c.name for place in places for c in place.cards if c.open or (c.told and place.seat >= 0)
            )
    return Markup("\n").join(drawings(sorted(names), pack_of(names), of) for of, names in used.items())


def steps_of(playthrough: Playthrough, numbers: Collection[int]) -> Iterator[PageStep]:
    """Return the tables of a playthrough after these moves, as far as it goes; a forbidden move as an umpire permits
    it.

    The score is that of a game that ended, though the next has begun.
    """
    for number, table in _tables(playthrough, numbers).items():
        if not number:
            yield PageStep(0, "", "", "", "", table)
        elif number in numbers and number <= len(playthrough.moments):
            here = playthrough.moments[number - 1]
            told = told_in_words(playthrough, here.told)
            if told:
                table = replace(table, seen=settled({name: here.seen[name] for name in here.seen if name != MATCH}))
            yield PageStep(number, move_text(here.said or here.move), verdict_in_words(here), told, here.message, table)


def _whole(answer: DisputeAnswer) -> Iterator[PartingAnswer]:
    """Without a parting: the move that decides the claim, or the last, for all agreements."""
    playthrough = next(iter(answer.playthroughs.values()), None)
    if playthrough is not None and playthrough.moments:
        decisive = answer.claim.rows[0].move if answer.claim and answer.claim.rows else 0
        number = decisive or len(playthrough.moments)
        group = GroupAnswer(answer.put, "", "", "", "", (), ())
        move = answer.moves[number - 1] if number <= len(answer.moves) else ""
        yield PartingAnswer(number, move, (), (group,))


def _reach(groups: int) -> tuple[int, int]:
    """The number of moves drawn before and after a parting, given the number of groups."""
    for less in range(max(BEFORE, AFTER)):
        before, after = max(1, BEFORE - less), max(1, AFTER - less)
        if groups * (before + 1 + after) <= MOST:
            return before, after
    return 1, 1


def _window(playthrough: Playthrough, number: int, before: int, after: int) -> range:
    """The moves around a parting, or around the end of a playthrough that ended before."""
    number = min(number, len(playthrough.moments))
    return range(max(0, number - before), number + after + 1)


def _side(group: GroupAnswer, playthrough: Playthrough, steps: tuple[PageStep, ...], number: int) -> PageSide:
    graph = playthrough.rules.graph
    pack = pack_of(card.name for card in graph.cards)
    shown = max((at for at, step in enumerate(steps) if step.number <= number), default=-1)
    of = f"{pack.name}-" if pack else "plain-"
    return PageSide(group, steps, shown, of, titles_of(graph), facts_of(graph), words_of(graph))


def _tables(playthrough: Playthrough, numbers: Collection[int]) -> dict[int, Moment]:
    """The moments of these moves, and at 0 the first deal."""
    found: dict[int, Moment] = {}
    last = len(playthrough.moments)
    replay = playthrough.transposed.replay(playthrough.rules)
    try:
        for moment in moments_of(replay, why=False, numbers={*numbers, 1} if 0 in numbers else numbers):
            if moment.number or moment.hand == 1:
                found[moment.number] = moment
    except LogError:  # a word without meaning there, or no way to continue
        found |= _where_it_stops(playthrough, replay.number + 1)
    if not playthrough.complete and playthrough.moments[-1].verdict == FORBIDDEN and last in numbers:
        umpire = before_move(playthrough.transposed, playthrough.rules, last, UMPIRE)
        if umpire is not None:
            found |= {m.number: m for m in moments_of(umpire, why=False, numbers=(last,)) if m.number}
    return found


def _where_it_stops(playthrough: Playthrough, number: int) -> dict[int, Moment]:
    replay = before_move(playthrough.transposed, playthrough.rules, number)
    try:
        return {} if replay is None else {number: stopped(replay)}
    except LogError:
        return {}

"""The board: one table for all pages that show a hand, and the page of a log on it.

What is drawn at a moment is plain data (:class:`Board`): ``board.html`` draws it on the server, ``board.js`` draws the
same in a page that has it as JSON, and leads through the moments; ``board.css`` gives everything a fixed place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from markupsafe import Markup

from truco_spec.base.words import label, spoken
from truco_spec.graph.model import OBSERVED, Graph
from truco_spec.logs.line import MODES, STRICT, UMPIRE, Log, LogError, write_line
from truco_spec.pages.cards import HEIGHT, WIDTH, Pack, pack_of, symbols, title, written
from truco_spec.pages.html import page
from truco_spec.pages.moments import (
    Moment,
    PlayedCard,
    ShownCard,
    Track,
    board,
    seats_around,
    track_of,
)

STYLES = ("pages/board", "pages/controls")
"""The styles of a page with a board."""
HAND = (*STYLES, "pages/hand")
"""The styles of a page with a log on it (:func:`hand_of`)."""
SCRIPT = "pages/board"
"""Its script."""
UNKNOWN_FACE = "unknown"
_MARK = Markup(
    '<path d="M14 68l3.5 7.5 8 1-6 5.5 1.7 8-7.2-4-7.2 4 1.7-8-6-5.5 8-1z" fill="#f4c430" stroke="#4a3800"'
    ' stroke-width="1.5" stroke-linejoin="round"/>'
)

Face = tuple[str, str, int]
"""A card: its face, for each seat whether it sees it (``1`` or ``0``), whether it ranks above all others."""
Played = tuple[Face, int, int]
"""A card of a trick: its seat, whether it is the best so far."""


class Board(TypedDict):
    """A drawn table: the cards that each seat ``holds``, and ``lays`` in front of it but not in a trick; in the middle
    the other cards there (``turned``) and the trick in the order of play.

    ``seat`` acts (-1: nobody), and ``says`` something, or plays a card: ``fresh``. ``facts`` are a name, its value, and
    whether it stands out.
    """

    seat: int
    says: str
    fresh: int
    awaited: Sequence[int]
    holds: Sequence[Sequence[Face]]
    lays: Sequence[Sequence[Face]]
    turned: Sequence[tuple[str, Sequence[Face]]]
    trick: Sequence[Played]
    before: Sequence[Sequence[Played]]
    facts: Sequence[tuple[str, str, int]]


def facts_of(graph: Graph) -> tuple[str, ...]:
    """Return the observations always shown at the table of a game."""
    return tuple(name for name in board().facts if OBSERVED + name in graph.defines)


def board_of(
    moment: Moment,
    players: Sequence[str],
    facts: Sequence[str],
    about: Collection[str] = (),
    said: Callable[[str], str] = str,
) -> Board:
    """Return the board at a moment. ``facts`` are always shown; ``about`` are emphasised, and follow. ``said`` words a
    move.
    """
    seats = range(len(players))
    tricks = {each.card.name for trick in (*moment.before, moment.trick) for each in trick}
    lying = [place for place in moment.places if place.seat >= 0]
    nobodys = [place for place in moment.places if place.seat < 0]
    turned = [(label(place.label), [card for card in place.cards if card.open]) for place in nobodys]
    spoke = moment.spoken and bool(moment.done)
    return {
        "seat": moment.seat,
        "says": said(moment.done) if spoke else "",
        "fresh": int(bool(moment.trick) and bool(moment.done) and not spoke and moment.trick[-1].seat == moment.seat),
        "awaited": moment.awaited,
        "holds": [[_face(card) for p in lying if p.held and p.seat == s for card in p.cards] for s in seats],
        "lays": [
            [_face(card) for p in lying if not p.held and p.seat == s for card in p.cards if card.name not in tricks]
            for s in seats
        ],
        "turned": [(label, [_face(card) for card in cards]) for label, cards in turned if cards],
        "trick": _played(moment.trick),
        "before": [_played(trick) for trick in moment.before],
        "facts": [
            (name, _told(moment.seen.get(name)), int(name in about)) for name in (*facts, *sorted({*about} - {*facts}))
        ],
    }


def _face(card: ShownCard) -> Face:
    seen = "".join("1" if sees else "0" for sees in card.seen)
    return card.name if card.told else UNKNOWN_FACE, seen, int(card.above and card.told)


def _played(trick: Iterable[PlayedCard]) -> list[Played]:
    return [(_face(each.card), each.seat, int(each.best)) for each in trick]


def _told(value: object) -> str:
    if isinstance(value, Mapping):
        return " · ".join(f"{who} {what}" for who, what in value.items())
    return "–" if value is None else label(str(value))


def faces_of(boards: Iterable[Board]) -> set[str]:
    """The faces of the cards on some boards."""
    found: set[str] = set()
    for each in boards:
        found.update(face for cards in (*each["holds"], *each["lays"]) for face, _, _ in cards)
        found.update(face for _, cards in each["turned"] for face, _, _ in cards)
        found.update(face for trick in (*each["before"], each["trick"]) for (face, _, _), _, _ in trick)
    return found - {UNKNOWN_FACE}


def drawings(names: Iterable[str], pack: Pack | None, of: str = "") -> Markup:
    """Return the drawings of cards (:func:`~truco_spec.pages.cards.symbols`), and the ``mark`` of those above all
    others.
    """
    mark = Markup('<symbol id="{}mark" viewBox="0 0 {} {}">{}</symbol>').format(of, WIDTH, HEIGHT, _MARK)
    return Markup("\n").join((mark, symbols(names, pack, of)))


def titles_of(graph: Graph) -> dict[str, str]:
    """The full names of all cards."""
    names = [card.name for card in graph.cards]
    pack = pack_of(names)
    return {name: title(name, pack, spoken().language) for name in names}


def words_of(graph: Graph) -> Callable[[str], str]:
    """Return a function that words a move for people: with the spoken names of cards, and acts translated."""
    now, pack, names = spoken(), pack_of(card.name for card in graph.cards), {card.name for card in graph.cards}

    def told(done: str) -> str:
        words = (_card_in(word, names, pack, now.language) for word in now.rules.moves(done).split())
        return " ".join(words)

    return told


def _card_in(word: str, names: Collection[str], pack: Pack | None, language: str) -> str:
    bare = word.strip("()")
    if bare not in names:
        return word
    short = written(bare, pack)
    return word.replace(bare, short if short != bare else title(bare, pack, language))


# ---- A log as a page -----------------------------------------------------------------------------

REFEREES = {STRICT: "Before a strict referee", UMPIRE: "Before an umpire"}
"""The names of the modes of a log."""


def page_of(log: Log, graph: Graph, frame: object = None) -> str:
    """Render the page, in the language that is spoken. Raises :class:`~truco_spec.logs.line.LogError` if the log
    cannot be played at all.

    If strict and umpire mode diverge, the page holds both, the log's own first. ``frame`` is the navigation of the site
    that it is part of.
    """
    now = spoken()
    return page(
        __package__ or "",
        "replay",
        {
            "log": log,
            "title": now.rules(graph.title),
            "teams": [log.players[team :: graph.teams] for team in range(graph.teams)],
            "hand": hand_of(log, graph),
            "line": write_line(log),
            "frame": frame,
        },
        styles=(*HAND, "replay"),
        script=SCRIPT,
    )


def hand_of(log: Log, graph: Graph) -> dict[str, object]:
    """Return the data that ``hand.html`` draws for a log, in the current language: its moments, each with its reasons.

    Raises :class:`~truco_spec.logs.line.LogError` as :func:`page_of` does.
    """
    tracks, names = _tracks(log, graph), [card.name for card in graph.cards]
    facts, said = facts_of(graph), words_of(graph)
    boards = {t.mode: [board_of(m, log.players, facts, said=said) for m in t.moments] for t in tracks}
    drawn = [each for track in boards.values() for each in track]
    used = faces_of(drawn)
    return {
        "referees": REFEREES,
        "players": log.players,
        "tracks": tracks,
        "boards": boards,
        "turned": any(each["turned"] for each in drawn),
        "labels": board().facts,
        "telling": said,
        "symbols": drawings([name for name in names if name in used], pack_of(names)),
        "titles": titles_of(graph),
        "around": seats_around(len(log.players)),
    }


def _tracks(log: Log, graph: Graph) -> list[Track]:
    """The log under its own mode, and under the other if the result differs."""
    own = track_of(log, graph)
    if all(moment.status in ("", "permitted") for moment in own.moments):
        return [own]
    other = next(mode for mode in MODES if mode != log.mode)
    try:
        return [own, track_of(replace(log, mode=other), graph)]
    except LogError:  # cards in a strict log may be inconsistent once more moves are let through
        return [own]

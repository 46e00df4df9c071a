"""A log as a page: the table seen from above, move by move, with the reason of each. One file, no network."""

from __future__ import annotations

from dataclasses import replace

from truco_spec.graph.model import Graph
from truco_spec.logs.line import write_line
from truco_spec.logs.model import MODES, STRICT, UMPIRE, Log, LogError
from truco_spec.pages.cards import pack_of, symbols, title
from truco_spec.pages.html import page
from truco_spec.pages.moments import Track, seats_around, track_of

_REFEREES = {STRICT: "a strict referee", UMPIRE: "an umpire"}
_STYLES = ("pages/table", "pages/controls", "replay")


def page_of(log: Log, graph: Graph, frame: object = None) -> str:
    """Render the page. Raises :class:`~truco_spec.logs.model.LogError` if the log cannot be played at all.

    If strict and umpire mode diverge, the page holds both, the log's own first. ``frame`` is the navigation of the site
    that it is part of.
    """
    tracks = _tracks(log, graph)
    names = [card.name for card in graph.cards]
    pack = pack_of(names)
    used = {
        card.name for track in tracks for moment in track.moments for place in moment.places for card in place.cards
    }
    return page(
        __package__ or "",
        "replay",
        {
            "referees": _REFEREES,
            "log": log,
            "title": graph.title,
            "players": log.players,
            "teams": [log.players[team :: graph.teams] for team in range(graph.teams)],
            "tracks": tracks,
            "symbols": symbols([name for name in names if name in used], pack),
            "titles": {name: title(name, pack) for name in names},
            "line": write_line(log),
            "frame": frame,
            "around": seats_around(len(log.players)),
        },
        styles=_STYLES,
    )


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

"""A score sheet to write on, and a card for the table: what beats what, and what the words are worth."""

from __future__ import annotations

from dataclasses import dataclass

from truco_spec.books.rulebook.book_words import Words
from truco_spec.books.rulebook.render import SIZES
from truco_spec.books.rulebook.worked_tables import table_of
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import plan
from truco_spec.pages.cards import pack_of, symbols, title
from truco_spec.pages.html import page

STROKES = 5
"""The strokes of a figure: four sides and a diagonal, as they are drawn or laid at the table."""


@dataclass(frozen=True, slots=True)
class TallySquare:
    """One square of strokes: how many it has, the points at its end, and whether a half of the game ends there."""

    strokes: int
    points: int
    half: bool


def figures(points: int, *, halves: bool) -> tuple[TallySquare, ...]:
    """The squares that hold so many points; a half ends with a square of its own."""
    found: list[TallySquare] = []
    parts = (points // 2, points - points // 2) if halves else (points,)
    told = 0
    for at, part in enumerate(parts):
        for left in range(part, 0, -STROKES):
            strokes = min(STROKES, left)
            told += strokes
            found.append(TallySquare(strokes, told, half=left <= STROKES and at < len(parts) - 1))
    return tuple(found)


def scoresheet_of(graph: Graph, words: Words, size: str = SIZES[0]) -> str:
    """The sheet of a game as one HTML file. It has no figures where the points played for are not a number."""
    wanted = plan().scoresheet
    options = graph.options
    upto = options[wanted.upto].value if wanted.upto in options else ""
    halves = any(name in options and options[name].value == value for name, value in wanted.halves.items())
    names = [card.name for card in graph.cards]
    pack = pack_of(names)
    tables = [table for each in plan().tables if (table := table_of(graph, each, words))]
    values = {
        "name": words(graph.title),
        "language": words.language,
        "_": words,
        "teams": graph.teams,
        "upto": upto,
        "figures": figures(int(upto), halves=halves) if upto.isdigit() else (),
        "tables": tables,
        "symbols": symbols(names, pack),
        "card_title": lambda name: title(name, pack, words.language),
    }
    return page(__package__ or "", "scoresheet", values, styles=("book", "scoresheet", f"paper-{size}"))

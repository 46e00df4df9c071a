"""The variants, question by question, as a document; and as a page of its own design, which a site has too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from truco_spec.base.document import Block, Cell, Code, Grid, Heading, Paragraph, items
from truco_spec.compare.questions.table import QuestionRow, QuestionTable
from truco_spec.pages.html import page

MARK, NONE = "*", "–"
FOOT = f"{MARK} a decision of the spec, where the sources are silent; {NONE} there is no such thing in this game."


def document_of(table: QuestionTable) -> Iterator[Block]:
    """One table for each part."""
    yield Heading(1, "The variants, question by question")
    yield items(*((Code(name), ": ", Code(title)) for name, title in zip(table.names, table.titles, strict=True)))
    for part in table.parts:
        yield Heading(2, Code(part.title))
        yield Grid(("question", *map(Code, table.names)), tuple(map(_row, part.rows)))
    yield Paragraph(FOOT)


def _row(row: QuestionRow) -> tuple[Code, tuple[Cell, ...]]:
    return Code(row.ask), tuple(Cell(Code(cell.text or NONE), MARK if cell.decided else "") for cell in row.cells)


class Addressed(Protocol):
    """The addresses of a site that this is a page of."""

    def book(self, variant: str) -> str:
        """The book of a variant."""


def html_of(table: QuestionTable, to: Addressed | None = None, frame: object = None) -> str:
    """The page; with ``to`` one of a site, where the columns lead to the books, and ``frame`` the way through it."""
    values = {"table": table, "mark": MARK, "nothing": NONE, "to": to, "frame": frame}
    return page(__package__ or "", "table", values)

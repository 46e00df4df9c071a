"""The table for a terminal: a matrix where it fits; else each question with its answers, and who gives them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Protocol

from truco_spec.base.texts import visible
from truco_spec.compare.questions.answers import Cell
from truco_spec.compare.questions.table import Row, Table
from truco_spec.conformance.reports.markdown import code
from truco_spec.pages.html import page

NARROWEST, QUESTION = 11, 30
"""Characters of a column, and of the questions before them."""
MARK, NONE = "*", "–"
FOOT = f"{MARK} a decision of the spec, where the sources are silent; {NONE} there is no such thing in this game."


def text_of(table: Table, width: int = 100) -> str:
    """In lines of at most ``width`` characters, but for single words that are longer."""
    columns = len(table.names)
    room = (width - QUESTION) // max(1, columns) - 2
    fits = room >= max(NARROWEST, *(len(name) for name in table.names)) if columns else False
    lines = _matrix(table, room) if fits else _by_answer(table, max(width, 40))
    return visible("\n".join(line.rstrip() for line in (*lines, "", *textwrap.wrap(FOOT, max(width, 40)))) + "\n")


def _matrix(table: Table, room: int) -> Iterator[str]:
    room = min(room, 40)
    yield " " * QUESTION + "".join(f"  {name:{room}}" for name in table.names)
    for part in table.parts:
        yield ""
        yield part.title.upper()
        for row in part.rows:
            texts = [_wrapped(row.ask, QUESTION - 1), *(_wrapped(marked(cell), room) for cell in row.cells)]
            for at in range(max(map(len, texts))):
                pieces = [text[at] if at < len(text) else "" for text in texts]
                yield f"{pieces[0]:{QUESTION}}" + "".join(f"  {piece:{room}}" for piece in pieces[1:])


def _by_answer(table: Table, width: int) -> Iterator[str]:
    for part in table.parts:
        yield ""
        yield part.title.upper()
        for row in part.rows:
            yield ""
            yield from textwrap.wrap(row.ask, width - 2, initial_indent="  ", subsequent_indent="  ")
            for text, names in answers_of(table.names, row):
                yield from textwrap.wrap(
                    f"{text}: {', '.join(names)}", width, initial_indent="    ", subsequent_indent="        ",
                    break_on_hyphens=False,
                )  # fmt: skip


def answers_of(names: Sequence[str], row: Row) -> list[tuple[str, list[str]]]:
    """Answer -> who gives it, the commonest first, and last who gives none."""
    found: dict[str, list[str]] = {}
    for name, cell in zip(names, row.cells, strict=True):
        found.setdefault(cell.text or NONE, []).append(f"{name}{MARK}" if cell.decided else name)
    return sorted(found.items(), key=lambda item: (item[0] == NONE, -len(item[1])))


def marked(cell: Cell) -> str:
    """The answer, with a mark where it is a decision."""
    return f"{cell.text}{MARK if cell.decided else ''}" if cell.text else NONE


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]


# ---- The table in Markdown. Whatever comes from a spec stands in code: there nothing is markup ----


def markdown_of(table: Table) -> str:
    """One table for each part."""
    lines = ["# The variants, question by question", ""]
    lines += [f"- {_cell(name)}: {code(title)}" for name, title in zip(table.names, table.titles, strict=True)]
    for part in table.parts:
        lines += ["", f"## {code(part.title)}", ""]
        lines.append("| question | " + " | ".join(_cell(name) for name in table.names) + " |")
        lines.append("|---|" + "---|" * len(table.names))
        for row in part.rows:
            lines.append(f"| {_cell(row.ask)} | " + " | ".join(_cell(marked(cell)) for cell in row.cells) + " |")
    return "\n".join([*lines, "", FOOT.replace(MARK, f"\\{MARK}", 1)]) + "\n"


def _cell(text: str) -> str:
    return code(text).replace("|", "\\|")


# ---- The table as one HTML page that needs no script and asks the network for nothing ------------


class Addressed(Protocol):
    """The addresses of a site that this is a page of."""

    def book(self, variant: str) -> str:
        """The book of a variant."""


def html_of(table: Table, to: Addressed | None = None, frame: object = None) -> str:
    """The page; with ``to`` one of a site, where the columns lead to the books, and ``frame`` the way through it."""
    values = {"table": table, "mark": MARK, "nothing": NONE, "to": to, "frame": frame}
    return page(__package__ or "", "table", values)

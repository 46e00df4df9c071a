"""The table as one HTML page that needs no script and asks the network for nothing."""

from __future__ import annotations

from typing import Protocol

from truco_spec.pages.environment import page
from truco_spec.questions.table import Table
from truco_spec.questions.text import MARK, NONE


class Addressed(Protocol):
    """The addresses of a site that this is a page of."""

    def book(self, variant: str) -> str:
        """The book of a variant."""


def html_of(table: Table, to: Addressed | None = None, frame: object = None) -> str:
    """The page; with ``to`` one of a site, where the columns lead to the books, and ``frame`` the way through it."""
    values = {"table": table, "mark": MARK, "nothing": NONE, "to": to, "frame": frame}
    return page("truco_spec.questions", "table", values)

"""The table as one HTML page that needs no script and asks the network for nothing."""

from __future__ import annotations

from truco_spec.pages.environment import page
from truco_spec.questions.table import Table
from truco_spec.questions.text import MARK, NONE


def html_of(table: Table) -> str:
    """The page."""
    return page("truco_spec.questions", "table", {"table": table, "mark": MARK, "nothing": NONE})

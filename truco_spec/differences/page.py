"""A comparison as one HTML page that needs no script and asks the network for nothing."""

from __future__ import annotations

from truco_spec.differences.result import Comparison
from truco_spec.differences.words import groups, looked, summary, told_log
from truco_spec.pages.environment import page


def html_of(comparison: Comparison, *, everything: bool = False) -> str:
    """The page."""
    values = {
        "comparison": comparison,
        "summary": summary(comparison),
        "looked": looked(comparison),
        "groups": list(groups(comparison, everything=everything)),
        "logs": {shown.number: told_log(comparison, shown) for shown in comparison.logs},
    }
    return page("truco_spec.differences", "differences", values)

"""Desugaring: one module per construct, each a documented template in the rules language itself."""

from __future__ import annotations

from collections.abc import Callable

from truco_spec.graph.desugar.bid import lower_bid
from truco_spec.graph.desugar.fault import lower_fault
from truco_spec.graph.desugar.ladder import lower_ladder
from truco_spec.graph.desugar.special import lower_special
from truco_spec.graph.desugar.trump import lower_trump
from truco_spec.language import tree as t

LOWERINGS: dict[str, Callable[[t.Statement, dict[str, t.Statement]], tuple[t.Statement, ...]]] = {
    "bid": lower_bid,
    "fault": lower_fault,
    "ladder": lower_ladder,
    "special": lower_special,
    "trump": lower_trump,
}
"""Map each construct to its desugaring: from the statement (and all statements, by name) to core statements."""

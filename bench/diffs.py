"""How long two variants take to compare, how many positions that looks at, and how many differences get a log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import process_time

from truco_spec.base.shipped import variant_names
from truco_spec.compare.diff_report import searched
from truco_spec.compare.reasons import NEVER
from truco_spec.compare.scenario import Side
from truco_spec.compare.statements import WORDING

SLOWEST = "slowest (s)"


def pairs(*, quick: bool) -> Iterator[tuple[str, str]]:
    """Each variant and the next, round and round: near kin and strangers; three of them for a look."""
    names = variant_names()
    found = list(zip(names, (*names[1:], names[0]), strict=True))
    yield from found[:: max(1, len(found) // 3)] if quick else found


def run(*, quick: bool) -> Mapping[str, object]:
    """Pair -> what was measured; and the slowest, in seconds of one core."""
    found: dict[str, object] = {}
    slowest = 0.0
    for a, b in pairs(quick=quick):
        began = process_time()
        comparison = searched(Side(a, {}), Side(b, {}))
        took = process_time() - began
        slowest = max(slowest, took)
        in_play = [explained for explained in comparison.found if explained.difference.change != WORDING]
        found[f"{a}, {b}"] = {
            "seconds": round(took, 1),
            "positions": comparison.positions,
            "differences": len(in_play),
            "with a log": sum(explained.log is not None for explained in in_play),
            "never in play": sum(explained.reason == NEVER for explained in in_play),
            "logs": len(comparison.logs),
        }
    return {**found, SLOWEST: round(slowest, 1)}

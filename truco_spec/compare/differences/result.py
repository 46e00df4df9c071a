"""The comparison of two variants: their differences, each with a log that shows it or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from truco_spec.compare.core.scenario import Scenario, Side, tables
from truco_spec.compare.core.statements import WORDING, Difference, Key, differences
from truco_spec.compare.differences.pair import APART, LED, WORKING, Outcome, Pair, Parting, Witness
from truco_spec.compare.differences.reasons import PLAYERS, UNPLAYED, Reasons
from truco_spec.compare.differences.witness_search import WitnessSearch
from truco_spec.graph.model import Graph

POSITIONS = 160_000
"""The default number of positions examined: less than half a minute on one core."""

SHOWS = {APART: "apart", LED: "led to it", WORKING: "at work"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A log that shows differences, replayed under both. ``number`` counts from 1; ``by`` is the side that can play it
    to its end if the other cannot (0 or 1). ``parting`` is None if the difference is not observable, or if both
    refuse it; ``ends`` is then the result of its last move.
    """

    number: int
    scenario: Scenario
    parting: Parting | None
    by: int
    ends: tuple[Outcome, Outcome] | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """A difference, its log and their relation (apart, led to it, at work); or the reason why there is none."""

    difference: Difference
    log: Shown | None
    shows: str
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """``players`` are the numbers of players for which logs were searched; empty without a search."""

    a: Side
    b: Side
    graphs: tuple[Graph, Graph]
    players: tuple[int, ...]
    seed: str
    positions: int
    found: tuple[Explained, ...]
    logs: tuple[Shown, ...]


def structure(a: Side, b: Side) -> tuple[tuple[Graph, Graph], tuple[Difference, ...]]:
    """The graphs at a common table, if there is one, and their differences."""
    sizes = tables(a, b)
    at = [side.at(sizes[-1]) if sizes else side.graph for side in (a, b)]
    graphs = (at[0] or a.graph, at[1] or b.graph)
    chains = (a.chain, b.chain)
    found = differences(*graphs, chains)
    if any(graph is not side.graph for graph, side in zip(graphs, (a, b), strict=True)):
        usual = [d for d in differences(a.graph, b.graph, chains) if d.key == PLAYERS]
        found = (*usual, *(d for d in found if d.key != PLAYERS))
    return graphs, found


def unsearched(a: Side, b: Side) -> Comparison:
    """The differences alone."""
    graphs, found = structure(a, b)
    explained = tuple(Explained(difference, None, "", "") for difference in found)
    return Comparison(a, b, graphs, (), "", 0, explained, ())


def searched(
    a: Side,
    b: Side,
    positions: int = POSITIONS,
    seed: str = "1",
    progress: Callable[[int, str], None] = lambda done, what: None,
) -> Comparison:
    """The differences, each with the shortest log found. ``progress`` is called with the number of positions examined,
    and the purpose.
    """
    graphs, found = structure(a, b)
    if not any(difference.change != WORDING and difference.key[0] not in UNPLAYED for difference in found):
        return _explained(a, b, graphs, (), seed, 0, Reasons((a, b), found), {})
    reasons = Reasons((a, b), found)
    hunt = WitnessSearch((a, b), graphs, reasons, positions, seed, progress)
    hunt.run()
    return _explained(a, b, graphs, tuple(hunt.sizes), seed, hunt.looked, reasons, hunt.best)


# ---- each difference --------------------------------------------------------------------------------


def _explained(
    a: Side,
    b: Side,
    graphs: tuple[Graph, Graph],
    sizes: tuple[int, ...],
    seed: str,
    looked: int,
    reasons: Reasons,
    best: Mapping[Key, tuple[Pair, Witness]],
) -> Comparison:
    found = reasons.found
    logs: dict[str, Shown] = {}
    explained = []
    for difference in found:
        key = _witnessed(difference, found, best)
        if key is None:
            explained.append(Explained(difference, None, "", reasons.of(difference, looked)))
            continue
        pair, witness = best[key]
        written = repr(witness.scenario)
        if written not in logs:
            parting = pair.parting(witness.scenario, views=True)
            by = witness.side if parting is None or witness.shows == WORKING else int(parting.b.plays > parting.a.plays)
            ends = (pair.outcome(witness.scenario, 0), pair.outcome(witness.scenario, 1)) if parting is None else None
            logs[written] = Shown(len(logs) + 1, witness.scenario, parting, by, ends)
        explained.append(Explained(difference, logs[written], SHOWS[witness.shows], ""))
    return Comparison(a, b, graphs, sizes, seed, looked, tuple(explained), tuple(logs.values()))


def _witnessed(
    difference: Difference, found: tuple[Difference, ...], best: Mapping[Key, tuple[Pair, Witness]]
) -> Key | None:
    """Whose log shows the difference: its own; for an option or a reading the best of those that rest on it."""
    if difference.key in best:
        return difference.key
    kind, name = difference.key
    resting: list[Key] = []
    if kind == "option":
        resting = [other.key for other in found if name in other.by and other.key in best]
    elif kind == "decision":
        cite = f"decided:{name}"
        sides = [(other.key, (other.a, other.b)) for other in found if other.key in best and other.change != WORDING]
        resting = [key for key, both in sides if any(side is not None and cite in side.cites for side in both)]
    return min(resting, key=lambda key: (best[key][1].rank, key), default=None)

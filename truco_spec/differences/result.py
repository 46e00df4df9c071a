"""Two variants compared: their differences, each with the log that shows it or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from truco_spec.differences.compare import WORDING, Difference, differences
from truco_spec.differences.courses import Course
from truco_spec.differences.judge import Pair, Parting
from truco_spec.differences.matters import TOLD_BY_KIND, matters
from truco_spec.differences.search import Search
from truco_spec.differences.shrink import Shrinker
from truco_spec.differences.sides import Side, tables
from truco_spec.differences.statements import Key
from truco_spec.differences.witness import APART, LED, WORKING, Found, Witness, keys_of
from truco_spec.graph.model import Graph
from truco_spec.logs.setup import HOW_MANY

POSITIONS = 200_000
"""Positions that are looked at, if nothing else is asked for: less than half a minute on one core."""

ROUNDS = (30, 60, 80, 95)
"""How much of the positions is behind when each round of the search ends, in hundredths; then logs are made shorter. No
further round is needed once the two have parted by every difference that can matter, and a round found nothing better.
"""
PLAYING, SHORTENING = "playing", "shortening"

PLAYERS: Key = ("option", HOW_MANY)
UNPLAYED = frozenset(["option", "decision", "refuse"])
"""Kinds of statements that are not played themselves: what rests on them is."""

NEVER = "It cannot be shown in play: as the options are set it never comes to it."
SHOWS = {APART: "apart", LED: "led to it", WORKING: "at work"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A log that shows differences, replayed under both. ``number`` counts from 1; ``by`` is the side that can play it
    to its end where the other cannot (0 or 1). ``parting`` is None where nobody could tell that they differ.
    """

    number: int
    course: Course
    parting: Parting | None
    by: int


@dataclass(frozen=True, slots=True)
class Explained:
    """A difference, its log and what that shows (apart, led to it, at work); or else the reason why there is none."""

    difference: Difference
    log: Shown | None
    shows: str
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """``players`` are the numbers of players for which logs were looked for; none where nothing was."""

    a: Side
    b: Side
    graphs: tuple[Graph, Graph]
    players: tuple[int, ...]
    seed: str
    positions: int
    found: tuple[Explained, ...]
    logs: tuple[Shown, ...]


def structure(a: Side, b: Side) -> tuple[tuple[Graph, Graph], tuple[Difference, ...]]:
    """The graphs at a table that both know, where there is one, and how they differ."""
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
    """The differences, and for each a log as short as could be found. ``progress`` hears how many positions were
    looked at, and what for.
    """
    graphs, found = structure(a, b)
    if not any(difference.change != WORDING and difference.key[0] not in UNPLAYED for difference in found):
        return _explained(a, b, graphs, (), seed, 0, found, {})
    sizes = tables(a, b)
    best: dict[Key, tuple[Pair, Witness]] = {}
    looked = 0
    possible = [matters(graph) for graph in graphs]
    played = [d for d in found if d.change != WORDING and d.key[0] not in UNPLAYED]
    wanted = [difference.key for difference in played if _can_matter(difference, possible)]
    for size in sizes or [0]:
        at = (a.at(size), b.at(size)) if size else graphs
        assert at[0] is not None and at[1] is not None  # ``tables`` names only such sizes
        pair = Pair(a, b, (at[0], at[1]))
        before, most = looked, positions // max(1, len(sizes))
        search = Search(pair, found, f"{seed}.{size}")
        shrinker = Shrinker(pair, search.found, keys_of(found))
        _cards(search, found)
        settled: list[Witness | None] = []
        for part in ROUNDS:
            search.run(most * part // 100, lambda done, before=before: progress(before + done, PLAYING))  # type: ignore[misc]
            for key in sorted(search.found.best, key=lambda key: search.found.best[key].course.size):
                progress(before + search.positions, SHORTENING)
                if search.positions < search.begun + most:
                    shrinker.shorten(key)
            known = [search.found.best.get(key) for key in wanted]
            if known == settled and all(witness is not None and witness.shows == APART for witness in known):
                break
            settled = known
        looked += search.positions
        _merge(best, search.found, pair)
    return _explained(a, b, graphs, tuple(sizes), seed, looked, found, best)


def _merge(best: dict[Key, tuple[Pair, Witness]], found: Found, pair: Pair) -> None:
    for key, witness in found.best.items():
        if key not in best or witness.rank < best[key][1].rank:
            best[key] = pair, witness


def _cards(search: Search, found: Iterable[Difference]) -> None:
    """A card that only one pack holds shows by itself that the packs differ."""
    for difference in found:
        if difference.key[0] != "deck":
            continue
        for number in (0, 1):
            players = search.players[number]
            cards = [card for card in search.setups[number].cards if card not in search.both]
            played = [((card,), (f"{player} {card}",), player) for card in cards[:1] for player in players]
            for given, said, player in [*played, *((given, (), player) for given, _, player in played)]:
                course = Course(players, players[-1], deals=({player: given},), moves=(said,))
                parting = search.pair.parting(course)
                if parting is not None and "permitted" in (parting.a.status, parting.b.status):
                    shows = APART if search.players[0] == search.players[1] else WORKING
                    search.found.note(Witness(difference.key, shows, course, 0, number))
                    break


# ---- what is told of each ---------------------------------------------------------------------------


def _explained(
    a: Side,
    b: Side,
    graphs: tuple[Graph, Graph],
    sizes: tuple[int, ...],
    seed: str,
    looked: int,
    found: tuple[Difference, ...],
    best: Mapping[Key, tuple[Pair, Witness]],
) -> Comparison:
    possible = [matters(graph) for graph in graphs]
    logs: dict[str, Shown] = {}
    explained = []
    for difference in found:
        key = _witnessed(difference, found, best)
        if key is None:
            reason = _reason(difference, found, possible, looked)
            explained.append(Explained(difference, None, "", reason))
            continue
        pair, witness = best[key]
        written = repr(witness.course)
        if written not in logs:
            parting = pair.parting(witness.course, views=True)
            by = witness.side if parting is None or witness.shows == WORKING else int(parting.b.plays > parting.a.plays)
            logs[written] = Shown(len(logs) + 1, witness.course, parting, by)
        explained.append(Explained(difference, logs[written], SHOWS[witness.shows], ""))
    return Comparison(a, b, graphs, sizes, seed, looked, tuple(explained), tuple(logs.values()))


def _witnessed(
    difference: Difference, found: tuple[Difference, ...], best: Mapping[Key, tuple[Pair, Witness]]
) -> Key | None:
    """Whose log shows the difference: its own; for an option or a reading the best of what rests on it."""
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


def _reason(difference: Difference, found: tuple[Difference, ...], possible: list[frozenset[Key]], looked: int) -> str:
    """Why there is no log."""
    kind, name = difference.key
    if difference.change == WORDING:
        return "It is the same in play."
    if kind == "refuse":
        return "It only refuses options: there is nothing to play."
    if kind == "decision":
        return "Nothing that differs in play rests on it alone."
    if difference.key == PLAYERS:
        return "It is how many usually play."
    if kind == "option":
        resting = [other for other in found if name in other.by and other.change != WORDING]
        if not resting:
            return "As it is set, nothing that differs asks for it."
        if not any(_can_matter(other, possible) for other in resting):
            return NEVER
    elif not _can_matter(difference, possible):
        return NEVER
    return f"No log was found within {looked:,} positions."


def _can_matter(difference: Difference, possible: list[frozenset[Key]]) -> bool:
    """Can the statement matter in play on a side that has it?"""
    if difference.key[0] not in TOLD_BY_KIND:
        return True
    sides = zip((difference.a, difference.b), possible, strict=True)
    return any(statement is not None and difference.key in known for statement, known in sides)

"""Whole random games of every variant, every point of them accounted for: ``python -m bench games``."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor

from bench.account import GameStatistics, play_whole
from truco_spec.graph.load import load

TABLES = (
    *((variant, players) for variant in ("argentino", "uruguayo", "venezolano", "paraguayo") for players in (2, 4, 6)),
    *(("venezolano-369", players) for players in (2, 4, 6)),
    ("pica-pica", 6),
    ("gaucho", 4),
)
"""What is played in the Spanish family, and by how many."""

BRAZILIAN = (
    *((variant, players) for variant in ("paulista", "nowadays", "gamelog") for players in (2, 4)),
    *((variant, 4) for variant in ("mineiro", "fisch", "paulista-wp", "mineiro-wp")),
)
"""What is played in the Brazilian family, and by how many."""

WEIGHTS = {
    "card": 8,
    "toco": 3,
    "flor": 4,
    "contraflor": 2,
    "contraflor-al-resto": 2,
    "con-flor-quiero": 2,
    "truco": 0.4,
    "envido": 0.7,
    "no-quiero": 0.5,
    "callo": 0.5,
    "pido-flor": 0.05,
    "mazo": 0.02,
}
"""Cards come more often than words, and few give up: so hands are played out, and every rule has its turn."""

_PLAYED_OUT = 5
"""One game in this number is played by these weights; in the others every word is as likely, and hands are short."""

SCORE = "score"
_BATCH = 250


def play(variant: str, players: int, seeds: Iterable[int]) -> GameStatistics:
    """A game for each seed."""
    graph, all_seeds = load(variant, players=str(players)), list(seeds)
    played = play_whole(graph, [seed for seed in all_seeds if seed % _PLAYED_OUT == 0], SCORE, WEIGHTS)
    played.add(play_whole(graph, [seed for seed in all_seeds if seed % _PLAYED_OUT], SCORE, {}))
    return played


def batches(games: int) -> Iterator[tuple[str, int, range]]:
    """The work in pieces: some games of each table."""
    for begin in range(0, games, _BATCH):
        for variant, players in TABLES + BRAZILIAN:
            yield variant, players, range(begin, min(begin + _BATCH, games))


def run(games: int, pool: Executor) -> dict[str, dict[str, object]]:
    """Games of each table, in an executor; a bar on the error stream tells how far it is."""
    found = {table: GameStatistics() for table in TABLES + BRAZILIAN}
    spent = dict.fromkeys(found, 0.0)
    total, done = games * len(found), 0
    waiting = [
        (variant, players, pool.submit(_timed, variant, players, seeds)) for variant, players, seeds in batches(games)
    ]
    for variant, players, future in waiting:
        played, seconds = future.result()
        found[variant, players].add(played)
        spent[variant, players] += seconds
        done += played.matches
        _bar(done, total)
    return {f"{v}, {p} players": _summary(found[v, p], spent[v, p]) for v, p in found}


def _timed(variant: str, players: int, seeds: range) -> tuple[GameStatistics, float]:
    start = time.process_time()
    played = play(variant, players, seeds)
    return played, time.process_time() - start


def _summary(played: GameStatistics, seconds: float) -> dict[str, object]:
    return {
        "games": played.matches,
        "events": played.events,
        "events of the longest": played.longest,
        "changes of a score": sum(played.by_rule.values()),
        "games per second": round(played.matches / seconds, 1),
        "by rule": {" + ".join(rules): count for rules, count in played.by_rule.most_common()},
    }


def _bar(done: int, total: int) -> None:
    if sys.stderr.isatty():
        width = 40
        full = width * done // total
        sys.stderr.write(f"\r\x1b[K[{'#' * full}{'.' * (width - full)}] {done:,} of {total:,} games")
        sys.stderr.write("\n" if done == total else "")
        sys.stderr.flush()

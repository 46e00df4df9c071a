"""Games of variants whose options are set at random: ``python -m bench settings``.

The corpus tries what options do one or two at a time; here many are set together. Each setting either links or is
refused by a rule that says why. Then games are played to their ends, strictly, with every point accounted for, and
before an umpire, with forbidden actions among the permitted ones. What breaks is told with its seed and setting.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from bench.games import SCORE, WEIGHTS
from truco_spec.engine.account import LONGEST, play_whole
from truco_spec.engine.action import Action
from truco_spec.engine.game import Game
from truco_spec.engine.sample import random_action
from truco_spec.errors import TrucoError
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError
from truco_spec.shipped import variant_names

_CHANGED = 0.3
"""So likely an option is set to another value than its first."""

_WRONG = 0.15
"""So likely a player tries before the umpire what the rules may not permit."""

_TRIES = 20
_STRICT = 3


def run(settings: int, workers: int) -> dict[str, object]:
    """So many settings, each played a few times; the seeds are the numbers from 0 up."""
    found: Counter[str] = Counter()
    broken: list[str] = []
    with ProcessPoolExecutor(workers) as pool:
        for done, (counts, faults) in enumerate(pool.map(_tried, range(settings), chunksize=4), start=1):
            found.update(counts)
            broken += faults
            if sys.stderr.isatty():
                sys.stderr.write(f"\r\x1b[K{done:,} of {settings:,} settings" + "\n" * (done == settings))
    return {"settings": settings, **found, **{f"broken: {number}": text for number, text in enumerate(broken, 1)}}


def _tried(seed: int) -> tuple[Counter[str], list[str]]:
    rng = random.Random(seed)
    variant = rng.choice(variant_names())
    setting = {
        option.name: rng.choice(option.values) for option in load(variant).options.values() if rng.random() < _CHANGED
    }
    try:
        graph = load(variant, **{name.replace("-", "_"): value for name, value in setting.items()})
    except SpecError:
        return Counter({"settings that a rule refuses": 1}), []
    found, broken = Counter[str](), list[str]()
    for name, play in (("strict games", _strict), ("games before an umpire", _umpired)):
        try:
            found.update(play(graph, rng))
        except (TrucoError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            told = " ".join(f"{option}={value}" for option, value in setting.items())
            broken.append(f"{name}, seed {seed}, {variant} {told}: {type(error).__name__}: {error}")
    return found, broken


def _strict(graph: Graph, rng: random.Random) -> Counter[str]:
    seeds = [rng.randrange(10**6) for _ in range(_STRICT)]
    played = play_whole(graph, seeds, SCORE, rng.choice(({}, WEIGHTS)))
    return Counter({"strict games": played.matches, "events": played.events})


def _umpired(graph: Graph, rng: random.Random) -> Counter[str]:
    game = Game(graph, mode="umpire")
    forbidden = 0
    while not game.over:
        wrong = _wrong(game, rng) if rng.random() < _WRONG else None
        action = wrong or random_action(game, rng, WEIGHTS)
        if action is None:
            raise TrucoError(f"nothing is permitted after {len(game.history)} events")
        forbidden += wrong is not None
        game.push(action)
        if len(game.history) > LONGEST:
            raise TrucoError(f"no end after {LONGEST} events")
    return Counter({"games before an umpire": 1, "forbidden actions": forbidden, "events": len(game.history)})


def _wrong(game: Game, rng: random.Random) -> Action | None:
    """An action of a player that is possible and forbidden, if a few tries find one."""
    verbs, words = list(game.graph.actions.values()), game.graph.words
    for _ in range(_TRIES):
        verb = rng.choice(verbs)
        known = [
            [*range(of.low, of.high + 1), *(words[word] for word in of.words)] for of in (p.type for p in verb.params)
        ]
        action = Action(rng.randrange(len(game.players)), verb.name, tuple(map(rng.choice, known)))
        if game.rule_on(action).status == "forbidden":
            return action
    return None

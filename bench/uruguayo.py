"""Truco uruguayo, random hands: the reference engine and pytruco 0.1.3 by the same rules, as far as both have them.

Both list all that anyone may do and choose any of it, but for the mazo, which is listed by the one and asked for from
neither. Counted are hands: deals that were played. In pytruco an accepted envido is declared and paid in one act; here
every count is declared by a move of its own, and every act names its rules: that is in the measure.

``pytruco`` has its quickest setting: no messages.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from functools import partial

from truco_spec.engine.game import Game
from truco_spec.engine.sample import random_action
from truco_spec.engine.support import Action
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph

try:
    from pytruco.pdt.chi import chis  # type: ignore[import-untyped]
    from pytruco.pdt.partida import Partida  # type: ignore[import-untyped]
except ImportError:  # an extra of these measurements
    chis = Partida = None

INSTALL = "pytruco is not here: python -m pip install pytruco==0.1.3"

OPTIONS = {
    "target": "30",
    "hiding-flor": "called-first",
    "pieza-values": "traditional",
    "pieza-flor": "with-piezas",
    "flor-raise-after-simple-reply": "not-allowed",
    "pedir-flor": "off",
    "covering": "never",
    "truco-out-of-turn": "own-turn-to-open",
    "accept-by-playing": "off",
    "raise-needs-quiero": "off",
    "mazo-scope": "player-only",
    "mazo-while-asked": "gives-in",
    "envido-callers": "anyone",
    "envido-out-of-turn": "own-turn",
    "envido-repeat-limit": "2",
    "real-envido-repeat-limit": "1",
    "envido-tie": "nearest-mano",
    "declared-values": "enforced-true",
    "falta-basis": "winner-in-malas",
    "falta-accumulates": "adds",
    "senas": "off",
}
"""What pytruco plays, as the adapter of the corpus says it (conformance/adapters/python/pytruco.py)."""

NEVER = {"mazo": 0.0}


def graph(players: int) -> Graph:
    """The variant with these options."""
    return load("uruguayo", players=str(players), **OPTIONS)


def engine_hands(variant: Graph, rng: random.Random, hands: int) -> int:
    """Play a number of hands, and the last match to its end; how many it were."""
    done = 0
    while done < hands:
        game = Game(variant)
        slot, dealer = game.layout.blocks["dealer"].base, None
        v = game.position
        while (action := _any_but_mazo(game, rng)) is not None:
            game.push(action)
            if v[slot] != dealer:
                dealer = v[slot]
                done += 1
    return done


def _any_but_mazo(game: Game, rng: random.Random) -> Action | None:
    action = random_action(game, rng)
    while action is not None and action.verb == "mazo":
        action = random_action(game, rng)
    return action


def pytruco_hands(players: int, seed: int, hands: int) -> int:
    """The same by pytruco."""
    random.seed(seed)
    rng, done = random.Random(seed), 0
    blue, red = ["A", "C", "E"][: players // 2], ["B", "D", "F"][: players // 2]
    while done < hands:
        game, dealt = Partida(30, blue, red, verbose=False, limite_envido=4), None
        while not game.terminada():
            if game.ronda.el_mano != dealt:
                dealt = game.ronda.el_mano
                done += 1
            legal = [act for acts in chis(game, allow_mazo=False) for act in acts]
            legal[int(rng.random() * len(legal))].hacer(game)
    return done


def _rate(play: Callable[[], int]) -> float:
    start = time.process_time()
    hands = play()
    return hands / (time.process_time() - start)


def rates(players: int, rounds: int, hands: int) -> dict[str, object]:
    """Hands per second of both, in turns, so that a busy machine slows both; the median ratio."""
    if Partida is None:
        return {"ratio": INSTALL}
    variant = graph(players)
    engine_hands(variant, random.Random(0), hands)
    pytruco_hands(players, 0, hands // 4)
    ours, theirs = [], []
    for seed in range(rounds):
        theirs.append(_rate(partial(pytruco_hands, players, seed, hands // 4)))
        ours.append(_rate(partial(engine_hands, variant, random.Random(seed), hands)))
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return {
        "pytruco": round(statistics.median(theirs)),
        "engine": round(statistics.median(ours)),
        "ratio": round(statistics.median(ratios), 2),
    }

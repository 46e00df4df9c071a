"""One module with its options open and changes switched plays as each of the rule sets that are linked for them."""

from __future__ import annotations

import contextlib
import random

import pytest

from bench.lockstep import Pairing, changed, relinked
from bench.settings import SettingRefused
from bench.sieve import Moments, OpenGame, recording
from truco_spec.engine.explain import Explainer
from truco_spec.engine.game import Game
from truco_spec.engine.observe import cards_seen
from truco_spec.engine.sample import any_action, random_action
from truco_spec.engine.support import Action, PlayError
from truco_spec.graph.model import OBSERVED, Graph
from truco_spec.language.diagnostics import SpecError

CHANGES = 12
LONG = 40
"""Events of a game."""
DRAWN = 5
"""How often changes are drawn again where those drawn make no difference."""


def _setting(seed: int) -> tuple[random.Random, tuple[Graph, Graph, list[Graph]]]:
    """A variant under random options, with options open and changes, and with each change linked by itself."""
    rng = random.Random(seed)
    while True:
        try:
            plain, graph, mutants = changed(rng, CHANGES)
            return rng, (plain, graph, [plain, *(relinked(plain, mutant) for mutant in mutants)])
        except (SettingRefused, SpecError):  # a rule refuses it; or what is linked by itself is checked for more
            continue


@pytest.mark.sample(0, long=2)
@pytest.mark.parametrize("seed", range(12))
def test_a_switched_change_plays_as_if_it_were_linked(seed: int) -> None:
    rng, (plain, graph, linked) = _setting(seed)
    actions = 0
    for mode in ("strict", "umpire"):
        game = OpenGame(graph, plain, mode=mode)
        for number in range(CHANGES + 1):
            try:
                game.play_as(plain, number)
                pair = Pairing(linked[number], mode, rng, game)
                while not pair.game.over and len(pair.game.history) < LONG:  # by changed rules a hand may never end
                    pair.step()
                    actions += 1
            except (PlayError, RecursionError):  # changed rules can fail
                continue
    assert actions > CHANGES * LONG


@pytest.mark.sample(0, long=3)
@pytest.mark.parametrize("seed", range(21, 25))
def test_a_change_that_makes_a_difference_is_found(seed: int) -> None:
    rng, setting = _setting(seed)
    found = _differences(rng, *setting)
    for further in range(DRAWN):  # the changes that were drawn may make none at these moments
        found = found or _differences(rng, *_setting(100 * seed + further)[1])
    assert found


def _differences(rng: random.Random, plain: Graph, graph: Graph, linked: list[Graph]) -> int:
    """How many differences there are at random moments; the sieve lets none of them through."""
    moments: Moments = {}
    while len(moments) < 150:
        game = recording(moments, set())(plain)
        while len(moments) < 150 and (action := random_action(game, rng)):
            game.push(action)
            game.rule_on(any_action(plain, rng, rng.choice(list(plain.actions))))
    sieve, games = OpenGame(graph, plain), dict[int, Game]()
    for number, each in enumerate(linked):
        with contextlib.suppress(PlayError):  # no game begins by these rules
            games[number] = Game(each)
    found = 0
    for position, actions in moments.items():
        sieve.position = list(position)
        differing = sieve.differing(actions)
        looks = {number: _look(game, position, actions) for number, game in games.items()}
        truly = sum(1 << number for number, look in looks.items() if look != looks[0])
        assert truly & ~differing == 0, (position, bin(truly), bin(differing))
        found += truly.bit_count()
    return found


def _look(game: Game, position: tuple[int, ...], actions: set[Action | None]) -> object:
    """What is permitted, observed and seen here, and where these actions lead."""

    def told(what: object) -> object:
        try:
            return what() if callable(what) else what
        except (PlayError, IndexError, ValueError, RecursionError) as fault:
            return isinstance(fault, PlayError)

    game.position[:] = position
    game._legal = game._permitted = None
    game.history.clear()
    found = []
    if None not in actions:  # nobody looks before the match begins
        found.append(told(game.legal_actions))
        for name, define in game.graph.defines.items():
            if name.startswith(OBSERVED) and not define.params:
                found.append(told(lambda name=name: game.ask(name)))
        found += [told(lambda seat=seat: cards_seen(game, seat)) for seat in range(game.graph.seats)]
    for action in sorted(filter(None, actions)):
        status = told(lambda action=action: game.rule_on(action).status)
        found.append(status)
        if status != "permitted":
            found.append(told(lambda action=action: Explainer(game).lacks_only_the_turn(action)))
        else:
            found.append(told(lambda action=action: game.push(action) and game.position.copy()))
            if game.history:
                game.pop()
    return found

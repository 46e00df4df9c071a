"""Every public question of a game has an answer in every position, also before the first deal."""

from __future__ import annotations

import random

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.engine import Action, Game
from truco_spec.engine.ruling import ArgumentError
from truco_spec.engine.sample import random_action
from truco_spec.engine.support import CHANCE
from truco_spec.graph.load import load

SETTINGS: list[tuple[str, dict[str, str]]] = [
    *((name, {}) for name in variant_names()),
    ("paulista", {"deck": "p28"}),
    ("paulista", {"first_dealer": "lowest-card"}),
    ("mineiro", {"dealing": "cutter-keeps"}),
    ("fisch", {"vira_time": "in-deal"}),
]


def asked(game: Game, rng: random.Random) -> None:
    """Ask everything."""
    game.observe()
    game.legal_actions()
    for seat in range(game.graph.seats):
        game.view(seat)
    for kind in game.graph.actions.values():
        known = [
            [*range(p.type.low, p.type.high + 1), *(game.graph.words[w] for w in p.type.words)] for p in kind.params
        ]
        action = Action(rng.choice((CHANCE, 0, 1)), kind.name, tuple(map(rng.choice, known)))
        assert game.why(action).status == game.rule_on(action).status


@pytest.mark.sample(3, long=10)
@pytest.mark.parametrize("mode", ["strict", "umpire"])
@pytest.mark.parametrize(("name", "options"), SETTINGS, ids=str)
def test_all_can_be_asked_before_the_first_card_and_while_it_is_dealt(
    name: str, options: dict[str, str], mode: str
) -> None:
    game, rng = Game(load(name, **options), mode=mode), random.Random(3)
    for move in range(12):
        if move in (0, 1, 2, 11):
            asked(game, rng)
        action = random_action(game, rng)
        assert action is not None
        game.push(action)


@pytest.mark.parametrize(
    ("action", "wrong"),
    [
        (Action(99, "card", (3,)), "there is no seat 99: mineiro is played here from seat 0 to 3"),
        (Action(-7, "card", (3,)), "there is no seat -7"),
        (Action(0, "card", ()), "the action 'card' is given (): its arguments are c"),
        (Action(0, "truco", (1, 2)), "its arguments are w"),
        (Action(0, "card", ("4C",)), "an actor is a whole number"),  # type: ignore[arg-type]
    ],
)
def test_an_action_that_nobody_could_mean_is_told_so(action: Action, wrong: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Game(load("mineiro")).why(action)
    assert wrong in str(caught.value)


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_nobody_but_the_players_has_a_view(seat: int) -> None:
    with pytest.raises(ArgumentError, match=f"there is no seat {seat}"):
        Game(load("mineiro")).view(seat)

"""What a seat may do never hangs on what it cannot know."""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor

import pytest

from truco_spec.checks.sight import Leak, leak
from truco_spec.engine import Game
from truco_spec.engine.sample import random_action
from truco_spec.graph.load import load, load_text
from truco_spec.graph.model import Graph

TEAM_BOUND = """
variant bound extends argentino {
  title "A flor that binds the partners too"
  set hiding-flor called-first @decided:ours
  replace rule flor-before-words except truco, raise-in-answer, envido, dale-accepts, dale-wants, envido-not-come
    @decided:ours
    "A team of which somebody has to call a flor first calls no truco."
    in play, truco.answer, envido.answer by playing
    must not truco or quiero or no-quiero or quiero-and or dale or no-ha-venido
    when some seat s in side(us) : owes-flor(s)
  decision ours resolves @wikipedia:argentino.flor-must-announce "So." because "So it was once."
}
"""


def leaks(graph: Graph, deals: int) -> list[Leak]:
    """What is told of hidden cards in the first actions of some deals, with many exchanges tried."""
    rng = random.Random(1)
    found: list[Leak] = []
    for _ in range(deals):
        game = Game(graph)
        for _ in range(20):
            if game.phase == "play":
                found += [told for _ in range(6) if (told := leak(game, rng)) is not None]
            action = random_action(game, rng)
            assert action is not None
            game.push(action)
    return found


@pytest.mark.long
def test_a_ban_for_the_partners_of_a_flor_tells_them_of_it() -> None:
    told = leaks(load_text(TEAM_BOUND, "", "<text>"), 60)
    assert told
    assert {leaked.what.split()[-3] for leaked in told} == {"truco"}


@pytest.mark.long
def test_a_flor_that_has_to_be_called_first_binds_its_holder_alone() -> None:
    assert leaks(load("argentino", hiding_flor="called-first"), 60) == []


def test_cards_are_exchanged_in_all_that_has_happened_and_all_is_as_before_for_the_seat() -> None:
    game, rng = Game(load("paulista")), random.Random(2)
    while game.phase != "play":
        action = random_action(game, rng)
        assert action is not None
        game.push(action)
    position, history = list(game.position), list(game.history)
    assert [leak(game, rng) for _ in range(20)] == [None] * 20
    assert (game.position, game.history) == (position, history)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_everything_can_be_asked_under_options_at_random(seed: int) -> None:
    from bench.settings import tried

    found, broken = tried(seed)
    assert broken == []
    assert found["hands"] >= 24 or found["settings that a rule refuses"] == 1


@pytest.mark.campaign
def test_everything_can_be_asked_under_many_options_at_random() -> None:
    from bench.settings import run

    with ProcessPoolExecutor(2) as pool:
        found = run(3_000, pool, first=100_000)
    assert [text for what, text in found.items() if what.startswith("broken")] == []

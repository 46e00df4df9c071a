"""Random games of the Spanish family go to their ends, and every point has a rule that gave it, with its clauses."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from bench.account import Unaccounted, accounted, play_whole
from bench.games import SCORE, TABLES, WEIGHTS, play
from truco_spec.engine.game import Action, Game
from truco_spec.engine.sample import random_action
from truco_spec.graph.load import load

GAMES = [12, pytest.param(100, marks=pytest.mark.long)]
"""Of each variant and number of players; ``python -m bench games`` plays ten thousand of each."""

LONGEST = 2_000
"""More events than any game has: a hand gives a point at least, and has no more than a few dozen."""

VARIANTS = sorted({variant for variant, _ in TABLES})


@pytest.mark.sample(1, long=2)
@pytest.mark.parametrize("of_each", GAMES)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.long
def test_every_point_of_every_game_is_accounted_for(variant: str, of_each: int) -> None:
    tables = [players for name, players in TABLES if name == variant]
    graph, target, games = load(variant), 30, 0
    for players in tables:
        played = play(variant, players, range(of_each))
        games += played.matches
        assert played.longest < LONGEST
        assert all(max(score) >= target > min(score) for score in played.ends)
        for rules in played.by_rule:
            assert rules
            assert all(graph.rules[name].source.cites for name in rules)
    assert games == of_each * len(tables)


@pytest.mark.parametrize("variant", ["paulista", "mineiro"])
def test_so_with_the_brazilian_games(variant: str) -> None:
    played = play_whole(load(variant), range(10), SCORE)
    assert all(max(score) >= 12 > min(score) for score in played.ends)


AGREED: tuple[dict[str, str], ...] = (
    {},
    {"players": "8", "games": "one"},
    {"players": "2", "deck": "clean", "dealing": "singles", "cut_duty": "must", "unbeatable_show": "any"},
    {"players": "6", "iron": "partners-seen", "advance_deal": "cutter", "partner_tie": "tie"},
    {"match_call": "on", "raising": "at-once", "raise_window": "own-turn", "court_order": "queen-above-jack"},
)


@pytest.mark.long
@pytest.mark.parametrize("agreed", AGREED, ids=" ".join)
@pytest.mark.parametrize("variant", ["paulista-wp", "mineiro-wp"])
def test_so_with_those_of_the_encyclopedia_however_they_are_agreed(variant: str, agreed: dict[str, str]) -> None:
    played = play_whole(load(variant, **agreed), range(6), SCORE, {"card": 8, "truco": 0.2})
    assert played.matches == 6
    assert played.longest < LONGEST
    if "match_call" not in agreed:
        assert all(max(score) >= 12 > min(score) for score in played.ends)


@pytest.mark.long
@pytest.mark.sample(1)
@pytest.mark.parametrize(("variant", "target"), [("nowadays", 12), ("gamelog", 15)])
@pytest.mark.parametrize("players", ["2", "4"])
def test_so_with_those_that_two_or_four_play(variant: str, target: int, players: str) -> None:
    graph, often = load(variant, players=players), {"card": 8, "cover": 1, "truco": 0.3}
    for weights in (often, {}):
        played = play_whole(graph, range(10), SCORE, weights)
        assert played.longest < LONGEST
        assert all(max(score) >= target > min(score) for score in played.ends)


@pytest.mark.long
def test_a_match_of_fisch_is_won_by_twelve_points_or_lost_by_three_tied_tricks() -> None:
    graph, often = load("fisch"), {"card": 8, "truco": 0.1, "turn-card": 0.3}
    lost = 0
    for seed in range(60):
        game, rng = Game(graph), random.Random(seed)
        while (action := random_action(game, rng, often)) is not None:
            game.push(action)
            assert len(game.history) < LONGEST
        score = game.value("score", 0), game.value("score", 1)
        champion, dealer = game.value("champion"), game.value("dealer")
        assert champion in (0, 1)
        if any("tied-loses-game" in step.rules for step in game.history[-1].steps):
            lost += 1
            assert max(score) < 12
            assert champion != dealer % 2
        else:
            assert score[champion] >= 12 > score[1 - champion]
    assert 0 < lost < 10


def any_action(game: Game, rng: random.Random, weights: Mapping[str, float] | None = None) -> Action:
    """One that there is."""
    action = random_action(game, rng, weights)
    assert action is not None
    return action


def test_random_words_are_chosen_as_they_weigh() -> None:
    graph, rng = load("argentino"), random.Random(3)
    game = Game(graph, start={"dealer": 3})
    while game.phase != "play":
        game.push(any_action(game, rng))
    never = {kind.name: 0.0 for kind in graph.actions.values() if kind.name != "card"}
    assert {any_action(game, rng, never).verb for _ in range(50)} == {"card"}
    words = [any_action(game, rng, {"mazo": 100}).verb for _ in range(200)]
    assert 180 < words.count("mazo") < 200


def test_a_change_that_no_rule_explains_is_told() -> None:
    game = Game(load("argentino", players="2"), start={"dealer": 1})
    rng = random.Random(1)
    while not accounted_for(game):
        game.push(any_action(game, rng, WEIGHTS))
    (step,) = [step for step in game.history[-1].steps if _score(game) in step.back[::2]]
    at = step.back[::2].index(_score(game))
    step.back[2 * at + 1] -= 1
    with pytest.raises(Unaccounted, match=r"score went from"):
        accounted(game, SCORE)


def accounted_for(game: Game) -> bool:
    """Has the last event given the first team a point, in one step?"""
    entries = accounted(game, SCORE) if game.history else []
    return len(entries) == 1 and entries[0].place == (0,)


def _score(game: Game) -> int:
    return game.layout.blocks[SCORE].base


def test_what_lasts_for_a_hand_only_has_no_account() -> None:
    game = Game(load("argentino"))
    game.push(any_action(game, random.Random(1)))
    with pytest.raises(Exception, match=r"no number that lasts"):
        accounted(game, "turn")


def test_a_game_without_an_end_is_told_with_its_moves() -> None:
    with pytest.raises(Unaccounted, match=r"argentino, seed 5: no end after 30 events\nafter chance deals-first"):
        play_whole(load("argentino"), [5], SCORE, WEIGHTS, most=30)

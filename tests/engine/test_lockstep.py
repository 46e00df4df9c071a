"""The compiled engine permits and does what the rules say when they are read one by one, in seeded random play."""

from __future__ import annotations

import random

import pytest
from slow_rules import Candidate, SlowRules
from table import beginning

from truco_spec.base.shipped import folder
from truco_spec.engine.game import CHANCE, Action, Game
from truco_spec.engine.support import PlayError
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError

VARIANTS = sorted(path.stem for path in (folder("spec") / "variants").glob("*.truco"))
ACTIONS = 120
"""Actions of a game that are played in lock-step: some four hands."""
LOOK_AT_CHANCE = 0.1
"""The share of the deals and draws whose long list of permitted actions is compared too."""


def linked(variant: str, seed: int) -> Graph:
    """The variant with its own options, then with one option after another set to a random value."""
    if seed < 2:
        return load(variant)
    rng = random.Random(seed)
    graph = load(variant)
    options = [option for option in graph.options.values() if option.name not in ("players", "target")]
    option = options[seed % len(options)]
    try:
        return load(variant, **{option.name: rng.choice(option.values)})
    except SpecError:
        return graph


def first(few: int, of: int) -> list[object]:
    """Seeds, of which all but the first few are tried apart."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(few, of))]


def from_a_start(graph: Graph, rng: random.Random, mode: str) -> Game:
    """A game that begins at nothing, or near the end, where the special hands are."""
    score = graph.data["score"]
    near = [min(score.type.high // 2, 12) - rng.choice((1, 1, 2, 4)) for _ in range(graph.teams)]
    return beginning(graph, mode, {"score": dict(enumerate(near))} if rng.random() < 0.6 else {})


def anything(slow: SlowRules, rng: random.Random) -> Candidate:
    """A candidate of any action, by anyone."""
    kind = rng.choice(list(slow.graph.actions.values()))
    return rng.randrange(slow.graph.seats), kind.name, tuple(rng.choice(slow.domain(p.type)) for p in kind.params)


def lists(game: Game, slow: SlowRules) -> None:
    """The list of permitted actions is exactly what is found by trying every candidate."""
    legal = game.judge.legal(game.position)
    assert {action: set(permit.names) for action, permit in legal.items()} == slow.legal(game.position)
    assert game.legal_actions() == list(legal)


@pytest.mark.sample(1, long=6)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", first(1, of=3))
def test_strict_play_is_what_the_rules_say(variant: str, seed: int) -> None:
    graph, rng = linked(variant, seed), random.Random(seed)
    slow, game = SlowRules(graph), from_a_start(graph, rng, "strict")
    positions = [list(game.position)]
    for _ in range(ACTIONS):
        legal = game.legal_actions()
        if not legal:
            break
        if legal[0].actor != CHANCE or rng.random() < LOOK_AT_CHANCE:
            lists(game, slow)
        action = rng.choice(legal)
        wanted = slow.play(game.position, action)
        game.push(action)
        assert game.position == wanted, f"after {game.text(action)}"
        positions.append(wanted)
    while game.history:
        assert game.position == positions.pop()
        game.pop()
    assert game.position == positions.pop()


@pytest.mark.sample(1, long=6)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", first(1, of=2))
def test_an_umpire_rules_as_the_rules_say(variant: str, seed: int) -> None:
    graph, rng = load(variant), random.Random(1000 + seed)
    slow, game = SlowRules(graph), from_a_start(graph, rng, "umpire")
    for _ in range(ACTIONS):
        legal = game.legal_actions()
        if not legal:
            break
        for candidate in (anything(slow, rng) for _ in range(10)):
            ruling = game.rule_on(Action(*candidate))
            names = {rule.name for rule in ruling.rules}
            assert (ruling.status, names) == slow.ruling(game.position, candidate), candidate
            if ruling.status == "forbidden" and rng.random() < 0.2:
                wanted = slow.play(game.position, candidate)
                game.push(Action(*candidate))
                assert game.position == wanted, f"after {candidate} in {game.phase}"
                break
        else:
            game.push(rng.choice(legal))


def test_a_refused_action_changes_nothing() -> None:
    graph, rng = load(VARIANTS[0]), random.Random(5)
    slow, game = SlowRules(graph), Game(graph)
    for _ in range(ACTIONS):
        action = Action(*anything(slow, rng))
        before, events = list(game.position), len(game.history)
        if action not in game.legal_actions():
            with pytest.raises(Exception, match=r".") as caught:
                game.push(action)
            assert not isinstance(caught.value, PlayError)
            assert game.position == before
            assert len(game.history) == events
        game.push(rng.choice(game.legal_actions()))

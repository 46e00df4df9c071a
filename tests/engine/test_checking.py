"""What the checks prove of a variant holds in every position that play reaches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.checks import Study, flow, shipped_variant
from truco_spec.checks.checking import check_variant
from truco_spec.checks.invariants import now
from truco_spec.checks.positions import NOW, Key, Partial, PositionFacts, Value, inside
from truco_spec.engine import Action, Game
from truco_spec.engine.layout import DEPTH, UNSET
from truco_spec.graph.model import Graph

MOVES = [200, pytest.param(1_200, marks=pytest.mark.long)]
"""Random moves of a variant: a few, and many."""
VARIANTS = variant_names()
SOON = ("mineiro", "paulista")
FEW = [name if name in SOON else pytest.param(name, marks=pytest.mark.long) for name in VARIANTS]
"""All of them; to prove something of the larger ones takes long."""


@lru_cache(maxsize=20)
def study_of(name: str) -> Study:
    return Study(shipped_variant(name).graph)


def games(graph: Graph, mode: str, moves: int) -> Iterator[Game]:
    """A game after each of this many random moves; where one ends the next begins."""
    rng = random.Random(7)
    made = 0
    while made < moves:
        game = Game(graph, mode=mode)
        while made < moves and (legal := game.legal_actions()):
            yield game
            wrong = [a for a in _acts(graph, rng) if game.rule_on(a).status == "forbidden"] if mode == "umpire" else []
            game.push(rng.choice(wrong) if wrong and rng.random() < 0.2 else rng.choice(legal))
            made += 1


def _acts(graph: Graph, rng: random.Random) -> list[Action]:
    found = []
    for rule in graph.rules.values():
        for verb in rule.verbs if rule.shape == "must not" else ():
            params = graph.actions[verb.action].params
            args = tuple(rng.randint(p.type.low, max(p.type.low, p.type.high)) for p in params)
            found.append(Action(rng.randrange(graph.seats), verb.action, args))
    return rng.sample(found, min(4, len(found)))


def known(game: Game) -> dict[Key, Value]:
    """Everything that is so in a position."""
    found: dict[Key, Value] = {}
    for name, block in game.layout.blocks.items():
        for index in block.indices():
            value = game.position[block.slot(index)]
            many = block.datum.type.many
            found["datum", name, index, NOW] = (value, value) if many else frozenset({value})
    return found


class Whole(Partial):
    """A position that is known, with everything that follows from it."""

    def value(self, key: Key) -> Value:
        body = None if key in self.known else self.facts.body(key)
        return super().value(key) if body is None else body(self, {})


def test_a_stack_is_as_deep_as_a_position_has_room() -> None:
    assert (flow.DEEPEST, flow.UNSET) == (DEPTH, UNSET)


@pytest.mark.sample(1, long=3)
@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("mode", ["strict", "umpire"])
@pytest.mark.parametrize("name", FEW)
def test_every_stack_and_every_value_that_play_reaches_is_within_the_bounds(name: str, mode: str, moves: int) -> None:
    study = study_of(name)
    for game in games(study.graph, mode, moves):
        bounds = study.bounds[tuple(game.stack())]
        for key, value in known(game).items():
            assert inside(value, bounds[key]), (game.stack(), key, value, bounds[key])


@pytest.mark.sample(1, long=3)
@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("mode", ["strict", "umpire"])
@pytest.mark.parametrize("name", FEW)
@pytest.mark.long
def test_what_is_proved_of_pairs_of_data_holds_in_play(name: str, mode: str, moves: int) -> None:
    study = study_of(name)
    for game in games(study.graph, mode, moves):
        stack = tuple(game.stack())
        partial = Whole(study.facts, {**known(game), ("stack",): frozenset({study.facts.stacks.index(stack)})})
        for guess in study.invariants[stack]:
            meaning = study.facts.compiler.meaning(now(study.graph, guess))
            assert meaning(partial, {}) == frozenset({1}), (stack, guess)


@pytest.mark.sample(1, long=3)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_question_means_to_the_checks_what_it_means_in_play(name: str) -> None:
    study = study_of(name)
    facts = PositionFacts(study.graph, study.map.stacks)
    questions = [d for d in study.graph.defines.values() if not d.params]
    for game in games(study.graph, "strict", 150):
        stack = facts.stacks.index(tuple(game.stack()))
        partial = Whole(facts, {**known(game), ("stack",): frozenset({stack})})
        for define in questions:
            found = facts.compiler.question(define)(partial, {})
            try:
                asked = game.ask(define.name)
            except Exception:  # noqa: BLE001  (here it has no answer)
                continue
            assert found == ((asked, asked) if define.type.many else frozenset({asked})), (define.name, game.stack())


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize("name", VARIANTS)
def test_nothing_is_wrong_with_a_shipped_variant(name: str) -> None:
    assert [d.message for d in check_variant(name) if d.severity != "note"] == []

"""A graph rebuilt after a single change is the one that is built from the start, and plays the same."""

from __future__ import annotations

import random
from dataclasses import fields, replace

import pytest

from truco_spec.conformance.fit.mutants import Mutant, mutants_in, mutated
from truco_spec.engine.compiled.patch import patch_of
from truco_spec.engine.game import Game
from truco_spec.engine.sample import random_action
from truco_spec.engine.support import PlayError
from truco_spec.graph.link import linked
from truco_spec.graph.linking.build import build
from truco_spec.graph.linking.rebuild import rebuild
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError

_HOW_IT_IS_COMPILED = ("module", "keep", "like")
_ACTIONS = 80


def changed(variant: str, mutant: Mutant, options: dict[str, str]) -> tuple[Graph | str, Graph | str]:
    """Both graphs of a change, or their first errors."""
    before = linked(variant)
    after = mutated(before, [mutant])
    found: list[Graph | str] = []
    plain = load(variant, **options)
    for make in (lambda: build(after, options), lambda: rebuild(after, before, plain, options)):
        try:
            found.append(make())
        except SpecError as error:
            found.append(min(each.message for each in error.diagnostics))
    return found[0], found[1]


def sample(variant: str, number: int) -> list[Mutant]:
    return random.Random(variant).sample(mutants_in(linked(variant)), number)


@pytest.mark.parametrize(("variant", "options"), [("paulista", {"bet": "trick"}), ("venezolano", {})])
@pytest.mark.long
def test_a_rebuilt_graph_is_the_one_that_is_built(variant: str, options: dict[str, str]) -> None:
    alike = 0
    for mutant in sample(variant, 15):
        built, anew = changed(variant, mutant, options)
        if isinstance(built, str) or isinstance(anew, str):
            assert built == anew, mutant
            continue
        alike += anew.like is not None
        for field in fields(Graph):
            one, other = getattr(built, field.name), getattr(anew, field.name)
            if field.name == "vanished":
                one, other = (sorted(each, key=lambda pair: pair[0]) for each in (one, other))
            if field.name not in _HOW_IT_IS_COMPILED:
                assert one == other, f"{mutant}: {field.name}"
                assert not isinstance(one, dict) or list(one) == list(other), f"{mutant}: {field.name}"
    assert alike > 5


def course(graph: Graph, seed: int) -> list[object]:
    """What is permitted, done and observed in random play, until the rules fail."""
    chance, seen = random.Random(seed), list[object]()
    try:
        game = Game(graph)
        for _ in range(_ACTIONS):
            legal = sorted(map(str, game.legal_actions()))
            action = random_action(game, chance) if legal else None
            if action is None:
                game = Game(graph)
                continue
            event = game.push(action)
            seen += [legal, event.status, sorted(event.fired), game.observe()]
    except PlayError as error:
        seen.append(type(error))
    return seen


@pytest.mark.parametrize("variant", ["mineiro", "argentino"])
@pytest.mark.long
def test_a_patched_program_plays_as_one_compiled_whole(variant: str) -> None:
    patched = 0
    for seed, mutant in enumerate(sample(variant, 12)):
        _, graph = changed(variant, mutant, {})
        if isinstance(graph, str) or (patch := patch_of(graph)) is None or patch.rules != tuple(load(variant).rules):
            continue  # where a rule is added its number is another, and so is what is drawn at random
        patched += 1
        assert course(graph, seed) == course(replace(graph, like=None), seed), mutant
    assert patched > 4


def test_first_values_follow_from_a_question_that_is_another() -> None:
    at_eleven = next(m for m in mutants_in(linked("paulista")) if str(m).startswith("define brink: “score(t) > "))
    _, graph = changed("paulista", at_eleven, {})
    assert isinstance(graph, Graph)
    assert patch_of(graph)
    for rules, next_phase in ((load("paulista"), "onze.choice"), (graph, "play")):
        game, chance = Game(rules, start={"score": {0: 11, 1: 4}}), random.Random(1)
        while game.phase not in ("play", "onze.choice"):
            action = random_action(game, chance)
            assert action
            game.push(action)
        assert game.phase == next_phase


def test_an_option_that_is_set_no_more_has_its_default() -> None:
    before = linked("paulista")
    after = replace(before, sets={name: of for name, of in before.sets.items() if name != "brink-call"})
    graph = rebuild(after, before, load("paulista"), {})
    assert graph.options["brink-call"].value != load("paulista").options["brink-call"].value
    assert graph.rules.keys() == build(after, {}).rules.keys() != load("paulista").rules.keys()

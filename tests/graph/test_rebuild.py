"""A graph rebuilt after a single change is the one that is built from the start, and plays the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import pytest

from truco_spec.base.project import VARIABLE
from truco_spec.base.shipped import variant_names
from truco_spec.conformance.fit.mutants import Mutant, mutants_in, mutated
from truco_spec.engine.compiled.patch import patch_of
from truco_spec.engine.game import Game
from truco_spec.engine.sample import random_action
from truco_spec.engine.support import PlayError
from truco_spec.graph.link import linked
from truco_spec.graph.linking.build import build
from truco_spec.graph.linking.rebuild import rebuild
from truco_spec.graph.load import core, load
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError

_HOW_IT_IS_COMPILED = ("module", "keep", "like")
_ACTIONS = 80


def changed(variant: str, mutant: Mutant, options: dict[str, str]) -> tuple[Graph | str, Graph | str]:
    """Both graphs of a change, or their first errors."""
    before = linked(variant)
    after = mutated(before, [mutant])
    plain = load(variant, **options)
    return made(lambda: build(after, options)), made(lambda: rebuild(after, before, plain, options))


def made(make: Callable[[], Graph]) -> Graph | str:
    """The graph, or its first error."""
    try:
        return make()
    except SpecError as error:
        return min(each.message for each in error.diagnostics)


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
        hold_together(built, anew, str(mutant))
    assert alike > 5


def hold_together(one: Graph, other: Graph, what: str) -> None:
    """They have the same parts in the same order."""
    for field in fields(Graph):
        if field.name not in _HOW_IT_IS_COMPILED:
            first, second = getattr(one, field.name), getattr(other, field.name)
            assert first == second, f"{what}: {field.name}"
            assert not isinstance(first, dict) or list(first) == list(second), f"{what}: {field.name}"


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


@pytest.mark.sample(2, long=14)
@pytest.mark.parametrize("variant", ["argentino", "paulista", *sorted({*variant_names()} - {"argentino", "paulista"})])
def test_a_graph_under_other_options_is_the_one_that_is_built_and_plays_alike(variant: str) -> None:
    chain, plain, chance, alike = linked(variant), load(variant), random.Random(variant), 0
    for number in (1, 1, 1, 2, 2, 4):
        names = chance.sample(sorted(plain.options), number)
        chosen = {name: chance.choice(plain.options[name].values) for name in names}
        built = made(partial(build, chain, chosen))
        anew = made(partial(rebuild, core(variant), core(variant), plain, chosen, {}))
        if isinstance(built, str) or isinstance(anew, str):
            assert built == anew, chosen
            continue
        alike += anew.like is not None
        hold_together(built, anew, str(chosen))
        assert course(built, number) == course(anew, number), chosen
    assert alike


WIDE = """variant wide extends paulista {
  title "Wide"
  option width: few* | many @decided:face-down-lead
  define all-near @decided:face-down-lead "All are the same card, where many are counted." =
    width is many and (every card a with card b with card c with card d: a is d or b is c)
}
"""


def test_what_is_too_large_under_an_option_alone_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "wide.truco").write_text(WIDE, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert load("wide").seats == 4
    with pytest.raises(SpecError, match="too large"):
        load("wide", width="many")


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

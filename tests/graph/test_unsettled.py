"""A graph with open options plays as the graph that was linked under them."""

from __future__ import annotations

import random

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.engine.game import Game
from truco_spec.engine.sample import random_action
from truco_spec.engine.support import PlayError
from truco_spec.graph.load import REFUSED, is_open, load, load_open
from truco_spec.language.diagnostics import NOWHERE, SpecError

STEPS = 250


def _agreements(name: str) -> list[dict[str, str]]:
    """The variant's own, and one drawn from the open options."""
    graph, found = load_open(name), [dict[str, str]()]
    for seed in (1,):
        rng = random.Random(f"{name} {seed}")
        chosen = {o.name: rng.choice(o.values) for o in graph.options.values() if is_open(graph, o.name)}
        while True:
            try:
                load(name, **chosen)
                break
            except SpecError:
                chosen.pop(rng.choice(list(chosen)))
        found.append(chosen)
    return found


def _seen(game: Game) -> object:
    """What is observed, or how the rules fail to tell it."""
    try:
        return game.observe()
    except PlayError as fault:
        return type(fault)


QUICK = ("mineiro", "uruguayo", "fisch")
"""Variants that are tried every time; the others are tried apart."""


@pytest.mark.sample(1, long=4)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.long) for name in variant_names()]
)
@pytest.mark.long
def test_open_options_play_as_settled_ones(name):
    for options in _agreements(name):
        settled, graph = load(name, **options), load_open(name)
        start = {o: graph.value_of(graph.data[o].type, value) for o, value in options.items()}
        one, other = Game(settled), Game(graph, start=start)
        rng = random.Random(name)
        for _ in range(STEPS):
            action = random_action(one, rng)
            if action is None:
                break
            assert {one.text(a) for a in one.legal_actions()} == {other.text(a) for a in other.legal_actions()}
            first, second = one.push(action), other.push(other.parse(one.text(action)))
            assert (first.status, [s.rules for s in first.steps]) == (second.status, [s.rules for s in second.steps])
            assert _seen(one) == _seen(other)


def test_what_bounds_a_range_or_makes_the_pack_is_settled_first():
    graph = load_open("mineiro")
    closed = {option for option in graph.options if not is_open(graph, option)}
    assert {"players", "target", "deck"} <= closed
    assert "tie-lead" not in closed


def test_what_is_refused_is_a_question():
    graph = load_open("mineiro")
    refusal = f"{REFUSED}nine-needs-points"
    assert not Game(graph).ask(refusal)
    ten = Game(graph, start={"nine": 10})
    assert ten.ask(refusal)


def test_what_is_always_refused_is_a_mistake():
    with pytest.raises(SpecError):
        load_open("mineiro", {"players": "2"})


def test_its_rules_have_no_places_but_all_their_words():
    kept, open_graph = load("mineiro"), load_open("mineiro")
    for name, rule in kept.rules.items():
        there = open_graph.rules[name].source
        assert (there.prose, there.cites, there.span) == (rule.source.prose, rule.source.cites, NOWHERE)

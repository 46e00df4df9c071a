"""The search finds a position where there is one, and says never only where there is none."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truco_spec.checks import variant_of
from truco_spec.checks.positions import NOW, Key, Partial, PositionFacts, Value, halves, inside, join, meet
from truco_spec.checks.search import solve
from truco_spec.graph.model import Expr

TABLE = """
variant probe {
  title "Probe"
  option players : 2* | 4 @decided:small "How many play."
  seats players in 2 teams @decided:small "They sit across."
  datum a : 0 .. 3
  datum b : 0 .. 3
  datum f : flag
  datum t : seat or none
  datum m : set of seat
  datum g(s : seat) : 0 .. 2
  phase start "Start."
  action act "An act."
  define long @decided:small "A long question."
    = (sum seat s : g(s)) + (count seat s with seat x : s in m and g(x) > 1) + (count seat s with seat x : g(s) is g(x))
  rule probe @decided:small "What is asked." in start by everyone may act when CONDITION
}
"""
VALUES: dict[tuple[str, tuple[int, ...]], Sequence[int]] = {
    ("a", ()): range(4),
    ("b", ()): range(4),
    ("f", ()): range(2),
    ("t", ()): (0, 1, -1000),
    ("m", ()): range(4),
    ("g", (0,)): range(3),
    ("g", (1,)): range(3),
}

ATOMS = [
    "a < b",
    "a is 2",
    "b >= a + 1",
    "f",
    "not f",
    "t is none",
    "t is not none and g(t) > 0",
    "m is nobody",
    "size(m) is 2",
    "some seat s in m : g(s) is 2",
    "every seat s : g(s) < 2",
    "long > 3",
    "long is 0",
    "long < a",
    "a + b is 5",
    "a * 2 is b",
    "(first seat s : g(s) > 0) is t",
    "(highest seat s : g(s)) is a",
    "(all seat s : g(s) > 0) is m",
    "max(a, b) < 1",
    "(count seat s : g(s) > 1) > 1",
    "m - {first seat s} is nobody",
    "a in {1, 3}",
    "f or a is b",
]


@cache
def condition(text: str) -> tuple[PositionFacts, Expr]:
    graph = variant_of(TABLE.replace("CONDITION", text)).graph
    when = graph.rules["probe"].when
    assert when is not None
    return PositionFacts(graph, [("start",)]), when


class Whole(Partial):
    """A position that is known, with everything that follows from it."""

    def value(self, key: Key) -> Value:
        body = None if key in self.known else self.facts.body(key)
        return super().value(key) if body is None else body(self, {})


@cache
def true_at(text: str) -> frozenset[int]:
    """The slow way: of all positions, by number, those in which a condition is true."""
    facts, when = condition(text)
    meaning = facts.compiler.meaning(when)
    found = set()
    for number, chosen in enumerate(itertools.product(*VALUES.values())):
        known: dict[Key, Value] = {}
        for (name, index), value in zip(VALUES, chosen, strict=True):
            known["datum", name, index, NOW] = (value, value) if name == "m" else frozenset({value})
        if meaning(Whole(facts, known), {}) == frozenset({1}):
            found.add(number)
    return frozenset(found)


@pytest.mark.sample(6)
@pytest.mark.parametrize("text", ATOMS)
def test_one_condition_can_hold_or_never(text: str) -> None:
    facts, when = condition(text)
    assert (solve(facts, [when]).kind == "witness") == bool(true_at(text))


@pytest.mark.long
@given(st.lists(st.sampled_from(ATOMS), min_size=2, max_size=4, unique=True))
def test_conditions_together_can_hold_or_never(texts: list[str]) -> None:
    facts, when = condition(" and ".join(f"({text})" for text in texts))
    found = solve(facts, when.kids if when.op == "and" else [when], budget=50_000)
    assert found.kind in ("witness", "never")
    assert (found.kind == "witness") == bool(frozenset.intersection(*map(true_at, texts)))


# ---- what a value may be -------------------------------------------------------------------------

single = st.frozensets(st.integers(-1001, 12), min_size=2)
masks = st.tuples(st.integers(0, 255), st.integers(0, 255)).map(lambda p: (p[0] & p[1], p[0] | p[1]))


@given(single)
def test_the_halves_of_a_value_are_all_of_it(value: frozenset[int]) -> None:
    assert frozenset().union(*halves(value)) == value
    assert all(half < value for half in halves(value))


@given(masks, masks)
def test_a_set_joined_with_another_may_be_either(a: tuple[int, int], b: tuple[int, int]) -> None:
    assert inside(a, join(a, b))
    assert inside(meet(a, join(a, b)), a)

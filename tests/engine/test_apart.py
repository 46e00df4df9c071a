"""Two rules are taken to be apart only where they cannot speak of the same action."""

from __future__ import annotations

import pytest

from truco_spec.engine.facts import apart
from truco_spec.graph.load import load_text
from truco_spec.graph.model import Graph

SPEC = """\
variant test {
  title "Two rules"
  option players : 2* | 4 @house:x-y
  order rank : low < high @house:x-y
  order suit : a < b @house:x-y
  seats players in 2 teams @house:x-y
  deck pack : rank x suit @house:x-y
  datum n : 0 .. 3 = 0 seen by everyone
  datum f : flag seen by everyone
  datum g : flag seen by everyone
  datum who : seat seen by everyone
  datum side : team or none seen by everyone
  phase begin "Begin."
  action hit(x : rank) "Hit."
  rule one @house:x-y "one" in begin by FIRST_BY may hit(x) FIRST
  rule two @house:x-y "two" in begin by SECOND_BY must not hit(x) SECOND
}
"""


def linked(first: str, second: str, first_by: str = "everyone", second_by: str = "everyone") -> Graph:
    text = SPEC.replace("FIRST_BY", first_by).replace("SECOND_BY", second_by)
    for word, condition in (("FIRST", first), ("SECOND", second)):
        text = text.replace(word, f"when {condition}" if condition else "")
    return load_text(text)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("n is 0", "n > 0"),
        ("n < 2", "n >= 2"),
        ("n is 1", "n is not 1"),
        ("f", "not f"),
        ("not (f or g)", "f or g"),
        ("n is 0 and f", "g and n is 3"),
        ("side is none", "side is not none"),
    ],
)
def test_contradicting_conditions_are_apart(first: str, second: str) -> None:
    graph = linked(first, second)
    assert apart(graph.rules["one"], graph.rules["two"])
    assert apart(graph.rules["two"], graph.rules["one"])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("", ""),
        ("n < 2", "n < 3"),
        ("f", "g"),
        ("f or g", "not f"),
        ("n is 0", "f"),
        ("x is low", "x is high"),
        ("side is none", "n is 0"),
    ],
)
def test_conditions_that_could_hold_together_are_not_apart(first: str, second: str) -> None:
    graph = linked(first, second)
    assert not apart(graph.rules["one"], graph.rules["two"])


def test_who_speaks_only_of_one_seat_is_apart_from_what_leaves_it_out() -> None:
    graph = linked("", "me is not who", first_by="who")
    assert apart(graph.rules["one"], graph.rules["two"])
    graph = linked("", "me is not who", first_by="next(who)")
    assert not apart(graph.rules["one"], graph.rules["two"])

"""What is constant becomes a constant: before and after, in one line each."""

from __future__ import annotations

import pytest
from tiny import answer, linked

from truco_spec.graph.fold import opposite

PAIRS = [
    ("ready and yes", "ready"),
    ("ready and no", "no"),
    ("ready or yes", "yes"),
    ("ready or no", "ready"),
    ("not not ready", "ready"),
    ("not (1 is 2)", "yes"),
    ("ready is yes", "ready"),
    ("ready is no", "not ready"),
    ("ready is not no", "ready"),
    ("1 + 2 * 3", "7"),
    ("3 - 1", "2"),
    ("min(2, 5) + max(2, 5)", "7"),
    ("1 if 2 < 3 else 0", "1"),
    ("count-down if ready else count-down", "count-down if ready else count-down"),
    ("count-down < 9", "yes"),
    ("count-down >= 0", "yes"),
    ("count-down > 3", "no"),
    ("count-down <= 2", "count-down <= 2"),
    ("place(A)", "4"),
    ("6 is 6", "yes"),
    ("5 in {4, 5}", "yes"),
    ("5 in {4, 6}", "no"),
    ("turn in everyone", "yes"),
    ("turn in nobody", "no"),
    ("turn in seat", "yes"),
    ("winner in team", "winner in team"),
    ("everyone - everyone", "nobody"),
    ("{turn} + nobody", "{turn} + nobody"),
    ("all seat s", "{0, 1}"),
    ("all seat s : yes", "{0, 1}"),
    ("all seat s : no", "nobody"),
    ("all seat s in nobody", "nobody"),
    ("count seat s : no", "0"),
    ("some seat s : no", "no"),
    ("every seat s : yes", "yes"),
    ("some seat s in nobody : ready", "no"),
    ("some seat s : ready and no", "no"),
    ("size(everyone)", "2"),
    ("next(next(turn))", "next(next(turn))"),
    ("colour is red", "yes"),
    ("colour is blue or ready", "ready"),
    ("count-down if colour is red else 0", "count-down"),
    ("players", "2"),
    ("players * 2", "4"),
]


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_what_is_constant_is_worked_out(before: str, after: str) -> None:
    assert answer(before) == after


@pytest.mark.parametrize(("value", "after"), [("red", "ready"), ("blue", "no")])
def test_an_option_leaves_no_trace(value: str, after: str) -> None:
    assert answer("colour is red and ready", colour=value) == after


def test_a_rule_that_an_option_switches_off_vanishes_and_is_noted() -> None:
    rule = 'rule blue-pass @decided:tiny "Pass." in start by turn may pass when colour is blue'
    assert "blue-pass" not in linked(rule).rules
    assert [name for name, _ in linked(rule).vanished] == ["blue-pass"]
    assert "blue-pass" in linked(rule, colour="blue").rules


OPPOSITES = [
    ("ready", "not ready", True),
    ("chosen is none", "chosen is not none", True),
    ("some seat s : turn is s", "every seat s : turn is not s", True),
    ("every seat s : s in passed", "some seat s : s not in passed", True),
    ("some seat s : turn is s", "some seat s : turn is not s", False),
    ("some seat s in passed : turn is s", "every seat s : turn is not s", False),
    ("some card c : c is shown", "every seat s : turn is not s", False),
    ("count-down > 1", "count-down < 1", False),
]


@pytest.mark.parametrize(("one", "other", "expected"), OPPOSITES)
def test_of_opposites_one_holds(one: str, other: str, expected: bool) -> None:
    defines = linked(f'define q @decided:tiny "A." = {one} define r @decided:tiny "B." = {other}').defines
    a, b = (defines[name].answers[0].value for name in "qr")
    assert opposite(a, b) == opposite(b, a) == expected


def test_a_rule_for_nobody_vanishes() -> None:
    rule = 'rule no-pass @decided:tiny "Pass." in start by nobody may pass'
    assert [name for name, _ in linked(rule).vanished] == ["no-pass"]


def test_an_exception_that_an_option_switches_off_vanishes() -> None:
    texts = 'define q @decided:tiny "One." = 1 define r except q @decided:tiny "Two." when colour is blue = 2'
    assert [answer.name for answer in linked(texts).defines["q"].answers] == ["q"]
    assert [answer.name for answer in linked(texts, colour="blue").defines["q"].answers] == ["q", "r"]


def test_an_exception_that_an_option_makes_constant_loses_its_condition() -> None:
    texts = 'define q @decided:tiny "One." = 1 define r except q @decided:tiny "Two." when colour is red = 2'
    assert linked(texts).defines["q"].answers[1].when is None

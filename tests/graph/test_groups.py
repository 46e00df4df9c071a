"""Default logic: a base answer, exceptions, exceptions to exceptions; what beats what is worked out once."""

from __future__ import annotations

import pytest
from tiny import linked, mistake

from truco_spec.engine import Game
from truco_spec.graph.groups import transitive
from truco_spec.graph.load import load
from truco_spec.graph.operations import show

BASE = 'define q @decided:tiny "Base." = 0'
A = 'define a except q @decided:tiny "A." when ready = 1'
B = 'define b except a @decided:tiny "B." when ready and turn in passed = 2'


@pytest.mark.parametrize(
    ("direct", "beaten"),
    [
        ({"a": ("q",)}, {"a": {"q"}}),
        ({"a": ("q",), "b": ("a",)}, {"a": {"q"}, "b": {"a", "q"}}),
        ({"a": ("q",), "b": ("a",), "c": ("b",)}, {"a": {"q"}, "b": {"a", "q"}, "c": {"b", "a", "q"}}),
        ({"a": ("b",), "b": ("a",)}, {"a": {"b"}, "b": {"a"}}),
    ],
)
def test_an_exception_beats_all_that_this_beats(
    direct: dict[str, tuple[str, ...]], beaten: dict[str, set[str]]
) -> None:
    assert {name: set(found) for name, found in transitive(direct).items()} == beaten


def test_the_base_comes_first_and_every_exception_knows_what_it_beats() -> None:
    answers = linked(f"{B} {BASE} {A}").defines["q"].answers
    assert [(answer.name, set(answer.beats)) for answer in answers] == [("q", set()), ("b", {"a", "q"}), ("a", {"q"})]


def test_an_exception_may_come_before_its_base_in_the_text() -> None:
    assert linked(f"{A} {BASE}").defines["q"].answers[0].name == "q"


def test_an_exception_takes_over_the_parameters_under_its_own_names() -> None:
    text = (
        'define q(s : seat) @decided:tiny "Base." = 0'
        ' define a(x : seat) except q @decided:tiny "A." when x in passed = 1'
    )
    (_, exception) = linked(text).defines["q"].answers
    assert exception.when is not None and exception.when.kids[0].value == "s"


def test_a_variable_of_an_exception_steps_aside_for_a_parameter_of_that_name() -> None:
    text = (
        'define q(s : seat) @decided:tiny "Base." = 0'
        ' define a(x : seat) except q @decided:tiny "A." when ready is no = count seat s : s is next(x)'
    )
    graph = linked(text)
    assert show(graph, graph.defines["q"].answers[1].value) == "count seat s' : s' is next(s)"
    assert [Game(graph).ask("q", seat) for seat in (0, 1)] == [1, 1]


def test_the_type_of_a_question_holds_all_its_answers() -> None:
    text = 'define q @decided:tiny "Base." = 0  define a except q @decided:tiny "A." when ready = 5'
    assert str(linked(text).defines["q"].type) == "0 .. 5"


def test_an_exception_to_what_is_not_there_is_refused() -> None:
    assert mistake(f'{BASE} define a except p @decided:tiny "A." when ready = 1').startswith("there is no define p")


def test_an_exception_answers_the_kind_of_thing_that_is_asked_for() -> None:
    text = f'{BASE} define a except q @decided:tiny "A." when ready = turn'
    assert mistake(text) == "a answers seat, where q answers 0"


def test_a_question_cannot_ask_itself() -> None:
    assert mistake('define q @decided:tiny "Q." = q + 1') == "q -> q: a question cannot ask itself"
    circle = 'define q @decided:tiny "Q." = r  define r @decided:tiny "R." = q'
    assert mistake(circle) == "q -> r -> q: a question cannot ask itself"
    typed = 'define q : 0 .. 3 @decided:tiny "Q." = r  define r : 0 .. 3 @decided:tiny "R." = q'
    assert "a question cannot ask itself" in mistake(typed)


def test_a_question_without_an_answer_under_these_options_is_refused() -> None:
    text = 'define q @decided:tiny "Q." when colour is blue = 1'
    assert mistake(text) == "q has no answer under these options"
    assert linked(text, colour="blue").defines["q"].answers[0].when is None


def test_who_sees_a_datum_is_a_question_with_exceptions() -> None:
    text = 'define open-hands except mine.seen @decided:tiny "All see all." when ready = everyone'
    seen = linked(text).defines["mine.seen"]
    assert [answer.name for answer in seen.answers] == ["mine.seen", "open-hands"]
    assert [param.name for param in seen.params] == ["s"]


def test_the_pack_is_seen_by_nobody_and_a_datum_by_all_unless_it_says_otherwise() -> None:
    defines = linked("").defines
    assert defines["pack.seen"].answers[0].value.value == 0
    assert defines["score.seen"].answers[0].value.value == 0b11


def test_rules_and_effects_have_exceptions_of_the_same_kind() -> None:
    rules = load("mineiro").rules
    assert "begin-hand" in rules["hand-too-small"].beats
    effects = load("mineiro").effects
    (base, brink) = effects["penalty"].turns
    assert brink.beats == {"penalty"} and base.beats == frozenset()


def test_pagat_the_more_special_reading_beats_all_below_it() -> None:
    answers = {answer.name: answer.beats for answer in load("mineiro").defines["result"].answers}
    assert answers["early-tie"] == {"real-tie", "trick-bet", "result"}

"""Memoised by identity: equal things are not the same, and one that is kept cannot be replaced at its address."""

from truco_spec.graph.model import by_identity


def test_equal_things_are_answered_apart_and_each_once():
    asked = []

    @by_identity(8)
    def length(thing: list[int], more: int) -> int:
        asked.append(thing)
        return len(thing) + more

    one, other = [1], [1]
    assert [length(one, 1), length(one, 1), length(one, 2), length(other, 1)] == [2, 2, 3, 2]
    assert len(asked) == 3


def test_a_thing_that_is_let_go_never_answers_for_the_next():
    @by_identity(2)
    def first(thing: list[int]) -> int:
        return thing[0]

    assert [first([number]) for number in range(100)] == list(range(100))

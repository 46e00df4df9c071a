"""What still shows it is made smaller, within the number of tries allowed."""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.base.delta_debugging import reduced, stretches, without


def shorter(word: str) -> Iterator[str]:
    return (word[:at] + word[at + 1 :] for at in range(len(word)))


def plainer(word: str) -> Iterator[str]:
    return (word[:at] + "a" + word[at + 1 :] for at in range(len(word)) if word[at] != "a")


def with_two(word: str) -> str | None:
    return word if len(word) > 1 else None


def test_every_reduction_goes_as_far_as_it_can() -> None:
    assert reduced("xyz", (plainer, shorter), with_two, 100)[0] == "aa"


def test_a_reduction_that_another_makes_possible_is_tried_again() -> None:
    assert reduced("bab", (shorter, plainer), lambda word: word if word in {"aab", "ab"} else None, 100)[0] == "ab"


def test_no_more_are_tried_than_allowed() -> None:
    assert reduced("xxxxxxxx", (shorter,), with_two, 3) == ("xxxxx", 3)
    assert reduced("xx", (shorter,), with_two, 0) == ("xx", 0)


def test_it_goes_on_from_what_is_left_of_a_version() -> None:
    assert reduced("xxxxxx", (shorter,), lambda word: word[1:] if len(word) > 2 else None, 100)[0] == "xx"


def test_items_go_together_across_rows_the_last_first() -> None:
    rows = (("a", "b"), ("c",))
    assert [without(rows, gone) for gone in stretches(rows, (2,))] == [(("a",), ()), (("b",), ("c",))]
    assert [without(rows, gone) for gone in stretches(rows, (2,), few=2)] == [(("a",), ()), ((), ("c",))]

"""What the graph holds can be shown as it would be written, and read again as the same."""

from __future__ import annotations

import pytest
from tiny import answer, linked

from truco_spec.graph.operations import show, show_change

SAME = [
    "turn",
    "score(team(turn))",
    "ready and turn in passed",
    "ready or turn in passed and chosen is none",
    "(ready or turn in passed) and chosen is none",
    "not (ready and turn in passed)",
    "turn not in passed",
    "chosen is not none",
    "count-down + 1 - 2 * count-down",
    "(count-down + 1) * 2",
    "count-down - (count-down - 1)",
    "passed + {turn} - {next(turn)}",
    "passed - (passed + {turn})",
    "count-down < 3",
    "count-down <= size(passed)",
    "winner in team",
    "during later",
    "1 if ready else 2 if chosen is none else 3",
    "(1 if ready else 2) + 1",
    "all seat s in passed : s is not turn",
    "first seat s in passed from next(turn) : size(mine(s)) < 2",
    "highest card c in mine(turn) where rank(c) is not A : place(rank(c))",
    "some seat s with seat x : s is next(x)",
    "(some seat s : s in passed) and ready",
    "max(count-down, size(pack))",
]


@pytest.mark.parametrize("text", SAME)
def test_an_expression_is_shown_as_it_was_written(text: str) -> None:
    assert answer(text) == text


@pytest.mark.parametrize(
    "text", [*SAME, "not not ready or yes and ready", "count-down > 1 or count-down >= size(passed)"]
)
def test_what_is_shown_means_the_same(text: str) -> None:
    shown = answer(text)
    once, twice = (linked(f'define q @decided:tiny "Q." = {given}').defines["q"] for given in (text, shown))
    assert once.answers[0].value == twice.answers[0].value


CHANGES = [
    "turn = next(turn)",
    "score(team(turn)) += 1",
    "count-down -= 1",
    "move shown to mine(turn)",
    "move mine(turn) to pack",
    "then later",
    "ask later",
    "resume",
    "pay(team(turn), 2)",
]


@pytest.mark.parametrize("text", CHANGES)
def test_a_change_is_shown_as_it_was_written(text: str) -> None:
    graph = linked(
        'effect pay(t : team, n : 0 .. 3) @decided:tiny "Pay." do score(t) += n'
        f' rule r @decided:tiny "R." in start do {text}'
    )
    (change,) = graph.rules["r"].do
    assert show_change(graph, change) == text


def test_seats_and_teams_are_shown_as_numbers_for_the_table_knows_their_names() -> None:
    graph = linked('define q @decided:tiny "Q." = all seat s')
    assert show(graph, graph.defines["q"].answers[0].value) == "{0, 1}"

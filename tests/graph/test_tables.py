"""A table answers by rows: two different teams X and Y, anything, and what is still open."""

from __future__ import annotations

import pytest
from tiny import linked, mistake, mistakes

from truco_spec.graph.load import load
from truco_spec.graph.model import Graph

HEAD = 'define when-open : team or tie or open @decided:tiny "Open." = open  table t(a, b) @decided:tiny '


def answers(rows: str) -> dict[tuple[str, ...], str]:
    """The whole table, in words; teams are 0 and 1."""
    graph = linked(HEAD + rows)
    return in_words(graph, "t")


def in_words(graph: Graph, name: str) -> dict[tuple[str, ...], str]:
    table = graph.tables[name]

    def word(place: int, value: int) -> str:
        kinds = [param.type for param in table.params] + [table.type]
        return graph.text_of(kinds[place], value)

    return {
        tuple(word(i, value) for i, value in enumerate(given)): word(len(given), answer)
        for given, answer in table.answers.items()
    }


def test_two_letters_are_two_different_teams() -> None:
    found = answers("| X | X | X | | X | Y | tie | | tie | - | tie |")
    assert (found["0", "0"], found["1", "1"]) == ("0", "1")
    assert (found["0", "1"], found["1", "0"]) == ("tie", "tie")


def test_a_dash_is_anything() -> None:
    found = answers("| X | - | X | | tie | X | tie | | tie | tie | tie |")
    assert {found["0", other] for other in ("0", "1", "open")} == {"0"}


def test_what_is_open_stays_open_while_the_rest_matters() -> None:
    found = answers("| X | X | X | | X | Y | Y | | tie | - | tie | | - | tie | tie |")
    assert found["0", "open"] == "open"
    assert found["open", "1"] == "open"
    assert found["tie", "open"] == "tie"


def test_rows_that_disagree_are_refused() -> None:
    assert mistake(HEAD + "| X | - | X | | X | X | tie |").startswith("two rows of t disagree on (0, 0)")


def test_rows_that_agree_may_overlap() -> None:
    assert answers("| X | - | X | | X | X | X |")["1", "1"] == "1"


def test_an_answer_knows_its_team() -> None:
    assert mistake(HEAD + "| X | X | Y |") == "a row of t answers Y, and no cell before it says which team that is"


def test_a_row_has_a_cell_for_each_question_and_one_for_the_answer() -> None:
    assert "Row 1 of table `t` has 2 cells, not 3." in mistakes(HEAD + "| X | X |")[0].message


def test_a_table_of_numbers() -> None:
    graph = linked(
        'table worth(level) @decided:tiny | 0 | 1 | | 1 | 3 |  define q @decided:tiny "Q." = worth(count-down)'
    )
    assert graph.tables["worth"].answers == {(0,): 1, (1,): 3}
    assert str(graph.defines["q"].type) == "1 .. 3"


@pytest.mark.parametrize(
    ("tricks", "winner"),
    [
        ("0 0 open", "0"),
        ("0 1 0", "0"),
        ("0 1 1", "1"),
        ("0 1 tie", "0"),
        ("0 1 open", "open"),
        ("0 tie open", "0"),
        ("tie 1 open", "1"),
        ("tie tie 1", "1"),
        ("tie tie tie", "drawn"),
        ("tie open open", "open"),
        ("open open open", "open"),
    ],
)
def test_pagat_two_tricks_or_the_first_win_the_hand(tricks: str, winner: str) -> None:
    assert in_words(load("mineiro"), "hand-winner")[tuple(tricks.split())] == winner

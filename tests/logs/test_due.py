"""What is due before a move that comes too early, and the sentences of rules with what options decide."""

from __future__ import annotations

import pytest

from truco_spec.engine.text import told
from truco_spec.graph.load import load, load_open
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import MoveRefused, Replay

FOUR = "ana bia caio davi | dealer ana"


def due(line):
    with pytest.raises(MoveRefused) as refused:
        list(Replay(read_line(line)).steps())
    return refused.value.due


def test_the_choice_at_eleven_comes_before_the_first_card():
    found = due(f"paulista | {FOUR} | score ana 9, bia 11 | deal vira 5D | bia 3C")
    assert found == ("onze.open", "onze.play", "onze.run")


def test_a_raise_is_answered_before_the_next_card():
    assert due(f"paulista | {FOUR} | bia truco, caio 3C")[:2] == ("truco.open", "truco.accept")


def test_an_envido_is_answered_before_the_next_card():
    assert due("argentino | ana bia | dealer ana | bia envido, ana 4C")[:2] == ("envido.open", "envido.accept")


@pytest.mark.parametrize(
    "line",
    [
        "argentino | ana bia | dealer ana | bia quiero",  # nothing was proposed
        "argentino | ana bia | dealer ana | bia tengo 33",  # nor accepted
        f"paulista | {FOUR} | bia truco, caio aceito, bia 3C, davi seis",  # the other side may raise
        f"mineiro | {FOUR} | bia 3C, davi 4D",  # out of turn
        f"mineiro poor-family=shown | {FOUR} | deal caio 4C 5D 6H | bia keep, caio familia",  # it is none
        f"paulista | {FOUR} | score ana 9, bia 11 | deal vira 5D | bia truco",  # forbidden by a rule of its own
    ],
)
def test_nothing_is_due_where_the_move_lacks_more_than_its_time(line):
    assert due(line) == ()


def test_the_verb_explains_what_is_due(capsys):
    from truco_spec.cli import main

    with pytest.raises(SystemExit):
        main(["explain", f"paulista | {FOUR} | score ana 9, bia 11 | deal vira 5D | bia 3C"])
    assert "due first: onze.open: The choice comes before the play." in capsys.readouterr().err


# ---- sentences -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prose", "said"),
    [
        ("A truco raises the hand to {truco-worth}.", "A truco raises the hand to 3."),
        ("The tie goes to {tie-lead}.", "The tie goes to the player of the first of the equal cards."),
        ("It loses that hand ({stake}).", "It loses that hand."),  # what play decides is no constant
        ("{brink-of-nothing} and {c} are not known.", "brink of nothing and c are not known."),
    ],
)
def test_what_the_options_decide_is_told_by_its_value(prose, said):
    assert told(load("mineiro"), prose) == said
    assert told(load_open("mineiro"), prose) == said


def test_the_value_is_that_of_the_options_agreed_on():
    assert told(load("mineiro", scoring="points"), "to {truco-worth}") == "to 4"

"""A table of two with eight cards, on which single statements of the language are tried."""

from __future__ import annotations

import pytest

from truco_spec.graph.load import load_text
from truco_spec.graph.model import Define, Graph
from truco_spec.graph.operations import show
from truco_spec.language.diagnostics import Diagnostic, SpecError

TABLE = """
  option players : 2* | 4 @decided:tiny "How many play."
  option colour : red* | blue @decided:tiny "A switch."
  seats players in 2 teams @decided:tiny "They sit across."
  order rank : 4 < 5 < 6 < A @decided:tiny
  order suit : D < S @decided:tiny
  deck pack : rank x suit @decided:tiny
  phase start "It begins."
  phase later "It goes on."
  datum score(t : team) : 0 .. 3
  datum mine(s : seat) : pile seen by s
  datum shown : slot
  datum turn : seat = first seat s
  datum count-down : 0 .. 3 = 3
  datum ready : flag
  datum passed : set of seat
  datum chosen : rank or none
  action pass
  action play(c : card) possible when c in mine(me) written "{c}"
  define winner : team or none @decided:tiny "Nobody." = none
"""


def linked(statements: str, **options: object) -> Graph:
    """The graph of the table with more statements."""
    return load_text(f'variant tiny {{ title "Tiny" {TABLE} {statements} }}', "", "<text>", **options)


def mistakes(statements: str, **options: object) -> list[Diagnostic]:
    """What is wrong with the statements."""
    return wrong_with(f'variant tiny {{ title "Tiny" {TABLE} {statements} }}', **options)


def wrong_with(text: str, **options: object) -> list[Diagnostic]:
    """What is wrong with a whole text."""
    with pytest.raises(SpecError) as caught:
        load_text(text, "", "<text>", **options)
    return list(caught.value.diagnostics)


def mistake(statements: str, **options: object) -> str:
    """The only thing that is wrong with the statements, with the hint behind it."""
    (found,) = mistakes(statements, **options)
    return told(found)


def told(found: Diagnostic) -> str:
    """A mistake and its hint in one line."""
    return f"{found.message}; {found.hint}" if found.hint else found.message


def define(graph: Graph, name: str = "q") -> Define:
    """A question of the graph."""
    return graph.defines[name]


def answer(expression: str, head: str = "q", **options: object) -> str:
    """An expression as it stands in the graph: typed, options and constants folded."""
    graph = linked(f'define {head} @decided:tiny "A question." = {expression}', **options)
    return show(graph, graph.defines["q"].answers[0].value)

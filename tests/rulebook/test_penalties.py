"""The table of penalties: read off the rules, whatever punishes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from truco_spec.base.document import markdown_of, text_of
from truco_spec.base.project import Project
from truco_spec.books.rulebook.articles import NONE, Penalty, penalties_of, table_of_penalties
from truco_spec.books.rulebook.book import book_of
from truco_spec.books.rulebook.book_words import words_in
from truco_spec.cli import main
from truco_spec.graph.load import load, load_text
from truco_spec.graph.model import Graph

CLUB = Path(__file__).parents[2] / "docs" / "examples" / "club"


def by_rule(graph: Graph) -> dict[str, Penalty]:
    return {each.entry.name: each for each in penalties_of(book_of(graph, words_in("en")))}


def test_what_a_forbidden_act_costs_and_in_which_cases_something_else() -> None:
    cut = by_rule(load("mineiro"))["bad-cut"]
    assert cut.articles == ("pagat:mineiro.penalty.illegal-shuffle-or-cut",)
    assert (
        cut.first[-1] == "While no team is one short of the target, every irregularity gives the other team one tento."
    )
    assert cut.again[0].startswith("With one team or both one short of the target the offender's team loses one tento")


def test_every_rule_that_punishes_is_in_it_once() -> None:
    graph = load("paulista")
    punishing = {rule.source.construct or rule.name for rule in graph.rules.values() if rule.lest}
    told = {entry.name for section in book_of(graph, words_in("en")).sections for entry in section.entries}
    assert set(by_rule(graph)) == punishing & told
    assert len(by_rule(graph)) > 10


def test_what_the_referee_may_do_with_the_articles_of_the_regulation() -> None:
    Project.open(CLUB)
    book = book_of(load("club"), words_in("es"))
    warned = next(each for each in penalties_of(book) if each.entry.name == "advertir")
    assert warned.articles == ("art. 29", "art. 31")
    assert warned.first == ("La primera advertencia a una pareja se anota.",)
    assert warned.again == ("La segunda da tres tantos a la otra pareja.", "La tercera, el partido.")
    assert "| art. 13 | como se dice ahí |" in markdown_of(table_of_penalties(book, words_in("es")))
    assert "  artículo: art. 13\n" in text_of(table_of_penalties(book, words_in("es"), listed=True))


def test_a_game_without_any_says_so() -> None:
    graph = load_text(
        """variant calm { title "Calm"
        option players : 2* | 4 @decided:calm "How many play."
        seats players in 2 teams @decided:calm "They sit across."
        order rank : 4 < 5 @decided:calm order suit : D < S @decided:calm
        deck pack : rank x suit @decided:calm
        phase start "It begins." action pass
        rule go @decided:calm "Go on." in start by everyone may pass
        decision calm resolves @pagat:gap.score-cap "So." because "So." }"""
    )
    assert NONE in markdown_of(table_of_penalties(book_of(graph, words_in("en")), words_in("en")))


def test_the_verb_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["penalties", "paulista", "--lang", "pt", "--format", "md"])
    assert not end.value.code
    printed = capsys.readouterr().out
    assert printed.startswith("# Truco Paulista: Penalidades\n")
    assert "| o quê | artigo | na primeira vez | de novo, ou em outros casos |" in printed

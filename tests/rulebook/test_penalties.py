"""The table of penalties: read off the rules, whatever punishes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from truco_spec.base.document import markdown_of, text_of
from truco_spec.base.project import Project
from truco_spec.base.shipped import variant_names
from truco_spec.books.articles import NONE, Penalty, penalties_of, table_of_penalties
from truco_spec.books.book import book_of
from truco_spec.books.book_words import words_in
from truco_spec.cli import main
from truco_spec.graph.load import load, load_text
from truco_spec.graph.model import Graph
from truco_spec.graph.sources import registry, sources

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


def test_every_rule_that_says_what_a_forbidden_act_costs_is_in_it_once() -> None:
    """A fault of the dealer that is by itself no irregularity (Pagat) costs nothing."""
    graph = load("paulista")
    forbidding = {rule.source.construct or rule.name for rule in graph.rules.values() if rule.lest}
    told = {entry.name for section in book_of(graph, words_in("en")).sections for entry in section.entries}
    assert set(by_rule(graph)) - {"surplus-wins-hand", "surplus-at-brink"} == forbidding & told - {"misdeal", "expose"}
    assert len(by_rule(graph)) > 10


@pytest.mark.parametrize("variant", ["argentino", "uruguayo", "venezolano", "paraguayo", "pica-pica"])
def test_what_a_hidden_flor_and_a_false_envido_cost(variant: str) -> None:
    """Wikipedia: 3 points, or 1 for the other side; the points of the envido go to the other side."""
    found = {name: penalty.articles for name, penalty in by_rule(load(variant)).items()}
    assert found == {
        "claim-points": (
            "wikipedia:argentino.fail-to-show-forfeit",
            "wikipedia:argentino.envido-misreport-forfeit",
        ),
        "hidden-flor": ("wikipedia:argentino.pido-flor-success",),
        "flor-disproved": ("wikipedia:argentino.pido-flor-fail",),
    }


TOLD_ELSEWHERE = {
    "wikipedia:argentino.pido-flor-is-penalty": "that there is a penalty at all",
    "wikipedia:argentino.pido-flor-call": "how it is asked for",
    "pagat:mineiro.penalty.under-11-other-team-takes-one": "what any irregularity costs, in the column of the cost",
    "pagat:mineiro.penalty.at-11-offender-loses-one": "the same with a team at 11",
    "pagat:mineiro.option.short-game.penalty-2-points": "of the shorter game",
    "pagat:mineiro.option.royal-family.special-hand-penalty": "of an option that is off",
    "pagat:mineiro.option.royal-family-face-down.challenge": "of an option that is off",
}
"""Clauses of the kind “penalty” that no row rests on: why."""


@pytest.mark.sample(3)
@pytest.mark.parametrize("variant", variant_names())
def test_every_penalty_that_a_source_has_for_the_game_is_in_it(variant: str) -> None:
    named = {article for penalty in by_rule(load(variant)).values() for article in penalty.articles}
    for source in sources():
        held = registry(source)
        for clause in held.clauses.values():
            if clause.kind == "penalty" and variant in held.variants(clause.id):
                assert {f"{source}:{clause.id}"} <= named | TOLD_ELSEWHERE.keys()


@pytest.mark.parametrize("variant", ["nowadays", "gamelog"])
def test_a_source_without_a_price_has_no_penalties(variant: str) -> None:
    """The decisions nowadays-no-penalties, gamelog-no-penalties: a wrong deal is dealt again, and nobody pays."""
    assert not by_rule(load(variant))


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
    assert "| o quê | fonte | o que custa | de novo, ou em outros casos |" in printed
    assert printed.count("Paga-se a penalidade, e a mão continua") == 1, "said once, then where it stands"
    assert "| pagat, nossa leitura | como em 6.13 | |" in printed
    assert "pagat:" not in printed

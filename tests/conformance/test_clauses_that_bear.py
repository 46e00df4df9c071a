"""Of the clauses of the statements that decided a step those are cited that bear on the game played."""

from __future__ import annotations

import pytest

from truco_spec.conformance.corpus.corpus import playable
from truco_spec.conformance.runner.deciding import pertinent_cites
from truco_spec.graph.load import load

SHORT_GAME = "mineiro.option.short-game.last-raise-12"
ANSWERS = ["argentino.envido-quiero", "argentino.envido-quiero-closes"]


def cited(variant: str, statement: str, **options: str) -> list[str]:
    graph = load(variant, **options)
    source = next(source for _, name, source in graph.cites if name == statement)
    return [clause for _, clause in pertinent_cites(graph, source.cites)]


def test_an_example_is_not_cited_beside_the_rule_that_it_shows() -> None:
    assert cited("paulista", "hand-winner") == [
        "common.objective-majority-of-three-tricks",
        "mineiro.tie.first-team-to-win-a-trick-wins-hand",
        "paulista.usual-criteria-two-tricks-or-first",
    ]


def test_a_clause_of_a_variation_is_cited_where_that_is_played() -> None:
    assert SHORT_GAME not in cited("mineiro", "needless-raise")
    assert SHORT_GAME in cited("mineiro", "needless-raise", scoring="points")


def test_a_clause_about_partners_is_not_cited_of_two_players() -> None:
    assert cited("argentino", "envido.accept", players="2") == ANSWERS
    assert sorted(cited("argentino", "envido.accept", players="4")) == ["argentino.any-partner-answers", *ANSWERS]


def test_a_refusal_cites_that_it_binds_the_side_where_there_is_one() -> None:
    assert "common.acts-bind-team" in cited("argentino", "truco.refuse", players="4")
    assert "argentino.any-partner-answers" in cited("argentino", "envido.refuse", players="4")
    assert "argentino.any-partner-answers" not in cited("argentino", "envido.refuse", players="2")


def test_what_holds_for_two_is_cited_of_four_although_its_cases_are_for_two() -> None:
    assert playable("wikipedia:argentino.envido-quiero", {}, 4)
    assert not playable("wikipedia:argentino.any-partner-answers", {}, 2)


@pytest.mark.parametrize("clause", ["pagat:mineiro.no-such-clause", "own:article-1"])
def test_a_clause_that_no_case_cites_may_bear_on_any_game(clause: str) -> None:
    assert playable(clause, {}, 2)

"""Whose word an explanation gives for a rule that several games share."""

import pytest

from truco_spec.graph.load import load
from truco_spec.logs.explanation import pertinent


def sources_of(variant: str, rule: str) -> set[str]:
    graph = load(variant)
    return {cite.source for cite in pertinent(graph, graph.rules[rule].source.cites)}


@pytest.mark.parametrize(("variant", "source"), [("argentino", "wikipedia"), ("paulista", "pagat")])
def test_a_shared_rule_stands_on_what_is_told_of_this_game(variant, source):
    assert sources_of(variant, "play-card") == {source}


def test_where_nothing_is_told_of_this_game_the_word_of_the_others_is_kept():
    assert sources_of("argentino", "deal-done") == {"pagat"}


def test_a_decision_always_counts():
    assert sources_of("argentino", "tied-to-mano") == {"wikipedia", "decided"}

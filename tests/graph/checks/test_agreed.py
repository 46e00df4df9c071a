"""No two answers, verdicts or changes collide, whatever a table agrees on."""

from __future__ import annotations

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.checks import shipped_variant
from truco_spec.checks.checking import check_variant, examine_open
from truco_spec.checks.study import Study

NOT_PROVED = {
    "truco.stake and onze.stake can apply together, and answer stake differently",
    "play-covered permits what covered-at-all forbids, and neither beats the other",
    "play-covered permits what covered-beside forbids, and neither beats the other",
}
"""What the search leaves: that no truco is called in a hand of eleven, `never.raised-at-brink` says; that no card is to
be covered, or no second one, the answers of `may-cover` say, each alone. Play tries all of it.
"""


def study(name: str) -> Study:
    graph = shipped_variant(name).open()
    assert graph is not None
    return examine_open(graph)


def doubts(found: Study) -> set[str]:
    return {doubt.diagnostic.message for doubt in found.doubts if doubt.diagnostic.code != "hidden"}


@pytest.mark.long
@pytest.mark.parametrize("name", variant_names())
def test_nothing_collides_under_any_options_but_what_play_has_to_try(name: str) -> None:
    assert doubts(study(name)) <= NOT_PROVED


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize("name", variant_names())
def test_no_variant_has_an_error_under_any_pair_of_options(name: str) -> None:
    assert [d.message for d in check_variant(name, pairs=True, moves=3_000) if d.severity == "error"] == []


@pytest.mark.long
def test_an_option_that_is_open_is_no_constant() -> None:
    graph = shipped_variant("paulista").open()
    assert graph is not None
    bounds = Study(graph).bounds
    values = frozenset(graph.words[value] for value in graph.options["tie-lead"].values)
    assert {found["datum", "tie-lead", (), ""] for found in bounds.values()} == {values}


def test_pairs_settle_one_or_two_options_that_bound_a_range_or_make_the_pack() -> None:
    found = list(shipped_variant("paulista").settlings(pairs=True))
    assert found[0] == {}
    assert {"deck": "p28", "players": "2"} in found
    assert {len(settled) for settled in found[1:]} == {1, 2}

"""Of the clauses of the statements that decided a step those are cited that bear on the game played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.corpus import chosen, playable
from truco_spec.conformance.corpus.corpus import load as load_cases
from truco_spec.conformance.corpus.protocol import (
    START,
    HandScript,
    MustOffer,
    MustSee,
    MustShow,
    Position,
    Script,
    ScriptAction,
    action_of,
)
from truco_spec.conformance.runner.deciding import Decided, deciding, pertinent_cites, seeing
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import Cite

SHORT_GAME = "mineiro.option.short-game.last-raise-12"
PARTS = 50
"""The number of tests into which the cases are divided."""
SEEING = [
    ("P0", "5H", "paulista.information.vira-public"),
    ("P0", "4D", "hand-privacy-base-rule"),
    ("P0", "3C", "mineiro.play.no-face-down-in-first-trick"),
]
"""A seat, a card, and the clause or decision by which the seat sees it or not."""
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


@pytest.mark.parametrize("case", ["pagat-table-19[paulista]", "pagat-paulista-option-tied-hand-03"])
def test_what_decided_a_step_does_not_depend_on_what_was_asked_before(case: str) -> None:
    """In order one playthrough goes on; backwards each begins anew."""
    script = next(ready.whole(each).requests[0] for each in chosen(variants=("paulista",)) if each.name == case)
    assert isinstance(script, Script)
    expected = Reference().run(script)
    hands = enumerate(script.hands)
    places = [Position(0, at, number) for at, hand in hands for number in range(-1, len(hand.actions))]
    for key in ("", "acting"):
        in_order = [deciding(script, expected, at, key) for at in places]
        assert in_order == [deciding(script, expected, at, key) for at in reversed(places)][::-1]
        assert sum(bool(each.statements) for each in in_order) > len(places) / 2


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({}, ("pass-deal", "begin-play")),
        ({"tied-hand": "nobody", "tied-redeal": "same"}, ("same-dealer", "begin-play")),
    ],
)
def test_who_acts_first_in_a_further_hand_is_decided_by_the_rule_of_who_deals(
    options: dict[str, str], rules: tuple[str, ...]
) -> None:
    cards = {"P0": ("3C", "2C", "6B"), "P1": ("3O", "2O", "6E")}
    moves = (f"{player} {cards[player][trick]}" for trick in range(3) for player in cards)
    hands = (HandScript(cards, tuple(map(action_of, moves))), HandScript({}, ()))
    script = Script("argentino", options, ("P0", "P1"), (("P0",), ("P1",)), "P1", {}, "strict", hands)
    assert deciding(script, Reference().run(script), Position(0, 1, START), "acting").rules == rules


@pytest.mark.parametrize(("seat", "card", "clause"), SEEING)
def test_a_card_that_is_hidden_or_seen_cites_who_sees_its_place_or_else_what_laid_it_there(
    seat: str, card: str, clause: str
) -> None:
    """Everybody sees the turned card, and nothing but the rule that turned it says so."""
    deal = {"P1": ("3C", "4D", "7S"), "P0": ("2H", "QS", "QD"), "vira": ("5H",)}
    hand = HandScript(deal, (ScriptAction("P1", "P1 3C", play="3C"),))
    script = Script("paulista", {}, ("P0", "P1"), (("P0",), ("P1",)), "P0", {}, "strict", (hand,))
    whole = filling.completed(script)
    assert isinstance(whole, Script)
    decided = seeing(whole, Reference().run(whole), Position(0, 0, 0), card, seat)
    assert clause in [name for _, name in decided.cites(load("paulista", players="2"))]


# ---- clauses of one statement that bear on different positions -----------------------------------------


def decided(instance: Instance) -> Iterator[tuple[Graph, Decided]]:
    """What decides each question of a case."""
    plan = ready.whole(instance)
    for check in plan.checks:
        script = plan.requests[check.at.script]
        if isinstance(script, Script) and not isinstance(check, MustSee | MustOffer):
            key = check.key if isinstance(check, MustShow) else ""
            yield filling.script_graph(script), deciding(script, Reference().run(script), check.at, key)


def named(cites: Iterable[Cite]) -> set[str]:
    return {f"{cite.source}:{cite.clause}" for cite in cites}


@pytest.mark.parametrize(
    ("case", "clause", "other"),
    [
        ("pagat-two-lead-01", "pagat:mineiro.trick.winner-leads-second", "pagat:mineiro.trick.winner-leads-third"),
        ("pagat-two-lead-02", "pagat:mineiro.trick.winner-leads-third", ""),
        ("pagat-inherited-truco-05", "pagat:mineiro.truco.run-away-gives-one", ""),
        (
            "wikipedia-envido-refused-01",
            "wikipedia:argentino.envido-refused-plain",
            "wikipedia:argentino.envido-refused-raised",
        ),
        (
            "wikipedia-envido-refused-05",
            "wikipedia:argentino.envido-refused-raised",
            "wikipedia:argentino.envido-refused-plain",
        ),
        ("wikipedia-envido-answers-03", "wikipedia:argentino.falta-answer-set", "wikipedia:argentino.real-answer-set"),
        ("wikipedia-said-02", "wikipedia:argentino.envido-real", "wikipedia:argentino.falta-answer-set"),
        ("wikipedia-contraflor-01", "wikipedia:argentino.contraflor", "wikipedia:argentino.contraflor-resto"),
        ("wikipedia-contraflor-resto-02", "wikipedia:argentino.contraflor-resto", "wikipedia:argentino.contraflor"),
        ("wikipedia-contraflor-08", "wikipedia:argentino.contraflor-achico", "wikipedia:argentino.resto-achico"),
        ("wikipedia-contraflor-resto-13", "wikipedia:argentino.resto-achico", "wikipedia:argentino.contraflor-achico"),
    ],
)
def test_of_clauses_that_exclude_each_other_the_one_that_bears_is_cited(case: str, clause: str, other: str) -> None:
    told = [named(made.cited(graph)) for graph, made in decided(chosen(names=[case])[0])]
    assert any(clause in cites for cites in told)
    assert not any(other in cites for cites in told)


@pytest.fixture(scope="module")
def conditional() -> dict[str, set[str]]:
    """The cases that test a clause which is cited of some positions only, with those clauses."""
    placed = {
        f"{cite.source}:{cite.clause}"
        for name in variant_names()
        for _, _, source in load(name).cites
        for cite in source.cites
        if cite.where
    }
    return {case.id: placed.intersection(case.clauses) for case in load_cases() if placed & {*case.clauses}}


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_where_a_case_tests_a_clause_that_clause_bears(part: int, conditional: dict[str, set[str]]) -> None:
    """The places of citations agree with the cases, which were worked out from the clauses.

    What is asked by a list of all that may be said is decided by no single move.
    """
    for case in sorted(conditional)[part::PARTS]:
        for instance in chosen(names=[case]):
            if any(isinstance(check, MustOffer) for check in ready.whole(instance).checks):
                continue
            made = list(decided(instance))
            cited = {n for graph, d in made for source in d.sources(graph).values() for n in named(source.cites)}
            bearing = {n for graph, d in made for n in named(d.cited(graph))}
            assert conditional[case] & cited <= bearing, case


@pytest.mark.parametrize("clause", ["pagat:mineiro.no-such-clause", "own:article-1"])
def test_a_clause_that_no_case_cites_may_bear_on_any_game(clause: str) -> None:
    assert playable(clause, {}, 2)

"""Fuzz looks at how an implementation deals by itself: counts, cards that come twice, the pack, and chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from dealers import Change, Dealer, Own, always_the_same, no_fours, used_up

from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus, ready
from truco_spec.conformance.corpus.cases import Case, Deals, DealsOf
from truco_spec.conformance.corpus.filling import pack_of, unsound
from truco_spec.conformance.corpus.protocol import Deal, Introduction, OwnDeals
from truco_spec.conformance.fuzz.findings import cases_of, text_of_outcome
from truco_spec.conformance.fuzz.fuzz import TIMES, DealFault, FuzzOutcome, deal_fault, fuzz
from truco_spec.conformance.fuzz.rounds import Job
from truco_spec.conformance.runner import runner

PLAYERS = ("P0", "P1", "P2", "P3")


@cache
def shipped() -> tuple[Case, ...]:
    return corpus.load()


def fault(one: Callable[[], Dealer], variant: str = "paulista", players: int = 4) -> DealFault | None:
    return deal_fault(OwnDeals(variant, {}, PLAYERS[:players], "P0", TIMES, 1, match=True), one)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("variant", "players"), [("paulista", 2), ("mineiro", 4), ("uruguayo", 4), ("argentino", 2)])
def test_the_reference_engine_deals_by_its_own_rules(variant: str, players: int) -> None:
    assert fault(lambda: Dealer(variant=variant), variant, players) is None


def twice(deals: Own) -> None:
    deals[6]["vira"] = deals[6]["P1"][:1]


def too_few(deals: Own) -> None:
    deals[3]["P2"] = deals[3]["P2"][:2]


def no_vira(deals: Own) -> None:
    del deals[0]["vira"]


def stranger(deals: Own) -> None:
    deals[1]["P0"] = ("8C", *deals[1]["P0"][1:])


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "times", "expected", "got"),
    [
        (twice, 7, "no card is in two places", "deal 7: "),
        (too_few, 4, "number of cards: P0 3, P1 3, P2 3, P3 3, vira 1", "deal 4: "),
        (no_vira, 1, "vira 1", "deal 1: "),
        (stranger, 2, "cards of this pack of 40", "deal 2: 8C"),
    ],
)
def test_what_no_pack_allows_is_found_in_the_first_deal_that_shows_it(
    change: Change, times: int, expected: str, got: str
) -> None:
    found = fault(lambda: Dealer(change))
    assert found is not None
    assert (found.kind, found.request.times, found.repeatable) == ("deal", times, True)
    assert expected in found.expected
    assert got in found.got


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    ("change", "expected", "got"),
    [
        (no_fours, "a pack of 40 cards", "36 different cards; never 4C, 4D, 4H, 4S"),
        (used_up, "the pack is whole before each deal", "share none"),
        (always_the_same, "the cards are shuffled before each deal", "deals are the same"),
    ],
)
def test_what_no_honest_pack_brings_about_is_found_in_all_deals_together(
    change: Change, expected: str, got: str, players: int
) -> None:
    found = fault(lambda: Dealer(change), "paulista", players)
    assert found is not None
    assert (found.kind, found.case, found.repeatable) == ("deal", True, True)
    assert expected in found.expected
    assert got in found.got


def favours(deals: Own) -> None:
    for deal in deals[::3]:
        held = [key for key, cards in deal.items() if "4C" in cards]
        for key in held:
            deal[key] = tuple(deal["vira"][0] if card == "4C" else card for card in deal[key])
        deal["vira"] = ("4C",)


@pytest.mark.sample(1)
@pytest.mark.parametrize("change", [used_up, always_the_same])
@pytest.mark.parametrize(("case", "variant"), [("pagat-pack-04", "mineiro"), ("pagat-pack-05", "paulista")])
def test_the_corpus_asks_for_the_hands_of_one_match(change: Change, case: str, variant: str) -> None:
    (instance,) = [each for found in shipped() if found.id == case for each in corpus.instances(found)]
    result = runner.play(instance, Dealer(change, variant))
    assert result.verdict == "fail"


@pytest.mark.long
def test_every_case_of_own_deals_asks_for_enough_of_them_to_miss_a_card() -> None:
    cases = [case for case in shipped() for step in case.entry.moves if isinstance(step, Deals)]
    assert cases
    for case in cases:
        for instance in corpus.instances(case):
            request = ready.as_written(instance).requests[0]
            assert isinstance(request, OwnDeals)
            lost = min(pack_of(request))
            deals = [
                {place: tuple(card for card in held if card != lost) for place, held in deal.items()}
                for deal in Reference().deal(request)
            ]
            found = unsound(deals, DealsOf(request.times, {}, len(pack_of(request))), pack_of(request))
            assert found is not None and lost in found.got, instance.name


@pytest.mark.long
def test_who_favours_a_card_is_found_and_who_has_no_seed_is_not_asked_for_chance() -> None:
    found = fault(lambda: Dealer(favours))
    assert found is not None
    assert (found.kind, found.expected) == ("chance", "4C comes to vira in about 12 of 500 deals")
    chance = random.Random(1)

    def unseeded(deals: Own) -> None:
        favours(deals)
        chance.shuffle(deals)

    assert fault(lambda: Dealer(unseeded)) is None


@pytest.mark.long
def test_what_comes_only_once_is_told_to_be_so() -> None:
    made: list[Dealer] = []

    def one() -> Dealer:
        made.append(Dealer((lambda deals: None) if made else twice))
        return made[-1]

    found = fault(one)
    assert found is not None
    assert not found.repeatable


def test_a_dealer_who_gives_no_answer_is_found() -> None:
    class Mute(Dealer):
        def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
            raise Broken("crash", "It gave no answer: it ended with exit status 3.", log="no cards")

    found = fault(Mute)
    assert found is not None
    assert (found.kind, found.got, found.log, found.case) == (
        "crash",
        "It gave no answer: it ended with exit status 3.",
        "no cards",
        False,
    )


def outcome(one: Callable[[], Dealer]) -> FuzzOutcome:
    return fuzz(Job(one, "paulista", 2, {}, 1, 3))


@pytest.mark.long
def test_the_report_tells_it_with_clauses_and_a_case_that_is_true(tmp_path: Path) -> None:
    found = outcome(lambda: Dealer(twice))
    assert (found.wrong, found.found) == (1, ())
    text = text_of_outcome(found, 1)
    for part in (
        "pagat:paulista.vira-turned-after-deal",
        "no card is in two places",
        "7 deals of its own",
        "1 kind of",
    ):
        assert part in text
    ((name, case),) = cases_of(found, 1).items()
    path = tmp_path / f"{name}.yaml"
    path.write_text(case, encoding="utf-8")
    (instance,) = corpus.instances(corpus.load([path])[0])
    assert runner.play(instance, Reference()).verdict == "pass"
    assert runner.play(instance, Dealer(twice)).verdict == "fail"


def test_a_fault_of_chance_is_told_without_a_case() -> None:
    found = outcome(lambda: Dealer(favours))
    assert cases_of(found, 1) == {}
    assert "its own deals: chance" in text_of_outcome(found, 1)


def test_who_does_not_show_deals_is_not_asked_for_them() -> None:
    class Hidden(Dealer):
        def hello(self) -> Introduction:
            return Introduction("hidden", "1", {self.variant: self.plays}, ("stake",))

        def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
            raise AssertionError

    assert outcome(Hidden).deals is None

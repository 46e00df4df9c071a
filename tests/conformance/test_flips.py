"""No expectation of a case is vacuous: turned into its contrary it fails on the reference engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import instances

from bench.flips import Figures, contraries, figures_of
from truco_spec.base.shipped import variant_names
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus, ready
from truco_spec.conformance.corpus.cases import Instance, View
from truco_spec.conformance.corpus.protocol import (
    MustOffer,
    MustPermit,
    MustRefuse,
    MustSee,
    MustShow,
    Position,
    Script,
)
from truco_spec.conformance.runner import deciding

AT = Position(0, 0, 0)


def every() -> list[Instance]:
    return [instance for case in corpus.load() for instance in corpus.instances(case)]


def noticed(figures: Figures) -> None:
    assert not figures.unnoticed, "\n".join(map(str, figures.unnoticed))
    assert figures.flips > figures.expectations > figures.cases


@pytest.mark.sample(0, long=4)
@pytest.mark.parametrize("variant", variant_names())
def test_every_expectation_is_noticed_when_it_is_turned_round(variant: str) -> None:
    noticed(figures_of(corpus.load_instances(variant)))


def test_the_contrary_of_refused_is_allowed() -> None:
    assert list(contraries(MustRefuse(AT, None), None)) == [MustPermit(AT, True)]
    assert list(contraries(MustPermit(AT, False), None)) == [MustRefuse(AT, None)]
    other = {check.because for check in contraries(MustRefuse(AT, "not-now"), None) if isinstance(check, MustRefuse)}
    assert other == {"not-held", "not-offered"}  # neither its turn nor its time: not told apart


def test_the_contrary_of_what_may_be_done_is_one_more_or_one_less() -> None:
    found = [check.texts for check in contraries(MustOffer(AT, "P1", ("cards", "truco")), None)]  # type: ignore[union-attr]
    assert found == [("truco",), ("cards",), ("cards", "truco", "no-such-word")]


def test_the_contrary_of_a_card_that_is_seen_is_one_that_is_hidden() -> None:
    found = list(contraries(MustSee(AT, "P1", ("3C",), ("2C",)), None))
    assert found == [MustSee(AT, "P1", (), ("3C",)), MustSee(AT, "P1", ("2C",), ())]


def test_an_expectation_without_a_contrary_says_nothing(tmp_path: Path) -> None:
    (instance,) = instances(
        tmp_path,
        """
  - id: own-umpire-1
    title: Before an umpire a word that nobody offers comes to nothing
    clauses: [paulista.dirty-deck]
    level: must
    mode: umpire
    moves: [P1 corro, expect: {hand: null}]
""",
    )
    (found, *_) = figures_of([instance]).unnoticed
    assert isinstance(found.check, MustShow)
    assert found.contrary is not None
    assert "cases.yaml:6: own-umpire-1: hand: None (hand 1 action 1) passes as hand: P0" in str(found)


def test_what_a_seat_could_see_is_the_same_whatever_was_asked_before() -> None:
    (instance,) = corpus.instances(next(case for case in corpus.load() if case.id == "nowadays-two-tie-05"))
    script = ready.as_written(instance).requests[0]
    assert isinstance(script, Script)
    expected = Reference().run(script)
    asked = [(Position(0, 0, n), seat) for n in range(-1, len(script.hands[0].actions)) for seat in script.players]
    alone = []
    for at, seat in asked:
        deciding._played_last.clear()
        alone.append(deciding.could_see(script, expected, at, seat))
    assert [deciding.could_see(script, expected, at, seat) for at, seat in asked] == alone
    assert alone[0] < alone[-len(script.players)]


@pytest.mark.long
def test_what_a_case_hides_was_never_visible_in_the_hand() -> None:
    reference, asked = Reference(), 0
    hiding = [i for i in every() if any(isinstance(step, View) and step.view.hides for step in i.case.entry.moves)]
    for instance in hiding:
        plan = ready.as_written(instance)
        for check in (c for c in plan.checks if isinstance(c, MustSee) and c.hides):
            script = plan.requests[check.at.script]
            assert isinstance(script, Script)
            remembered = deciding.could_see(script, reference.run(script), check.at, check.seat)
            assert not remembered & {*check.hides}, instance.name
            asked += 1
    assert asked > 400

"""An honest implementation is accused of nothing for its habits, and a fault shows in spite of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from habits import (
    Habit,
    adapter,
    announces,
    books_at_once,
    books_late,
    everybody_acts,
    implicit,
    one_until_chosen,
    pays_one_more,
    pays_the_other_side,
    remembers,
)

from bench.fits import Miniature
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Introduction, Plays, Script, Seen
from truco_spec.conformance.corpus.vocabulary import truthful
from truco_spec.conformance.fit.fit_report import causes_of
from truco_spec.conformance.fit.hypothesis import Hypothesis
from truco_spec.conformance.fuzz.fuzz import fuzz
from truco_spec.conformance.fuzz.rounds import Job
from truco_spec.conformance.runner import runner

AT_ONCE = Plays((2, 4), itself=implicit("paulista"))
COUNTS = (*implicit("argentino"), "tengo", "paso", "son-buenas")
IN_SPAIN = Plays((2, 4), itself=implicit("argentino"))
TELLS = replace(IN_SPAIN, itself=COUNTS)
TRULY = announces(TELLS.own_words, {"declared-values": "enforced-true"})

HABITS: dict[str, tuple[str, Plays, tuple[Habit, ...]]] = {
    "deals at once": ("paulista", AT_ONCE, ()),
    "calls everybody acting": ("argentino", Plays((2, 4)), (everybody_acts,)),
    "calls everybody acting, and deals at once": (
        "paulista-wp",
        Plays((2, 4), itself=implicit("paulista-wp")),
        (everybody_acts,),
    ),
    "remembers cards": ("paulista", Plays((2, 4)), (remembers,)),
    "says one until the hand is chosen": ("paulista", Plays((2, 4)), (one_until_chosen,)),
    "stops at twelve": ("paulista", Plays((2, 4), always={"score-beyond-target": "cut"}), ()),
    "stops at twelve with four": ("paulista", Plays((2, 4), always={"score-beyond-target": {"4": "cut"}}), ()),
    "wants both partners to run": ("paulista", Plays((2, 4), always={"who-runs": "both"}), ()),
    "gives up unasked": ("paulista", Plays((2, 4), always={"run-unasked": {"2": "team", "4": "player-only"}}), ()),
    "gives three ties to the mano": ("paulista", Plays((2, 4), always={"tied-hand": "mano"}), ()),
    "counts 3 at eleven to eleven": ("paulista", Plays((2, 4), always={"iron-value": "3"}), ()),
    "books late": ("argentino", replace(IN_SPAIN, late=("score",)), (books_late,)),
    "books flores at once": ("argentino", IN_SPAIN, (books_at_once(IN_SPAIN.own_words),)),
    "tells counts by itself": ("argentino", TELLS, (TRULY,)),
}
"""Variant, what it says of itself, and what it does."""
each = pytest.mark.parametrize("name", HABITS)


@cache
def cases(variant: str) -> tuple[Instance, ...]:
    return chosen(corpus.load(), variants=[variant])


@pytest.mark.sample(0, long=3)
@each
def test_a_habit_fails_no_case(name: str) -> None:
    variant, plays, habits = HABITS[name]
    results = runner.run(cases(variant), adapter(variant, plays, *habits))
    assert [
        result.instance.name for result in results if result.verdict not in ("pass", "unsupported", "unobserved")
    ] == []
    assert sum(result.verdict == "pass" for result in results) > 50


@pytest.mark.sample(0, long=2)
@each
def test_a_habit_shows_no_difference_in_random_hands(name: str) -> None:
    variant, plays, habits = HABITS[name]
    for players in plays.players:
        found = fuzz(Job(lambda: adapter(variant, plays, *habits), variant, players, {}, 5, 60)).found
        assert [each.minimal.failure for each in found] == []


@pytest.mark.sample(0, long=2)
@each
def test_a_habit_hides_no_fault(name: str) -> None:
    variant, plays, habits = HABITS[name]
    results = runner.run(cases(variant), adapter(variant, plays, *habits, pays_one_more))
    assert sum(result.verdict == "fail" for result in results) > 20


@pytest.mark.long
@pytest.mark.parametrize("name", ["deals at once", "books flores at once"])
def test_random_hands_show_a_fault_in_spite_of_a_habit(name: str) -> None:
    variant, plays, habits = HABITS[name]
    found = fuzz(Job(lambda: adapter(variant, plays, *habits, pays_one_more), variant, 2, {}, 5, 20)).found
    assert "score" in {each.minimal.failure.kind for each in found}


@pytest.mark.long
def test_who_tells_counts_and_pays_the_envido_to_the_wrong_side_is_found() -> None:
    """No case asks such an engine for a false count; those that true counts decide are put to it."""
    fault = pays_the_other_side(TELLS.own_words)
    results = runner.run(cases("argentino"), adapter("argentino", TELLS, TRULY, fault))
    assert sum(result.verdict == "fail" for result in results) > 20
    found = fuzz(Job(lambda: adapter("argentino", TELLS, TRULY, fault), "argentino", 2, {}, 5, 60)).found
    assert "score" in {each.minimal.failure.kind for each in found}


@pytest.mark.long
def test_a_word_that_it_says_by_itself_is_true_and_another_that_is_said_may_be_false() -> None:
    plain = Introduction("it", "1", {"argentino": Plays((2,), itself=("callo",))}, ())
    assert truthful(plain) == plain
    told = truthful(replace(plain, variants={"argentino": TELLS, "nobody": TELLS, "uruguayo": TELLS}))
    assert {name: plays.always for name, plays in told.variants.items()} == {
        "argentino": {"declared-values": "enforced-true"},
        "nobody": {},
        "uruguayo": {"declared-values": "enforced-true"},
    }
    claimed = replace(TELLS, always={"declared-values": "may-lie-checked-at-showing"})
    assert truthful(replace(plain, variants={"argentino": claimed})).variants["argentino"] == claimed


# ---- the acts of the deal -------------------------------------------------------------------------

OMITS = ("sobe",)  # nobody says from which end it deals


def failing(plays: Plays, *habits: Habit) -> list[str]:
    """The cases that an engine fails which deals at once, and has nothing of the acts of the deal."""
    engine = adapter("paulista", plays, *habits, deaf=(*implicit("paulista"), *OMITS))
    results = runner.run(cases("paulista"), engine)
    assert sum(result.verdict == "pass" for result in results) > 100
    return [result.name for result in results if result.verdict == "fail"]


@pytest.mark.long
def test_who_says_nothing_of_the_deal_is_not_judged_by_it_but_by_all_else() -> None:
    silent = Plays((2, 4), omits=OMITS)
    assert failing(silent) == []
    assert len(failing(silent, pays_one_more)) > 20


@pytest.mark.long
def test_who_says_that_nothing_is_its_own_is_judged_by_the_deal() -> None:
    assert len(failing(Plays((2, 4), omits=OMITS, itself=()))) > 50


class CountsAtOnce(Miniature):
    """It counts all hands once an envido is accepted, and knows no word for it."""

    def run(self, script: Script) -> Seen:
        hands = []
        for hand, told in zip(script.hands, super().run(script), strict=True):
            seen = [dict(entry) for entry in told.seen]
            for at in range(len(seen) - 1, 0, -1):
                if hand.actions[at].word in COUNTS:
                    if not seen[at].get("refused"):
                        seen[at - 1] = seen[at]
                    seen[at] = {"refused": "not-offered"}
            hands.append(replace(told, seen=tuple(seen)))
        return tuple(hands)


def test_who_says_words_by_itself_and_refuses_them_is_told_what_hello_lacks() -> None:
    """In one of the scripts play goes on behind the counts, which shows that they were told."""
    cases = chosen(variants=("argentino",), players=2)
    engine = CountsAtOnce(Hypothesis("argentino", 2), ("acting", "score", "hand"))
    told = [case for case in cases if case.name.startswith(("wikipedia-declaring-", "wikipedia-contraflor-resto-"))]
    (claimed,) = (cause for cause in causes_of(runner.run(told, engine), engine.hello()) if cause.claim)
    assert claimed.sentence == "It says “paso”, “son-buenas”, “tengo” by itself"

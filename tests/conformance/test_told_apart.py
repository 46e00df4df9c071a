"""Explanations that are equal on all that was asked are told apart by a hand in which they part."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_fit import PAULISTA, FixedSeat, changed, replies_of

from bench.fits import Miniature, same_game
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Script, Seen
from truco_spec.conformance.corpus.ready import whole
from truco_spec.conformance.fit.apart import Rivals, seats_moved
from truco_spec.conformance.fit.evidence import Evidence, Reply, setting_of, steady
from truco_spec.conformance.fit.fit import Search
from truco_spec.conformance.fit.fit_result import Fit, FitCause
from truco_spec.conformance.fit.how_far import AGREES
from truco_spec.conformance.fit.hypothesis import Hypothesis, begin, compared
from truco_spec.conformance.fit.trying import THOROUGH

NO_COUNTER = PAULISTA.under("counter-as-answer", "off")
OTHER_WORD = replace(PAULISTA, changes=(changed("truco.counter", "“2” in place of “1”"),))
"""The answer to truco is nove, and never seis: until somebody says nove it looks as if no raise were an answer."""
NEVER_LATER = replace(PAULISTA, changes=(changed("truco.later", "left out"),))


def of_raises() -> Evidence:
    """What the engine with the wrong word answers to some cases, in none of which nove answers truco."""
    evidence = replies_of(Miniature(OTHER_WORD), 60)
    said = ("raise-01", "raise-02", "raise-03", "raise-05", "rank-01")
    evidence.replies = [reply for reply in evidence.replies if reply.name.endswith(said)]
    return evidence


def test_explanations_part_in_some_hand_and_the_answer_drops_one() -> None:
    evidence = of_raises()
    rivals = Rivals(evidence, {"option": NO_COUNTER, "rule": OTHER_WORD})
    script = next(rivals.partings())
    rivals.take(Reply("asked", script, Miniature(OTHER_WORD).run(script)))
    assert list(rivals.left) == ["rule"]
    assert next(rivals.partings(), None) is None


def test_no_more_hands_are_played_than_there_may_be_and_it_is_told_that_they_were_too_few() -> None:
    rivals = Rivals(of_raises(), {"one": PAULISTA, "other": PAULISTA}, most=3)
    assert not list(rivals.partings())
    assert rivals.hands == 3
    assert rivals.cut_short


def test_an_answer_that_neither_explains_drops_none() -> None:
    evidence = of_raises()
    rivals = Rivals(evidence, {"option": NO_COUNTER, "rule": OTHER_WORD})
    script = next(rivals.partings())
    seen = tuple(replace(hand, start={**hand.start, "stake": 7}) for hand in Miniature(OTHER_WORD).run(script))
    rivals.take(Reply("asked", script, seen))
    assert list(rivals.left) == ["option", "rule"]


@pytest.mark.long
def test_another_value_of_an_option_that_explains_just_the_same_is_asked_for_too() -> None:
    """In the case the leader wins the falta, above the malas: whose lack it is in the malas is not shown."""
    plain = Hypothesis("argentino", 2)
    engine = Miniature(plain.under("falta-basis", "leader"))
    (instance,) = chosen(variants=("argentino",), names=("wikipedia-falta-05",))
    (script,) = whole(instance).requests
    assert isinstance(script, Script)
    introduction = engine.hello()
    reply = Reply("falta", script, engine.run(script))
    evidence = Evidence(introduction, setting_of(introduction, "argentino", 2, {}), [reply])
    begin(evidence, {})
    search, value = Search(evidence, None, ask=engine.run), ("falta-basis", "winner-in-malas")
    differs = compared(plain, 0).differs
    assert differs is not None
    search.now = plain.under(*value)
    search.reach = [AGREES]
    cause = FitCause((0,), 0, differs, *value)
    (left,) = search.told_apart(Fit(evidence, search.now, options=[cause])).options
    assert "falta-basis=leader" in (f"{left.option}={left.value}", *left.other_values)


@pytest.mark.long
def test_what_no_hand_tells_apart_is_one_game() -> None:
    evidence = of_raises()
    assert same_game(PAULISTA.under("raising", "at-once"), NEVER_LATER, evidence)
    assert not same_game(NO_COUNTER, OTHER_WORD, evidence)


@pytest.mark.long
def test_a_fault_that_looks_like_an_option_is_named_once_it_is_asked() -> None:
    def found(*, asking: bool) -> tuple[list[str], list[str]]:
        evidence = of_raises()
        begin(evidence, {})
        fit = Search(evidence, None, ask=Miniature(OTHER_WORD).run if asking else None).fit()
        assert bool(fit.asked) == asking
        assert not fit.unexplained
        return [each.option for each in fit.options], [fit.mutants[each.mutant].statement.name for each in fit.causes]

    assert found(asking=False) == (["counter-as-answer"], [])
    assert found(asking=True) == ([], ["truco.counter"])


@pytest.mark.long
@pytest.mark.parametrize(
    ("engine", "named"),
    [(FixedSeat(), []), (Miniature(PAULISTA.under("tied-hand", "dealer")), ["tied-hand=dealer"])],
    ids=["one seat", "the dealer"],
)
def test_what_one_seat_has_whoever_deals_is_no_option(engine: Reference, named: list[str]) -> None:
    """In the case the dealer is that seat; it is asked again with the next one in its place."""
    evidence = replies_of(engine)
    evidence.replies = [reply for reply in evidence.replies if reply.name == "pagat-elsewhere-mano-01"]
    begin(evidence, {})
    fit = Search(evidence, None, effort=replace(THOROUGH, changes=1, guesses=1), ask=engine.run).fit()
    assert [f"{cause.option}={cause.value}" for cause in fit.options] == named
    assert bool(fit.unexplained) == (not named)


@pytest.mark.long
@pytest.mark.parametrize("elsewhere", [PAULISTA, OTHER_WORD], ids=["there alone", "always"])
def test_what_explains_one_script_is_named_only_if_further_hands_do_not_speak_against_it(elsewhere: Hypothesis) -> None:
    evidence = of_raises()
    evidence.replies = [reply for reply in evidence.replies if reply.name.endswith("raise-01")]
    begin(evidence, {})
    known = [script for reply in evidence.replies for script in (reply.script, seats_moved(reply.script))]

    def ask(script: Script) -> Seen:
        return Miniature(OTHER_WORD if script in known else elsewhere).run(script)

    fit = Search(evidence, None, ask=ask).fit()
    assert bool(fit.options or fit.causes) == (elsewhere is OTHER_WORD)


def test_a_script_with_the_seats_moved_is_the_same_game() -> None:
    (script,) = (r.script for r in replies_of(Miniature(PAULISTA)).replies if r.name == "pagat-elsewhere-mano-01")
    moved = seats_moved(script)
    assert moved.dealer != script.dealer and moved.hands != script.hands
    assert seats_moved(moved) == script  # of two
    told, again = ([hand.seen[-1]["hand"] for hand in Reference().run(each)] for each in (script, moved))
    assert (told, again) == (["drawn"], ["drawn"])


def test_an_answer_counts_if_it_comes_twice() -> None:
    class Odd(Miniature):
        times = 0

        def run(self, script: Script) -> Seen:
            self.times += 1
            if self.times == 4:
                raise Broken("crash", "gone")
            seen = super().run(script)
            return tuple(replace(hand, start={"stake": self.times}) for hand in seen)

    script = of_raises().replies[0].script
    assert steady(Miniature(PAULISTA), script) == Miniature(PAULISTA).run(script)
    odd = Odd(PAULISTA)
    assert steady(odd, script) is None  # another answer
    assert steady(odd, script) is None  # no answer

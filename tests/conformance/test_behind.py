"""A cause that was found is assumed in the hands that are played then, and hides nothing there."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from bench.fits import Miniature
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.protocol import Plays, Position, Script, Seen
from truco_spec.conformance.fit.fit_report import explain_hands
from truco_spec.conformance.fit.fit_result import FitCause
from truco_spec.conformance.fit.hypothesis import Hypothesis, Mismatch, mutants_of_variant
from truco_spec.conformance.fuzz.findings import cases_of, text_of_outcome
from truco_spec.conformance.fuzz.fuzz import FuzzOutcome, fuzz
from truco_spec.conformance.fuzz.generator import Generator, Setting
from truco_spec.conformance.fuzz.rounds import Ask, Assumed, Explain, Job, Named
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.verdicts import CauseReport

PAULISTA = Hypothesis("paulista", 2)


def change(text: str) -> int:
    """The number of a change of the rules of Paulista."""
    return next(number for number, mutant in enumerate(mutants_of_variant("paulista")) if str(mutant) == text)


EARLY = change("define truco.stake: “1” in place of “0”")  # from the first action on a hand is worth something else
LATE = change("rule truco.later: left out")


def knowing(cause: FitCause, report: CauseReport) -> Explain:
    """Explains everything that fails by this cause, till it is assumed."""

    def explain(
        assumed: Assumed, players: int, failed: Named, right: Named, *, ask: Ask | None
    ) -> Sequence[tuple[CauseReport, FitCause]]:
        known = cause.mutant in assumed.changes or (cause.option, cause.value) in assumed.options
        return [] if known else [(replace(report, cases=tuple(failed)), cause)]

    return explain


SHOWN = Mismatch(Position(0, 0, 0), None, "", "")
REPORT = CauseReport("It plays otherwise", "paulista", 2, (), 0, (), "", "", "", "")


def changed(number: int) -> Explain:
    return knowing(FitCause((), 0, SHOWN, mutant=number), replace(REPORT, change="otherwise"))


def campaign(explain: Explain | None, *changes: int, hands: int = 100) -> FuzzOutcome:
    engine = partial(Miniature, replace(PAULISTA, changes=changes))
    return fuzz(Job(engine, "paulista", 2, hands=hands), explain=explain)


@cache
def assuming() -> FuzzOutcome:
    return campaign(changed(EARLY), EARLY, LATE)


def blamed(found: FuzzOutcome) -> set[str]:
    return {name for each in found.found for name in each.statements}


@pytest.mark.long
def test_what_lies_behind_a_cause_comes_to_light_in_the_same_number_of_hands() -> None:
    hidden, found = campaign(None, EARLY, LATE), assuming()
    assert found.hands <= hidden.hands + 4  # each part may have a hand more
    assert "truco.later" not in blamed(hidden)
    assert "truco.later" in blamed(found)
    assert "truco.stake" not in blamed(found)


@pytest.mark.long
def test_it_is_told_what_was_assumed_and_from_when_on() -> None:
    text = " ".join(text_of_outcome(assuming(), 1).split())
    (cause,) = assuming().causes
    assert 0 < cause.since < 100
    assert f"assumed from hand {cause.since + 1} on" in text
    assert "as all these causes make them" in text


@pytest.mark.long
def test_what_is_written_as_a_case_is_true_by_the_rules_and_shows_the_fault(tmp_path: Path) -> None:
    written = cases_of(assuming(), 1)
    assert len(written) > 1  # the cause, and something behind it
    engine = Miniature(replace(PAULISTA, changes=(EARLY, LATE)))
    for name, case in written.items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(case, encoding="utf-8")
        (instance,) = corpus.instances(corpus.load([path])[0])
        assert runner.play(instance, Reference()).verdict == "pass"
        assert runner.play(instance, engine).verdict == "fail"


@pytest.mark.long
def test_a_cause_that_the_answers_speak_against_is_not_assumed() -> None:
    """It takes every truco, as the rules say: they are not missing the rule."""
    found = campaign(changed(change("rule truco.open: left out")), EARLY, hands=60)
    assert not found.causes
    assert found.found
    assert all(each.assumed is None for each in found.found)


def one_after_the_other(*causes: tuple[FitCause, CauseReport]) -> Explain:
    """Explains everything that fails by the next of these causes."""
    left = list(causes)

    def explain(
        assumed: Assumed, players: int, failed: Named, right: Named, *, ask: Ask | None
    ) -> Sequence[tuple[CauseReport, FitCause]]:
        cause, report = left.pop(0) if left else (None, REPORT)
        return [] if cause is None else [(replace(report, cases=tuple(failed)), cause)]

    return explain


def valued(name: str, value: str) -> tuple[FitCause, CauseReport]:
    return FitCause((), 0, SHOWN, name, value), replace(REPORT, option=f"{name}={value}")


@pytest.mark.long
def test_more_causes_are_looked_for_when_all_hands_were_played() -> None:
    """So few hands are one round."""
    causes = [(FitCause((), 0, SHOWN, mutant=each), REPORT) for each in (EARLY, LATE)]
    engine = partial(Miniature, replace(PAULISTA, changes=(EARLY, LATE)))
    found = fuzz(Job(engine, "paulista", 2, hands=80), explain=one_after_the_other(*causes))
    assert len(found.causes) == 2
    assert not found.found


@pytest.mark.long
def test_an_option_has_one_value_in_a_report() -> None:
    """A game to 30 agrees further by the rules of one to 15 than by those of one to 12, too."""
    engine = partial(Miniature, PAULISTA.under("target", "30"))
    explain = one_after_the_other(valued("target", "15"), valued("target", "30"))
    found = fuzz(Job(engine, "paulista", 2, hands=200), explain=explain)
    (cause,) = found.causes
    assert cause.cause.option == "target=30"
    assert cause.found.assumed is None  # it is shown by the rules as claimed
    assert not found.found


@pytest.mark.long
def test_a_cause_that_is_needless_beside_a_later_one_is_taken_back() -> None:
    """What an option says is no changed rule, once the option is found."""
    rule = change("rule truco.counter: left out")
    named = FitCause((), 0, SHOWN, mutant=rule), replace(REPORT, change="otherwise")
    engine = partial(Miniature, replace(PAULISTA, changes=(LATE,)).under("counter-as-answer", "off"))
    found = fuzz(
        Job(engine, "paulista", 2, hands=200), explain=one_after_the_other(named, valued("counter-as-answer", "off"))
    )
    assert [each.cause.option for each in found.causes] == ["counter-as-answer=off"]
    assert "truco.later" in blamed(found)


@pytest.mark.long
def test_an_error_is_no_failure_where_the_script_is_no_game_by_what_is_assumed() -> None:
    """Cards that come from the other end of the pack are others, and cannot be dealt as they were asked for."""
    engine = partial(Miniature, PAULISTA.under("deal-end", "top"))
    alone = fuzz(Job(engine, "paulista", 2, hands=100))
    found = fuzz(Job(engine, "paulista", 2, hands=100), explain=one_after_the_other(valued("deal-end", "top")))
    assert "error" in {each.minimal.failure.kind for each in alone.found}
    assert not found.found


def test_a_hand_may_avoid_what_is_known_to_differ() -> None:
    names = frozenset({"truco.open"})
    setting = Setting("paulista", ("P0", "P1"), {}, Plays((2,)))

    def met(avoid: frozenset[str]) -> int:
        generator = Generator(setting, random.Random(1), avoid)
        scripts = [generator.script() for _ in range(40) if generator]
        return sum(any(a.say == "truco" for hand in script.hands for a in hand.actions) for script in scripts)

    assert 0 < met(names) < met(frozenset())


class Offers(Miniature):
    """It offers nobody to run, and to everybody what is no word of the hand yet."""

    def run(self, script: Script) -> Seen:
        def told(entry: Mapping[str, Any]) -> Mapping[str, Any]:
            legal = {
                player: [*(text for text in texts if text != "corro"), *(["seis"] if "truco" in texts else [])]
                for player, texts in entry.get("legal", {}).items()
            }
            return {**entry, "legal": legal} if legal else entry

        return tuple(replace(hand, seen=tuple(map(told, hand.seen))) for hand in super().run(script))


@pytest.mark.long
def test_what_may_be_said_is_told_apart_by_the_word_and_the_rule_of_the_word() -> None:
    engine = partial(Offers, PAULISTA, ("acting", "hand", "legal"))
    found = fuzz(Job(engine, "paulista", 2, hands=30))
    kinds = {(each.minimal.failure.kind, each.minimal.failure.about): each.statements for each in found.found}
    assert {kind for kind, _ in kinds} == {"legal"}
    assert {about for _, about in kinds} == {"corro is missing", "seis is superfluous"}
    assert "truco.refuse" in kinds["legal", "corro is missing"]


@pytest.mark.long
def test_the_search_finds_what_lies_behind_what_it_found() -> None:
    found = campaign(explain_hands, EARLY, LATE, hands=200)
    told = [each.cause.rule or each.cause.option for each in found.causes]
    assert told[0] == "truco.stake"
    assert told[1:] or "truco.later" in blamed(found)


@pytest.mark.campaign
def test_an_option_is_named_that_a_changed_rule_needs() -> None:
    """Without bet=trick no rules are left where the define of what a tie is worth then is changed, too."""
    tricks = change("define trick-bet: “bet is not trick” in place of “bet is trick”")
    later = change("rule truco.later: “place(w) is not truco.level + 1” in place of “place(w) is truco.level + 1”")
    found = campaign(explain_hands, tricks, later, hands=400)
    assert {"bet=trick", "truco.later", "real-tie"} == {each.cause.option or each.cause.rule for each in found.causes}
    assert not found.found


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize(
    ("played", "found"),
    [
        ({"covering": "never", "tied-hand": "dealer"}, {"covering=never"}),
        ({"score-beyond-target": "cut", "iron": "own-seen"}, {"score-beyond-target=cut", "iron=own-seen"}),
    ],
)
def test_an_engine_without_fault_is_accused_of_options_alone(played: dict[str, str], found: set[str]) -> None:
    engine = partial(Miniature, replace(PAULISTA, options=tuple(sorted(played.items()))))
    told = fuzz(Job(engine, "paulista", 2, hands=200), explain=explain_hands)
    assert found <= {each.cause.option for each in told.causes}
    assert all(each.cause.option for each in told.causes)

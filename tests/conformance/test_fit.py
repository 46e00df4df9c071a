"""``fit``: which rules explain what an implementation answers."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from wrong import refused

from bench.fits import OBSERVES, Miniature
from truco_spec.base.shapes import plain, read
from truco_spec.base.words import speaking, translated
from truco_spec.books.book_words import spoken_in
from truco_spec.cli import main
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.filling import as_named, complete
from truco_spec.conformance.corpus.protocol import (
    START,
    Check,
    HandScript,
    HandSeen,
    Introduction,
    MustOffer,
    MustPermit,
    MustSee,
    MustShow,
    Plan,
    Plays,
    Position,
    Script,
    Seen,
    action_of,
)
from truco_spec.conformance.fit import evidence as asking
from truco_spec.conformance.fit.apart import Rivals
from truco_spec.conformance.fit.evidence import (
    Evidence,
    Reply,
    as_sent,
    evenly_chosen,
    gather,
    of_cases,
    of_hands,
    setting_of,
    steady,
    without_unsteady,
)
from truco_spec.conformance.fit.fit import Search
from truco_spec.conformance.fit.fit import search as searched
from truco_spec.conformance.fit.fit_report import cause_of, data_of_fit, rule_of, sentence, text_of_fit, to_claim
from truco_spec.conformance.fit.fit_result import Fit, FitCause, candidates_of, plain_hypothesis, ranked
from truco_spec.conformance.fit.habits import with_habits
from truco_spec.conformance.fit.how_far import AGREES, NO_GAME, PER_HAND, reach_in
from truco_spec.conformance.fit.hypothesis import (
    Hypothesis,
    Mismatch,
    begin,
    difference,
    first_difference,
    mutants_of_variant,
    weigh,
)
from truco_spec.conformance.fit.trying import BRIEF, THOROUGH, Effort, is_worth, leads_on
from truco_spec.conformance.fit.weighing import WeighedHypothesis
from truco_spec.conformance.fuzz.trial import MOST_SILENT
from truco_spec.conformance.runner.judge import Finding

PAULISTA, ARGENTINO = Hypothesis("paulista", 2), Hypothesis("argentino", 2)
SAME_DEALER = "without “dealer = next(dealer) if rotation is right else before(dealer)”"


def replies_of(engine: Reference, most: int = 500) -> Evidence:
    """What it answers to the cases of Paulista for two."""
    setting = setting_of(engine.hello(), "paulista", 2, {})
    return gather(engine, setting, list(of_cases(engine.hello(), setting))[:most])


def search_of(engine: Miniature, *groups: str, effort: Effort = THOROUGH) -> Search:
    """A search in what an engine answers to the cases of Argentino for two whose names begin so."""
    setting, begins = setting_of(engine.hello(), "argentino", 2, {}), tuple(f"wikipedia-{group}" for group in groups)
    asked = [each for each in of_cases(engine.hello(), setting) if each[0].startswith(begins)]
    return Search(gather(engine, setting, asked), None, effort=effort)


def changed(name: str, what: str) -> int:
    """The number of a single change."""
    return next(
        number
        for number, mutant in enumerate(mutants_of_variant("paulista"))
        if mutant.statement.name == name and mutant.what == what
    )


class FixedSeat(Reference):
    """The team of one seat has every hand that is tied throughout, whoever deals."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = {who: Miniature(PAULISTA.under("tied-hand", who)) for who in ("dealer", "mano")}

    def hello(self) -> Introduction:
        return self.tables["mano"].hello()

    def run(self, script: Script) -> Seen:
        return self.tables["dealer" if script.dealer == "P0" else "mano"].run(script)


@pytest.mark.long
def test_an_option_is_not_named_that_expects_something_and_is_shown_a_third() -> None:
    """All tied hands but one are dealt by the same seat, as in the cases: so it looks as if the dealer had them."""
    engine = FixedSeat()
    tied = next(each for each in replies_of(engine).replies if each.name == "pagat-elsewhere-mano-01").script
    text = json.dumps(plain(tied))
    other = read(json.loads(re.sub("P[01]", lambda seat: {"P0": "P1", "P1": "P0"}[seat[0]], text)), Script)
    setting, effort = setting_of(engine.hello(), "paulista", 2, {}), replace(THOROUGH, changes=1, guesses=1)

    def options(*scripts: Script) -> list[str]:
        evidence = gather(engine, setting, [("tied", frozenset(), script) for script in scripts])
        begin(evidence, {})
        return [f"{cause.option}={cause.value}" for cause in Search(evidence, None, effort=effort).explained().options]

    assert options(tied) == ["tied-hand=dealer"]
    assert not options(tied, other)


@pytest.mark.long
def test_a_clause_is_told_once_that_an_option_cites_and_departs_from() -> None:
    engine = Miniature(PAULISTA.under("run-unasked", "team"))
    about = [each for each in of_cases(engine.hello(), setting_of(engine.hello(), "paulista", 2, {})) if each[1]]
    evidence = gather(engine, setting_of(engine.hello(), "paulista", 2, {}), about)
    begin(evidence, {})
    (cause,) = (fit := Search(evidence, None, effort=BRIEF).explained()).options
    told = cause_of(fit, cause, (), 0).clauses
    assert "pagat:mineiro.truco.three-replies" in told
    assert len(told) == len({*told})


class Owing(Miniature):
    """Whatever is raised, the hand is worth less than nothing."""

    def run(self, script: Script) -> Seen:
        return tuple(
            replace(hand, seen=tuple({**each, "stake": -1} for each in hand.seen)) for hand in super().run(script)
        )


def test_a_number_below_zero_that_is_shown_is_of_no_rule() -> None:
    evidence = replies_of(Owing(PAULISTA))
    assert not list(Search(evidence, None, effort=BRIEF)._constants())


class WantsCards(Miniature):
    """It breaks where somebody has no cards, as adapters do."""

    def run(self, script: Script) -> Seen:
        if not all(hand.deal.keys() >= {*script.players} for hand in script.hands):
            raise Broken("error", "KeyError: 'P0'")
        return super().run(script)


def test_a_hand_for_which_somebody_has_no_cards_is_not_said_to_have_no_answer() -> None:
    engine = WantsCards(Hypothesis("mineiro", 4))
    setting = setting_of(engine.hello(), "mineiro", 4, {})
    asked = [each for each in of_cases(engine.hello(), setting) if each[0] == "pagat-short-game-24"]
    assert any(not hand.deal for _, _, script in asked for hand in script.hands)
    assert not gather(engine, setting, asked).silent


# ---- what is asked -------------------------------------------------------------------------------


def test_the_reference_agrees_with_every_case() -> None:
    evidence = replies_of(Miniature(PAULISTA))
    assert len(evidence.replies) > 40
    begin(evidence, {})
    assert set(weigh(PAULISTA, range(len(evidence.replies)))) == {AGREES}


def test_no_script_is_asked_twice() -> None:
    scripts = [reply.script for reply in replies_of(Miniature(PAULISTA)).replies]
    assert len(scripts) == len({repr(script) for script in scripts})


def test_hands_are_played_under_other_values_of_options_and_asked_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Miniature(PAULISTA)
    setting = setting_of(engine.hello(), "paulista", 2, {})
    values = [("covering", "never"), ("tied-redeal", "same")]
    monkeypatch.setattr(asking, "other_values", lambda base: values)
    found = list(of_hands(setting, 3, 1, None))
    assert [name for name, _, _ in found[:3]] == ["hand 1", "hand 2", "hand 3"]
    assert {about for _, about, _ in found[3:]} <= {frozenset({"covering"}), frozenset({"tied-redeal"})}
    assert any("covering" in about for _, about, _ in found)
    with speaking(spoken_in("pt")):
        said = [translated(name) for name, _, _ in found]
    assert said[0] == "mão 1"
    assert "covering=never, mão 1" in said
    assert all(not script.options for _, _, script in found)


def test_a_hand_under_another_way_to_deal_is_dealt_as_the_implementation_was_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the rules give players other cards than the script, and an engine that takes the script's is blamed."""
    setting = setting_of(Miniature(PAULISTA).hello(), "paulista", 2, {})
    monkeypatch.setattr(asking, "other_values", lambda base: [("dealing", "simplified"), ("deal-end", "cutter")])
    scripts = [script for seed in range(3) for _, _, script in of_hands(setting, 0, seed, None)]
    for script in scripts:
        for hand, seen in zip(script.hands, Reference().run(script), strict=True):
            for action, entry in zip(hand.actions, seen.seen, strict=True):
                again = any(each.play == action.play for each in hand.actions[: hand.actions.index(action)])
                held = action.play in hand.deal[action.player] and not again
                assert not (held and entry.get("refused") == "not-held"), (script, action)


@pytest.mark.long
def test_a_card_of_another_pack_is_asked_only_where_a_trick_tells_its_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who takes any card into a hand has not that pack."""
    setting = setting_of(Miniature(Hypothesis("mineiro", 4)).hello(), "mineiro", 4, {})
    monkeypatch.setattr(asking, "other_values", lambda base: [("extra-card", "ten-of-clubs")])
    scripts = [script for seed in range(2) for _, _, script in of_hands(setting, 0, seed, None)]
    assert scripts
    for script in scripts:
        seen = Reference().run(replace(script, options={"extra-card": "ten-of-clubs"}))
        (at,) = (n for n, action in enumerate(script.hands[0].actions) if action.play == "TC")
        assert any(entry.get("trick") for entry in seen[0].seen[at:])


@pytest.mark.long
def test_no_score_is_asked_at_which_the_game_as_claimed_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who takes any score, and goes on for ever, would seem to play to another end."""
    setting = setting_of(Miniature(Hypothesis("argentino", 2)).hello(), "argentino", 2, {})
    others = [("ending", "more-points"), ("target-met", "passing"), ("target", "40")]
    monkeypatch.setattr(asking, "other_values", lambda base: others)
    asked = [(about, script) for seed in range(8) for _, about, script in of_hands(setting, 0, seed, None)]
    assert {name for about, _ in asked for name in about} == {name for name, _ in others}
    for _, script in asked:
        assert Reference().run(script)


class TakesAll(Miniature):
    """The card behind those of the hand that begins is its vira, as where an adapter lays out a pack."""

    def run(self, script: Script) -> Seen:
        def laid(hand: HandScript) -> HandScript:
            more = [card for who in script.players for card in hand.deal[who][3:]]
            own = {key: cards[:3] if key in script.players else cards for key, cards in hand.deal.items()}
            return replace(hand, deal={**own, "vira": (*more[:1], *own["vira"])[:1]}) if more else hand

        return super().run(replace(script, hands=tuple(map(laid, script.hands))))


def test_cards_that_come_by_words_it_has_not_are_no_fault_of_who_knows_no_place_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "other_values", lambda base: [("poor-family", "face-down")])
    setting = setting_of(Miniature(PAULISTA).hello(), "paulista", 2, {})
    asked = [each for seed in range(2) for each in of_hands(setting, 0, seed, None)]

    def more(script: Script) -> bool:
        return any(len(hand.deal[who]) > 3 for hand in script.hands for who in script.players)

    assert any(more(script) for _, _, script in asked)
    without, plays = TakesAll(PAULISTA), Miniature(PAULISTA.under("poor-family", "face-down"))
    assert not any(more(reply.script) for reply in gather(without, setting, asked).replies)
    assert any(more(reply.script) for reply in gather(plays, setting, asked).replies)


class Silent(Miniature):
    """It answers nothing, or breaks down."""

    verdict: Any = "timeout"

    def run(self, script: Script) -> Seen:
        raise Broken(self.verdict, "no answer\nof more than one line")


def test_who_answers_nothing_is_not_asked_for_ever() -> None:
    evidence = replies_of(Silent(PAULISTA))
    assert evidence.silent == {"timeout": MOST_SILENT}
    assert not evidence.replies


def test_errors_are_counted_by_their_first_line() -> None:
    engine = Silent(PAULISTA)
    engine.verdict = "error"
    assert replies_of(engine, 3).silent == {"no answer": 3}


def test_what_is_answered_otherwise_when_asked_again_is_no_evidence() -> None:
    evidence = replies_of(Miniature(PAULISTA), 4)
    other = replace(PAULISTA, changes=(changed("play-card", "left out"),))
    left = without_unsteady(evidence, Miniature(other), (0, 1))
    assert len(left.replies) + len(left.unsteady) == 4
    assert left.unsteady
    assert not Fit(left, PAULISTA).explained


class AnyOrder(Miniature):
    """Each time it tells what may be done in another order, and notes what nobody asked for."""

    count = 0

    def run(self, script: Script) -> Seen:
        self.count += 1
        turn = {"legal": {"P1": ["4D", "truco", "3C"][:: (-1) ** self.count]}, "milliseconds": self.count}
        return tuple(replace(hand, start={**hand.start, **turn}) for hand in super().run(script))


def test_the_same_in_another_order_is_the_same_answer() -> None:
    engine = AnyOrder(PAULISTA, (*OBSERVES, "legal"))
    evidence = replies_of(engine, 4)
    assert not without_unsteady(evidence, engine, range(4)).unsteady
    assert steady(engine, evidence.replies[0].script) is not None


# ---- hypotheses ----------------------------------------------------------------------------------


def test_a_difference_has_its_place_and_both_sides() -> None:
    gone = replace(PAULISTA, changes=(changed("truco.refuse", "left out"),))
    evidence = replies_of(Miniature(gone))
    plain = plain_hypothesis(evidence)
    found = [difference(plain, reply, evidence.introduction) for reply in evidence.replies]
    assert any(each is not None and "corro is permitted" in each.expected for each in found)
    assert all(difference(gone, reply, evidence.introduction) is None for reply in evidence.replies)


AT, LATER = Position(0, 1, 3), Position(0, 9, 4)


def found(check: Check, missing: tuple[str, ...] = (), superfluous: tuple[str, ...] = ()) -> Finding:
    return Finding(check.at, "failed", check=check, missing=missing, superfluous=superfluous)


def test_where_only_what_is_seen_differs_a_script_agrees_further() -> None:
    checks = MustShow(AT, "trick", "tie"), MustPermit(LATER, asked=True), MustSee(AT, "P0", ("3C",), ())
    shown, permitted, seen = (reach_in([found(check)]) for check in checks)
    assert permitted.betters(shown)
    assert seen.betters(permitted)
    assert AGREES.betters(seen)
    assert shown.worsens(permitted)
    assert shown.first == seen.first == PER_HAND + 3
    assert reach_in([found(MustShow(Position(0, 0, START), "stake", 1))]).first == START


def test_of_what_may_be_done_a_part_is_bettered_where_something_goes_and_nothing_comes() -> None:
    offer = MustOffer(AT, "P0", ("truco",))
    both, less, other = (
        reach_in([found(offer, ("truco",), more)]) for more in (("corro", "mazo"), ("corro",), ("corro", "seis"))
    )
    assert less.betters(both)
    assert both.worsens(less)
    assert other.worsens(both)
    assert both.worsens(other)
    assert not other.betters(both)
    before, after = (
        reach_in([found(MustPermit(LATER, asked=True)), found(offer, (), more)]) for more in ((), ("mazo",))
    )
    assert before.betters(after)  # also before a difference in the game
    assert after.worsens(before)


def test_what_is_not_compared_agrees_no_further_than_it_was() -> None:
    """By some rules everything is refused that comes after a word that an implementation says by itself."""
    lost = [Finding(AT, "unobserved"), Finding(LATER, "unreached")]
    silent = reach_in([Finding(replace(AT, action=1), "passed"), *lost])
    assert silent.agrees
    assert silent != AGREES
    for action, (better, worse) in enumerate(((True, False), (True, False), (False, False), (False, True))):
        before = reach_in([found(MustPermit(replace(AT, action=action), asked=True))])
        assert (silent.betters(before), silent.worsens(before)) == (better, worse), action
        assert before.worsens(silent)
    assert not AGREES.betters(silent)


def test_rules_that_do_not_link_explain_nothing() -> None:
    evidence = replies_of(Miniature(PAULISTA), 2)
    begin(evidence, {})
    assert weigh(Hypothesis("paulista", 2, (("no-such-option", "on"),)), (0, 1)) == ()


def test_a_script_that_is_no_game_is_no_difference() -> None:
    evidence = replies_of(Miniature(PAULISTA), 2)
    beyond = replace(evidence.replies[0], script=replace(evidence.replies[0].script, score={"P0": 99}))
    assert first_difference(PAULISTA, beyond, evidence.introduction)[0] == NO_GAME


class WaitsAfterFlores(Miniature):
    """It says flor by itself, and after two of them credits nothing, whatever is said."""

    def hello(self) -> Introduction:
        return replace(super().hello(), variants={"uruguayo": Plays((2,), itself=("flor",))})

    def run(self, script: Script) -> Seen:
        return tuple(
            replace(hand, seen=tuple({**entry, "score": {**script.score}} for entry in hand.seen))
            for hand in super().run(script)
        )


def test_rules_under_which_nothing_more_is_compared_explain_nothing() -> None:
    """Where no flor counts, all that follows one is refused; who says it by itself may be further on."""
    engine = WaitsAfterFlores(Hypothesis("uruguayo", 2))
    said = ("P0 flor", "P1 flor", "P0 contraflor-al-resto", "P1 con-flor-me-achico", "P1 truco")
    deal = {"P0": ("3B", "4B", "1B"), "P1": ("5B", "7B", "12B"), "muestra": ("11B",)}
    hand = HandScript(deal, tuple(map(action_of, said)))
    script = Script("uruguayo", {}, ("P0", "P1"), (("P0",), ("P1",)), "P1", {"P0": 0, "P1": 28}, "strict", (hand,))
    (whole,) = complete(Plan((script,), ())).requests
    assert isinstance(whole, Script)
    reply = Reply("flores", whole, engine.run(whole))
    plain = first_difference(engine.played, reply, engine.hello())[0]
    without = first_difference(engine.played.under("con-flor", "malas-only"), reply, engine.hello())[0]
    assert not plain.agrees
    assert without.silent
    assert without.worsens(plain)


@pytest.mark.long
def test_of_two_options_each_betters_lists_that_only_both_make_right() -> None:
    engine = Miniature(
        PAULISTA.under("raise-beyond-need", "allowed").under("run-unasked", "team"), (*OBSERVES, "legal")
    )
    setting = setting_of(engine.hello(), "paulista", 2, {})
    asked = [each for each in of_cases(engine.hello(), setting) if each[0] == "pagat-two-raise-03"]
    search = Search(gather(engine, setting, asked), None)
    for option, value in engine.played.options:
        under = search.plain.under(option, value)
        found = search._compared(under, search.every, search._measured(under, search.every), 0)
        assert len(found.better) > len(found.cured)
        assert not found.worse
        assert search._tells(found)
    heard = search.plain.under("table-talk", "heard")
    assert search._compared(heard, search.every, search._measured(heard, search.every), 0).worse == search.every


@pytest.mark.long
def test_what_explains_nothing_beside_the_others_is_assumed_no_more() -> None:
    engine = Miniature(PAULISTA.under("covering", "never"))
    search = Search(replies_of(engine), None)
    differs = search.about(search.failing()[0])[0]
    search._assume(engine.played.under("tied-redeal", "same"))
    causes = [FitCause(search.every, 0, differs, *pair) for pair in (("covering", "never"), ("tied-redeal", "same"))]
    (cause,) = search._borne(causes)
    assert (cause.option, cause.value) == ("covering", "never")
    assert 0 < len(cause.scripts) < len(search.every)
    assert search.now == engine.played


# ---- the search ----------------------------------------------------------------------------------


def fitted(engine: Miniature, evidence: Evidence, effort: Effort = THOROUGH) -> Fit:
    begin(evidence, {})
    return Search(evidence, None, effort=effort).fit()


def test_an_engine_without_fault_needs_no_explanation() -> None:
    engine = Miniature(PAULISTA)
    evidence = replies_of(engine, 12)
    fit = fitted(engine, evidence)
    assert fit.explained
    assert (fit.agreeing, fit.options, fit.causes, fit.unexplained) == (len(evidence.replies), [], [], [])
    assert to_claim(fit) == {}
    assert text_of_fit(fit).endswith("It plays by these rules.")


@pytest.mark.long
def test_options_are_found_and_claimed() -> None:
    engine = Miniature(PAULISTA.under("covering", "never"))
    fit = fitted(engine, replies_of(engine))
    assert [(cause.option, cause.value) for cause in fit.options] == [("covering", "never")]
    assert fit.explained
    assert to_claim(fit) == {"players": [2], "always": {"covering": "never"}}
    text = text_of_fit(fit)
    assert "It plays covering=never, not from-second" in text
    assert text.endswith("Everything is explained by options.")
    assert json.loads(json.dumps(data_of_fit(fit)))["hello"] == to_claim(fit)
    with speaking(spoken_in("pt")):
        text = text_of_fit(fit)
    assert "Joga covering=never, não from-second" in text
    assert text.endswith("As opções explicam tudo.")


@pytest.mark.campaign
def test_an_option_is_found_that_betters_much_only_beside_another() -> None:
    played = {"con-flor": "off", "falta-basis": "winner-in-malas", "target": "20"}
    engine = Miniature(Hypothesis("argentino", 2, tuple(played.items())))
    setting = setting_of(engine.hello(), "argentino", 2, {})
    cases = [
        one for one in of_cases(engine.hello(), setting) if any(word in one[0] for word in ("falta", "ending", "flor-"))
    ]
    fit = fitted(engine, gather(engine, setting, cases))
    assert {cause.option: cause.value for cause in fit.options} == played
    assert not fit.causes
    assert not fit.unexplained


def test_a_change_of_a_part_of_a_construct_is_told_by_the_sentence_of_that() -> None:
    mutant = next(each for each in mutants_of_variant("paulista") if str(each) == "datum onze: “2” in place of “1”")
    fit = Fit(replies_of(Miniature(PAULISTA), 1), PAULISTA)
    assert sentence(fit, mutant).startswith("this read otherwise: “If only one team has 11, the hand is a hand of 11")
    assert "mineiro.special.when-a-team-has-11" in {cite.clause for cite in rule_of(fit, mutant)[1]}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "define equals-lead: always",
            r"this never held: “Who.+” \(next-leader\), but in its place always: “After .+” \(equals-lead: always\)",
        ),
        ("rule next-trick: always", r"this held in all cases: “While the hand .+” \(next-trick: always\)"),
        ("rule iron-no-choice: always", r"this held in all cases: “.+” \(iron-no-choice: always\)"),
    ],
)
def test_an_exception_without_its_condition_names_the_rule_that_never_holds(name: str, told: str) -> None:
    """One that forbids takes nothing's place."""
    mutant = next(each for each in mutants_of_variant("paulista") if str(each) == name)
    fit = Fit(replies_of(Miniature(PAULISTA), 1), PAULISTA)
    assert re.fullmatch(told, sentence(fit, mutant))


class AsNamed(Miniature):
    """Everybody has the cards that a script names, whoever deals."""

    def run(self, script: Script) -> Seen:
        return super().run(as_named(script))


def test_cards_may_come_as_they_are_named_or_as_the_pack_lies() -> None:
    """Where the same player deals again the pack gives the cards of a hand to the others."""
    hands = [
        HandScript({}, (action_of("P1 truco"), action_of("P0 corro"))),
        HandScript({"P0": ("3C", "2C", "AC"), "P1": ("4D", "5D", "6D")}, (action_of("P1 4D"), action_of("P0 3C"))),
    ]
    script = as_sent(Script("paulista", {}, ("P0", "P1"), (("P0",), ("P1",)), "P0", {}, "strict", tuple(hands)))
    assert script is not None
    dealer = replace(PAULISTA, changes=(changed("pass-deal", SAME_DEALER),))
    for engine in (Miniature(dealer), AsNamed(dealer)):
        evidence = Evidence(engine.hello(), setting_of(engine.hello(), "paulista", 2, {}), changes=dealer.changes)
        evidence.replies.append(Reply("two hands", script, engine.run(script)))
        assert not Search(evidence, None).failing()
    assert not evidence.replies[0].answer[1].seen[0].get("refused")
    last = replace(evidence.replies[0].answer[1], seen=({"acting": ["P1"]}, {"acting": ["P0"]}))
    evidence.replies[0] = replace(evidence.replies[0], answer=(evidence.replies[0].answer[0], last))
    differs, decided = Search(evidence, None).about(0)
    assert differs.at == Position(0, 1, 0)
    assert decided.statements  # of the rules with what is assumed


@pytest.mark.long
def test_a_search_ends_when_enough_was_tried_and_tells_what_it_did_not_look_at() -> None:
    evidence = replies_of(Miniature(PAULISTA.under("covering", "never")), 60)
    found = Search(evidence, None, effort=replace(THOROUGH, tried=1)).fit()
    assert not found.options
    assert not found.causes
    assert found.beyond
    assert f"Not looked at, since that would take too long: {'; '.join(found.beyond)}." in " ".join(
        text_of_fit(found).split()
    )


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("truco.refuse", "left out"),
        pytest.param("pass-deal", SAME_DEALER, marks=pytest.mark.campaign),
        ("score-hand", "without “score(result) += stake”"),
    ],
)
def test_a_changed_rule_is_named_in_its_sentence(name: str, what: str) -> None:
    engine = Miniature(replace(PAULISTA, changes=(changed(name, what),)))
    fit = fitted(engine, replies_of(engine))
    (cause,) = fit.causes
    mutants = fit.mutants
    assert name in {mutants[number].statement.name for number in (cause.mutant, *cause.others)}
    assert not fit.unexplained
    assert not fit.options
    text = text_of_fit(fit)
    assert "It plays as though" in text
    assert "clause    pagat:" in text
    assert text.endswith("1 cause; nothing else is unexplained.")


@pytest.mark.campaign
def test_behind_one_cause_another_is_found() -> None:
    both = (
        changed("truco.refuse", "left out"),
        changed("pass-deal", SAME_DEALER),
    )
    engine = Miniature(replace(PAULISTA, changes=both))
    fit = fitted(engine, replies_of(engine))
    named = [{fit.mutants[n].statement.name for n in (cause.mutant, *cause.others)} for cause in fit.causes]
    assert any("truco.refuse" in names for names in named)
    assert any("pass-deal" in names for names in named)
    assert not fit.unexplained


@pytest.mark.long
def test_what_no_single_change_explains_is_told_as_such() -> None:
    class Odd(Miniature):
        def run(self, script: Script) -> Seen:
            seen = super().run(script)
            return tuple(replace(hand, start={**hand.start, "proposal": 7}) for hand in seen)

    engine = Odd(PAULISTA)
    evidence = replies_of(engine, 10)
    fit = fitted(engine, evidence, BRIEF)
    assert not fit.causes
    dealt = [n for n, reply in enumerate(evidence.replies) if reply.answer[0].start["acting"] == ["P1"]]  # else excused
    assert sorted(script for each in fit.unexplained for script in each.scripts) == dealt
    assert len(dealt) > 5
    assert "What nothing explains that was tried" in text_of_fit(fit)


# ---- which game ----------------------------------------------------------------------------------


class Unnamed(Miniature):
    """It does not say what it plays."""

    def hello(self) -> Introduction:
        return replace(super().hello(), variants={})


def test_a_game_is_known_by_how_it_is_played() -> None:
    found = ranked(Unnamed(PAULISTA), [("mineiro", 2), ("paulista", 2)], {})
    assert found[0].variant == "paulista"
    assert found[0].agreeing > found[1].agreeing


def test_who_answers_nothing_is_not_asked_for_every_game() -> None:
    class Mute(Silent, Unnamed):
        pass

    games = [("paulista", 2), ("paulista", 4), ("mineiro", 4)]
    assert len(ranked(Mute(PAULISTA), games, {})) == 2


class ForTwo(Unnamed):
    """It breaks down where the players are not two, or the cards those of another pack."""

    def run(self, script: Script) -> Seen:
        if len(script.players) != 2 or script.variant == "argentino":
            raise Broken("crash", "exit status 3")
        return super().run(script)


@pytest.mark.long
def test_who_breaks_down_with_four_may_play_with_two() -> None:
    engine = ForTwo(replace(PAULISTA, options=(("covering", "never"), ("tied-hand", "mano"))))
    candidates = candidates_of(engine.hello(), "", 0)
    assert {("argentino", 4), ("argentino", 2), ("paulista", 4), ("paulista", 2)} <= {*candidates}
    found = ranked(engine, [each for each in candidates if each[0] in ("argentino", "mineiro", "paulista")], {})
    assert (found[0].variant, found[0].players) == ("paulista", 2)
    assert all(not each.agreeing for each in found if each.players == 4 or each.variant == "argentino")


@pytest.mark.long
def test_games_are_held_against_the_same_answers() -> None:
    """Where rules wait for a turned card that a script has not, nothing is played by them, and none agrees."""
    found = ranked(Unnamed(ARGENTINO), [("uruguayo", 2), ("paraguayo", 2), ("argentino", 2)], {})
    assert (found[0].variant, found[0].players) == ("argentino", 2)
    assert len({each.asked for each in found}) == 1


def test_who_says_nothing_may_play_any_game() -> None:
    candidates = candidates_of(Unnamed(PAULISTA).hello(), "", 0)
    assert len(candidates) > 10
    assert candidates_of(Miniature(PAULISTA).hello(), "", 0) == [("paulista", 2)]


# ---- the verb ------------------------------------------------------------------------------------


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as end:
        main(words)
    shown = capsys.readouterr()
    return end.value.code, shown.out + shown.err


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("fit",), "Give the command of an adapter"),
        (("fit", "--variant", "paulisto", "--", "true"), "paulista"),
        (("fit", "--", "true"), "exit status 0"),
        (("fit", "--", "./no-such-adapter"), "cannot be started"),
    ],
)
def test_what_cannot_be_used_is_one_message(
    words: Sequence[str], wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, shown = told(capsys, *words)
    assert status == 2
    assert wanted in shown
    assert "Traceback" not in shown


@pytest.mark.long
def test_the_verb_tells_it_of_an_adapter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    adapter = tmp_path / "adapter.py"
    here = str(Path(__file__).parent)
    adapter.write_text(
        f"""import sys
sys.path.insert(0, {here!r})
from wrong_adapter import Right
class Never(Right):
    def hello(self):
        return {{**super().hello(), "variants": {{"nowadays": {{"players": [2]}}}}}}
    def run(self, script):
        return super().run({{**script, "options": {{"covering": "never"}}}})
""",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit) as end:
        main(("fit", "--hands", "0", "--json", "--python", f"{adapter}:Never"))
    shown = capsys.readouterr()  # on a busy machine its progress stands on stderr
    assert end.value.code == 0, shown
    assert json.loads(shown.out)["hello"]["always"] == {"covering": "never"}


class IgnoresTheScore(Miniature):
    """It begins every script with no points."""

    def run(self, script: Script) -> Seen:
        return super().run(replace(script, score={}))


@pytest.mark.long
def test_a_word_that_a_longer_game_never_waits_for_is_none_that_an_engine_says_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At eleven of thirty nobody decides whether to play, so both words are refused whenever they are said."""
    engine = Miniature(PAULISTA.under("target", "30"))
    setting = setting_of(engine.hello(), "paulista", 2, {})
    values = [("brink-choice", "off"), ("brink-value", "1"), ("brink-value", "4")]
    monkeypatch.setattr(asking, "other_values", lambda base: values)
    evidence = gather(engine, setting, of_hands(setting, 0, 1, None))
    assert not with_habits(evidence, range(len(evidence.replies)))[1]  # after a choice of two nothing is compared
    found = searched(evidence, 1, lambda script: None)
    assert not found.habits
    assert {"target=15", "target=30"} <= {
        value for cause in found.options for value in (f"{cause.option}={cause.value}", *cause.other_values)
    }
    assert found.explained


@pytest.mark.long
def test_who_tells_no_score_plays_to_no_other_target() -> None:
    """A script that begins beyond the end is a game under a higher target; agreement is no evidence for that target."""
    engine = IgnoresTheScore(Hypothesis("argentino", 2), ("trick", "hand"))
    setting = setting_of(engine.hello(), "argentino", 2, {})
    search = Search(gather(engine, setting, list(of_cases(engine.hello(), setting))), None)
    begun = [number for number, reach in enumerate(search.reach) if reach == NO_GAME]
    assert begun
    more = search.now.under("target", "40")
    assert AGREES in search._measured(more, begun)
    assert not search._compared(more, begun, search._measured(more, begun), 0).better


class IsOver(Miniature):
    """It refuses every action of a script that begins with this many points, as a finished game does."""

    def __init__(self, plays: Hypothesis, points: int) -> None:
        super().__init__(plays, ("score", "winner", "hand"))
        self.points = points

    def run(self, script: Script) -> Seen:
        if max(script.score.values(), default=0) < self.points:
            return super().run(script)
        return tuple(HandSeen(refused(hand.actions)) for hand in script.hands)


@pytest.mark.long
@pytest.mark.parametrize(
    ("engine", "found"),
    [
        pytest.param(IsOver(ARGENTINO.under("target", "15"), 15), ["15"], id="over with fifteen"),
        pytest.param(IsOver(ARGENTINO, 1), [], id="refuses whatever begins with points", marks=pytest.mark.campaign),
    ],
)
def test_a_game_that_begins_beyond_its_end_is_refused_by_who_plays_a_shorter_one(
    engine: IsOver, found: list[str]
) -> None:
    fit = search_of(engine, "ending-", "envido-", "flor-").fit()
    assert [cause.value for cause in fit.options if cause.option == "target"] == found


@pytest.mark.parametrize("effort", [THOROUGH, BRIEF], ids=["fit", "test"])
@pytest.mark.long
def test_of_options_that_explain_the_same_the_one_is_named_that_changes_least(effort: Effort) -> None:
    """Among friends the quiero before a retruco need not be said; what else is let pass there no script here asks."""
    engine = Miniature(ARGENTINO.under("raise-needs-quiero", "off"))
    (cause,) = search_of(engine, "quiero-before-", "dialogue-", "retruco-", effort=effort).explained().options
    assert (cause.option, cause.value) == ("raise-needs-quiero", "off")
    assert "strictness=friendly" in cause.other_values
    assert "raise-needs-quiero=off" not in cause.other_values


@pytest.mark.long
def test_what_permits_much_is_not_named_for_what_one_of_its_permissions_explains_better() -> None:
    """Among friends other words than quiero are an answer, too; it knows none, and needs no quiero before a retruco."""
    engine = Miniature(ARGENTINO.under("raise-needs-quiero", "off"))
    search = search_of(engine, "quiero-", "dialogue-", "retruco-")
    differs = search.about(search.failing()[0])[0]
    search._assume(search.plain.under("strictness", "friendly"))
    friendly = search._with_more(FitCause((), 0, differs, "strictness", "friendly"), search.every)
    assert search.failing()
    named = search._narrowed(friendly)
    assert (named.option, search.failing()) == ("raise-needs-quiero", [])


def test_what_another_option_explains_as_well_is_not_claimed() -> None:
    evidence = replies_of(Miniature(PAULISTA), 1)
    differs = Mismatch(Position(0, 0, 0), None, "", "")
    fit = Fit(evidence, PAULISTA.under("covering", "never").under("target", "15"))
    fit.options = [
        FitCause((0,), 0, differs, "covering", "never", other_values=("peek-truco=no",)),
        FitCause((0,), 0, differs, "target", "15", other_values=("target=18",)),
    ]
    assert to_claim(fit)["always"] == {"target": "15"}


@pytest.mark.long
def test_an_option_that_was_taken_early_is_exchanged_though_only_another_beside_it_makes_that_better() -> None:
    """Who plays on at twenty plays in some scripts as to forty; to twenty, and till that is passed, in all."""
    engine = Miniature(ARGENTINO.under("target", "20").under("target-met", "passing"))
    search = search_of(
        engine,
        "falta-01",
        "falta-02",
        "falta-fifteen",
        "falta-accepted",
        "falta-basis",
        "series",
        effort=replace(THOROUGH, options=8),
    )
    assert {*engine.played.options} <= {(cause.option, cause.value) for cause in search.by_options()}
    assert not search.failing()


@pytest.mark.long
def test_on_the_way_the_value_is_taken_that_betters_most_beyond_what_it_worsens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it worsens may be what an option mends that only shows beside it."""
    search = Search(replies_of(Miniature(PAULISTA.under("target", "15"))), None)
    tried = [
        WeighedHypothesis(PAULISTA.under("target", value), search.every[:better], search.every[-worse:], 0)
        for value, better, worse in (("15", 9, 7), ("30", 19, 13))
    ]
    monkeypatch.setattr(search, "_held_against", lambda found, numbers: found)
    monkeypatch.setattr(search, "_tells", lambda found: True)
    assert not list(search._accepted(tried, is_worth))
    assert [cause.value for cause in search._accepted(tried, leads_on)] == ["30"]


@pytest.mark.long
def test_an_option_that_stands_for_several_is_named_as_these_where_a_hand_tells_it_from_them() -> None:
    """Friendly games have these two manners, and more, which no script here asks."""
    engine = Miniature(ARGENTINO.under("raise-needs-quiero", "off").under("acceptance-words", "informal-too"))
    search = search_of(engine, "quiero-", "dialogue-", "retruco-")
    differs = search.about(search.failing()[0])[0]
    search._assume(search.plain.under("strictness", "friendly"))
    assert not search.failing()
    cause = search._with_more(FitCause((), 0, differs, "strictness", "friendly"), search.every)
    parts = search._parts(cause, search.plain)
    assert list(parts.values()) == [engine.played]
    left = search._left_of(cause, Rivals(search.evidence, parts))
    assert {(each.option, each.value) for each in left} == {*engine.played.options}
    assert search.now == engine.played


@pytest.mark.long
def test_an_option_is_narrowed_though_some_of_its_scripts_agree_without_it_by_now() -> None:
    evidence = replies_of(Miniature(PAULISTA.under("covering", "never")), 60)
    search = Search(evidence, None, effort=replace(THOROUGH, changes=1))
    (cause,) = search.explained().options
    again = search._narrowed(replace(cause, scripts=search.every))
    assert (again.option, again.value) == ("covering", "never")


@pytest.mark.long
def test_an_option_that_was_found_is_not_said_to_be_open() -> None:
    evidence = replies_of(Miniature(PAULISTA.under("covering", "never")))
    found = Search(evidence, None).fit()
    assert [cause.option for cause in found.options] == ["covering"]
    assert "covering" not in found.open


@pytest.mark.long
def test_what_a_script_shows_that_nothing_explains_is_not_said_to_be_shown_by_none() -> None:
    engine = Miniature(ARGENTINO.under("score-beyond-target", "cut"))
    every = of_cases(engine.hello(), setting_of(engine.hello(), "argentino", 2, {}))
    asked = [(name, frozenset[str](), script) for name, _, script in every if name.startswith("wikipedia-ending")]
    search = Search(gather(engine, setting_of(engine.hello(), "argentino", 2, {}), asked), None)
    assert search.failing()
    _, left, behind = search._settled()
    assert "score-beyond-target" not in {*left, *behind}
    assert "tie-lead" in left
    differing = replace(search.evidence.replies[search.failing()[0]], about=frozenset(("tie-lead", "partner-lead")))
    search.evidence.replies[search.failing()[0]] = differing
    _, left, behind = search._settled()
    assert {"tie-lead", "partner-lead"} <= {*behind}
    assert "tie-lead" not in left


def test_of_one_kind_of_difference_short_and_long_scripts_are_tried() -> None:
    assert evenly_chosen(range(9), 3) == [0, 4, 8]
    assert evenly_chosen(range(9), 1) == [0]
    assert evenly_chosen(range(2), 5) == [0, 1]

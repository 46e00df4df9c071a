"""Causes of failures: what explains them, what is said of it, and that every report begins with it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from habits import OBSERVES, Habit, adapter, books_late, books_only_hands, entries, implicit, told
from wrong import refused

from bench.causes import Recorded
from bench.fits import Miniature
from bench.fits import told as as_told
from truco_spec.base.document import text_of
from truco_spec.cli.commands import main
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.filling import complete
from truco_spec.conformance.corpus.protocol import (
    Deal,
    HandScript,
    HandSeen,
    Introduction,
    MustOffer,
    OwnDeals,
    Plan,
    Plays,
    Script,
    ScriptAction,
    Seen,
    action_of,
)
from truco_spec.conformance.corpus.ready import whole
from truco_spec.conformance.fit import hypothesis as hypothesis_module
from truco_spec.conformance.fit.evidence import Evidence, Reply, setting_of
from truco_spec.conformance.fit.fit import Search
from truco_spec.conformance.fit.fit_report import _mending, causes_of, explain, explain_hands
from truco_spec.conformance.fit.fit_result import Fit, FitCause
from truco_spec.conformance.fit.how_far import Reach
from truco_spec.conformance.fit.hypothesis import (
    Hypothesis,
    begin,
    compares,
    difference,
    in_own_words,
    is_belied,
    mutants_of_variant,
    recalling,
    weigh,
)
from truco_spec.conformance.fit.hypothesis import played as shown_by
from truco_spec.conformance.fit.trying import BRIEF, MOST_ASSUMED, said_in
from truco_spec.conformance.fit.weighing import WeighedHypothesis
from truco_spec.conformance.fuzz.findings import text_of_outcome
from truco_spec.conformance.fuzz.fuzz import fuzz
from truco_spec.conformance.fuzz.rounds import Job
from truco_spec.conformance.reports import formats
from truco_spec.conformance.reports.events import Event, Run, begun, ended, gathered, introduced, played
from truco_spec.conformance.reports.run_document import compared, comparison_document, story_of
from truco_spec.conformance.runner.runner import run
from truco_spec.conformance.runner.verdicts import CauseReport

WRONG = Path(__file__).parent / "wrong_adapter.py"
PAULISTA, URUGUAYO = Hypothesis("paulista", 2), Hypothesis("uruguayo", 2)
BOTH = ("score-hand", "without “score(result) += stake”")
CASES = ("nowadays-two-hand-01", "nowadays-two-hand-02", "nowadays-two-cover-01", "nowadays-two-rank-01")
FAILED = CASES[:3]
NAMED = ("rank-01", "hand-01", "hand-02", "raise-01", "raise-02", *(f"tie-0{n}" for n in range(1, 7)))
ENDLESS = "rule cut-pack: without “cuts += 1”"
KEPT_ELEVEN = "datum onze: without “fresh each deal”"


def with_faults() -> Miniature:
    """It covers no card, and credits nothing for a hand."""
    numbers = (n for n, m in enumerate(mutants_of_variant("paulista")) if (m.statement.name, m.what) == BOTH)
    return Miniature(replace(PAULISTA.under("covering", "never"), changes=(next(numbers),)))


@cache
def looked_into() -> Run:
    """A run over a few cases, and what explains its failures."""
    engine = with_faults()
    results = run(chosen(variants=("paulista",), names=CASES), engine)
    assert [result.name for result in results if result.verdict == "fail"] == list(FAILED)
    events: list[Event] = [begun((), len(results)), introduced(engine.hello())]
    events += [played(result, ()) for result in results]
    causes = causes_of(results, engine.hello())
    return gathered([*events, ended(events, datetime.now(UTC), 1, interrupted=False, causes=causes)])


def test_what_scripts_show_by_the_rules_is_kept_between_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a changed rule, too, and each by itself; the script is another one, so that no memory of a process serves."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (script,) = (each for each in whole(chosen(variants=("paulista",), names=CASES[:1])[0]).requests[:1])
    assert isinstance(script, Script)
    reply, hello = Reply("a case", script, Reference().run(script)), with_faults().hello()
    both = PAULISTA, replace(PAULISTA, changes=with_faults().played.changes)
    with recalling(PAULISTA, hello):
        fresh = [shown_by(rules, reply, hello) for rules in both]
    assert fresh[0] != fresh[1]
    with monkeypatch.context() as patch, recalling(PAULISTA, hello):
        patch.setattr(Reference, "run", None)
        assert [shown_by(rules, replace(reply, script=replace(script)), hello) for rules in both] == fresh
    assert difference(PAULISTA, reply, hello) is None


def test_how_far_an_answer_agrees_is_kept_between_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this answer, by who observes this; of any other it is judged."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    engine = with_faults()
    (script,) = (each for each in whole(chosen(variants=("paulista",), names=CASES[1:2])[0]).requests[:1])
    assert isinstance(script, Script)
    right, wrong = Reference().run(script), engine.run(script)
    scoreless = replace(engine.hello(), observes=tuple(key for key in engine.hello().observes if key != "score"))
    asked = [(engine.hello(), right), (engine.hello(), wrong), (scoreless, wrong)]

    def reached(hello: Introduction, answer: Seen) -> list[Reach]:
        """By the rules, and by those with the faults; as a process that begins anew, which remembers nothing."""
        begin(
            Evidence(replace(hello), setting_of(hello, "paulista", 2, {}), [Reply("a case", replace(script), answer)]),
            {},
        )
        with recalling(PAULISTA, hello):
            return [reach for rules in (PAULISTA, engine.played) for reach in weigh(rules, (0,))]

    fresh = [reached(*each) for each in asked]
    assert [reach.agrees for reach in fresh[0]] == [True, False]
    assert [reach.agrees for reach in fresh[1]] == [False, True]
    assert [reach.agrees for reach in fresh[2]] == [True, True]
    with monkeypatch.context() as patch:
        patch.setattr(hypothesis_module, "judge", None)
        patch.setattr(Reference, "run", None)
        assert [reached(*each) for each in asked] == fresh
        assert reached(engine.hello(), wrong[:0]) == []  # an answer that is not known has to be judged


@pytest.mark.parametrize("key", ["stake", "acting", "refused"])
def test_an_answer_that_is_not_word_for_word_the_same_is_judged(key: str) -> None:
    (script,) = (each for each in whole(chosen(variants=("paulista",), names=CASES[:1])[0]).requests[:1])
    assert isinstance(script, Script)
    hello, right = with_faults().hello(), Reference().run(script)
    (first, *others), last = right[0].seen, right[1:]
    told = replace(right[0], seen=({**first, key: True}, *others))
    assert difference(PAULISTA, Reply("right", script, right), hello) is None
    assert difference(PAULISTA, Reply("wrong", script, (told, *last)), hello) is not None


@pytest.mark.long
def test_an_option_and_a_rule_are_told_apart() -> None:
    rule, option = looked_into().causes
    assert option.option == "covering=never"
    assert option.sentence == "It plays covering=never, not from-second"
    assert (option.cases, option.agreeing) == (FAILED[2:], 1)
    assert option.clauses == ("pagat:mineiro.play.face-down-allowed-tricks-2-3",)
    assert (rule.rule, rule.option) == ("score-hand", "")
    assert "“The winners of the hand score its stake”" in rule.sentence
    assert (rule.cases, rule.agreeing) == (FAILED[:2], 2)
    assert rule.got.startswith("score:")


@pytest.mark.long
def test_of_one_failure_alone_an_option_is_the_cause_if_enough_others_pass() -> None:
    engine = Miniature(PAULISTA.under("raise-beyond-need", "allowed"))
    others = SimpleNamespace(hello=engine.hello, run=engine.run, close=engine.close)  # complete deals, as the table has
    names = ("pagat-two-raise-03", *(f"nowadays-two-{name}" for name in NAMED))
    results = list(run(chosen(variants=("paulista",), names=names), others))
    failed = [each for each in results if each.verdict == "fail"]
    (cause,) = causes_of(results, engine.hello())
    assert ([each.name for each in failed], cause.option) == ([cause.case], "raise-beyond-need=allowed")
    assert causes_of([*failed, *[each for each in results if each.verdict == "pass"][:5]], engine.hello()) == ()


@pytest.mark.long
def test_an_option_is_named_rather_than_a_rule_that_asks_for_it() -> None:
    """Where the table does not know the game, the rules nearest to what differs are changed."""
    engine = Miniature(Hypothesis("nowadays", 4).under("raise-window", "any-time").under("covering", "any"))
    cases = chosen(variants=("nowadays",), names=("nowadays-truco-21", "nowadays-cover-02"), players=4)
    causes = causes_of(run(cases, engine), engine.hello())
    assert {cause.option for cause in causes} == {"raise-window=any-time", "covering=any"}


@pytest.mark.long
def test_counts_that_an_engine_says_by_itself_follow_the_rules_that_are_tried() -> None:
    """What it announces is taken from the cards by those rules, not from the script."""
    itself, played_by = ("tengo", "paso", "son-buenas"), Hypothesis("uruguayo", 2).under("pieza-values", "traditional")

    class Counting(Miniature):
        def hello(self) -> Introduction:
            plays = {played_by.variant: Plays((2,), itself=itself)}
            return replace(super().hello(), variants=plays)

        def run(self, script: Script) -> Seen:
            rules, legal = Reference(lambda _: played_by.graph()), Reference(lambda _: played_by.graph())
            legal.asked = frozenset({"start", "legal"})
            _, seen = in_own_words(replace(script, options=dict(played_by.options)), {*itself}, rules.run, legal.run)
            return as_told(seen, self.observes)

    engine = Counting(played_by, OBSERVES)
    results = run(chosen(variants=("uruguayo",), players=2), engine)
    causes = causes_of(results, engine.hello())
    assert [cause.option for cause in causes] == ["pieza-values=traditional"]


@pytest.mark.long
def test_options_that_show_most_together_are_named_where_no_table_knows_the_game() -> None:
    engine = Miniature(
        Hypothesis("uruguayo", 2).under("hiding-flor", "called-first").under("pieza-flor", "with-piezas")
    )
    names = (
        "ranking-01[uruguayo]",
        "piezas-01",
        "piezas-order-01",
        "muestra-02",
        "pieza-flor-06",
        "parda-05[uruguayo]",
    )
    cases = chosen(variants=("uruguayo",), names=[f"wikipedia-{name}" for name in names])
    causes = causes_of(run(cases, engine), engine.hello())
    assert {cause.option for cause in causes} == {"hiding-flor=called-first", "pieza-flor=with-piezas"}


@pytest.mark.long
def test_cards_that_are_hidden_by_agreement_are_explained_by_the_option() -> None:
    """Options decide who sees a card by the place where it lies; its value before is that of the variant."""
    engine = Miniature(Hypothesis("paulista", 4).under("peek-truco", "no"), ("acting", "score", "view"))
    results = run(chosen(variants=("paulista",), names=("pagat-looking-01", "pagat-looking-03")), engine)
    assert [cause.sentence for cause in causes_of(results, engine.hello())] == ["It plays peek-truco=no, not yes"]


def test_rules_by_which_no_card_is_turned_do_not_explain_that_it_is_hidden() -> None:
    """By them the pack is cut for ever, and what is seen is not compared."""

    class Hides(Miniature):
        """Nobody can tell the vira."""

        def run(self, script: Script) -> Seen:
            hands = super().run(script)
            for dealt, hand in zip(script.hands, hands, strict=True):
                for entry in (hand.start, *hand.seen):
                    for player, cards in entry.get("view", {}).items():
                        entry["view"][player] = [card for card in cards if card not in dealt.deal["vira"]]
            return hands

    hypothesis = Hypothesis("paulista", 4)
    engine = Hides(hypothesis, ("acting", "view"))
    engine.asked = frozenset({"start", "view"})
    (instance,) = chosen(variants=("paulista",), names=("pagat-vira-01",))
    (script,) = whole(instance).requests
    assert isinstance(script, Script)
    reply = Reply("vira", script, engine.run(script))
    differs = difference(hypothesis, reply, engine.hello())
    assert differs is not None
    assert differs.expected == "P0 sees 5H"
    endless = next(n for n, m in enumerate(mutants_of_variant("paulista")) if str(m) == ENDLESS)
    assert not compares(replace(hypothesis, changes=(endless,)), hypothesis, reply, engine.hello())
    assert compares(hypothesis.under("manilhas", "fixed"), hypothesis, reply, engine.hello())


@pytest.mark.long
def test_rules_by_which_no_card_is_played_do_not_explain_a_word_that_is_refused() -> None:
    """By them the pack is cut for ever, and what who deals at once takes or refuses is not judged."""
    hypothesis, off = Hypothesis("nowadays", 2), ("counter-as-answer", "off")
    engine = Miniature(hypothesis.under(*off))
    claims = {"nowadays": Plays((2,), itself=implicit("nowadays"))}
    introduction = replace(engine.hello(), variants=claims)
    (script,) = whole(chosen(variants=("nowadays",), names=("nowadays-truco-27",))[0]).requests[:1]
    assert isinstance(script, Script)
    reply = Reply("seis", script, engine.run(script))
    endless = next(n for n, m in enumerate(mutants_of_variant("nowadays")) if str(m) == ENDLESS)
    for_ever = replace(hypothesis, changes=(endless,))
    assert difference(hypothesis, reply, introduction) is not None
    assert difference(for_ever, reply, introduction) is None
    assert not compares(for_ever, hypothesis, reply, introduction)
    assert compares(hypothesis.under(*off), hypothesis, reply, introduction)


@pytest.mark.long
def test_a_count_that_never_ends_explains_no_score() -> None:
    def pays_less(script: Script, hands: list[dict[str, Any]]) -> None:
        for entry in entries(hands):
            entry["score"] = {player: points and points // 2 + 1 for player, points in entry.get("score", {}).items()}
            if entry.get("winner"):
                entry |= {"winner": None, "acting": ["P0"]}

    told = ("contraflor-02[uruguayo]", "uy-flor-06", "worth-said-16", "pieza-flor-02", "contraflor-resto-04[uruguayo]")
    own = Plays((2,), itself=("tengo", "paso", "son-buenas", "callo", "asi-queda", "en-mesa", "las-jugadas"))
    engine = adapter("uruguayo", own, pays_less, observes=OBSERVES[:-1])
    results = run(chosen(variants=("uruguayo",), names=[f"wikipedia-{name}" for name in told]), engine)
    replies = [Reply(each.name, *reply) for each in results for reply in each.replies]
    setting = setting_of(engine.hello(), "uruguayo", 2, {})
    search = Search(Evidence(engine.hello(), setting, replies), None, effort=BRIEF)
    endless = ("next-speaker", "without “s not in spent”")
    number = next(n for n, m in enumerate(search.mutants) if (m.statement.name, m.what) == endless)
    found = WeighedHypothesis(replace(search.plain, changes=(number,)), search.every, (), 0)
    assert len(replies) == len(told)
    assert not search._tells(found)


def test_who_is_further_on_by_its_own_words_is_held_against_a_changed_rule() -> None:
    """It says itself that nobody answers a flor, and pays it: so the rule that pays is not missing."""
    number = next(n for n, m in enumerate(mutants_of_variant("argentino")) if str(m) == "rule flor-alone: left out")
    deal = {"P1": ("7O", "6O", "5O"), "P0": ("4C", "5E", "12B")}
    said = tuple(map(action_of, ("P1 flor", "P0 callo")))
    script = Script("argentino", {}, ("P0", "P1"), (("P0",), ("P1",)), "P0", {}, "strict", (HandScript(deal, said),))
    (answer,) = Reference().run(script)
    assert [entry["score"]["P1"] for entry in answer.seen] == [0, 3]
    heard = replace(script, hands=(HandScript(deal, said[:1]),))
    reply = Reply("flor", heard, (replace(answer, seen=answer.seen[1:]),))
    introduction = Introduction("it", "1", {"argentino": Plays((2,), itself=("callo",))}, ("score",))
    plain = Hypothesis("argentino", 2)
    assert difference(plain, reply, introduction) is None
    assert difference(replace(plain, changes=(number,)), reply, introduction) is not None


@pytest.mark.parametrize(("late", "compared"), [((), True), (("score", "winner"), False)])
def test_a_hand_that_goes_on_tells_nothing_of_what_is_told_late(late: tuple[str, ...], compared: bool) -> None:
    """By these rules a flor that would win is void; so nothing is scored as yet, and late it would be the same."""
    plain, void = (hypothesis := Hypothesis("argentino", 2)), hypothesis.under("flor-may-win", "void")
    engine = Miniature(void, ("acting", "score", "winner"))
    introduction = replace(engine.hello(), variants={"argentino": Plays((2,), late=late)})
    (instance,) = chosen(variants=("argentino",), names=("wikipedia-contraflor-resto-04",))
    (script,) = whole(instance).requests
    assert isinstance(script, Script)
    reply = Reply("resto", script, engine.run(script))
    assert compares(void, plain, reply, introduction) is compared


@pytest.mark.parametrize(("value", "differs"), [("nobody", True), ("mano", False)])
def test_points_told_late_are_compared_at_the_end_of_a_hand_that_is_not_reported(value: str, differs: bool) -> None:
    hypothesis = Hypothesis("argentino", 2)
    engine = Miniature(hypothesis.under("tied-hand", value), ("score",))
    introduction = replace(engine.hello(), variants={"argentino": Plays((2,), late=("score",))})
    (instance,) = chosen(variants=("argentino",), names=("wikipedia-results-15",))
    (script,) = whole(instance).requests
    assert isinstance(script, Script)
    reply = Reply("pardas", script, engine.run(script))
    assert (difference(hypothesis, reply, introduction) is not None) is differs


def test_a_list_of_moves_is_compared_also_where_a_hand_pays_otherwise() -> None:
    """The first that differs are its points, by both rules; before that the one lists the raise that stands alone."""
    hypothesis = Hypothesis("argentino", 2)
    bare = hypothesis.under("raise-needs-quiero", "off")
    engine = Miniature(bare, ("acting", "score", "legal"))
    (instance,) = chosen(variants=("argentino",), names=("wikipedia-truco-01[argentino]",))
    (script,) = whole(instance).requests
    assert isinstance(script, Script)
    (hand,) = engine.run(script)
    hand = replace(hand, seen=(*hand.seen[:-1], {**hand.seen[-1], "score": {"P0": 1, "P1": 0}}))
    reply = Reply("truco", script, (hand,))
    differs = difference(bare, reply, engine.hello())
    assert differs is not None
    assert differs == difference(hypothesis, reply, engine.hello())
    assert compares(bare, hypothesis, reply, engine.hello())


def test_lists_of_moves_are_compared_where_somebody_may_only_say_words_that_are_omitted() -> None:
    """Who has called may talk meanwhile: an option by which talk is heard is no cause of what the other may do."""
    hypothesis = Hypothesis("argentino", 2)
    heard = hypothesis.under("table-talk", "heard")
    engine = Miniature(hypothesis.under("mazo-while-asked", "gives-in"), ("acting", "legal"))
    talk = ("truco?", "envido?", "seña", "seña-propia", "veni", "anda-alla", "jugala-callado", "falta-un-vidrio")
    omits = (*talk, "son-las-tuyas", "tanto")
    introduction = replace(engine.hello(), variants={"argentino": Plays((2,), omits=omits)})
    deal = {"P1": ("10O", "10B", "5E"), "P0": ("10E", "3O", "10C")}
    hand = HandScript(deal, (action_of("P1 envido"),))
    script = Script("argentino", {}, ("P0", "P1"), (("P0",), ("P1",)), "P0", {}, "strict", (hand,))
    reply = Reply("talk", script, engine.run(script))
    for rules in (hypothesis, heard):
        differs = difference(rules, reply, introduction)
        assert differs is not None
        assert isinstance(differs.check, MustOffer)


def test_a_value_is_told_from_others_that_show_what_was_assumed_to_agree() -> None:
    """Another value of the option is the first by which the scripts assumed to agree are looked at."""
    hypothesis = Hypothesis("argentino", 2)
    engine = Miniature(hypothesis.under("truco-out-of-turn", "own-turn"))
    names = ("retruco-01", "retruco-03", "truco-05", "stakes-01")
    results = run(chosen(variants=("argentino",), players=2, names=[f"wikipedia-{name}" for name in names]), engine)
    replies = [Reply(each.name, *reply) for each in results for reply in each.replies]
    setting = setting_of(engine.hello(), "argentino", 2, {})
    search = Search(Evidence(engine.hello(), setting, replies, assumed=range(1, len(replies))), None, effort=BRIEF)
    own_turn = replace(hypothesis, options=search.plain.under("truco-out-of-turn", "own-turn").options)
    found = search._held_against(WeighedHypothesis(own_turn, (), (), 0), search.every)
    assert found.better == (0,)
    cause = search._best_of([found])
    assert cause is not None
    assert (cause.value, cause.scripts[:1]) == ("own-turn", found.better)
    assert len(cause.scripts) > 1


class TakesAllTurns:
    """Whoever plays a card may play it."""

    def __init__(self) -> None:
        self.engine = Miniature(PAULISTA)

    def hello(self) -> Introduction:
        return self.engine.hello()

    def run(self, script: Script) -> Seen:
        hands = zip(script.hands, self.engine.run(script), strict=True)
        return tuple(replace(hand, seen=tuple(map(self._taken, dealt.actions, hand.seen))) for dealt, hand in hands)

    @staticmethod
    def _taken(action: ScriptAction, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        return {key: value for key, value in entry.items() if not (action.play and key == "refused")}

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.long
def test_what_nothing_explains_is_told_together_where_it_differs_alike() -> None:
    engine = TakesAllTurns()
    names = ("nowadays-two-turn-01", "nowadays-two-turn-02")
    results = run(chosen(variants=("paulista",), names=names), engine)
    (alike,) = causes_of(results, engine.hello())
    assert not alike.explains
    assert alike.sentence.startswith("It takes what this does not permit: “")
    assert (alike.cases, alike.agreeing) == (names, 0)
    assert alike.clauses == results[0].instance.case.clauses
    events: list[Event] = [begun((), len(results)), introduced(engine.hello())]
    events += [played(result, ()) for result in results]
    whole = gathered([*events, ended(events, datetime.now(UTC), 1, interrupted=False, causes=(alike,))])
    told = " ".join(story_of(whole).split())
    assert "Alike, without a cause" in told
    assert f"also {names[1]}: P0 QS is refused, got it was taken" in told
    assert "would make the answers right" not in told


@pytest.mark.long
def test_what_fails_on_the_way_accuses_no_clause_of_its_case() -> None:
    """It ends a hand with the card that decides it: then the other lays none, and the order of cards is right."""

    def ends(script: Script, hands: list[Any]) -> None:
        hands[0]["seen"][3] = {"refused": "not-now"}

    engine = adapter("argentino", Plays((2,)), ends)
    names = ("wikipedia-ranking-03", "wikipedia-tricks-20[argentino]")
    results = run(chosen(variants=("argentino",), names=names), engine)
    (alike,) = causes_of(results, engine.hello())
    assert (alike.rule, alike.clauses) == ("play-card", ())


@pytest.mark.long
def test_a_hand_that_another_begins_is_told_as_such_and_not_as_a_card_refused() -> None:
    """After each hand the deal skips a player."""

    def skips(script: Script, hands: list[Any]) -> None:
        for hand, asked in zip(hands[1:], script.hands[1:], strict=True):
            (first,) = hand["start"]["acting"]
            players = [*script.players, *script.players]
            hand["start"]["acting"] = [players[players.index(first) + 1]]
            if asked.actions:
                hand["seen"][0]["refused"] = "not-your-turn"

    names = ("pagat-anew-02", "pagat-paulista-inherited-36", "pagat-paulista-inherited-38")
    engine = adapter("paulista", Plays((4,)), skips)
    results = run(chosen(variants=("paulista",), names=names), engine)
    (alike,) = causes_of(results, engine.hello())
    assert (alike.rule, alike.explains, sorted(alike.cases)) == ("pass-deal", False, sorted(names))
    assert (alike.expected, alike.got) == ('acting: ["P2"]', 'acting: ["P3"]')


@pytest.mark.long
def test_who_plays_on_after_the_last_point_has_the_option_for_a_cause() -> None:
    """Two cases ask that nobody is due then. It lists the mazo always, too, which none of them asks."""

    def plays_on(script: Script, hands: list[Any]) -> None:
        for entry in entries(hands):
            entry["legal"] = {player: [*texts, "mazo"] for player, texts in entry["legal"].items()}
            if entry.get("winner"):
                entry |= {"winner": None, "acting": ["P0"]}

    names = ("wikipedia-ending-06", "wikipedia-envido-refused-11")
    engine = adapter("argentino", Plays((2,)), plays_on, observes=(*OBSERVES[:-1], "legal"))
    results = run(chosen(variants=("argentino",), names=names), engine)
    (cause,) = causes_of(results, engine.hello())
    assert (cause.option, cause.expected) == ("ending=more-points", "acting: []")
    assert sorted(cause.cases) == sorted(names)


@pytest.mark.long
def test_what_differs_alike_is_told_of_what_fails_in_the_cases() -> None:
    """It pays a flor as soon as it is called. Of the first case fails only what may be done."""

    def pays(script: Script, hands: list[Any]) -> None:
        for entry in (entry for hand in hands for entry in hand["seen"]):
            score = entry.get("score") or {}
            entry["score"] = {player: points + 3 for player, points in score.items()}
            entry["legal"] = {**entry.get("legal", {}), "P1": []}

    names = ("wikipedia-flor-reply-01", "wikipedia-flor-value-03", "wikipedia-flor-simple-02")
    engine = adapter("argentino", Plays((2,)), pays, observes=("acting", "score", "legal"))
    results = run(chosen(variants=("argentino",), names=names), engine)
    failed = {result.name: {fault.expected.split(": ")[0] for fault in result.faults} for result in results}
    assert failed[names[0]] == {"P1 may"}
    told = {(name, each.expected.split(": ")[0]) for each in causes_of(results, engine.hello()) for name in each.cases}
    assert all(what in failed[name] for name, what in told)


def test_what_differs_alike_is_told_as_the_rules_that_are_claimed_have_it() -> None:
    """That a tie is none is assumed: then the first card would take the trick, and it gives each to the same seat."""

    def takes(script: Script, hands: list[Any]) -> None:
        for entry in entries(hands):
            entry |= {"trick": "P0", "leader": "P0"} if entry.get("trick") == "tie" else {}

    engine = adapter("argentino", Plays((2,)), takes)
    (result,) = run(chosen(variants=("argentino",), names=("wikipedia-results-10",)), engine)
    replies = [Reply(result.name, *reply, failed=result.failed) for reply in result.replies]
    evidence = Evidence(engine.hello(), setting_of(engine.hello(), "argentino", 2, {}), replies)
    begin(evidence, {})
    search = Search(evidence, None, effort=BRIEF)
    no_tie = next(n for n, mutant in enumerate(search.mutants) if str(mutant) == "define tied-trick: left out")
    search._assume(replace(search.plain, changes=(no_tie,)))
    (at,) = [number for number in search.failing() if search.unmet(number)]
    left = search.left_of(at)
    assert left is not None
    found, decided, rules = left
    assert (found.expected, found.got, rules) == ('trick: "tie"', 'trick: "P0"', search.plain)
    assert decided.statements[0] == "tied-trick"


@pytest.mark.long
def test_lists_of_moves_that_differ_in_another_word_do_not_speak_against_an_option() -> None:
    """Everybody is offered the mazo while a call waits, which fails in many more cases than the option explains."""

    class OffersMazo(Miniature):
        def run(self, script: Script) -> Seen:
            return tuple(replace(hand, seen=tuple(map(self._with_mazo, hand.seen))) for hand in super().run(script))

        def _with_mazo(self, entry: Mapping[str, Any]) -> Mapping[str, Any]:
            legal = entry.get("legal", {})
            return (
                {**entry, "legal": {player: [*{*texts, "mazo"}] for player, texts in legal.items()}} if legal else entry
            )

    engine = OffersMazo(Hypothesis("argentino", 2).under("real-envido-repeat-limit", "1"), ("acting", "legal"))
    begins = ("envido-", "retruco-", "vale-", "said-", "truco-", "mazo-")
    every = chosen(variants=("argentino",), players=2)
    cases = [case for case in every if case.name.startswith(tuple(f"wikipedia-{begin}" for begin in begins))]
    causes = causes_of(run(cases, engine), engine.hello())
    assert "real-envido-repeat-limit=1" in [cause.option for cause in causes]


@pytest.mark.long
def test_no_option_is_named_by_which_others_that_fail_like_it_are_decided_by_another_rule() -> None:
    """A refused real envido gives two, a refused falta envido nine: in one of four cases what was accepted before."""

    def pays(script: Script, hands: list[Any]) -> None:
        worth = {"real-envido": 2, "falta-envido": 9}
        for hand, heard in zip(script.hands, hands, strict=True):
            last, more, before = ("", ""), dict[str, int](), dict(heard["start"]["score"])
            for action, entry in zip(hand.actions, heard["seen"], strict=True):
                if entry.get("refused"):
                    continue
                score = dict(entry["score"])
                if action.say == "no-quiero" and last[1] in worth:
                    more = {last[0]: worth[last[1]] - score[last[0]] + before[last[0]]}
                last = (action.player, action.say) if action.say else last
                entry["score"] = {player: points + more.get(player, 0) for player, points in score.items()}
                before = score

    names = [f"wikipedia-envido-refused-{name}" for name in ("05", "06", "07")]
    names += ["wikipedia-envido-refused-03[envido-refused-raise=accepted-plus-1]", "wikipedia-retruco-01"]
    engine = adapter("argentino", Plays((2,)), pays, observes=OBSERVES[:-1])
    results = run(chosen(variants=("argentino",), names=names), engine)
    assert [result.verdict for result in results].count("fail") == 4
    (alike,) = causes_of(results, engine.hello())
    assert (alike.rule, len(alike.cases), alike.explains) == ("envido-refused", 4, False)


@pytest.mark.long
def test_what_is_offered_too_much_is_told_together_where_one_rule_forbids_it() -> None:
    """A call of one kind and of another waits for its answer, and who is asked may go to the mazo, too."""

    def offers(script: Script, hands: list[Any]) -> None:
        for entry in entries(hands):
            texts = entry.get("legal", {}).get("P0", ())
            if "con-flor-quiero" in texts or "con-flor-me-achico" in texts:
                entry["legal"]["P0"] = [*texts, "mazo"]

    names = ("wikipedia-contraflor-01", "wikipedia-contraflor-resto-01", "wikipedia-flor-reply-01")
    engine = adapter("argentino", Plays((2,)), offers, observes=(*OBSERVES[:-1], "legal"))
    results = run(chosen(variants=("argentino",), names=names), engine)
    failed = [result.name for result in results if result.verdict == "fail"]
    (alike,) = causes_of(results, engine.hello())
    assert len(failed) > 1
    assert (alike.rule, sorted(alike.cases)) == ("go-to-mazo", sorted(failed))


@pytest.mark.long
def test_a_cause_claims_no_case_in_which_something_else_fails_and_that_is_told_behind_it() -> None:
    """All scripts show points in place of tentos first; what two cases ask is only who takes the trick."""

    class Mistold(Miniature):
        def run(self, script: Script) -> Seen:
            seven = any(action.play == "7H" for action in script.hands[0].actions)
            turned: dict[Any, str] = {"P0": "P1", "P1": "P0"} if seven else {}
            hands = super().run(script)
            return tuple(
                replace(hand, seen=tuple({**e, "trick": turned.get(e.get("trick"), e.get("trick"))} for e in hand.seen))
                for hand in hands
            )

    engine = Mistold(Hypothesis("mineiro", 4).under("scoring", "points"), ("acting", "stake", "score", "trick"))
    names = ("pagat-play-06", "pagat-play-07", "pagat-results-01", "pagat-anew-12", "pagat-ranking-07")
    causes = causes_of(run(chosen(variants=("mineiro",), names=names), engine), engine.hello())
    assert [(cause.option, len(cause.cases), cause.agreeing) for cause in causes] == [
        ("scoring=points", 3, 3),
        ("", 2, 0),
    ]
    assert causes[1].cases == names[3:]
    assert [fault.expected[:5] for fault in causes[1].faults] == ["trick", "trick"]
    assert (causes[1].rule, causes[1].got) == ("taker", causes[1].faults[0].got)


def test_what_is_taken_or_offered_elsewhere_is_no_rule_left_out() -> None:
    """It gives up no hand before it has played a card, which looks like no mazo at all."""
    numbers = (n for n, m in enumerate(mutants_of_variant("argentino")) if str(m) == "rule go-to-mazo: left out")
    plain = Hypothesis("argentino", 2)
    without = replace(plain, changes=(next(numbers),))
    deal = {"P0": ("1E", "7O", "4C"), "P1": ("1B", "2E", "3O")}
    script = Script(
        "argentino", {}, ("P0", "P1"), (("P0",), ("P1",)), "P1", {}, "strict",
        (HandScript(deal, tuple(map(action_of, ("P0 4C", "P1 1B", "P1 mazo")))),),
    )  # fmt: skip
    right, wrong = (Miniature(rules, ("acting", "legal")) for rules in (plain, without))
    taken = Reply("mazo", script, right.run(script))
    silent = replace(taken, answer=tuple(replace(h, seen=({}, {}, {})) for h in taken.answer))
    offered = replace(taken, answer=tuple(replace(h, seen=(*h.seen[:2], {"refused": True})) for h in taken.answer))
    refused = replace(taken, answer=wrong.run(script))
    told = [is_belied(without, plain, each, right.hello()) for each in (taken, silent, offered, refused)]
    assert told == [True, True, True, False]
    assert ["mazo" in said_in(each) for each in (taken, silent, offered, refused)] == told


def test_nothing_is_looked_for_where_nothing_failed() -> None:
    engine = Miniature(PAULISTA)
    results = run(chosen(variants=("paulista",), names=CASES), engine)
    assert causes_of(results, engine.hello()) == ()


@pytest.mark.long
def test_every_report_tells_causes_and_each_case_by_its_cause() -> None:
    whole = looked_into()
    sentence = whole.causes[0].sentence
    for text in (" ".join(story_of(whole).split()), formats.markdown(whole), formats.html(whole)):
        assert text.index("Causes") < text.index(sentence)
        assert all(name in text for name in FAILED)
    assert formats.junit(whole).count(f"cause: {sentence}") == 2
    assert formats.tap(whole).count("score-hand: without") == 2
    beside = text_of(comparison_document(compared([whole, replace(whole, ended=None)])))
    assert f"{sentence}: (1) 2" in " ".join(beside.split())


@pytest.mark.long
def test_what_a_cause_explains_is_no_fault_of_its_own() -> None:
    whole = looked_into()
    assert "FAIL" not in story_of(whole)
    assert "Faults by clause" not in story_of(whole)
    assert [case.name for case in whole.unexplained] == [CASES[3]]
    only = replace(whole, ended=replace(whole.ended, causes=whole.causes[:1]))  # type: ignore[type-var]
    assert f"FAIL {FAILED[2]}" in story_of(only)
    assert f"FAIL {FAILED[0]}" not in story_of(only)


@pytest.mark.long
def test_who_books_late_and_does_not_say_so_has_one_cause() -> None:
    failed, (cause,) = explained(books_late)
    assert (cause.claim, cause.sentence) == (
        "late score",
        "It brings “score” up to date only when a hand is over",
    )
    assert (list(cause.cases), cause.agreeing) == (failed, len(failed))


@pytest.mark.long
def test_it_is_told_too_behind_an_observation_that_is_wrong_nearly_everywhere() -> None:
    def habit(script: Script, hands: list[Any]) -> None:
        books_late(script, hands)
        for hand in hands:
            for entry in hand["seen"]:
                if "acting" in entry:
                    entry["acting"] = [script.dealer]

    _, causes = explained(habit)
    assert "late score" in [cause.claim for cause in causes]


@pytest.mark.long
def test_it_is_told_too_where_hands_end_before_their_last_card() -> None:
    def habit(script: Script, hands: list[Any]) -> None:
        books_late(script, hands)
        for hand in hands:
            for before, entry in itertools.pairwise([hand["start"], *hand["seen"]]):
                if entry.get("hand") and not entry.get("refused"):
                    before |= {key: entry[key] for key in ("hand", "score", "winner") if key in entry}
                    entry["refused"] = "not-now"

    _, causes = explained(habit)
    assert "late score" in [cause.claim for cause in causes]


@pytest.mark.long
def test_what_is_late_with_two_players_is_late_with_four() -> None:
    """Of these hands with four none is over."""
    engine = adapter("argentino", Plays((2, 4), itself=implicit("argentino")), books_late)
    names = [each.name for each in chosen(variants=("argentino",), players=2) if each.name.startswith(ENVIDO)]
    four = ("wikipedia-declaring-silent-01", "wikipedia-declaring-buenas-02")
    results = run(chosen(variants=("argentino",), names=(*names, *four)), engine)
    (cause,) = causes_of(results, engine.hello())
    assert cause.claim == "late score"
    assert set(cause.cases) == {each.name for each in results if each.verdict == "fail"} > {*four}


@pytest.mark.long
def test_raises_that_are_refused_are_no_words_that_are_said_by_itself() -> None:
    wanted = (
        "define trick-bet: without “bet is trick”",
        "rule needless-raise: always",
        "define open-after-tie: always",
    )
    numbers = {str(mutant): number for number, mutant in enumerate(mutants_of_variant("paulista"))}
    engine = Miniature(replace(PAULISTA, changes=tuple(sorted(numbers[each] for each in wanted))))
    results = run(chosen(variants=("paulista",), players=2), engine)
    causes = causes_of(results, engine.hello())
    assert causes
    assert not any(cause.claim for cause in causes)


@pytest.mark.long
def test_a_trick_that_nobody_takes_is_not_told_late() -> None:
    """Only the action that completes a trick reports its result."""

    def no_taker(script: Script, hands: list[Any]) -> None:
        for hand in hands:
            for entry in hand["seen"]:
                if not entry.get("hand"):
                    entry |= {key: None for key in ("trick", "leader") if key in entry}

    failed, causes = explained(no_taker, "wikipedia-ranking-")
    assert len(failed) > 5
    assert not any(cause.claim for cause in causes)


@pytest.mark.long
def test_who_never_books_is_not_late() -> None:
    failed, causes = explained(books_only_hands)
    assert len(failed) > 5
    assert not any(cause.claim for cause in causes)


ENVIDO = ("wikipedia-count-", "wikipedia-showing-")


def explained(
    habit: Habit, *begins: str, observes: tuple[str, ...] = OBSERVES
) -> tuple[list[str], tuple[CauseReport, ...]]:
    """What fails of the cases that begin so (of an envido), and the causes, where hello tells nothing of a habit."""
    engine = adapter("argentino", Plays((2,), itself=implicit("argentino")), habit, observes=observes)
    every = chosen(variants=("argentino",), players=2)
    results = run([case for case in every if case.name.startswith(begins or ENVIDO)], engine)
    return [each.name for each in results if each.verdict == "fail"], causes_of(results, engine.hello())


class Silent(Miniature):
    """Its players lay cards, and have no word: what is said is refused, and nothing is done by it."""

    def run(self, script: Script) -> Seen:
        hands = [replace(hand, actions=tuple(each for each in hand.actions if not each.say)) for hand in script.hands]
        answer = super().run(replace(script, hands=tuple(hands)))
        found = list[HandSeen]()
        for asked, hand in zip(script.hands, answer, strict=True):
            entries = iter(hand.seen)
            seen = tuple({"refused": "not-offered"} if each.say else next(entries) for each in asked.actions)
            found.append(replace(hand, seen=seen))
        return tuple(found)


def test_words_that_an_implementation_has_not_are_one_cause() -> None:
    """They came as an option for some of them, and as rules that it does not have for others."""
    engine = Silent(PAULISTA)
    results = run(chosen(variants=("paulista",), players=2), engine)
    cause, *others = causes_of(results, engine.hello())
    words = cause.claim.split()
    assert words[0] == "omits"
    assert {"truco", "jogo", "fujo"} <= set(words)
    assert cause.sentence.endswith("nowhere")
    assert cause.script.endswith(("truco", "jogo", "fujo"))
    assert not any(each.option or each.change for each in others)


class RefusesOne(Miniature):
    """It refuses one word of its first player: an acceptance, or a raise."""

    def __init__(self, played: Hypothesis, word: str = "aceito") -> None:
        super().__init__(played)
        self.word = word

    def run(self, script: Script) -> Seen:
        hands = super().run(script)
        for at, (asked, hand) in enumerate(zip(script.hands, hands, strict=True)):
            for number, (action, entry) in enumerate(zip(asked.actions, hand.seen, strict=True)):
                if action.player == "P0" and action.say == self.word and not entry.get("refused"):
                    cut = replace(hand, seen=(*hand.seen[:number], *refused(hand.seen[number:])))
                    lost = (replace(each, start={}, seen=refused(each.seen)) for each in hands[at + 1 :])
                    return (*hands[:at], cut, *lost)
        return hands


@pytest.mark.long
def test_random_hands_that_agree_speak_against_a_cause() -> None:
    """It lets the other player accept: the rule of acceptance is not missing."""
    engine = partial(RefusesOne, PAULISTA)
    found = fuzz(Job(engine, "paulista", 2, hands=60, part=60), explain=explain_hands)
    assert any("P0 aceito is permitted" in each.minimal.failure.expected for each in found.found)
    assert not found.causes


@pytest.mark.campaign
def test_a_hand_that_agrees_speaks_against_a_cause_however_seldom_one_like_it_comes() -> None:
    """It lets the other player say seis, where it answers truco; so not every raise has to wait."""
    engine = partial(RefusesOne, PAULISTA, "seis")
    found = fuzz(Job(engine, "paulista", 2, hands=100, part=100), explain=explain_hands)
    assert any("P0 seis is permitted" in each.minimal.failure.expected for each in found.found)
    assert not found.causes


@pytest.mark.long
def test_what_explains_failures_is_held_against_all_that_agree() -> None:
    """The only hand that speaks against it comes after many that do not."""
    engine = RefusesOne(PAULISTA)

    def answered(dealer: str, *actions: str) -> tuple[Script, Seen]:
        hand = HandScript({}, tuple(map(action_of, actions)))
        teams = (("P0",), ("P1",))
        script = Script("paulista", {}, ("P0", "P1"), teams, dealer, {}, "strict", (hand,))
        (whole,) = complete(Plan((script,), ())).requests
        assert isinstance(whole, Script)
        return whole, engine.run(whole)

    failed = {f"refused {number}": [answered("P0", "P1 truco", "P0 aceito")] for number in range(4)}
    right = {f"hand {number}": [answered("P0", "P1 truco")] for number in range(MOST_ASSUMED)}
    assert explain(engine.hello(), failed, right)
    taken = {"the last": [answered("P1", "P0 truco", "P1 aceito")]}
    assert not explain(engine.hello(), failed, {**right, **taken})


@pytest.mark.long
def test_a_script_that_differs_in_what_may_be_done_only_is_explained_too() -> None:
    """The table of the game tells nothing of that."""

    def once(script: Script, hands: list[Any]) -> None:
        hands[:] = told(replace(script, options={"real-envido-repeat-limit": "1", **script.options}))

    failed, (cause,) = explained(once, "wikipedia-envido-", "wikipedia-said-", observes=(*OBSERVES, "legal"))
    assert cause.option == "real-envido-repeat-limit=1"
    assert sorted(cause.cases) == sorted(failed)


@pytest.mark.long
def test_random_hands_are_explained_too() -> None:
    found = fuzz(Job(with_faults, "paulista", 2, hands=60, part=60), explain=explain_hands)
    assert {"covering=never", "score-hand"} <= {each.cause.option or each.cause.rule for each in found.causes}
    text = text_of_outcome(found, 1)
    assert text.index("Causes\n") < text.index("It plays ") < text.index("corpus: 1")
    plain = fuzz(Job(with_faults, "paulista", 2, hands=60, part=60))
    assert sum(each.kinds for each in found.causes) + len(found.found) == len(plain.found)
    assert not plain.causes


@pytest.mark.long
def test_the_command_looks_for_causes_unless_told_not_to(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["test", "--no-null", "--case", FAILED[0], "--case", FAILED[2], "--python", f"{WRONG}:House"]
    for more, shows in (((), True), (("--no-causes",), False)):
        with pytest.raises(SystemExit) as end:
            main([*words, *more])
        assert end.value.code == 1
        shown = capsys.readouterr().out
        assert ("It plays covering=never, not from-second" in shown) is shows
        assert ('"paulista": {"always": {"covering": "never"}}' in shown) is shows
        assert ("Of so few cases other causes may explain as much." in " ".join(shown.split())) is shows
        assert ("FAIL" in shown) is not shows


def test_rules_that_deal_other_cards_explain_nothing_where_no_card_is_laid() -> None:
    """Turned before the deal, the muestra leaves somebody without a flor. Who takes a word does not show that."""
    engine = Miniature(Hypothesis("uruguayo", 4))
    (instance,) = chosen(variants=("uruguayo",), names=("wikipedia-uy-flor-08",))
    script = next(each for each in whole(instance).requests if isinstance(each, Script))
    before = engine.played.under("hiding-flor", "called-first")
    (hand,) = engine.run(script)
    taken = tuple({key: of for key, of in entry.items() if key != "refused"} for entry in hand.seen)
    reply = Reply("flores", script, (replace(hand, seen=taken),))
    assert difference(before, reply, engine.hello()) is not None
    assert not compares(before.under("muestra-turn", "before-deal"), before, reply, engine.hello())


@pytest.mark.long
def test_a_word_that_the_game_never_waits_for_is_no_habit_where_one_rule_explains_more() -> None:
    """Where no team ever stands one short of the target nobody is asked whether to play: every “jogo” is refused."""
    change = "define brink-score: “target + tento” in place of “target - tento”"
    engine = Recorded([next(n for n, mutant in enumerate(mutants_of_variant("paulista")) if str(mutant) == change)])
    results = run(chosen(variants=("paulista",)), engine)
    (cause,) = causes_of(results, engine.hello())
    assert (cause.claim, cause.rule) == ("", "brink")
    assert {*cause.cases} == {each.name for each in results if each.verdict == "fail"}


@pytest.mark.long
def test_a_case_that_each_of_two_causes_mends_stands_by_both() -> None:
    engine = Miniature(PAULISTA.under("run-unasked", "team"))
    results = run(chosen(variants=("paulista",), names=("pagat-elsewhere-fold-01[2]",)), engine)
    (failed,) = (each for each in results if each.verdict == "fail")
    ((script, answer),) = failed.replies
    reply = Reply(failed.name, script, answer, failed=failed.failed)
    evidence = Evidence(engine.hello(), setting_of(engine.hello(), "paulista", 2, {}), [reply])
    begin(evidence, {})
    search = Search(evidence, None)
    other = "rule fold-hand: without “run-unasked is player-only”"
    mutant = next(number for number, each in enumerate(search.mutants) if str(each) == other)
    differs = search.about(0)[0]
    causes = [FitCause((0,), 0, differs, *engine.played.options[0]), FitCause((0,), 0, differs, mutant=mutant)]
    search._assume(replace(engine.played, changes=(mutant,)))
    _, told = _mending(search, Fit(evidence, search.now), causes, evidence)
    assert [each.scripts for each in told] == [(0,), (0,)]


class Traditional(Miniature):
    """It counts piezas as by tradition, and takes no count that the cards do not make."""

    def __init__(self) -> None:
        super().__init__(URUGUAYO.under("declared-values", "enforced-true").under("pieza-values", "traditional"))

    def hello(self) -> Introduction:
        return replace(super().hello(), variants={"uruguayo": Plays((2,), always={"declared-values": "enforced-true"})})


@pytest.mark.long
def test_an_option_that_shows_beside_one_that_is_claimed_is_found_by_what_the_cases_are_about() -> None:
    """The table knows what one option does where all others are the variant's own."""
    engine = Traditional()
    cases = [each for each in chosen(variants=("uruguayo",), players=2) if "worth-said" in each.name]
    causes = causes_of(run(cases, engine), engine.hello())
    assert [each.option for each in causes if each.option] == ["pieza-values=traditional"]


class Capped(Miniature):
    """The points stop at the target, whatever else is asked."""

    def hello(self) -> Introduction:
        can_be_set: dict[str, tuple[str, ...]] = {"iron-value": ("3",), "iron": ("own-seen",)}
        return replace(super().hello(), variants={"paulista": Plays((2,), can_be_set)})

    def run(self, script: Script) -> Seen:
        return Reference().run(replace(script, options={**script.options, "score-beyond-target": "cut"}))


def test_an_option_is_found_by_the_decision_on_which_a_case_rests() -> None:
    """The table knows no case that sets an option, and by its clauses this one is about another."""
    engine = Capped(PAULISTA)
    names = ("pagat-elsewhere-iron-01", *(f"nowadays-two-{name}" for name in NAMED))
    results = run(chosen(variants=("paulista",), names=names), engine)
    assert [each.name for each in results if each.verdict == "fail"] == ["pagat-elsewhere-iron-01"]
    assert [each.option for each in causes_of(results, engine.hello())] == ["score-beyond-target=cut"]


class OfTwoAndFour(Miniature):
    """It plays both, and nobody can refuse."""

    def __init__(self) -> None:
        gone = next(n for n, m in enumerate(mutants_of_variant("paulista")) if str(m) == "rule truco.refuse: left out")
        super().__init__(replace(PAULISTA, changes=(gone,)))
        self.graph_for = lambda asked: Hypothesis("paulista", len(asked.players), (), (gone,)).graph(asked.options)

    def hello(self) -> Introduction:
        return replace(super().hello(), variants={"paulista": Plays((2, 4))})


@pytest.mark.long
def test_a_cause_that_two_games_share_is_one() -> None:
    engine, names = OfTwoAndFour(), ("nowadays-two-truco-03", "nowadays-two-truco-04", "pagat-refusal-binds-04")
    cases = chosen(variants=("paulista",), names=names)
    (cause,) = causes_of(run(cases, engine), engine.hello())
    assert cause.rule == "truco.refuse"
    assert sorted(cause.cases) == sorted(names)
    assert cause.agreeing == len(names)


def heard(engine: Miniature, names: Sequence[str]) -> tuple[Search, dict[str, int]]:
    """A brief search with what it answers to these cases, and where the first script of each is; those that pass are
    assumed to agree.
    """
    failed, passed = list[Reply](), list[Reply]()
    variant, players = engine.played.variant, engine.played.players
    for result in run(chosen(variants=(variant,), names=names, players=players), engine):
        replies = (Reply(result.name, script, answer) for script, answer in result.replies)
        (failed if result.verdict == "fail" else passed).extend(replies)
    every = [*failed, *passed]
    setting = setting_of(engine.hello(), variant, players, {})
    evidence = Evidence(engine.hello(), setting, every, assumed=range(len(failed), len(every)))
    begin(evidence, {})
    return Search(evidence, None, effort=BRIEF), {each.name: at for at, each in reversed([*enumerate(every)])}


@pytest.mark.parametrize(("name", "may"), [("pagat-two-eleven-01", False), ("nowadays-two-anew-12[paulista]", True)])
def test_what_a_hand_forgets_to_reset_explains_no_first_hand(name: str, may: bool) -> None:
    kept = next(n for n, m in enumerate(mutants_of_variant("paulista")) if str(m) == KEPT_ELEVEN)
    engine = Miniature(replace(PAULISTA, changes=(kept,)))
    search, _ = heard(engine, (name,))
    found = search._held_against(WeighedHypothesis(engine.played, (), (), 0), search.every)
    assert (bool(found.better), search._is_true(found)) == (True, may)


def test_no_option_is_named_by_which_what_was_played_is_no_game() -> None:
    """The table does not tell that a script that begins with 28 to 28 is no game to 24."""
    lacks = Miniature(URUGUAYO.under("falta-accumulates", "adds").under("falta-basis", "leader"))
    names = ("wikipedia-falta-01[uruguayo]", "wikipedia-ending-05[uruguayo]")
    for few, named in ((names[:1], True), (names, False)):
        search, at = heard(lacks, few)
        tries = [(search.now.under("target", "24"), (at[names[0]],), 0)]
        assert bool([*search._accepted(search._better("options", tries))]) is named


def test_of_values_that_explain_as_much_what_passed_tells_the_right_one() -> None:
    engine = Miniature(URUGUAYO.under("truco-out-of-turn", "own-turn-to-open"))

    def reply(*actions: str) -> Reply:
        hand = HandScript({}, tuple(map(action_of, actions)))
        script = Script("uruguayo", {}, ("P0", "P1"), (("P0",), ("P1",)), "P1", {}, "strict", (hand,))
        (whole,) = complete(Plan((script,), ())).requests
        assert isinstance(whole, Script)
        return Reply(" ".join(actions), whole, engine.run(whole))

    replies = [reply("P1 truco"), reply("P0 truco", "P1 quiero", "P1 retruco")]
    evidence = Evidence(engine.hello(), setting_of(engine.hello(), "uruguayo", 2, {}), replies, assumed=range(1, 2))
    begin(evidence, {})
    search = Search(evidence, None, effort=BRIEF)
    search._concerned = lambda hypothesis: (0,)  # type: ignore[method-assign]  # as where the table knows no other
    tries = [(search.now.under("truco-out-of-turn", value), (0,), 0) for value in ("own-turn", "own-turn-to-open")]
    (cause,) = search._accepted(search._better("options", tries))
    assert (cause.value, cause.other_values) == ("own-turn-to-open", ())


def test_of_values_that_explain_just_as_much_the_one_next_to_the_claim_is_named() -> None:
    """Also where the table names the other one first."""
    names = [f"wikipedia-{name}" for name in ("falta-01[argentino]", "falta-05", "falta-07", "retruco-01")]
    engine = Miniature(Hypothesis("argentino", 2, (("falta-basis", "leader"),)))
    search, _ = heard(engine, names)
    tries = [(search.now.under("falta-basis", "winner-in-malas"), tuple(search.failing()), 0)]
    cause = search._best_of(list(search._better("options", tries)))
    assert cause is not None
    assert (cause.value, cause.other_values) == ("leader", ("falta-basis=winner-in-malas",))


def test_an_option_takes_the_place_of_a_change_of_what_asks_for_it() -> None:
    """That the trick decides a bet, left out, is what the option says; the table does not know them as alike."""
    whole = Hypothesis("mineiro", 4).under("bet", "hand")
    search, at = heard(Miniature(whole), ("pagat-trick-bet-01", "pagat-trick-bet-03", "pagat-bet-tie-01"))
    gone = next(n for n, m in enumerate(search.mutants) if str(m) == "define trick-bet: left out")
    scripts, differs = tuple(sorted(at.values())), search.about(0)[0]
    search._assume(replace(search.now, changes=(gone,)))
    cause = search._as_option(FitCause(scripts, 0, differs, mutant=gone))
    assert (cause.option, cause.value, search.now) == ("bet", "hand", whole)


class LetsTheCallerPlay(Miniature):
    """Who has called may lay a card before it is answered; the call goes on waiting."""

    def run(self, script: Script) -> Seen:
        def told(hand: HandScript, seen: HandSeen) -> HandSeen:
            entries, before = list[Mapping[str, Any]](), seen.start
            for action, entry in zip(hand.actions, seen.seen, strict=True):
                if entry.get("refused") and action.play and before.get("proposal"):
                    entry = {key: of for key, of in entry.items() if key != "refused"}
                entries.append(entry)
                before = entry
            return replace(seen, seen=tuple(entries))

        return tuple(map(told, script.hands, super().run(script)))


def test_of_one_case_alone_a_changed_rule_has_to_make_more_agree_than_it_asks() -> None:
    """That to play a card accepts the call makes the card right that the case is about, and not what is seen then."""
    engine = LetsTheCallerPlay(Hypothesis("uruguayo", 4))
    (failed,) = run(chosen(variants=("uruguayo",), names=("wikipedia-uy-truco-03",)), engine)
    replies = [
        Reply(failed.name, *reply, failed=tuple(replace(each, at=replace(each.at, script=0)) for each in failed.failed))
        for at, reply in enumerate(failed.replies)
        if any(each.at.script == at for each in failed.failed)
    ]
    evidence = Evidence(engine.hello(), setting_of(engine.hello(), "uruguayo", 4, {}), replies)
    begin(evidence, {})
    search = Search(evidence, None)
    always = next(number for number, each in enumerate(search.mutants) if str(each) == "rule play-accepts: always")
    cause = FitCause((0,), 0, search.about(0)[0], mutant=always)
    search._assume(replace(search.now, changes=(always,)))
    assert not search.unmet(0)
    assert not _mending(search, Fit(evidence, search.now), [cause], evidence)[1]
    assert search.now == search.plain


class PaysNoFalta(Miniature):
    """What a falta envido brings is never credited."""

    def run(self, script: Script) -> Seen:
        score = {player: script.score.get(player, 0) for player in script.players}

        def told(hand: HandSeen) -> HandSeen:
            entries = ({**entry, "score": score} if "score" in entry else entry for entry in hand.seen)
            return replace(hand, seen=tuple(entries))

        return tuple(map(told, super().run(script)))


@pytest.mark.long
def test_what_explains_one_case_by_chance_is_no_cause_where_more_fail_like_it() -> None:
    """At exactly fifteen nothing is what an option says; elsewhere it says something else."""
    engine = PaysNoFalta(Hypothesis("argentino", 2))
    names = (
        "falta-fifteen-01",
        "falta-03",
        "falta-05",
        "falta-06",
        "falta-07",
        *(f"ranking-0{n}" for n in range(1, 9)),
    )
    cases = chosen(variants=("argentino",), players=2)
    few = [each for each in cases if each.case.id.removeprefix("wikipedia-") in names]
    (cause,) = causes_of(run(few, engine), engine.hello())
    assert (cause.option, len(cause.cases)) == ("", 5)

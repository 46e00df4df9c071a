"""Faults as an engine that somebody wrote has them: other seats, other values, always the same number; each is one
cause, named by its rule.
"""

from dataclasses import replace
from functools import partial

import pytest
from test_orders import Ranking

from bench.fits import Miniature
from release.fault_table import told as as_told
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import (
    Deal,
    HandScript,
    Introduction,
    OwnDeals,
    Plays,
    Script,
    Seen,
    action_of,
)
from truco_spec.conformance.fit.evidence import Evidence, Reply, setting_of
from truco_spec.conformance.fit.fit import Search
from truco_spec.conformance.fit.fit_report import causes_of
from truco_spec.conformance.fit.fit_result import FitCause
from truco_spec.conformance.fit.how_far import Reach
from truco_spec.conformance.fit.hypothesis import Hypothesis, difference, in_own_words, mutants_of_variant
from truco_spec.conformance.fit.mutants import (
    BY_EVERYONE,
    by_answers,
    by_others,
    by_values,
    computed,
    constant,
    in_several,
    mutated,
    said,
)
from truco_spec.conformance.fit.orders import ShownOrder, shifted
from truco_spec.conformance.fit.trying import BRIEF
from truco_spec.conformance.runner.runner import run
from truco_spec.graph.load import core
from truco_spec.graph.model import OBSERVED

LAST = """
    replace define taker(n : trick) : team or tie @decided:d "x" = team(last seat s in tops(n) from leader)
    drop tied-trick @decided:d
    replace define next-leader @decided:d "x" = last seat s in tops(current) from leader"""
SUITS = 'replace define strength(c : card) @decided:d "x" = 4 * place(rank(c)) + place(suit(c))'
FALTA = 'replace define prize-falta except full-prize @decided:d "x" when envido.offer is falta = 12'
MAZO = 'replace define mazo-worth @decided:d "x" = 1'
TURN = 'rule turns @decided:d "x" in truco.answer on aceito do turn = me'
TURNS = """rule turns @decided:d "x" in truco.answer, envido.answer on quiero or no-quiero do turn = me
    rule turns-of-flor @decided:d "x"
        in flor-round on callo or flor or con-flor-me-achico or contraflor or contraflor-al-resto do turn = me"""
NEW_STAKE = """rule pays-new except truco.refuse @decided:d "x"
    in truco.answer by side(truco.asked) may corro do concede(us, truco.stakes(truco.offer))"""


TIE = """replace define tie-better(s : seat) : flag @decided:d "x"
    = team(s) is not team(mano) and team(best) is team(mano)"""
UNTIL_THE_TRICK_ENDS = 'replace define begun(s : seat) @decided:d "x" = won(1) is not open'
FALTA_ENVIDO = "falta-envido"


def choosing(who: str) -> str:
    return f'define other-chooser except onze.chooser @decided:d "x" = {who}'


class TellsStakeLate(Miniature):
    """It pays what was accepted, and tells of a hand what it was worth at first."""

    def run(self, script: Script) -> Seen:
        hands = super().run(script)
        for hand in hands:
            told = [entry for entry in (hand.start, *hand.seen) if "stake" in entry]
            for entry in told:
                entry["stake"] = told[0]["stake"]  # type: ignore[index]
        return hands


@pytest.mark.long
@pytest.mark.parametrize(
    ("engine", "change"),
    [
        (Ranking("paulista", LAST), "“{last seat s in playing from next(turn) : power(n, s) is "),
        (Ranking("paulista", SUITS), "“D < S < H < C” in place of “D = S = H = C”"),
        (Ranking("argentino", FALTA), "“12” in place of “falta-worth(other(winner))”"),
        (Ranking("argentino", MAZO), "“1” in place of “mazo-worth”"),
        (Ranking("argentino", TIE), "“yes” in place of "),
        (Ranking("paulista", TURN), "with “turn = me”"),
        (Ranking("argentino", TURNS), "“turn = me” after every answer"),
        (Ranking("paulista", NEW_STAKE), "“truco.stakes(truco.offer)” in place of “stake”"),
        (Ranking("paulista", choosing("side(other(eleven))")), "“side(other(eleven))” in place of “side(eleven)”"),
        (Ranking("paulista", choosing("{mano}"), 4), "“{turn}” in place of “side(eleven)”"),
        (TellsStakeLate(Hypothesis("paulista", 2)), "“tento if truco.level > 0 else stake” in place of “stake”"),
    ],
    ids=["last", "suits", "falta", "mazo", "tie", "turn", "turns", "new stake", "other side", "mano", "stake"],
)
def test_each_is_one_cause_of_all_that_fails(engine: Miniature, change: str) -> None:
    results = run(chosen(variants=(engine.played.variant,), players=engine.played.players), engine)
    failed = {result.name for result in results if result.verdict == "fail"}
    (cause,) = causes_of(results, engine.hello())
    assert cause.change.startswith(change)
    assert ({*cause.cases}, cause.agreeing) == (failed, len(failed))


PERICA = """replace define pieza-worth(r : rank) @decided:d "x"
    = 30 if r is 11 else 28 if r is 10 else 2 if r is 2 else 4 if r is 4 else 5"""
FLOR = 'replace define flor-count-of(h : set of card) : 0 .. 50 @decided:d "x" = sum card c in h : worth(c)'
FIGURES = """replace define number-of(c : card) @decided:d "x"
    = 10 if rank(c) in {10, 11, 12} else place(rank(c)) - 7 if rank(c) in {1, 2, 3} else place(rank(c)) + 3"""


class Dealt:
    """An engine to which whole packs are dealt, as to those of others: tables know its scripts."""

    def __init__(self, engine: Miniature) -> None:
        self.hello, self.run = engine.hello, engine.run

    def deal(self, asked: OwnDeals) -> tuple[Deal, ...]:
        raise NotImplementedError

    def close(self) -> None:
        """It has nothing to close."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("engine", "change"),
    [
        (Ranking("uruguayo", PERICA), "“28” in place of “29”"),
        (
            Ranking("argentino", FLOR),
            "“sum card c in h : worth(c)” in place of “20 + (sum card c in h : worth(c))”",
        ),
    ],
    ids=["one worth less", "no twenty"],
)
def test_what_an_engine_says_in_place_of_a_refused_count_tells_changes_apart(engine: Miniature, change: str) -> None:
    """Any count that is not the one expected would explain its refusal: so the one by the changed rules is said."""
    results = run(chosen(variants=(engine.played.variant,), players=2), Dealt(engine))
    failed = {result.name for result in results if result.verdict == "fail"}
    (cause,) = causes_of(results, engine.hello(), ask=engine.run)
    assert (cause.change, {*cause.cases}) == (change, failed)


@pytest.mark.long
def test_until_when_something_is_said_is_one_cause() -> None:
    engine = Ranking("argentino", UNTIL_THE_TRICK_ENDS)
    results = run(chosen(variants=("argentino",), players=2), Dealt(engine))
    cause, *_ = causes_of(results, engine.hello())
    assert cause.change == "“every seat x : laid(1, x) is not none” in place of “laid(1, s) is not none”"
    assert len(cause.cases) == 8


class Truthful(Ranking):
    """It takes true counts only, and says so."""

    def __init__(self, statements: str) -> None:
        self.statements = f"{statements} set declared-values enforced-true @decided:d"
        super().__init__("argentino", self.statements)

    def hello(self) -> Introduction:
        return Introduction(
            "truthful",
            "1",
            {"argentino": Plays((2,), always={"declared-values": "enforced-true"})},
            tuple(self.observes),
        )


PAIRS = 'replace define paired(a : card, b : card) @decided:d "x" = a is not b and rank(a) is rank(b)'
LOWEST = 'replace define count-of(h : set of card) : 0 .. 50 @decided:d "x" = lowest card c in h : worth(c)'


@pytest.mark.long
@pytest.mark.parametrize(
    ("statements", "change"),
    [
        (FIGURES, "“10” in place of “0”"),
        (PAIRS, "“rank(a) is rank(b)” in place of “suit(a) is suit(b)”"),
        (LOWEST, "“lowest card c in h : worth(c)” in place of “highest card c in h : worth(c)”"),
    ],
    ids=["figures", "pairs", "lowest"],
)
def test_another_count_is_named_by_what_is_taken_in_the_place_of_a_refused_one(statements: str, change: str) -> None:
    """That a count is refused any rule would explain that forbids it: so the one that it takes is explained."""
    engine = Truthful(statements)
    results = run(chosen(variants=("argentino",), players=2), Dealt(engine))
    failed = {result.name for result in results if result.verdict == "fail"}
    (cause,) = causes_of(results, engine.hello(), ask=engine.run)
    assert (cause.change, {*cause.cases}) == (change, failed)


class Announces(Truthful):
    """It says its counts by itself."""

    def __init__(self, statements: str) -> None:
        super().__init__(statements)
        self.offered = Ranking("argentino", self.statements)
        self.offered.asked = frozenset({"start", "legal"})

    def hello(self) -> Introduction:
        own = replace(super().hello().variants["argentino"], itself=("tengo", "paso", "son-buenas"))
        return replace(super().hello(), variants={"argentino": own})

    def run(self, script: Script) -> Seen:
        play, offered = (partial(Reference.run, each) for each in (self, self.offered))
        own = {*self.hello().variants["argentino"].own_words}
        return as_told(in_own_words(script, own, play, offered)[1], self.observes)


@pytest.mark.long
def test_another_count_that_is_said_without_being_asked_is_named() -> None:
    engine = Announces(PAIRS)
    results = run(chosen(variants=("argentino",), players=2), Dealt(engine))
    (cause,) = causes_of(results, engine.hello(), ask=engine.run)
    assert cause.rule == "paired"


@pytest.mark.long
def test_another_count_is_named_beside_an_option_that_is_not_claimed() -> None:
    engine = Truthful(PAIRS)
    results = run(chosen(variants=("argentino",), players=2), Dealt(Ranking("argentino", engine.statements)))
    option, cause = causes_of(results, Ranking.hello(engine), ask=engine.run)
    assert (option.option, cause.rule) == ("declared-values=enforced-true", "paired")


@pytest.mark.long
def test_what_a_change_does_under_a_claim_is_measured_before_the_next_is_tried() -> None:
    """No table knows what it does there, so what it explains was taken to fail still, and tried again."""
    engine = Truthful(FIGURES)
    results = run(chosen(variants=("argentino",), players=2), Dealt(engine))
    assert causes_of(results, engine.hello())[0].rule == "number-of"


class CardsOnly(Ranking):
    """It has no calls: the mano leads each trick, and a hand without two tricks of a side is nobody's."""

    def __init__(self) -> None:
        super().__init__(
            "argentino",
            """replace define next-leader @decided:d "x" = mano
            set tied-hand nobody @decided:d
            replace table hand-winner(t1, t2, t3) @decided:d "x"
            | X   | X   | -   | X     |
            | X   | tie | -   | X     |
            | X   | Y   | X   | X     |
            | X   | Y   | tie | drawn |
            | X   | Y   | Y   | Y     |
            | tie | X   | -   | X     |
            | tie | tie | X   | drawn |
            | tie | tie | tie | drawn |
            """,
        )

    def hello(self) -> Introduction:
        plays = {"argentino": Plays((2,), omits=("*", "cover"))}
        return Introduction("cards", "1", plays, ("acting", "stake", "trick", "leader", "hand", "score", "winner"))


def test_what_two_causes_mend_together_is_measured_before_the_next_is_tried() -> None:
    engine = CardsOnly()
    results = run(chosen(variants=("argentino",), players=2), Dealt(engine))
    causes = (cause for cause in causes_of(results, engine.hello(), ask=engine.run) if cause.explains)
    assert {cause.rule or cause.option for cause in causes} == {"next-leader", "tied-hand=nobody", "hand-winner"}


class Lists(Miniature):
    """It lists a falta envido over a falta envido."""

    def run(self, script: Script) -> Seen:
        hands = super().run(script)
        for dealt, hand in zip(script.hands, hands, strict=True):
            for action, entry in zip(dealt.actions, hand.seen, strict=True):
                for player, texts in entry["legal"].items() if action.say == FALTA_ENVIDO else ():
                    entry["legal"][player] = [*{*texts, *([FALTA_ENVIDO] if "no-quiero" in texts else [])}]
        return hands


@pytest.mark.parametrize(("value", "belied"), [("forbidden", True), ("allowed", False)])
def test_what_is_listed_and_refused_is_no_option(value: str, belied: bool) -> None:
    """Where nothing can be asked, a list alone that has too much is no evidence of it."""
    plain = Hypothesis("argentino", 2)
    engine = Lists(plain.under("falta-on-falta", value), ("acting", "legal"))
    deal = {"P1": ("3E", "5E", "7B"), "P0": ("11E", "4E", "5C")}
    hand = HandScript(deal, (action_of(f"P1 {FALTA_ENVIDO}"),))
    script = Script("argentino", {}, ("P0", "P1"), (("P0",), ("P1",)), "P0", {}, "strict", (hand,))
    reply = Reply("falta", script, engine.run(script))
    evidence = Evidence(engine.hello(), setting_of(engine.hello(), "argentino", 2, {}), [reply])
    differs = difference(plain, reply, engine.hello())
    assert differs is not None
    cause = FitCause((0,), 0, differs, "falta-on-falta", "allowed")
    search = Search(evidence, None, effort=BRIEF)
    search._assume(plain.under("falta-on-falta", "allowed"))
    assert search.reach[0].agrees
    assert search.is_only_listed(cause, engine.run) is belied
    assert search.is_only_listed(cause, None)


def others(variant: str, name: str) -> set[str]:
    found = (*by_others(core(variant)), *by_values(core(variant)))
    return {each.what for each in found if each.statement.name == name}


def test_who_acts_is_exchanged_for_others() -> None:
    assert others("paulista", "onze.chooser") == {
        f"“{new}” in place of “side(eleven)”"
        for new in (
            "{first seat x in side(eleven) from next(turn)}",
            "{last seat x in side(eleven) from next(turn)}",
            "{first seat x in side(eleven) from turn}",
            "{last seat x in side(eleven) from turn}",
            "{turn}",
            "side(other(eleven))",
        )
    }
    assert {"with “turn = me”", "with “turn = next(me)”"} < others("paulista", "truco.accept")
    assert others("paulista", "look-before-answer") == set()  # who sees what is another thing


def test_what_all_answers_do_goes_with_another_change_of_one() -> None:
    """An engine passes the turn in one place, whatever was asked; one of the answers may be wrong besides."""
    mutants = [*mutants_of_variant("argentino")]
    turns = next(each for each in mutants if each.last)
    assert {"truco.accept", "envido.accept", "envido.refuse", "flor-silence"} < turns.names
    for other in (each for each in mutants if each.statement.name == "envido.refuse" and not each.last):
        assert turns.goes_with(other)
        items = mutated(core("argentino"), [turns, other]).items
        done = items["envido.refuse"].statement.clause("do") if "envido.refuse" in items else None
        assert done is None or said(done.changes[0]) == "turn = me"


def test_of_two_differences_at_one_move_each_is_explained_by_itself() -> None:
    """Of a reach the game is the same up to the place; what of the observations there is right counts, too."""
    both, one, other = (Reach(3, there=frozenset(of)) for of in ({1, 2}, {1}, {2}))
    assert one.betters(both)
    assert both.worsens(one)
    assert not one.betters(other)
    assert one.worsens(other)
    move = Reach(3)
    assert not any((move.betters(both), both.betters(move), move.worsens(both), both.worsens(move)))
    assert Reach(4, there=frozenset({1, 2})).betters(one)


def test_an_answer_is_always_the_same_or_asks_of_others() -> None:
    found = {str(each) for each in by_answers(core("argentino"))}
    assert found >= {
        "define begun: “yes” in place of “laid(1, s) is not none”",
        "define begun: “some seat x : laid(1, x) is not none” in place of “laid(1, s) is not none”",
        "define count-of-pair: “worth(b)” in place of “worth(a) + worth(b)”",
        "define count-of: “sum card c in h : worth(c)” in place of “highest card c in h : worth(c)”",
        "define paired: “rank(a) is rank(b)” in place of “suit(a) is suit(b)”",
    }


def test_a_part_of_several_conditions_is_left_out_of_all_of_them() -> None:
    found = {str(each): each.names for each in in_several(core("paulista"))}
    later = "rule truco.later: without “truco.holder is us”, also in needless-later"
    assert found[later] == {"truco.later", "needless-later"}
    changed = mutated(core("paulista"), [each for each in in_several(core("paulista")) if str(each) == later]).items
    for name in found[later]:
        when = changed[name].statement.clause("when")
        assert when is not None
        assert "truco.holder" not in said(when.expr)


@pytest.mark.long
def test_the_side_that_raises_twice_is_one_cause() -> None:
    later = "rule truco.later: without “truco.holder is us”, also in needless-later"
    (number,) = (n for n, each in enumerate(mutants_of_variant("paulista")) if str(each) == later)
    engine = Miniature(Hypothesis("paulista", 4, changes=(number,)))
    results = run(chosen(variants=("paulista",), players=4), engine)
    failed = {result.name for result in results if result.verdict == "fail"}
    (cause,) = causes_of(results, engine.hello(), ask=engine.run)
    assert (cause.rule, {*cause.cases}) == ("truco.later", failed)


def test_values_are_exchanged_for_others_of_their_kind() -> None:
    assert "“truco.stakes(truco.offer)” in place of “stake”" in others("argentino", "truco.refuse")
    assert {"“us” in place of “them”", "without “truco.asked = them” in truco.answer"} < others(
        "paulista", "truco.offered"
    )
    assert others("argentino", f"{OBSERVED}stake") == {
        "“1” in place of “stake”",
        "“1 if truco.level > 0 else stake” in place of “stake”",
    }


def test_a_number_is_put_in_the_place_of_a_computed_one() -> None:
    chain = core("argentino")
    changes = {(m.statement.name, m.what) for at in computed(chain, ["mazo-worth"]) for m in [constant(chain, *at, 1)]}
    assert changes == {("mazo-worth", "“1” in place of “stake”")}


def test_a_written_number_is_shifted() -> None:
    chain, codes = core("argentino"), len(mutants_of_variant("argentino"))
    changes = {mutants_of_variant("argentino")[codes + code].what for code in shifted(chain, ["number-of"], [10, -5])}
    assert changes >= {"“10” in place of “0”", "“17” in place of “7”", "“2” in place of “7”", "“13” in place of “3”"}
    assert not any(what.startswith("“-") for what in changes)


def test_no_table_knows_these_changes_and_they_do_not_count_for_the_corpus() -> None:
    mutants = [*mutants_of_variant("paulista")]
    aside = [each for each in mutants if each.untabled and not each.what.startswith(BY_EVERYONE)]
    assert {each.what for each in aside} >= others("paulista", "tops")
    assert not {*map(str, aside)} & {str(each) for each in mutants if not each.untabled}
    assert said(aside[0].statement.value)


@pytest.mark.parametrize(
    ("broken", "tied", "suits"),
    [
        ({(1, 0): 2, (2, 1): 1}, 0, [0, 1, 2]),
        ({(1, 0): 2, (2, 1): 1, (0, 2): 1}, 0, []),  # round
        ({(1, 0): 9}, 0, []),  # two suits alone show no order
        ({(1, 0): 2, (2, 1): 1}, 1, []),  # some are tied
    ],
)
def test_suits_tell_equal_cards_apart_if_all_ties_show_it(
    broken: dict[tuple[int, int], int], tied: int, suits: list[int]
) -> None:
    shown = ShownOrder()
    shown.broken.update(broken)
    shown.even[3, 3] = tied
    assert shown.suits(lambda card: card) == suits

"""No cause is named that one seat alone shows, or that as much speaks against; what is one fault is one entry."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from test_fit import PAULISTA, FixedSeat
from test_orders import Ranking
from wrong import Wrong

from bench.fits import OBSERVES, Miniature
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import HandSeen, Plays, Script, Seen
from truco_spec.conformance.fit.evidence import Evidence, Reply, setting_of, steady
from truco_spec.conformance.fit.fit import Search
from truco_spec.conformance.fit.fit_report import causes_of, explain_hands
from truco_spec.conformance.fit.habits import BEHIND, told_at_once, told_in_time, with_habits
from truco_spec.conformance.fit.hypothesis import Hypothesis, mutants_of_variant, takes_less, unmet
from truco_spec.conformance.fit.mutants import Mutant, mutated
from truco_spec.conformance.fit.trying import BRIEF, Trying
from truco_spec.conformance.fit.weighing import WeighedHypothesis
from truco_spec.conformance.fuzz.fuzz import fuzz
from truco_spec.conformance.fuzz.rounds import Job
from truco_spec.conformance.runner.runner import run
from truco_spec.conformance.runner.verdicts import CauseReport
from truco_spec.graph.load import core

FOUR = Hypothesis("paulista", 4)
OTHERS = tuple(f"nowadays-two-{name}" for name in ("rank-01", "hand-01", "hand-02", "raise-01", "raise-02"))
TIES = tuple(f"nowadays-two-tie-0{number}" for number in range(1, 7))
NEXT = "(first seat x in side(truco.asked) from next(turn))"
ONLY_NEXT = f"""
  rule only-next except truco.accept, truco.counter, truco.refuse @decided:own "Only the next player answers."
    in truco.answer by side(truco.asked) must not aceito or corro or truco when me is not {NEXT}
  define waits-for-next except waits-for-answer @decided:own "Only the next player is due."
    when during truco.answer = {{{NEXT[1:-1]}}}"""
TO_THE_LEFT = (
    """replace define next-in-play(s : seat) @decided:own "To the left." = first seat x in playing from before(s)"""
)
BY_SUIT = """define by-suit except taker, tied-trick @decided:own "The suit decides."
  when size(tops(n)) > 1 = team(first seat s in tops(n) :
    place(suit(laid(n, s))) is (highest seat x in tops(n) : place(suit(laid(n, x)))))"""
UNTIL_A_CARD_LIES = 'replace define begun(s : seat) : flag @decided:d "x" = some seat x : laid(1, x) is not none'
ALWAYS_TWELVE = """
  replace define falta-worth(lost : team) : 0 .. 4 * target @decided:own "Always twelve." = 12
  replace define falta-in-malas except falta-worth @decided:own "Never." when no = 3"""


def number_of(variant: str, text: str) -> int:
    """The number of a single change."""
    return next(number for number, mutant in enumerate(mutants_of_variant(variant)) if str(mutant) == text)


def causes(
    engine: Any, variant: str, names: Iterable[str], players: int = 2, *, asking: bool = False
) -> list[CauseReport]:
    """The causes and groups of what an engine answers to these cases; ``asking`` it further scripts."""
    whole = SimpleNamespace(hello=engine.hello, run=engine.run, close=engine.close)  # complete deals, as the table has
    results = run(chosen(variants=(variant,), names=tuple(names), players=players), whole)
    return list(causes_of(results, engine.hello(), ask=partial(steady, engine) if asking else None))


# ---- what one seat has -----------------------------------------------------------------------------


@pytest.mark.long
def test_what_one_seat_has_whoever_deals_is_no_option_of_a_run() -> None:
    """In the case the dealer is that seat. With the seats moved by one it has the hand still."""
    asked = ("nowadays-two-tie-06", *OTHERS, *TIES[:5])
    assert [each.option for each in causes(FixedSeat(), "paulista", asked)] == ["tied-hand=dealer"]
    assert causes(FixedSeat(), "paulista", asked, asking=True) == []
    dealer = Miniature(PAULISTA.under("tied-hand", "dealer"))
    assert [each.option for each in causes(dealer, "paulista", asked, asking=True)] == ["tied-hand=dealer"]


def test_who_answers_no_further_script_is_believed() -> None:
    class Closed(FixedSeat):
        """It breaks down where others deal than in the cases, and is not asked for ever."""

        times = 0

        def run(self, script: Script) -> Seen:
            self.times += 1
            raise Broken("crash", "gone")

    engine, closed = Miniature(PAULISTA.under("tied-hand", "dealer")), Closed()
    results = run(chosen(variants=("paulista",), names=("nowadays-two-tie-06", *OTHERS, *TIES[:5]), players=2), engine)
    (cause,) = causes_of(results, engine.hello(), ask=partial(steady, closed))
    assert (cause.option, closed.times) == ("tied-hand=dealer", 1)


# ---- what as much speaks against ---------------------------------------------------------------------


@pytest.mark.long
def test_a_changed_rule_is_no_cause_where_a_third_result_is_shown() -> None:
    """Without ties the first of equal cards would take the trick, and half of these went to the other."""
    found = causes(Wrong(BY_SUIT), "paulista", (*TIES, *OTHERS))
    assert not any(each.explains for each in found)


@pytest.mark.long
def test_a_number_that_is_always_paid_is_the_cause_and_no_option_that_two_cases_show() -> None:
    """Always twelve are in two of ten cases as many as by falta-accumulates=adds."""
    falta = [f"wikipedia-falta-0{number}" for number in range(1, 8)]
    names = (*falta, "wikipedia-falta-fifteen-01", "wikipedia-falta-accepted-01", "wikipedia-showing-forfeit-05")
    engine = Wrong(ALWAYS_TWELVE, "argentino")
    engine.plays = Plays((2,))
    (cause,) = causes(engine, "argentino", names)
    assert (cause.option, cause.change.partition(" in place of ")[0]) == ("", "“12”")
    assert len(cause.cases) > 5


def test_rules_that_refuse_all_that_follows_hold_no_check_of_it() -> None:
    """Nobody but P3 leads, so that the card of P1 is refused: not since the hand is dark."""
    dark = Hypothesis("paulista", 4, (), (number_of("paulista", "define in-the-dark: without “ferro”"),))
    engine = Wrong(TO_THE_LEFT)
    names = ("pagat-play-04", "pagat-paulista-deal-04")
    results = run(chosen(variants=("paulista",), names=names, players=4), engine)
    reply, *others = (Reply(each.name, *each.replies[0], failed=each.failed) for each in results)
    assert unmet(dark, reply, engine.hello()) == unmet(Hypothesis("paulista", 4), reply, engine.hello()) != frozenset()
    assert takes_less(dark, Hypothesis("paulista", 4), [reply, *others], engine.hello())


# ---- lists of legal actions --------------------------------------------------------------------------


@pytest.mark.long
def test_what_the_list_before_the_first_action_belies_is_no_cause() -> None:
    """Nobody opens the envido once a card lies. That it is never opened would explain every list behind that."""
    engine = Ranking("argentino", UNTIL_A_CARD_LIES)
    engine.observes = (*OBSERVES, "legal")
    found = fuzz(Job(lambda: engine, "argentino", 2, hands=60), explain=explain_hands)
    (cause, *_) = (each.cause for each in found.causes)
    assert cause.change == "“some seat x : laid(1, x) is not none” in place of “laid(1, s) is not none”"
    assert {each.minimal.failure.about.partition(" ")[0] for each in found.found}.isdisjoint({"envido", "flor"})


def test_of_values_that_explain_the_same_the_next_is_named_also_where_every_case_fails() -> None:
    """A table of failures names one of them; none of the scripts is assumed to agree, which it would have told."""
    engine = Miniature(Hypothesis("argentino", 2).under("falta-basis", "leader"))
    results = run(chosen(variants=("argentino",), names=("wikipedia-falta-basis-01",), players=2), engine)
    replies = [Reply(each.name, *each.replies[0]) for each in results]
    evidence = Evidence(engine.hello(), setting_of(engine.hello(), "argentino", 2, {}), replies)
    search = Search(evidence, None, effort=BRIEF)
    found = search._better("", [(search.now.under("falta-basis", "winner-in-malas"), (0,), 0)])
    cause = search._best_of(list(found))
    assert cause is not None
    assert (cause.value, cause.other_values) == ("leader", ("falta-basis=winner-in-malas",))


# ---- scripts that begin after the end ------------------------------------------------------------------


class Short(Miniature):
    """It plays to 15, and breaks off where a score is ``beyond``."""

    def __init__(self, beyond: int) -> None:
        super().__init__(Hypothesis("argentino", 2).under("target", "15"))
        self.beyond = beyond

    def run(self, script: Script) -> Seen:
        if max(script.score.values(), default=0) >= self.beyond:
            raise Broken("error", "the score is beyond the end")
        return super().run(script)


BEGUN = [f"wikipedia-falta-0{number}" for number in range(1, 8)] + [
    "wikipedia-showing-forfeit-05",
    "wikipedia-falta-accepted-01",
    "wikipedia-ending-06",
]


@pytest.mark.parametrize("beyond", [pytest.param(15, marks=pytest.mark.long), 1], ids=["the end", "any score"])
def test_errors_where_a_score_lies_beyond_the_end_show_the_target(beyond: int) -> None:
    """Not where it breaks off at any score."""
    engine = Short(beyond)
    results = run(chosen(variants=("argentino",), names=BEGUN, players=2), engine)
    errors = {each.name for each in results if each.verdict == "error"}
    found = [each.option for each in causes_of(results, engine.hello()) if errors.issubset(each.cases)]
    assert found == (["target=15"] if beyond > 1 else [])
    assert len(errors) > 2


# ---- one fault, one entry ----------------------------------------------------------------------------


@pytest.mark.long
def test_play_that_goes_round_to_the_left_is_one_cause() -> None:
    names = [f"pagat-play-0{number}" for number in (4, 5, 6, 7)]
    (cause,) = causes(Wrong(TO_THE_LEFT), "paulista", names, 4)
    assert (cause.rule, cause.change) == ("next-in-play", "“before(s)” in place of “next(s)”")


@pytest.mark.long
def test_where_only_the_next_player_answers_that_is_one_cause() -> None:
    names = ("pagat-said-11", "pagat-said-12", "pagat-inherited-truco-07", "pagat-inherited-truco-14", "pagat-play-07")
    (cause,) = causes(Wrong(ONLY_NEXT), "paulista", (*names, "pagat-refusal-binds-05"), 4)
    assert "only the next player may do it, as in" in cause.sentence
    assert cause.agreeing == len(cause.cases) > 2


@pytest.mark.parametrize(
    ("variant", "put"),
    [
        (
            "paulista",
            ("table hand-winner: “Y” in the row X Y tie X", "table hand-winner: “drawn” in the row tie tie X X"),
        ),
        (
            "paulista",
            ("table hand-winner: “drawn” in the row X Y tie X", "table hand-winner: without the row X tie - X"),
        ),
        ("argentino", ("define truco.stakes: “4” in place of “3”", "define truco.stakes: “5” in place of “4”")),
    ],
)
def test_two_values_of_one_table_are_changed_together(variant: str, put: tuple[str, str]) -> None:
    mutants = mutants_of_variant(variant)
    one, other = (number_of(variant, text) for text in put)
    assert mutants[one].goes_with(mutants[other])
    graphs = [Hypothesis(variant, 2, (), changes).graph() for changes in ((one,), (other,), (one, other), (other, one))]
    name = mutants[one].statement.name
    values = [repr(graph.tables.get(name) or graph.defines[name].answers) for graph in graphs]
    assert values[2] == values[3]
    assert len({*values}) == 3


def test_changes_of_one_condition_or_row_exclude_each_other() -> None:
    mutants = mutants_of_variant("paulista")
    texts = ("table hand-winner: “Y” in the row X Y tie X", "table hand-winner: “drawn” in the row X Y tie X")
    one, other = (mutants[number_of("paulista", text)] for text in texts)
    assert not one.goes_with(other)
    always = mutants[number_of("paulista", "rule needless-raise: always")]
    assert not always.goes_with(mutants[number_of("paulista", "rule needless-raise: left out")])
    assert always.goes_with(one)


def test_changes_of_one_statement_that_go_together_can_be_made_together() -> None:
    """A value with a number in it is one change; another number there is none beside it."""
    of_one = defaultdict[str, list[Mutant]](list)
    for mutant in mutants_of_variant("argentino"):
        if mutant.place:
            of_one[mutant.statement.name].append(mutant)
    pairs = [pair for of in of_one.values() for pair in itertools.combinations(of, 2) if pair[0].goes_with(pair[1])]
    for pair in pairs:
        assert mutated(core("argentino"), pair).items
    assert len(pairs) > 500


@pytest.mark.long
def test_two_wrong_rows_of_a_table_are_two_causes() -> None:
    put = ("table hand-winner: “Y” in the row X Y tie X", "table hand-winner: “drawn” in the row tie tie X X")
    changes = tuple(number_of("paulista", text) for text in put)
    names = [f"pagat-paulista-{kind}-{number:02}" for kind, of in ROWS.items() for number in of]
    found = causes(Miniature(Hypothesis("paulista", 4, (), changes)), "paulista", names, 4)
    assert {each.change for each in found} == {text.partition(": ")[2] for text in put}


ROWS = {"results": range(1, 15), "inherited": (19, 23), "iron": (2,), "truco": (2,)}
"""Cases of who wins a hand."""


# ---- observations that come late -----------------------------------------------------------------------


class Late(Miniature):
    """It reports the score one action late, or, ``until_next``, when the next hand begins."""

    def __init__(self, *, until_next: bool = False, never: bool = False) -> None:
        super().__init__(Hypothesis("paulista", 4))
        self.until_next, self.never = until_next, never

    def run(self, script: Script) -> Seen:
        hands = list[HandSeen]()
        for hand in super().run(script):
            seen, start = list[Mapping[str, Any]](), {**hand.start}
            if self.never and "score" in start:
                start["score"] = dict.fromkeys(script.players[:2], 0)
            last = start.get("score")
            for entry in hand.seen:
                seen.append({**entry, "score": last} if "score" in entry and last else entry)
                last = entry["score"] if "score" in entry and not (self.until_next or self.never) else last
            hands.append(HandSeen(tuple(seen), start))
        return tuple(hands)


@pytest.mark.long
@pytest.mark.parametrize(
    ("engine", "sentence"),
    [
        (Late(), "It brings “score” up to date one action late"),
        (Late(until_next=True), "It brings “score” up to date only when the next hand begins"),
    ],
)
def test_a_score_that_is_told_late_is_one_cause(engine: Late, sentence: str) -> None:
    (cause,) = causes(engine, "paulista", NAMED, 4)
    assert cause.sentence == sentence
    assert cause.agreeing == len(cause.cases) > 4


NAMED = ("pagat-anew-01", "pagat-anew-02", "pagat-table-19", "pagat-play-07", "pagat-refusal-binds-04", "pagat-play-06",
         "pagat-paulista-results-01", "pagat-paulista-results-02", "pagat-paulista-results-04")  # fmt: skip


def test_a_further_answer_is_put_right_like_all_others() -> None:
    engine = Late()
    results = run(chosen(variants=("paulista",), names=NAMED[:5], players=4), engine)
    replies = [Reply(each.name, *reply) for each in results for reply in each.replies]
    evidence = Evidence(engine.hello(), setting_of(engine.hello(), "paulista", 4, {}), replies)
    found, (habit,) = with_habits(evidence, range(len(replies)))
    answer = replies[0].answer
    assert (habit.claim, habit.value) == (BEHIND, "score")
    assert found.mended(answer) == found.replies[0].answer == told_at_once(answer, ("score",)) != answer


def test_what_is_told_late_is_put_where_it_belongs() -> None:
    def hand(start: int | None, *scores: int) -> HandSeen:
        begun: Mapping[str, Any] = {} if start is None else {"score": start}
        entries = [{"acting": [], "score": score} for score in scores]
        return HandSeen(({**entries[0], "hand": None}, *entries[1:-1], {**entries[-1], "hand": "P0"}), begun)

    def scores(answer: Seen) -> list[list[Any]]:
        return [[entry.get("score") for entry in hand.seen] for hand in answer]

    answer = (hand(0, 0, 0, 2), hand(3, 3, 3))
    assert scores(told_at_once(answer, ("score",))) == [[0, 2, 3], [3, None]]
    assert scores(told_in_time(answer, ("score",))) == [[None, None, 3], [None, None]]
    assert [hand.start for hand in told_in_time(answer, ("score",))] == [{"score": 0}, {"score": 3}]


@pytest.mark.long
def test_a_score_that_is_never_told_is_not_late() -> None:
    found = causes(Late(never=True), "paulista", NAMED, 4)
    assert found
    assert not any(each.claim for each in found)


AT_ELEVEN = ("pagat-paulista-eleven-02", "pagat-paulista-truco-at-11-05", "pagat-inherited-special-06")


# ---- what tells nothing --------------------------------------------------------------------------------


def test_a_table_made_without_a_claim_tells_nothing_of_rules_that_ask_for_it() -> None:
    """By the table no script is worse without what holds only where such a truco is void."""
    engine, number = Miniature(FOUR.under("brink-call", "void")), number_of("paulista", "rule brink-void: left out")
    whole = SimpleNamespace(hello=engine.hello, run=engine.run, close=engine.close)  # complete deals, as the table has
    replies = [Reply(each.name, *each.replies[0]) for each in run(chosen(names=AT_ELEVEN, players=4), whole)]
    hello = replace(engine.hello(), variants={"paulista": Plays((4,), always={"brink-call": "void"})})
    evidence = Evidence(hello, setting_of(hello, "paulista", 4, {}), replies, assumed=range(len(replies)))
    trying = Trying(evidence, None, lambda what, done, of: None, BRIEF)
    assert not trying._stands(
        WeighedHypothesis(replace(trying.plain, changes=(number,)), better=(0,), worse=(), rank=0)
    )


def test_a_word_that_an_engine_says_by_itself_is_no_move_that_it_takes() -> None:
    engine, rules = Miniature(FOUR), replace(FOUR, changes=(number_of("paulista", "rule truco.open: left out"),))
    (result,) = run(chosen(variants=("paulista",), names=("pagat-paulista-truco-03",), players=4), engine)
    reply, hello = Reply("", *result.replies[0]), engine.hello()
    assert takes_less(rules, FOUR, [reply], hello)
    itself = {"paulista": replace(hello.variants["paulista"], itself=("truco", "aceito"))}
    assert not takes_less(rules, FOUR, [reply], replace(hello, variants=itself))


class ProposesMore(Miniature):
    """It takes a truco that is not permitted, and proposes twice as much to who has no points."""

    def __init__(self) -> None:
        super().__init__(replace(FOUR, changes=(number_of("paulista", "rule brink-loses-game: left out"),)))

    def run(self, script: Script) -> Seen:
        def more(entry: Mapping[str, Any]) -> Mapping[str, Any]:
            return {**entry, "proposal": 2 * entry["proposal"]} if entry.get("proposal") else entry

        seen = super().run(script)
        return (
            seen if script.score.get("P0") else tuple(replace(each, seen=tuple(map(more, each.seen))) for each in seen)
        )


def test_a_move_that_is_taken_as_by_a_cause_alone_is_no_third_result() -> None:
    cause, *_ = causes(ProposesMore(), "paulista", AT_ELEVEN, 4)
    assert (cause.explains, cause.rule) == (True, "brink-loses-game")


def test_a_script_that_another_fault_ends_tells_nothing_about_the_seats() -> None:
    """Whatever it is asked further it breaks off at the first action."""

    def ask(script: Script) -> Seen:
        return tuple(HandSeen(tuple({"acting": []} for _ in hand.actions)) for hand in script.hands)

    engine = Miniature(PAULISTA.under("tied-hand", "dealer"))
    results = run(chosen(variants=("paulista",), names=("nowadays-two-tie-06", *OTHERS, *TIES[:5]), players=2), engine)
    assert [each.option for each in causes_of(results, engine.hello(), ask=ask)] == ["tied-hand=dealer"]

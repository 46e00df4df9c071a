"""Tiny specs that show one law of the language each: what the engine does with a rule, and what it refuses to do."""

from __future__ import annotations

import pytest

from truco_spec.engine import Action, ConflictError, Game, IllegalAction, PlayError, RangeError
from truco_spec.engine.ruling import ArgumentError
from truco_spec.graph.load import load_text

TABLE = """
  option players : 2* | 4 @house:table "How many play."
  seats players in 2 teams @house:table "They sit across."
  order rank : 1 < 2 < 3 @house:table
  order suit : D < S @house:table
  deck pack : rank x suit @house:table
  phase start "It begins."
  phase talk interrupts start "They talk."
  phase question interrupts start, talk "One asks."
  phase over "It is over."
  datum tally : 0 .. 3
  datum notes : 0 .. 3
  datum heard : set of seat
  datum word : seat or none
  datum hand(s : seat) : pile seen by s
  datum top : slot
  action a "A."
  action b "B."
  action pick(c : card) possible when c in pack written "{c}"
"""
A0, A1, B0 = Action(0, "a"), Action(1, "a"), Action(0, "b")


def game(rules: str, mode: str = "strict") -> Game:
    """A game of the table with these statements; ``RULE name …`` is short for a rule with citation and sentence."""
    text = rules.replace("RULE ", "rule ").replace(" :: ", ' @house:rule "A rule." ')
    return Game(load_text(f'variant v {{ title "V" {TABLE} {text} }}'), mode=mode)


# ---- verdicts --------------------------------------------------------------------------------------


def test_nothing_is_permitted_that_no_rule_permits() -> None:
    assert game("").over
    assert game("").rule_on(A0).status == "not-offered"


def test_may_permits_whom_it_names() -> None:
    played = game("RULE r :: in start by {0} may a".replace("{0}", "{first seat s}"))
    assert played.legal_actions() == [A0]
    assert played.rule_on(A1).status == "not-offered"


def test_a_rule_without_phases_speaks_anywhere() -> None:
    played = game("RULE r :: by everyone may b  RULE s :: in start by everyone may a do then over")
    played.push(A0)
    assert {action.verb for action in played.legal_actions()} == {"b"}


def test_must_not_beats_may_only_where_it_is_an_exception() -> None:
    may, bar = (
        "RULE r :: in start by everyone may a ",
        "RULE s except r :: in start by everyone must not a when tally is 0",
    )
    assert game(may + bar).rule_on(A0).status == "forbidden"
    with pytest.raises(ConflictError, match="r, s apply at once and disagree"):
        game(may + bar.replace(" except r", "")).legal_actions()


def test_an_exception_that_does_not_apply_beats_nothing() -> None:
    may = "RULE r :: in start by everyone may a "
    assert (
        game(may + "RULE s except r :: in start by everyone must not a when tally is 1").rule_on(A0).status
        == "permitted"
    )


def test_must_permits_nothing_and_forbids_the_rest_of_its_verb_only() -> None:
    all_cards = "RULE r :: in start by everyone may pick(c)  RULE t :: in start by everyone may a "
    played = game(all_cards + "RULE s :: in start by everyone must pick(c) when rank(c) is 3")
    assert {played.text(action) for action in played.legal_actions(0)} == {"P0 a", "P0 3D", "P0 3S"}
    assert played.rule_on(played.parse("P0 1D")).status == "forbidden"
    assert [rule.name for rule in played.rule_on(played.parse("P0 1D")).rules] == ["s"]
    assert game("RULE s :: in start by everyone must pick(c)").over


def test_a_must_that_nothing_fits_asks_nothing() -> None:
    first = "RULE r :: in start by everyone may pick(c) "
    rules = first + "RULE s :: in start by everyone must pick(c) when rank(c) is 3 and tally is 1"
    assert len(game(rules).legal_actions(0)) == 6


def test_what_is_not_possible_is_impossible_whatever_the_rules_say() -> None:
    played = game(
        "RULE r :: in start by everyone may pick(c) do move c to top, then over "
        "RULE s :: in over by everyone may pick(c)"
    )
    played.push_text("P0 2D")
    assert played.rule_on(played.parse("P1 2D")).status == "impossible"
    assert played.rule_on(Action(7, "a")).status == "impossible"
    assert played.rule_on(Action(0, "a", (1,))).status == "impossible"
    assert played.rule_on(Action(0, "nonsense")).status == "impossible"


def test_a_value_in_brackets_restricts_and_a_name_binds() -> None:
    played = game("RULE r :: in start by everyone may pick(2D)")
    assert [played.text(action) for action in played.legal_actions(0)] == ["P0 2D"]


def test_or_joins_verbs() -> None:
    assert {action.verb for action in game("RULE r :: in start by everyone may a or b").legal_actions(0)} == {"a", "b"}


# ---- strict and umpire -----------------------------------------------------------------------------

FORBIDDEN = "RULE r :: in start by everyone may b  RULE s :: in start by everyone must not a lest tally += 1"


def test_strict_refuses_what_is_forbidden() -> None:
    with pytest.raises(IllegalAction, match="P0 a is forbidden"):
        game(FORBIDDEN).push(A0)


def test_umpire_voids_what_is_forbidden_and_takes_its_price() -> None:
    played = game(FORBIDDEN, mode="umpire")
    event = played.push(A0)
    assert (event.status, event.rules, played.value("tally")) == ("forbidden", ("s",), 1)


def test_umpire_notes_what_is_not_offered_and_changes_nothing() -> None:
    played = game("RULE r :: in start by everyone may b", mode="umpire")
    before = list(played.position)
    assert played.push(A0).status == "not-offered"
    assert played.position == before
    played.pop()
    assert played.position == before


NONSENSE = [Action(0, "pick", (99,)), Action(0, "pick", (-5,)), Action(0, "sing")]
NOBODY = [Action(9, "a"), Action(-3, "a")]


@pytest.mark.parametrize("action", NONSENSE)
@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_what_makes_no_sense_is_impossible_in_both_modes(action: Action, mode: str) -> None:
    played = game("RULE r :: in start by everyone may b", mode=mode)
    with pytest.raises(IllegalAction, match="impossible"):
        played.push(action)
    assert not played.why(action).legal


@pytest.mark.parametrize("action", NOBODY)
@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_who_is_not_at_the_table_does_nothing_and_is_not_explained(action: Action, mode: str) -> None:
    played = game("RULE r :: in start by everyone may b", mode=mode)
    with pytest.raises(IllegalAction, match="impossible"):
        played.push(action)
    with pytest.raises(ArgumentError, match=f"there is no seat {action.actor}"):
        played.why(action)


def test_two_rules_that_forbid_take_both_prices_where_they_go_together() -> None:
    first = "RULE s :: in start by everyone must not a lest tally += 1 "
    twice = first + "RULE t :: in start by everyone must not a lest tally += 2"
    played = game(twice, mode="umpire")
    played.push(A0)
    assert played.value("tally") == 3


# ---- one step is one simultaneous change -------------------------------------------------------------


def test_every_right_hand_side_reads_the_position_before() -> None:
    played = game("datum x : 0 .. 3 = 1 datum y : 0 .. 3 = 2 RULE r :: in start by everyone may a do x = y, y = x")
    played.push(A0)
    assert (played.value("x"), played.value("y")) == (2, 1)


def test_what_is_added_adds_up() -> None:
    played = game("RULE r :: in start by everyone may a do tally += 1  RULE s :: in start on a do tally += 2")
    played.push(A0)
    assert played.value("tally") == 3


def test_what_permits_and_what_follows_are_one_step() -> None:
    played = game("RULE r :: in start by everyone may a do tally = 1  RULE s :: in start on a do notes = tally + 1")
    event = played.push(A0)
    assert [step.rules for step in event.steps] == [("r", "s")]
    assert (played.value("tally"), played.value("notes")) == (1, 1)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("tally = 1", "tally = 2", "tally would get two values at once"),
        ("tally = 1", "tally += 1", "tally would be set and changed at once"),
        ("then over", "ask talk", "the game would go on in two ways at once"),
        ("move 1D to top", "move 1D to hand(me)", "a card would go to two places at once"),
        ("move 1D to top", "move 2D to top", "top would hold two cards"),
    ],
)
def test_changes_that_disagree_are_a_conflict_and_nothing_happens(first: str, second: str, message: str) -> None:
    played = game(f"RULE r :: in start by everyone may a do {first}  RULE s :: in start on a do {second}")
    before = list(played.position)
    with pytest.raises(ConflictError, match=message):
        played.push(A0)
    assert played.position == before and not played.history


def test_changes_that_agree_are_none() -> None:
    played = game(
        "RULE r :: in start by everyone may a do tally = 1, then over  RULE s :: in start on a do tally = 1, then over"
    )
    played.push(A0)
    assert (played.value("tally"), played.phase) == (1, "over")


def test_a_value_out_of_its_range_is_refused_with_the_rule_that_made_it() -> None:
    played = game("RULE r :: in start by everyone may a do tally += 2")
    played.push(A0)
    with pytest.raises(RangeError, match=r"tally would become 4, and it is 0 .. 3 \(rules r\)"):
        played.push(A0)
    assert played.value("tally") == 2


def test_a_value_that_is_not_there_is_refused() -> None:
    played = game("RULE r :: in start by everyone may a do tally = place(first seat s : s in heard)")
    with pytest.raises(RangeError, match="needs a value here and there is none"):
        played.push(A0)


# ---- automatic rules ---------------------------------------------------------------------------------


def test_automatic_rules_fire_one_step_at_a_time_until_the_position_rests() -> None:
    played = game("RULE r :: in start when tally < 3 do tally += 1")
    assert played.value("tally") == 3
    assert [step.rules for step in played.opening] == [(), ("r",), ("r",), ("r",)]


def test_at_once_comes_before_the_rules_of_the_phase() -> None:
    first = "RULE slow :: in over when tally is 1 do notes += 1, tally = 2 "
    rules = first + "RULE now :: at once when tally is 1 do tally = 0"
    played = game(rules + " RULE r :: in start by everyone may a do tally = 1, then over")
    event = played.push(A0)
    assert [step.rules for step in event.steps] == [("r",), ("now",)]


def test_an_exception_replaces_an_automatic_rule() -> None:
    played = game(
        "RULE r :: in start when tally is 0 do tally = 1  RULE s except r :: in start when tally is 0 do tally = 2"
    )
    assert played.value("tally") == 2


def test_rules_that_go_round_in_a_circle_are_stopped() -> None:
    with pytest.raises(PlayError, match="circle"):
        game("RULE r :: in start when tally is 0 do tally = 1  RULE s :: in start when tally is 1 do tally = 0")


# ---- phases and frames -------------------------------------------------------------------------------


def test_ask_lays_a_phase_on_top_and_resume_takes_it_away() -> None:
    played = game("RULE r :: in start by everyone may a do ask talk  RULE s :: in talk by everyone may b do resume")
    played.push(A0)
    assert played.stack() == ["talk", "start"]
    played.push(B0)
    assert played.stack() == ["start"]


def test_then_an_interrupting_phase_replaces_the_top_and_then_a_ground_phase_clears_all() -> None:
    rules = "RULE r :: in start by everyone may a do ask talk  RULE s :: in talk by everyone may a do then question"
    played = game(rules + " RULE t :: in question by everyone may a do then over")
    played.push(A0)
    played.push(A0)
    assert played.stack() == ["question", "start"]
    played.push(A0)
    assert played.stack() == ["over"]


def test_during_looks_through_the_whole_stack() -> None:
    first = "RULE r :: in start by everyone may a do ask talk "
    rules = first + "RULE s :: in talk by everyone may b when during start and during talk"
    played = game(rules)
    played.push(A0)
    assert played.legal_actions(0) == [B0]


def test_entering_a_scope_gives_its_data_their_first_values_and_gathers_its_cards() -> None:
    rules = """
      phase round "A round." phase lap within round "A lap."
      datum r : 0 .. 3 = 1 fresh each round  datum l : 0 .. 3 = r + 1 fresh each lap  datum kept : pile fresh each round
      RULE in-start :: in start by everyone may a do then round
      RULE in-round :: in round by everyone may pick(c) do move c to kept, r += 1, then lap
      RULE in-lap   :: in lap by everyone may a do l = 0, then lap
      RULE on-lap   :: in lap by everyone may b do then round
    """
    played = game(rules)
    assert played.value("r") == 1
    played.push(A0)
    played.push_text("P0 1D")
    assert (played.value("r"), played.value("l")) == (2, 3)
    played.push(A0)
    assert (played.value("r"), played.value("l")) == (2, 3)
    played.push(B0)
    assert (played.value("r"), played.value("kept")) == (1, 0)
    assert played.value("pack") == 0b111111


# ---- default logic -----------------------------------------------------------------------------------

QUESTION = "define q :: = 0 define one except q :: when tally > 0 = 1 define two except q :: when tally > 1 = 2"


def test_answers_that_apply_at_once_and_disagree_are_a_conflict() -> None:
    played = game(QUESTION + " RULE r :: in start by everyone may a do tally += 1")
    assert played.ask("q") == 0
    played.push(A0)
    assert played.ask("q") == 1
    played.push(A0)
    with pytest.raises(ConflictError, match=r"q: (one, two|two, one) apply at once and disagree"):
        played.ask("q")


def test_an_effect_goes_the_way_of_its_exception() -> None:
    effect = "effect e(n : 0 .. 3) :: do tally += n  effect f except e :: when notes is 1 do tally -= n "
    played = game(effect + "RULE r :: in start by everyone may a do e(1), notes = 1")
    played.push(A0)
    assert played.value("tally") == 1
    played.push(A0)
    assert played.value("tally") == 0


def test_nothing_of_nothing() -> None:
    played = game(
        "define top-of-none :: = highest seat s in heard : 3  define first-of-none :: = first seat s in heard"
        " define all-of-none :: = every seat s in heard : no"
    )
    assert played.ask("top-of-none") == 0
    assert played.ask("first-of-none") == played.graph.words["none"]
    assert played.ask("all-of-none") == 1


def test_a_question_in_a_quantifier_keeps_its_own_variables() -> None:
    played = game(
        "define top-place :: = highest seat s : place(s)  define who-is-it :: = all seat s : place(s) is top-place"
    )
    assert played.ask("who-is-it") == 0b10


# ---- nobody, and nothing -----------------------------------------------------------------------------


def test_where_the_actor_is_nobody_nothing_is_offered() -> None:
    assert game("RULE r :: in start by word may a").over


def test_a_table_that_is_asked_what_no_row_answers_is_a_fault() -> None:
    table = 'table half(x) @house:rule "Half." | 2 | 1 |'
    played = game(f"{table} RULE r :: in start by everyone may a when half(tally) is 1")
    with pytest.raises(PlayError, match="half has no row for what it is asked"):
        played.legal_actions()

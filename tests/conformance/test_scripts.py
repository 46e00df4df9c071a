"""Answers stay home: what is sent is setup and actions, and never an expectation."""

from __future__ import annotations

import json
from pathlib import Path

from tables import instances

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import ready
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.filling import notation
from truco_spec.conformance.corpus.protocol import (
    START,
    Plan,
    Position,
    RunRequest,
    Script,
    action_of,
    cut_short,
    line_of,
    plan,
)

CASE = """
  - id: own-case-1
    title: An unmistakable title
    clauses: [paulista.dirty-deck]
    level: must
    score: {P1: 5}
    deal: {P1: 3C 2C 7S, vira: 5H}
    moves:
      - expect: {acting: [P1]}
      - P1 3C
      - refused: P3 truco
        because: not-your-turn
      - allowed: P2 truco
      - P2 (3H)
      - hand: {deal: {vira: 6H}}
      - P2 truco
      - expect: {proposal: 77}
"""


def planned(folder: Path) -> Plan:
    (instance,) = instances(folder, CASE)
    players = ("P0", "P1", "P2", "P3")
    return plan(instance, players, (("P0", "P2"), ("P1", "P3")))


def test_a_refused_move_stands_in_the_script_like_any_other(tmp_path: Path) -> None:
    script = planned(tmp_path).requests[0]
    assert isinstance(script, Script)
    assert [action.text for action in script.hands[0].actions] == ["P1 3C", "P3 truco", "P2 (3H)"]
    assert script.hands[1].deal == {"vira": ("6H",)}


def test_an_allowed_move_is_played_in_a_branch_without_the_refused_ones(tmp_path: Path) -> None:
    branch = planned(tmp_path).requests[1]
    assert isinstance(branch, Script)
    assert [action.text for action in branch.hands[0].actions] == ["P1 3C", "P2 truco"]


def test_no_answer_id_or_title_leaves_the_house(tmp_path: Path) -> None:
    for request in planned(tmp_path).requests:
        assert isinstance(request, Script)
        sent = line_of(RunRequest("1.2", request)).decode()
        for secret in ("own-case", "unmistakable", "77", "acting", "refused", "not-your-turn", "allowed", "dirty-deck"):
            assert secret not in sent
        assert json.loads(sent)["script"]["players"] == ["P0", "P1", "P2", "P3"]
        assert sent.count("\n") == 1


def test_cards_words_and_covered_cards_are_told_apart() -> None:
    assert action_of("P1 3C").play == "3C"
    assert action_of("P1  12B").play == "12B"
    assert action_of("P3 (KS)").cover == "KS"
    assert action_of("P2 look  top").say == "look top"
    assert action_of("P2 look  top").text == "P2 look top"


def test_a_script_is_cut_after_the_action_that_shows_the_fault(tmp_path: Path) -> None:
    script = planned(tmp_path).requests[0]
    assert isinstance(script, Script)
    short = cut_short(script, Position(0, 0, 1))
    assert notation(short) == (
        "paulista | P0 P1 P2 P3 | dealer P0 | score P1 5 | deal P1 3C 2C 7S, vira 5H | P1 3C, P3 truco"
    )


def test_a_hand_begins_before_the_deal_where_its_first_word_belongs_to_that() -> None:
    (case,) = chosen(None, variants=("mineiro",), names=("pagat-deal-procedure-01",), levels=(), players=4)
    (script,) = ready.whole(case).requests
    assert isinstance(script, Script)
    (hand,) = Reference().run(script)
    assert not any(hand.start["view"].values())
    before = cut_short(script, Position(0, 0, START))
    assert [action.text for action in before.hands[0].actions] == ["P3 desce"]
    assert Reference().run(before)[0].start == hand.start

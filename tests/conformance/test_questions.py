"""Where a question stands: after all that is implicit before it, unless it says before which word."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import instances
from test_adapters import ADAPTERS, NODE, PATIENT, with_node
from test_other_rules import Otherwise

from truco_spec.conformance.adapters.pipe import Pipe
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Deal, HandSeen, Introduction, OwnDeals, Plays, Script, Seen
from truco_spec.conformance.runner import runner

BRAZILIAN = ("mineiro", "paulista", "nowadays", "mineiro-wp", "paulista-wp", "gamelog", "fisch")


def asked(folder: Path, step: str, variant: str = "paulista", players: int = 4) -> Instance:
    (instance,) = instances(
        folder,
        f"""
  - id: own-question-1
    title: A question
    clauses: [paulista.dirty-deck]
    level: must
    applies: {{variants: [{variant}], players: [{players}]}}
    deal: {{P1: 3C 2C AC}}
    moves: [{step}]
""",
    )
    return instance


def verdict(folder: Path, step: str, variant: str = "paulista") -> str:
    return runner.play(asked(folder, step, variant), Reference()).verdict


@pytest.mark.parametrize("variant", BRAZILIAN)
@pytest.mark.parametrize("move", ["P1 3C", "P1 truco", "P2 3D", "P3 corro", "P1 4D"])
def test_the_first_question_of_a_hand_is_answered_one_way(move: str, variant: str, tmp_path: Path) -> None:
    found = {verdict(tmp_path, f"{how}: {move}", variant) for how in ("refused", "allowed")}
    assert found == {"pass", "fail"}


@pytest.mark.parametrize("variant", BRAZILIAN)
def test_the_first_question_of_a_hand_stands_after_the_deal(variant: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, "allowed: P1 3C", variant) == "pass"
    assert verdict(tmp_path, "{refused: P2 3D, because: not-your-turn}", variant) == "pass"
    assert verdict(tmp_path, "{refused: P1 KD, because: not-held}", variant) == "pass"


def test_a_card_that_is_not_in_the_pack_is_neither_held_nor_offered(tmp_path: Path) -> None:
    for card, variant in (("8C", "paulista"), ("4C", "fisch")):
        assert verdict(tmp_path, f"{{refused: P1 {card}, because: not-held}}", variant) == "pass"
        assert verdict(tmp_path, f"{{refused: P1 {card}, because: not-offered}}", variant) == "pass"
    assert verdict(tmp_path, "{refused: P1 KD, because: not-offered}", "paulista") == "fail"


def test_what_is_listed_may_have_any_form_of_a_word(tmp_path: Path) -> None:
    assert verdict(tmp_path, "P1 truco, legal: {P2: [vem, corro, vale 6]}") == "pass"
    assert verdict(tmp_path, "P1 truco, legal: {P2: [vem, corro, nove]}") == "fail"


def test_a_question_in_the_deal_is_about_the_deal(tmp_path: Path) -> None:
    assert verdict(tmp_path, "{refused: P1 shuffle, because: not-your-turn}", "mineiro") == "pass"
    assert verdict(tmp_path, "P0 shuffle, {refused: P0 cut, because: not-your-turn}", "mineiro") == "pass"
    assert verdict(tmp_path, "P0 shuffle, refused: P3 desce", "mineiro") == "fail"
    assert verdict(tmp_path, "P0 shuffle, {refused: P3 desce, before: cut}", "mineiro") == "pass"
    assert verdict(tmp_path, "{refused: P1 3C, before: shuffle}", "mineiro") == "pass"


def test_a_covered_card_in_the_first_trick_is_not_asked_of_who_always_permits_it() -> None:
    class ForTwo(Otherwise):
        def hello(self) -> Introduction:
            return Introduction("own", "1", {"paulista": Plays((2,), always=self.always)}, ("leader", "stake"))

    (instance,) = chosen(corpus.load(), names=["nowadays-two-cover-02"])
    result = runner.play(instance, ForTwo(covering="any"))
    assert (result.verdict, result.reason) == ("unsupported", "always plays covering any")


@with_node
def test_an_engine_without_ceremony_refuses_the_first_card_of_the_wrong_player(tmp_path: Path) -> None:
    with Pipe([NODE or "node", str(ADAPTERS / "javascript/adapter.js")], PATIENT) as pipe:
        steps = ["refused: P0 4D", "{refused: P1 4D, because: not-held}", "allowed: P1 3C", "refused: P1 aceito"]
        assert [runner.play(asked(tmp_path, step, players=2), pipe).verdict for step in steps] == ["pass"] * 4


def test_a_refusal_that_is_a_fault_is_printed_with_the_rule(tmp_path: Path) -> None:
    (fault,) = runner.play(asked(tmp_path, "P1 3C, P3 4D"), Reference()).faults
    assert fault.expected == "P3 4D is permitted"
    assert fault.got.startswith("it was refused (not-your-turn: “P3 4D” is forbidden now: A card played out of turn")


@pytest.mark.parametrize(
    ("move", "rule"), [("P3 4D", "out-of-turn"), ("P1 (3C)", "covered-wrongly"), ("P2 truco", "for P1 to speak")]
)
def test_so_is_one_before_anything_is_dealt(tmp_path: Path, move: str, rule: str) -> None:
    (fault,) = runner.play(asked(tmp_path, move), Reference()).faults
    assert rule in fault.got


VOID = """
  - id: own-void-1
    title: A card on an unanswered flor is void, and keeps nobody silent
    clauses: [argentino.flor-timing]
    level: must
    applies: {{variants: [argentino]}}
    mode: umpire
    players: 2
    dealer: P1
    deal: {{P0: 7O 6O 5O, P1: 7C 5C 4B}}
    moves:
      - P0 flor
{}
"""


@pytest.mark.parametrize(
    ("asks", "verdict"),
    [
        ("      - refused: P1 7C\n      - expect: {acting: [P1], score: {P0: 0, P1: 0}}", "pass"),
        ("      - P1 7C\n      - expect: {acting: [P1], score: {P0: 0, P1: 0}}", "pass"),
        ("      - P1 7C\n      - expect: {score: {P0: 3, P1: 0}}", "fail"),
        ("      - refused: P1 callo", "fail"),
    ],
)
def test_what_an_umpire_calls_void_brings_about_nothing(asks: str, verdict: str, tmp_path: Path) -> None:
    (instance,) = instances(tmp_path, VOID.format(asks))
    assert runner.play(instance, Reference()).verdict == verdict


class Ahead:
    """The reference engine, which says callo by itself, so that nothing waits for it."""

    def __init__(self) -> None:
        self.reference = Reference()

    def hello(self) -> Introduction:
        return Introduction("ahead", "1", {"argentino": Plays((2,), itself=("callo",))}, ("stake",))

    def run(self, script: Script) -> Seen:
        taken = [
            {key: e[key] for key in e if key != "refused"} for hand in self.reference.run(script) for e in hand.seen
        ]
        return (HandSeen(tuple(taken), {}),)

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        return self.reference.deal(request)

    def close(self) -> None:
        pass


def test_a_card_before_a_word_that_is_said_by_itself_may_be_taken() -> None:
    (instance,) = chosen(corpus.load(), names=["wikipedia-flor-03"])
    assert {"refused", "before"} <= set(str(instance.case.entry.moves).replace("=", " ").replace("(", " ").split())
    assert runner.play(instance, Ahead()).verdict in ("pass", "unobserved")

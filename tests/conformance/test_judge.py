"""What counts as passed, failed and unobserved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tables import DEAL, instances

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.corpus import load_instances
from truco_spec.conformance.corpus.filling import script_graph
from truco_spec.conformance.corpus.protocol import (
    START,
    HandScript,
    HandSeen,
    Introduction,
    MustRefuse,
    MustSee,
    MustShow,
    OwnDeals,
    Plan,
    Plays,
    Position,
    Script,
    ScriptAction,
    action_of,
    plan,
)
from truco_spec.conformance.corpus.ready import whole
from truco_spec.conformance.corpus.vocabulary import vocabulary
from truco_spec.conformance.runner.deciding import by_itself
from truco_spec.conformance.runner.judge import judge, unsupported
from truco_spec.conformance.runner.runner import play
from truco_spec.graph.load import load

PLAYERS = ("P0", "P1", "P2", "P3")
TEAMS = (("P0", "P2"), ("P1", "P3"))
WHO = Introduction("fake", "1", {"paulista": Plays((4,), {"deck": ("dirty",)}, ("cover",))}, ("trick",))


def case(moves: str, more: str = "") -> str:
    return f"""
  - id: own-case-1
    title: A case
    clauses: [paulista.dirty-deck]
    level: must
    deal: {DEAL}
{more}    moves: {moves}
"""


def planned(folder: Path, moves: str, more: str = "") -> Plan:
    (instance,) = instances(folder, case(moves, more))
    return plan(instance, PLAYERS, TEAMS)


def outcomes(folder: Path, moves: str, *seen: Mapping[str, Any], start: Mapping[str, Any] | None = None) -> list[str]:
    found = planned(folder, moves)
    answers = [(HandSeen(seen, start or {}),)]
    return [finding.outcome for finding in judge(found, answers, WHO) if finding.asked]


def test_a_team_is_any_of_its_players(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "[P1 3C, expect: {trick: P1}]", {"trick": "P3"}) == ["passed"]
    assert outcomes(tmp_path, "[P1 3C, expect: {trick: P1}]", {"trick": "P2"}) == ["failed"]
    assert outcomes(tmp_path, "[P1 3C, expect: {trick: tie}]", {"trick": "P1"}) == ["failed"]
    assert outcomes(tmp_path, "[P1 3C, expect: {score: {P1: 3}}]", {"score": {"P3": 3, "P0": 0}}) == ["passed"]


def test_a_leader_is_a_player_and_not_his_partner(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "[P1 3C, expect: {leader: P1}]", {"leader": "P3"}) == ["failed"]


def test_what_is_left_out_is_unobserved_and_null_is_an_observation(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "[P1 3C, expect: {trick: null}]", {}) == ["unobserved"]
    assert outcomes(tmp_path, "[P1 3C, expect: {trick: null}]", {"trick": None}) == ["passed"]
    assert outcomes(tmp_path, "[P1 3C, expect: {score: {P1: 3}}]", {"score": {"P0": 0}}) == ["unobserved"]


def test_true_is_not_one(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "[P1 3C, expect: {stake: 1}]", {"stake": True}) == ["failed"]


def test_the_order_of_a_list_does_not_matter(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "[P1 3C, expect: {acting: [P1, P3]}]", {"acting": ["P3", "P1"]}) == ["passed"]


def test_after_a_refusal_on_the_way_the_rest_is_unreached(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "[P1 3C, expect: {stake: 1}]", {"refused": "not-now", "stake": 1}) == ["unreached"]


UMPIRE = "    mode: umpire\n"


@pytest.mark.parametrize(("move", "outcome"), [("P1 3C", "failed"), ("P2 3H", "passed"), ("P2 aceito", "passed")])
def test_an_umpire_refuses_nothing_that_is_permitted(move: str, outcome: str, tmp_path: Path) -> None:
    found = planned(tmp_path, f"[{move}, expect: {{stake: 1}}]", UMPIRE)
    permitted, *_ = judge(found, [(HandSeen(({"refused": "not-now"},)),)], WHO)
    assert permitted.outcome == outcome


def test_a_bad_move_that_is_taken_fails_and_the_rest_is_unreached(tmp_path: Path) -> None:
    found = outcomes(tmp_path, "[refused: P2 3H, P1 3C, expect: {stake: 1}]", {}, {"stake": 1})
    assert found == ["failed", "unreached"]


def test_a_category_is_compared_where_one_is_told(tmp_path: Path) -> None:
    moves = "[{refused: P2 3H, because: not-your-turn}]"
    assert outcomes(tmp_path, moves, {"refused": "not-your-turn"}) == ["passed"]
    assert outcomes(tmp_path, moves, {"refused": "not-held"}) == ["passed", "failed"]
    assert outcomes(tmp_path, moves, {"refused": "not-now"}) == [
        "passed",
        "unobserved",
    ]
    assert outcomes(tmp_path, moves, {"refused": True}) == ["passed", "unobserved"]


def test_beside_a_refusal_what_the_case_asks_there_is_compared(tmp_path: Path) -> None:
    for moves, right, wrong in (
        (
            "[refused: P2 3H, legal: {P1: [3C, 2C, 7S, truco]}]",
            {"legal": {"P1": ["truco", "3C", "2C", "7S"]}},
            {"legal": {}},
        ),
        ("[refused: P2 3H, view: {seat: P1, sees: 3C}]", {"view": {"P1": ["3C"]}}, {"view": {"P1": []}}),
        ("[refused: P2 3H, view: {seat: P1, hides: 3H}]", {"view": {"P1": ["3C"]}}, {"view": {"P1": ["3H"]}}),
    ):
        assert outcomes(tmp_path, moves, {"refused": True, **right}) == ["passed", "passed"]
        assert outcomes(tmp_path, moves, {"refused": True, **wrong}) == ["passed", "failed"]
        assert outcomes(tmp_path, moves, {"refused": True}) == ["passed", "unobserved"]


def test_a_refusal_leaves_the_game_as_it_was(tmp_path: Path) -> None:
    moves = "[refused: P2 3H]"
    assert outcomes(tmp_path, moves, {"refused": "not-now", "stake": 1}, start={"stake": 1}) == ["passed"]
    assert outcomes(tmp_path, moves, {"refused": "not-now", "stake": 3}, start={"stake": 1}) == ["passed", "failed"]


def test_legal_actions_are_compared_exactly_and_cards_stands_for_any(tmp_path: Path) -> None:
    moves = "[legal: {P1: [cards, truco]}]"
    assert outcomes(tmp_path, moves, start={"legal": {"P1": ["3C", "2C", "truco"]}}) == ["passed"]
    assert outcomes(tmp_path, moves, start={"legal": {"P1": ["truco"]}}) == ["failed"]
    assert outcomes(tmp_path, moves, start={"legal": {"P1": ["3C", "truco", "seis"]}}) == ["failed"]
    assert outcomes(tmp_path, moves) == ["unobserved"]


def test_words_that_are_missing_or_superfluous_are_told_apart_from_the_sentence(tmp_path: Path) -> None:
    found, legal = planned(tmp_path, "[legal: {P1: [cards, truco]}]"), {"P1": ["3C", "seis"]}
    (finding,) = judge(found, [(HandSeen((), {"legal": legal}),)], WHO)
    assert (finding.missing, finding.superfluous) == (("truco",), ("seis",))


def test_a_view_sees_and_hides(tmp_path: Path) -> None:
    moves = "[view: {seat: P2, sees: [5H], hides: 3C 2C}]"
    assert outcomes(tmp_path, moves, start={"view": {"P2": ["5H", "3H"]}}) == ["passed"]
    assert outcomes(tmp_path, moves, start={"view": {"P2": ["3H"]}}) == ["failed"]
    assert outcomes(tmp_path, moves, start={"view": {"P2": ["5H", "2C"]}}) == ["failed"]
    assert outcomes(tmp_path, moves, start={"view": {}}) == ["unobserved"]


def test_a_branch_is_judged_by_its_last_action(tmp_path: Path) -> None:
    found = planned(tmp_path, "[P1 3C, allowed: P2 truco]")
    taken, refused = (HandSeen(({}, {})),), (HandSeen(({}, {"refused": True})),)
    main = (HandSeen(({},)),)
    assert [f.outcome for f in judge(found, [main, taken], WHO) if f.asked] == ["passed"]
    assert [f.outcome for f in judge(found, [main, refused], WHO) if f.asked] == ["failed"]


def test_own_deals_give_no_card_twice(tmp_path: Path) -> None:
    found = planned(tmp_path, "[deals: {times: 1, counts: {P1: 2, vira: 1}}]")
    assert isinstance(found.requests[0], OwnDeals)
    for deal, outcome in (
        ({"P1": ("3C", "2C"), "vira": ("5H",)}, "passed"),
        ({"P1": ("3C", "2C"), "vira": ("2C",)}, "failed"),
        ({"P1": ("3C",), "vira": ("5H",)}, "failed"),
    ):
        assert [finding.outcome for finding in judge(found, [(deal,)], WHO)] == [outcome]


def test_what_is_not_claimed_is_unsupported(tmp_path: Path) -> None:
    assert unsupported(planned(tmp_path, "[P1 3C]"), WHO, {}) == ""
    assert "omits cover" in unsupported(planned(tmp_path, "[P1 (3C)]"), WHO, {})
    assert "umpire" in unsupported(planned(tmp_path, "[P1 3C]", "    mode: umpire\n"), WHO, {})
    clean = planned(tmp_path, "[P1 3C]", "    options: {deck: clean}\n")
    assert unsupported(clean, WHO, {"deck": "dirty"}) == "has no option deck clean"
    peek = planned(tmp_path, "[P1 3C]", "    options: {peek: never}\n")
    assert unsupported(peek, WHO, {"peek": "never"}) == ""
    assert "own deals" in unsupported(planned(tmp_path, "[deals: {times: 1, counts: {P1: 3}}]"), WHO, {})


def test_what_it_says_by_itself_is_never_judged(tmp_path: Path) -> None:
    who = Introduction("fake", "1", {"paulista": Plays((4,), itself=("truco",))}, ("stake",))

    def found(moves: str, *seen: Mapping[str, Any]) -> list[str]:
        return [f.outcome for f in judge(planned(tmp_path, moves), [(HandSeen(seen),)], who) if f.asked]

    for entry in ({}, {"refused": True}):
        assert found("[P1 truco]", entry) == ["unobserved"]
        assert found("[refused: P2 truco]", entry) == ["unobserved"]
        assert found("[P1 truco, P2 aceito, expect: {stake: 3}]", entry, {"stake": 3}) == ["passed"]
    assert found("[P1 truco, expect: {stake: 1}]", {"stake": 3}) == ["failed"]


def test_an_act_of_the_deal_of_which_nothing_is_told_is_not_judged_though_it_is_not_listed(tmp_path: Path) -> None:
    def found(plays: Plays, moves: str, *seen: Mapping[str, Any]) -> list[str]:
        who = Introduction("fake", "1", {"paulista": plays}, ("stake",))
        return [f.outcome for f in judge(planned(tmp_path, moves), [(HandSeen(seen),)], who) if f.asked]

    silent, all_acts = Plays((4,)), Plays((4,), itself=())
    assert found(silent, "[refused: P1 shuffle]", {}) == ["unobserved"]
    assert found(silent, "[P0 shuffle]", {}) == ["unobserved"]
    assert found(silent, "[refused: P1 shuffle]", {"stake": 1}) == ["failed"]
    assert found(all_acts, "[refused: P1 shuffle]", {}) == ["failed"]
    assert found(silent, "[refused: P2 truco]", {}) == ["failed"]


def test_the_own_value_of_an_option_need_not_be_listed(tmp_path: Path) -> None:
    plan = planned(tmp_path, "[P1 3C]", "    options: {deck: clean}\n")
    for plays, reason in (
        (Plays((4,), {"deck": ("joker",)}), "has no option deck clean"),
        (Plays((4,), always={"deck": "joker"}), "has no option deck clean"),
        (Plays((4,), always={"deck": "clean"}), ""),
    ):
        assert unsupported(plan, Introduction("fake", "1", {"paulista": plays}, ()), {"deck": "dirty"}) == reason
    listed = Introduction("fake", "1", {"paulista": Plays((4,), {"deck": ("joker",)})}, ())
    assert unsupported(plan, listed, {"deck": "clean"}) == ""


class Fake:
    """An implementation in a few lines: nothing is ever observed."""

    def hello(self) -> Introduction:
        return WHO

    def run(self, script: Any) -> Sequence[HandSeen]:
        return tuple(HandSeen(tuple({} for _ in hand.actions)) for hand in script.hands)

    def deal(self, request: Any) -> Any:
        raise NotImplementedError

    def close(self) -> None:
        pass


def test_a_case_that_is_only_moves_is_about_whether_they_are_permitted(tmp_path: Path) -> None:
    (instance,) = instances(tmp_path, case("[P1 3C]"))
    assert play(instance, Fake()).verdict == "pass"  # type: ignore[arg-type]


def test_a_case_of_which_nothing_was_observed_is_unobserved(tmp_path: Path) -> None:
    (instance,) = instances(tmp_path, case("[P1 3C, expect: {trick: null}]"))
    assert play(instance, Fake()).verdict == "unobserved"  # type: ignore[arg-type]


def _judged(folder: Path, moves: str, plays: Plays, *seen: Mapping[str, Any], more: str = "") -> list[str]:
    found = planned(folder, moves, more)
    who = Introduction("fake", "1", {"paulista": plays}, ("score",))
    return [finding.outcome for finding in judge(found, [(HandSeen(seen, {}),)], who) if finding.asked]


def test_an_observation_that_is_late_is_compared_at_the_end_of_a_hand_only(tmp_path: Path) -> None:
    late = Plays((4,), late=("score",))
    moves = "[P1 3C, expect: {score: {P1: 3}}]"
    assert _judged(tmp_path, moves, late, {"score": {"P1": 0}}) == ["unobserved"]
    assert _judged(tmp_path, moves, late, {"score": {"P1": 0}, "hand": "P1"}) == ["failed"]
    assert _judged(tmp_path, moves, Plays((4,)), {"score": {"P1": 0}}) == ["failed"]


def test_words_that_it_says_by_itself_are_taken_out_of_both_sides(tmp_path: Path) -> None:
    own = Plays((4,), itself=("truco",))
    for legal in (["3H"], ["3H", "truco"]):
        told = _judged(tmp_path, "[P1 3C, legal: {P2: [3H, truco]}]", own, {"legal": {"P2": legal}})
        assert told == ["passed"]


@pytest.mark.parametrize(
    ("wanted", "offered", "outcome"),
    [
        ("3H, truco, covers", ["3H"], "passed"),
        ("3H, truco", ["3H", "truco"], "passed"),
        ("3H", ["3H", "truco"], "failed"),
        ("3H, seis", ["3H"], "failed"),
    ],
)
def test_a_word_that_it_omits_is_not_missing_among_what_may_be_done(
    wanted: str, offered: list[str], outcome: str, tmp_path: Path
) -> None:
    without = Plays((4,), omits=("truco", "cover"))
    told = _judged(tmp_path, f"[P1 3C, legal: {{P2: [{wanted}]}}]", without, {"legal": {"P2": offered}})
    assert told == [outcome]


@pytest.mark.parametrize(("omits", "outcome"), [(("paso",), "unobserved"), ((), "failed")])
def test_where_only_its_own_words_and_such_that_it_omits_may_be_said_it_may_be_further(
    omits: tuple[str, ...], outcome: str
) -> None:
    """Who tells the counts by itself, and never passes, has paid the envido once it is accepted."""
    words = (ScriptAction("M", "M envido", say="envido"), ScriptAction("P", "P quiero", say="quiero"))
    deal = {"M": ("7O", "6O", "5E"), "P": ("7C", "5C", "4B")}
    script = Script("argentino", {}, ("M", "P"), (("M",), ("P",)), "P", {}, "strict", (HandScript(deal, words),))
    told: list[dict[str, Any]] = [{"score": {"M": 0, "P": 0}}, {"score": {"M": 2, "P": 0}}]
    plan = Plan((script,), (MustShow(Position(0, 0, 1), "score", {"M": 0, "P": 0}),))
    plays = Plays((2,), itself=("tengo", "son-buenas"), omits=omits)
    introduction = Introduction("fake", "1", {"argentino": plays}, ("score",))
    assert [found.outcome for found in judge(plan, [(HandSeen(tuple(told)),)], introduction)] == [outcome]


@pytest.mark.parametrize(
    ("counts", "mano", "pie", "outcome"),
    [
        (("M tengo 26", "P paso"), 0, 2, "unobserved"),  # it has told the count of P, which is best
        (("M tengo 26", "P paso"), 0, 5, "failed"),
        (("M paso", "P tengo 29"), 2, 0, "failed"),
        (("M tengo 26", "P tengo 29"), 2, 0, "failed"),
        (("M tengo 26", "P son buenas"), 0, 2, "unobserved"),
    ],
)
def test_who_tells_the_counts_by_itself_does_not_know_that_a_script_has_the_best_one_pass(
    counts: tuple[str, ...], mano: int, pie: int, outcome: str
) -> None:
    said = ("M envido", "P quiero", *counts)
    words = tuple(ScriptAction(text[0], text, say=text[2:].replace("son b", "son-b")) for text in said)
    deal = {"M": ("4C", "2C", "3E"), "P": ("5O", "4O", "12B")}
    script = Script("argentino", {}, ("M", "P"), (("M",), ("P",)), "P", {}, "strict", (HandScript(deal, words),))
    told: list[dict[str, Any]] = [{}, {}, {}, {"score": {"M": mano, "P": pie}}]
    plan = Plan((script,), (MustShow(Position(0, 0, 3), "score", {"M": 2 - mano, "P": 2 - pie}),))
    who = Plays((2,), itself=("tengo", "paso", "son-buenas"), always={"declared-values": "enforced-true"})
    introduction = Introduction("fake", "1", {"argentino": who}, ("score",))
    assert [found.outcome for found in judge(plan, [(HandSeen(tuple(told)),)], introduction)] == [outcome]


def test_a_hand_without_an_action_is_played_by_who_says_words_by_itself_as_the_script_has_it() -> None:
    script = Script("paulista", {}, ("P0", "P1"), (("P0",), ("P1",)), "P1", {}, "strict", (HandScript({}, ()),))
    assert by_itself(script, Plays((2,), itself=("shuffle", "cut")), Position(0, 0, START)) == {}


@pytest.mark.parametrize(("winner", "outcome"), [("P1", "passed"), ("P2", "failed")])
def test_what_it_omits_before_the_next_deal_excuses_no_wrong_winner(winner: str, outcome: str) -> None:
    words = (ScriptAction("P1", "P1 truco", say="truco"), ScriptAction("P2", "P2 corro", say="corro"))
    held = {"P1": "3C 2C 7S", "P2": "3H 2H 7H", "P3": "KS JS QS", "P0": "4C 4H 5D"}
    hand = HandScript({player: tuple(cards.split()) for player, cards in held.items()}, words)
    script = Script("mineiro", {}, PLAYERS, TEAMS, "P0", {}, "strict", (hand,))
    omits = tuple(word.word for word in vocabulary(load("mineiro")) if word.word and not word.implicit)
    plan = Plan((script,), (MustShow(Position(0, 0, 1), "hand", "P1"),))
    introduction = Introduction("fake", "1", {"mineiro": Plays((4,), omits=omits)}, ("hand",))
    told: list[dict[str, Any]] = [{}, {"hand": winner}]
    assert [found.outcome for found in judge(plan, [(HandSeen(tuple(told)),)], introduction)] == [outcome]


def test_a_card_that_was_seen_in_the_hand_may_be_remembered_and_no_other(tmp_path: Path) -> None:
    eleven = "    score: {P1: 11}\n"  # before they decide, partners look at each other's cards
    looked = "[P1 jogo, view: {seat: P1, hides: [KS]}]"
    seen = {"view": {"P1": ["3C", "KS"]}}
    assert _judged(tmp_path, looked, Plays((4,)), seen, more=eleven) == ["passed"]
    assert _judged(tmp_path, "[P1 3C, view: {seat: P1, hides: [KS]}]", Plays((4,)), seen) == ["failed"]


def test_a_card_that_is_seen_now_cannot_be_called_hidden(tmp_path: Path) -> None:
    laid = "[P1 3C, P2 3H, view: {seat: P1, hides: [3H]}]"
    assert _judged(tmp_path, laid, Plays((4,)), {}, {"view": {"P1": ["3C", "3H"]}}) == ["failed"]


def test_before_a_refused_action_implicit_ones_may_have_been_done() -> None:
    """The flor stands when its answer is left unsaid: who does that first, and then refuses the card, is right."""
    flor, card = ScriptAction("M", "M flor", say="flor"), ScriptAction("P", "P 7C", play="7C")
    deal = {"M": ("7O", "6O", "5O"), "P": ("7C", "5C", "4B")}
    hands = (HandScript(deal, (flor, card)),)
    script = Script("argentino", {}, ("M", "P"), (("M",), ("P",)), "P", {}, "strict", hands)
    told: list[dict[str, Any]] = [
        {"score": {"M": 0, "P": 0}},
        {"refused": True, "score": {"M": 3, "P": 0}, "acting": ["M"]},
    ]

    def failed(score: int) -> list[str]:
        told[1]["score"] = {"M": score, "P": 0}
        checks = Plan((script,), (MustRefuse(Position(0, 0, 1), None),))
        introduction = Introduction("fake", "1", {"argentino": Plays((2,))}, ("score", "acting"))
        return [f.got for f in judge(checks, [(HandSeen(tuple(told)),)], introduction) if f.outcome == "failed"]

    assert [failed(score) for score in (0, 3)] == [[], []]
    assert failed(2) == ['{"M": 2, "P": 0}']


@pytest.mark.parametrize("exact", [True, False])
def test_where_nothing_implicit_is_to_be_done_a_refused_action_excuses_none_that_follows(exact: bool) -> None:
    """Both words need cards that were taken up: who takes them up before a refusal may go on from there."""
    words = (ScriptAction("P", "P mazo", say="mazo", exact=exact), ScriptAction("P", "P dale", say="dale", exact=True))
    hand = HandScript(
        {"M": (), "P": ()}, (ScriptAction("M", "M toco", say="toco"), ScriptAction("M", "M truco", say="truco"), *words)
    )
    script = Script(
        "paraguayo", {"untouched-may-answer": "off"}, ("M", "P"), (("M",), ("P",)), "P", {}, "strict", (hand,)
    )
    told: list[dict[str, Any]] = [{}, {}, {"refused": True}, {"stake": 2}]
    plan = Plan((script,), (MustRefuse(Position(0, 0, 2), None), MustRefuse(Position(0, 0, 3), None)))
    introduction = Introduction("fake", "1", {"paraguayo": Plays((2,), itself=())}, ("score",))
    outcomes = [found.outcome for found in judge(plan, [(HandSeen(tuple(told)),)], introduction)]
    assert outcomes == ["passed", "failed" if exact else "unobserved"]


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [("4H 5H 6H", "unobserved"), ("4H 7C", "failed"), ("", "passed")],
    ids=["own", "another's", "none"],
)
def test_who_deals_at_once_shows_each_their_own_cards_before_a_packet_is_kept(seen: str, outcome: str) -> None:
    """The mão has three cards, and nobody else any, while who deals by itself has dealt them all."""
    (instance,) = (each for each in load_instances("mineiro") if each.name == "pagat-packets-01")
    plan = whole(instance)
    (script,) = plan.requests
    assert isinstance(script, Script)
    right = Reference(script_graph).run(script)
    last = {**right[0].seen[-1], "view": {"P2": seen.split()}}
    answer = (replace(right[0], seen=(*right[0].seen[:-1], last)),)
    omits = tuple(word.word for word in vocabulary(load("mineiro")) if word.word and not word.implicit)
    who = Introduction("fake", "1", {"mineiro": Plays((4,), omits=omits)}, ("view",))
    check = next(each for each in plan.checks if isinstance(each, MustSee) and each.seat == "P2")
    (finding,) = judge(Plan((script,), (check,)), [answer], who, {0: right})
    assert finding.outcome == outcome


@pytest.mark.parametrize(("seen", "outcome"), [("4D QS QD 5H", "unobserved"), ("4D QS QD 3C", "failed")])
def test_who_deals_at_once_shows_the_turned_card_before_the_pack_is_cut(seen: str, outcome: str) -> None:
    (instance,) = (each for each in load_instances("paulista") if each.name == "pagat-two-anew-02")
    (script,) = whole(instance).requests
    assert isinstance(script, Script)
    right = Reference(script_graph).run(script)
    shuffled = {**right[0].seen[0], "view": {"P0": seen.split()}}
    answer = (replace(right[0], seen=(shuffled, *right[0].seen[1:])), *right[1:])
    who = Introduction("fake", "1", {"paulista": Plays((2,))}, ("view",))
    check = MustSee(Position(0, 0, 0), "P0", (), tuple(seen.split()))
    (finding,) = judge(Plan((script,), (check,)), [answer], who, {0: right})
    assert finding.outcome == outcome


@pytest.mark.parametrize(
    ("observes", "late", "outcome"),
    [
        (("acting", "winner"), (), "failed"),
        (("acting",), (), "unobserved"),
        (("acting", "winner"), ("winner",), "unobserved"),
    ],
)
def test_that_the_match_is_over_is_known_to_who_tells_of_it(
    observes: tuple[str, ...], late: tuple[str, ...], outcome: str
) -> None:
    """Who plays to another target tells no winner, and goes on."""
    deal = {"P0": ("7O", "6O", "1E"), "P1": ("7C", "5C", "4B")}
    hand = HandScript(deal, tuple(map(action_of, ("P0 envido", "P1 no-quiero", "P0 1E"))))
    script = Script("argentino", {}, ("P0", "P1"), (("P0",), ("P1",)), "P1", {"P0": 29}, "strict", (hand,))
    (right,) = Reference().run(script)
    assert (right.seen[1]["winner"], right.seen[1]["acting"], "refused" in right.seen[2]) == ("P0", [], True)
    further = replace(right, seen=(right.seen[0], {"acting": ["P0"], "winner": None}, {"acting": ["P1"]}))
    who = Introduction("it", "1", {"argentino": Plays((2,), late=late)}, observes)
    for check in (MustShow(Position(0, 0, 1), "acting", []), MustRefuse(Position(0, 0, 2), None)):
        asked = Plan((script,), (check,))
        assert [finding.outcome for finding in judge(asked, [(further,)], who)] == [outcome]

"""A log as moments: what lies where, who sees it, and why each move is right or wrong."""

from __future__ import annotations

import cProfile
import pstats
from dataclasses import replace
from pathlib import Path

import pytest

from truco_spec.graph.load import load_text
from truco_spec.logs.files import read
from truco_spec.logs.line import read_line
from truco_spec.logs.setup import graph_of
from truco_spec.pages.moments import REFUSED, Moment, ShownCard, ShownPlace, track_of

LOGS = Path(__file__).parents[2] / "docs" / "logs"
HAND = (
    "paulista | ana bia caio davi | dealer davi"
    " | deal ana 4D KH 3S, bia 6H 7C 2S, caio QD JD AH, davi 5S 2D 3C, vira 7D"
)


def moments(text: str) -> tuple[Moment, ...]:
    log = read_line(text)
    return track_of(log, graph_of(log)).moments


def place(moment: Moment, label: str, seat: int) -> ShownPlace | None:
    return next((p for p in moment.places if p.label == label and p.seat == seat), None)


def test_a_deal_is_a_moment_before_the_first_move() -> None:
    deal, move = moments(f"{HAND} | ana 4D")
    assert (deal.number, deal.hand, deal.done) == (0, 1, "")
    held = place(deal, "cards", 0)
    assert held is not None
    assert held.held
    assert held.cards == tuple(ShownCard(name, (True, False, False, False)) for name in ("4D", "KH", "3S"))
    assert (move.number, move.seat, move.done, move.spoken, move.status) == (1, 0, "4D", False, "permitted")
    assert place(move, "laid 1", 0) == ShownPlace("laid 1", 0, held=False, cards=(ShownCard("4D", (True,) * 4),))


def test_the_turned_card_lies_in_the_middle_and_the_pack_is_hidden() -> None:
    (deal, *_) = moments(f"{HAND} | ana 4D")
    assert place(deal, "vira", -1) == ShownPlace("vira", -1, held=False, cards=(ShownCard("7D", (True,) * 4),))
    pack = place(deal, "pack", -1)
    assert pack is not None
    assert not any(card.open for card in pack.cards)


def test_a_covered_card_is_seen_by_its_player_alone() -> None:
    last = moments(f"{HAND} | ana 4D, bia 6H, caio QD, davi 3C, caio JD, davi (2D)")[-1]
    laid = place(last, "laid 2", 3)
    assert laid is not None
    assert laid.cards == (ShownCard("2D", (False, False, False, True)),)


def test_a_move_is_told_with_its_rule_and_the_words_of_its_clauses() -> None:
    last = moments(f"{HAND} | ana truco")[-1]
    assert last.spoken
    assert last.remark == "asks for 3"
    assert last.reasons[0].rule == "truco.open"
    assert any(cite.startswith("@pagat:") and "“" in text for cite, text in last.reasons[0].cites)
    assert last.awaited == (1, 3)


def test_a_refused_move_is_the_last_moment_of_a_strict_log() -> None:
    *_, before, last = moments(f"{HAND} | ana 4D, caio QD, bia 6H")
    assert (last.number, last.status, last.seat) == (2, REFUSED, 2)
    assert "out of turn" in last.remark or "forbidden" in last.remark
    assert last.places == before.places


def test_a_first_move_that_is_refused_finds_the_cards_dealt() -> None:
    deal, refused = moments(f"{HAND} | davi 5S")
    assert (deal.number, refused.number, refused.status) == (0, 1, REFUSED)
    assert refused.places == deal.places
    assert place(refused, "cards", 3) is not None
    assert refused.awaited == (0,)
    *_, again, last = moments(f"{HAND} | ana truco, bia corro | deal | davi truco")
    assert (again.number, again.hand, last.number, last.status) == (0, 2, 3, REFUSED)
    assert place(last, "cards", 0) is not None


def test_a_card_that_was_dealt_by_lot_is_not_told() -> None:
    deal, *_, last = moments("paulista | ana bia | dealer bia | deal vira 7D | ana 4C, bia 5S")
    held = place(deal, "cards", 0)
    assert held is not None
    assert {card.name for card in held.cards if card.told} == {"4C"}
    assert len(held.cards) == 3
    assert place(last, "laid 1", 1) == ShownPlace("laid 1", 1, held=False, cards=(ShownCard("5S", (True, True)),))
    turned = place(moments("paulista | ana bia | dealer bia | deal | ana 4C")[0], "vira", -1)
    assert turned is not None
    assert turned.cards[0].told  # it lies open, and decides what is a manilha


def test_the_move_that_ends_a_hand_is_seen_with_all_cards_on_the_table() -> None:
    *_, before, last = moments(f"{HAND} | ana 4D, bia 6H, caio QD, davi 3C, caio truco, davi corro")
    names = [
        [(place.label, place.seat, [card.name for card in place.cards]) for place in m.places] for m in (before, last)
    ]
    assert names[0] == names[1]
    assert last.seen["hand"] is not None
    after = moments(f"{HAND} | ana 4D, bia truco, caio corro | deal | bia truco")
    assert place(after[3], "laid 1", 0) is not None
    assert place(after[4], "laid 1", 0) is None  # the next hand is dealt


def test_a_second_deal_has_a_moment_of_its_own() -> None:
    told = moments(f"{HAND} | ana truco, bia corro | deal | bia truco")
    assert [(moment.number, moment.hand) for moment in told] == [(0, 1), (1, 1), (2, 1), (0, 2), (3, 2)]
    assert told[2].seen["hand"] is not None
    assert told[3].seen["score"] == told[2].seen["score"]


def test_a_hand_that_is_dealt_within_one_of_the_log_is_the_next() -> None:
    told = moments(f"{HAND} | ana 4D, bia truco, caio corro, bia KC, caio 6H")
    assert [(moment.number, moment.hand) for moment in told] == [(0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (4, 2), (5, 2)]
    assert (told[4].trick, told[4].before) == ((), ())
    assert [card for card, *_ in trick(told[6])] == ["KC", "6H"]
    assert told[6].before == ()


TWO_AT_ONCE = """
variant two-at-once extends paulista {
  title "Two cards at once"
  decision two-at-once resolves @pagat:mineiro.option.must-be-agreed-before-game
    "Of two cards laid at once the lower is played first." because "So we agreed."
  datum ahead(s : seat) : slot  fresh each deal  seen by everyone
  action both(a : card, b : card)  "{a}, and {b} upon it."
    possible when a in cards(me) and b in cards(me) and a is not b  written "{a} + {b}"
  rule lay-both @decided:two-at-once "The lower is played now."
    in play by turn may both(a, b) when current < 3 and ahead(me) is none
    do move a to laid(current, me), move b to ahead(me), then card-end
  rule lay-ahead @decided:two-at-once "The upper is played in the next trick."
    in play when ahead(turn) is not none
    do move ahead(turn) to laid(current, turn), then card-end
  replace define never.cards-amiss @decided:two-at-once "Each holds what is not laid."
    = during play and some seat s in playing : quota(s) is 3
      and size(cards(s)) + (count trick n : laid(n, s) is not none) + (0 if ahead(s) is none else 1) is not 3
}
"""


def test_cards_that_lie_in_a_trick_are_in_it_whatever_brought_them_there() -> None:
    log = read_line(
        "paulista | ana bia | dealer bia | deal ana 4C 5C 6C, bia KD JD 7S, vira 2D | ana 4C + 5C, bia KD, bia JD"
    )
    told = track_of(log, load_text(TWO_AT_ONCE, players=2), why=False).moments
    assert [card for card, *_ in trick(told[1])] == ["4C"]
    assert [card for card, *_ in trick(told[2])] == ["4C", "KD"]
    assert [(card, seat, best) for card, seat, best, _ in trick(told[3])] == [("JD", 1, True), ("5C", 0, False)]


@pytest.mark.parametrize("name", ["umpire", "friday"])
def test_without_reasons_the_table_is_the_same(name: str) -> None:
    log = read((LOGS / f"{name}.yaml").read_text(encoding="utf-8"), f"{name}.yaml")
    graph = graph_of(log)
    plain = track_of(log, graph, why=False).moments
    assert plain == tuple(replace(moment, reasons=(), followed=()) for moment in track_of(log, graph).moments)


def calls(moves: int) -> int:
    """How many functions are called to tell a log of this many moves, all in one hand."""
    log = read_line(
        "argentino table-talk=heard | P0 P1 P2 P3 | dealer P0 | " + ", ".join(["P1 seña tres", "P2 seña dos"] * moves)
    )
    profile = cProfile.Profile()
    profile.enable()
    track_of(log, graph_of(log))
    profile.disable()
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


@pytest.mark.long
def test_a_move_of_a_long_log_takes_no_more_work_than_one_of_a_short_log() -> None:
    calls(10)
    fifty, hundred, two_hundred = calls(50), calls(100), calls(200)
    assert two_hundred - hundred < 2.2 * (hundred - fifty)


def trick(moment: Moment) -> list[tuple[str, int, bool, bool]]:
    return [(each.card.name, each.seat, each.best, each.card.above) for each in moment.trick]


def test_a_trick_lies_in_the_order_of_play_until_the_next_card_with_its_best_card() -> None:
    told = moments(f"{HAND} | ana 4D, bia 6H, caio QD, davi 3C, caio truco, davi aceito, caio JD, davi (2D)")
    assert trick(told[0]) == []
    assert trick(told[2]) == [("4D", 0, False, False), ("6H", 1, True, False)]
    first = [("4D", 0, False, False), ("6H", 1, False, False), ("QD", 2, True, True), ("3C", 3, False, False)]
    assert [trick(moment) for moment in told[4:7]] == [first] * 3
    assert trick(told[7]) == [("JD", 2, True, False)]
    assert [[each.card.name for each in before] for before in told[7].before] == [["4D", "6H", "QD", "3C"]]
    covered = told[8].trick[1]
    assert (covered.card.seen, covered.best) == ((False, False, False, True), False)


def test_equal_cards_are_both_the_best_and_another_hand_begins_without_a_trick() -> None:
    told = moments(
        "paulista | ana bia | dealer bia | deal vira 7D | ana 4C, bia 4H, ana truco, bia corro | deal | bia truco"
    )
    assert [each.best for each in told[2].trick] == [True, True]
    assert trick(told[4]) == trick(told[2])
    assert [(moment.hand, trick(moment), moment.before) for moment in told[5:]] == [(2, [], ())] * 2


def test_pieces_are_above_all_others_as_the_turned_card_has_it() -> None:
    deal, _ = moments("uruguayo | ana bia | dealer bia | deal ana 2E 4O 7C, bia 3B 5B 11O, muestra 6O | ana 7C")
    marked = {card.name for place in deal.places for card in place.cards if card.above}
    assert {"4O", "11O"} <= marked
    assert not marked & {"7C", "3B", "5B"}

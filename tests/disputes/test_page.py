"""The page of a dispute: where rules part, the tables stand side by side, each as its rules leave it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from truco_spec.compare.disputes import page
from truco_spec.compare.disputes.agreement import agreements_of
from truco_spec.compare.disputes.answer import DisputeAnswer
from truco_spec.compare.disputes.page import MOST, html_of, pairs_of, steps_of
from truco_spec.compare.disputes.playthrough import MATCH
from truco_spec.compare.disputes.settle import settle
from truco_spec.engine.observe import settled
from truco_spec.logs.files import read
from truco_spec.logs.line import read_line

ROOT = Path(__file__).parents[2]
FAMOUS = sorted((ROOT / "docs" / "disputes").glob("*.yaml"))
TIE = "paulista | ana bia caio davi | dealer ana | deal vira JH | bia 4D, caio 3C, davi 3D, ana 4S"
RUN = f"{TIE}, bia truco, ana corro"
"""After the tie bia leads in Paulista, caio in Mineiro: there her truco is out of turn."""
HOSTILE = "paulista | ana bia | dealer ana | deal vira JH | bia <script>alert(1)</script>"


def answer(line: str, rules: str = "paulista,mineiro,argentino") -> DisputeAnswer:
    log = read_line(line)
    return settle(log, agreements_of(rules, log.options, log.variant))


def cards(step: page.PageStep, seat: int, *, held: bool) -> list[tuple[str, bool]]:
    places = (place for place in step.table.places if (place.seat, place.held) == (seat, held))
    return [(card.name, card.told) for place in places for card in place.cards]


def test_the_tables_of_a_parting_are_those_after_its_move() -> None:
    (pair,) = pairs_of(answer(TIE, "paulista,mineiro"))
    assert pair.players == ("ana", "bia", "caio", "davi")
    assert [side.group.names for side in pair.sides] == [("paulista",), ("mineiro",)]
    shown = [side.steps[side.shown] for side in pair.sides]
    assert [(step.number, step.said, step.verdict) for step in shown] == [(4, "ana 4S", "permitted")] * 2
    assert [step.table.seen["leader"] for step in shown] == ["bia", "caio"]
    assert [step.told for step in shown] == ["the trick is tied; bia leads", "the trick is tied; caio leads"]
    for step in shown:
        assert cards(step, 1, held=False) == [("4D", True)]
        assert len(cards(step, 1, held=True)) == 2
        assert not any(told for _, told in cards(step, 1, held=True))


def test_the_moves_before_and_after_are_there_from_the_deal_on_and_end_where_the_rules_do() -> None:
    first, *_ = pairs_of(answer(RUN, "paulista,mineiro"))
    numbers = [[step.number for step in side.steps] for side in first.sides]
    assert numbers == [[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5]]
    assert not cards(first.sides[0].steps[0], 1, held=False)
    assert len(cards(first.sides[0].steps[0], 1, held=True)) == 3
    last = first.sides[1].steps[-1]
    assert last.verdict != "permitted"
    assert last.message


def test_a_card_of_another_pack_is_drawn_as_what_it_is_there() -> None:
    pairs = pairs_of(answer(TIE, "mineiro,argentino"))
    french, spanish = pairs[0].sides
    assert (french.of, spanish.of) == ("french-", "spanish-")
    assert cards(spanish.steps[spanish.shown], 1, held=False) == [("4O", True)]
    page = html_of(answer(TIE, "mineiro,argentino"))
    used = set(re.findall(r'<use href="#([\w-]+)"', page))
    drawn = re.findall(r'<symbol id="([\w-]+)"', page)
    assert len(drawn) == len(set(drawn))
    assert used <= set(drawn)
    assert {"french-card-4D", "spanish-card-4O"} <= used


@pytest.mark.sample(0, long=3)
@pytest.mark.parametrize("path", FAMOUS, ids=lambda path: path.stem)
def test_every_table_shows_what_the_course_tells(path: Path) -> None:
    log = read(path.read_text(encoding="utf-8"), path.name)
    found = settle(log, agreements_of("all", log.options, log.variant))
    for playthrough in found.playthroughs.values():
        steps = list(steps_of(playthrough, range(len(playthrough.moments) + 1)))
        told = [moment for moment in playthrough.moments if playthrough.start]
        assert [step.number for step in steps][-len(told) :] == [moment.number for moment in told]
        for step in steps:
            if step.number and playthrough.moments[step.number - 1].told:
                seen = {**playthrough.moments[step.number - 1].seen}
                seen.pop(MATCH, None)  # who wins the match is compared, and told as the winner
                assert step.table.seen == settled(seen)


def test_what_the_rules_do_not_take_is_drawn_as_it_lay_before() -> None:
    found = answer("paulista | ana bia caio davi | dealer ana | deal vira JH | davi truco", "paulista,argentino")
    (pair,) = pairs_of(found)
    here, _ = (side.steps[side.shown] for side in pair.sides)
    assert here.verdict == "not possible now"
    assert len(cards(here, 3, held=True)) == 3
    unread = answer("paulista | ana bia caio davi | dealer ana | deal vira JH | bia envido", "argentino,paulista")
    (pair,) = pairs_of(unread)
    there = pair.sides[1].steps[pair.sides[1].shown]
    assert there.verdict == "no such word there"
    assert len(cards(there, 1, held=True)) == 3


def test_many_groups_are_drawn_with_fewer_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sum(len(side.steps) for pair in pairs_of(answer(RUN)) for side in pair.sides)
    monkeypatch.setattr(page, "MOST", 12)
    few = pairs_of(answer(RUN))
    assert sum(len(side.steps) for pair in few for side in pair.sides) < whole < MOST
    for pair in few:
        for side in pair.sides:
            assert side.steps[side.shown].number <= pair.parting.number


def test_the_page_asks_for_nothing_and_runs_no_script_but_its_own() -> None:
    page = html_of(answer(TIE))
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r"(src|href)=\"(?!#)|url\(|@import", page)
    hostile = html_of(answer(HOSTILE, "paulista,mineiro"))
    assert hostile.count("<script") == 1
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in hostile


def test_an_authority_is_said_in_words_and_its_ids_are_small_behind_them() -> None:
    page = html_of(answer(TIE, "paulista,mineiro"))
    said = "“After a tied trick the player who led it leads the next.” <small>"
    assert f"{said}@pagat:paulista.tie-leader-leads-again</small>" in page
    assert re.search(r"option “Who leads [^”<]*” is leader, so set by paulista +<small>tie-lead @pagat", page)
    assert not re.search(r"<li>\s*@", page)


@pytest.mark.long
def test_without_its_script_the_first_two_stand_side_by_side_and_all_are_told() -> None:
    page = html_of(answer(TIE, "all"))
    ways = re.findall(r'<article class="way" id="[\w-]+" data-way="(\d)">', page)
    assert ways == ["1", "2", "3"]
    assert page.count('<form class="controls" hidden ') == 1
    shown = re.findall(r'<div class="step" data-number="(\d)">', page)
    assert shown == ["4", "4", "4"]
    assert page.count('class="parts"') == 3  # the leader stands out in each


def test_of_rules_that_do_not_part_one_table_is_drawn_at_the_move_that_decides() -> None:
    log = read_line(f"{TIE}, bia truco")
    claimed = settle(log, agreements_of("paulista", {}), "bia leads next", most=1)
    (pair,) = pairs_of(claimed)
    assert (pair.alone, pair.parting.number, len(pair.sides)) == (True, 4, 1)
    assert [step.number for step in pair.sides[0].steps] == [0, 1, 2, 3, 4, 5]
    (plain,) = pairs_of(settle(log, agreements_of("paulista", {})))
    assert plain.parting.number == 5
    page = html_of(claimed)
    assert "The table after move 4, ana 4S" in page
    assert page.count('<article class="way"') == 1
    assert "<select" not in page
    assert "the whole log is regular" in page


def test_where_nothing_can_be_played_nothing_is_drawn() -> None:
    found = answer("paulista | ana bia caio davi | dealer ana | bia 4D", "fisch")  # there is no 4D in its pack
    assert pairs_of(found) == ()
    assert 'class="table"' not in html_of(found)


@pytest.mark.long
def test_a_long_log_makes_no_long_page() -> None:
    raises = "bia truco, ana corro | deal | ana truco, bia corro | deal |"
    log = f"paulista | ana bia | dealer ana | deal | {raises * 8} bia 4C, ana 4D"
    page = html_of(answer(log))
    assert len(page) < 200_000

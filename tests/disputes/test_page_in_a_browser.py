"""The page of a dispute in a real browser: two sides are chosen and led in step, on a phone, in the dark, on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Browser, Scheme, in_a_browser

from truco_spec.compare.disputes.agreement import agreements_of
from truco_spec.compare.disputes.page import html_of
from truco_spec.compare.disputes.settle import settle
from truco_spec.logs.line import read_line

pytestmark = in_a_browser

LOG = (
    "paulista | ana bia caio davi | dealer ana | deal vira JH"
    " | bia 4D, caio 3C, davi 3D, ana 4S, bia truco, ana aceito, bia 5D"
)
"""After the tie bia leads in Paulista, caio in Mineiro, davi in Mineiro as the encyclopedia has it."""
RULES = "paulista, mineiro, mineiro-wp"
WAYS = """[...document.querySelectorAll(".way")].filter((way) => way.checkVisibility()).map((way) => way.dataset.way)"""
STEPS = """[...document.querySelectorAll(".way .step")].filter((step) => step.checkVisibility())
  .map((step) => Number(step.dataset.number))"""
TABLES = """[...document.querySelectorAll(".table")].filter((table) => table.checkVisibility())
  .map((table) => table.getBoundingClientRect()).map((box) => [box.left, box.right, box.top].map(Math.round))"""
SAID = """document.querySelector(".parting output").textContent"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = read_line(LOG)
    path = tmp_path_factory.mktemp("dispute") / "page.html"
    answer = settle(log, agreements_of(RULES, log.options, log.variant), "caio leads next")
    path.write_text(html_of(answer), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Browser, made: Path) -> Path:
    browser.open(made)
    return made


def test_two_tables_stand_side_by_side_at_the_move_where_they_part(browser: Browser, page: Path) -> None:
    assert browser.run(WAYS) == ["1", "2"]
    assert browser.run(STEPS) == [4, 4]
    (left, right, top), (next_left, next_right, next_top) = browser.run(TABLES)
    assert top == next_top
    assert 0 <= left < right < next_left < next_right <= 1000
    standing_out = '[...document.querySelectorAll(".way .parts dd")].map((each) => each.textContent).slice(0, 2)'
    assert browser.run(standing_out) == ["bia", "caio"]


def test_another_pair_is_chosen_and_the_same_twice_is_not(browser: Browser, page: Path) -> None:
    browser.page.select_option('[name="right"]', "3")
    assert browser.run(WAYS) == ["1", "3"]
    browser.page.select_option('[name="left"]', "3")
    assert browser.run(WAYS) == ["3", "1"]
    assert browser.run("""[...document.querySelectorAll("form select")].map((list) => list.value)""") == ["3", "1"]
    browser.page.click('.ways a[href$="-2"]')
    assert browser.run(WAYS) == ["3", "2"]
    browser.open(page, "#parting-1-3")
    assert browser.run(WAYS) == ["1", "3"]


def test_both_are_led_in_step_by_buttons_and_keys(browser: Browser, page: Path) -> None:
    browser.page.click('[aria-label="Back"]')
    assert (browser.run(STEPS), browser.run(SAID)) == ([3, 3], "Move 3: davi 3D")
    for _ in range(6):
        browser.page.keyboard.press("ArrowLeft")
    assert (browser.run(STEPS), browser.run(SAID)) == ([0, 0], "The deal")
    browser.page.click('[data-go="here"]')
    assert browser.run(STEPS) == [4, 4]
    browser.page.keyboard.press("ArrowRight")
    browser.page.keyboard.press("ArrowRight")
    assert browser.run(STEPS) == [6, 5]
    assert browser.run(SAID) == "Move 6: ana aceito (one goes no further)"


def test_rules_that_do_not_part_have_one_table_to_be_led_through(browser: Browser, tmp_path: Path) -> None:
    log = read_line(LOG)
    path = tmp_path / "one.html"
    path.write_text(html_of(settle(log, agreements_of("paulista", {}))), encoding="utf-8")
    browser.open(path)
    assert browser.run(STEPS) == [7]
    browser.page.click('[aria-label="Back"]')
    assert browser.run(STEPS) == [6]
    browser.width(360)
    assert browser.run("document.documentElement.scrollWidth") <= 360
    assert browser.faults() == []


@pytest.mark.parametrize("width", [360, 500, 800, 1200])
def test_nothing_sticks_out(browser: Browser, page: Path, width: int) -> None:
    browser.width(width)
    assert browser.run("document.documentElement.scrollWidth") <= width
    browser.run('document.querySelector(".pair .way:nth-child(2)").scrollIntoView({inline: "center"})')
    tables = browser.run(TABLES)
    assert len({top for _, _, top in tables}) == 1
    left, right, _ = tables[1]
    assert 0 <= left < right <= width  # on a phone the other is one swipe away, at the same height
    inside = browser.run("""[...document.querySelectorAll(".table")].filter((table) => table.checkVisibility())
      .every((table) => [...table.querySelectorAll("*")].every((each) =>
        each.getBoundingClientRect().right <= table.getBoundingClientRect().right + 1))""")
    assert inside


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1000])
def test_axe_finds_no_fault(browser: Browser, page: Path, width: int, scheme: Scheme) -> None:
    browser.width(width)
    browser.page.emulate_media(color_scheme=scheme)
    assert browser.faults() == []


def test_without_its_script_the_first_two_are_beside_each_other(browser: Browser, page: Path, tmp_path: Path) -> None:
    path = tmp_path / "still.html"
    path.write_text(page.read_text(encoding="utf-8").replace("script-src", "x-src"), encoding="utf-8")
    browser.open(path)
    assert browser.run(WAYS) == ["1", "2", "3"]
    assert browser.run(STEPS) == [4, 4, 4]
    (_, right, top), (next_left, _, next_top), (_, _, later) = browser.run(TABLES)
    assert right < next_left
    assert top == next_top < later
    assert not browser.run('document.querySelector(".controls").checkVisibility()')


def test_on_paper_all_sides_stand_and_nothing_is_cut(browser: Browser, page: Path) -> None:
    browser.page.emulate_media(media="print")
    browser.width(700)
    assert browser.run(WAYS) == ["1", "2", "3"]
    assert not browser.run('document.querySelector(".controls").checkVisibility()')
    assert browser.run("document.documentElement.scrollWidth") <= 700
    assert 1 <= browser.page.pdf().count(b"/Type /Page\n") <= 4

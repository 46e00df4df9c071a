"""The page of a log in a real browser, led by keys, buttons, a finger; on a phone, in the dark, on paper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import Browser, Scheme, in_a_browser

from truco_spec.logs.files import read
from truco_spec.logs.line import read_line
from truco_spec.logs.setup import graph_of
from truco_spec.pages.board import board_of, facts_of, page_of, titles_of, words_of
from truco_spec.pages.moments import board, track_of

pytestmark = in_a_browser

ROOT = Path(__file__).parents[2]
LINE = "paulista | ana bia caio davi | dealer davi | deal ana 4D KH 3S, vira 7D | ana 4D, bia truco, caio corro"
MOMENT = ".moment:not([hidden])"
NOW = f"""[...document.querySelectorAll("{MOMENT}")].filter((each) => each.checkVisibility())
  .map((each) => each.id).join()"""
FACES = f"""[...document.querySelectorAll("{MOMENT} .seat .card")].filter((each) => each.checkVisibility())
  .map((each) => each.firstElementChild.getAttribute("href").slice(6))"""
PLAIN = """window.plain = (part) => part.nodeType === 3 ? part.data.trim() : [part.localName,
  [...part.attributes].map((one) => `${one.name}=${one.value}`).sort().join(),
  ...[...part.childNodes].map(plain).filter((inside) => inside !== "")]; 0"""
"""What is in a part of the page, without the order of attributes and blanks."""
SAID = """document.querySelector('[role="status"]').textContent"""


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Path:
    log = read_line(LINE)
    path = tmp_path / "page.html"
    path.write_text(page_of(log, graph_of(log)), encoding="utf-8")
    browser.open(path)
    return path


@pytest.fixture
def irregular(browser: Browser, tmp_path: Path) -> Path:
    log = read((ROOT / "docs/logs/umpire.yaml").read_text(encoding="utf-8"), "umpire.yaml")
    path = tmp_path / "umpire.html"
    path.write_text(page_of(log, graph_of(log)), encoding="utf-8")
    browser.open(path)
    return path


@pytest.mark.parametrize(
    ("place", "moment"), [("", "strict-0"), ("#strict-2", "strict-2"), ("#strict-99", "strict-3"), ("#x-1", "strict-1")]
)
def test_one_moment_is_shown_the_one_of_the_permalink(browser: Browser, page: Path, place: str, moment: str) -> None:
    browser.open(page, place)
    assert browser.run(NOW) == moment


def test_keys_lead_through_the_moves(browser: Browser, page: Path) -> None:
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"):
        browser.page.keyboard.press(key)
        seen.append(browser.run(NOW).removeprefix("strict-"))
    assert seen == ["1", "2", "1", "3", "3", "0", "0"]


def test_buttons_lead_through_the_moves_and_what_is_shown_is_said(browser: Browser, page: Path) -> None:
    browser.page.click('[aria-label="Last move"]')
    assert browser.run(NOW) == "strict-3"
    browser.page.click('[aria-label="Back"]')
    assert (browser.run(NOW), browser.run("location.hash")) == ("strict-2", "#strict-2")
    assert browser.run(SAID) == "2. bia truco Permitted. asks for 3"
    browser.page.click('[aria-label="Play"]')
    pressed = """document.querySelector('[aria-label="Play"]').getAttribute("aria-pressed")"""
    assert browser.run(pressed) == "true"
    browser.run(f"""new Promise((done) => {{ const look = () => {NOW} === "strict-3" ? done(1) : setTimeout(look, 50);
      look(); }})""")
    assert browser.run(pressed) == "false"


def test_a_finger_leads_through_the_moves_and_does_not_leave_the_page(browser: Browser, page: Path) -> None:
    browser.width(360)
    seen = []
    for by in (120, 120, -120, 10):
        browser.swipe(f"{MOMENT} .table", by)
        seen.append(browser.run(NOW))
    assert seen == ["strict-1", "strict-2", "strict-1", "strict-1"]


def test_as_one_seat_sees_it_what_others_hold_is_hidden(browser: Browser, page: Path) -> None:
    assert sorted(browser.run(FACES)) == ["3S", "4D", "KH", *["unknown"] * 9]
    browser.page.select_option('[name="seat"]', "1")
    assert sorted(browser.run(FACES)) == [*["back"] * 9, *["unknown"] * 3]
    labels = (
        f"""[...document.querySelectorAll("{MOMENT} .seat .card")].map((each) => each.getAttribute("aria-label"))"""
    )
    assert set(browser.run(labels)) == {"a hidden card", "a card that the log does not tell"}
    at_the_bottom = f"""document.querySelector('{MOMENT} .at-0').dataset.seat"""
    assert browser.run(at_the_bottom) == "1"
    browser.page.select_option('[name="seat"]', "0")
    assert sorted(browser.run(FACES)) == ["3S", "4D", "KH", *["back"] * 9]
    assert browser.run(at_the_bottom) == "0"


def test_the_other_referee_is_chosen(browser: Browser, irregular: Path) -> None:
    browser.page.keyboard.press("End")
    last = browser.run(NOW)
    assert last.startswith("umpire-")
    browser.page.select_option('[name="mode"]', "strict")
    assert browser.run(NOW) == "strict-2"
    assert browser.run("""document.querySelector("#strict-2 h2").textContent""").endswith("Not permitted")


def test_no_sign_or_label_breaks_or_sticks_out(browser: Browser, irregular: Path) -> None:
    for width in (360, 420, 700, 1000):
        browser.width(width)
        browser.run("""document.querySelectorAll("details").forEach((part) => { part.open = true; })""")
        assert browser.run("document.documentElement.scrollWidth") <= width
        heights = browser.run("""[...document.querySelectorAll(".controls label > span")]
          .map((each) => each.getClientRects().length + "," + (each.offsetHeight < 30))""")
        assert set(heights) == {"1,true"}
    assert browser.run(
        """[...document.querySelectorAll(".steps button")].every((button) => button.querySelector("path"))"""
    )


@pytest.mark.parametrize(
    "players", ["paulista | ana bia", "pica-pica | ana bia caio davi eva fred", "paulista-wp | a b c d e f g h"]
)
@pytest.mark.parametrize("width", [360, 1000])
def test_no_seat_lies_on_another(browser: Browser, tmp_path: Path, players: str, width: int) -> None:
    first = players.split()[3]
    log = read_line(f"{players} | dealer {players.split()[2]} | deal | {first} truco")
    path = tmp_path / "page.html"
    path.write_text(page_of(log, graph_of(log)), encoding="utf-8")
    browser.width(width)
    browser.open(path)
    assert browser.run("document.documentElement.scrollWidth") <= width
    boxes = browser.run(f"""[...document.querySelectorAll("{MOMENT} .seat, {MOMENT} .middle")]
      .map((each) => each.getBoundingClientRect()).map((box) => [box.left, box.right, box.top, box.bottom])""")
    for at, (left, right, top, bottom) in enumerate(boxes):
        assert 0 <= left < right <= width
        for other_left, other_right, other_top, other_bottom in boxes[:at]:
            assert right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves_between_the_moves(browser: Browser, tmp_path: Path, width: int) -> None:
    log = read((ROOT / "docs/logs/friday.yaml").read_text(encoding="utf-8"), "friday.yaml")
    path = tmp_path / "friday.html"
    path.write_text(page_of(log, graph_of(log)), encoding="utf-8")
    browser.width(width)
    browser.open(path)
    parts = ".facts, .seat, .middle, .tricks"
    boxes = set()
    for _ in range(browser.run("document.querySelectorAll('.moment').length")):
        boxes.add(
            browser.run(f"""JSON.stringify([...document.querySelectorAll("{MOMENT} .table, {MOMENT} :is({parts})")]
          .map((each) => each.getBoundingClientRect()).map((box) => [box.x, box.y, box.width, box.height]))""")
        )
        assert browser.run(f"""[...document.querySelectorAll("{MOMENT} .trick li")].every((each) => {{
          const box = each.getBoundingClientRect(), middle = each.closest(".middle").getBoundingClientRect();
          return box.top >= middle.top && box.bottom <= middle.bottom + 1; }})""")
        browser.page.keyboard.press("ArrowRight")
    assert len(boxes) == 1
    reason = browser.run(f"""document.querySelector("{MOMENT} .why").getBoundingClientRect().top""")
    assert reason < 800 - 48  # without scrolling


def test_a_move_of_the_list_is_shown_and_its_link_is_copied(browser: Browser, page: Path) -> None:
    browser.page.click('.list a[href="#strict-2"]')
    assert (browser.run(NOW), browser.run("location.hash")) == ("strict-2", "#strict-2")
    assert browser.run("""document.querySelector('.list [aria-current="step"]').hash""") == "#strict-2"
    browser.run("""Object.defineProperty(navigator, "clipboard",
      {value: {writeText: async (text) => { window.copied = text; }}})""")
    browser.page.click('[data-go="share"]')
    assert str(browser.run("window.copied")).endswith("page.html#strict-2")


def test_cards_are_laid_down_softly_unless_that_is_not_wanted(browser: Browser, page: Path) -> None:
    moved = f"""getComputedStyle(document.querySelector("{MOMENT} .fresh .card")).animationName"""
    browser.page.keyboard.press("ArrowRight")
    assert browser.run(moved) == "lie-down"
    browser.page.emulate_media(reduced_motion="reduce")
    assert browser.run(moved) == "none"


@pytest.mark.parametrize("name", ["friday", "sunday", "umpire"])
def test_the_script_draws_what_the_template_draws(browser: Browser, tmp_path: Path, name: str) -> None:
    log = read((ROOT / f"docs/logs/{name}.yaml").read_text(encoding="utf-8"), f"{name}.yaml")
    graph, players = graph_of(log), log.players
    path = tmp_path / "page.html"
    path.write_text(page_of(log, graph), encoding="utf-8")
    browser.open(path)
    facts, said = facts_of(graph), words_of(graph)
    boards = [board_of(moment, players, facts, said=said) for moment in track_of(log, graph).moments]
    how = {
        "players": players, "titles": titles_of(graph), "labels": board().facts, "of": "",
        "bare": not any(each["turned"] for each in boards),
        "words": {
            "untold": "a card that the log does not tell", "above": "above all others", "best": "the best so far",
            "facedown": "face down", "waits": "may go on", "middle": "The middle of the table",
            "tricks": "Earlier tricks",
        },
    }  # fmt: skip
    browser.run(PLAIN)
    there = browser.run("""[...document.querySelectorAll(".track:not([hidden]) .table")].map(plain)""")
    drawn = browser.run(f"""(() => {{ const how = {json.dumps(how)};
      return {json.dumps(boards)}.map((each) => plain(Board.draw(document.createElement("div"), each, how))); }})()""")
    assert drawn == there


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1000])
def test_axe_finds_no_fault(browser: Browser, irregular: Path, scheme: Scheme, width: int) -> None:
    browser.page.emulate_media(color_scheme=scheme)
    browser.width(width)
    for number in (0, 2, 6):
        browser.open(irregular, f"#umpire-{number}")
        browser.run("""document.querySelectorAll("details").forEach((part) => { part.open = true; })""")
        assert browser.faults() == []


def test_on_paper_every_move_stands_and_a_seat_sees_no_more(browser: Browser, irregular: Path) -> None:
    count = browser.run("""document.querySelectorAll('[data-mode="umpire"] .moment').length""")
    browser.page.select_option('[name="seat"]', "1")
    browser.page.emulate_media(media="print")
    printed = """[...document.querySelectorAll(".moment")].filter((each) => each.checkVisibility())"""
    assert browser.run(f"{printed}.length") == count
    assert not browser.run("""document.querySelector(".controls").checkVisibility()""")
    assert browser.run(f"""{printed}.every((moment) => [...moment.querySelectorAll('[data-seat="0"] .held use')]
      .every((use) => use.getAttribute("href") === "#card-back"))""")
    browser.width(700)
    assert browser.run("document.documentElement.scrollWidth") <= 700
    pages = browser.page.pdf().count(b"/Type /Page\n")
    assert count / 3 <= pages <= count / 1.5


def test_without_its_script_all_is_there(browser: Browser, irregular: Path, tmp_path: Path) -> None:
    path = tmp_path / "still.html"
    path.write_text(irregular.read_text(encoding="utf-8").replace("script-src", "x-src"), encoding="utf-8")
    browser.open(path)
    assert browser.run("""[...document.querySelectorAll(".moment, .mode")].every((each) => each.checkVisibility())""")
    assert not browser.run(
        """[...document.querySelectorAll(".controls, .help")].some((each) => each.checkVisibility())"""
    )

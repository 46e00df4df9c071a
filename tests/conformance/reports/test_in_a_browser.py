"""The page in a real browser: filters, permalinks, a narrow window, faults of accessibility."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Browser, Scheme, in_a_browser
from reported import HOSTILE, run

from truco_spec.conformance.reports.formats import html as text_of

pytestmark = in_a_browser

SHOWN = """[...document.querySelectorAll("details.case")].filter((each) => each.checkVisibility())
  .map((each) => each.querySelector("summary code").textContent)"""
COUNTED = """document.querySelector("output").textContent"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "page.html"
    path.write_text(text_of(run()), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("", 10),
        ("#?verdict=fail", ["own-fail-2"]),
        ("#?verdict=xfail", ["own-xfail-3"]),
        ("#?verdict=wrong&variant=mineiro", ["own-error-7"]),
        ("#?level=decided", ["own-crash-9"]),
        ("#?clause=own-view", ["own-crash-9"]),
        ("#?text=comes+to+UNSUPPORTED", ["own-unsupported-5"]),
        ("#?text=nothing+of+the+kind", []),
    ],
)
def test_the_address_filters(browser: Browser, made: Path, place: str, names: list[str] | int) -> None:
    browser.open(made, place)
    count = names if isinstance(names, int) else len(names)
    assert browser.run(COUNTED) == f"{count} of 10 cases"
    shown = browser.run(SHOWN)
    assert len(shown) == count
    assert isinstance(names, int) or shown == names


def test_a_reader_filters_and_clears(browser: Browser, made: Path) -> None:
    browser.open(made)
    browser.page.select_option('[name="verdict"]', "fail")
    assert browser.run(SHOWN) == ["own-fail-2"]
    assert "verdict=fail" in browser.run("location.hash")
    browser.page.click('button[type="reset"]')
    browser.run("new Promise((done) => setTimeout(done))")
    assert browser.run(COUNTED) == "10 of 10 cases"


def test_a_permalink_opens_its_case(browser: Browser, made: Path) -> None:
    browser.open(made, "#case-own-fail-2")
    opened = """[...document.querySelectorAll("details[open]")].map((each) => each.dataset.verdict)"""
    assert browser.run(opened) == ["fail"]


def test_hostile_text_runs_nowhere(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(text_of(run(HOSTILE)), encoding="utf-8")
    browser.open(path)
    assert browser.run(COUNTED) == "10 of 10 cases"
    assert browser.run("""document.querySelectorAll("script").length""") == 1
    assert browser.run("""document.querySelectorAll("img").length""") == 0


@pytest.mark.parametrize("text", ["stake: -1", HOSTILE, "x" * 500])
def test_nothing_sticks_out_of_a_window_of_360_pixels(browser: Browser, tmp_path: Path, text: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(text_of(run(text)), encoding="utf-8")
    browser.width(360)
    browser.open(path)
    browser.run("""document.querySelectorAll("details").forEach((each) => { each.open = true; })""")
    assert browser.run("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(browser: Browser, made: Path, scheme: Scheme) -> None:
    browser.page.emulate_media(color_scheme=scheme)
    browser.open(made)
    browser.run("""document.querySelectorAll("details").forEach((each) => { each.open = true; })""")
    assert browser.faults() == []

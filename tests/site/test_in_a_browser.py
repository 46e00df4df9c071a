"""The site in a real browser: a reader's way through it, on narrow windows, and without faults of accessibility."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, in_a_browser

from truco_spec.logs.files import read
from truco_spec.logs.setup import graph_of
from truco_spec.pages.replay import page_of
from truco_spec.site.build import build
from truco_spec.site.pages import Page, pages

pytestmark = in_a_browser

ROOT = Path(__file__).parents[2]
CLAUSE = "paulista.raise-may-be-deferred"
CASES = ("cases/paulista-truco-inherited.html", "cases/paulista-truco.html", "cases/paulista-two-players.html")
PAGES = (
    "index.html", "search.html", "table.html", "replay.html", "rules/paulista.en.html", "rules/paulista.pt.html",
    "clauses/index.html", "clauses/pagat.html", "clauses/pagat-paulista.html", "cases/index.html", *CASES,
    "atlas/paulista.html", "docs/index.html", "docs/diff.html", "docs/rulebook.html", "docs/tour.html",
    "results/pytruco.html",
)  # fmt: skip
"""Pages of every kind."""
LOOKED_AT = [page for page in PAGES if page not in CASES[1:]]

AXE = importlib.util.find_spec("axe_core_python")
GRAVE = """axe.run(document, {resultTypes: ["violations"]}).then((found) => found.violations
  .filter((fault) => ["serious", "critical"].includes(fault.impact))
  .map((fault) => `${fault.impact}: ${fault.help}: ${fault.nodes[0].html.slice(0, 200)}`))"""
OPENED = """document.querySelectorAll("details").forEach((part) => { part.open = true; });
  document.querySelectorAll(".replay button").forEach((button) => button.click());"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = read((ROOT / "docs/logs/umpire.yaml").read_text(encoding="utf-8"), "umpire.yaml")
    made = [Page("replay.html", lambda: page_of(log, graph_of(log))), *pages()]
    folder = tmp_path_factory.mktemp("site") / "public"
    assert build(folder, [page for page in made if page.path in PAGES]) == (len(PAGES), len(PAGES))
    return folder


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    started = Browser(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@pytest.fixture
def browser(opened: Browser) -> Browser:
    opened.width(1000)
    opened.scheme("light")
    return opened


def test_a_reader_goes_from_the_first_page_to_a_source_and_a_case_and_replays_it(site: Path, browser: Browser) -> None:
    browser.open(site / "index.html")
    assert browser.follow('a[hreflang="pt"][href*="paulista.pt"]') == "rules/paulista.pt.html"
    assert browser.run("document.documentElement.lang") == "pt"
    assert browser.follow('nav a[hreflang="en"]') == "rules/paulista.en.html"

    browser.click(f'.rule:has(a[href$="#{CLAUSE}"]) summary')
    assert browser.run(f"""document.querySelector('.rule a[href$="#{CLAUSE}"]').checkVisibility()""")
    assert browser.follow(f'.rule a[href$="#{CLAUSE}"]') == f"clauses/pagat-paulista.html#{CLAUSE}"
    assert browser.run('document.querySelector("article:target > p").textContent').strip()

    page, _, case = browser.follow('article:target a[href*="/cases/"]').partition("#")
    assert page in CASES
    assert browser.run('document.querySelector("article:target").id') == case

    browser.click("article:target .replay button")
    step = 'document.querySelector("article:target .done").textContent'
    begun = browser.run(step)
    number, _, last = begun.partition(":")[0].partition(" of ")
    assert (number, "the deal" in begun) == ("1", True)
    for _ in range(int(last) - 1):
        browser.click('article:target .replay button[aria-label="On"]')
    assert browser.run(step).startswith(f"{last} of {last}: ")

    hidden = """[...document.querySelectorAll("article:target .board use")]
      .filter((use) => use.getAttribute("href") === "#card-back").length"""
    browser.click('article:target .replay button[aria-label="Back"]')
    open_to_all = browser.run(hidden)
    browser.run("""(() => { const seats = document.querySelector("article:target .replay select");
      seats.value = "1"; seats.dispatchEvent(new Event("change")); })()""")
    assert open_to_all == 0
    assert browser.run(hidden) > 0


def test_a_search_finds_rules_clauses_questions_and_pages(site: Path, browser: Browser) -> None:
    browser.open(site / "search.html", "?q=envido")
    shown = """[...document.querySelectorAll(".found:not([hidden]) h2")].map((heading) => heading.textContent)"""
    assert {"Rules", "Clauses of wikipedia", "Questions"} <= set(browser.run(shown))
    assert "Clauses of fisch" not in browser.run(shown)
    browser.run("""(() => { const words = document.querySelector(".search input");
      words.value = "books of rules"; words.dispatchEvent(new Event("input", {bubbles: true})); })()""")
    assert browser.run(shown) == ["Documentation and results"]
    assert browser.follow(".found:not([hidden]) li:not([hidden]) a").endswith("docs/rulebook.html#books-of-rules")


def test_a_rule_in_a_drawing_is_clicked_and_a_drag_is_no_click(site: Path, browser: Browser) -> None:
    browser.open(site / "atlas/paulista.html")
    browser.drag(".atlas svg a text", 40)
    assert browser.run("location.hash") == ""
    browser.click(".atlas svg a text")
    assert browser.run("location.hash") == browser.run('document.querySelector(".atlas svg a").getAttribute("href")')
    assert browser.run('document.querySelector("li:target a").getAttribute("href")').startswith(
        "../rules/paulista.en.html#"
    )


@pytest.mark.parametrize("page", LOOKED_AT)
def test_nothing_sticks_out_of_a_window_of_360_pixels(site: Path, browser: Browser, page: str) -> None:
    browser.open(site / page)
    browser.width(360)
    browser.run(OPENED)
    assert browser.run("document.documentElement.scrollWidth") <= 360


@pytest.mark.skipif(AXE is None, reason="axe-core is not installed: pip install axe-core-python")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", LOOKED_AT)
def test_axe_finds_no_serious_fault(site: Path, browser: Browser, page: str, scheme: str) -> None:
    assert AXE is not None and AXE.origin is not None
    browser.scheme(scheme)
    browser.open(site / page)
    browser.run(OPENED)
    browser.run((Path(AXE.origin).parent / "axe.min.js").read_text(encoding="utf-8") + "; 0")
    assert browser.run(GRAVE) == []


def test_axe_would_find_one(site: Path, browser: Browser) -> None:
    if AXE is None or AXE.origin is None:
        pytest.skip("axe-core is not installed: pip install axe-core-python")
    browser.open(site / "index.html")
    browser.run((Path(AXE.origin).parent / "axe.min.js").read_text(encoding="utf-8") + "; 0")
    browser.run('document.querySelector("main").append(document.createElement("button"))')
    (fault,) = browser.run(GRAVE)
    assert fault.startswith("critical: Buttons must have discernible text")

"""The site in a real browser: a reader's way through it, on narrow windows, and without faults of accessibility."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Browser, Scheme, in_a_browser

from truco_spec.books.site.pages import Page, build

pytestmark = in_a_browser

CLAUSE = "paulista.raise-may-be-deferred"
CASES = ("cases/paulista-truco-inherited.html", "cases/paulista-truco.html", "cases/paulista-two-players.html")
PAGES = (
    "index.html", "index.pt.html", "search.html", "search.pt.html", "table.html", "rules/argentino.en.html",
    "rules/paulista.en.html",
    "rules/paulista.pt.html", "docs/logs/sunday.yaml.html", "docs/logs/umpire.yaml.html",
    "docs/disputes/01-three-ties.pt.html", "docs/settle.html", "docs/design.html", "docs/commands.html",
    "clauses/index.html", "clauses/pagat.html", "clauses/pagat-paulista.html", "cases/index.html", *CASES,
    "atlas/paulista.html", "docs/index.html", "docs/diff.html", "docs/rulebook.html", "docs/tour.html",
    "results/pytruco.html",
)  # fmt: skip
"""Pages of every kind."""
LOOKED_AT = [page for page in PAGES if page not in (*CASES[1:], "rules/argentino.en.html")]

OPENED = """document.querySelectorAll("details").forEach((part) => { part.open = true; });
  document.querySelectorAll(".replay button").forEach((button) => button.click());"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, wanted: list[Page]) -> Path:
    folder = tmp_path_factory.mktemp("site") / "public"
    assert build(folder, [page for page in wanted if page.path in PAGES]) == (len(PAGES), len(PAGES))
    return folder


def test_the_story_of_a_reader(site: Path, browser: Browser) -> None:
    """Choose a language, follow a rule to its source and its case, replay it, switch seats, search, print."""
    browser.open(site / "index.html")
    assert browser.follow('.top a[hreflang="pt"]').endswith("index.pt.html")
    assert browser.run("document.documentElement.lang") == "pt"
    assert browser.follow('.games a[href="rules/paulista.pt.html"]') == "rules/paulista.pt.html"
    assert browser.run("document.documentElement.lang") == "pt"
    assert browser.run('document.querySelector(".top").textContent').split()[:2] == ["Truco", "Busca"]
    assert browser.follow('.top a[hreflang="en"][lang="en"]') == "rules/paulista.en.html"

    browser.page.click(f'.rule:has(a[href$="#{CLAUSE}"]) summary')
    assert browser.run(f"""document.querySelector('.rule a[href$="#{CLAUSE}"]').checkVisibility()""")
    assert browser.follow(f'.rule a[href$="#{CLAUSE}"]') == f"clauses/pagat-paulista.html#{CLAUSE}"
    assert browser.run('document.querySelector("article:target > p").textContent').strip()

    page, _, case = browser.follow('article:target a[href*="/cases/"]').partition("#")
    assert page in CASES
    assert browser.run('document.querySelector("article:target").id') == case
    replayed_to_the_end(browser)
    seen_by_each_seat(browser)

    assert browser.follow('.top a[href$="search.html"]').endswith("search.html")
    browser.page.fill(".search input", "can the side that accepted raise later in argentino?")
    assert browser.follow(".found li a") == "rules/argentino.en.html#rule-truco.later"
    printed_without_its_frame(browser)


def replayed_to_the_end(browser: Browser) -> None:
    browser.page.click("article:target .replay button")
    step = 'document.querySelector("article:target .moment:not([hidden]) .done").textContent'
    assert browser.run(step) == "the deal"
    on = 'article:target .replay button[aria-label="On"]'
    assert browser.run(f"document.activeElement === document.querySelector('{on}')")
    last = browser.run('document.querySelectorAll("article:target .moment").length')
    for _ in range(last - 1):
        browser.page.click(on)
    assert browser.run('document.querySelector("article:target .moment:last-child").checkVisibility()')
    assert browser.run('document.querySelector("article:target .list li:last-child a").ariaCurrent') == "step"


def seen_by_each_seat(browser: Browser) -> None:
    """All cards are open to all; a seat sees its own, and not those that others hold."""
    now = "article:target .moment:not([hidden])"
    backs = f"""[...document.querySelectorAll("{now} .seat .card use:first-child")]
      .map((use) => use.getAttribute("href") === "#card-back")"""
    browser.page.click('article:target .replay button[aria-label="First move"]')
    assert not any(browser.run(backs))
    select = 'article:target select[name="seat"]'
    seats = browser.run(f"""[...document.querySelectorAll('{select} option')].map((o) => o.textContent)""")
    for number, seat in enumerate(seats[1:]):
        browser.page.select_option(select, str(number))
        assert any(browser.run(backs))
        mine = browser.run(f"""[...document.querySelectorAll("{now} .seat[aria-label='{seat}'] use")]
          .map((use) => use.getAttribute("href"))""")
        assert mine
        assert "#card-back" not in mine


def printed_without_its_frame(browser: Browser) -> None:
    browser.page.emulate_media(media="print")
    assert browser.run('document.querySelector(".rule").checkVisibility()')
    assert not browser.run('document.querySelector(".top").checkVisibility()')
    browser.page.emulate_media(media="screen")
    assert browser.run('document.querySelector(".top").checkVisibility()')
    paper = browser.page.pdf()
    assert paper.startswith(b"%PDF")
    assert len(paper) > 50_000


def test_a_search_finds_rules_and_beside_them_clauses_and_documents(site: Path, browser: Browser) -> None:
    browser.open(site / "search.html", "?q=two%20cards%20of%20a%20suit%20in%20envido")
    told = browser.run("""[...document.querySelectorAll("main > .found > li")].map((item) => item.textContent)""")
    assert any("count together, and 20 more" in text and "Truco argentino 8.2" in text for text in told[:3])
    assert browser.run('document.querySelector(".library li").textContent.startsWith("")')
    assert browser.run(
        """[...document.querySelectorAll(".library a")].some((a) => a.hash === "#argentino.envido-pair")"""
    )
    browser.page.fill(".search input", "books of rules")
    assert browser.follow('.library a[href$="#books-of-rules"]').endswith("docs/rulebook.html#books-of-rules")


def test_a_search_in_portuguese_leads_to_portuguese_books(site: Path, browser: Browser) -> None:
    browser.open(site / "search.pt.html", "?q=quem%20come%C3%A7a%20depois%20do%20empate")
    assert browser.run("document.activeElement.name") == "q"
    assert browser.run('document.querySelector("output").textContent').endswith(" resultados")
    assert browser.follow(".found a") == "rules/paulista.pt.html#rule-lead-again"
    browser.open(site / "search.pt.html")
    assert browser.run('document.querySelector("output").textContent') == ""


def test_a_log_of_the_documentation_is_replayed_and_its_kind_is_told(site: Path, browser: Browser) -> None:
    browser.open(site / "docs/logs/sunday.yaml.html")
    browser.page.click('.leads button[aria-label="Last move"]')
    assert browser.run('document.querySelector(".moment:last-child").checkVisibility()')
    browser.page.click(".kinds summary")
    assert browser.run('document.querySelector(".kinds li a").checkVisibility()')
    assert browser.follow('.kinds a[href$="settle.html"]') == "docs/settle.html"
    assert browser.run('document.querySelector(".kinds summary").textContent') == (
        "Documentation › How-to › Settle an argument"
    )


def test_an_argument_begins_with_the_move_that_ends_it_and_its_answer_leads_to_the_board(
    site: Path, browser: Browser
) -> None:
    browser.open(site / "docs/disputes/01-three-ties.pt.html")
    shown = 'document.querySelector(".moment:not([hidden])")'
    assert browser.run(f"{shown}.id") == "strict-12"
    assert "a mão fica empatada" in browser.run(f'{shown}.querySelector(".why").textContent')
    browser.run("""document.querySelector('.document h2 a[href="#strict-8"]').click()""")
    assert browser.run(f"new Promise((done) => setTimeout(() => done({shown}.id)))") == "strict-8"
    at = 'document.querySelector("section.leads").getBoundingClientRect().top'
    assert 0 <= browser.run(at) < 100


def test_a_rule_in_a_drawing_is_clicked_and_a_drag_is_no_click(site: Path, browser: Browser) -> None:
    browser.open(site / "atlas/paulista.html")
    browser.drag(".atlas svg a text", 40)
    assert browser.run("location.hash") == ""
    browser.page.click(".atlas svg a text")
    first = 'document.querySelector(".atlas svg a:has(text)").getAttribute("href")'
    assert browser.run("location.hash") == browser.run(first)
    assert browser.run("""(() => { const [rule, map] = [document.querySelector("li:target"),
      document.querySelector(".beside")].map((part) => part.getBoundingClientRect());
      return rule.top >= map.top - 1 && rule.top < map.bottom; })()""")


def test_an_arrow_leads_to_its_rule_and_the_drawing_comes_nearer(site: Path, browser: Browser) -> None:
    browser.open(site / "atlas/paulista.html")
    arrow = '.atlas a.arrow[href="#first-deal"]'
    browser.page.mouse.click(*browser.middle(f"{arrow} path"))
    assert browser.run("location.hash") == "#first-deal"
    assert browser.run('document.querySelector("li:target").checkVisibility()')
    wide = 'Number(document.querySelector(".atlas svg").getAttribute("width"))'
    before = browser.run(wide)
    browser.page.click('.near button[aria-label="Nearer"]')
    assert browser.run(wide) > before
    browser.page.click(".near button:last-child")
    assert browser.run(wide) <= browser.run('document.querySelector(".atlas").clientWidth') + 1


@pytest.mark.parametrize("rule", ["", "#truco.open"])
def test_a_drawing_begins_where_something_is(site: Path, browser: Browser, rule: str) -> None:
    browser.open(site / "atlas/paulista.html", rule)
    seen = f"""[...document.querySelectorAll(".atlas svg " + ({rule!r} ? "a.here text" : "g > rect"))].some((part) => {{
      const [at, frame] = [part, document.querySelector(".atlas")].map((each) => each.getBoundingClientRect());
      return at.left >= frame.left && at.right <= frame.right && at.top >= frame.top && at.bottom <= frame.bottom;
    }})"""
    assert browser.run(seen)


@pytest.mark.sample(0, long=8)
@pytest.mark.parametrize("page", LOOKED_AT)
def test_nothing_sticks_out_of_a_window_of_360_pixels(site: Path, browser: Browser, page: str) -> None:
    browser.open(site / page)
    browser.width(360)
    browser.run(OPENED)
    assert browser.run("document.documentElement.scrollWidth") <= 360


@pytest.mark.sample(0, long=15)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", LOOKED_AT)
def test_axe_finds_no_fault(site: Path, browser: Browser, page: str, scheme: Scheme) -> None:
    browser.page.emulate_media(color_scheme=scheme)
    browser.open(site / page)
    browser.run(OPENED)
    assert browser.faults() == []


def test_axe_would_find_one(site: Path, browser: Browser) -> None:
    browser.open(site / "index.html")
    browser.run('document.querySelector("main").append(document.createElement("button"))')
    (fault,) = browser.faults()
    assert fault.startswith("critical: Buttons must have discernible text")

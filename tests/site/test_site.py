"""The site: links that lead somewhere, pages of bounded size, and nothing made twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

import pytest

from truco_spec.books.site.page_frame import Addresses, SiteInputs, page_of_clause, parts_of_source
from truco_spec.books.site.pages import Page, build, pages
from truco_spec.books.site.traced_pages import cases, clauses
from truco_spec.cli import main
from truco_spec.graph.sources import registry

SOME = (
    "index.html", "clauses/index.html", "cases/index.html", "clauses/fisch.html", "clauses/wikipedia.html",
    "clauses/wikipedia-argentino.html", "cases/argentino-parda.html", "atlas/paulista.html",
    "rules/paulista.pt.html", "search.html", "table.html", "docs/index.html", "docs/tour.html",
    "docs/implementers.html", "docs/disputes/index.html", "docs/logs/sunday.yaml.html",
    "docs/disputes/01-three-ties.html",
    "docs/disputes/22-a-forgotten-card.yaml.html",
    "index.pt.html", "search.es.html",
)  # fmt: skip
LARGEST = 500_000


def some(wanted: Iterable[Page]) -> list[Page]:
    """Pages of every kind, and all results."""
    return [page for page in wanted if page.path in SOME or page.path.startswith("results/")]


@pytest.mark.long
def test_at_an_address_pages_name_it_and_a_map_lists_them(wanted: list[Page]) -> None:
    found = {page.path: page for page in pages(address="https://example.org/a&b/")}
    made = found["clauses/index.pt.html"].make()
    assert isinstance(made, str)
    assert made.count('<link rel="canonical" href="https://example.org/a&amp;b/clauses/index.pt.html">') == 1
    listed = found["sitemap.xml"].make()
    assert isinstance(listed, str)
    assert re.findall(r"<loc>https://example.org/a&amp;b/(.*)</loc>", listed) == [
        path for path in found if path.endswith(".html") and path != "404.html"
    ]
    assert "sitemap.xml" not in {page.path for page in wanted}


@pytest.mark.parametrize("address", ["example.org", "javascript:x", "https://a b", 'https://a"b'])
def test_what_is_no_address_is_rejected(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["site", "-o", str(tmp_path), "--address", address])
    assert ended.value.code == 2
    assert "is no address such as" in capsys.readouterr().err


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, wanted: list[Page]) -> Path:
    folder = tmp_path_factory.mktemp("site") / "public"
    made, listed = build(folder, some(wanted))
    assert made == listed > len(SOME)
    return folder


def links(folder: Path) -> Iterable[tuple[Path, Path, str]]:
    """Page, where a link of it leads, and the place there."""
    for page in folder.rglob("*.html"):
        for link in re.findall(r'<a [^>]*href="([^"]+)"', page.read_text(encoding="utf-8")):
            if "://" in link:
                continue
            path, _, place = link.partition("#")
            yield page, (page.parent / path).resolve() if path else page, place


def carries_log(target: Path, place: str) -> bool:
    """Who is right? and the atlas are given a log where other pages are given a place."""
    return "/" in place and (target.name.startswith("who.") or target.parent.name == "atlas")


def broken(folder: Path, there: set[Path]) -> list[tuple[str, str, str]]:
    anchors: dict[Path, set[str]] = {}
    found = []
    for page, target, place in links(folder):
        if target not in there:
            found.append((page.name, str(target), place))
        elif place and target.is_file() and not carries_log(target, place):
            if target not in anchors:
                anchors[target] = set(re.findall(r' id="([^"]+)"', target.read_text(encoding="utf-8")))
            if unquote(place) not in anchors[target]:
                found.append((page.name, target.name, place))
    return found


@pytest.mark.long
def test_every_link_leads_to_a_page_of_the_site_and_to_a_place_on_it(site: Path, wanted: list[Page]) -> None:
    root = site.resolve()
    assert not broken(root, {root / page.path for page in wanted})


@pytest.mark.long
def test_a_document_about_an_engine_leads_to_each_clause_and_case_that_it_names(site: Path) -> None:
    text = (site / "results" / "pytruco.html").read_text(encoding="utf-8")
    named = re.findall(r"(<a [^>]*>)?<code>([a-z]+:[\w.-]+|[a-z-]+-\d\d)(?:\[\w+\])?</code>", text)
    assert {name for link, name in named if not link} <= {name for _, name in named if name.startswith("decided:")}
    assert len({name for link, name in named if link}) > 20


@pytest.mark.long
def test_every_link_to_a_rule_leads_to_a_rule_that_the_book_tells(site: Path, shelf: SiteInputs) -> None:
    told = {game: {rule.replace(" ", "-") for rule in printed} for game, printed in shelf.told.items()}
    found = {
        (target.name.removesuffix(".en.html"), place.removeprefix("rule-"))
        for _, target, place in links(site.resolve())
        if target.parent.name == "rules" and place.startswith("rule-") and target.name.endswith(".en.html")
    }
    assert len(found) > 250
    assert not [(game, rule) for game, rule in found if rule not in told[game]]


@pytest.mark.long
def test_pages_are_small_ask_for_nothing_and_have_a_language(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert len(text.encode()) < LARGEST, page.name
        assert "default-src &#39;none&#39;" in text
        assert re.search(r'<html lang="\w\w">', text)
        assert text.count("<h1") == 1


@pytest.mark.long
def test_a_clause_says_the_rules_that_cite_it_in_the_readers_language(shelf: SiteInputs) -> None:
    page = clauses(shelf, "pt", "nowadays")
    said = "Quem dá as cartas não pode dar a ninguém mais nem menos de três cartas."
    assert re.search(rf'<a href="[^"]+#rule-misdeal">{said}</a> <code class="soft">misdeal\b[^<]*</code>', page)
    for article in page.split("<article")[1:]:
        cited = re.findall(r"<li>(.*?)</li>", article)
        told = [re.sub(r"<code.*?</code>|<[^>]*>", "", one) for one in cited]
        assert len(told) == len(set(told)), article[:80]


@pytest.mark.long
def test_a_clause_says_what_an_option_asks(shelf: SiteInputs) -> None:
    page = clauses(shelf, "pt", "pagat", "paulista")
    asked = "As manilhas são feitas por uma carta virada ou são sempre as mesmas?"
    assert re.search(rf'<a href="[^"]+#option-manilhas">{re.escape(asked)}</a> <code class="soft">manilhas\b', page)


@pytest.mark.long
def test_a_large_source_has_a_page_for_each_part_and_its_first_page_knows_every_clause(
    site: Path, wanted: list[Page]
) -> None:
    assert not parts_of_source("fisch")
    assert "pica-pica" in parts_of_source("wikipedia")
    to = Addresses("../")
    assert to.clause("wikipedia", "argentino.sin-flor") == "../clauses/wikipedia-argentino.html#argentino.sin-flor"
    assert to.clause("fisch", "fisch.players.four") == "../clauses/fisch.html#fisch.players.four"
    assert to.clause("wikipedia") == "../clauses/wikipedia.html"
    first = (site / "clauses" / "wikipedia.html").read_text(encoding="utf-8")
    there = {page.path for page in wanted}
    for name in registry("wikipedia").ids:
        assert f' id="{name}"' in first
        assert page_of_clause("wikipedia", name) in there


@pytest.mark.long
def test_every_rule_in_a_drawing_leads_to_its_entry_beside_it(site: Path) -> None:
    text = (site / "atlas" / "paulista.html").read_text(encoding="utf-8")
    labels = re.findall(r'<a href="#([^"]+)"><text', text)
    arrows = re.findall(r'<a href="#([^"]+)" class="arrow" tabindex="-1" aria-hidden="true">', text)
    listed = re.findall(r'<li id="([^"]+)" tabindex="-1">', text)
    assert "truco.open" in labels
    assert "truco.open" in arrows
    assert {*labels, *arrows} <= set(listed)


@pytest.mark.long
def test_a_rule_of_the_atlas_has_its_text_its_sources_and_its_cases(site: Path) -> None:
    text = (site / "atlas" / "paulista.html").read_text(encoding="utf-8")
    (entry,) = re.findall(r'<li id="truco.later".*?</li>', text, re.DOTALL)
    assert "The side that accepted may raise later." in entry
    assert '<a href="../clauses/pagat-paulista.html#paulista.raise-may-be-deferred">' in entry
    (decided,) = re.findall(r'<li id="turn-vira".*?</li>', text, re.DOTALL)
    assert '<a href="../rules/paulista.en.html#decision-paulista-deal-end-and-vira">' in decided
    assert re.search(r'<a href="\.\./cases/paulista-[^"]+#pagat-paulista-', entry)
    assert "{" not in re.sub(r"<[^>]*>", "", entry)


@pytest.mark.long
def test_phases_are_drawn_in_plain_words(site: Path) -> None:
    text = (site / "atlas" / "paulista.html").read_text(encoding="utf-8")
    assert ">The dealer shuffles.<" in text
    assert not re.findall(r"<text[^>]*>[^<]*[{}][^<]*</text>", text)


@pytest.mark.long
def test_cases_can_be_replayed(site: Path) -> None:
    text = (site / "cases" / "argentino-parda.html").read_text(encoding="utf-8")
    assert text.count("data-moments=") > 5
    assert 'id="card-3E"' in text


@pytest.mark.long
def test_the_verb_wants_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(["site", "-o", str(tmp_path)])
    assert end.value.code == 2
    assert "something else" in capsys.readouterr().err


@pytest.mark.parametrize(
    "one_of", [pytest.param(16, marks=pytest.mark.long), pytest.param(1, marks=pytest.mark.campaign)]
)
def test_the_whole_site_holds_together(tmp_path: Path, wanted: list[Page], one_of: int) -> None:
    made = wanted[::one_of]
    assert build(tmp_path / "site", made) == (len(made), len(made))
    root = (tmp_path / "site").resolve()
    assert not broken(root, {root / page.path for page in wanted})
    assert not [page.name for page in root.rglob("*.html") if page.stat().st_size > LARGEST]


@pytest.mark.long
def test_the_steps_of_a_case_have_the_signs_of_its_cards_and_whole_teams(shelf: SiteInputs) -> None:
    page = cases(shelf, "cases/paulista-truco.html", "pt")
    assert "<li>Ana dá as cartas: vira 5♥</li>" in page
    assert re.search(r"<li>Bia truco, Caio aceito, Bia 2♣,[^<]* <span class=\"then\">vaza: Ana/Caio;", page)
    assert "O oros, C copas" in cases(shelf, "cases/argentino-parda.html", "es")

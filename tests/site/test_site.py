"""The site: links that lead somewhere, pages of bounded size, and nothing made twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from truco_spec.cli import main
from truco_spec.graph.sources import registry
from truco_spec.site.addresses import Addresses, page_of_clause, parts_of_source
from truco_spec.site.build import MANIFEST, Page, Shelf, SiteError, build, pages

SOME = (
    "index.html", "clauses/index.html", "cases/index.html", "clauses/fisch.html", "clauses/wikipedia.html",
    "clauses/wikipedia-argentino.html", "cases/argentino-parda.html", "atlas/paulista.html",
    "rules/paulista.pt.html", "search.html", "table.html", "docs/index.html", "docs/tour.html",
    "docs/implementers.html", "docs/disputes/index.html", "docs/logs/sunday.yaml.html", "results/index.html",
    "results/pytruco.html",
)  # fmt: skip
LARGEST = 500_000


def some(wanted: Iterable[Page]) -> list[Page]:
    return [page for page in wanted if page.path in SOME]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "public"
    assert build(folder, some(pages())) == (len(SOME), len(SOME))
    return folder


def links(folder: Path) -> Iterable[tuple[Path, Path, str]]:
    """Page, where a link of it leads, and the place there."""
    for page in folder.rglob("*.html"):
        for link in re.findall(r'<a [^>]*href="([^"]+)"', page.read_text(encoding="utf-8")):
            if "://" in link:
                continue
            path, _, place = link.partition("#")
            yield page, (page.parent / path).resolve() if path else page, place


def broken(folder: Path, there: set[Path]) -> list[tuple[str, str, str]]:
    anchors: dict[Path, set[str]] = {}
    found = []
    for page, target, place in links(folder):
        if target not in there:
            found.append((page.name, str(target), place))
        elif place and target.is_file():
            if target not in anchors:
                anchors[target] = set(re.findall(r' id="([^"]+)"', target.read_text(encoding="utf-8")))
            if place not in anchors[target]:
                found.append((page.name, target.name, place))
    return found


def test_every_link_leads_to_a_page_of_the_site_and_to_a_place_on_it(site: Path) -> None:
    root = site.resolve()
    assert not broken(root, {root / page.path for page in pages()})


def test_every_link_to_a_rule_leads_to_a_rule_that_the_book_tells(site: Path) -> None:
    told = {game: holds | agreed for game, (holds, agreed) in Shelf().told.items()}
    found = {
        (target.name.removesuffix(".en.html"), place.removeprefix("rule-"))
        for _, target, place in links(site.resolve())
        if target.parent.name == "rules" and place.startswith("rule-") and target.name.endswith(".en.html")
    }
    assert len(found) > 300
    assert not [(game, rule) for game, rule in found if rule not in told[game]]


def test_pages_are_small_ask_for_nothing_and_have_a_language(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert len(text.encode()) < LARGEST, page.name
        assert "default-src &#39;none&#39;" in text
        assert re.search(r'<html lang="\w\w">', text)
        assert text.count("<h1") == 1


def test_a_large_source_has_a_page_for_each_part_and_its_first_page_knows_every_clause(site: Path) -> None:
    assert not parts_of_source("fisch")
    assert "pica-pica" in parts_of_source("wikipedia")
    to = Addresses("../")
    assert to.clause("wikipedia", "argentino.sin-flor") == "../clauses/wikipedia-argentino.html#argentino.sin-flor"
    assert to.clause("fisch", "fisch.players.four") == "../clauses/fisch.html#fisch.players.four"
    assert to.clause("wikipedia") == "../clauses/wikipedia.html"
    first = (site / "clauses" / "wikipedia.html").read_text(encoding="utf-8")
    there = {page.path for page in pages()}
    for name in registry("wikipedia").ids:
        assert f' id="{name}"' in first
        assert page_of_clause("wikipedia", name) in there


def test_every_rule_in_a_drawing_leads_to_its_entry_below_it(site: Path) -> None:
    text = (site / "atlas" / "paulista.html").read_text(encoding="utf-8")
    drawn = re.findall(r'<a href="#([^"]+)"><text', text)
    listed = re.findall(r'<li id="([^"]+)"><a href="\.\./rules/paulista\.en\.html#rule-', text)
    assert "truco.open" in drawn
    assert set(drawn) <= set(listed)


def test_cases_can_be_replayed(site: Path) -> None:
    text = (site / "cases" / "argentino-parda.html").read_text(encoding="utf-8")
    assert text.count("data-moments=") > 5
    assert 'id="card-3E"' in text


def test_what_this_installation_made_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truco_spec.site.build._mark", lambda: "now")
    wanted = [Page("a.html", lambda: "a"), Page("b.html", lambda: "b")]
    assert build(tmp_path, wanted) == (2, 2)
    (tmp_path / "a.html").unlink()
    assert build(tmp_path, wanted) == (1, 2)
    assert build(tmp_path, wanted) == (0, 2)
    monkeypatch.setattr("truco_spec.site.build._mark", lambda: "later")
    assert build(tmp_path, wanted) == (2, 2)


def test_pages_that_are_no_more_are_taken_away(tmp_path: Path) -> None:
    old = Page("old/page.html", lambda: "old")
    build(tmp_path / "site", [old])
    build(tmp_path / "site", [Page("new.html", lambda: "new")])
    assert not (tmp_path / "site" / "old" / "page.html").exists()
    assert (tmp_path / "site" / "new.html").read_text(encoding="utf-8") == "new"


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SiteError, match="something else"):
        build(tmp_path, [Page("new.html", lambda: "new")])
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_list_that_names_files_outside_takes_nothing_away_there(tmp_path: Path) -> None:
    outside = tmp_path / "outside.html"
    outside.write_text("mine", encoding="utf-8")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / MANIFEST).write_text('{"../outside.html": "x"}', encoding="utf-8")
    build(folder, [Page("new.html", lambda: "new")])
    assert outside.exists()


def test_the_verb_wants_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(["site", "-o", str(tmp_path)])
    assert end.value.code == 2
    assert "something else" in capsys.readouterr().err


@pytest.mark.long
def test_the_whole_site_holds_together(tmp_path: Path) -> None:
    wanted = pages()
    assert build(tmp_path / "site", wanted) == (len(wanted), len(wanted))
    root = (tmp_path / "site").resolve()
    assert not broken(root, {root / page.path for page in wanted})
    assert not [page.name for page in root.rglob("*.html") if page.stat().st_size > LARGEST]

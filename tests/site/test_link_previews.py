"""The pictures that are shown for a link: what each page names, and what is drawn."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from truco_spec.books.site import link_previews
from truco_spec.books.site.page_frame import SiteInputs
from truco_spec.books.site.pages import Page, pages
from truco_spec.cli import main

ADDRESS = "https://example.org/a&b/"
LARGEST = 60_000
NAMED = re.compile(r'<meta property="og:image" content="https://example\.org/a&amp;b/pictures/(.*)\.png">')
HEAD = '<head><link rel="alternate" hreflang="pt" href="index.pt.html"></head>'
OWN = {
    "index.pt.html": "index.pt",
    "who.es.html": "who.es",
    "rules/paulista.en.html": "rules/paulista.en",
    "atlas/fisch.html": "rules/fisch.en",
    "docs/disputes/01-three-ties.html": "docs/disputes/01-three-ties.en",
    "docs/disputes/01-three-ties.yaml.pt.html": "docs/disputes/01-three-ties.pt",
    "cases/fisch-deal.es.html": "index.es",
    "docs/site.html": "index.en",
}


class FewPages:
    """In the place of all pages."""

    def __init__(self, *_: object) -> None:
        self.named = [f"pictures/{name}.png" for name in {*OWN.values(), "index.es", "index.en"}]

    def all(self) -> list[Page]:
        return [Page(path, lambda: HEAD) for path in OWN]

    def previews(self) -> list[Page]:
        return [Page(path, lambda: b"") for path in self.named]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truco_spec.books.site.pages._Pages", FewPages)


@pytest.mark.usefixtures("few")
def test_each_page_names_the_picture_of_what_it_is_about_or_the_general_one_by_its_whole_address() -> None:
    made = {page.path: str(page.make()) for page in pages(address=ADDRESS)}
    assert {path: NAMED.findall(made[path]) for path in OWN} == {path: [name] for path, name in OWN.items()}
    assert {f"pictures/{name}.png" for name in OWN.values()} < set(made)
    assert all(made[path].count('content="summary_large_image"') == 1 for path in OWN)
    assert 'hreflang="pt" href="https://example.org/a&amp;b/index.pt.html"' in made["index.pt.html"]
    assert 'hreflang="pt" href="https://example.org/a&amp;b/rules/index.pt.html"' in made["rules/paulista.en.html"]


@pytest.mark.usefixtures("few")
def test_without_an_address_there_are_no_pictures() -> None:
    assert {page.path: page.make() for page in pages()} == dict.fromkeys(OWN, HEAD)


@pytest.mark.usefixtures("few")
def test_without_the_extra_pages_name_none_and_the_verb_says_what_brings_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(link_previews, "made_by", lambda: "")
    with pytest.raises(SystemExit, match="0"):
        main(["site", "-o", str(tmp_path), "--address", ADDRESS])
    assert "truco-spec[pictures]" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.png"))
    assert 'property="og:image"' not in (tmp_path / "docs" / "site.html").read_text(encoding="utf-8")


@pytest.mark.long
def test_games_and_arguments_have_pictures_in_three_languages(shelf: SiteInputs) -> None:
    there = [page.path for page in pages(address=ADDRESS)]
    subjects = {path.partition(".")[0] for path in there if path.startswith(("rules/", "docs/disputes/0"))}
    drawn = {path for path in there if path.startswith("pictures/")}
    assert {f"rules/{name}" for name in shelf.graphs} < subjects
    assert {f"pictures/{subject}.{code}.png" for subject in subjects for code in ("en", "pt", "es")} <= drawn


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "draw",
    [
        lambda shelf: partial(link_previews.general, shelf, "es"),
        lambda shelf: partial(link_previews.who, shelf, "pt"),
        lambda shelf: partial(link_previews.game, shelf, "uruguayo", "pt"),
        lambda shelf: partial(link_previews.argument, "docs/disputes/01-three-ties", "en"),
        lambda shelf: partial(link_previews.argument, "docs/disputes/14-truco-out-of-turn", "es"),
        lambda shelf: partial(link_previews.argument, "docs/disputes/22-a-forgotten-card", "pt"),
    ],
    ids=["site", "who", "game", "argument", "refused", "unknown"],
)
def test_a_picture_has_the_size_that_networks_want_and_is_always_the_same(
    draw: Callable[[SiteInputs], Callable[[], bytes]], shelf: SiteInputs
) -> None:
    made = draw(shelf)()
    with Image.open(io.BytesIO(made)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
        assert len(picture.convert("RGB").getcolors() or ()) > 20  # letters and cards are on it
    assert len(made) < LARGEST
    assert draw(shelf)() == made


def test_what_is_drawn_of_an_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_previews, "_png", str.encode)
    svg = link_previews.argument("docs/disputes/01-three-ties", "pt").decode()
    told = " ".join(re.findall(r">([^<]+)</text>", svg.partition("</defs>")[2]))
    assert (
        "Três empates: alguém ganhou a mão? ninguém ganha a mão: certo em Paulista, Mineiro, como se joga hoje em dia"
        in told
    )
    played = re.findall(r'href="#card-(\w+)"', svg.partition("</defs>")[2])
    assert played == ["6H", "3C", "3D", "4D", "4S", "2C", "2D", "4H", "5S", "KC", "KD", "6D", "6S"]
    assert svg.count('rx="12"') == 6  # two equal cards in each of three tricks


@pytest.mark.usefixtures("few")
def test_the_page_for_what_is_not_there_leads_home_in_each_language_by_whole_addresses() -> None:
    made = {page.path: str(page.make()) for page in pages(address=ADDRESS)}["404.html"]
    for code, home in (("en", "index.html"), ("pt", "index.pt.html"), ("es", "index.es.html")):
        assert re.search(rf'<p lang="{code}">[^<]+<a href="https://example.org/a&amp;b/{home}">', made)
    assert not re.search(r'href="(?!https:|#|data:)', made)

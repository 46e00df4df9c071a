"""Documents as pages of the site: their links, their pictures, and no HTML of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from truco_spec.base import shipped
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.books.site import documents
from truco_spec.books.site.page_frame import Addresses, words


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for ``docs`` while a test runs."""
    (tmp_path / "results").mkdir()
    kept = shipped.folder
    monkeypatch.setattr(shipped, "folder", lambda name: tmp_path if name == "docs" else kept(name))
    for remembered in (documents.files, documents.folders):
        remembered.cache_clear()
        monkeypatch.setattr(documents, remembered.__name__, remembered.__wrapped__)
    return tmp_path


def body(name: str) -> str:
    return re.split(r'<div class="document">|</main>', documents.document(name))[1]


def test_every_document_has_a_page_of_its_own() -> None:
    names = [*documents.files(), *documents.folders()]
    pages = [documents.page_of(name) for name in names]
    assert len(set(pages)) == len(pages)
    assert documents.page_of("README.md") == "docs/index.html"
    assert documents.page_of("results/pytruco.md") == "results/pytruco.html"
    assert documents.page_of("results") == "results/index.html"
    assert documents.page_of("logs/sunday.yaml") == "docs/logs/sunday.yaml.html"


def test_links_lead_to_pages_and_what_is_no_page_is_plain_text(written: Path) -> None:
    (written / "a.md").write_text(
        "# A\n[b](results/b.md#one-two) [here](#a) [web](https://example.org/x) [code](../truco_spec/x.py) "
        "[all](results) [bad](javascript:alert(1))\n",
        encoding="utf-8",
    )
    (written / "results" / "b.md").write_text("# B\n\n[a](../a.md)\n\n## One, two\n\n## One, two\n", encoding="utf-8")
    assert re.findall(r'href="([^"]+)"', body("a.md")) == [
        "../results/b.html#one-two",
        "#a",
        "https://example.org/x",
        "../results/index.html",
    ]
    assert "<span>code</span>" in body("a.md")
    assert re.findall(r'href="([^"]+)"', body("results/b.md")) == ["../docs/a.html"]
    assert re.findall(r'<h2 id="([^"]+)"', body("results/b.md")) == ["one-two", "one-two-1"]


def test_html_in_a_document_stays_text(written: Path) -> None:
    text = '# A\n\n<script>alert(1)</script>\n\nx <img src=x onerror=y>\n\n```sh\n<b>\n```\n\n[t](a.md "<i>")\n'
    (written / "a.md").write_text(text, encoding="utf-8")
    made = body("a.md")
    assert not re.search(r"<(script|img|b|i)\b", made)
    assert "&lt;script&gt;" in made


def test_pictures_are_in_the_page_and_none_comes_from_elsewhere(written: Path) -> None:
    (written / "p.svg").write_text("<svg/>", encoding="utf-8")
    (written / "a.md").write_text("# A\n\n![P](p.svg) ![Q](https://example.org/q.png) ![R](../../r.svg)\n", "utf-8")
    made = documents.document("a.md")
    assert re.findall(r'<img src="([^"]*)"', made) == ["data:image/svg+xml;base64,PHN2Zy8+", "", ""]
    assert "img-src data:" in made


def test_the_search_knows_every_heading() -> None:
    found = {(name, address) for name, _, address in documents.searched()}
    assert ("Books of rules", "docs/rulebook.html#books-of-rules") in found
    assert any(address.startswith("results/pytruco.html#") for _, address in found)


ARGUED = [name for name in documents.files() if name.startswith(documents.ARGUMENTS) and name.endswith(".yaml")]
ELSEWHERE = re.compile(r"\| *(?:position|start) |\?\?")
"""What “Who is right?” does not open."""


@pytest.mark.sample(0, long=8)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("argued", ARGUED)
def test_an_argument_is_on_the_board_with_a_reason_for_each_move(argued: str, language: str) -> None:
    page = documents.document(documents.in_language(argued.replace(".yaml", ".md"), language))
    log = documents.put_to(argued, language)
    assert log is not None
    moves = sum(len(hand.moves) for hand in log.hands)
    track = page.split('<section class="track"')[1]
    assert track.count('class="moment"') == moves + len(log.hands)
    reasons = re.findall(r'<div class="why" tabindex="0">(.*?)</div>', track, re.DOTALL)
    assert len(reasons) == moves
    ours = words(language)("our reading")
    assert all("../../clauses/" in reason or ours in reason for reason in reasons)
    plain = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"@[\w-]+:\w", plain)
    assert not re.search(r"Legal if|\b(?:is us\b|cards\(me\))", plain)
    assert Addresses("../../", language).who() + "#" in page
    anchors = set(re.findall(r' id="([^"]+)"', page))
    assert set(re.findall(r'<h2[^>]*><a href="#([^"]+)"', page)) <= anchors


@pytest.mark.parametrize("name", [name for name in documents.files() if name not in ARGUED and documents.log_in(name)])
def test_a_log_that_nobody_argues_about_is_on_the_board(name: str) -> None:
    track = documents.log(name).split('<section class="track"')[1]
    assert track.count('class="moment"') > 1


def test_games_and_options_of_an_answer_lead_to_the_log_under_them() -> None:
    page = documents.document("disputes/01-three-ties.pt.md")
    links = {text: address for address, text in re.findall(r'<a href="([^"]+)">(?:<code>)?([^<]+)<', page)}
    assert links["Truco Mineiro"].startswith("../../who.pt.html#mineiro/ana+bia+caio+davi/")
    assert "3B" in links["Truco Argentino"]  # as it is played with the Spanish pack
    assert links["tied-hand nobody"].startswith("../../who.pt.html#argentino+tied-hand=nobody/")
    assert "Não se pode jogar em Truco segundo Victor Fisch" in page
    assert "<code>equal-cards first</code>" in page
    uncited = re.sub(r'<a href="[^"]*clauses/[^"]*">[^<]*</a>', " ", page)  # sources have such names, too
    assert not re.search(r"(?<![\w:@.#-])(paulista-wp|nowadays|gamelog)(?![\w.-])", re.sub(r"<[^>]*>", " ", uncited))


def test_every_argument_begins_with_its_question_and_is_prepared() -> None:
    assert len(documents.arguments(Addresses())) == len(list((shipped.folder("docs") / "disputes").glob("*.yaml")))


def test_every_log_in_a_document_leads_to_who_is_right() -> None:
    for name in documents.files():
        if name.endswith(".md") and documents.language_of(name) == ENGLISH and not documents.question_of(name):
            tokens = documents._parsed(name)
            documents._lead(tokens, name)
            for token in tokens:
                lines = {found[0] for found in re.finditer(r'"\w+ \| ana bia [^"]* \| [^"]*"', token.content)}
                if token.type == "fence" and (put := [line for line in lines if not ELSEWHERE.search(line)]):
                    assert len(token.meta["logs"]) >= len(put), (name, token.content)

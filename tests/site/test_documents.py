"""Documents as pages of the site: their links, their pictures, and no HTML of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from truco_spec.base import shipped
from truco_spec.base.shipped import ENGLISH
from truco_spec.books.site import documents
from truco_spec.books.site.page_frame import words


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for ``docs`` while a test runs."""
    (tmp_path / "results").mkdir()
    words(ENGLISH)  # what stands around a page is read from the folders of the package
    monkeypatch.setattr(shipped, "folder", lambda name: tmp_path)
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

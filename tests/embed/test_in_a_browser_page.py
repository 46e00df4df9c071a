"""The page of docs/embed.md in a real browser, served from a folder: it deals, and shows what is permitted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, in_a_browser, served
from fenced import ROOT, blocks

from truco_spec.books.bundle import files_of
from truco_spec.graph.load import load

pytestmark = in_a_browser

(PAGE,) = (b.text for b in blocks((ROOT / "docs" / "embed.md").read_text(encoding="utf-8")) if b.language == "html")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where the page is served, with what is built for it."""
    (tmp_path / "rules").mkdir()
    for name, content in files_of(load("paulista")):
        (tmp_path / "rules" / name).write_bytes(content)
    (tmp_path / "page.html").write_text(f"<!doctype html><body>{PAGE}</body>", encoding="utf-8")
    with served(tmp_path) as address:
        yield f"{address}page.html"


def test_the_page_deals_and_shows_what_is_permitted(browser: Browser, address: str) -> None:
    browser.page.goto(address)
    browser.wait("document.body.textContent.includes('shuffle')")
    assert "P" in browser.run("document.body.textContent")

"""What the page about the site says of it."""

from __future__ import annotations

import re

import pytest
from fenced import ROOT, blocks, translated

from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.books.site.page_frame import MOST_CLAUSES
from truco_spec.books.site.pages import SITE_MANIFEST, pages

PAGES = translated("site.md")
PAGE = PAGES["site.md"]


@pytest.mark.long
def test_the_command_is_the_one_that_there_is() -> None:
    whole, with_playground = blocks(PAGE)
    assert whole.text == "truco-spec site -o public\n"  # made whole in tests/site
    assert with_playground.text.endswith(
        "truco-spec site -o public --pyodide node_modules/pyodide\n"
    )  # test_playground
    assert "index.html" in {page.path for page in pages()}


def test_the_names_and_numbers_are_those_of_the_code() -> None:
    assert all(f"`{SITE_MANIFEST}`" in page for page in PAGES.values())
    assert f"more than {MOST_CLAUSES} clauses" in PAGE
    for language in LANGUAGES:
        assert language == ENGLISH or (ROOT / "spec" / "locales" / language / "site.po").is_file()
    for path in re.findall(r"`(spec/[\w/.-]+)`", "".join(PAGES.values())):
        assert (ROOT / path).is_file(), path

"""The walk through ``federation.md``, done as it says in an empty folder, in each language."""

from __future__ import annotations

from pathlib import Path

import pytest
from fenced import blocks, follow, printed_here, translated

from truco_spec.language.format import format_text

SAID = {
    "federation.md": {"north.html": "Seats", "north-pt.html": "Vazas empatadas"},
    "federation.es.md": {"sur.html": "Bazas pardas", "sur-en.html": "Tied tricks"},
    "federation.pt.md": {"norte.html": "Vazas empatadas", "norte-en.html": "Tied tricks"},
}
"""The pages, and what the books say that are made there."""
PAGES = translated("federation.md")


@pytest.mark.parametrize("name", PAGES)
def test_its_rules_are_in_the_one_true_form(name: str) -> None:
    (rules,) = (block for block in blocks(PAGES[name]) if block.language == "truco")
    assert format_text(rules.text, "house.truco") == rules.text


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize("name", PAGES)
def test_everything_on_it_is_done_in_order(name: str, tmp_path: Path) -> None:
    folder = follow(PAGES[name], tmp_path, printed_here)
    for book, said in SAID[name].items():
        assert said in (folder / book).read_text(encoding="utf-8")

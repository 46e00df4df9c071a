"""The walk through ``federation.md``, done as it says in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from fenced import ROOT, blocks, follow, printed_here

from truco_spec.language.format import format_text

PAGE = (ROOT / "docs" / "federation.md").read_text(encoding="utf-8")


def test_its_rules_are_in_the_one_true_form() -> None:
    (rules,) = (block for block in blocks(PAGE) if block.language == "truco")
    assert format_text(rules.text, "north.truco") == rules.text


@pytest.mark.long
def test_everything_on_it_is_done_in_order(tmp_path: Path) -> None:
    folder = follow(PAGE, tmp_path, printed_here)
    assert "Seats" in (folder / "north.html").read_text(encoding="utf-8")
    assert "Vazas empatadas" in (folder / "north-pt.html").read_text(encoding="utf-8")

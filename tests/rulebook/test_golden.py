"""Some whole books as they are told, word for word, so that a change in a spec or a template is read by a person."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from truco_spec.base.project import Project
from truco_spec.books.book_words import words_in
from truco_spec.books.render import markdown_of
from truco_spec.books.whole import whole_of
from truco_spec.graph.load import load

GOLDEN = Path(__file__).parent / "golden"
"""Books in Markdown. ``TOLD=anew pytest tests/rulebook/test_golden.py`` writes them; a person reads the diff."""

CLUB = Path(__file__).parents[2] / "docs" / "examples" / "club"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "language"), [("paulista", "en"), ("paulista", "pt"), ("argentino", "en"), ("argentino", "es")]
)
def test_a_book_is_told_so(name: str, language: str) -> None:
    words = words_in(language)
    told = markdown_of(whole_of(load(name), words), words)
    _is_kept(told, GOLDEN / f"{name}.{language}.md")


@pytest.mark.long
@pytest.mark.parametrize("language", ["es", "pt", "en"])
def test_a_book_in_the_order_of_its_articles_is_told_so(language: str) -> None:
    Project.open(CLUB)
    words = words_in(language)
    told = markdown_of(whole_of(load("club"), words, articles=True), words)
    assert not words.missing
    _is_kept(told, GOLDEN / f"club.{language}.md")


def _is_kept(told: str, path: Path) -> None:
    if os.environ.get("TOLD") == "anew":
        path.parent.mkdir(exist_ok=True)
        path.write_text(told, encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == told.splitlines()

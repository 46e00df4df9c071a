"""The excerpts on the page of the sources are of the shape that the program reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from fenced import ROOT, blocks

from truco_spec.conformance.links import read_corpus
from truco_spec.graph.plan import glossary
from truco_spec.graph.sources import registry

PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")


def shown(about: str) -> str:
    (block,) = (block for block in blocks(PAGE) if block.about == about)
    return block.text


def test_an_excuse_is_read_as_shown(tmp_path: Path) -> None:
    (tmp_path / "pagat").mkdir()
    (tmp_path / "pagat" / "not-testable.yaml").write_text(shown("not-testable.yaml"), encoding="utf-8")
    ((one,),) = read_corpus(tmp_path).excused.values()
    assert one.excuse.without == "case"
    assert registry("pagat").known(one.excuse.id)


@pytest.fixture
def terms(tmp_path: Path) -> Path:
    head = (ROOT / "spec" / "glossary" / "senas.yaml").read_text(encoding="utf-8").partition("terms:")[0]
    (tmp_path / "own.yaml").write_text(head + shown("spec/glossary"), encoding="utf-8")
    return tmp_path


def test_a_term_is_read_as_shown(terms: Path) -> None:
    (entry,) = glossary(terms).entries
    assert (entry.term.term, entry.term.kind) == ("dos", "gesture")
    assert all(registry(entry.source).known(clause) for clause in entry.term.clauses)


def test_there_is_nothing_else() -> None:
    assert len(blocks(PAGE)) == 2

"""The famous arguments are answered as the clauses say, and their pages are true.

``TOLD=anew pytest tests/disputes/test_famous.py -m "long or not long"`` writes the pages again.
"""

from __future__ import annotations

import os
import re

import pytest
from famous import famous

from truco_spec.base.document import markdown_of
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.base.words import speaking
from truco_spec.books.book_words import spoken_in
from truco_spec.compare.disputes.answer import document_of
from truco_spec.graph.sources import registry

ALL = famous()


@pytest.mark.sample(0, long=3)
@pytest.mark.parametrize("one", [pytest.param(one, id=one.path.stem) for one in ALL])
def test_the_answer_is_what_the_clauses_say(one):
    answer = one.answer()
    verdicts = {name.partition(" ")[0]: row.verdict for row in answer.claim.rows for name in row.names}
    assert {name: verdicts.get(name) for name in one.by_hand} == one.by_hand
    assert all(row.size for row in answer.claim.rows if row.verdict != "depends"), "not every single option was tried"
    assert_told(one.told, answer)


@pytest.mark.sample(0, long=3)
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
@pytest.mark.parametrize("one", [pytest.param(one, id=one.path.stem) for one in ALL])
def test_the_answer_is_told_in_other_languages(one, language):
    with speaking(spoken_in(language)):
        assert_told(one.told_in(language), one.answer())


def assert_told(path, answer):
    page = markdown_of(document_of(answer))
    if os.environ.get("TOLD") == "anew":
        path.write_text(page, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page


def test_there_are_twenty_at_least_and_no_page_is_left_over():
    assert len(ALL) >= 20
    told = {one.told_in(language) for one in ALL for language in LANGUAGES}
    assert told == set(ALL[0].path.parent.glob("*.md"))


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.path.stem)
def test_the_clauses_that_a_header_names_exist(one):
    lines = one.path.read_text(encoding="utf-8").splitlines()
    header = " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))
    named = re.findall(r"(pagat|wikipedia) ([a-z-]+\.[\w.-]*\w)", header)
    assert named or "decision" in header
    assert [pair for pair in named if not registry(pair[0]).known(pair[1])] == []

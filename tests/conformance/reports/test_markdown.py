"""Markdown: whatever an implementation says stands in code, where nothing is markup."""

from __future__ import annotations

import re

import pytest
from readers import without_code
from reported import HARMLESS, HOSTILE, run

from truco_spec.base.document import code, code_block
from truco_spec.conformance.reports.formats import markdown as text_of
from truco_spec.conformance.reports.run_document import MOST_SHOWN


@pytest.mark.parametrize("text", ["`", "``", "a`b", "`` ` ``", "\\", " ", "", "x\n\ny", "|", "<b>"])
def test_code_ends_where_it_should(text: str) -> None:
    assert without_code(code(text)) == ""
    assert without_code(code_block(text)) == ""


def test_hostile_text_is_text() -> None:
    told = text_of(run(HOSTILE))
    assert "<script>alert(1)</script>" in told
    assert without_code(told) == without_code(text_of(run(HARMLESS)))
    assert not re.search(r"[<@\[]", without_code(told))


def test_a_summary_does_not_grow_without_end() -> None:
    from dataclasses import replace

    base = run()
    wrong = replace(base, played=base.played[1:2] * (MOST_SHOWN + 5))
    told = text_of(wrong)
    assert told.count("### **FAIL**") == MOST_SHOWN
    assert "\n5 more went wrong" in told

"""Markdown: whatever an implementation says stands in code, where nothing is markup."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from readers import without_code
from reported import HARMLESS, HOSTILE, run

from truco_spec.base.document import code, code_block
from truco_spec.conformance.reports.formats import html
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


def test_what_breaks_off_in_the_same_way_is_told_once() -> None:
    base = run()
    crash = next(played for played in base.played if played.case.verdict == "crash")
    crashes = [replace(crash, case=replace(crash.case, name=f"own-crash-{at}")) for at in range(1, 4)]
    many = replace(base, played=(*crashes, base.played[1]))
    told = text_of(many)
    assert (told.count("**CRASH**"), told.count("**FAIL**")) == (1, 1)
    assert "also: 2 cases: `own-crash-2`, `own-crash-3`" in told
    assert re.search("also <a[^>]*><code>own-crash-2</code></a>, <a[^>]*><code>own-crash-3<", html(many))


def test_an_unsteady_implementation_is_told_so_before_any_cause() -> None:
    base = run()
    unsteady = replace(base.played[1], case=replace(base.played[1].case, verdict="unsteady"))
    found = replace(base, played=(*base.played, unsteady))
    for told in (text_of(found), html(found)):
        assert -1 < told.find("Mend this first") < told.find("What would make the answers right")


def test_a_summary_does_not_grow_without_end() -> None:
    base = run()
    wrong = replace(base, played=base.played[1:2] * (MOST_SHOWN + 5))
    told = text_of(wrong)
    assert told.count("### **FAIL**") == MOST_SHOWN
    assert "\n5 more went wrong" in told

"""What a citation may be: @source:clause."""

from __future__ import annotations

import pytest

from truco_spec.language.diagnostics import SpecError
from truco_spec.language.read import read

RULE = 'variant house {{\n  title "T"\n  rule equal {cite}\n    "Compare."\n    in play do resume\n}}\n'


@pytest.mark.parametrize("cite", ["@house:a.b", "@rg40:7", "@rg-2026:art.7", "@a1-b2-c3:Art-12.b", "@house:x"])
def test_a_source_has_letters_figures_and_hyphens_and_a_clause_may_be_a_number(cite: str) -> None:
    (rule,) = read(RULE.format(cite=cite)).variants[0].items
    assert [str(found) for found in rule.cites] == [cite]


@pytest.mark.parametrize("where", ["current is 1", "truco.level > 0", "flor-bid is rest", "onze is yes"])
def test_a_citation_may_say_where_its_clause_bears(where: str) -> None:
    (rule,) = read(RULE.format(cite=f"@house:a.b[{where}] @house:c")).variants[0].items
    assert [(str(cite), cite.where) for cite in rule.cites] == [
        ("@house:a.b", tuple(where.split())),
        ("@house:c", None),
    ]
    assert rule.cites[0].written == f"@house:a.b[{where}]"


@pytest.mark.parametrize("where", ["", "current", "current  is 1", "current = 1", "current is not 1", "a is 1 or 2"])
def test_a_place_that_is_none_is_answered_with_what_it_may_be(where: str) -> None:
    with pytest.raises(SpecError) as caught:
        read(RULE.format(cite=f"@house:a.b[{where}]"))
    assert "[current is 1]" in str(caught.value)


@pytest.mark.parametrize("cite", ["@House:a", "@4rg:1", "@rg--40:1", "@rg-:1", "@rg", "@rg_40:1"])
def test_what_is_no_citation_is_answered_with_what_a_name_may_be(cite: str) -> None:
    with pytest.raises(SpecError) as caught:
        read(RULE.format(cite=cite))
    assert "The name of a source has small letters, figures and single hyphens" in str(caught.value)

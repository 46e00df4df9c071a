"""Every citation leads back to a clause; what leads nowhere is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from wall import WALL, Table, clause

from truco_spec.language.diagnostics import SpecError


def test_a_case_that_cites_an_unknown_clause_is_an_error(table: Table) -> None:
    table.cases[0]["clauses"] = ["a.must", "a.parts"]
    assert table.findings() == [
        "Case wall-a-1 cites a.parts, which the source wall does not have. Did you mean a.part?"
    ]


def test_a_clause_of_another_source_is_told_where_it_is(table: Table) -> None:
    table.cases[0]["clauses"] = ["a.part", "mineiro.deal-rotates-right"]
    assert table.findings()[0].endswith("It is in pagat.")


def test_a_statement_that_cites_an_unknown_clause_is_an_error_with_its_place(table: Table) -> None:
    table.bar = "also first @wall:a.mist"
    (finding,) = table.trace().findings
    assert (
        finding.message
        == "The also first of bar cites a.mist, which the source wall does not have. Did you mean a.must?"
    )
    assert (Path(finding.path).name, finding.line) == ("bar.truco", 2)


def test_unknown_sources_and_decisions_are_errors(table: Table) -> None:
    table.bar = "also first @wal:a.must"
    table.cases[0] |= {"clauses": ["a.part", "wal:a.b"], "decisions": ["open-red"]}
    table.cases[1]["decisions"] = ["open"]
    assert [finding.message.partition(" cites ")[2] or finding.message for finding in table.broken()] == [
        "the unknown source wal. Did you mean wall?",
        "the unknown source wal. Did you mean wall?",
        "Case wall-a-1 rests on the decision open-red, which the spec does not have. Did you mean open-read?",
        "Case wall-a-2 rests on the decision open, which the spec does not have. Did you mean open-read?",
    ]


def test_a_case_id_used_twice_is_an_error(table: Table) -> None:
    table.cases.append(dict(table.cases[0]))
    (finding,) = table.broken()
    assert "The case id wall-a-1 is used already" in finding.message


def test_a_rule_that_cites_a_clause_about_other_variants_is_a_warning(table: Table) -> None:
    table.extra = 'variant club { title "C" order suit : a < b @wall:a.must }'
    assert table.findings("warning") == [
        "The order suit of club is about club, but cites a.must, which speaks of bar.",
    ]
    assert table.trace().whole


def test_a_case_in_variants_that_its_clause_does_not_speak_of_is_a_warning(table: Table) -> None:
    table.extra = 'variant club { title "C" order suit : a < b @wall:a.term }'
    table.registry["clauses"] = [*WALL["clauses"][:2], clause("a.term", "no", "club")]
    table.cases[0]["applies"] = {"variants": ["club"]}
    assert [message for message in table.findings("warning") if message.startswith("Case wall-a-1 is about club")]


def test_a_variant_that_extends_the_one_meant_is_no_other_variant(table: Table) -> None:
    table.extra = 'variant snug extends bar { title "S" order suit : a < b @wall:a.must }'
    assert table.findings("warning") == []


def test_a_text_that_does_not_link_is_an_error_and_its_citations_still_count(table: Table) -> None:
    table.bar = "drop nothing @wall:a.must"
    assert [finding.code for finding in table.broken()] == ["link"]
    assert table.missing() == {}


def test_a_text_that_does_not_parse_is_refused(table: Table) -> None:
    table.bar = "order trick"
    with pytest.raises(SpecError):
        table.trace()

"""What need not be tested: with an excuse, or where the glossary prints it."""

from __future__ import annotations

from pathlib import Path

import pytest
from wall import WALL, Table, clause, excuse, term

from truco_spec.base.safe_yaml import YamlError
from truco_spec.conformance.corpus.corpus import CaseError


def test_an_excuse_stands_for_a_case_and_not_for_a_rule(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], clause("a.glance")]
    table.excuses["wall"] = [excuse("a.glance")]
    assert table.missing() == {"a.glance": ("no statement cites it",)}
    table.excuses["wall"] = [excuse("a.glance", without="both")]
    assert table.missing() == {}
    assert table.trace().totals()["excused"] == 1


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (excuse("a.must"), "a.must is excused from having a case, but has one"),
        (excuse("a.must", without="rule"), "a.must is excused from having a rule, but has one"),
        (excuse("gap.open"), "gap.open is excused from having a case, but has one"),
        (excuse("a.term"), "a.term is not executable: it needs no excuse"),
        (excuse("a.trem"), "a.trem, which the source wall does not have. Did you mean a.term?"),
    ],
)
def test_a_needless_excuse_is_an_error(table: Table, entry: dict[str, str], says: str) -> None:
    table.excuses["wall"] = [entry]
    assert [message for message in table.findings() if says in message]
    assert not table.trace().whole


def test_an_excuse_wants_a_reason_and_stands_once(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], clause("a.glance")]
    table.excuses["wall"] = [excuse("a.glance", " "), excuse("a.glance")]
    assert any("without a reason" in message for message in table.findings())
    assert any("is excused already" in message for message in table.findings())


def test_an_excuse_of_unknown_shape_is_refused_in_its_place(table: Table) -> None:
    table.excuses["wall"] = [{"id": "a.must", "reson": "x"}]
    with pytest.raises(CaseError, match=r"not-testable\.yaml:\d+:\d+: ‘reson’ is not known here"):
        table.trace()


def test_excuses_in_a_folder_of_no_source_are_an_error(table: Table) -> None:
    table.excuses["bar"] = [excuse("a.must")]
    assert "bar is none" in table.broken()[0].message


# ---- the glossary ------------------------------------------------------------------------------


def test_what_is_executable_in_part_needs_no_case_where_the_glossary_prints_it(table: Table) -> None:
    table.cases[0]["clauses"] = ["a.must"]
    assert table.missing() == {"a.part": ("no case tests it",)}
    table.terms = [term("wink", "a.part", "a.term"), term("nod", "a.part")]
    assert table.missing() == {}
    rows = {row.id: row for row in table.trace().rows}
    assert (rows["a.part"].terms, rows["a.part"].cases) == (("wink", "nod"), ())
    assert rows["a.term"].terms == ("wink",)
    assert table.trace().totals()["printed"] == 1


def test_it_still_needs_a_statement_and_what_is_executable_in_full_a_case(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], clause("a.new"), clause("a.half", "partly")]
    table.terms = [term("wink", "a.new", "a.half", "a.part")]
    assert table.missing() == {
        "a.new": ("no statement cites it", "no case tests it"),
        "a.half": ("no statement cites it",),
    }


def test_what_the_glossary_prints_needs_no_excuse(table: Table) -> None:
    table.cases[0]["clauses"] = ["a.must"]
    table.terms = [term("wink", "a.part")]
    table.excuses["wall"] = [excuse("a.part")]
    assert table.findings() == [
        "a.part is excused from having a case, but has one, or is in the glossary; remove the entry."
    ]


def test_a_term_that_renders_an_unknown_clause_is_an_error_with_its_place(table: Table) -> None:
    table.terms = [term("wink", "a.part"), term("nod", "a.pert")]
    (finding,) = table.trace().findings
    assert finding.message == "The term “nod” cites a.pert, which the source wall does not have. Did you mean a.part?"
    assert Path(finding.path).name == "signs.yaml"
    assert finding.line > 1
    assert not table.trace().whole


def test_a_glossary_of_no_source_is_an_error(table: Table) -> None:
    table.terms, table.rendered = [term("wink", "a.part")], "wal"
    assert [finding.message for finding in table.broken()] == [
        "The term “wink” cites the unknown source wal. Did you mean wall?"
    ]


def test_a_glossary_that_cannot_be_read_is_refused(table: Table) -> None:
    table.terms = [term("wink")]
    with pytest.raises(YamlError, match=r"signs\.yaml:\d+:\d+: “wink” renders no clause"):
        table.trace()

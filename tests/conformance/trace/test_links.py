"""Every clause leads to rules and cases; what is missing is found."""

from __future__ import annotations

import pytest
from wall import BASE, WALL, Table, clause, read_spec_of


def test_where_every_link_is_there_nothing_is_found(table: Table) -> None:
    trace = table.trace()
    assert trace.whole
    assert trace.findings == ()
    assert table.broken() == ()
    assert trace.totals() == {"rows": 5, "required": 4, "cited": 4, "tested": 4} | dict.fromkeys(
        ("printed", "excused", "missing"), 0
    )


def test_a_row_names_its_rules_and_cases(table: Table) -> None:
    rows = {row.id: row for row in table.trace().rows}
    assert (rows["a.must"].rules, rows["a.must"].cases) == (("first",), ("wall-a-1", "wall-a-2", "wall-a-3"))
    assert (rows["gap.open"].rules, rows["gap.open"].cases) == (("open-read",), ("wall-a-2",))
    assert (rows["option.pack"].rules, rows["option.pack"].cases) == (("deck",), ("wall-a-3",))
    assert not rows["a.term"].required


@pytest.mark.parametrize("name", ["a.new", "a.half"])
def test_an_executable_clause_wants_a_statement_and_a_case(table: Table, name: str) -> None:
    table.registry["clauses"] = [*WALL["clauses"], clause("a.new"), clause("a.half", "partly")]
    assert table.missing()[name] == ("no statement cites it", "no case tests it")


def test_a_statement_that_holds_in_no_variant_is_no_link(table: Table) -> None:
    table.bar = "drop trick @wall:a.term"
    assert table.missing() == {"a.part": ("no statement cites it",)}


def test_a_statement_that_is_replaced_everywhere_is_no_link(table: Table) -> None:
    table.bar = "replace order trick : 1 < 2 < 3 @wall:a.must"
    assert table.missing() == {"a.part": ("no statement cites it",)}


def test_what_a_variant_adds_sets_and_drops_are_links(table: Table) -> None:
    names = ["a.also", "a.set", "a.drop"]
    table.registry["clauses"] = [*WALL["clauses"], *(clause(name) for name in names)]
    table.bar = "also first @wall:a.also set deck clean @wall:a.set drop trick @wall:a.drop @wall:a.part"
    table.cases[0]["clauses"] = ["a.part", *names]
    rows = {row.id: row.rules for row in table.trace().rows}
    assert [rows[name] for name in names] == [("also first",), ("set deck",), ("drop trick",)]
    assert table.trace().whole


def test_an_entry_of_a_concordance_is_a_link(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], clause("a.more")]
    table.extra = "concordance bar { first @wall:a.more }"
    table.cases[0]["clauses"] = ["a.part", "a.more"]
    rows = {row.id: row.rules for row in table.trace().rows}
    assert rows["a.more"] == ("also first",)
    assert table.trace().whole


def test_what_is_added_to_a_part_of_a_statement_is_a_link_while_that_is_there(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], clause("a.answer")]
    table.cases[0]["clauses"] = ["a.part", "a.answer"]
    table.base += """
      ladder dare @wall:a.must "Who dares?"
      stakes 1, dare 2 opens in play by turn answers so, no by turn refusal pays 1
    """
    table.bar = "also dare.accept @wall:a.answer"
    assert {row.id: row.rules for row in table.trace().rows}["a.answer"] == ("also dare.accept",)
    assert table.missing() == {}
    table.extra = 'variant snug extends bar { title "S" drop dare @wall:a.must }'
    (added,) = (stated for stated in read_spec_of(table) if stated.name == "also dare.accept")
    assert added.variants == {"bar"}


def test_a_gap_wants_a_decision_and_not_just_a_rule(table: Table) -> None:
    table.base = BASE.replace("a.must", "gap.open @wall:a.must").replace(
        "resolves @wall:gap.open", "resolves @wall:a.term"
    )
    assert table.missing()["gap.open"] == ("no decision resolves it", "no case tests it")


def test_a_decision_wants_a_case_that_names_it_or_the_gap(table: Table) -> None:
    del table.cases[1]["decisions"]
    assert table.missing() == {"gap.open": ("no case rests on open-read",)}
    table.cases[1]["clauses"] = ["gap.open"]
    assert table.missing() == {}


def test_a_rule_that_cites_a_decision_belongs_to_its_gap(table: Table) -> None:
    table.bar = "also first @decided:open-read"
    assert next(row.rules for row in table.trace().rows if row.id == "gap.open") == ("open-read", "also first")
    assert table.broken() == ()
    table.bar = "also first @decided:open"
    assert [finding.message for finding in table.broken()] == [
        "The also first of bar rests on the decision open, which the spec does not have. Did you mean open-read?",
    ]


def test_every_value_of_an_option_but_the_default_wants_a_case(table: Table) -> None:
    table.base = BASE.replace("clean", "clean | half | empty")
    table.cases[0]["options"] = {"deck": "half"}
    assert table.missing() == {"option.pack": ("no case plays deck empty",)}
    table.cases[1]["applies"] = {"variants": ["bar"], "options": {"deck": ["dirty", "empty"]}}
    assert table.missing() == {}


def test_a_value_that_a_variant_sets_is_played_by_its_cases(table: Table) -> None:
    table.bar = "set deck clean @wall:a.must"
    del table.cases[2]["options"]
    assert table.missing() == {}


def test_a_value_that_the_case_sets_away_is_not_played(table: Table) -> None:
    table.bar = "set deck clean @wall:a.must"
    for case in table.cases:
        case["options"] = {"deck": "dirty"}
    assert table.missing() == {"option.pack": ("no case plays deck clean",)}


def test_an_option_may_be_settled_by_the_variants_that_set_it(table: Table) -> None:
    table.base = BASE.replace("@wall:option.pack", "@wall:a.must")
    table.bar = "set deck clean @wall:option.pack"
    assert table.missing() == {}
    for case in table.cases:
        case["options"] = {"deck": "dirty"}
    assert table.missing() == {"option.pack": ("no case plays deck clean",)}


def test_a_number_of_players_is_played_by_who_plays_it(table: Table) -> None:
    table.base = BASE.replace("deck : dirty* | clean", "hands : 2 | 4* | 6 | 8")
    table.base += 'seats hands in 2 teams @wall:a.must "Two teams."'
    table.cases[0]["applies"] = {"variants": ["bar"], "players": [2, 4]}
    table.cases[1]["players"] = ["P1", "bia", "caio", "davi", "eva", "fabio"]
    del table.cases[2]["options"]
    assert table.missing() == {"option.pack": ("no case plays hands 8",)}
    table.cases[2]["players"] = 8
    assert table.missing() == {}


def test_an_option_may_be_cited_where_a_variant_adds_to_it(table: Table) -> None:
    table.base = BASE.replace("@wall:option.pack", "@wall:a.must")
    table.bar = "also deck @wall:option.pack"
    assert table.missing() == {}
    del table.cases[2]["options"]
    assert table.missing() == {"option.pack": ("no case plays deck clean",)}


def test_an_option_may_be_settled_by_a_decision(table: Table) -> None:
    table.base = BASE.replace("@wall:option.pack", "@wall:a.must").replace("gap.open", "gap.open @wall:option.pack")
    assert table.missing() == {}
    del table.cases[1]["decisions"]
    assert table.missing()["option.pack"] == ("no case rests on open-read",)


def test_an_option_is_not_settled_by_any_other_statement_unless_it_has_one_value(table: Table) -> None:
    table.base = BASE.replace("@wall:option.pack", "@wall:a.must").replace("a.part", "a.part @wall:option.pack")
    assert table.missing() == {"option.pack": ("no option of the spec cites it", "no case tests it")}
    table.registry["options"] = [{**WALL["options"][0], "values": ["all"], "clauses": ["a.part"]}]
    assert table.missing() == {}

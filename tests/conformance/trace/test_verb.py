"""``truco-spec trace``: for which variants, and what it prints."""

from __future__ import annotations

import json

import pytest
from wall import WALL, Table, clause, term

from truco_spec.conformance.links import read_corpus, read_spec
from truco_spec.conformance.trace import UnknownVariant, traces
from truco_spec.graph.sources import registry


def test_rows_can_be_kept_to_the_variants_asked_for(table: Table) -> None:
    table.registry |= {
        "variants": {"old-club": "club"},
        "clauses": [*WALL["clauses"], clause("a.club", applies="old-club")],
    }
    assert [row.id for row in table.trace("club").rows] == ["a.club"]
    assert [row.id for row in table.trace("old-club").rows] == ["a.club"]
    assert "a.club" not in [row.id for row in table.trace("bar").rows]
    assert len(table.trace("bar", "club").rows) == 6


def test_a_variant_that_no_source_speaks_of_is_refused(table: Table) -> None:
    with pytest.raises(UnknownVariant, match=r"No source speaks of the variant baar\. Did you mean bar\?"):
        table.trace("baar")


def test_without_a_source_chosen_those_that_speak_of_the_variant_are_traced(table: Table) -> None:
    table.write()
    held = [registry(name, table.spec / "sources") for name in ("fisch", "wall")]
    found = traces(held, read_spec(table.spec), read_corpus(table.corpus), ["bar"])
    assert [trace.source for trace in found] == ["wall"]


# ---- the verb ----------------------------------------------------------------------------------


def test_the_verb_prints_the_matrix_and_ends_with_0(table: Table) -> None:
    done = table.run()
    assert done.return_value == 0
    assert done.output.splitlines() == [
        "wall",
        "    clause       rules      cases",
        "    a.must       first      wall-a-1, wall-a-2, wall-a-3",
        "    a.part       trick      wall-a-1",
        "    gap.open     open-read  wall-a-2",
        "    option.pack  deck       wall-a-3",
        "",
        "  wall: 4 to be linked of 5; 4 cited, 4 tested, 0 excused, 0 with a link missing",
        "",
        "Every link is there.",
    ]


def test_the_verb_lists_every_article_of_a_regulation(table: Table) -> None:
    def article(number: str, heading: str, *clauses: str) -> dict[str, object]:
        return {"number": number, "heading": {"en": heading}, "text": {"en": "So it is."}, "clauses": [*clauses]}

    table.registry["articles"] = [
        article("1", "Seats", "a.term", "a.must"),
        article("2-b", "Tricks", "a.part"),
        article("3", "Appeals"),
    ]
    table.cases[0]["clauses"] = ["a.must"]
    told = [" ".join(line.split()) for line in table.run().output.splitlines() if line]
    assert told[:12] == [
        "wall",
        "1. Seats",
        "clause rules cases",
        "a.term (for people: no program can follow it)",
        "a.must first wall-a-1, wall-a-2, wall-a-3",
        "2-b. Tricks",
        "clause rules cases",
        "! a.part trick – no case tests it",
        "3. Appeals",
        "(for people: no program can follow it)",
        "In no article",
        "clause rules cases",
    ]
    missing = [" ".join(line.split()) for line in table.run("--missing").output.splitlines() if line]
    assert missing[1:4] == ["2-b. Tricks", "clause rules cases", "! a.part trick – no case tests it"]


def test_the_verb_prints_the_terms_of_the_glossary(table: Table) -> None:
    table.terms = [term(name, "a.part") for name in ("wink", "nod", "cough", "blink")]
    table.cases[0]["clauses"] = ["a.must"]
    printed = table.run().output.splitlines()
    assert printed[1].split() == ["clause", "rules", "cases", "glossary"]
    assert printed[3].split() == ["a.part", "trick", "–", "“wink”,", "“nod”,", "“cough”", "+1"]
    assert "4 cited, 3 tested, 1 in the glossary, 0 excused" in printed[7]
    assert json.loads(table.run("--json").output)["sources"][0]["rows"][1]["terms"] == ["wink", "nod", "cough", "blink"]


def test_the_verb_marks_what_is_missing_and_ends_with_1(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], clause("a.new")]
    done = table.run("--missing")
    assert done.return_value == 1
    assert "  !  a.new   –      –      no statement cites it; no case tests it\n" in done.output
    assert "a.must" not in done.output
    assert done.output.endswith("1 rows with a link missing, 0 errors.\n")


def test_the_verb_ends_with_1_when_only_a_citation_is_broken(table: Table) -> None:
    table.cases[0]["decisions"] = ["nothing"]
    done = table.run()
    assert done.return_value == 1
    assert "error: Case wall-a-1 rests on the decision nothing" in done.output


def test_the_verb_counts_warnings_and_names_them_when_asked(table: Table) -> None:
    table.extra = 'variant club { title "C" order suit : a < b @wall:a.must }'
    done = table.run()
    assert (done.return_value, "warning: " in done.output) == (0, False)
    assert "\n  1 citation is of a clause of another variant (--warnings names it).\n" in done.output
    named = table.run("--warnings").output
    assert "warning: The order suit of club is about club, but cites a.must" in named and "--warnings" not in named


def test_the_verb_prints_data(table: Table) -> None:
    data = json.loads(table.run("--json").output)
    assert data["findings"] == []
    assert data["sources"][0]["totals"]["required"] == 4
    assert data["sources"][0]["rows"][0]["cases"] == ["wall-a-1", "wall-a-2", "wall-a-3"]

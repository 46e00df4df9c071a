"""Traceability: every clause leads to rules and cases, and every citation leads back; what is missing is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from truco_spec.cli.trace import command
from truco_spec.conformance.corpus import CaseError
from truco_spec.conformance.links import Finding, Stated, read_corpus, read_spec
from truco_spec.conformance.trace import Trace, UnknownVariant, broken, traces
from truco_spec.graph.sources import registry, sources
from truco_spec.language.diagnostics import SpecError
from truco_spec.safe_yaml import YamlError


def clause(name: str, executable: str = "yes", applies: str = "bar") -> dict[str, Any]:
    part = {"executable_part": "half"} if executable == "partly" else {}
    said = {"locator": "x", "kind": "play", "applies": [applies], "text": "It is so.", "executable": executable}
    return {"id": name, **said, **part}


WALL: dict[str, Any] = {
    "source": "wall",
    "title": "The paper on the wall",
    "file": "wall.txt",
    "licence": "CC0-1.0",
    "made": "Read off the wall.",
    "clauses": [clause("a.must"), clause("a.part", "partly"), clause("a.term", "no")],
    "gaps": [{"id": "gap.open", "question": "?", "readings": ["a"], "suggested": "a", "clauses": ["a.must"]}],
    "options": [{"id": "option.pack", "applies": ["bar"], "values": ["all", "few"], "default": "all"}],
}
WORDS = {"en": "A wink.", "es": "Un guiño.", "pt": "Uma piscada."}
BASE = """
  option deck : dirty* | clean @wall:option.pack
  decision open-read resolves @wall:gap.open "A." because "B."
  order trick : 1 < 2 @wall:a.part
  rule first @wall:a.must "It is so." in play do resume
"""
CASES: list[dict[str, Any]] = [
    {"id": "wall-a-1", "clauses": ["a.must", "a.part"], "level": "must"},
    {"id": "wall-a-2", "clauses": ["a.must"], "level": "decided", "decisions": ["open-read"]},
    {"id": "wall-a-3", "clauses": ["a.must"], "level": "option", "options": {"deck": "clean"}},
]


class Table:
    """A folder with a registry, a spec and a corpus where every link is there, to be spoilt by each test."""

    def __init__(self, folder: Path) -> None:
        self.spec, self.corpus = folder / "spec", folder / "cases"
        self.registry = dict(WALL)
        self.base, self.bar, self.extra = BASE, "", ""
        self.cases = [dict(case) for case in CASES]
        self.variants = ["bar"]
        self.excuses: dict[str, list[dict[str, str]]] = {}
        self.terms: list[dict[str, Any]] = []
        self.rendered = "wall"

    def write(self) -> None:
        for name, text in (("base/tavern", "tavern"), ("variants/bar", "bar extends tavern")):
            path = self.spec / f"{name}.truco"
            path.parent.mkdir(parents=True, exist_ok=True)
            items = self.bar if "bar" in name else self.base
            path.write_text(f'variant {text} {{ title "T"\n{items} }}\n', encoding="utf-8")
        if self.extra:
            (self.spec / "variants" / "extra.truco").write_text(self.extra, encoding="utf-8")
        self.dump(self.spec / "sources" / "wall.yaml", self.registry)
        if self.terms:
            head = {"glossary": 1, "source": self.rendered, "title": WORDS, "licence": "CC0-1.0"}
            self.dump(self.spec / "glossary" / "signs.yaml", {**head, "terms": self.terms})
        whole = {"title": "It is so", "moves": ["P1 4C"]}
        entries = [{**whole, **case} for case in self.cases]
        head = {"corpus": 1, "source": "wall", "applies": {"variants": self.variants}}
        self.dump(self.corpus / "bar" / "all.yaml", {**head, "cases": entries})
        for folder, entries in self.excuses.items():
            self.dump(self.corpus / folder / "not-testable.yaml", {"not_testable": entries})

    @staticmethod
    def dump(path: Path, data: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data, indent=1), encoding="utf-8")  # JSON is YAML

    def trace(self, *applies: str) -> Trace:
        self.write()
        held = registry("wall", self.spec / "sources")
        (found,) = traces([held], read_spec(self.spec), read_corpus(self.corpus), applies)
        return found

    def missing(self) -> dict[str, tuple[str, ...]]:
        return {row.id: row.missing for row in self.trace().missing}

    def findings(self, severity: str = "error") -> list[str]:
        return [found.message for found in self.trace().findings if found.severity == severity]

    def broken(self) -> tuple[Finding, ...]:
        self.write()
        return broken(read_spec(self.spec), read_corpus(self.corpus), sources(self.spec / "sources"))

    def run(self, *arguments: str) -> Result:
        self.write()
        folders = ["--spec", str(self.spec), "--cases", str(self.corpus), "--source", "wall"]
        return CliRunner().invoke(command, [*folders, *arguments], standalone_mode=False)


def read_spec_of(table: Table) -> tuple[Stated, ...]:
    table.write()
    return read_spec(table.spec).stated


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


# ---- the way there -----------------------------------------------------------------------------


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
        "The also first of bar cites the decision open, which the spec does not have. Did you mean open-read?",
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
    registry.cache_clear()
    assert table.missing() == {}


# ---- excuses -----------------------------------------------------------------------------------


def excuse(item: str, reason: str = "A glance leaves no trace.", **more: str) -> dict[str, str]:
    return {"id": item, "reason": reason, **more}


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


def term(name: str, *clauses: str) -> dict[str, Any]:
    return {"term": name, "kind": "idiom", "clauses": list(clauses), "meaning": WORDS}


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
    assert finding.message == "The term “nod” renders a.pert, which the source wall does not have. Did you mean a.part?"
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


# ---- the way back ------------------------------------------------------------------------------


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
        "The order suit of club holds in club, but cites a.must, which speaks of bar.",
    ]
    assert table.trace().whole


def test_a_case_in_variants_that_its_clause_does_not_speak_of_is_a_warning(table: Table) -> None:
    table.extra = 'variant club { title "C" order suit : a < b @wall:a.term }'
    table.registry["clauses"] = [*WALL["clauses"][:2], clause("a.term", "no", "club")]
    table.cases[0]["applies"] = {"variants": ["club"]}
    assert [message for message in table.findings("warning") if message.startswith("Case wall-a-1 plays club")]


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


# ---- which variants ----------------------------------------------------------------------------


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
        "wall: clause · rules · cases",
        "  a.must       first · wall-a-1, wall-a-2, wall-a-3",
        "  a.part       trick · wall-a-1",
        "  gap.open     open-read · wall-a-2",
        "  option.pack  deck · wall-a-3",
        "wall: 4 to be linked of 5; 4 cited, 4 tested, 0 excused, 0 with a link missing",
        "",
        "Every link is there.",
    ]


def test_the_verb_prints_the_terms_of_the_glossary(table: Table) -> None:
    table.terms = [term(name, "a.part") for name in ("wink", "nod", "cough", "blink")]
    table.cases[0]["clauses"] = ["a.must"]
    printed = table.run().output.splitlines()
    assert printed[0] == "wall: clause · rules · cases · glossary"
    assert printed[2] == "  a.part       trick · — · “wink”, “nod”, “cough” +1"
    assert "4 cited, 3 tested, 1 in the glossary, 0 excused" in printed[5]
    assert json.loads(table.run("--json").output)["sources"][0]["rows"][1]["terms"] == ["wink", "nod", "cough", "blink"]


def test_the_verb_marks_what_is_missing_and_ends_with_1(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], clause("a.new")]
    done = table.run("--missing")
    assert done.return_value == 1
    assert "! a.new  — · —  ← no statement cites it; no case tests it" in done.output
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
    assert "\n1 citation is of a clause of another variant (--warnings names them).\n" in done.output
    named = table.run("--warnings").output
    assert "warning: The order suit of club holds in club, but cites a.must" in named and "--warnings" not in named


def test_the_verb_prints_data(table: Table) -> None:
    data = json.loads(table.run("--json").output)
    assert data["findings"] == []
    assert data["sources"][0]["totals"]["required"] == 4
    assert data["sources"][0]["rows"][0]["cases"] == ["wall-a-1", "wall-a-2", "wall-a-3"]

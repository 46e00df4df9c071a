"""The registries: five documents about Truco as clauses, gaps and options that rules can cite."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from release.schemas import json_schema
from truco_spec.base import shipped
from truco_spec.base.safe_yaml import YamlError
from truco_spec.graph import sources as s
from truco_spec.graph.sources import registry, sources

SCHEMA = shipped.folder("conformance") / "schema" / "sources.schema.json"
jsonschema: Any = importlib.import_module("jsonschema")  # it brings no types

# source: clauses, executable, partly, gaps, options
NUMBERS = {
    "fisch": (75, 56, 6, 0, 0),
    "gamelog": (100, 75, 2, 0, 0),
    "nowadays": (66, 53, 0, 0, 0),
    "pagat": (333, 239, 35, 57, 24),
    "wikipedia": (411, 310, 36, 78, 85),
}


def path_of(source: str) -> Path:
    return shipped.folder("spec") / "sources" / f"{source}.yaml"


# ---- what is shipped ---------------------------------------------------------------------------


def test_there_are_five_sources() -> None:
    assert sources() == tuple(NUMBERS)
    assert sum(len(registry(source).clauses) for source in sources()) == 985


@pytest.mark.parametrize("source", NUMBERS)
def test_no_clause_is_lost(source: str) -> None:
    held = registry(source)
    told = Counter(clause.executable for clause in held.clauses.values())
    assert (len(held.clauses), told["yes"], told["partly"], len(held.gaps), len(held.options)) == NUMBERS[source]


@pytest.mark.parametrize("source", NUMBERS)
def test_every_id_can_be_cited(source: str) -> None:
    grammar = (shipped.folder("grammar") / "truco.lark").read_text(encoding="utf-8")
    written = re.search(r"^CITE: +/(.*)/$", grammar, re.MULTILINE)
    assert written
    assert [i for i in registry(source).ids if not re.fullmatch(written[1], f"@{source}:{i}")] == []
    assert all(i.startswith("gap.") for i in registry(source).gaps)
    assert all(i.startswith("option.") for i in registry(source).options)


@pytest.mark.parametrize("source", NUMBERS)
def test_gaps_and_options_name_clauses_that_exist(source: str) -> None:
    held = registry(source)
    items: list[s.Gap | s.SourceOption] = [*held.gaps.values(), *held.options.values()]
    named = {c for item in items for c in item.clauses}
    assert named <= set(held.clauses)
    assert all(gap.clauses and gap.readings for gap in held.gaps.values())


@pytest.mark.parametrize("source", NUMBERS)
def test_a_default_is_one_of_the_values_and_for_a_variant_that_has_the_option(source: str) -> None:
    for option in registry(source).options.values():
        assert {option.default, *option.defaults.values()} <= {*option.values, ""}, option.id
        assert set(option.defaults) <= set(option.applies), option.id
        assert option.default or option.defaults, option.id


@pytest.mark.parametrize("source", NUMBERS)
def test_what_is_partly_executable_says_which_part(source: str) -> None:
    for clause in registry(source).clauses.values():
        assert bool(clause.executable_part) == (clause.executable == "partly"), clause.id
        assert clause.applies, clause.id


@pytest.mark.parametrize("source", NUMBERS)
def test_nothing_but_a_few_words_is_quoted(source: str) -> None:
    for clause in registry(source).clauses.values():
        assert all(len(words.split()) <= 12 for words in (clause.locator, *clause.also)), clause.id


@pytest.mark.parametrize("source", NUMBERS)
def test_the_file_says_its_name_its_licence_and_how_it_was_made(source: str) -> None:
    record = registry(source).record
    assert record.source == source
    assert record.licence == "CC0-1.0"
    assert record.title
    assert record.made


@pytest.mark.sample(1)
@pytest.mark.parametrize("source", NUMBERS)
def test_an_ordinary_yaml_reader_understands_the_file_alike(source: str) -> None:
    told = yaml.safe_load(path_of(source).read_text(encoding="utf-8"))
    assert [clause["executable"] for clause in told["clauses"]] == [
        clause.executable for clause in registry(source).clauses.values()
    ]


# ---- the schema --------------------------------------------------------------------------------


def test_the_shipped_schema_is_the_one_of_the_types() -> None:
    written = json_schema({"Source": s.SourceDocument}, "A registry of clauses", open_ended=False)
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == written


@pytest.mark.sample(1)
@pytest.mark.parametrize("source", NUMBERS)
def test_every_registry_fits_the_schema(source: str) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(yaml.safe_load(path_of(source).read_text(encoding="utf-8")), schema)


# ---- asking ------------------------------------------------------------------------------------


def test_a_citation_is_known_or_not() -> None:
    pagat = registry("pagat")
    assert pagat.known("mineiro.deal-rotates-right")
    assert pagat.known("gap.zap-undefined")
    assert pagat.known("option.tie-lead")
    assert not pagat.known("mineiro.deal-rotates-left")


def test_the_nearest_id_is_the_one_with_a_slip_or_else_with_the_same_last_part() -> None:
    pagat = registry("pagat")
    assert pagat.nearest("mineiro.deal-rotate-right") == "mineiro.deal-rotates-right"
    assert pagat.nearest("tie-lead") == "option.tie-lead"
    assert pagat.nearest("xyzzy") is None


def test_an_unknown_source_is_told_with_the_nearest_name() -> None:
    with pytest.raises(s.UnknownSource, match=r"No source is called “pagatt”\. Did you mean “pagat”\?"):
        registry("pagatt")
    with pytest.raises(s.UnknownSource, match="Known sources: fisch, gamelog"):
        registry("xyzzy")


def test_an_id_tells_which_sources_hold_it() -> None:
    assert s.holders("mineiro.deal-rotates-right") == ("pagat",)
    assert s.holders("xyzzy") == ()


def test_variants_are_told_by_the_names_of_the_spec(tmp_path: Path) -> None:
    wikipedia = registry("wikipedia")
    assert wikipedia.variants("paulista-wp.tie-first") == {"paulista-wp"}
    assert wikipedia.variants("option.muestra-set") == {"uruguayo", "venezolano"}
    assert wikipedia.variants("gap.mineiro-ranking") == {"mineiro-wp"}
    text = (shipped.folder("spec") / "sources" / "wikipedia.yaml").read_text(encoding="utf-8")
    renamed = text.replace("\nclauses:", "\nvariants: {mineiro-wp: mineirinho}\n\nclauses:", 1)
    (tmp_path / "wikipedia.yaml").write_text(renamed, encoding="utf-8")
    other = registry("wikipedia", tmp_path)
    assert other.clauses["mineiro-wp.no-vira"].applies == ("mineiro-wp",)
    assert other.variants("mineiro-wp.no-vira") == {"mineirinho"}


def test_to_ask_whether_clauses_exist_reads_no_yaml() -> None:
    asked = (
        "import sys; from truco_spec.graph.sources import registry, sources\n"
        "assert all(not registry(source).known('xyzzy') for source in sources())\n"
        "assert 'yaml' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", asked], check=True)


# ---- registries of one's own -------------------------------------------------------------------

OWN: dict[str, Any] = {
    "source": "bar",
    "title": "The paper on the wall of the bar",
    "file": "wall.txt",
    "licence": "CC0-1.0",
    "made": "Read off the wall.",
    "clauses": [
        {"id": "a.b", "locator": "one", "kind": "play", "applies": ["bar"], "text": "One.", "executable": "yes"},
    ],
}


def own(folder: Path, **changes: object) -> s.Registry:
    text = json.dumps({k: v for k, v in {**OWN, **changes}.items() if v is not None}, indent=1)  # JSON is YAML
    (folder / "bar.yaml").write_text(text, encoding="utf-8")
    return s.Registry(folder / "bar.yaml", kept=False)


def test_rules_may_cite_a_registry_in_a_folder_of_their_own(tmp_path: Path) -> None:
    own(tmp_path)
    assert "bar" in sources(tmp_path)
    assert "bar" not in sources()
    assert registry("bar", tmp_path).known("a.b")
    assert registry("pagat", tmp_path).known("mineiro.deal-rotates-right")


def clause(**changes: object) -> dict[str, Any]:
    return {"clauses": [{k: v for k, v in {**OWN["clauses"][0], **changes}.items() if v is not None}]}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"source": "Bar 40"}, "The name of a source, which is also that of its file, has small letters, figures"),
        ({"title": None}, "title is missing."),
        ({"titel": "x"}, "‘titel’ is not known here. Did you mean title?"),
        ({"clauses": "none"}, "Here a list is wanted, not ‘none’."),
        ({"clauses": ["none"]}, "Here a mapping (key: value) is wanted"),
        (clause(id=None), "id is missing."),
        (clause(id=4), 'Here a text is wanted, not ‘4’. Write it in quotes: "4".'),
        (clause(executable="maybe"), "‘maybe’ is not one of yes, partly, no."),
        (clause(applies="bar"), "Here a list is wanted, not ‘bar’."),
        (clause(line="12"), "Here a whole number is wanted, not ‘12’."),
        (clause(locater="x"), "Did you mean locator?"),
        ({"clauses": OWN["clauses"] * 2}, "“a.b” is there twice"),
        ({"gaps": [{"id": "a.b", "question": "", "readings": [], "suggested": "", "clauses": []}]}, "there twice"),
        ({"variants": ["a"]}, "Here a mapping (key: value) is wanted"),
    ],
)
def test_a_mistake_in_a_registry_is_told_with_its_place(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    with pytest.raises(YamlError) as caught:
        _ = own(tmp_path, **changes).clauses
    assert says in caught.value.message
    assert caught.value.line > 0


def test_a_registry_is_kept_as_it_was_read(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("TRUCO_SPEC_CACHE", raising=False)
    path = shipped.folder("spec") / "sources" / "fisch.yaml"
    read = s.Registry(path, kept=True).record
    (kept,) = (tmp_path / "truco-spec" / "sources").iterdir()
    monkeypatch.setattr(s, "_read", lambda _: None)  # nothing can be read any more
    assert s.Registry(path, kept=True).record == read
    kept.write_bytes(b"not a registry")
    assert s.Registry(path, kept=True).record is None

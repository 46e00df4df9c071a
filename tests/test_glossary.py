"""The glossary: what is shipped is whole, in three languages; what cannot be used is refused with its place."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from release.schemas import schemas
from truco_spec.base import shipped
from truco_spec.base.safe_yaml import YamlError
from truco_spec.graph import plan
from truco_spec.graph.plan import TermEntry, glossary
from truco_spec.graph.sources import registry, sources

jsonschema: Any = importlib.import_module("jsonschema")  # it brings no types

SHIPPED = shipped.folder("spec") / "glossary"
FILES = sorted(SHIPPED.glob("*.yaml"))
ENTRIES = glossary().entries
SPANISH_PACK = {"argentino", "uruguayo", "venezolano", "paraguayo", "pica-pica"}
WORDS = {"en": "A wink.", "es": "Un guiño.", "pt": "Uma piscada."}


def texts(entry: TermEntry) -> list[str]:
    parts = [entry.term.meaning, *([entry.term.gesture] if entry.term.gesture else [])]
    return [text for part in parts for text in (part.en, part.es, part.pt)]


# ---- what is shipped ---------------------------------------------------------------------------


def test_every_clause_that_an_entry_renders_exists() -> None:
    assert ENTRIES
    for entry in ENTRIES:
        for clause in entry.term.clauses:
            assert clause in registry(entry.source).clauses, entry.term.term


def test_every_name_sign_and_custom_of_the_spanish_pack_is_printed() -> None:
    printed = glossary().naming()
    for clause in registry("wikipedia").clauses.values():
        a_word = clause.kind in ("term", "signal", "custom")
        talk = clause.kind == "communication" and clause.executable == "partly"
        if SPANISH_PACK & set(clause.applies) and (a_word or talk):
            assert ("wikipedia", clause.id) in printed, clause.id


@pytest.mark.parametrize("source", sources())
def test_what_is_no_rule_of_a_source_is_printed(source: str) -> None:
    printed = glossary().naming()
    for clause in registry(source).clauses.values():
        assert clause.executable != "no" or (source, clause.id) in printed, clause.id


def test_the_signs_are_the_ten_of_the_list_each_made_in_its_own_way() -> None:
    signs = [entry.term for entry in ENTRIES if entry.term.kind == "gesture"]
    assert len(signs) == 10
    for language in ("en", "es", "pt"):
        assert len({getattr(sign.gesture, language) for sign in signs}) == 10


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.term.kind}-{entry.term.term}")
def test_what_is_said_are_sentences_and_no_two_languages_say_the_same(entry: TermEntry) -> None:
    said = texts(entry)
    assert all(text == text.strip() and text.endswith(".") for text in said)
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_fits_the_schema_and_an_ordinary_reader_understands_it(path: Path) -> None:
    read = yaml.safe_load(path.read_text(encoding="utf-8"))
    jsonschema.validate(read, schemas()["glossary.schema.json"])
    assert read["licence"] == "CC0-1.0"
    mine = [entry for entry in ENTRIES if entry.path == str(path)]
    assert [term["meaning"]["es"] for term in read["terms"]] == [entry.term.meaning.es for entry in mine]


def test_an_entry_knows_its_line() -> None:
    for entry in ENTRIES:
        line = Path(entry.path).read_text(encoding="utf-8").splitlines()[entry.line - 1]
        assert line == f"- term: {entry.term.term}"


def test_what_renders_a_clause_can_be_asked_for() -> None:
    (entry,) = glossary().naming()["wikipedia", "argentino.sena-dos"]
    assert entry.term.gesture
    assert entry.title.en == "Signs between partners"
    assert ("wikipedia", "argentino.truco-value-2") not in glossary().naming()


# ---- what cannot be used -----------------------------------------------------------------------


def a_term(**changed: Any) -> dict[str, Any]:
    whole = {"term": "wink", "kind": "idiom", "clauses": ["a.wink"], "meaning": WORDS}
    return {name: value for name, value in (whole | changed).items() if value is not None}


def write(folder: Path, *terms: dict[str, Any], name: str = "wall", **head: Any) -> None:
    whole = {"glossary": 1, "source": "wall", "title": WORDS, "licence": "CC0-1.0", "terms": list(terms)} | head
    (folder / f"{name}.yaml").write_text(json.dumps(whole, indent=1, ensure_ascii=False), encoding="utf-8")


def test_a_folder_that_is_not_there_holds_no_terms(tmp_path: Path) -> None:
    assert glossary(tmp_path / "none").entries == ()


def test_a_folder_of_ones_own_is_read_file_by_file(tmp_path: Path) -> None:
    write(tmp_path, a_term(also=["blink"]), a_term(term="nod", kind="gesture", gesture=WORDS))
    write(tmp_path, a_term(term="cough"), name="other", source="bar")
    assert [(entry.source, entry.term.term) for entry in glossary(tmp_path).entries] == [
        ("bar", "cough"),
        ("wall", "wink"),
        ("wall", "nod"),
    ]


@pytest.mark.parametrize(
    ("term", "says"),
    [
        (a_term(meaning=None), "meaning is missing"),
        (a_term(meaning={"en": "A wink.", "es": "Un guiño."}), "pt is missing"),
        (a_term(meaning=WORDS | {"pt": " "}), "Nothing is said in “pt”"),
        (a_term(meaning=WORDS | {"fr": "Un clin d'œil."}), "‘fr’ is not known here"),
        (a_term(meaning="A wink."), "a mapping .* is wanted"),
        (a_term(kind="wink"), "‘wink’ is not one of name, gesture, idiom, custom"),
        (a_term(kind="gesture"), "How a sign is made stands under “gesture”"),
        (a_term(gesture=WORDS), "How a sign is made stands under “gesture”"),
        (a_term(kind="gesture", gesture=WORDS | {"en": ""}), "Nothing is said in “en”"),
        (a_term(term=" "), "The term is empty"),
        (a_term(term=7), "Here a text is wanted"),
        (a_term(clauses=[]), "“wink” renders no clause"),
        (a_term(clauses=["a.wink", "a.nod", "a.wink"]), "The clause a.wink is named twice"),
        (a_term(clauses="a.wink"), "a list is wanted"),
        (a_term(mening=WORDS), "‘mening’ is not known here. Did you mean meaning"),
    ],
)
def test_a_term_that_says_too_little_or_too_much_is_refused_in_its_place(
    tmp_path: Path, term: dict[str, Any], says: str
) -> None:
    write(tmp_path, a_term(term="first"), term)
    with pytest.raises(YamlError, match=says) as refused:
        glossary(tmp_path)
    text = (tmp_path / "wall.yaml").read_text(encoding="utf-8")
    second = text.count("\n", 0, text.rindex('"term"'))
    assert refused.value.path == str(tmp_path / "wall.yaml")
    assert second <= refused.value.line <= text.count("\n")


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ({"glossary": 2}, "‘2’ is not one of 1"),
        ({"glossary": True}, "‘True’ is not one of 1"),
        ({"source": None}, "Here a text is wanted"),
        ({"title": WORDS | {"es": ""}}, "Nothing is said in “es”"),
        ({"terms": {}}, "a list is wanted"),
        ({"language": "en"}, "‘language’ is not known here"),
    ],
)
def test_a_file_without_its_head_is_refused(tmp_path: Path, head: dict[str, Any], says: str) -> None:
    write(tmp_path, a_term(), **head)
    with pytest.raises(YamlError, match=says) as refused:
        glossary(tmp_path)
    assert re.match(rf"{re.escape(str(tmp_path))}/wall\.yaml:\d+:\d+: ", str(refused.value))


def test_two_sources_may_explain_the_same_term(tmp_path: Path) -> None:
    write(tmp_path, a_term(), name="a")
    write(tmp_path, a_term(), name="b", source="other")
    assert [(e.source, e.term.term) for e in glossary(tmp_path).entries] == [("wall", "wink"), ("other", "wink")]


def test_a_term_is_explained_once_in_all_files(tmp_path: Path) -> None:
    write(tmp_path, a_term(), name="a")
    write(tmp_path, a_term(kind="custom"), a_term(), name="b")
    with pytest.raises(YamlError, match=r"b\.yaml:\d+:1: “wink” is explained already at .*a\.yaml:\d+; keep one"):
        glossary(tmp_path)


@pytest.mark.parametrize("text", ["", "- 1\n", "glossary: 1\nglossary: 1\n", "terms: &a [*a]\n", "a: [\n", "x" * 90])
def test_what_is_no_glossary_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(YamlError, match=r"odd\.yaml"):
        glossary(tmp_path)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no file any more when it is read; a folder is passed over, as everywhere."""
    (tmp_path / "folder.yaml").mkdir()
    assert glossary(tmp_path).entries == ()
    monkeypatch.setattr(plan, "ordinary_files", lambda folder, pattern: sorted(folder.glob(pattern)))
    with pytest.raises(YamlError, match=r"folder\.yaml: The file cannot be read"):
        glossary(tmp_path)

"""``truco-spec test``: exit statuses, the report, the blocks."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest
from tables import THREE, case_file, command

from release.schemas import schemas
from truco_spec.base import shipped
from truco_spec.cli.commands import main

jsonschema = importlib.import_module("jsonschema")  # it brings no types


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(["test", "--no-causes", *arguments])
    return end.value.code


def test_nothing_failed_is_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = case_file(tmp_path, THREE)
    assert status("--cases", str(path), "--", *command("honest")) == 0
    *_, must, _, last = capsys.readouterr().out.splitlines()
    assert must.split() == ["must", "3", "100", "%", "33", "%", "0", "%", "0", "%"]
    beside = "without knowing the game: yes-man 33 %, no-man 0 %, random 0 %"
    assert last == f"miniature 1: 3 of 3 passed (100 %); {beside}."


def test_the_quiet_are_told_one_line_and_nobody_beside_who_wants_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(case_file(tmp_path, THREE))
    assert status("-q", "--no-null", "--cases", path, "--", *command("wrong")) == 1
    assert capsys.readouterr().out == "miniature 1: 0 of 3 passed (0 %).\n"
    assert status("-q", "-v", "--cases", path) == 2


def test_a_fault_is_1_and_its_block_says_how_to_repeat_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = case_file(tmp_path, THREE)
    adapter = command("wrong")
    assert status("--cases", str(path), "--case", "own-three-2", "--", *adapter) == 1
    out = capsys.readouterr().out
    assert "FAIL own-three-2 (must)" in out
    assert "expected  stake: 2" in out
    assert "got       stake: -1" in out
    assert "clause    pagat:paulista.dirty-deck: The 40-card pack is used." in out
    assert "P1          [2C 7S]  3C" in " ".join(out.split("  ")) or "[2C 7S]" in out
    assert f"truco-spec test --case own-three-2 --cases {path} -- {adapter[0]} {adapter[1]}" in out


def test_bad_input_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(case_file(tmp_path, THREE))
    assert status("--case", "nothing-1", "--cases", path) == 2
    assert status("--cases", str(tmp_path / "nowhere")) == 2
    assert status("--cases", path, "--", str(tmp_path / "nothing")) == 2
    assert "cannot be started" in capsys.readouterr().err
    assert status("--cases", path, "--", *command("exits")) == 2
    assert "It never got started." in capsys.readouterr().err


def test_the_report_fits_its_schema_and_is_the_same_for_the_same_answers(tmp_path: Path) -> None:
    path = case_file(tmp_path, THREE)
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for file in (first, second):
        assert status("--cases", str(path), "--json", str(file), "--", *command("wrong")) == 1
    report = json.loads(first.read_text(encoding="utf-8"))
    jsonschema.validate(report, schemas()["report.schema.json"])
    assert first.read_bytes() == second.read_bytes()
    assert report["totals"]["must"]["fail"] == 3
    assert report["faults"] == {"pagat:paulista.dirty-deck": ["own-three-1", "own-three-2", "own-three-3"]}
    assert report["cases"][0]["faults"][0]["script"].endswith("| P1 3C")


def test_the_shipped_schemas_are_those_of_the_types() -> None:
    folder = shipped.folder("conformance") / "schema"
    for name, schema in schemas().items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert json.loads((folder / name).read_text(encoding="utf-8")) == schema


@pytest.mark.long
def test_what_repeats_a_case_has_the_limits_of_the_run(tmp_path, capsys):
    hang = str(Path(__file__).parents[2] / "conformance" / "miniatures" / "hang.py")
    words = ["--timeout", "0.3", "--memory", "300M", "--case", "pagat-vira-01", "--no-null"]
    with pytest.raises(SystemExit) as end:
        main(["test", *words, "--", sys.executable, hang])
    assert end.value.code == 1
    assert "--timeout 0.3 --memory 314572800 -- " in capsys.readouterr().out

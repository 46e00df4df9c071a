"""The shipped positions of perft have the numbers that are stated, with both bodies; their files are read with care."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from release.schemas import schemas
from truco_spec.base import safe_yaml
from truco_spec.base.shipped import variant_names
from truco_spec.conformance.runner.dividing import (
    PerftPosition,
    PerftPositionError,
    load_position_file,
    load_positions,
    perft_folder,
)
from truco_spec.engine.game import Game
from truco_spec.engine.perft import native_perft, perft
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

jsonschema = importlib.import_module("jsonschema")  # it brings no types

POSITIONS = load_positions()
QUICK = ("gamelog", "pica-pica")
EASY = 1_500
"""As many sequences are counted in Python, too."""
ORDINARY = 20_000
"""As many are counted ordinarily, in the variants that are."""

FILE = """\
perft: 1
variant: paulista
positions:
  - id: paulista-own
    title: Own
    log: paulista | ana bia
    counts: [4, 15]
"""


def game_of(position: PerftPosition) -> Game:
    """The game at the position."""
    return Replay(read_line(position.log)).played_out()


@pytest.mark.sample(3)
@pytest.mark.parametrize("position", [one for one in POSITIONS if one.id.startswith(QUICK)], ids=lambda one: one.id)
def test_the_module_counts_what_is_stated(position: PerftPosition) -> None:
    count = native_perft(game_of(position))
    few = [number for number in position.counts if number <= ORDINARY]
    assert [count(depth) for depth in range(1, len(few) + 1)] == list(position.counts[: len(few)])


@pytest.mark.sample(0, long=10)
@pytest.mark.parametrize("position", POSITIONS, ids=lambda one: one.id)
def test_the_module_counts_what_is_stated_to_the_end(position: PerftPosition) -> None:
    count = native_perft(game_of(position))
    assert [count(depth) for depth in range(1, len(position.counts) + 1)] == list(position.counts)


@pytest.mark.sample(3, long=22)
@pytest.mark.parametrize("position", POSITIONS, ids=lambda one: one.id)
def test_python_counts_what_is_stated(position: PerftPosition) -> None:
    game = game_of(position)
    few = next((at for at, number in enumerate(position.counts) if number > EASY), len(position.counts))
    assert [perft(game, depth) for depth in range(1, few + 1)] == list(position.counts[:few])


@pytest.mark.parametrize("variant", variant_names())
def test_every_variant_has_positions_that_the_schema_allows(variant: str) -> None:
    path = perft_folder() / f"{variant}.yaml"
    positions = load_positions([variant])
    assert 3 <= len(positions) <= 5
    assert all(position.id.startswith(f"{variant}-") for position in positions)
    assert any("opening" in position.id for position in positions)
    assert any("asked" in position.id for position in positions)
    jsonschema.validate(safe_yaml.load_file(path).data, schemas()["perft.schema.json"])


def test_the_shipped_schema_is_that_of_the_types() -> None:
    path = perft_folder().parent / "schema" / "perft.schema.json"
    assert json.loads(path.read_text(encoding="utf-8")) == schemas()["perft.schema.json"]


def test_every_file_is_of_a_variant() -> None:
    assert {path.stem for path in perft_folder().iterdir()} == set(variant_names())


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("perft: 1", "perft: 2", ":1:1: This is version 2 of the format; this truco-spec reads 1. Use a newer"),
        ("[4, 15]", "[]", ":7:5: paulista-own: A position has counts, from depth 1 on, each at least 1."),
        ("[4, 15]", "[4, 0]", ":7:5: paulista-own: A position has counts, from depth 1 on, each at least 1."),
        ("[4, 15]", "[4, x]", ":7:17: paulista-own: Here a whole number is wanted, not"),
        ("paulista | ana", "mineiro | ana", ":6:5: paulista-own: The log is not of paulista"),
        ("id: paulista-own", "id: Own", ":4:5: Own: The id is not small letters, digits and hyphens"),
        ("title: Own", "tilte: Own", ":5:5: paulista-own: "),
        ("positions:", "positions: [", "paulista.yaml:"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = tmp_path / "paulista.yaml"
    path.write_text(FILE.replace(old, new), encoding="utf-8")
    with pytest.raises(PerftPositionError) as caught:
        load_position_file(path)
    assert told in str(caught.value)


def test_an_id_is_given_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = FILE[FILE.index("  - id") :]
    (tmp_path / "paulista.yaml").write_text(FILE + entry, encoding="utf-8")
    with pytest.raises(PerftPositionError, match=r":8:5: paulista-own: The id is given twice"):
        load_position_file(tmp_path / "paulista.yaml")
    monkeypatch.setattr("truco_spec.conformance.runner.dividing.perft_folder", lambda: tmp_path)
    for variant in ("paulista", "mineiro"):
        (tmp_path / f"{variant}.yaml").write_text(FILE.replace("paulista |", f"{variant} |").replace(
            "variant: paulista", f"variant: {variant}"), encoding="utf-8")  # fmt: skip
    with pytest.raises(PerftPositionError, match="paulista-own is already used in another file"):
        load_positions(["paulista", "mineiro"])

"""``test`` and ``fuzz`` take a variant of one's own from its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from truco_spec.base.project import OWN
from truco_spec.cli import main
from truco_spec.conformance.corpus.ready import rules_of

CLUB = """variant club extends paulista {
  title "Club"
  set covering never @pagat:paulista.dirty-deck
}
"""
CASES = """corpus: 1
source: pagat
applies: {variants: [club]}
cases:
  - id: club-open-1
    title: No card is played face down
    clauses: [paulista.dirty-deck]
    level: must
    players: 2
    deal: {P1: 3C 2C 7S, P0: 3H 2H 7H, vira: 5H}
    moves: [P1 3C, P0 2H, refused: P1 (2C)]
"""
ADAPTER = """
import sys
sys.path.insert(0, {folder!r})
from wrong_adapter import Right
from truco_spec.graph.load import know
know({spec!r})
class Club(Right):
    def hello(self):
        return {{**super().hello(), "variants": {{"club": {{"players": [2], "itself": ["fujo"]}}}}}}
"""


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    OWN.clear()


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as end:
        main(words)
    shown = capsys.readouterr()
    return end.value.code, shown.out + shown.err


def house(folder: Path) -> tuple[str, str, str]:
    """The files of a variant, of its cases, and of an adapter that plays it."""
    spec, cases, adapter = folder / "club.truco", folder / "club.yaml", folder / "adapter.py"
    spec.write_text(CLUB, encoding="utf-8")
    cases.write_text(CASES, encoding="utf-8")
    here = str(Path(__file__).parent)
    adapter.write_text(ADAPTER.format(folder=here, spec=str(spec)), encoding="utf-8")
    return str(spec), str(cases), f"{adapter}:Club"


def test_cases_of_a_variant_of_ones_own_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec, cases, adapter = house(tmp_path)
    for more in ([], ["--python", adapter], ["-j", "2", "--python", adapter]):
        status, text = told(capsys, "test", "-q", "--variant", spec, "--cases", cases, *more)
        assert (status, "1 of 1 passed" in text) == (0, True), text


def test_without_its_file_there_is_no_such_variant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, cases, _ = house(tmp_path)
    status, text = told(capsys, "test", "--cases", cases)
    assert (status, "There is no variant ‘club’" in text or "There is no variant club" in text) == (2, True), text


@pytest.mark.sample(1)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_random_hands_of_a_variant_of_ones_own(jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec, _, adapter = house(tmp_path)
    status, text = told(capsys, "fuzz", "--variant", spec, "--hands", "6", "-j", jobs, "--python", adapter)
    assert (status, "No difference was found" in text and "club, 2 players" in text) == (0, True), text


def test_another_of_the_same_name_is_played_by_its_own_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec, _, adapter = house(tmp_path)
    OWN["club"] = str(Path(__file__).parents[2] / "docs/examples/club/variants/club.truco")
    assert rules_of("club").plays.players == (4,)
    OWN.clear()
    status, text = told(capsys, "fuzz", "--variant", spec, "--hands", "1", "--python", adapter)
    assert (status, "club, 2 players" in text) == (0, True), text


def test_a_file_that_bears_the_name_of_a_shipped_variant_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "x.truco"
    spec.write_text(CLUB.replace("variant club", "variant mineiro"), encoding="utf-8")
    status, text = told(capsys, "fuzz", "--variant", str(spec), "--", "./adapter")
    assert (status, "mineiro is the name of a variant that is at hand already" in text) == (2, True), text
    status, text = told(capsys, "test", "--variant", str(tmp_path / "none.truco"))
    assert (status, "There is no such file" in text) == (2, True), text

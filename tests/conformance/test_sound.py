"""Cases of one's own: a name or word that there is not is told with file and line, before anybody is blamed for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from truco_spec.cli import main
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.filling import must_be_valid

CASE = """\
corpus: 1
source: pagat
applies: {variants: [paulista], players: [4]}
cases:
  - id: own-case-1
    title: A trick
    clauses: [mineiro.tie.definition]
    level: must
    dealer: P0
    score: {P1: 3}
    options: {tie-lead: last}
    deal: {P1: 3C 4D 5H, vira: 7D}
    moves:
      - P1 3C
      - expect: {acting: [P1, P2]}
      - refused: P1 9Z
      - allowed: P2 truco
"""
MISTAKES = {
    "dealer: P0": ("dealer: anna", "player “anna”"),
    "score: {P1: 3}": ("score: {zoe: 3}", "player “zoe”"),
    "tie-lead: last": ("tie-laed: last", "tie-laed"),
    "{P1: 3C 4D 5H, vira: 7D}": ("{virra: 7D}", "virra"),
    "P1: 3C 4D 5H": ("P1: 1Z 4D 5H", "card “1Z”"),
    "- P1 3C": ("- P1 trucco", "trucco"),
    "acting: [P1, P2]": ("scroe: 1", "observation “scroe”"),
    "expect: {acting: [P1, P2]}": ("expect: {score: {anna: 12}}", "player “anna”"),
    "mineiro.tie.definition": ("mineiro.nonsense", "mineiro.nonsense"),
    "allowed: P2 truco": ("allowed: P2 trucco", "trucco"),
    "refused: P1 9Z": ("{refused: P1 9Z, before: truco}", "implicit word “truco”"),
    "score: {P1: 3}\n": ("score: {P1: 12}\n", "No game can begin so. The moment a team has 12"),
    "- P1 3C\n": ("- view: {seat: P9, sees: 3C}\n      - P1 3C\n", "player “P9”"),
    "variants: [paulista]": ("variants: [paulisto]", "paulisto"),
}


def ended(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    path = tmp_path / "own.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(["test", "--cases", str(path)])
    assert isinstance(end.value.code, int)
    return end.value.code, capsys.readouterr().err


def test_a_sound_case_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = ended(tmp_path, CASE, capsys)
    assert status in (0, 1), told
    assert "own.yaml" not in told


@pytest.mark.parametrize("right", MISTAKES)
def test_a_mistake_is_told_with_its_place(right: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong, word = MISTAKES[right]
    assert right in CASE
    status, told = ended(tmp_path, CASE.replace(right, wrong), capsys)
    assert status == 2
    assert "own.yaml:5: own-case-1:" in told
    assert word in told
    assert "Traceback" not in told


DEALT_AGAIN = """\
corpus: 1
source: wikipedia
applies: {variants: [paulista-wp], players: [4]}
cases:
  - id: own-case-1
    title: Dealt again
    clauses: [paulista-wp.misdeal-before]
    level: must
    mode: umpire
    dealer: P3
    moves:
      - P3 misdeal P0 4, P0 reclamo
      - hand: next
      - P0 3C
"""


def test_what_is_dealt_again_is_a_hand_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(tmp_path, DEALT_AGAIN, capsys)[0] == 0
    status, told = ended(tmp_path, DEALT_AGAIN.replace("      - hand: next\n", ""), capsys)
    assert status == 2
    assert "own.yaml:5: own-case-1: Cards are dealt again within one hand. Say `hand: next`" in told


DEALT_AFTER_LOTS = """\
corpus: 1
source: pagat
applies: {variants: [mineiro]}
cases:
  - id: own-lots-1
    title: Played after lots
    clauses: [mineiro.first-dealer-lowest-card-draw]
    level: option
    options: {first-dealer: lowest-card}
    dealer: P3
    deal: {lot: 5C 6C 7C AH}
    moves:
      - P0 truco, P1 corro
      - expect: {score: {P0: 1}}
"""


def test_a_deal_after_lots_is_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(tmp_path, DEALT_AFTER_LOTS, capsys)[0] == 0


UNKNOWN_WORD = """\
corpus: 1
source: wikipedia
applies: {variants: [argentino], players: [2]}
cases:
  - id: own-word-1
    title: An implicit word that there is not
    clauses: [argentino.target-30]
    level: must
    dealer: P1
    moves:
      - {refused: P0 truco, before: xyz}
"""


def test_an_unknown_implicit_word_is_answered_with_whole_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, told = ended(tmp_path, UNKNOWN_WORD, capsys)
    assert status == 2
    words = told.partition("There are: ")[2].strip().rstrip(".").split(", ")
    assert sorted(words) == ["asi-queda", "callo", "en-mesa", "lo-dejo", "recojo"]


@pytest.mark.long
def test_the_shipped_corpus_is_sound() -> None:
    must_be_valid(chosen(corpus.load()))

"""Logs and cases in an editor: mistakes at their moves, and what may be played next."""

from __future__ import annotations

import pytest
from talk import new_club
from test_server import repaired

LOG = """truco: 1
variant: paulista
players: [ana, bia, caio, davi]
dealer: davi
hands:
  - deal: {ana: 4C 5C 6C, bia: 4D 5D 6D, caio: 4H 5H 6H, davi: 4S 5S 6S, vira: 7D}
    moves: ana 4C, bia truco, caio aceito
"""
CASES = """corpus: 1
source: pagat
applies: {variants: [paulista]}
cases:
  - id: house-tricks-1
    title: The first card is followed by the next player
    clauses: [mineiro.direction-counterclockwise]
    level: must
    deal: {P0: 4C 5C 6C, P1: 4D 5D 6D}
    moves:
      - P1 4D
      - expect: {acting: [P2]}
      - refused: P3 4S
"""


@pytest.fixture(scope="module")
def log(editor, house_folder):
    uri = editor.open(house_folder / "friday.yaml", LOG)
    assert editor.mistakes(uri) == []
    return uri


def place(mistake, text):
    """What a mistake is under."""
    start, end = mistake["range"]["start"], mistake["range"]["end"]
    return text.split("\n")[start["line"]][start["character"] : end["character"]]


@pytest.mark.parametrize(
    ("right", "wrong", "under", "said"),
    [
        ("bia truco", "caio 4H", "caio 4H", "out of turn"),
        ("caio aceito", "bia seis", "bia seis", "seis"),
        ("ana 4C", "ana 4D", "ana 4D", "does not hold 4D"),
        ("variant: paulista", "variant: paulsta", "p", "no variant"),
        ("dealer: davi", "dealer: dvi", "d", "dvi"),
        ("  - deal", "  -- deal", "", ""),
    ],
)
def test_a_mistake_is_told_under_the_move(editor, log, right, wrong, under, said):
    text = LOG.replace(right, wrong)
    editor.change(log, text)
    mistake = editor.mistakes(log)[0]
    assert place(mistake, text).startswith(under) and said in mistake["message"]


def test_a_forbidden_move_names_the_rule_and_its_authority(editor, log):
    text = LOG.replace("caio aceito", "davi aceito, caio seis, bia nove, davi doze, davi 4S")
    editor.change(log, text)
    (mistake,) = editor.mistakes(log)
    assert "@pagat" in mistake["message"] or "not offered" in mistake["message"] or "out of turn" in mistake["message"]


def test_a_misspelt_word_is_repaired(editor, log):
    text = LOG.replace("caio aceito", "caio aceita")
    editor.change(log, text)
    (mistake,) = editor.mistakes(log)
    assert repaired(editor, log, text, mistake) == LOG


def test_the_moves_that_are_permitted_are_offered(editor, log):
    text = LOG.replace(", caio aceito", ", ")
    editor.change(log, text)
    line = text.split("\n")[6]
    labels = [item["label"] for item in editor.at(log, 6, len(line), "completion")["items"]]
    assert {"caio aceito", "caio seis", "davi corro"} <= set(labels) or {"caio aceito", "caio seis"} <= set(labels)
    assert not any(label.startswith("bia") for label in labels)


def test_rules_of_the_folder_are_played_as_they_are_in_the_editor(editor, log, house_folder):
    text = LOG.replace("variant: paulista", "variant: house")
    editor.change(log, text)
    assert editor.mistakes(log) == []


def test_the_expectations_of_a_case_are_tried(editor, house_folder):
    uri = editor.open(house_folder / "cases.yaml", CASES)
    found = editor.mistakes(uri)
    assert found == []
    wrong = CASES.replace("acting: [P2]", "acting: [P3]").replace("- P1 4D\n", "- P1 4D, P2 truco, P3 aceito\n")
    editor.change(uri, wrong)
    found = editor.mistakes(uri)
    assert found and place(found[0], wrong) in ("acting", "P1 4D")


def test_a_forbidden_move_of_a_case_is_told_where_it_stands(editor, house_folder):
    wrong = CASES.replace("- refused: P3 4S", "- P2 (4H)")
    (mistake,) = editor.mistakes(editor.open(house_folder / "forbidden.yaml", wrong))
    assert place(mistake, wrong) == "P2 (4H)" and "(covered-wrongly)" in mistake["message"]


def test_what_the_rules_answer_can_be_expected_with_a_reason(editor, house_folder):
    wrong = CASES.replace("acting: [P2]", "acting: [P3]")
    uri = editor.open(house_folder / "expected.yaml", wrong)
    (mistake,) = editor.mistakes(uri)
    assert repaired(editor, uri, wrong, mistake) == wrong.replace("acting: [P3]}", 'acting: ["P2"]}  # because ')


def test_the_moves_of_a_case_are_offered(editor, house_folder):
    text = CASES.replace("      - expect: {acting: [P2]}\n      - refused: P3 4S\n", "      - P2 ")
    uri = editor.open(house_folder / "draft.yaml", text)
    labels = [item["label"] for item in editor.at(uri, 11, 11, "completion")["items"]]
    assert "P2 truco" in labels
    lines = CASES.split("\n")
    editor.change(uri, CASES.replace("direction-counterclockwise]", "dire"))
    labels = [item["label"] for item in editor.at(uri, 6, len(lines[6]) - 23, "completion")["items"]]
    assert "mineiro.direction-counterclockwise" in labels


@pytest.mark.long
def test_cases_are_played_again_when_their_rules_are_saved(tmp_path):
    cases, rules, editor = new_club(tmp_path)
    uri = editor.open(cases)
    assert editor.mistakes(uri) == []
    text = rules.read_text(encoding="utf-8")
    for written, count in ((text.replace("tie-lead last", "tie-lead first"), 1), (text, 0)):
        rules.write_text(written, encoding="utf-8")
        editor.tell("textDocument/didSave", {"textDocument": {"uri": rules.as_uri()}})
        assert len(editor.mistakes(uri)) == count
    assert editor.end() == 0

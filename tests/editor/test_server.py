"""The language server, as an editor meets it."""

from __future__ import annotations

import json
import shutil
import sys

import pytest
from talk import ROOT, Refused

from truco_spec.cli import main
from truco_spec.editor.remarks import remark
from truco_spec.editor.texts import Text, read_text
from truco_spec.language.diagnostics import Diagnostic

HOUSE = """variant house extends paulista {
  title "The rules of our house"

  set tie-lead first @pagat:option.tie-lead
}
"""
NO_CITATION = '  rule quiet "Nobody speaks of truco before the first card." in play must not truco\n}'


@pytest.fixture
def house(editor, tmp_path):
    uri = editor.open(tmp_path / "house.truco", HOUSE)
    yield uri
    editor.close(uri)


def said(found):
    return [mistake["message"].partition("\n")[0] for mistake in found]


def repaired(editor, uri, text, mistake, number=0):
    """The text after a repair of a mistake."""
    actions = editor.about(uri, "codeAction", range=mistake["range"], context={"diagnostics": []})
    (edits,) = actions[number]["edit"]["changes"].values()
    return applied(text, edits)


def applied(text, edits):
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]))[::-1]:
        start, end = edit["range"]["start"], edit["range"]["end"]
        before, after = lines[start["line"]][: start["character"]], lines[end["line"]][end["character"] :]
        lines[start["line"] : end["line"] + 1] = (before + edit["newText"] + after).split("\n")
    return "\n".join(lines)


# ---- mistakes ----------------------------------------------------------------------------------


def test_a_sound_text_has_no_mistakes(editor, house):
    assert editor.mistakes(house) == []


def test_several_mistakes_are_told_each_at_its_place(editor, house):
    editor.change(house, HOUSE.replace("set tie-lead", "sett tie-lead").replace("}", NO_CITATION))
    found = editor.mistakes(house)
    assert [mistake["range"]["start"]["line"] for mistake in found] == [3, 4]
    assert [mistake["code"] for mistake in found] == ["syntax", "no-citation"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("set tie-lead", "set tie-laed"),
        ("tie-lead first", "tie-lead frist"),
        ("pagat:option.tie-lead", "pagat:option.tie-laed"),
        ("@pagat", "@paget"),
        ("set tie", "sett tie"),
        ("extends", "extnds"),
        ("paulista", "paulsta"),
    ],
)
def test_the_nearest_name_is_a_repair(editor, house, right, wrong):
    text = HOUSE.replace(right, wrong)
    editor.change(house, text)
    (mistake,) = editor.mistakes(house)
    assert repaired(editor, house, text, mistake) == HOUSE


def test_a_missing_citation_is_looked_up_by_the_words_of_the_sentence(editor, house):
    text = HOUSE.replace("}", NO_CITATION)
    editor.change(house, text)
    (mistake,) = editor.mistakes(house)
    mended = repaired(editor, house, text, mistake)
    assert "  rule quiet @" in mended and mended.replace(mended.split("quiet ")[1].split(" ")[0] + " ", "", 1) == text


def test_what_is_declared_already_can_be_replaced(editor, house):
    option = '  option tie-lead : first* | last @pagat:option.tie-lead "Who leads after a tie."\n}'
    text = HOUSE.replace("}", option)
    editor.change(house, text)
    (mistake,) = editor.mistakes(house)
    assert "  replace option tie-lead" in repaired(editor, house, text, mistake)


def test_of_two_answers_that_collide_one_can_be_told_to_beat_the_other():
    again = 'define again except mano @decided:ours "Another leads." = dealer'
    thrice = 'define thrice except mano @decided:ours "A third leads." = next(dealer)'
    text = Text(f"variant house extends paulista {{\n  {again}\n  {thrice}\n}}\n")
    reading = read_text(text, "house.truco")
    first, second = reading.file.variants[0].items
    notes = ((f"{first.name} is here", first.name_span),)
    found = Diagnostic("error", "answers-collide", "both apply", second.name_span, notes=notes)
    (repair,) = remark(text, found, reading).repairs
    mended = text.edited(repair.start, repair.end, repair.new).source
    assert mended == text.source.replace("thrice except mano", "thrice except mano, again")


def test_a_text_that_is_too_large_has_one_remark(editor, house):
    editor.change(house, HOUSE + "# more\n" * 100_000)
    assert [mistake["code"] for mistake in editor.mistakes(house)] == ["too-large"]
    editor.change(house, HOUSE)
    assert editor.mistakes(house) == []


def test_places_count_as_the_editor_does(editor, house):
    editor.change(house, HOUSE.replace('"The rules of our house"', '"🂡🂡" sett'))
    (mistake,) = editor.mistakes(house)
    assert mistake["range"]["start"] == {"line": 1, "character": 15}


@pytest.mark.long
def test_a_base_is_linked_through_what_extends_it(editor):
    path = ROOT / "spec" / "base" / "brink.truco"
    text = path.read_text(encoding="utf-8")
    uri = editor.open(path, text.replace("in play", "in plya", 1))
    assert "there is no phase plya" in said(editor.mistakes(uri))
    editor.close(uri)


# ---- what an editor can do wrong ---------------------------------------------------------------


def test_what_is_no_message_costs_nothing(editor, house):
    editor.raw(b"Content-Length: 9\r\n\r\n{no json}")
    editor.raw(b"Content-Length: 2\r\n\r\n[]")
    editor.raw(b"Nonsense: 1\r\n")
    deep = b'{"jsonrpc":"2.0","method":"x","params":' + b"[" * 5000 + b"]" * 5000 + b"}"
    editor.raw(b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
    with pytest.raises(Refused):
        editor.ask("textDocument/unknown", {})
    editor.send({"id": 88888, "method": "textDocument/formatting", "params": {"textDocument": 3}})
    editor.tell("textDocument/didChange", {"textDocument": {"uri": "file:///none", "version": 2}, "contentChanges": []})
    editor.tell("textDocument/didClose", {"textDocument": {"uri": "file:///none"}})
    editor.tell("$/cancelRequest", {"id": 99999})
    editor.change(house, "variant {", {"start": {"line": 900, "character": 0}, "end": {"line": -1, "character": 9}})
    editor.change(house, HOUSE)
    assert editor.mistakes(house) == []


def test_a_file_that_vanishes_is_read_no_more(editor, tmp_path):
    path = tmp_path / "gone" / "gone.truco"
    path.parent.mkdir()
    path.write_text(HOUSE, encoding="utf-8")
    uri = editor.open(path)
    shutil.rmtree(path.parent)
    assert editor.mistakes(uri) == []
    editor.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    editor.close(uri)
    assert editor.about(uri, "formatting", options={"tabSize": 2, "insertSpaces": True}) is None


def test_without_its_extra_there_is_one_message(monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("truco_spec.editor")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "pygls.exceptions", None)
    with pytest.raises(SystemExit) as end:
        main(["lsp"])
    assert end.value.code == 2
    assert "pip install 'truco-spec[editor]'" in capsys.readouterr().err


# ---- edits -------------------------------------------------------------------------------------


def test_a_text_is_formatted(editor, house):
    text = HOUSE.replace("\n\n", "\n").replace("  set tie-lead first", "set   tie-lead  first")
    editor.change(house, text)
    edits = editor.about(house, "formatting", options={"tabSize": 2, "insertSpaces": True})
    assert applied(text, edits).split() == HOUSE.split() and json.dumps(edits)
    editor.change(house, "variant {")
    assert editor.about(house, "formatting", options={"tabSize": 2, "insertSpaces": True}) is None

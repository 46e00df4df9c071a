"""Texts and places as editors count them; and that edits leave the server as a fresh start would."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talk import ROOT, Editor

from truco_spec.editor.texts import Desk, Text
from truco_spec.graph.link import known_texts

TEXTS = st.text(alphabet="ab\n\r\x0c\u2028é🂡", max_size=40)


@given(TEXTS, st.integers(0, 45), st.sampled_from(["utf-16", "utf-8", "utf-32"]))
def test_a_place_is_the_same_there_and_back(source, offset, units):
    text = Text(source)
    offset = min(offset, len(source))
    line, character = text.position(offset, units)
    inside = offset <= text.end_of(line)
    assert text.offset(line, character, units) == (offset if inside else text.end_of(line))


@given(TEXTS, st.integers(-3, 60), st.integers(-3, 60))
def test_no_place_is_outside_the_text(source, line, character):
    assert 0 <= Text(source).offset(line, character) <= len(source)


def test_half_a_character_is_its_beginning():
    assert Text("🂡x").offset(0, 1, "utf-16") == 0
    assert Text("🂡x").offset(0, 2, "utf-16") == 1


def test_a_file_that_vanishes_is_no_text(tmp_path):
    path = tmp_path / "gone.truco"
    path.write_text("variant gone {", encoding="utf-8")
    desk = Desk()
    assert desk.reading(str(path)) is not None
    path.unlink()
    assert Desk().reading(str(path)) is None
    assert Desk().reading("\0") is None


# ---- random edits ------------------------------------------------------------------------------

BITS = (*'{}()|@:="#\n', "🂡", "é", "\r\n", "set ", "rule x ", "}\n", 'option a : b* | c @a:b "d"\n', "when ", "é\r")


def edited(editor, uri, source, chance, count):
    """The text after random edits, each sent to the editor as it is made, with requests that are taken back at once."""
    text = Text(source)
    for number in range(count):
        start = chance.randrange(len(text.source) + 1)
        end = min(len(text.source), start + chance.choice((0, 0, 1, 3, 20)))
        (a, b), (c, d) = text.position(start), text.position(end)
        start, end = text.offset(a, b), text.offset(c, d)  # what lies within a line end is its beginning
        new = "".join(chance.choice(BITS) for _ in range(chance.randrange(3)))
        editor.change(uri, new, {"start": {"line": a, "character": b}, "end": {"line": c, "character": d}})
        text = text.edited(start, end, new)
        if chance.random() < 0.1:
            what = {"textDocument": {"uri": uri}, "position": {"line": a, "character": b}}
            method = chance.choice(("completion", "hover", "semanticTokens/full", "codeLens", "references"))
            editor.send(
                {
                    "id": -number,
                    "method": f"textDocument/{method}",
                    "params": what | {"context": {"includeDeclaration": True}},
                }
            )
            editor.tell("$/cancelRequest", {"id": -number})
        if chance.random() < 0.02:
            text = Text(source)
            editor.change(uri, source)
    return text.source


def answers(editor, uri):
    """What an editor is told of a text: its mistakes, outline and words."""
    return [
        sorted((m["message"], str(m["range"])) for m in editor.mistakes(uri)),
        editor.about(uri, "documentSymbol"),
        editor.about(uri, "foldingRange"),
        editor.about(uri, "semanticTokens/full"),
    ]


def resident(editor):
    """The memory that a server holds, in megabytes; 0 where nobody tells."""
    told = Path(f"/proc/{editor.process.pid}/status")
    return int(told.read_text().partition("VmRSS:")[2].split()[0]) // 1000 if told.exists() else 0


@pytest.mark.parametrize(
    "count", [pytest.param(1_000, marks=pytest.mark.long), pytest.param(10_000, marks=pytest.mark.campaign)]
)
def test_random_edits_leave_what_a_fresh_start_finds(tmp_path, count):
    source = known_texts()["gaucho"].read_text(encoding="utf-8")
    one = Editor(tmp_path, "--no-checks")
    path = tmp_path / "gaucho.truco"
    uri = one.open(path, source)
    done = edited(one, uri, source, random.Random(count), count)
    found = answers(one, uri)
    assert resident(one) < 600
    assert one.end() == 0 and one.errors == []
    other = Editor(tmp_path, "--no-checks")
    assert other.open(path, done) == uri
    assert answers(other, uri) == found
    assert other.end() == 0


@pytest.mark.long
def test_the_project_around_a_file_is_open(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    project = tmp_path / "club"
    for folder in ("base", "variants", "sources"):
        (project / folder).mkdir(parents=True)
    (project / "truco.yaml").write_text('project: 1\ntitle: "Our rules"\n', encoding="utf-8")
    base = 'variant ours extends paulista {\n  title "Ours"\n  set tie-lead first @pagat:option.tie-lead\n}\n'
    (project / "base" / "ours.truco").write_text(base, encoding="utf-8")
    club = project / "variants" / "club.truco"
    club.write_text('variant club extends ours {\n  title "Club"\n}\n', encoding="utf-8")
    editor = Editor(tmp_path / "elsewhere", "--no-checks")
    uri = editor.open(club)
    assert editor.mistakes(uri) == []
    line = club.read_text(encoding="utf-8").split("\n")[0]
    (place,) = editor.at(uri, 0, line.index("ours") + 1, "definition")
    assert place["uri"].endswith("/club/base/ours.truco")
    shared = editor.open(project / "base" / "ours.truco", base.replace("first", "frist"))
    assert [mistake["code"] for mistake in editor.mistakes(shared)] == ["unknown-value"]
    editor.close(uri)
    assert editor.end() == 0


@pytest.mark.long
def test_two_servers_and_fifty_megabytes(tmp_path):
    one, other = Editor(tmp_path), Editor(ROOT / "spec")
    house = 'variant house extends paulista {\n  title "House"\n}\n'
    uri = one.open(tmp_path / "large.truco", house + "# more\n" * 7_500_000)
    assert [mistake["code"] for mistake in one.mistakes(uri)] == ["too-large"]
    one.change(uri, "x", {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}})
    assert [mistake["code"] for mistake in one.mistakes(uri)] == ["too-large"]
    one.change(uri, house)
    assert one.mistakes(uri) == []
    assert other.mistakes(other.open(tmp_path / "large.truco", house)) == []
    assert (one.end(), other.end()) == (0, 0)


@pytest.mark.campaign
def test_exact_checks_follow_after_a_while(tmp_path):
    editor = Editor(tmp_path)
    text = (
        'variant house extends paulista {\n  title "House"\n'
        '  decision ours resolves @pagat:gap.three-tied-tricks "Ours." because "We say so."\n'
        '  define mano-again except mano @decided:ours "Another is the mano." = dealer\n'
        '  define mano-thrice except mano @decided:ours "A third is." = next(dealer)\n}\n'
    )
    uri = editor.open(tmp_path / "house.truco", text)
    assert editor.mistakes(uri) == []
    found = editor.mistakes(uri)
    while not any(mistake["code"] == "answers-collide" for mistake in found):
        found = editor.mistakes(uri)
    (mistake,) = [mistake for mistake in found if mistake["code"] == "answers-collide"]
    actions = editor.about(uri, "codeAction", range=mistake["range"], context={"diagnostics": []})
    assert "beats" in actions[0]["title"]
    editor.change(uri, text + "\n")
    assert editor.end() == 0

"""``truco-spec diff`` as a user meets it."""

import io
import json
import re

import jsonschema
import pytest

from release.schemas import schemas
from truco_spec.base.shipped import folder
from truco_spec.cli.messages import Progress


def test_a_variant_with_options_is_compared_with_itself(ends):
    status, out, _ = ends("diff", "paulista", "tie-lead=last", "--no-logs")
    assert status == 0
    assert out.splitlines()[2:4] == ["A  paulista: Truco Paulista", "B  paulista tie-lead=last: Truco Paulista"]
    assert "define lead-of-last: added (option tie-lead)" in out


@pytest.mark.long
def test_options_stand_behind_their_variant(ends):
    status, out, _ = ends("diff", "argentino", "con-flor=off", "paraguayo", "con-flor=off", "--no-logs")
    assert status == 0
    assert out.splitlines()[3].startswith("B  paraguayo con-flor=off:")
    assert "option con-flor" not in out


@pytest.mark.long
def test_a_file_is_a_variant(ends):
    status, out, _ = ends("diff", "mineiro", "docs/examples/first-manilha.truco", "--positions", "4000")
    assert status == 0
    assert "rule manilha-prize: added" in out
    assert "first-manilha: Truco Mineiro with a prize for the first manilha" in out


def test_nothing_that_differs_is_said_and_needs_no_play(ends):
    status, out, _ = ends("diff", "paulista", "paulista")
    assert status == 0
    assert out.endswith("\nNo difference.\n")


def test_wording_is_told_where_all_is_asked_for(ends):
    _, few, _ = ends("diff", "uruguayo", "venezolano", "--no-logs")
    _, many, _ = ends("diff", "uruguayo", "venezolano", "--no-logs", "--all")
    assert "more in wording or citations only (--all)" in few
    assert ": wording" not in few
    assert [many.count(": wording")] == [int(count) for count in re.findall(r"(\d+) wording\.", many)]


def test_what_a_closed_game_no_longer_offers_is_counted(ends, tmp_path):
    """Options of the same value that may not be agreed otherwise are counted; the numbers of players are shown."""
    house = tmp_path / "house.truco"
    decided = 'decision d resolves @pagat:mineiro.option.must-be-agreed-before-game "So." because "So."'
    house.write_text(
        f'variant house extends paulista {{ title "House" {decided} set tie-lead last @decided:d closed @decided:d }}'
    )
    _, few, _ = ends("diff", "paulista", str(house), "--no-logs")
    _, many, _ = ends("diff", "paulista", str(house), "--no-logs", "--all")
    count = int(re.findall(r"(\d+) more have the same value in both", few)[0])
    assert sorted(re.findall(r"option (\S+): other value", few)) == ["players", "tie-lead"]
    assert many.count(": other value") == few.count(": other value") + count > 20


@pytest.mark.long
def test_data(ends):
    _, out, _ = ends("diff", "paulista", "tie-lead=last", "--positions", "1000", "--format", "json")
    data = json.loads(out)
    jsonschema.validate(data, schemas()["diff.schema.json"])
    assert data["diff"] == 1
    assert (data["a"]["variant"], data["b"]["variant"]) == ("paulista", "paulista")
    assert data["positions"] >= 1000
    numbers = {log["number"] for log in data["logs"]}
    for difference in data["differences"]:
        assert difference["change"] in ("added", "dropped", "replaced", "other value", "wording")
        assert difference.get("log") in numbers or difference["reason"]
        assert (difference["a"] is None) == (difference["change"] == "added")
        assert (difference["b"] is None) == (difference["change"] == "dropped")


@pytest.mark.long
def test_markdown_and_a_page(ends, tmp_path):
    _, markdown, _ = ends("diff", "uruguayo", "venezolano", "--no-logs", "--format", "md")
    assert markdown.startswith("# `uruguayo` and `venezolano`\n")
    assert "## `Settings`" in markdown
    page = tmp_path / "page.html"
    two = ("paulista", "tie-lead=last", "--positions", "2000")
    status, out, _ = ends("diff", *two, "--format", "html", "-o", str(page))
    assert (status, out) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert re.findall(r"(?:src|href)=[\"'](?!#)", text) == []
    anchors = set(re.findall(r'href="#(log-\d+)"', text))
    assert anchors <= set(re.findall(r'id="(log-\d+)"', text))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("paulista",), "Two variants are compared, and you name one variant"),
        (("paulista", "mineiro", "argentino"), "you name 3 variants"),
        (("paulsta", "mineiro"), "Did you mean “paulista”"),
        (("x=1", "paulista", "mineiro"), "sets an option of no variant"),
        (("paulista", "tie-leed=last"), "Did you mean “tie-lead”"),
        (("paulista", "tie-lead=sometimes"), "one of leader, first, last"),
        (("paulista", "tie-lead=last", "tie-lead=first"), "given twice"),
        (("paulista", "tie-lead="), "not of the form NAME=VALUE"),
        (("nowhere.truco", "paulista"), "There is no such file"),
        (("paulista", "players=6"), "Four play this game"),
        (("paulista", "mineiro", "--positions", "0"), "0 is not in the range"),
    ],
)
def test_what_cannot_be_compared_ends_with_2(ends, words, message):
    status, _, err = ends("diff", *words)
    assert status == 2
    assert message in err


@pytest.mark.parametrize("name", ["diff.schema.json", "questions.schema.json"])
def test_the_shipped_schemas_are_those_of_the_types(name):
    shipped = json.loads((folder("conformance") / "schema" / name).read_text(encoding="utf-8"))
    assert shipped == json.loads(json.dumps(schemas()[name]))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_tells_how_far_it_is_and_the_time_left():
    now = iter([0.0, 0.5, 10.0])
    stream = Terminal()
    progress = Progress("positions", 1000, stream=stream, clock=lambda: next(now))
    progress.at(50, "playing")
    assert stream.getvalue() == ""  # nothing in the first second
    progress.at(500, "playing")
    assert stream.getvalue().endswith("positions 500/1,000: playing, 0:10 left")
    progress.clear()
    assert stream.getvalue().endswith("\r\x1b[K")

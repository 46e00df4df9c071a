"""The table of variants: what it tells is read off the graphs, and fits whatever it is printed on."""

import re

import jsonschema
import pytest

from release.schemas import schemas
from truco_spec.base import safe_yaml
from truco_spec.base.document import text_of
from truco_spec.base.safe_yaml import YamlError
from truco_spec.base.shipped import folder, variant_names
from truco_spec.compare.questions import (
    Answers,
    Question,
    TableError,
    document_of,
    html_of,
    questions,
    table_of,
)
from truco_spec.compare.scenario import Side
from truco_spec.engine.text import told_in_force
from truco_spec.graph.load import load


@pytest.fixture(scope="module")
def table():
    return table_of([Side(name, {}) for name in variant_names()], questions())


def row_of(table, ask):
    row = next(row for part in table.parts for row in part.rows if row.ask == ask)
    return dict(zip(table.names, row.cells, strict=True))


def test_every_shipped_variant_has_its_column(table):
    assert tuple(table.names) == variant_names()
    assert all(len(row.cells) == len(table.names) for part in table.parts for row in part.rows)


BEST = "Are the best cards made by a card that is turned, or always the same?"


def test_what_everybody_knows_of_the_games(table):
    """Pagat: Mineiro to 12 with fixed manilhas, Paulista with a vira. Wikipedia: in Argentina to 30, with flor."""
    target = row_of(table, "How many points win the game?")
    assert (target["mineiro"].text, target["paulista"].text, target["argentino"].text) == ("12", "12", "30")
    turned = row_of(table, BEST)
    assert (turned["mineiro"].text, turned["paulista"].text, turned["argentino"].text) == (
        "always the same",
        "made by the vira",
        "",
    )
    stakes = row_of(table, "What is a hand worth, unraised and raised?")
    assert stakes["paulista"].text == "1, truco 3, seis 6, nove 9, doze 12"
    assert stakes["argentino"].text == "1, truco 2, retruco 3, vale-cuatro 4"
    assert stakes["paulista-wp"].text == "1, truco 3, seis 6, nove 9, doze 12"  # no partida, unless that is agreed
    assert row_of(table, "How many can play?")["paulista"].text == "2, 4"
    assert row_of(table, "How many cards are in the pack?")["fisch"].text == "28"


def test_every_option_of_every_variant_is_in_the_table_once(table):
    named = [row.source for part in table.parts for row in part.rows if row.source.startswith("option ")]
    assert len(named) == len(set(named))
    assert set(named) == {f"option {name}" for variant in table.names for name in load(variant).options}


def test_an_option_stands_on_the_authority_of_who_sets_it():
    answers = Answers(Side("paulista", {}))
    graph = answers.graph
    for option in graph.options.values():
        cell = answers.option(option.name)
        sets = [source for kind, name, source in graph.cites if kind == "set" and name == option.name]
        stands = sets[-1] if option.set_by else option.source
        bearing = [cite for cite in stands.cites if cite.where is None]
        assert cell.cites == tuple(dict.fromkeys(map(str, bearing)))
        assert cell.decided == any(cite.source == "decided" for cite in bearing)


SILENT = {
    "Does a flor end the envido?": "flor-envido-interaction",
    "What does a refused raise pay?": "envido-refusal-value",
    "For how many flores is the best one paid?": "flor-count",
    "How often may envido be said in one hand?": "envido-repeats",
    "How often may real envido be said in one hand?": "envido-repeats",
    "What do the 2, the 4, the 5, the knight and the jack count as piezas?": "piezas-envido",
    "Who leads after partners took a trick with equal cards?": "same-team-tie-leader",
}
"""What Wikipedia does not say of the games with the Spanish pack, and our decisions."""


def test_what_a_source_leaves_open_has_a_star_and_what_it_says_has_none(table):
    """Wikipedia, line 44: 30 points; a game to 15 is the decision. Line 46: the highest cards tie."""
    for ask, decision in SILENT.items():
        cell = row_of(table, ask)["uruguayo"]
        assert cell.decided
        assert f"@decided:{decision}" in cell.cites
    said = ("How many points win the game?", "Who wins a hand that is tied throughout?", "How many can play?")
    for ask in (*said, "What if both teams have equal highest cards?", "How many cards are in the pack?"):
        cell = row_of(table, ask)["argentino"]
        assert cell.text
        assert not cell.decided


def test_a_decision_on_one_value_marks_that_value_alone():
    fifteen = Answers(Side("argentino", {"target": "15"})).option("target")
    assert (fifteen.text, fifteen.decided) == ("15", True)
    agreed = Answers(Side("argentino", {"envido-refused-raise": "accepted-only"})).option("envido-refused-raise")
    assert not agreed.decided
    assert not Answers(Side("paulista-wp", {"tie-lead": "first"})).option("tie-lead").decided


ANSWERED_BY_RULES = {
    "What if both teams have equal highest cards?": "tied-trick",
    "What if partners share the highest card?": "taker",
    "May a raise be answered with a raise?": "raise-in-answer",
    "When may the side that accepted raise?": "truco.later",
    "May a hand be given up when nobody has called?": "go-to-mazo",
}


@pytest.mark.parametrize("variant", ["argentino", "uruguayo", "venezolano", "paraguayo", "pica-pica"])
def test_a_game_without_the_option_is_answered_by_its_rule(table, variant):
    graph = load(variant)
    for ask, name in ANSWERED_BY_RULES.items():
        statement = graph.rules.get(name) or next(
            answer for define in graph.defines.values() for answer in define.answers if answer.name == name
        )
        assert row_of(table, ask)[variant].text == told_in_force(graph, statement.source)


def test_whether_a_card_is_turned(table):
    """Wikipedia, lines 23 and 24: in Uruguay and Venezuela one is."""
    turned = {name for name, cell in row_of(table, BEST).items() if cell.text}
    assert {"uruguayo", "venezolano", "paulista"} <= turned
    assert "argentino" not in turned


def test_what_is_not_in_force_answers_nothing():
    """Gamelog: a call is accepted or declined, and no raise is an answer."""
    question = Question("?", sentence=("truco.counter",))
    assert Answers(Side("paulista", {})).cell(question).text
    assert not Answers(Side("gamelog", {})).cell(question).text


def test_the_way_to_a_decision_is_marked(table):
    assert any(cell.decided for part in table.parts for row in part.rows for cell in row.cells)
    for part in table.parts:
        for row in part.rows:
            for cell in row.cells:
                assert cell.decided == any(cite.startswith("@decided:") for cite in cell.cites)


def test_what_only_sources_of_other_games_tell_is_marked(table):
    """Pagat tells of the Gaúcho game its pack, three cards for each, and that two tricks of three win; else nothing."""
    answers = {row.ask: dict(zip(table.names, row.cells, strict=True)) for part in table.parts for row in part.rows}
    bare = {ask for ask, cells in answers.items() if cells["gaucho"].text and not cells["gaucho"].mark}
    assert bare == {"Who wins the hand, trick by trick?", "From which end of the pack are the cards dealt?"}
    target = answers["How many points win the game?"]
    assert (target["mineiro"].mark, target["fisch"].mark, target["argentino"].mark) == ("", "°", "")


ITS_LEADER, OF_THE_LAST = "its leader", "the player of the last of the equal cards"


def test_options_that_are_asked_for_hold_in_the_table():
    house = table_of([Side("paulista", {}), Side("paulista", {"tie-lead": "last"})], questions(), differing=True)
    assert house.names == ("paulista", "paulista tie-lead=last")
    (row,) = [row for part in house.parts for row in part.rows]
    assert (row.source, [cell.text for cell in row.cells]) == ("option tie-lead", [ITS_LEADER, OF_THE_LAST])


def test_statements_that_are_said_differently_are_added_where_all_is_asked_for():
    sides = [Side(name, {}) for name in ("paulista", "mineiro", "argentino")]
    whole = table_of(sides, questions(), everything=True)
    said = [part for part in whole.parts if part.title.startswith("Said differently: ")]
    assert said
    assert all(row.differs for part in said for row in part.rows)


@pytest.mark.parametrize("width", [40, 80, 100, 160])
def test_the_text_fits_the_terminal(table, width):
    for line in text_of(document_of(table), width).splitlines():
        assert len(line) <= width or max(map(len, line.split())) > width - 12


def test_narrow_or_wide_the_same_is_told():
    sides = [Side(name, {}) for name in ("paulista", "mineiro")]
    both = table_of(sides, questions(), differing=True)
    wide, narrow = (text_of(document_of(both), width) for width in (120, 40))
    assert re.search("^ +paulista  +mineiro$", wide, re.MULTILINE)
    assert "made by the vira: paulista" in narrow
    assert re.search(r"^Are the best cards.* made by the vira +always the same", wide, re.MULTILINE)


def test_a_page_needs_no_script_and_asks_for_nothing(table):
    page = html_of(table)
    assert re.findall(r"(?:src|href)=[\"'](?!#)", page) == []
    assert "<script" not in page
    assert "None" not in page
    assert page.count('<th scope="col"') == len(table.parts) * (len(table.names) + 1)


def test_hostile_variants_are_only_text(tmp_path):
    path = tmp_path / "evil.truco"
    text = (
        'variant evil extends paulista {\n  title "<script>alert(1)</script>"\n  also play-card @pagat:paulista.x\n}\n'
    )
    path.write_text(text, encoding="utf-8")
    page = html_of(table_of([Side("evil", {}, str(path))], questions()))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


# ---- questions of one's own ------------------------------------------------------------------------

FILE = "questions: 1\nlicence: CC0-1.0\ngroups:\n  - title: Ours\n    questions:\n      - {%s}\n"


def asked(tmp_path, question):
    path = tmp_path / "ours.yaml"
    path.write_text(FILE % question, encoding="utf-8")
    return str(path)


def test_the_shipped_questions_have_their_shape():
    data = safe_yaml.load_file(folder("spec") / "questions.yaml").data
    jsonschema.validate(data, schemas()["questions.schema.json"])


def test_questions_of_ones_own(tmp_path):
    groups = questions(asked(tmp_path, "ask: What is one tento?, answer: tento"))
    assert groups[0].questions == (Question("What is one tento?", answer="tento"),)
    table = table_of([Side("mineiro", {})], groups)
    assert [row.cells[0].text for row in table.parts[0].rows] == ["1"]
    assert all(part.title.startswith("Other options: ") for part in table.parts[1:])


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("ask: What?, option: a, order: b", "it says option and order"),
        ("ask: What?", "it says none"),
        ("option: players", "ask"),
        ("ask: What?, about: weather", "weather"),
        ("ask: What?, optoin: players", "optoin"),
    ],
)
def test_a_question_that_cannot_be_read_is_told_with_its_place(tmp_path, question, message):
    with pytest.raises(YamlError, match=message) as error:
        questions(asked(tmp_path, question))
    assert error.value.line == 6


def test_a_question_for_what_no_variant_has_is_told_with_the_nearest(tmp_path):
    groups = questions(asked(tmp_path, "ask: Who leads?, option: tie-leed"))
    with pytest.raises(TableError, match=r"tie-leed.*Did you mean “tie-lead”"):
        table_of([Side("mineiro", {})], groups)


def test_a_question_that_another_variant_answers_is_left_out():
    groups = questions()
    table = table_of([Side("mineiro", {})], groups)
    assert not any(row.source == "option con-flor" for part in table.parts for row in part.rows)


# ---- the verb ------------------------------------------------------------------------------------


def test_the_verb_prints_the_variants_in_the_order_asked_for(ends, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    status, out, err = ends("table", "--variants", "mineiro, paulista", "--differing")
    assert (status, err) == (0, "")
    assert re.search("^ +mineiro +paulista$", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--variants", "paulsta"), "Did you mean “paulista”?"),
        (("--questions", "nowhere.yaml"), "cannot be read"),
        (("--format", "pdf"), "pdf"),
        (("-o", "/nowhere/at/all"), "/nowhere/at/all"),
    ],
)
def test_what_cannot_be_used_ends_with_2(ends, arguments, message):
    status, _, err = ends("table", *arguments)
    assert status == 2
    assert message in err

"""What names and clauses mean, where they stand, what may be written: as an editor asks it."""

from __future__ import annotations

import pytest
from talk import HOUSE, ROOT, new_club
from talk import LOG as SUNDAY
from talk import Refused as NotAnswered
from test_server import applied

from truco_spec.conformance.corpus.cases import Refused
from truco_spec.conformance.corpus.corpus import load
from truco_spec.editor.features import LOG
from truco_spec.editor.played import case_log
from truco_spec.editor.telling import plain
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay


@pytest.fixture(scope="module")
def house(editor, house_folder):
    uri = editor.open(house_folder / "house.truco")
    assert editor.mistakes(uri) == []
    return uri


def at(word, nth=0, text=HOUSE):
    """Line and character of a word."""
    offset = -1
    for _ in range(nth + 1):
        offset = text.index(word, offset + 1)
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def hovered(editor, uri, word, nth=0):
    line, character = at(word, nth)
    return editor.at(uri, line, character + 1, "hover")["contents"]["value"]


# ---- hover -------------------------------------------------------------------------------------


def test_a_clause_is_told_in_its_own_words_with_its_source(editor, house):
    told = hovered(editor, house, "@pagat:mineiro.four-players")
    assert told.startswith("> ") and "*" in told and "`@pagat:mineiro.four-players`" in told


def test_an_option_tells_its_values_and_who_sets_it(editor, house):
    told = hovered(editor, house, "tie-lead")
    assert "**option tie-lead**" in told and "**first**" in told and "set by house" in told


def test_a_name_tells_its_type_and_its_sentence(editor, house):
    assert "**option players** of" in hovered(editor, house, "players is")
    assert "parameter of" in hovered(editor, house, "c) when") or "bound in rule no-hurry" in hovered(
        editor, house, "c) when"
    )
    assert "**action cover" in hovered(editor, house, "cover(") and "written" in hovered(editor, house, "cover(")
    assert "because We have time." in hovered(editor, house, "slow-table")


def test_what_is_replaced_is_told_and_found(editor, house):
    assert "Instead of that of" in hovered(editor, house, "four-players")
    line, character = at("four-players")
    (place,) = editor.at(house, line, character, "definition")
    assert "/spec/" in place["uri"]


def test_what_is_written_is_told_and_not_obeyed():
    assert plain("![a](http://b) <img> `c`\x1b") == "!\\[a\\](http://b) \\<img> \\`c\\`\\\\u001b"


# ---- places ------------------------------------------------------------------------------------


def test_the_definition_of_a_citation_is_its_entry_in_the_source(editor, house):
    line, character = at("@pagat:option.tie-lead")
    (place,) = editor.at(house, line, character + 3, "definition")
    source = (ROOT / "spec" / "sources" / "pagat.yaml").read_text(encoding="utf-8").split("\n")
    assert place["uri"].endswith("pagat.yaml")
    assert "option.tie-lead" in source[place["range"]["start"]["line"]]


@pytest.mark.long
def test_every_place_of_a_name_is_found(editor, house):
    line, character = at("slow-play")
    found = editor.at(house, line, character, "references", context={"includeDeclaration": True})
    assert len(found) == HOUSE.count("slow-play")


def test_the_outline_and_what_folds(editor, house):
    (variant,) = editor.about(house, "documentSymbol")
    names = [statement["name"] for statement in variant["children"]]
    assert names == ["slow-play", "tie-lead", "four-players", "slow-table", "no-hurry"]
    assert {"startLine": 0, "endLine": 13, "kind": "region"} in editor.about(house, "foldingRange")


def test_words_have_their_kinds_and_options_their_values(editor, house):
    data = editor.about(house, "semanticTokens/full")["data"]
    legend = editor.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    kinds = [legend[kind] for kind in data[3::5]]
    assert kinds[:4] == ["keyword", "namespace", "keyword", "namespace"]
    assert {"property", "decorator", "enumMember", "parameter", "string", "event"} <= set(kinds)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    assert " = no" in [hint["label"] for hint in editor.about(house, "inlayHint", range=whole)]


@pytest.mark.long
def test_a_table_tells_what_it_answers(editor):
    uri = editor.open(ROOT / "spec" / "base" / "truco.truco")
    assert editor.mistakes(uri) == []
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    assert " : team or drawn or open" in [hint["label"] for hint in editor.about(uri, "inlayHint", range=whole)]
    editor.close(uri)


@pytest.mark.long
def test_a_lens_counts_the_cases_that_test_what_is_cited_plays_the_first_and_disputes_it(editor, house):
    lenses = [lens["command"] for lens in editor.about(house, "codeLens")]
    count, play, dispute = lenses[:3]
    assert "case" in count["title"] and count["arguments"][2][0]["uri"].endswith(".yaml")
    assert (play["title"], dispute["title"]) == ("play", "dispute")
    for lens in (play, dispute):
        log = editor.ask("workspace/executeCommand", {"command": LOG, "arguments": lens["arguments"]})
        assert list(Replay(read_line(log)).steps())
    with pytest.raises(NotAnswered, match="no case “gone”"):
        editor.ask("workspace/executeCommand", {"command": LOG, "arguments": ["gone", "house", False]})


@pytest.mark.long
def test_a_case_is_disputed_up_to_the_first_move_that_is_refused():
    found = ((case, [step.refused for step in case.entry.moves if isinstance(step, Refused)]) for case in load())
    case, (refused, *_) = next((case, no) for case, no in found if no and isinstance(case.entry.moves[-1], str))
    for disputed in (False, True):
        log = case_log(case, "", disputed=disputed)
        assert log is not None
        moves = [move.text for move in log.hands[-1].moves]
        assert (moves[-1] == refused) == (refused in moves) == disputed


@pytest.mark.long
def test_a_case_that_is_written_down_is_found_at_once(tmp_path):
    cases, rules, editor = new_club(tmp_path)
    uri = editor.open(rules)

    def told():
        where = (rules.read_text(encoding="utf-8").split("\n").index(line), line.index("@") + 1)
        places = editor.at(uri, *where, "references", context={"includeDeclaration": True})
        return editor.about(uri, "codeLens")[0]["command"]["title"], sum(p["uri"].endswith(".yaml") for p in places)

    (line,) = (line for line in rules.read_text(encoding="utf-8").split("\n") if "set tie-lead" in line)
    assert told() == ("1 case", 1)
    written = cases.read_text(encoding="utf-8")
    again = written[written.index("  - id:") :].replace("-01", "-02")
    for text, count in (
        (written + again, "2 cases"),
        (written + again.replace("moves", "mvoes"), "2 cases"),
        (written, "1 case"),
    ):
        cases.write_text(text, encoding="utf-8")
        editor.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": cases.as_uri(), "type": 2}]})
        assert told() == (count, int(count[0]))
    assert editor.end() == 0


def test_phases_lead_to_each_other(editor, house):
    line, character = at("play by everyone")
    (phase,) = editor.at(house, line, character, "prepareCallHierarchy")
    assert phase["name"] == "play"
    before = editor.ask("callHierarchy/incomingCalls", {"item": phase})
    after = editor.ask("callHierarchy/outgoingCalls", {"item": phase})
    assert "hand" in [call["from"]["name"] for call in before]
    assert "card-end" in [call["to"]["name"] for call in after]


# ---- renaming ----------------------------------------------------------------------------------


def test_an_option_is_renamed_in_the_whole_folder(editor, house, house_folder):
    line, character = at("slow-play", 2)
    changes = editor.at(house, line, character, "rename", newName="take-time")["changes"]
    assert set(changes) == {house, (house_folder / "sunday.yaml").as_uri()}
    assert applied(HOUSE, changes[house]) == HOUSE.replace("slow-play", "take-time")
    assert "{take-time: yes}" in applied(SUNDAY, changes[(house_folder / "sunday.yaml").as_uri()])


@pytest.mark.parametrize(
    ("word", "new", "why"),
    [
        ("slow-play", "tie-lead", "declared already"),
        ("slow-play", "two words", "no name"),
        ("slow-play", "when", "word of the language"),
        ("tie-lead", "lead", "not in this folder"),
        ("@pagat:option.tie-lead", "other", "not declared"),
    ],
)
def test_what_cannot_be_renamed_says_why(editor, house, word, new, why):
    line, character = at(word)
    with pytest.raises(NotAnswered, match=why):
        editor.at(house, line, character + 1, "rename", newName=new)


# ---- completion --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def draft(editor, house_folder):
    uri = editor.open(house_folder / "draft.truco", HOUSE)
    yield uri
    editor.close(uri)


@pytest.mark.parametrize(
    ("begun", "offered", "not_offered"),
    [
        ("", ["rule", "option", "set"], ["slow-play"]),
        ("set ", ["tie-lead", "slow-play"], ["no-hurry", "rule"]),
        ("set tie-lead ", ["leader", "first", "last"], ["slow-play"]),
        ("rule x ", ["except"], ["when"]),
        ("rule x except ", ["no-hurry"], ["slow-play"]),
        ("rule x @pagat:option.variant ", ["in", "by"], ["written", "@"]),
        ('rule x @pagat:option.variant "Yes." in ', ["play"], ["slow-play"]),
        ('rule x @pagat:option.variant "Yes." in play ', ["by", "may", "when", "do"], ["stakes", "tacit"]),
        ('rule x @pagat:option.variant "Yes." in play may ', ["cover", "card"], ["slow-play"]),
        ('rule x @pagat:option.variant "Yes." in play may cover(c) when tie-lead is ', ["first"], []),
        ("datum x : ", ["flag", "seat"], ["no-hurry"]),
        ('rule x @pagat:option.variant "It is {sl', ["slow-play"], []),
        ("rule x @decided:slow", ["@decided:slow-table"], []),
        ("rule x @partner-equal", ["@pagat:option.partner-equal-lead"], []),
        ("# nothing ", [], ["rule"]),
    ],
)
def test_what_may_come_is_offered(editor, draft, begun, offered, not_offered):
    text = HOUSE.rstrip("}\n") + f"\n  {begun}\n}}\n"
    editor.change(draft, text)
    line = text.rstrip("\n}").count("\n") if begun else text.count("\n") - 2
    found = editor.at(draft, line, len(text.split("\n")[line]), "completion")
    labels = [item["label"] for item in found["items"]]
    assert set(offered) <= set(labels)
    assert not set(not_offered) & set(labels)


def test_behind_extends_come_variants(editor, draft):
    editor.change(draft, "variant new extends ")
    assert {"paulista", "truco"} <= {item["label"] for item in editor.at(draft, 0, 20, "completion")["items"]}

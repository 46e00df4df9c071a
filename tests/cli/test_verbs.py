"""The verbs as a user meets them: what they print, and how they end."""

import json
import os
import re
import threading
import time
from pathlib import Path

import pytest
from alarm import alarm

from truco_spec.base import paths

ROOT = Path(__file__).parents[2]
FRIDAY = str(ROOT / "docs" / "logs" / "friday.yaml")
UMPIRE = str(ROOT / "docs" / "logs" / "umpire.yaml")
LINE = "paulista | ana bia caio davi | dealer ana | deal vira 5H | bia 3C, caio truco, davi corro"
REFUSED = "paulista | ana bia caio davi | dealer ana | deal vira 5H | bia 3C, davi truco"
SPEC = """\
variant house extends paulista {
  title "Ours"
  set target 15  @wikipedia:argentino.target-30
}
"""
MISTAKEN = SPEC.replace("set target", "set tarjet")


# ---- run ----------------------------------------------------------------------------------------


def test_run_tells_the_course_of_a_regular_log(ends):
    status, out, err = ends("run", FRIDAY)
    assert (status, err) == (0, "")
    assert "Hand 2" in out
    assert re.search("12  bia seis +asks for 6\n", out)
    assert "Score: ana and caio 7, bia and davi 8" in out
    assert out.endswith("- Every move is permitted by the rules.\n")


def test_run_ends_with_1_where_an_umpire_found_irregular_moves(ends):
    status, out, _ = ends("run", UMPIRE)
    assert status == 1
    assert "FORBIDDEN" in out
    assert out.endswith("Not regular: move 2.\n")


def test_run_tells_who_won_a_hand_where_it_is_won(ends):
    log = "paulista | a b | dealer b | score a 11, b 3 | mode umpire | deal vira 7D | a jogo, a 3C, b 4D, a 3D, b 4H"
    _, out, _ = ends("run", f"{log}, b truco")
    assert re.search(r"6  b truco +VOID: not offered now\n", out)
    _, out, _ = ends("run", "pica-pica | a b c d e f | dealer f | score a 5, b 5 | a mazo, b mazo, f mazo")
    assert out.count("hand to a, c and e") == 2


def test_run_tells_what_a_call_asks_for_that_raises_no_points(ends):
    _, out, _ = ends("run", "paulista-wp match-call=on | a b | a truco, b seis, a nove, b doze, a partida")
    assert "4  b doze     asks for 12; the hand is worth 9\n" in out
    assert "5  a partida  asks for partida; the hand is worth 12\n" in out


def test_run_prints_data(ends):
    status, out, _ = ends("run", "--json", LINE)
    data = json.loads(out)
    assert status == 0
    assert [step["move"] for step in data["steps"]] == ["bia 3C", "caio truco", "davi corro"]
    assert data["after"]["score"] == {"ana": 1, "bia": 0}
    assert ["vira", "5H"] in data["steps"][0]["dealt"]


def test_run_translates_between_the_notations(ends):
    line = ends("run", "--write", "line", FRIDAY)[1]
    again = ends("run", "--write", "yaml", line.strip())[1]
    assert ends("run", "--write", "yaml", FRIDAY)[1] == again
    assert ends("run", "--write", "line", "-", text=again)[1] == line


def test_run_takes_a_log_from_the_standard_input(ends):
    assert ends("run", "-", text=LINE)[1] == ends("run", LINE)[1]


def test_a_refused_move_ends_with_2_and_its_place(ends):
    status, out, err = ends("run", REFUSED)
    assert (status, out) == (2, "")
    assert err.startswith("<line>:1:68: error: “davi truco”")
    assert "^^^^^^^^^^" in err


def test_run_plays_by_the_variant_of_a_file(ends, tmp_path):
    (tmp_path / "house.truco").write_text(SPEC)
    status, out, _ = ends("run", "--spec", str(tmp_path / "house.truco"), LINE)
    assert status == 0
    assert out.startswith("Ours\n")


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("nowhere.yaml", "nowhere.yaml: error: This file cannot be read: No such file or directory."),
        (".", ".: error: This file cannot be read: Is a directory."),
        ("a\0b", "is neither a file nor a log"),
        ("", "“” is neither a file nor a log. A log in one line has its parts between “|”"),
        ("x" * 5000, f"“{'x' * 60}” is neither a file nor a log."),
    ],
)
def test_a_log_that_is_not_there_ends_with_2(ends, argument, says):
    status, out, err = ends("run", argument)
    assert (status, out) == (2, "")
    assert says in err


@pytest.mark.parametrize(
    "words",
    [
        ("run", "circle"), ("replay", LINE, "-o", "circle"), ("rulebook", "paulista", "--project", "circle"),
        ("check", "./circle.truco"), ("words", "./circle.truco"), ("show", "./circle.truco"),
        ("run", LINE, "--spec", "circle.truco"), ("dispute", LINE, "--variants", "circle.truco"),
        ("format", "circle.truco"), ("test", "--cases", "circle"), ("test", "--report", "html:circle"),
        ("report", "circle"), ("new", "circle"), ("translate", "--project", "circle"),
        pytest.param(("site", "-o", "circle"), marks=pytest.mark.long),
    ],
    ids=str,
)  # fmt: skip
def test_links_that_lead_in_a_circle_are_one_message(ends, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    for name in ("circle", "circle.truco"):
        Path(name).symlink_to(name)
    status, out, err = ends(*words)
    assert (status, out) == (2, "")
    assert "circle" in err
    assert all(Path(name).is_symlink() for name in ("circle", "circle.truco"))


@pytest.mark.parametrize("words", [("check",), ("show",), ("run", LINE, "--spec"), ("dispute", LINE, "--variants")])
def test_rules_are_read_from_files_alone(ends, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.truco")
    status, out, err = ends(*words, "pipe.truco")
    assert (status, out) == (2, "")
    assert re.fullmatch(r"pipe\.truco: .*This is no ordinary file; write the text to one, and name that\.\n", err)


READERS = [("run",), ("explain",), ("format",), ("report",), ("compare",), ("dispute",), ("test", "--cases")]


@pytest.mark.sample(2)
@pytest.mark.parametrize("words", READERS, ids="-".join)
def test_a_pipe_to_which_nobody_writes_is_not_waited_for(ends, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(paths, "PATIENCE", 0.05)
    os.mkfifo("pipe.yaml")
    with alarm(60):
        status, out, err = ends(*words, "pipe.yaml")
    assert (status, out) == (2, "")
    assert re.fullmatch(r"pipe\.yaml: .*Nobody writes to this pipe; write the text to a file, and name that\.\n", err)


def test_a_slow_writer_to_a_pipe_is_waited_for(ends, monkeypatch):
    monkeypatch.setattr(paths, "PATIENCE", 0.05)
    reads, writes = os.pipe()

    def write():
        time.sleep(0.5)
        with os.fdopen(writes, "w") as pipe:
            pipe.write(LINE)

    writer = threading.Thread(target=write)
    writer.start()
    status, out, _ = ends("run", f"/dev/fd/{reads}")
    writer.join()
    os.close(reads)
    assert (status, out) == ends("run", LINE)[:2]


RUN = ("test", "-q", "--no-null", "--case", "pagat-paulista-deck-01", "--report")


@pytest.mark.parametrize("words", [("penalties", "paulista", "-o", "pipe"), (*RUN, "jsonl:pipe"), (*RUN, "tap:pipe")])
def test_a_pipe_that_nobody_reads_is_not_waited_for(ends, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(paths, "PATIENCE", 0.05)
    os.mkfifo("pipe")
    with alarm(60):
        status, _, err = ends(*words)
    assert (status, err) == (2, "pipe: error: This file cannot be written: Nobody reads this pipe; name a file.\n")


@pytest.mark.parametrize(("form", "begins"), [("tap", "TAP version"), ("jsonl", '{"event": "begin"')])
def test_what_is_written_to_a_pipe_of_the_shell_arrives(ends, form, begins):
    reads, writes = os.pipe()
    with os.fdopen(reads) as pipe:
        status, _, err = ends(*RUN, f"{form}:/dev/fd/{writes}")
        os.close(writes)
        assert (status, err) == (0, "")
        assert pipe.read().startswith(begins)


@pytest.mark.parametrize("verb", ["test", "fuzz", "fit", "perft"])
@pytest.mark.parametrize("seconds", ["nan", "inf"])
def test_a_time_that_never_ends_is_no_limit(ends, verb, seconds):
    status, out, err = ends(verb, "--timeout", seconds)
    assert (status, out) == (2, "")
    assert f"'{seconds}' is not a valid float" in err


# ---- explain --------------------------------------------------------------------------------------


def test_explain_names_rules_and_the_words_of_their_sources(ends):
    status, out, _ = ends("explain", FRIDAY, "--at", "3")
    assert status == 0
    assert out.startswith("3. davi aceito: permitted\n")
    assert "applies:" in out
    assert "@pagat:" in out


def test_explain_tells_of_all_moves(ends):
    _, out, _ = ends("explain", LINE)
    assert [line for line in out.splitlines() if line[:1].isdigit()] == [
        "1. bia 3C: permitted",
        "2. caio truco: permitted",
        "3. davi corro: permitted",
    ]


def test_explain_says_what_would_have_made_a_refused_move_legal(ends):
    status, _, err = ends("explain", REFUSED)
    assert status == 2
    assert "legal if by callers" in err


def test_explain_says_which_rule_forbade_what_an_umpire_let_happen(ends):
    status, out, _ = ends("explain", UMPIRE, "--at", "2")
    assert status == 1
    assert out.startswith("2. caio AC: forbidden\n")


def test_explain_knows_how_many_moves_there_are(ends):
    status, _, err = ends("explain", LINE, "--at", "9")
    assert (status, err) == (2, "There is no move 9: the log ends with move 3.\n")
    assert ends("explain", LINE, "--at", "9" * 400)[0] == 2


# ---- format ---------------------------------------------------------------------------------------


def test_the_shipped_specs_are_in_their_true_form(ends):
    files = [str(path) for path in sorted((ROOT / "spec").rglob("*.truco"))]
    assert ends("format", "--check", *files) == (0, "", "")


def test_format_changes_a_file_in_place_and_keeps_its_mode(ends, tmp_path):
    path = tmp_path / "house.truco"
    path.write_text(SPEC.replace("  title", "      title"))
    path.chmod(0o640)
    assert ends("format", "--check", str(path))[0] == 1
    assert ends("format", str(path))[0] == 0
    assert ends("format", "--check", str(path))[0] == 0
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["house.truco"]


def test_format_leaves_a_file_with_mistakes_as_it_is(ends, tmp_path):
    path, good = tmp_path / "bad.truco", tmp_path / "good.truco"
    path.write_text("variant { title }")
    good.write_text(SPEC.replace("  title", "    title"))
    status, _, err = ends("format", str(path), str(good))
    assert status == 2
    assert f"{path}:1:" in err
    assert path.read_text() == "variant { title }"
    assert ends("format", "--check", str(good))[0] == 0


def test_format_reads_the_standard_input(ends):
    _, out, _ = ends("format", "-", text=SPEC)
    assert ends("format", "-", text=out)[1] == out


def test_format_refuses_what_is_no_text(ends, tmp_path):
    path = tmp_path / "x.truco"
    path.write_bytes(b"variant \xff")
    assert ends("format", str(path))[2] == f"{path}:1:9: error: This is not UTF-8 text; save the file as UTF-8.\n"


# ---- check ----------------------------------------------------------------------------------------


@pytest.mark.long
def test_check_finds_a_variant_in_a_file_in_order(ends, tmp_path):
    path = tmp_path / "house.truco"
    path.write_text(SPEC)
    status, out, err = ends("check", str(path))
    assert status == 0, err
    assert out.startswith("house: in order")


@pytest.mark.long
def test_check_counts_the_doubts_in_a_text_of_ones_own_apart(ends, tmp_path):
    house = tmp_path / "house.truco"
    house.write_text("""variant house extends argentino {
      title "House"
      decision again resolves @pagat:mineiro.option.must-be-agreed-before-game "So." because "So."
      action slide(c : card) "{c} is slid." possible when c in cards(me)
      rule slide-card @decided:again "A card may be slid."
        in play by turn may slide(c) do move c to laid(current, me), then card-end
      closed @decided:again
    }""")
    status, told, said = ends("check", str(house), "--doubts")
    assert status == 0
    own = len(re.findall(r"house\.truco:\d+:\d+: note: .* can ", said))
    assert own > 0
    assert f" doubts, {own} of them in your text)" in told


def test_check_shows_a_mistake_in_its_line_and_ends_with_2(ends, tmp_path):
    path = tmp_path / "house.truco"
    path.write_text(MISTAKEN)
    status, out, err = ends("check", str(path))
    assert (status, out) == (2, "")
    assert f"{path}:3:7: error:" in err
    assert "set tarjet 15" in err


@pytest.mark.long
def test_of_several_each_is_reported_in_its_place_whichever_is_checked_first(ends, tmp_path):
    house, mistaken = tmp_path / "house.truco", tmp_path / "mistaken.truco"
    house.write_text(SPEC)
    mistaken.write_text(MISTAKEN)
    status, out, err = ends("check", str(house), str(mistaken), "paulist", str(house))
    assert status == 2
    assert [line.partition(":")[0] for line in out.splitlines()] == ["house", "house"]
    assert err.index(f"{mistaken}:3:7: error:") < err.index("paulista")


def test_check_knows_the_variants_by_name(ends):
    status, _, err = ends("check", "paulist")
    assert status == 2
    assert "paulista" in err


def test_run_of_a_position_alone_tells_the_score_once_and_judges_no_move(ends):
    cards = "ana 4C KS 2H, bia QD 5C 3S; turn ana; vira 5D"
    log = f"paulista | ana bia | position play; score ana 3; dealer bia; cards {cards}"
    status, out, _ = ends("run", log)
    assert (status, out.count("Score: ana 3, bia 0"), "permitted" in out) == (0, 1, False)
    _, out, _ = ends("run", f"{log} | ana 4C")
    assert (out.count("Score: ana 3, bia 0"), "Every move is permitted" in out) == (2, True)


UNSETTLED = {
    "en": "note: No rule refuses this position, but whether a game leads to it is not settled.",
    "pt": "nota: Nenhuma regra recusa esta posição, mas não se verificou se algum jogo leva a ela.",
    "es": "nota: Ninguna regla rechaza esta posición, pero no se comprobó si algún partido lleva a ella.",
}


@pytest.mark.parametrize("language", UNSETTLED)
@pytest.mark.parametrize("verb", ["run", "explain", "replay", "perft", "dispute"])
def test_whether_a_game_leads_to_a_position_that_no_rule_refuses_is_not_settled(ends, verb, language):
    whole, short = "cards ana 4C KS 2H, bia QD 5C 3S", "cards ana 4C KS, bia QD 5C 3S"
    log = "paulista | ana bia | position play; dealer bia; {}; turn ana; vira 5D | ana 4C"
    rules = ("--variants", "paulista") if verb == "dispute" else ()
    status, _, err = ends(verb, log.format(whole), *rules, "--lang", language)
    assert (status, err) == (0, f"<line>:1:22: {UNSETTLED[language]}\n")
    _, _, err = ends(verb, log.format(short), *rules, "--lang", language)
    assert UNSETTLED[language] not in err  # a card is missing: no rule could have dealt it so
    _, _, err = ends(verb, "paulista | ana bia | dealer bia | ana 4C", *rules, "--lang", language)
    assert err == ""


# ---- graph ----------------------------------------------------------------------------------------


def test_graph_refuses_an_unknown_option(ends):
    status, _, err = ends("graph", "paulista", "--option", "dek=clean")
    assert (status, "Did you mean “deck”?" in err) == (2, True)


def test_graph_refuses_what_is_no_setting(ends):
    status, _, err = ends("graph", "paulista", "--option", "deck")
    assert (status, "name=value" in err) == (2, True)


@pytest.mark.parametrize("verb", ["graph", "show", "words"])
def test_options_stand_behind_the_variant_or_are_given_by_name(ends, verb):
    behind = ends(verb, "paulista", "covering=never", "players=2")
    assert behind == ends(verb, "paulista", "--option", "covering=never", "-o", "players=2")
    assert behind == ends(verb, "paulista", "covering=never", "-o", "players=2") != ends(verb, "paulista")
    assert behind[0] == 0
    status, _, err = ends(verb, "paulista", "covering=never", "-o", "covering=any")
    assert (status, "given twice" in err) == (2, True)


def test_a_graph_is_written_to_the_standard_output_or_to_a_file(ends, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = ends("graph", "nowadays", "--output", "-")
    assert printed == ends("graph", "nowadays")
    assert ends("graph", "nowadays", "--output", "it.mmd") == (0, "", "")
    assert [path.read_text() for path in tmp_path.iterdir()] == [printed[1]]
    status, _, err = ends("graph", "nowadays", "--output", "nowhere/it.mmd")
    assert (status, err) == (2, "nowhere/it.mmd: error: This file cannot be written: No such file or directory.\n")


@pytest.mark.parametrize("arguments", [("build", "nowadays", "-o"), ("site", "-o"), ("fuzz", "--save")])
def test_no_folder_is_called_as_the_standard_output(ends, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    status, _, err = ends(*arguments, "-")
    assert (status, "Name a folder." in err) == (2, True)
    assert not list(tmp_path.iterdir())


# ---- show -----------------------------------------------------------------------------------------


@pytest.mark.long
def test_show_prints_a_spec_that_plays_without_what_it_extended(ends, tmp_path):
    (tmp_path / "ho\nuse.truco").write_text(SPEC)
    status, out, _ = ends("show", str(tmp_path / "ho\nuse.truco"))
    (tmp_path / "whole.truco").write_text(out)
    assert (status, "extends" in out) == (0, False)
    assert ends("run", "--spec", str(tmp_path / "whole.truco"), LINE)[1].startswith("Ours\n")


@pytest.mark.parametrize("arguments", [["check"], ["show"], ["diff", "paulista"]])
def test_a_folder_is_no_text_of_rules(ends, arguments, tmp_path):
    (tmp_path / "ours.truco").mkdir()
    status, _, err = ends(*arguments, str(tmp_path / "ours.truco"))
    assert (status, "This is a folder" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["paulsta"], "paulsta: error: There is no such variant. Did you mean “paulista”?"),
        (["cards"], "This is a part that variants share"),
        (["nowhere.truco"], "nowhere.truco: error: There is no such file."),
        (["paulista", "-o", "dek=clean"], "It has no option “dek”. Did you mean “deck”?"),
        (["paulista", "-o", "deck=filthy"], "The option “deck” is one of"),
        (["paulista", "-o", "deck"], "“deck” is not of the form name=value."),
    ],
)
def test_show_refuses_what_is_no_variant_or_option(ends, arguments, says):
    status, out, err = ends("show", *arguments)
    assert (status, out) == (2, "")
    assert says in err


def test_of_several_claims_none_is_judged_in_silence(ends):
    status, out, err = ends("dispute", LINE, "--claim", "bia wins the trick", "--claim", "ana wins the trick")
    assert (status, out) == (2, "")
    assert "One claim is judged at a time" in err


@pytest.mark.parametrize("asked", [("--help", "--lang", "es"), ("--lang=es", "-h"), ("--lang", "es", "--help")])
def test_help_is_in_the_language_that_is_asked_for_beside_it(ends, asked):
    status, out, _ = ends("run", *asked)
    assert status == 0
    assert out.startswith("Uso: truco-spec run [OPCIONES] LOG")

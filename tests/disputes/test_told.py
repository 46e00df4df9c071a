"""The renderings: one answer in three forms, in which text from outside is text; and the verb on the command line."""

from __future__ import annotations

import re

import pytest

from truco_spec.base import document
from truco_spec.cli import main
from truco_spec.cli.verbs.diff import WIDTH
from truco_spec.compare.disputes.agreement import agreements_of
from truco_spec.compare.disputes.answer import document_of
from truco_spec.compare.disputes.page import html_of
from truco_spec.compare.disputes.settle import settle
from truco_spec.logs.line import read_line

TIE = "paulista | ana bia caio davi | dealer ana | deal vira JH | bia 4D, caio 3C, davi 3D, ana 4S"
HOSTILE = (
    "paulista | ana bia caio davi | dealer ana | deal vira JH, <script>alert(1)</script> 3C | "
    "bia 4D, caio <img/src/onerror:alert(1)>"
)


def answer(line, rules="paulista,mineiro", claim=None):
    log = read_line(line)
    return settle(log, agreements_of(rules, log.options, log.variant), claim, most=10)


def text_of(answer):
    return document.text_of(document_of(answer), WIDTH)


def markdown_of(answer):
    return document.markdown_of(document_of(answer))


@pytest.fixture
def run(capsys):
    def ran(*words):
        with pytest.raises(SystemExit) as end:
            main(["dispute", *words])
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return ran


@pytest.mark.parametrize("form", [text_of, markdown_of, html_of])
def test_every_form_says_the_verdict_the_rule_the_clause_and_what_follows(form):
    told = re.sub(r"\s+", " ", form(answer(TIE, claim="caio leads next")).replace("\\", ""))
    for wanted in (
        "They part at move 4, ana 4S: leader.",
        "under mineiro; wrong under paulista.",
        "the player who led it leads again.",
        "@pagat:paulista.tie-leader-leads-again",
        "same player who led to the tied",
        "bia leads",
        "nobody has scored",
    ):
        assert wanted in told, wanted


@pytest.mark.long
def test_lines_are_no_wider_than_a_terminal():
    assert max(map(len, text_of(answer(TIE, "all")).splitlines())) <= WIDTH


@pytest.mark.parametrize("form", [html_of, markdown_of])
def test_what_comes_from_outside_is_text(form):
    told = form(answer(HOSTILE, claim="move 1 is legal"))
    assert told.count("<script") == (form is html_of)  # its own
    assert "alert(1)" in told
    assert "<img" not in told


@pytest.mark.long
def test_the_verb_answers_and_ends_well(run):
    status, out, _ = run(TIE, "--variants", "paulista,mineiro", "--claim", "caio leads next")
    assert (status, out.startswith("caio leads next: right under mineiro")) == (0, True)


@pytest.mark.parametrize("language", ["en", "pt", "es"])
def test_a_claim_is_understood_in_each_language_whatever_is_spoken(run, language):
    log = "paulista | ana bia | dealer bia | deal vira 5D | ana 3C, bia 4C"
    told = {
        run(log, "--variants", "paulista", "--lang", language, "--claim", claim)[1]
        for claim in ("ana takes the first trick", "ana ganhou a primeira vaza", "ana se lleva la primera")
    }
    assert len(told) == 1


@pytest.mark.long
def test_a_claim_that_is_right_nowhere_ends_negatively(run):
    assert run(TIE, "--variants", "paulista", "--claim", "move 1 is illegal")[0] == 1


@pytest.mark.long
def test_a_log_that_no_rules_take_ends_negatively(run):
    status, out, _ = run("paulista | ana bia caio davi | dealer ana | davi 4D", "--variants", "paulista,mineiro")
    assert status == 1
    assert "it stops at move 1: " in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([TIE, "--claim", "who knows"], "What can be claimed"),
        ([TIE, "--variants", "trucco"], "There is no variant “trucco”"),
        (["nonsense | ana bia | bia truco"], "There is no variant"),
        (["paulista | ana bia caio davi | bia"], "What does bia say or do?"),
        (["there-is-no-such-file.yaml"], "cannot be read"),
        (["paulista | ana bia | " + "bia truco, ana corro, " * 300 + "bia truco"], "a dispute is about 500 at most"),
        ([TIE + " \x1b]0;x\x07"], "error"),
    ],
)
def test_bad_input_is_one_message(run, words, told):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert told in err
    assert "Traceback" not in err
    assert "\x1b" not in err


def test_an_unknown_card_is_only_for_disputes(capsys):
    with pytest.raises(SystemExit) as end:
        main(["run", "paulista | ana bia caio davi | dealer ana | bia ??"])
    assert end.value.code == 2
    assert "truco-spec dispute" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("form", [text_of, markdown_of, html_of])
def test_every_form_says_on_what_a_verdict_rests_and_why_the_log_stops(form):
    def told(line, claim):
        return re.sub(r"\s+", " ", form(answer(line, claim=claim)).replace("\\", ""))

    same = "paulista | ana bia caio davi | dealer ana | deal vira JH | bia 3C, caio 4D, davi 4H, ana 4S"
    assert "@pagat:mineiro.trick.highest-card-wins" in told(same, "bia takes the trick")
    refused = told(f"{same}, davi 5S", "move 5 is legal")
    assert "@pagat:mineiro.play.any-card-may-be-played" in refused or "out-of-turn" in refused
    assert "@pagat:mineiro.special.when-a-team-has-11" in told(
        "paulista | ana bia caio davi | score ana 9, bia 11 | dealer ana | deal vira 5D | bia 3C", "move 1 is legal"
    )


@pytest.mark.long
def test_the_article_that_sets_an_option_is_quoted_where_its_value_decides(run, tmp_path):
    with pytest.raises(SystemExit):
        main(["new", str(tmp_path / "liga"), "--extends", "argentino", "--lang", "es"])
    rules = tmp_path / "liga" / "variants" / "liga.truco"
    text = re.sub(r"set tie-lead \w+ ", "set falta-basis leader ", rules.read_text(encoding="utf-8"))
    rules.write_text(text.replace("leader  ", "leader ", 1), encoding="utf-8")
    hand = "liga | ana beto | dealer beto | score ana 25, beto 3 | deal ana 7E 6E 4B, beto 4C 5B 10O"
    moves = "ana falta-envido, beto quiero, ana tengo 33, beto son-buenas"
    project = ("--project", str(tmp_path / "liga"))
    _, alone, _ = run(f"{hand} | {moves}", "--variants", "liga", "--claim", "ana scores 5", *project)
    _, both, _ = run(f"{hand} | {moves}", "--variants", "liga,argentino", "--lang", "es", *project)
    assert "@liga:article-1 (" in alone
    assert "@liga:article-1 “" in both
    assert "la opción falta-basis es el que va ganando la partida, así en liga" in " ".join(both.split())

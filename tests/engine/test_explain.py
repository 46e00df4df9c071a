"""The verdict on an action says which rules were consulted, which exception won, and what would have made it legal."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from table import after, at_random

from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import variant_names
from truco_spec.base.words import speaking
from truco_spec.books.book_words import spoken_in
from truco_spec.engine import Game
from truco_spec.engine.explain import Explainer, as_it_stands, explain
from truco_spec.engine.support import Action
from truco_spec.engine.text import value_text
from truco_spec.graph.load import load, load_text
from truco_spec.logs.explanation import explained
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

GOLDEN = Path(__file__).parent / "explained"
"""Texts as they are told. ``TOLD=anew pytest tests/engine/test_explain.py`` writes them; a person reads the diff."""

CASES = {
    "a-card-on-the-own-turn": ("mineiro | deal P2 4C | P1 3C", "P2 4C"),
    "a-call-out-of-turn": ("mineiro | P1 3C", "P3 truco"),
    "a-call-at-eleven": ("mineiro | score P1 11, P0 4 | P1 jogo", "P1 truco"),
    "a-raise-beyond-need": ("mineiro | score P1 7, P0 9 | P1 truco", "P2 vale-6"),
    "a-card-not-held": ("mineiro | deal P2 4C | P1 3C", "P2 3H"),
    "a-card-covered-too-early": ("mineiro | deal P2 4C | P1 3C", "P2 (4C)"),
    "a-raise-deferred": ("paulista | deal vira 7S | P1 truco, P2 aceito, P1 3C", "P2 seis"),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_told_so(name: str) -> None:
    log, action = CASES[name]
    told = after(log).why(action).text(whole=False) + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("TOLD") == "anew":
        path.write_text(f"# {log}: {action}\n{told}", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == f"# {log}: {action}\n{told}"


@pytest.mark.parametrize(
    ("language", "phase", "question"),
    [
        ("pt", "(a fase é play “Joga quem está na vez.”)", "= {P2}, por callers “Quem pede truco é o jogador da vez.”"),
        ("es", "(la fase es play “Juega quien tiene el turno.”)", "= {P2}, por callers “"),
    ],
)
def test_in_another_language_names_of_the_spec_are_told_once_with_their_sentences(
    language: str, phase: str, question: str
) -> None:
    game = after("mineiro | P1 3C")
    with speaking(spoken_in(language)):
        text = " ".join(game.why("P2 truco").text().split())
    assert phase in text
    assert text.count(question) == 1
    assert "“" not in game.why("P2 truco").text()


def test_what_is_not_in_the_game_is_told_in_the_language_that_is_spoken() -> None:
    game = after("paulista | P1 3C")
    action = Action(1, "nothing", ())
    with speaking(spoken_in("pt")):
        assert explain(game, action).legal_if == "isso existisse no jogo"


def test_a_permitted_action_needs_nothing_to_be_legal() -> None:
    verdict = after("mineiro | deal P2 4C | P1 3C").why("P2 4C")
    assert (verdict.status, verdict.legal, verdict.legal_if) == ("permitted", True, "")
    assert [rule.name for rule in verdict.deciding] == ["play-card"]
    assert "@pagat:mineiro.play.any-card-may-be-played" in [str(cite) for cite in verdict.clauses]


def test_an_exception_that_won_is_named_by_what_it_beat() -> None:
    verdict = after("mineiro | score P1 11, P0 4 | P1 jogo").why("P1 truco")
    assert verdict.status == "forbidden"
    assert [rule.name for rule in verdict.deciding] == ["brink-offence"]
    assert {rule.name: rule.beaten_by for rule in verdict.rules if rule.beaten_by} == {"truco.open": "brink-offence"}


def test_what_is_not_offered_tells_the_rule_that_comes_nearest_and_its_authority() -> None:
    verdict = after("mineiro | P1 3C").why("P3 truco")
    assert verdict.status == "not-offered"
    assert verdict.rules[0].name == "truco.open"
    assert "@pagat:mineiro.truco.only-on-own-turn" in [str(cite) for cite in verdict.clauses]
    assert verdict.legal_if == "by callers [that is P2] (truco.open)"


def test_a_condition_tells_what_it_read_and_what_it_asked() -> None:
    verdict = after("mineiro | score P1 7, P0 9 | P1 truco").why("P2 vale-6")
    (rule,) = verdict.deciding
    (score,) = [condition for condition in rule.conditions if "score" in condition.text]
    assert score.holds and score.text == "score(us) + truco.stakes(truco.offer) >= 12"
    assert "truco.offer = 1" in score.reads
    assert [(answer.question, answer.value) for answer in score.answers] == [("truco.stakes(1)", "3")]


@pytest.mark.parametrize("variant", variant_names())
def test_a_word_is_told_as_the_word_of_its_own_ladder(variant: str) -> None:
    graph = load(variant)
    explainer = Explainer(Game(graph))
    for kind in graph.actions.values():
        for param in kind.params[:1]:
            values = range(param.type.low, param.type.high + 1)
            for value in values if len(kind.params) == 1 else ():
                told = value_text(graph, param.type, value, explainer.game.players)
                rules = explainer.verdict(Action(0, kind.name, (value,))).rules
                names = {given for rule in rules for verb in graph.rules[rule.name].verbs for given in verb.args}
                reads = {read for rule in rules for condition in rule.conditions for read in condition.reads}
                said = {read for read in reads if read.split(" is ")[0] in names}
                assert said <= {f"{name} is {told}" for name in names}, kind.name


def test_of_a_question_asked_of_every_card_the_rarest_answers_are_listed() -> None:
    log = "paulista-wp | ana bia | dealer bia | score ana 11 | deal ana AC AH 5H, vira KD | ana jogo, ana mostro"
    *_, last = explained(Replay(read_line(log)))
    spent = [line.strip() for line in last.verdict.text().splitlines() if "- spent(" in line or " more" in line]
    assert spent[0].startswith("- spent(KD) = yes")
    assert len(set(spent)) < 10
    assert "- and 31 more" in spent


def test_an_answer_tells_which_exception_gave_it_and_over_what() -> None:
    game = after("mineiro | P1 3C, P2 2H, P3 KS, P0 5D, P1 KC, P2 truco, P3 aceito")
    verdict = game.why("P2 truco")
    stakes = [a for rule in verdict.rules for c in rule.conditions for a in c.answers if a.question == "stake"]
    assert {(answer.answer, answer.value, answer.beaten) for answer in stakes} == {("truco.stake", "3", ("stake",))}


@pytest.mark.parametrize(
    ("name", "legal_if"),
    [
        ("a-call-at-eleven", "not onze and not ferro"),
        ("a-raise-beyond-need", "score(us) + truco.stakes(truco.offer) < 12"),
        ("a-card-covered-too-early", "may-cover or in-the-dark"),
        ("a-card-not-held", "c in cards(me) (c = 3H, me = P2)"),
        ("a-card-on-the-own-turn", ""),
    ],
)
def test_what_would_make_it_legal_is_said_plainly(name: str, legal_if: str) -> None:
    log, action = CASES[name]
    assert after(log).why(action).legal_if == legal_if


def test_a_must_tells_what_it_asks_for() -> None:
    rules = """variant v { title "V"
      option players : 2* | 4 @house:table "How many."  seats players in 2 teams @house:table "They."
      order rank : 1 < 2 < 3 @house:table  order suit : D < S @house:table  deck pack : rank x suit @house:table
      phase start "It begins."  action pick(c : card) possible when c in pack written "{c}"
      rule any-card @house:table "Any card." in start by everyone may pick(c)
      rule threes @house:table "Threes first." in start by everyone must pick(c) when rank(c) is 3
    }"""
    game = Game(load_text(rules))
    assert game.why("P0 3D").legal
    assert game.why("P0 1D").legal_if == "it did what threes asks for: rank(c) is 3"


@pytest.mark.parametrize("variant", ["mineiro", "paulista"])
def test_the_verdict_agrees_with_the_ruling_on_anything(variant: str) -> None:
    for number, game in enumerate(at_random(variant, 2, actions=60, mode="umpire")):
        if number % 6:
            continue
        legal = set(game.legal_actions())
        for action in list(legal)[:5]:
            assert game.why(action).legal
        for text in ("P0 truco", "P1 3C", "P2 talk", "P3 (4D)", "P0 corro"):
            action = game.parse(text)
            verdict = game.why(action)
            assert verdict.legal == (action in legal)
            assert verdict.status == game.rule_on(action).status
            assert verdict.legal or verdict.legal_if or verdict.status == "forbidden"
            assert verdict.text()


@pytest.mark.sample(1)
@pytest.mark.parametrize("variant", ["mineiro", "paulista", "venezolano"])
def test_what_lacks_only_the_turn_is_the_same_with_and_without_the_whole_verdict(variant: str) -> None:
    found = set()
    for number, game in enumerate(at_random(variant, 2, actions=90, mode="umpire")):
        if number % 6:
            continue
        for text in (f"P{seat} {said}" for seat in range(4) for said in ("truco", "7D", "quiero", "corro")):
            try:
                action = game.parse(text)
            except TrucoError:
                continue
            rules = game.why(action).rules
            offers = [
                rule.missing for rule in rules if rule.shape == "may" and [c.kind for c in rule.missing] == ["by"]
            ]
            lacking = any(missing.reads != ("that is nobody",) for (missing,) in offers)
            assert Explainer(game).lacks_only_the_turn(action) == lacking
            found.add(lacking)
    assert found == {True, False}


def test_a_game_as_it_stands_is_explained_later() -> None:
    game = after("mineiro | deal P2 4C | P1 3C")
    then, told = as_it_stands(game), game.why("P2 4C")
    game.push_text("P2 4C")
    assert explain(then, game.history[-1].action) == told != game.why("P2 4C")

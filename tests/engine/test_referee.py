"""The referee: an actor without a seat, whose actions the rules permit, and for whom nobody waits."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tiny import linked, mistake

from bench.lockstep import Pairing
from truco_spec.base.document import text_of
from truco_spec.base.project import Project
from truco_spec.books.bundle import files_of
from truco_spec.engine import Action, Game, IllegalAction
from truco_spec.engine.ruling import ArgumentError
from truco_spec.engine.support import REFEREE
from truco_spec.engine.wasm.native import NativeGame, is_installed
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.logs.explanation import document_of, explained
from truco_spec.logs.line import LogError, read_line
from truco_spec.logs.replay import MoveRefused, Replay

CLUB = Path(__file__).parents[2] / "docs" / "examples" / "club"
WARNS = """
  datum warned(s : seat) : 0 .. 2
  action warn(s : seat) written "warns {s}"
  rule warning @decided:tiny "The referee warns a player, twice at most."
    by referee may warn(s) when warned(s) < 2 and not during later do warned(s) += 1
  rule second @decided:tiny "A second warning gives the others a point."
    on warn(s) when warned(s) is 1 do score(other(team(s))) += 1
  rule say @decided:tiny "Say so." in start by everyone may pass do then later
"""


@pytest.fixture
def club() -> Graph:
    Project.open(CLUB)
    return load("club")


def warn(seat: int) -> Action:
    return Action(REFEREE, "warn", (seat,))


@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_what_the_referee_does_is_permitted_by_rules_and_can_be_taken_back(mode: str) -> None:
    game = Game(linked(WARNS), players=["ana", "bia"], mode=mode)
    assert [action.verb for action in game.legal_actions()] == ["pass", "pass"]
    before = game.position[:]
    game.push(warn(1))
    assert (game.value("warned", 1), game.value("score", 0)) == (1, 0)
    assert game.awaited() == {0, 1}
    game.legal_actions()
    assert game.push_text("referee warns bia").rules == ("warning", "second")
    assert game.value("score", 0) == 1
    assert game.rule_on(warn(1)).status == "not-offered"
    assert not game.permits(warn(1))
    assert game.text(warn(0)) == "referee warns ana"
    assert [game.pop(), game.pop()] == [warn(1), warn(1)]
    assert game.position == before


def test_it_is_refused_where_no_rule_permits_it_or_a_seat_does_it() -> None:
    game = Game(linked(WARNS), players=["ana", "bia"])
    for action in (Action(0, "warn", (1,)), Action(-1, "warn", (1,)), Action(REFEREE, "pass")):
        assert game.rule_on(action).status == "not-offered"
    verdict = game.why(Action(0, "warn", (1,)))
    assert next((c.text, c.holds) for rule in verdict.rules for c in rule.conditions) == ("by referee", False)
    game.push_text("bia pass")
    with pytest.raises(IllegalAction, match="referee warns ana is not-offered"):
        game.push(warn(0))


def test_without_such_rules_there_is_no_referee() -> None:
    game = Game(load("paulista", players=2))
    with pytest.raises(ArgumentError, match="there is no seat -2"):
        game.why(Action(REFEREE, "truco"))
    with pytest.raises(LogError, match="There is no player “referee”"):
        Replay(read_line("paulista | ana bia | | referee truco"))
    with pytest.raises(LogError, match="“referee” is a word of the notation"):
        read_line("paulista | ana referee | | ana truco")


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (
            "action warn rule r @decided:tiny 'It.' by referee may warn rule s @decided:tiny 'It.' by turn may warn",
            "warn is an action of the referee, and of somebody else; give it two names",
        ),
        (
            "action warn rule r @decided:tiny 'It.' by referee may warn do score(them) += 1",
            "there is no name them",
        ),
        (
            "action warn rule r @decided:tiny 'A.' by referee may warn rule s @decided:tiny 'B.' on warn do turn = me",
            "there is no name me",
        ),
        (
            "action warn possible when me is turn rule r @decided:tiny 'It.' by referee may warn",
            "warn is possible by `me`, and the referee has no seat",
        ),
    ],
)
def test_the_referee_has_no_seat(statements: str, message: str) -> None:
    assert mistake(statements.replace("'", '"')) == message


def test_a_log_has_it_after_the_cards_and_between_the_moves(club: Graph) -> None:
    dealt = "club | ana bia caio davi | deal ana 4C 5C 6C, bia 4B 5B 6B, caio 4E 5E 10O, davi 4O 5O 11B | "
    replay = Replay(read_line(f"{dealt} referee advierte-a bia, bia 4B, referee advierte-a davi, caio 4E"), club)
    told = [step.observed["score"] for step in replay.steps()]
    assert told == [{"ana": points, "bia": 0} for points in (0, 0, 3, 3)]
    replay = Replay(read_line(f"{dealt} bia 4B, referee da-por-ausente-a bia"), club)
    replay.advance()
    with pytest.raises(MoveRefused) as refused:
        replay.advance()
    assert "is not permitted now" in refused.value.refusal.message
    assert "no-se-presenta" in refused.value.refusal.hint
    replay = Replay(read_line("club | ana bia caio davi | | referee da-por-ausente-a bia"), club)
    (step,) = replay.steps()
    assert step.observed["winner"] == "ana"


def test_an_explanation_tells_which_warning_it_was(club: Graph) -> None:
    warned = ", ".join(f"referee advierte-a {who}" for who in ("bia", "davi", "bia"))
    found = explained(Replay(read_line(f"club | ana bia caio davi | dealer davi | {warned}"), club))
    told = [re.findall(r"- (by .*)", text_of(document_of(club, move), 110))[0] for move in found]
    assert told == [
        "by advertencia: La primera advertencia a una pareja se anota.",
        "by segunda-advertencia, which beats advertencia: La segunda da tres tantos a la otra pareja.",
        "by tercera-advertencia, which beats advertencia: La tercera, el partido.",
    ]


def test_it_may_come_between_the_draw_for_the_deal_and_the_cards(club: Graph) -> None:
    for before in ("", "chance deals-first ana, "):
        replay = Replay(read_line(f"club | ana bia caio davi | dealer ana | {before}referee da-por-ausente-a bia"))
        assert [step.observed["winner"] for step in replay.steps()][-1] == "ana"
        assert [event.action.verb for event in replay.game.history].count("top") == 0


@pytest.mark.skipif(not is_installed(), reason="the extra truco-spec[native] is not installed")
@pytest.mark.parametrize("mode", [pytest.param("strict", marks=pytest.mark.long), "umpire"])
def test_the_second_body_knows_it_too(mode: str, club: Graph) -> None:
    graph = linked(WARNS)
    game, native = Game(graph, mode=mode), NativeGame(graph, mode=mode)
    for action in (warn(1), Action(0, "warn", (1,)), warn(1), warn(1), warn(5), Action(0, "pass"), warn(0)):
        status = game.rule_on(action).status
        assert native.push(action) == status
        if status == "permitted":
            game.push(action)
        assert list(native.position) == game.position
        assert native.legal_actions() == game.legal_actions()
    assert Pairing(club, mode, random.Random(5)).play(3)["hands"] >= 3


@pytest.mark.long
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
@pytest.mark.skipif(not is_installed(), reason="the extra truco-spec[native] is not installed")
def test_in_javascript_as_well(tmp_path: Path) -> None:
    for name, content in files_of(linked(WARNS)):
        (tmp_path / name).write_bytes(content)
    script = """
      const { Truco } = await import("./truco.js");
      const game = await Truco.load("./tiny", { players: ["ana", "bia"] });
      game.push("referee warns bia");
      const second = game.push("referee warns bia"), fired = game.rulesOfLastStep().map((rule) => rule.name);
      let third = "";
      try { game.push("referee warns bia"); } catch (error) { third = error.status; }
      console.log(JSON.stringify([second, fired, third, game.legalActions()]));
    """
    (tmp_path / "play.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run(["node", "play.mjs"], cwd=tmp_path, text=True, capture_output=True, check=True)
    assert json.loads(done.stdout) == ["permitted", ["warning", "second"], "not-offered", ["ana pass", "bia pass"]]

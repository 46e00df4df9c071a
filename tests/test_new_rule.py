"""A rule that no shipped game has, added in one text: ``docs/examples/first-manilha.truco`` and no line of Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from truco_spec.engine import Game
from truco_spec.graph.load import load, load_file
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

HOUSE = Path(__file__).parent.parent / "docs" / "examples" / "first-manilha.truco"


def played(moves: str, spec: Path | None = HOUSE, score: str = "", **options: str) -> Game:
    """The game after the moves of one hand."""
    graph = load_file(spec, **options) if spec else load("mineiro", **options)
    replay = Replay(read_line(f"mineiro | P0 P1 P2 P3 | dealer P0{score} | {moves}"), graph)
    for _ in replay.steps():
        pass
    return replay.game


def score(game: Game) -> dict[str, int]:
    found = game.observe()["score"]
    assert isinstance(found, dict)
    return {player: points for player, points in found.items() if isinstance(points, int)}


ZAP_THEN_HAND = "P1 3C, P2 4C, P3 KS, P0 5D, P2 3H, P3 QS, P0 6D, P1 2C"


def test_the_first_trick_taken_with_a_manilha_is_worth_one_more_when_the_hand_is_won() -> None:
    assert score(played(ZAP_THEN_HAND)) == {"P0": 2, "P1": 0}


def test_without_the_rule_the_same_hand_is_worth_one() -> None:
    assert score(played(ZAP_THEN_HAND, spec=None)) == {"P0": 1, "P1": 0}


def test_no_prize_for_a_manilha_in_the_second_trick() -> None:
    assert score(played("P1 3C, P2 2H, P3 KS, P0 5D, P1 7H, P2 3H, P3 QS, P0 6D")) == {"P0": 0, "P1": 1}


def test_no_prize_when_the_other_team_wins_the_hand() -> None:
    moves = "P1 3C, P2 4C, P3 KS, P0 5D, P2 4D, P3 3H, P0 6D, P1 2C, P3 3S, P0 QD, P1 QH, P2 4H"
    assert score(played(moves)) == {"P0": 0, "P1": 1}


def test_no_prize_when_the_manilha_lay_covered() -> None:
    moves = "P1 3C, P2 KH, P3 (4C), P0 5D, P1 3H, P2 KD, P3 QS, P0 6D"
    assert score(played(moves, covering="any")) == {"P0": 0, "P1": 1}


def test_the_prize_comes_on_top_of_a_raise_and_of_a_refusal() -> None:
    first = "P1 3C, P2 4C, P3 KS, P0 5D, P2 truco, P3"
    assert score(played(f"{first} aceito, P2 3H, P3 QS, P0 6D, P1 2C")) == {"P0": 4, "P1": 0}
    assert score(played(f"{first} corro")) == {"P0": 2, "P1": 0}


def test_the_prize_can_win_the_match() -> None:
    game = played(ZAP_THEN_HAND, score=" | score P0 10, P1 3")
    assert game.over
    assert game.observe()["winner"] == "P0"


def test_the_prize_is_told_with_its_sentence_and_authority() -> None:
    game = played(ZAP_THEN_HAND)
    fired = {name for step in game.history[-1].steps for name in step.rules}
    assert "manilha-prize" in fired
    rule = game.graph.rules["manilha-prize"]
    assert rule.source.prose == "Who took the first trick with a manilha and wins the hand scores one more."
    assert [str(cite) for cite in rule.source.cites] == ["@decided:first-manilha"]
    assert rule.source.lineage == ("first-manilha",)


def test_the_house_variant_inherits_everything_else() -> None:
    house, plain = load_file(HOUSE), load("mineiro")
    assert set(house.rules) - set(plain.rules) == {"manilha-prize"}
    assert set(plain.rules) <= set(house.rules)
    assert house.lineage == (*plain.lineage, "first-manilha")


@pytest.mark.parametrize("word", ["manilha-prize", "first-by-manilha"])
def test_no_python_knows_of_it(word: str) -> None:
    package = Path(__file__).parent.parent / "truco_spec"
    assert not [path for path in package.rglob("*.py") if word in path.read_text(encoding="utf-8")]

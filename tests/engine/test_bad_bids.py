"""Bids and declarations that cannot be, or not here: the message names them and their place, and the game stands."""

from __future__ import annotations

import pytest

from truco_spec.engine import Action, Game, IllegalAction
from truco_spec.engine.text import TextError
from truco_spec.logs.files import read
from truco_spec.logs.line import LogError, read_line
from truco_spec.logs.replay import MoveRefused, Replay

TWO = "argentino | P0 P1 | dealer P1 | deal P0 7O 6O 1E, P1 7C 5C 4B | "
BETTER = TWO.replace("argentino", "argentino told-counts=only-better")
FOUR = "argentino | P0 P1 P2 P3 | dealer P3 | deal P0 4E 12B 1C, P1 7O 6B 2E, P2 4C 11B 3E, P3 5C 10E 7B | "
ASKED = "P0 envido, P1 quiero"
"""P0 has to tell the points."""


def played(line: str) -> Replay:
    """The log, with all its moves played."""
    replay = Replay(read_line(line))
    list(replay.steps())
    return replay


def standing(table: str, moves: str, mode: str = "strict") -> Game:
    """The game after these moves, or at the beginning of the hand."""
    line = table.replace("| deal ", f"| mode {mode} | deal ") + moves
    replay = played(line.rstrip(" |"))
    if not moves:
        replay.deal_out()
    return replay.game


def telling(mode: str = "strict") -> Game:
    return standing(TWO, ASKED, mode)


def pointed_at(error: LogError) -> list[str]:
    """The parts of the log to which the mistakes point."""
    lines = error.text.splitlines()
    return [lines[d.span.line - 1][d.span.column - 1 : d.span.end_column - 1] for d in error.diagnostics]


# ---- no number -------------------------------------------------------------------------------------

NO_NUMBERS = [
    "tengo treinta", "tengo", "tengo 33 34", "tengo 3.5", "tengo -1", "tengo 51", "tengo 33O", "tengo 7O", "33",
    "tengo 9999999999999999999999", "tengo ٣٣", "tengo 0x21", "tengo none", "tengo envido",
]  # fmt: skip
"""What is no count: a word, nothing, too much of it, a card, a number that no count can be."""


@pytest.mark.parametrize("said", NO_NUMBERS)
def test_a_declaration_that_is_no_number_is_refused_where_it_stands(said: str) -> None:
    with pytest.raises(LogError) as caught:
        played(f"{TWO}{ASKED}, P0 {said}, P1 son-buenas")
    assert pointed_at(caught.value) == [f"P0 {said}"]
    (mistake,) = caught.value.diagnostics
    assert mistake.code == "unknown-word"
    assert said.split()[-1] in mistake.message
    assert mistake.hint


@pytest.mark.parametrize("said", NO_NUMBERS)
def test_to_ask_whether_it_would_be_refused_changes_nothing(said: str) -> None:
    replay = played(TWO + ASKED)
    before = list(replay.game.position)
    with pytest.raises(LogError):
        replay.refusal(f"P0 {said}")
    assert replay.game.position == before
    assert replay.refusal("P0 tengo 33") is None


@pytest.mark.parametrize("said", NO_NUMBERS)
def test_a_game_refuses_it_too_and_stands_as_before(said: str) -> None:
    game = telling()
    before, length = list(game.position), len(game.history)
    with pytest.raises(TextError, match=f"'{said}' is no card and no word of argentino"):
        game.push_text(f"P0 {said}")
    assert (game.position, len(game.history)) == (before, length)
    game.push_all("P0 tengo 33", "P1 son-buenas")


@pytest.mark.parametrize("mode", ["strict", "umpire"])
@pytest.mark.parametrize("args", [(51,), (-1,), (10**20,), (), (33, 34)])
def test_an_action_with_a_count_that_cannot_be_is_impossible_in_every_mode(mode: str, args: tuple[int, ...]) -> None:
    game = telling(mode)
    before, length = list(game.position), len(game.history)
    with pytest.raises(IllegalAction) as caught:
        game.push(Action(0, "tengo", args))
    assert caught.value.ruling.status == "impossible"
    assert (game.position, len(game.history)) == (before, length)


def test_every_bad_word_of_a_log_is_told_at_once() -> None:
    with pytest.raises(LogError) as caught:
        played(f"{TWO}P0 embido, P1 quiero, P0 tengo mucho, P1 son-malas")
    assert pointed_at(caught.value) == ["P0 embido", "P0 tengo mucho", "P1 son-malas"]
    assert "envido" in caught.value.diagnostics[0].hint


# ---- a bid out of place ----------------------------------------------------------------------------

OUT_OF_PLACE = {
    "nothing was called": (TWO, "", "P1 quiero"),
    "nothing was called, nothing is refused": (TWO, "", "P1 no-quiero"),
    "nothing was called, nothing is told": (TWO, "", "P0 tengo 33"),
    "nobody has told anything": (TWO, ASKED, "P0 son-buenas"),
    "after the own first card": (TWO, "P0 7O", "P0 envido"),
    "in the second trick": (TWO, "P0 7O, P1 4B", "P1 falta-envido"),
    "by who is no pie": (FOUR, "P0 4E", "P1 envido"),
    "after an accepted truco": (TWO, "P0 truco, P1 quiero", "P1 envido"),
    "by who called the truco": (TWO, "P0 truco", "P0 envido"),
    "to the own call": (TWO, "P0 envido", "P0 real-envido"),
    "below the last word": (TWO, "P0 real-envido", "P1 envido"),
    "above the falta": (TWO, "P0 falta-envido", "P1 real-envido"),
    "after quiero": (TWO, ASKED, "P1 real-envido"),
    "after no quiero": (TWO, "P0 envido, P1 no-quiero", "P1 envido"),
    "a card before the answer": (TWO, "P0 7O, P1 envido", "P1 4B"),
    "the dealer tells first": (TWO, ASKED, "P1 tengo 32"),
    "less than the best": (BETTER, f"{ASKED}, P0 tengo 33", "P1 tengo 32"),
    "as much as the mano": (BETTER, f"{ASKED}, P0 tengo 33", "P1 tengo 33"),
    "twice": (TWO, f"{ASKED}, P0 tengo 20", "P0 tengo 33"),
    "the last passes and nobody has told": (TWO, f"{ASKED}, P0 paso", "P1 paso"),
    "no cause to object": (TWO, f"{ASKED}, P0 tengo 33, P1 son-buenas, P0 1E, P1 mazo, P0 en-mesa", "P1 reclamo"),
}


@pytest.mark.parametrize("why", OUT_OF_PLACE)
def test_a_bid_out_of_place_is_refused_where_it_stands(why: str) -> None:
    table, before, bad = OUT_OF_PLACE[why]
    replay = Replay(read_line(table + ", ".join(filter(None, [before, bad]))))
    for _ in filter(None, before.split(",")):
        replay.advance()
    stood, length = list(replay.game.position), len(replay.game.history)
    with pytest.raises(MoveRefused) as caught:
        replay.advance()
    assert pointed_at(caught.value) == [bad]
    (mistake,) = caught.value.diagnostics
    assert mistake.code in ("not-now", "not-your-turn")
    assert f"“{bad}”" in mistake.message
    assert "Permitted now: " in mistake.hint
    assert (replay.game.position, len(replay.game.history)) == (stood, length)


@pytest.mark.parametrize("why", OUT_OF_PLACE)
def test_a_game_refuses_a_bid_out_of_place_and_stands_as_before(why: str) -> None:
    table, before, bad = OUT_OF_PLACE[why]
    game = standing(table, before)
    stood, length = list(game.position), len(game.history)
    with pytest.raises(IllegalAction, match=f"{bad} is (not-offered|forbidden)"):
        game.push_text(bad)
    assert (game.position, len(game.history)) == (stood, length)


@pytest.mark.parametrize("why", OUT_OF_PLACE)
def test_an_umpire_notes_it_and_nothing_changes(why: str) -> None:
    table, before, bad = OUT_OF_PLACE[why]
    game = standing(table, before, "umpire")
    stood = list(game.position)
    assert game.push_text(bad).status in ("not-offered", "forbidden")
    assert game.position == stood


def test_the_message_says_whose_turn_it_is_or_which_rule_forbids_it() -> None:
    wanted = {
        "the dealer tells first": "“P1 tengo 32” is out of turn: it is for P0 to speak or play.",
        "to the own call": "“P0 real-envido” is out of turn: it is for P1 to speak or play.",
        "after the own first card": "“P0 envido” is forbidden now: .* \\(envido-too-late\\)",
        "by who is no pie": "“P1 envido” is forbidden now: .* \\(envido-by-pies\\)",
        "above the falta": "“P1 real-envido” is not offered now.",
    }
    for why, message in wanted.items():
        table, before, bad = OUT_OF_PLACE[why]
        with pytest.raises(MoveRefused, match=message):
            played(f"{table}{before}, {bad}")


def test_in_a_file_the_message_names_the_line() -> None:
    text = """truco: 1
variant: argentino
players: [ana, bia]
dealer: bia
hands:
  - deal: {ana: 7O 6O 1E, bia: 7C 5C 4B}
    moves:
      - ana envido, bia quiero
      - ana tengo 33, bia envido
"""
    with pytest.raises(MoveRefused) as caught:
        list(Replay(read(text, "game.yaml")).steps())
    (mistake,) = caught.value.diagnostics
    assert (mistake.span.file, mistake.span.line) == ("game.yaml", 9)
    assert pointed_at(caught.value) == ["bia envido"]
    with pytest.raises(LogError) as unread:
        Replay(read(text.replace("33", "muchos"), "game.yaml"))
    assert (unread.value.diagnostics[0].span.line, pointed_at(unread.value)) == (9, ["ana tengo muchos"])

"""A move that is refused when the hand is over: the message speaks of that hand, not of the next deal."""

from __future__ import annotations

import pytest

from truco_spec.logs.line import read_line
from truco_spec.logs.replay import MoveRefused, Replay

TABLE = "argentino | P0 P1 | dealer P1 | deal P0 7O 6O 1E, P1 7C 5C 4B | "
TOLD = "P0 envido, P1 quiero, P0 tengo 33, P1 son-buenas, P0 1E, P1 mazo"
"""The hand is over, and P0 has the points of the envido to show."""


def refused(moves: str) -> tuple[str, str]:
    replay = Replay(read_line(TABLE + moves))
    for _ in moves.split(",")[1:]:
        replay.advance()
    stood, come = list(replay.game.position), replay.dealer.mark()
    with pytest.raises(MoveRefused) as caught:
        replay.advance()
    assert (replay.game.position, replay.dealer.mark()) == (stood, come)
    asked = replay.refusal(moves.rpartition(",")[2])
    assert asked is not None
    assert (replay.game.position, replay.dealer.mark()) == (stood, come)
    assert asked == caught.value.refusal
    return asked.message, asked.hint


def test_what_could_be_shown_is_told_not_what_the_next_hand_permits() -> None:
    message, hint = refused(f"{TOLD}, P0 las-jugadas")
    assert message == "“P0 las-jugadas” is not offered now."
    assert hint.startswith("What could permit it does not apply: If the cards that lie open on the table")
    assert " (cards-are-there). " in hint
    assert hint.endswith(" Permitted now: P0 en-mesa, P0 no-muestro.")


def test_it_speaks_of_where_somebody_had_a_say() -> None:
    message, hint = refused(f"{TOLD}, P1 reclamo")
    assert message == "“P1 reclamo” is not offered now."
    assert hint.endswith(" Permitted now: P0 en-mesa, P0 no-muestro. It is permitted after P0 no-muestro.")


@pytest.mark.parametrize("moves", [f"{TOLD}, P0 en-mesa, P1 reclamo", "P0 mazo, P1 quiero"])
def test_where_nobody_had_a_say_the_deal_comes_first(moves: str) -> None:
    message, hint = refused(moves)
    assert message == f"“{moves.rpartition(', ')[2]}” is not offered now."
    assert hint == "Permitted now: nothing, until the next cards have come."


def test_what_is_forbidden_in_the_next_hand_is_told_of_the_next_hand() -> None:
    replay = Replay(read_line("paulista | a b c d | dealer a | b truco, c corro, b 3C"))
    with pytest.raises(MoveRefused, match=r"“b 3C” is forbidden now: .* \(out-of-turn\)"):
        list(replay.steps())


def test_the_first_deal_is_no_next_deal() -> None:
    replay = Replay(read_line("paulista | a b c d | dealer a | a shuffle, b 3C"))
    replay.advance()
    refusal = replay.refusal("b aceito")
    assert refusal is not None
    assert "b 3C" in refusal.hint


def test_an_umpire_notes_it_before_the_next_deal() -> None:
    line = TABLE.replace("| deal ", "| mode umpire | deal ") + f"{TOLD}, P1 reclamo | deal P1 3E 2E 7E | P1 3E"
    steps = list(Replay(read_line(line)).steps())
    assert [step.event.status for step in steps[-2:]] == ["not-offered", "permitted"]
    assert {("P1", "3E"), ("P1", "2E")} <= set(steps[-1].dealt)

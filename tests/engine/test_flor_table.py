"""The whole table of the flor's bets, as the engine plays it, beside one written by hand from its clauses.

wikipedia:argentino.flor-table says what each sequence of calls is worth, by the number of flores that each side has
announced. Here the engine is asked for every sequence there is, by everyone who holds a flor and may keep it hidden;
and what it is worth is read from the tables below, which were copied from the clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from truco_spec.engine import Action, Game, IllegalAction
from truco_spec.engine.text import TextError
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

Words = tuple[str, ...]
Flores = tuple[int, int]
"""How many flores the side X that called the first and the other side Y have announced."""

HIDE, SIMPLE, ACHICO, CONTRA, RESTO = "callo", "flor", "con-flor-me-achico", "contraflor", "contraflor-al-resto"
WANTED, STANDS = "con-flor-quiero", "asi-queda"

# ---- the clause, by hand ---------------------------------------------------------------------------

ALONE = {1: 3, 2: 6, 3: 9}
"""Flor, and no other side has one: X scores so much."""
COMPARED = {(1, 1): 6, (2, 1): 9, (1, 2): 9, (2, 2): 12}
"""Flor and flor; or contraflor, con flor quiero: the best flor scores so much, and al resto so much beside R."""
X_HAS_WON = {(1, 1): 4, (2, 1): 7, (1, 2): 4, (2, 2): 7}
"""Y says con flor me achico, to whatever."""
Y_HAS_WON = {(1, 1): 4, (2, 1): 4, (1, 2): 7, (2, 2): 7}
"""X says it."""
X_BEST = {(1, 1): 3, (2, 1): 6, (1, 2): 3, (2, 2): 6}
"""The other reading of flor-points-basis: the winner's own flores count, here X's."""
Y_BEST = {(1, 1): 3, (2, 1): 3, (1, 2): 6, (2, 2): 6}

Y_CLOSES: dict[Words, str] = {
    (ACHICO,): "X",
    (CONTRA, WANTED): "best",
    (CONTRA, ACHICO): "Y",
    (CONTRA, RESTO, WANTED): "best and R",
    (CONTRA, RESTO, ACHICO): "X",
    (RESTO, WANTED): "best and R",
    (RESTO, ACHICO): "Y",
}
"""What a player of Y may begin in turn, with all that can follow, and whose points it makes."""
X_RAISES: dict[Words, str] = {
    (CONTRA, WANTED): "best",
    (CONTRA, ACHICO): "X",
    (CONTRA, RESTO, WANTED): "best and R",
    (CONTRA, RESTO, ACHICO): "Y",
    (RESTO, WANTED): "best and R",
    (RESTO, ACHICO): "X",
}
"""What X may begin once Y has said flor."""
X_CLOSES: dict[Words, str] = {(ACHICO,): "Y", **X_RAISES}
"""The same of a partner of the first caller in turn."""
X_CLOSES_LAST: dict[Words, str] = {(STANDS,): "best", **X_RAISES}
"""The same of the first caller, when both sides have said flor and no more."""
REST = {(0, 0): 30, (12, 20): 10, (15, 15): 15, (28, 28): 2, (29, 10): 1}
"""R at these scores of X and Y: what the leading side lacks of thirty."""

# ---- the table that follows from it ----------------------------------------------------------------


def written(players: int, best: str, basis: str, rest: int, raises: bool = True) -> dict[Words, tuple[int, int]]:
    """Every sequence of words after the first flor, when all hold one and anyone may hide his: points of X and Y."""
    table: dict[Words, tuple[int, int]] = {}
    others = players - 1
    for said in product((SIMPLE, HIDE), repeat=others):
        x = 1 + said[1::2].count(SIMPLE)
        y = said[0::2].count(SIMPLE)
        if not y:
            table[said] = (ALONE[x], 0)
        elif raises:
            table |= {said + tail: _points(whose, (x, y), best, basis, rest) for tail, whose in X_CLOSES_LAST.items()}
        else:
            table[said] = _points("best", (x, y), best, basis, rest)
    for before in range(others):
        for said in product((SIMPLE, HIDE), repeat=before):
            x, y = 1 + said[1::2].count(SIMPLE), said[0::2].count(SIMPLE)
            flores, closes = ((x + 1, y), X_CLOSES if y else {}) if before % 2 else ((x, y + 1), Y_CLOSES)
            table |= {said + tail: _points(whose, flores, best, basis, rest) for tail, whose in closes.items()}
    return table


def _points(whose: str, flores: Flores, best: str, basis: str, rest: int) -> tuple[int, int]:
    if whose == "X":
        return X_HAS_WON[flores], 0
    if whose == "Y":
        return 0, Y_HAS_WON[flores]
    own = X_BEST if best == "X" else Y_BEST
    points = (COMPARED if basis == "all-announced" else own)[flores] + (rest if whose == "best and R" else 0)
    return (points, 0) if best == "X" else (0, points)


# ---- the table that the engine plays ---------------------------------------------------------------

HIGH, LOW = ("7O 6O 1O", "7B 5B 1B"), ("5E 4E 12E", "5C 3C 11C")
"""34 and 33, 29 and 28."""


def game_of(players: int, best: str, score: tuple[int, int] = (0, 0), options: str = "") -> Game:
    """All hold a flor, those of one side better than all of the other; P0, of X and the mano, has said flor."""
    x, y = (HIGH, LOW) if best == "X" else (LOW, HIGH)
    deal = ", ".join(f"P{n} {(y if n % 2 else x)[n // 2]}" for n in range(players))
    names = " ".join(f"P{n}" for n in range(players))
    log = f"dealer P{players - 1} | score P0 {score[0]}, P1 {score[1]} | deal {deal} | P0 flor"
    replay = Replay(read_line(f"argentino players={players} {options} | {names} | {log}"))
    for _ in replay.steps():
        pass
    return replay.game


def played(game: Game, said: Words = ()) -> Iterator[tuple[Words, tuple[int, int]]]:
    """Every sequence of words that closes the bets in this game, with the points that each side has then gained."""
    choices = [action for action in game.legal_actions() if action.verb in BETS]
    if not choices:
        yield said, _told(game)
        return
    assert len({action.actor % 2 for action in choices}) == 1, "only one side is asked"
    for verb in dict.fromkeys(action.verb for action in choices):
        outcomes: set[tuple[tuple[Words, tuple[int, int]], ...]] = set()
        for action in choices:
            if action.verb == verb:
                game.push(action)
                outcomes.add(tuple(played(game, (*said, game.text(action).partition(" ")[2]))))
                game.pop()
        assert len(outcomes) == 1, f"{said} {verb}: it matters which partner says it"
        yield from outcomes.pop()


BETS = {HIDE, SIMPLE, ACHICO, CONTRA, RESTO, WANTED, STANDS}


def _told(game: Game) -> tuple[int, int]:
    """The score when all have told their flores, each the truth if it is better and son buenas if it is not."""
    count = 0
    while telling := [action for action in game.legal_actions() if action.verb in ("tengo", "son-buenas", "paso")]:
        game.push(min(telling, key=lambda action: ("tengo", "son-buenas", "paso").index(action.verb)))
        count += 1
    score: Any = game.observe()["score"]
    for _ in range(count):
        game.pop()
    return score["P0"], score["P1"]


def gained(game: Game, score: tuple[int, int]) -> dict[Words, tuple[int, int]]:
    return {words: (x - score[0], y - score[1]) for words, (x, y) in played(game)}


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("basis", ["all-announced", "winner-only"])
@pytest.mark.parametrize("best", ["X", "Y"])
def test_every_sequence_of_bets_is_worth_what_the_clause_says(players: int, basis: str, best: str) -> None:
    engine = gained(game_of(players, best, options=f"flor-points-basis={basis}"), (0, 0))
    assert engine == written(players, best, basis, REST[0, 0])


@pytest.mark.parametrize("score", REST)
@pytest.mark.parametrize("best", ["X", "Y"])
def test_al_resto_adds_what_the_leading_side_lacks(score: tuple[int, int], best: str) -> None:
    engine = gained(game_of(2, best, score), score)
    assert engine == written(2, best, "all-announced", REST[score])


@pytest.mark.parametrize("players", [2, 4])
def test_without_the_first_callers_last_word_simple_flores_are_compared(players: int) -> None:
    engine = gained(game_of(players, "X", options="flor-raise-after-simple-reply=not-allowed"), (0, 0))
    assert engine == written(players, "X", "all-announced", REST[0, 0], raises=False)


def test_three_flores_of_one_side_are_nine() -> None:
    deal = "P0 7O 6O 1O, P1 7B 6C 1E, P2 5E 4E 12E, P3 1B 6B 4O, P4 5C 3C 11C, P5 2B 2C 3O"
    names = "P0 P1 P2 P3 P4 P5"
    moves = "P0 flor, P1 callo, P2 flor, P3 callo, P4 flor, P5 callo"
    replay = Replay(read_line(f"argentino players=6 | {names} | dealer P5 | deal {deal} | {moves}"))
    assert [step.observed["score"] for step in replay.steps()][-1] == {"P0": ALONE[3], "P1": 0}


# ---- what is not there -----------------------------------------------------------------------------

NO_FLOR = "P0 7O 3O 12E, P1 5E 4E 10B"
FALSE = ["P0 flor", "P1 flor", "P0 contraflor", "P0 contraflor-al-resto", "P0 con-flor-me-achico"]


def table(mode: str, options: str = "", moves: str = "") -> Game:
    log = f"argentino players=2 {options} | P0 P1 | dealer P1 | mode {mode} | deal {NO_FLOR} | {moves}"
    replay = Replay(read_line(log))
    replay.settle()
    for _ in replay.steps():
        pass
    return replay.game


@pytest.mark.parametrize("said", FALSE)
@pytest.mark.parametrize("price", ["call-rejected", "penalised"])
def test_a_strict_table_refuses_a_flor_that_is_none_and_stands_as_before(said: str, price: str) -> None:
    game = table("strict", f"false-flor={price}")
    before, length = game.position[:], len(game.history)
    with pytest.raises(IllegalAction):
        game.push_text(said)
    assert (game.position[:], len(game.history)) == (before, length)


@pytest.mark.parametrize("said", FALSE)
def test_before_an_umpire_it_changes_nothing_where_it_has_no_price(said: str) -> None:
    game = table("umpire")
    before = game.position[:]
    game.push_text(said)
    assert game.position[:] == before


@pytest.mark.parametrize("said", FALSE)
def test_before_an_umpire_its_price_is_all_that_it_changes(said: str) -> None:
    game = table("umpire", "false-flor=penalised")
    free = table("umpire")
    game.push_text(said)
    team = int(said[1])
    assert game.observe()["score"] == {f"P{team}": 0, f"P{1 - team}": 3}
    assert list(map(game.text, game.legal_actions())) == list(map(free.text, free.legal_actions()))


@pytest.mark.parametrize(
    "said", ["P0 tengo 34", "P0 son-buenas", "P0 con-flor-quiero", "P0 asi-queda", "P0 callo", "P1 pido-flor P0"]
)
@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_what_answers_nothing_changes_nothing(said: str, mode: str) -> None:
    game = table(mode)
    before = game.position[:]
    try:
        game.push_text(said)
    except IllegalAction:
        assert mode == "strict"
    assert game.position[:] == before


@pytest.mark.parametrize("said", ["P0 tengo 51", "P0 pido-flor P7", "P0 muestro 8O", "P0 floor", "P0 flor flor", ""])
def test_what_nobody_can_say_is_no_move(said: str) -> None:
    game = table("umpire")
    before = game.position[:]
    with pytest.raises(TextError):
        game.push_text(said)
    assert game.position[:] == before


def test_only_a_card_that_is_held_is_shown() -> None:
    game = table("strict", moves="P0 7O, P1 5E, P1 pido-flor P0")
    assert {game.text(action) for action in game.legal_actions(0)} == {"P0 muestro 3O", "P0 muestro 12E"}
    for wrong in ("P0 muestro 4E", "P1 muestro 4E"):
        with pytest.raises(IllegalAction):
            game.push_text(wrong)
    assert isinstance(game.parse("P0 muestro 12E"), Action)

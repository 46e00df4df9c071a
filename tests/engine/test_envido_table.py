"""The envido as the rules have it, beside tables written by hand: its chains, its falta, the counts of its hands.

What can be said in turn is asked of the game, word by word, so a chain that the rules let through and the table does
not have is found as well as one that they refuse.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from truco_spec.engine import Game
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

BEST, SECOND = ("7O 6O 1E", "33"), ("7C 5C 4B", "32")
"""Two hands, and what each counts."""

Chain = tuple[str, ...]
LETTERS = {"E": "envido", "R": "real-envido", "F": "falta-envido"}
MOST = {"envido": 3, "real-envido": 2, "falta-envido": 1}
"""How far the table goes."""


class Worth(NamedTuple):
    """A row of the table: accepted is None for a falta."""

    accepted: int | None
    refused: int
    bare: int
    usual: bool


def rows() -> dict[Chain, Worth]:
    """The table written by hand, by its chains."""
    found = {}
    for line in (Path(__file__).parent / "envido_table.txt").read_text(encoding="utf-8").splitlines():
        if line[:1] in LETTERS:
            *letters, accepted, refused, bare, usual = line.split()
            worth = Worth(None if accepted == "FALTA" else int(accepted), int(refused), int(bare), usual == "yes")
            found[tuple(LETTERS[letter] for letter in letters)] = worth
    return found


TABLE = rows()


def table(variant: str, scores: tuple[int, int] = (0, 0), best: str = "P0") -> Game:
    """Two players before the first card; P0 is the mano. ``best`` holds the better hand."""
    hands = (BEST, SECOND) if best == "P0" else (SECOND, BEST)
    deal = ", ".join(f"{player} {cards}" for player, (cards, _) in zip(("P0", "P1"), hands, strict=True))
    replay = Replay(read_line(f"{variant} | P0 P1 | dealer P1 | score P0 {scores[0]}, P1 {scores[1]} | deal {deal}"))
    replay.deal_out()
    return replay.game


def score(game: Game) -> tuple[int, int]:
    return game.value("score", 0), game.value("score", 1)


def settle(game: Game, best: str = "P0") -> None:
    """Both tell the points of an accepted envido truly."""
    game.push_all(*(("P0 tengo 33", "P1 son-buenas") if best == "P0" else ("P0 tengo 32", "P1 tengo 33")))


def chains(game: Game, said: Chain = ()) -> Iterator[tuple[Chain, str]]:
    """Every chain that can be said from here, within the bounds of the table, and who answers it; the game is there."""
    first = not said
    for action in game.legal_actions(0 if first else None):
        who, word = game.text(action).split(maxsplit=1)
        if word not in MOST or said.count(word) >= MOST[word]:
            continue
        game.push(action)
        chain = (*said, word)
        yield chain, "P1" if who == "P0" else "P0"
        yield from chains(game, chain)
        game.pop()


def worth(game: Game, answering: str) -> tuple[int, int]:
    """What the chain that waits for its answer scores, accepted and refused."""
    before = score(game)
    game.push_text(f"{answering} quiero")
    settle(game)
    accepted = score(game)[0] - before[0]
    for _ in range(3):
        game.pop()
    game.push_text(f"{answering} no-quiero")
    after = score(game)
    game.pop()
    caller = 1 if answering == "P0" else 0
    assert after[1 - caller] == before[1 - caller]
    return accepted, after[caller] - before[caller]


def read_off(variant: str) -> dict[Chain, tuple[int, int]]:
    """The table as the rules have it: accepted and refused, by chain."""
    game = table(variant)
    return {chain: worth(game, answering) for chain, answering in chains(game)}


# ---- every chain -------------------------------------------------------------------------------------


def test_the_table_by_hand_has_every_chain_within_its_bounds() -> None:
    ways = itertools.product(range(4), range(3), range(2))
    wanted = {("envido",) * e + ("real-envido",) * r + ("falta-envido",) * f for e, r, f in ways} - {()}
    assert set(TABLE) == wanted
    assert len(TABLE) == 23


def test_the_table_by_hand_follows_from_what_each_word_adds() -> None:
    for chain, row in TABLE.items():
        added = [{"envido": 2, "real-envido": 3}.get(word, 0) for word in chain]
        before = sum(added[:-1])
        assert row[:3] == (None if chain[-1] == "falta-envido" else sum(added), before + 1, max(1, before))


@pytest.mark.parametrize("variant", ["argentino", "uruguayo", "venezolano", "paraguayo"])
def test_every_chain_is_worth_what_the_table_says(variant: str) -> None:
    falta = 30 if variant == "paraguayo" else 15
    wanted = {chain: (falta if row.accepted is None else row.accepted, row.refused) for chain, row in TABLE.items()}
    assert read_off(variant) == wanted


def test_by_the_other_reading_a_refusal_pays_what_was_accepted_and_at_least_one() -> None:
    wanted = {chain: (15 if row.accepted is None else row.accepted, row.bare) for chain, row in TABLE.items()}
    assert read_off("argentino envido-refused-raise=accepted-only") == wanted


def test_with_two_envidos_and_one_real_envido_the_usual_rows_are_left() -> None:
    wanted = {c: (15 if row.accepted is None else row.accepted, row.refused) for c, row in TABLE.items() if row.usual}
    assert read_off("argentino envido-repeat-limit=2 real-envido-repeat-limit=1") == wanted


def test_where_envido_alone_opens_the_rows_that_begin_with_it_are_left() -> None:
    wanted = {chain for chain in TABLE if chain[0] == "envido"}
    assert set(read_off("argentino envido-opening-calls=envido-only")) == wanted


# ---- falta: by the loser, by the leader --------------------------------------------------------------

BY_LOSER = {
    0: 15, 1: 14, 2: 13, 3: 12, 4: 11, 5: 10, 6: 9, 7: 8, 8: 7, 9: 6, 10: 5, 11: 4, 12: 3, 13: 2, 14: 1,
    15: 15, 16: 14, 17: 13, 18: 12, 19: 11, 20: 10, 21: 9, 22: 8, 23: 7, 24: 6, 25: 5, 26: 4, 27: 3, 28: 2, 29: 1,
}  # fmt: skip
"""wikipedia:argentino.falta-table: the score of the loser, and what the winner scores."""
BY_LEADER = {
    0: 30, 1: 29, 2: 28, 3: 27, 4: 26, 5: 25, 6: 24, 7: 23, 8: 22, 9: 21, 10: 20, 11: 19, 12: 18, 13: 17, 14: 16,
    15: 15, 16: 14, 17: 13, 18: 12, 19: 11, 20: 10, 21: 9, 22: 8, 23: 7, 24: 6, 25: 5, 26: 4, 27: 3, 28: 2, 29: 1,
}  # fmt: skip
"""wikipedia:paraguayo.falta-leader: the score of the team nearest to 30, and what the winner scores."""


def falta(variant: str, scores: tuple[int, int], best: str) -> int:
    """What the winner of a falta envido scores."""
    game = table(variant, scores, best)
    game.push_all("P0 falta-envido", "P1 quiero")
    settle(game, best)
    winner = int(best[1])
    assert score(game)[1 - winner] == scores[1 - winner]
    return score(game)[winner] - scores[winner]


@pytest.mark.parametrize("variant", ["argentino", "uruguayo", "venezolano"])
def test_falta_is_what_the_loser_lacks_of_fifteen_or_of_thirty(variant: str) -> None:
    assert {lost: falta(variant, (0, lost), "P0") for lost in range(30)} == BY_LOSER
    assert {lost: falta(variant, (lost, 29), "P1") for lost in range(30)} == BY_LOSER


def test_in_paraguay_it_is_what_the_leader_lacks_of_thirty() -> None:
    for least in (0, 1):
        trailing = {leader: falta("paraguayo", (leader, leader * least), "P1") for leader in range(30)}
        leading = {leader: falta("paraguayo", (leader, leader * least), "P0") for leader in range(30)}
        assert trailing == leading == BY_LEADER


@pytest.mark.long
def test_so_it_is_at_every_score() -> None:
    for mano, dealer in itertools.product(range(30), repeat=2):
        assert falta("argentino", (mano, dealer), "P0") == BY_LOSER[dealer]
        assert falta("argentino", (mano, dealer), "P1") == BY_LOSER[mano]
        assert falta("paraguayo", (mano, dealer), "P1") == BY_LEADER[max(mano, dealer)]


# ---- what a hand counts ------------------------------------------------------------------------------


def counted(cards: tuple[str, ...]) -> int:
    """By the clauses envido-pair to envido-three-suited-sin-flor: card names are number and suit."""
    number = {card: int(card[:-1]) if int(card[:-1]) <= 7 else 0 for card in cards}
    pairs = [20 + number[a] + number[b] for a, b in itertools.combinations(cards, 2) if a[-1] == b[-1]]
    return max(pairs or number.values())


def test_every_hand_counts_as_the_clauses_say_and_nothing_counts_eight_to_nineteen() -> None:
    game = table("argentino")
    numbers = {card.name: at for at, card in enumerate(game.graph.cards)}
    found = set()
    for hand in itertools.combinations(numbers, 3):
        count = game.ask("count-of", sum(1 << numbers[card] for card in hand))
        assert count == counted(hand), hand
        found.add(count)
    assert found == {*range(8), *range(20, 34)}

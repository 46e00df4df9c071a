"""The least Python that plays random hands of Truco Paulista for four: a ruler to hold the engine against.

No covered cards, no special hands, no citations, no explanations, no taking back. It counts the cards laid, the calls
and the answers; shuffling and dealing are done but not counted.
"""

import random

STAKES = (1, 3, 6, 9, 12)


def strengths() -> list[list[int]]:
    """For each rank of the vira the strength of each card; a card is ``10 * suit + rank``."""
    table = []
    for vira in range(10):
        manilha = (vira + 1) % 10
        table.append([100 + card // 10 if card % 10 == manilha else card % 10 for card in range(40)])
    return table


def hand(rng: random.Random, pack: list[int], tables: list[list[int]]) -> tuple[int, int, int]:
    """Play one hand at random: (winning team or -1, what it scores, actions counted)."""
    rng.shuffle(pack)
    strength = tables[pack[12] % 10]
    held = [pack[0:3], pack[3:6], pack[6:9], pack[9:12]]
    level, owner, asked, caller = 0, -1, False, 0
    won, first, trick, leader, turn, laid = [0, 0], -1, 0, 0, 0, 0
    best, best_seat, tied = -1, -1, False
    counted = 0
    while True:
        counted += 1
        if asked:
            answerer = 1 - caller
            choice = int(rng.random() * (3 if level + 2 < 5 else 2))
            if choice == 0:
                level, owner, asked = level + 1, answerer, False
            elif choice == 1:
                return caller, STAKES[level], counted
            else:
                level, caller = level + 1, answerer
            continue
        cards, team = held[turn], turn & 1
        may_raise = level < 4 and owner in (-1, team)
        choice = int(rng.random() * (len(cards) + may_raise))
        if choice == len(cards):
            asked, caller = True, team
            continue
        value = strength[cards.pop(choice)]
        if value > best:
            best, best_seat, tied = value, turn, False
        elif value == best and (best_seat ^ turn) & 1:
            tied = True
        laid += 1
        turn = (turn + 1) & 3
        if laid < 4:
            continue
        trick += 1
        if tied:
            if first >= 0:
                return first, STAKES[level], counted
            if trick == 3:
                return -1, 0, counted
            turn = leader
        else:
            team = best_seat & 1
            won[team] += 1
            if won[team] == 2 or trick == 3 or (trick > 1 and first < 0):
                return team, STAKES[level], counted
            if trick == 1:
                first = team
            leader = turn = best_seat
        laid, best, tied = 0, -1, False


def play(rng: random.Random, hands: int) -> int:
    """Play a number of hands; the actions counted."""
    pack, tables = list(range(40)), strengths()
    return sum(hand(rng, pack, tables)[2] for _ in range(hands))

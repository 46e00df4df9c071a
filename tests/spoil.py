"""Texts with mistakes in them, for tests of what reads texts of strangers."""

from __future__ import annotations

import random
from collections.abc import Sequence

SIGNS = [
    *"|,:{}[]()&*!%@`'\"\\#\t\n-é🂡\x00\x1b\u202e<>=+?",
    "null",
    "---",
    "none",
    "yes",
    "0",
    "-1",
    "99999999999999999999",
]


def spoiled(text: str, chance: random.Random, words: Sequence[str] = SIGNS) -> str:
    """The text with a few parts of it (words, lines, characters) changed to other words, doubled, dropped, exchanged,
    repeated or turned round.
    """
    apart = chance.choice([" ", ",", "", "\n", "|"])
    parts = text.split(apart) if apart else list(text)
    for _ in range(chance.randint(1, 3)):
        at, other = chance.randrange(len(parts)), chance.randrange(len(parts))
        match chance.randrange(7):
            case 0:
                parts[at] = chance.choice(words)
            case 1:
                parts.insert(at, parts[other])
            case 2 if len(parts) > 1:
                del parts[at]
            case 3:
                parts[at], parts[other] = parts[other], parts[at]
            case 4:
                parts[at] = parts[at][::-1]
            case 5:
                parts[at] *= chance.choice([2, 50])
            case _:
                parts[at] += chance.choice(words)
    return apart.join(parts)

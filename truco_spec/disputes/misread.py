"""What is wrong with a claim that cannot be read: a player whom nobody knows, or a word that was meant otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from truco_spec.disputes.claim import is_claim, vocabulary
from truco_spec.disputes.words import joined
from truco_spec.language.diagnostics import nearest
from truco_spec.logs.words import shown

_WORD = re.compile(r"@\d+|[^\W_][\w-]*")
_BEFORE_PLAYER = re.compile(r"(^|\band|\bof|,|\bis|\bare|\bwas|(?<![@\d])\d+)$")
"""What stands before a player in a claim."""
MOST_WORDS = 12
"""Words that are looked at, whether another was meant."""
MOST_NEAR = 3
"""Other words that are tried for one."""


def misread(text: str, coded: str, at: int, players: Sequence[str]) -> str:
    """The message, with what was perhaps meant. ``at`` is the place in the coded text from which on it is not read."""
    strange = list(_strange(coded))
    meant = next(_mended(coded, strange, players), "") or next(_mended(coded, list(_WORD.finditer(coded)), players), "")
    hint = f" Did you mean “{meant}”?" if meant else ""
    for word in strange:
        if _stands_for_a_player(coded, word) and (not meant or nearest(word[0], players)):
            return f"There is no player “{shown(word[0])}” in the log: they are {joined(players)}.{hint}"
    rest = named(coded[at:], players)
    where = f"from “{shown(rest)}” on" if rest.strip() else "at its end: something is missing"
    return f"The claim “{shown(text)}” is not understood {where}.{hint}"


def named(coded: str, players: Sequence[str]) -> str:
    """The text with the names of the players."""
    return re.sub(r"@(\d+)", lambda m: players[int(m[1])] if int(m[1]) < len(players) else m[0], coded)


def _strange(coded: str) -> Iterator[re.Match[str]]:
    """The words that no claim has, and that are no player's name."""
    for word in _WORD.finditer(coded):
        if word[0][0] not in "@0123456789" and word[0].lower() not in vocabulary():
            yield word


def _stands_for_a_player(coded: str, word: re.Match[str]) -> bool:
    return bool(_BEFORE_PLAYER.search(coded[: word.start()].rstrip())) or coded[word.end() :].startswith(("'s", "’s"))


def _mended(coded: str, words: Sequence[re.Match[str]], players: Sequence[str]) -> Iterator[str]:
    """The claim with one word as it was perhaps meant, where it can then be read."""
    known = [*players, *sorted(vocabulary())]
    for word in words[:MOST_WORDS]:
        others = [name for name in known if name != word[0].lower()]
        for _ in range(MOST_NEAR):
            near = nearest(word[0], others)
            if near is None:
                break
            others.remove(near)
            put = f"@{list(players).index(near)}" if near in players else near
            mended = f"{coded[: word.start()]}{put}{coded[word.end() :]}"
            if is_claim(mended):
                yield named(mended, players)

"""Which texts are valid single words of a log, in any notation."""

from __future__ import annotations

import re
from collections.abc import Iterable

from truco_spec.base.harmless import printable
from truco_spec.language.diagnostics import nearest

KEYWORDS = ("players", "dealer", "score", "start", "mode", "deal")
"""Words that begin a part of the one-line notation; reserved, not allowed as players."""

LONGEST = 60
MOST_PLAYERS = 12
SHORT, MOST_ALIKE = 2, 6
MOST_LISTED = 40
MOST_HANDS = 2_000
MOST_MOVES = 20_000
MOST_ENTRIES = 200

_SPLITS = frozenset(",|=")
_NAME = re.compile(r"[^\W_][\w.'’-]*")
_VARIANT = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


def fault_of_word(word: str) -> str:
    """Return why this cannot be one word of a log; empty if it can."""
    if not word:
        return "A word is missing."
    if len(word) > LONGEST:
        return f"The word “{shown(word)}” is longer than {LONGEST} characters."
    if not word.isprintable() or " " in word:
        return f"The word “{shown(word)}” holds a blank or a character that cannot be printed."
    if found := next((c for c in word if c in _SPLITS), ""):
        return f"The word “{shown(word)}” holds “{found}”, which separates things in a log."
    return ""


def fault_of_player(name: str) -> str:
    """Return why this cannot be a player's name; empty if it can."""
    if name in KEYWORDS:
        return f"“{name}” is a word of the notation; give the player another name."
    if len(name) <= LONGEST and _NAME.fullmatch(name) and name.isprintable():
        return ""
    return f"“{shown(name)}” is no name for a player: use letters, digits and “-”, at most {LONGEST}."


def fault_of_variant(name: str) -> str:
    """Return why this cannot be a variant's name; empty if it can."""
    if len(name) <= LONGEST and _VARIANT.fullmatch(name):
        return ""
    return f"“{shown(name)}” is no name of a variant: use letters, digits and “-”, no path."


def hint_for(word: str, known: Iterable[str]) -> str:
    """Return what an unknown word may have meant: the nearest, a common prefix, or all candidates."""
    names = list(known)
    near = nearest(word, names) if 0 < len(word) <= LONGEST else None
    if near:
        return f"Did you mean “{near}”?"
    begin = word[:1] if len(word) <= SHORT else word
    alike = [name for name in names if name.startswith(begin)] if begin else []
    if len(alike) == 1 and len(word) > SHORT:
        return f"Did you mean “{alike[0]}”?"
    if 1 < len(alike) <= MOST_ALIKE:
        return f"Did you mean one of {', '.join(alike)}?"
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"There are: {', '.join(names[:MOST_LISTED])}{more}." if names else ""


def shown(text: str) -> str:
    """Return a word for a message: printable and truncated."""
    short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return printable(short)

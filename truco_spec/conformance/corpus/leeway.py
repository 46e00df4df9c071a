"""Permitted differences from the reference engine: words that an implementation says by itself or omits, and implicit
actions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from truco_spec.conformance.corpus.protocol import TEAM_VALUES, Plays
from truco_spec.graph.model import Graph

Entry = Mapping[str, Any]
"""The reference engine's observations after an action, including ``legal``."""


def word_of(text: str) -> str:
    """The name of an action in ``omits``, from its text without the player; empty for a card."""
    if text.startswith("("):
        return "cover"
    return "" if text == text.upper() and text.isalnum() else "".join(text.split()[:1])


def unsaid_words(graph: Graph) -> frozenset[str]:
    """The first words of implicit actions."""
    tacit = [kind for kind in graph.actions.values() if kind.tacit]
    return frozenset(text.split()[0] for kind in tacit for text in kind.written or (kind.name,))


def pending(entry: Entry, own: Collection[str], *, between: bool = False) -> bool:
    """Whether the game waits for a word of ``own``, which the implementation says by itself: it may be further already.

    ``between`` two hands it is enough that somebody could say one: who says it at once never waits there.
    """
    said, itself = _words(entry), set(own)
    waiting = [said[player] for player in entry.get("acting", ()) if said.get(player)]
    return any(words & itself if between else words <= itself for words in waiting)


def of_the_play(key: str, value: Any) -> bool:
    """Whether an observation is a result of play, rather than about whose turn it is and for what."""
    return key in TEAM_VALUES or isinstance(value, Mapping)


def plain(graph: Graph, entry: Entry, plays: Plays, key: str = "") -> bool:
    """Whether the possible actions (by those of ``key``: acting, may-speak) are the same without implicit actions and
    without the words that the implementation omits or says by itself.
    """
    tacit = unsaid_words(graph)
    unknown = tacit.union(plays.omits, plays.itself)
    said = _words(entry)
    concerned = [said.get(player, set()) for player in entry.get(key, ())] if key else list(said.values())
    return not any(words & tacit or (words and words <= unknown) for words in concerned)


def everybody(entry: Entry) -> set[str]:
    """Everybody who may do anything."""
    return {*entry.get("acting", ()), *entry.get("may-speak", ())}


def _words(entry: Entry) -> dict[str, set[str]]:
    return {player: {word_of(text) for text in texts} for player, texts in entry.get("legal", {}).items()}

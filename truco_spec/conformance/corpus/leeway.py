"""Where an implementation may differ from the reference engine and be right: words that it says by itself or omits, and
acts that are implicit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from truco_spec.conformance.corpus.protocol import TEAM_VALUES, Plays
from truco_spec.graph.model import Graph

Entry = Mapping[str, Any]
"""What the reference engine saw after an action; with ``legal``."""


def word_of(text: str) -> str:
    """What ``omits`` calls an action, by its text without the player; nothing for a card."""
    if text.startswith("("):
        return "cover"
    return "" if text == text.upper() and text.isalnum() else "".join(text.split()[:1])


def unsaid_words(graph: Graph) -> frozenset[str]:
    """The first words of the actions that go without saying."""
    tacit = [kind for kind in graph.actions.values() if kind.tacit]
    return frozenset(text.split()[0] for kind in tacit for text in kind.written or (kind.name,))


def pending(entry: Entry, plays: Plays) -> bool:
    """Whether the game waits for a word that the implementation says by itself: it may be further already."""
    said = _words(entry)
    return any(said.get(player) and said[player] <= set(plays.itself) for player in entry.get("acting", ()))


def of_the_play(key: str, value: Any) -> bool:
    """Whether an observation tells what the play has brought about, and not who is due, or for what."""
    return key in TEAM_VALUES or isinstance(value, Mapping)


def plain(graph: Graph, entry: Entry, plays: Plays, key: str = "") -> bool:
    """Whether what may be done (by those of ``key``: acting, may-speak) is the same for one who knows neither implicit
    acts nor words that it omits or says by itself.
    """
    tacit = unsaid_words(graph)
    unknown = tacit.union(plays.omits, plays.itself)
    said = _words(entry)
    concerned = [said.get(player, set()) for player in entry.get(key, ())] if key else list(said.values())
    return not any(words & tacit or (words and words <= unknown) for words in concerned)


def everybody(entry: Entry) -> set[str]:
    """Whoever may do anything."""
    return {*entry.get("acting", ()), *entry.get("may-speak", ())}


def _words(entry: Entry) -> dict[str, set[str]]:
    return {player: {word_of(text) for text in texts} for player, texts in entry.get("legal", {}).items()}

"""Actions: who does what."""

from __future__ import annotations

from typing import NamedTuple

CHANCE = -1
"""The actor of deals and draws."""


class Action(NamedTuple):
    """Who does what: a seat (or CHANCE), an action of the graph, and its arguments as numbers."""

    actor: int
    verb: str
    args: tuple[int, ...] = ()


class Actions(dict[tuple[int, ...], Action]):
    """Interns actions by (verb's number, actor, arguments …): created on first use, then shared."""

    LIMIT = 50_000

    def __init__(self, verbs: tuple[str, ...]) -> None:
        super().__init__()
        self.verbs = verbs

    def __missing__(self, key: tuple[int, ...]) -> Action:
        made = Action(key[1], self.verbs[key[0]], key[2:])
        if len(self) < self.LIMIT:
            self[key] = made
        return made

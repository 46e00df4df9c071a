"""Why there is no log for a difference: what was proved of it, or that none was found."""

from __future__ import annotations

from collections.abc import Iterable

from truco_spec.differences.compare import WORDING, Difference
from truco_spec.differences.matters import TOLD_BY_KIND, matters
from truco_spec.differences.proofs import never
from truco_spec.differences.sides import Side
from truco_spec.differences.statements import Key
from truco_spec.graph.model import Graph
from truco_spec.logs.setup import HOW_MANY

PLAYERS: Key = ("option", HOW_MANY)
UNPLAYED = frozenset(["option", "decision", "refuse"])
"""Kinds of statements that are not played themselves: what rests on them is."""

NEVER = "It cannot be shown in play: as the options are set it never comes to it."


class Reasons:
    """What can be told of the differences between two sides without playing."""

    def __init__(self, sides: tuple[Side, Side], found: Iterable[Difference]) -> None:
        self.found = tuple(found)
        self.graphs: list[list[Graph]] = [[g for n in side.sizes() if (g := side.at(n)) is not None] for side in sides]
        self.possible = [[matters(graph) for graph in graphs] for graphs in self.graphs]
        self.proved: set[Key] = set()

    @property
    def wanted(self) -> tuple[Key, ...]:
        """The differences that can matter in play, for some number of players."""
        played = (d for d in self.found if d.change != WORDING and d.key[0] not in UNPLAYED)
        return tuple(difference.key for difference in played if self.can_matter(difference))

    def can_matter(self, difference: Difference) -> bool:
        """Can the statement matter in play on a side that has it?"""
        if difference.key in self.proved:
            return False
        if difference.key[0] not in TOLD_BY_KIND:
            return True
        sides = zip((difference.a, difference.b), self.possible, strict=True)
        return any(
            statement is not None and any(difference.key in known for known in some) for statement, some in sides
        )

    def prove(self, keys: frozenset[Key], *, bounded: bool) -> None:
        """Try to prove of these that they are never at work, for any number of players; at length where ``bounded``."""
        left = set(keys)
        for number, graphs in enumerate(self.graphs):
            has = {d.key for d in self.found if d.key in keys and (d.a, d.b)[number] is not None}
            for graph, possible in zip(graphs, self.possible[number], strict=True):
                if some := sorted(has & left):
                    left -= {key for key in some if key in possible} - never(graph, some, bounded=bounded)
        self.proved |= left

    def of(self, difference: Difference, looked: int) -> str:
        """Why there is no log."""
        kind, name = difference.key
        if difference.change == WORDING:
            return "It is the same in play."
        if kind == "refuse":
            return "It only refuses options: there is nothing to play."
        if kind == "decision":
            return "Nothing that differs in play rests on it alone."
        if difference.key == PLAYERS:
            can = any(name == "values" for name, _, _ in difference.parts)
            return "It is how many usually play, and how many can." if can else "It is how many usually play."
        if kind == "option":
            resting = [d for d in self.found if name in d.by and d.change != WORDING and d.key[0] not in UNPLAYED]
            if not resting:
                return "As it is set, nothing that differs asks for it."
            if not any(self.can_matter(other) for other in resting):
                return NEVER
        elif not self.can_matter(difference):
            return NEVER
        return f"No log was found within {looked:,} positions."

"""Wrong implementations in this process: the reference engine by rules of which one is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from functools import lru_cache
from itertools import count
from typing import Any

from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import Introduction, Plays, Script, Seen
from truco_spec.graph.load import load_text
from truco_spec.graph.model import Graph

OBSERVES = ("acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner")


class Wrong(Reference):
    """The reference engine for two or four, with ``statements`` added to the rules of ``variant``."""

    def __init__(self, statements: str, variant: str = "paulista", observes: tuple[str, ...] = OBSERVES) -> None:
        decided = (
            'decision own resolves @pagat:gap.responder-when-caller-plays-last "So." because "So." rather than "No."'
        )
        text = f'variant wrong extends {variant} {{ title "Wrong" {decided} {statements} }}'
        super().__init__(lambda script: _graph(text, tuple(script.options.items()), len(script.players)))
        self.variant, self.observes = variant, observes
        self.plays = Plays((2, 4), {"tie-lead": ("first", "last", "leader")})
        self.asked_for: list[Script] = []

    def hello(self) -> Introduction:
        return Introduction("wrong", "1", {self.variant: self.plays}, self.observes)

    def run(self, script: Script) -> Seen:
        self.asked_for.append(script)
        return super().run(script)


@lru_cache(maxsize=50)
def _graph(text: str, options: tuple[tuple[str, str], ...], players: int) -> Graph:
    return load_text(text, "", "<wrong>", **dict(options), players=str(players))


class Breaks(Wrong):
    """Right in everything, but it breaks when somebody says this word, and tells its number."""

    numbers = count(1)

    def __init__(self, word: str) -> None:
        super().__init__("")
        self.word, self.number = word, next(self.numbers)

    def run(self, script: Script) -> Seen:
        if any(action.say == self.word for hand in script.hands for action in hand.actions):
            raise Broken("crash", f"It gave no answer: process {self.number} ended.", "See its last words.")
        return super().run(script)


def refused(actions: Sized) -> tuple[Mapping[str, Any], ...]:
    """A refusal of each action."""
    return ({"refused": True},) * len(actions)


LEADER = """define same-lead except next-leader @decided:own "Whoever led leads again." = leader"""
REFUSAL = """rule gives-nothing except truco.refuse @decided:own "A refusal is in vain."
             in truco.answer by side(truco.asked) may corro do then play"""
EARLY = """rule any-time @decided:own "Truco out of turn, to no end."
           in play by playing may truco when stake is 1 and not me is turn"""
DEALER = """rule deals-again except pass-deal @decided:own "The dealer stays." in deal-over do then deal"""

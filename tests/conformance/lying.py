"""Adapters in this process that lie at random about a right game: whatever they answer, a run ends with its report."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from truco_spec.base.shapes import plain
from truco_spec.conformance.adapters.pipe import Broken, read_answer
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import (
    Deal,
    Introduction,
    OwnDeals,
    Plays,
    RunAnswer,
    Script,
    Seen,
    deals_in,
    seen_in,
)

OBSERVES = ("acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner", "legal", "view")
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3, 10**18, 1.5, "", "P0", "P1", "P2", "tie", "\ud800", "\x1b[31m", "4C", "not-held",
    [], [[]], ["P0"], ["P1", "P1"], [None, 1], {}, {"P0": 1}, {"P1": "4C"}, {"P0": ["4C"], "P1": [[]]},
    {"P3": {"P0": []}},
)  # fmt: skip


class Liar:
    """Right, but for lies: about this many of a hundred things told, drawn from ``seed``. A ``steady`` one tells the
    same lies about the same action, whoever asks and whatever came before.
    """

    def __init__(self, seed: int, percent: int, variant: str = "paulista", *, steady: bool = True) -> None:
        self.seed, self.percent, self.variant, self.steady = seed, percent, variant, steady
        self.right = Reference()
        self.chance = random.Random()

    def hello(self) -> Introduction:
        """Two or four players, and the values of one option."""
        plays = Plays((2, 4), {"tie-lead": ("first", "last", "leader")})
        return Introduction("liar", "1", {self.variant: plays}, (*OBSERVES, "deal"))

    def run(self, script: Script) -> Seen:
        """What the reference engine saw, and lies."""
        self.right.asked = frozenset({"start", "legal", "view"})
        answer = plain(RunAnswer(self.right.run(script)))
        for asked, hand in zip(script.hands, answer["hands"], strict=True):
            self._about("the deal")
            self._twist(hand["start"])
            for action, entry in zip(asked.actions, hand["seen"], strict=True):
                self._about(action.say or action.text)
                if self._lies() and self._lies(5):
                    raise Broken(
                        self.chance.choice(("error", "timeout", "crash", "protocol")), "It says \ud800 nothing."
                    )
                self._twist(entry)
            if self._lies() and self._lies(5):
                hand["seen"].append({})
        return read_answer(answer, lambda message: seen_in(message, script), "some log")

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        """Deals, of which some are none."""
        deals = [{place: list(cards) for place, cards in deal.items()} for deal in self.right.deal(request)]
        for deal in deals:
            if self._lies(3) and self._lies():
                deal[self.chance.choice(("P0", "P9", "vira"))] = self.chance.choice(([], ["4C", "4C"], ["\ud800"]))
        return read_answer({"deals": deals}, lambda message: deals_in(message, request), "")

    def close(self) -> None:
        """Nothing is held."""

    def _about(self, what: str) -> None:
        if self.steady:
            self.chance.seed(f"{self.seed} {what}")

    def _lies(self, percent: int = 0) -> bool:
        return self.chance.random() * 100 < (percent or self.percent)

    def _twist(self, entry: dict[str, Any]) -> None:
        for key in list(entry):
            if self._lies():
                entry[key] = self._instead_of(entry[key])
        if self._lies():
            entry.pop(self.chance.choice(sorted(entry) or ["none"]), None)
        if self._lies():
            entry["refused"] = self.chance.choice((True, "not-now", "", 7, ["x"], "\ud800" * 9))

    def _instead_of(self, value: Any) -> Any:
        """Anything; or the same kind of thing with one thing changed."""
        if isinstance(value, Mapping) and value and self._lies(60):
            key = self.chance.choice(sorted(value))
            return {**value, key: self._instead_of(value[key])}
        if isinstance(value, list) and value and self._lies(60):
            return value[1:] if self._lies(50) else [*value, self.chance.choice(VALUES)]
        return self.chance.choice(VALUES)

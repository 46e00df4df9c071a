"""A scenario: deals and moves, independent of the rules; rendered as a log under a variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from truco_spec.compare.core.sides import Side
from truco_spec.logs.model import STRICT, Hand, Log, LoggedMove, Start, frozen

Deal = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Scenario:
    """``deals`` and ``moves`` go hand by hand; a move is a text such as ``bia truco``."""

    players: tuple[str, ...]
    dealer: str = ""
    score: Mapping[str, int] = field(default_factory=dict)
    start: tuple[Start, ...] = ()
    mode: str = STRICT
    deals: tuple[Deal, ...] = ()
    moves: tuple[tuple[str, ...], ...] = ()

    def log(self, side: Side) -> Log:
        """The log of this scenario by the rules of one side."""
        hands = tuple(
            Hand(frozen(deal), tuple(LoggedMove(text) for text in moves))
            for deal, moves in zip(self.deals, self.moves, strict=True)
        )
        return Log(
            variant=side.variant,
            players=self.players,
            options=frozen(side.options),
            dealer=self.dealer,
            score=frozen(self.score),
            start=self.start,
            mode=self.mode,
            hands=hands,
        )

    @property
    def said(self) -> int:
        """How many moves it has."""
        return sum(map(len, self.moves))

    @property
    def size(self) -> tuple[int, int, int, int]:
        """Its size: hands, moves, cards and facts given, letters."""
        cards = sum(len(given) for deal in self.deals for given in deal.values())
        facts = cards + len(self.score) + 2 * len(self.start) + bool(self.dealer) + 2 * (self.mode != STRICT)
        letters = sum(len(text) for moves in self.moves for text in moves)
        return len(self.moves), self.said, facts, letters

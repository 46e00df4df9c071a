"""A scenario: deals and moves, independent of the rules; rendered as a log under a variant, and played move by move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from truco_spec.logs.model import STRICT, Hand, Log, LogError, LoggedMove, Start, frozen
from truco_spec.logs.replay import MoveRefused, Replay, ReplayStep, UnknownWord

if TYPE_CHECKING:
    from truco_spec.compare.core.sides import Side

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
    def texts(self) -> list[str]:
        """All its moves, hand after hand."""
        return [text for moves in self.moves for text in moves]

    @property
    def bare(self) -> Scenario:
        """The same deals without any move."""
        return replace(self, moves=((),) * len(self.deals))

    def and_then(self, text: str) -> Scenario:
        """The same with one more move."""
        return replace(self, moves=(*self.moves[:-1], (*self.moves[-1], text)))

    def cut(self, moves: int) -> Scenario:
        """The scenario up to this number of moves; a deal without moves is kept only if it is the first."""
        kept = list[tuple[str, ...]]()
        for said in self.moves:
            if kept and moves <= 0:
                break
            kept.append(said[: max(moves, 0)])
            moves -= len(said)
        return replace(self, deals=self.deals[: len(kept)], moves=tuple(kept))

    @property
    def size(self) -> tuple[int, int, int, int]:
        """Its size: hands, moves, cards and facts given, letters."""
        cards = sum(len(given) for deal in self.deals for given in deal.values())
        facts = cards + len(self.score) + 2 * len(self.start) + bool(self.dealer) + 2 * (self.mode != STRICT)
        letters = sum(len(text) for moves in self.moves for text in moves)
        return len(self.moves), self.said, facts, letters


# ---- the log of one, or any other, played by one set of rules ------------------------------------

UNKNOWN_WORD, STUCK = "unknown-word", "stuck"
"""Statuses of a move beside those of the rules: a word unknown there, and a deal or rules that fail."""


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The result of a move: its step; or the reason why there is none, with the derivation of a refusal."""

    status: str
    step: ReplayStep | None = None
    message: str = ""
    refused: MoveRefused | None = None


def next_move(replay: Replay) -> MoveResult | None:
    """Play the next move of a log; None after the last."""
    try:
        step = replay.advance()
    except MoveRefused as refused:
        return MoveResult(refused.refusal.status, None, refused.refusal.message, refused)
    except LogError as error:
        status = UNKNOWN_WORD if isinstance(error, UnknownWord) else STUCK
        return MoveResult(status, None, error.diagnostics[0].message)
    return None if step is None else MoveResult(step.event.status, step)

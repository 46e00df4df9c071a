"""A side of a comparison: a variant, its options, and its graph for any number of players; and a scenario.

That is deals and moves, independent of the rules: it is rendered as a log for a side, and played move by move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import OWN
from truco_spec.base.words import translated
from truco_spec.engine.game import Event
from truco_spec.graph.model import HOW_MANY, Graph
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.line import STRICT, Hand, Log, LogError, LoggedMove, Start, frozen
from truco_spec.logs.random_hands import Offer, Walker
from truco_spec.logs.replay import MoveRefused, Replay, ReplayStep, UnknownWord

if TYPE_CHECKING:
    from truco_spec.graph.link import Chain

NAMES = ("ana", "bia", "caio", "davi", "eva", "fito", "gil", "hugo")
"""The names of the players in generated logs, in order of play."""


@dataclass(frozen=True)
class Side:
    """``file`` is the .truco file that holds the variant, or nothing for a shipped one."""

    variant: str
    options: Mapping[str, str]
    file: str = ""

    @property
    def head(self) -> str:
        """The head of a log."""
        return " ".join([self.variant, *(f"{name}={value}" for name, value in self.options.items())])

    @cached_property
    def graph(self) -> Graph:
        """The graph under its own options. Raises :class:`TrucoError`."""
        return self._graph({})

    @cached_property
    def chain(self) -> Chain:
        """Its statements as they are written."""
        from truco_spec.compare.statements import chain_of  # needed only where texts are compared

        if not self.file:
            return chain_of(self.variant)
        from truco_spec.language.read import read_file

        return chain_of(self.variant, read_file(self.file))

    def at(self, players: int) -> Graph | None:
        """The graph for this number of players; None if the rules do not allow it."""
        if players == self.graph.seats:
            return self.graph
        if HOW_MANY not in self.graph.options or HOW_MANY in self.options:
            return None
        if str(players) not in self.graph.options[HOW_MANY].values:
            return None
        try:
            return self._graph({HOW_MANY: str(players)})
        except SpecError:
            return None

    def sizes(self) -> list[int]:
        """The possible numbers of players, ascending."""
        known = self.graph.options[HOW_MANY].values if HOW_MANY in self.graph.options else ()
        numbers = sorted({self.graph.seats, *(int(value) for value in known if value.isdigit())})
        return [number for number in numbers if number <= len(NAMES) and self.at(number) is not None]

    def kept_as(self, players: int) -> str:
        """The name under which its graph for this number of players is kept between runs; empty for a user's text."""
        from truco_spec.graph.load import name_of

        if self.file or self.variant in OWN:
            return ""
        more = {} if players == self.graph.seats else {HOW_MANY: str(players)}
        return name_of(self.variant, sorted({**self.options, **more}.items()))

    def _graph(self, more: Mapping[str, str]) -> Graph:
        from truco_spec.graph.load import load, load_file

        options = {**self.options, **more}
        return load_file(self.file, self.variant, **options) if self.file else load(self.variant, **options)


class SidesError(TrucoError):
    """The comparison is impossible: an unknown name, or one side is missing."""


def tables(a: Side, b: Side) -> list[int]:
    """The numbers of players possible for both: the smallest, and the usual number if it differs."""
    both = [number for number in a.sizes() if number in b.sizes()]
    usual = [side.graph.seats for side in (a, b) if side.graph.seats in both]
    return list(dict.fromkeys([*both[:1], *usual[:1]]))


# --------------------------------------------------------------------------------------------------
# A scenario: deals and moves, independent of the rules; rendered as a log under a variant, and played move by move.


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
        """The number of its moves."""
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
        """Return the same with one more move."""
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
"""Statuses of a move beside those of the rules: an unknown word, and a failure of the deal or the rules."""


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The result of a move: its step; or the reason for having none, with the derivation of a refusal."""

    status: str
    step: ReplayStep | None = None
    message: str = ""
    refused: MoveRefused | None = None


def next_move(replay: Replay) -> MoveResult | None:
    """Play the next move of a log; None after the last."""
    try:
        step = replay.advance()
    except MoveRefused as refused:
        told = refused.with_traceback(None)  # its frames hold it, and the game: nothing but the collector would free it
        return MoveResult(refused.refusal.status, None, refused.refusal.message, told)
    except LogError as error:
        status = UNKNOWN_WORD if isinstance(error, UnknownWord) else STUCK
        return MoveResult(status, None, translated(error.diagnostics[0].message))
    return None if step is None else MoveResult(step.event.status, step)


# ---- a scenario whose moves are made up as it is played -------------------------------------------

LONGEST = 40
"""Maximum moves of one hand."""


class Hands:
    """A scenario played again by one side or by several in step. ``left`` are its remaining moves."""

    def __init__(self, scenario: Scenario, sides: Iterable[tuple[Side, Graph]]) -> None:
        self.scenario = scenario
        self.walkers = [Walker(scenario.bare.log(side), graph) for side, graph in sides]
        self.said: list[list[str]] = []
        self._begin()

    def _begin(self) -> None:
        self.left = list(self.scenario.moves[len(self.said)])
        self.said.append([])

    @property
    def pushed(self) -> int:
        """The number of actions done, including those undone."""
        return sum(walker.pushed for walker in self.walkers)

    @property
    def open(self) -> bool:
        """Whether the hand is not too long to go on."""
        return len(self.said[-1]) < LONGEST

    @property
    def so_far(self) -> Scenario:
        """The scenario with the moves said so far."""
        return replace(self.scenario, deals=self.scenario.deals[: len(self.said)], moves=tuple(map(tuple, self.said)))

    def offers(self) -> list[dict[str, Offer]]:
        """Return the actions that each side permits."""
        return [walker.offers() for walker in self.walkers]

    def say(self, text: str, offers: Iterable[Mapping[str, Offer]]) -> list[Event | None]:
        """Do an action by all; None for a side that does not let it happen."""
        self.said[-1].append(text)
        return [walker.say(text, offer.get(text)) for walker, offer in zip(self.walkers, offers, strict=True)]

    def next_hand(self) -> bool:
        """Begin the next hand; False if one side has not ended this one, or there is none."""
        if len(self.said) >= len(self.scenario.deals):
            return False
        if not all(walker.hand_is_over and walker.next_hand() for walker in self.walkers):
            return False
        self._begin()
        return True

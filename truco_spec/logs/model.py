"""The data model of a log: settings, deals and moves, as words that a graph interprets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import say
from truco_spec.language.diagnostics import Diagnostic, render
from truco_spec.language.spans import NOWHERE, Span

STRICT, UMPIRE = "strict", "umpire"
MODES = (STRICT, UMPIRE)
UNKNOWN = "??"
"""An unknown card. Disputes enumerate its possible values (:mod:`truco_spec.compare.disputes.unknown`)."""
MOST_SHOWN = 50
"""Maximum errors of one log shown in a message; the others are counted."""

K = TypeVar("K")
V = TypeVar("V")


def frozen(mapping: Mapping[K, V]) -> Mapping[K, V]:
    """Return an immutable copy in the same order."""
    return MappingProxyType(dict(mapping))


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """What one player said or did, as written in the log with single blanks: ``bia 4C``."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def player(self) -> str:
        """The player who moves."""
        return self.text.partition(" ")[0]

    @property
    def words(self) -> str:
        """The move without the player."""
        return self.text.partition(" ")[2]


@dataclass(frozen=True, slots=True)
class Hand:
    """A deal and the moves that follow it.

    ``deal`` maps a key to the cards wanted there, in the order in which they come. A key is a player, a place for one
    card (by its name in the spec) or an action of chance.
    """

    deal: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: frozen({}))
    moves: tuple[LoggedMove, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Start:
    """A datum that is given before the first hand: its name, the index, if it has one, and its value."""

    datum: str
    index: tuple[str, ...]
    value: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Log:
    """A whole log. ``players`` are in order of play; ``score`` maps any player of a team to its points.

    ``dealer`` may be empty: unspecified. ``position`` is what the game begins in (empty: a new match), as
    :mod:`truco_spec.engine.position_text` writes it. ``places`` maps the name of each part (``variant``,
    ``options.x``, ``score.x``, ``position.0`` for each token, ``hands.0.deal.x`` …) to its place in ``text``; both are
    for messages only.
    """

    variant: str
    players: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=lambda: frozen({}))
    dealer: str = ""
    score: Mapping[str, int] = field(default_factory=lambda: frozen({}))
    start: tuple[Start, ...] = ()
    position: str = ""
    mode: str = STRICT
    hands: tuple[Hand, ...] = ()
    text: str = field(default="", compare=False, repr=False)
    places: Mapping[str, Span] = field(default_factory=lambda: frozen({}), compare=False, repr=False)

    def place(self, name: str) -> Span:
        """Return the place of this part; for a missing one, of the part around it."""
        while name:
            if name in self.places:
                return self.places[name]
            name = name.rpartition(".")[0]
        return self.places.get("", NOWHERE)

    def mistake(self, code: str, message: str, span: Span | str, hint: str = "") -> LogError:
        """Return an error (for the caller to raise) at a place of this log, or at the part of that name."""
        where = self.place(span) if isinstance(span, str) else span
        return LogError([Diagnostic("error", code, message, where, hint)], self.text)


class LogError(TrucoError):
    """A log that cannot be read or replayed. ``diagnostics`` holds every error found, in the order of the text."""

    def __init__(self, diagnostics: Iterable[Diagnostic], text: str = "") -> None:
        self.diagnostics = tuple(diagnostics)
        self.text = text
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        shown = [render(d, self.text or None) for d in self.diagnostics[:MOST_SHOWN]]
        if len(self.diagnostics) > MOST_SHOWN:
            shown.append(say("… and {count} more mistakes.", count=len(self.diagnostics) - MOST_SHOWN))
        return "\n".join(shown)

"""Data types of a case: its steps, and the content of a case file. Files are read in ``corpus``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

CORPUS_VERSION = 1
FIRST = "P0"
"""The default dealer, where players have no names."""

Level = Literal["must", "decided", "option"]
Mode = Literal["strict", "umpire"]
Category = Literal["not-your-turn", "not-now", "not-held", "not-offered"]
UNTIMELY: frozenset[str] = frozenset({"not-your-turn", "not-now"})
"""Not distinguished: while another has to answer, a card is neither due from its player nor timely."""
ABSENT: frozenset[str] = frozenset({"not-held", "not-offered"})
"""Not distinguished for a card outside the pack: nobody holds it either."""
OptionValue = str | int
Cards = str | tuple[str, ...]

LEVELS: tuple[Level, ...] = ("must", "decided", "option")


# ---- steps: a text is moves; a mapping is an expectation or a marker -----------------------------


@dataclass(frozen=True, slots=True)
class Expect:
    """What is observed after the last move (or refused move), or at the start of the hand."""

    expect: Annotated[Mapping[str, Any], "Observation: value. Only the keys given are compared."]


@dataclass(frozen=True, slots=True)
class Refused:
    """A move that must not be permitted next; it leaves the game unchanged. Implicit actions (a deal, a cut) come
    first, as before a played move.
    """

    refused: Annotated[str, "The move, as in a log: `P2 truco`."]
    because: Annotated[Category | None, "The category, compared where the implementation tells one."] = None
    before: Annotated[str | None, "An implicit word, such as `cut`, that has not been said yet and is not put in."] = (
        None
    )


@dataclass(frozen=True, slots=True)
class Allowed:
    """A move that is permitted next, as one that is played. It is not played: the case goes on without it."""

    allowed: Annotated[str, "The move, as in a log."]


@dataclass(frozen=True, slots=True)
class Legal:
    """All that a player may do now."""

    legal: Annotated[
        Mapping[str, tuple[str, ...]],
        "Player: what he may say or play, without his name. `cards` stands for open cards, `covers` for covered ones.",
    ]


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat sees, anywhere on the table or in hands."""

    seat: Annotated[str, "The player whose view it is."]
    sees: Annotated[Cards, "Cards that he can tell."] = ()
    hides: Annotated[Cards, "Cards that he cannot tell."] = ()


@dataclass(frozen=True, slots=True)
class View:
    """The view of one seat at this point."""

    view: Sight


@dataclass(frozen=True, slots=True)
class HandStart:
    """A further hand with its own deal."""

    deal: Annotated[Mapping[str, Cards], "As the deal of the case."] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HandStep:
    """The moves that follow belong to the next hand."""

    hand: Annotated[Literal["next"] | HandStart, "`next`, or a mapping with the deal of that hand."]


@dataclass(frozen=True, slots=True)
class DealsOf:
    """Properties of every deal that the implementation makes by itself."""

    times: Annotated[int, "How many deals to look at."]
    counts: Annotated[Mapping[str, int], "Key of a deal (player or turned card): how many cards it holds."]
    pack: Annotated[int | None, "How many cards the pack has: each of them is dealt in its turn, and no other."] = None
    match: Annotated[bool, "The deals are those of the hands of one match, one after another."] = False


@dataclass(frozen=True, slots=True)
class Deals:
    """The implementation deals by itself. In each deal no card is there twice and every key has its count; the
    pack is shuffled and whole before each.
    """

    deals: DealsOf


Step = str | Expect | Refused | Allowed | Legal | View | HandStep | Deals


# ---- a file -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Applies:
    """Where cases hold: they are played once for every combination of the listed values."""

    variants: Annotated[tuple[str, ...], "Names of variants."] = ()
    options: Annotated[
        Mapping[str, OptionValue | tuple[OptionValue, ...]], "Option: the value, or the values, under which it holds."
    ] = field(default_factory=dict)
    players: Annotated[tuple[int, ...], "Numbers of players; default: as many as the variant says."] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One case as written in a file."""

    id: Annotated[str, "Never changed, never reused: source-topic-number."]
    title: Annotated[str, "What is true, in one line."]
    clauses: Annotated[tuple[str, ...], "Clauses that it tests: an id of the file's source, or source:id."]
    level: Annotated[Level, "must: a source says it; decided: we read it so; option: it holds under an option."]
    moves: Annotated[tuple[Step, ...], "The script."]
    decisions: Annotated[tuple[str, ...], "Decisions of the spec that it rests on."] = ()
    applies: Annotated[Applies | None, "Instead of the file's, key by key."] = None
    options: Annotated[Mapping[str, OptionValue], "Options under which it is played."] = field(default_factory=dict)
    players: Annotated[int | tuple[str, ...] | None, "Names in order of play, or how many (P0, P1, …)."] = None
    score: Annotated[Mapping[str, int], "Points before the first hand; any player names his team."] = field(
        default_factory=dict
    )
    dealer: Annotated[str, "Who deals the first hand."] = FIRST
    mode: Annotated[Mode, "strict refuses what is forbidden; umpire takes it and applies the penalty."] = "strict"
    deal: Annotated[Mapping[str, Cards], "Player or turned card: cards. What is missing is filled."] = field(
        default_factory=dict
    )
    note: Annotated[str, "A remark for readers."] = ""

    def __post_init__(self) -> None:
        """Named players: the first deals by default."""
        if isinstance(self.players, tuple) and self.dealer == FIRST and FIRST not in self.players and self.players:
            object.__setattr__(self, "dealer", self.players[0])


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A file of cases."""

    corpus: Annotated[int, "The version of this format: 1."]
    source: Annotated[str, "The source whose clause ids need no prefix in this file."]
    cases: Annotated[tuple[Entry, ...], "The cases."]
    applies: Annotated[Applies | None, "Where the cases of this file hold, unless a case says otherwise."] = None


# ---- a case, ready to be played -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Case:
    """An entry with the defaults of its file. ``clauses`` are full names, source:id; ``line`` counts from 1."""

    entry: Entry
    clauses: tuple[str, ...]
    applies: Applies
    path: str
    line: int

    @property
    def id(self) -> str:
        return self.entry.id

    @property
    def place(self) -> tuple[Path, int]:
        """Its file and line; cases are sorted by it."""
        return Path(self.path), self.line


@dataclass(frozen=True, slots=True)
class Instance:
    """A case in one variant, with one number of players and one setting of options.

    ``players`` is None when the case leaves it to the variant. ``name`` is the id, and what distinguishes it where
    the case has several instances.
    """

    case: Case
    variant: str
    players: tuple[str, ...] | None
    options: Mapping[str, str]
    name: str


def card_list(cards: Cards) -> tuple[str, ...]:
    """``3C 4D`` or a list of cards as a tuple of cards."""
    return tuple(cards.split()) if isinstance(cards, str) else tuple(cards)


def seats(count: int) -> tuple[str, ...]:
    """The default names for a number of players: P0, P1, …"""
    return tuple(f"P{n}" for n in range(count))

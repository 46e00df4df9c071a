"""Examples of a book: a case of the corpus for readers, with players' names for its seats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from truco_spec.base.shipped import ENGLISH
from truco_spec.base.words import names_in, renamed
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.cases import (
    Allowed,
    Cards,
    Expect,
    HandStart,
    HandStep,
    Instance,
    Mode,
    Refused,
    card_list,
)
from truco_spec.conformance.corpus.protocol import TEAM_VALUES

STRICT: Mode = "strict"
REFUSED, PERMITTED, NEXT_HAND = "is refused", "is permitted", "the next hand"
"""The verdict shown for a move that is only queried, and for the hand that follows."""

Hands = tuple[tuple[str, tuple[str, ...]], ...]
"""Cards by player or place."""


@dataclass(frozen=True, slots=True)
class Said:
    """A step of an example: the action and its result. ``verdict`` is set for a queried move, or at the start of
    another hand; ``hands`` are the cards given for it.
    """

    moves: str
    then: tuple[tuple[str, str], ...] = ()
    verdict: str = ""
    hands: Hands = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A case as an example. ``hands`` are the cards that it gives, by player or place; ``called`` names its seats. An
    example recomputed under the rules of a house has no title.

    With an ``umpire``, forbidden actions can be done, at their penalty.
    """

    case: str
    title: str
    umpire: bool
    called: Mapping[str, str]
    dealer: str
    score: str
    hands: Hands
    steps: tuple[Said, ...]

    def named(self, text: str) -> str:
        """A text that names seats as cases do, with the players' names: ``P1 cuts`` is ``Bia cuts``."""
        return re.sub(r"\b[A-Z]\d\b", lambda seat: self.called.get(seat[0], seat[0]), text)

    def among(self, language: str) -> Example:
        """The same example with names usual in the language."""

        def told(text: str) -> str:
            return renamed(text, language)

        def dealt(hands: Hands) -> Hands:
            return tuple((told(who), cards) for who, cards in hands)

        steps = tuple(
            replace(
                step,
                moves=told(step.moves),
                then=tuple((key, told(value)) for key, value in step.then),
                hands=dealt(step.hands),
            )
            for step in self.steps
        )
        called = {seat: told(name) for seat, name in self.called.items()}
        dealer, score = told(self.dealer), told(self.score)
        return replace(self, called=called, dealer=dealer, score=score, hands=dealt(self.hands), steps=steps)


def players_of(instance: Instance) -> tuple[str, ...]:
    return instance.players or filling.players_of(instance.variant)


def example_of(instance: Instance, used: frozenset[str]) -> Example:
    """Convert a case to an example; of the places, only those whose data the game has ``used`` are shown. A team is
    called by all its players.
    """
    entry = instance.case.entry
    players = players_of(instance)
    called = dict(zip(players, names_in(ENGLISH), strict=False))
    teams = {
        who: "/".join(called[seat] for seat in team)
        for team in filling.teams_of(instance.variant, players)
        for who in team
    }

    def named(text: str) -> str:
        return re.sub(r"[^\W_]+", lambda word: called.get(word[0], word[0]), text).replace("-", " ")

    def hands(deal: Mapping[str, Cards]) -> Hands:
        return tuple((named(key), card_list(cards)) for key, cards in deal.items() if key in called or key in used)

    steps: list[Said] = []
    for step in entry.moves:
        match step:
            case str():
                steps.append(Said(named(step)))
            case Expect():
                then = tuple(_told(step.expect, called, teams))
                if steps and not steps[-1].verdict:
                    steps[-1] = Said(steps[-1].moves, (*steps[-1].then, *then))
                else:
                    steps.append(Said("", then))
            case Refused():
                steps.append(Said(named(step.refused), verdict=REFUSED))
            case Allowed():
                steps.append(Said(named(step.allowed), verdict=PERMITTED))
            case HandStep():
                given = step.hand.deal if isinstance(step.hand, HandStart) else {}
                steps.append(Said("", verdict=NEXT_HAND, hands=hands(given)))
            case _:
                continue
    score = _value(entry.score, called, teams) if entry.score else ""
    dealer = called.get(entry.dealer, entry.dealer)
    return Example(entry.id, entry.title, entry.mode != STRICT, called, dealer, score, hands(entry.deal), tuple(steps))


def _told(
    expected: Mapping[str, object], called: Mapping[str, str], teams: Mapping[str, str]
) -> Iterable[tuple[str, str]]:
    for key, value in expected.items():
        yield key.replace("-", " "), _value(value, teams if key in TEAM_VALUES else called, teams)


def _value(value: object, called: Mapping[str, str], teams: Mapping[str, str]) -> str:
    """A value in words; a mapping is by team."""
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return ", ".join(f"{teams.get(who, who)} {_value(what, called, teams)}" for who, what in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_value(item, called, teams) for item in value) or "–"
    return called.get(str(value), str(value).replace("-", " "))

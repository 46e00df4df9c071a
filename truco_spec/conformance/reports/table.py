"""The table as it changes: who holds what and what lies before whom, after the deal and after every action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from truco_spec.conformance.protocol import Action, HandScript, Script


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's place. ``laid`` are the cards that he has played, a covered one in brackets."""

    player: str
    deals: bool
    held: tuple[str, ...]
    laid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """The table at one point. ``done`` is what led to it; empty after a deal. Hands count from 1."""

    hand: int
    done: str
    turned: Mapping[str, tuple[str, ...]]
    seats: tuple[Seat, ...]


def steps(script: Script) -> Iterator[Step]:
    """Every point of the script, as far as it tells: whether an action was taken or refused is not known here."""
    for number, hand in enumerate(script.hands, 1):
        theirs = {card for player in script.players for card in hand.deal.get(player, ())}
        turned = {  # the order of the pack is no picture
            key: cards for key, cards in hand.deal.items() if key not in script.players and not theirs & set(cards)
        }
        dealer = script.dealer if len(script.hands) == 1 else ""
        for done in range(len(hand.actions) + 1):
            text = hand.actions[done - 1].text if done else ""
            seats = tuple(_seat(player, player == dealer, hand, done) for player in script.players)
            yield Step(number, text, turned, seats)


def _seat(player: str, deals: bool, hand: HandScript, done: int) -> Seat:
    laid = [a for a in hand.actions[:done] if a.player == player and not a.say]
    gone = {a.play or a.cover for a in laid}
    held = tuple(card for card in hand.deal.get(player, ()) if card not in gone)
    return Seat(player, deals, held, tuple(map(_card, laid)))


def _card(action: Action) -> str:
    return action.play or f"({action.cover})"

"""Unknown cards of a log: those written ``??``, and relevant ones that the log omits.

A blank is a move, a card dealt, or a place for one card. A filling assigns each a card that is nowhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from truco_spec.compare.disputes.agreement import Rules
from truco_spec.compare.disputes.playthrough import Playthrough
from truco_spec.compare.disputes.transpose import Put
from truco_spec.logs.model import UNKNOWN, Hand, LoggedMove, frozen
from truco_spec.logs.notation import NotationError, notation_of

MOVE, DEAL, PLACE, REST = "move", "deal", "place", "rest"
_TH = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True, slots=True)
class Blank:
    """A card that is not known, in a hand (from 0).

    ``kind`` is move (``at`` counts the moves of the hand), deal (``at`` counts the cards of ``key``), place, or rest: a
    card that the log does not give at all. ``own`` are cards of the same player that it may be, besides the unseen.
    """

    hand: int
    kind: str
    key: str
    at: int
    label: str
    own: tuple[str, ...] = ()
    unseen: bool = True


def blanks_of(put: Put, rules: Rules) -> tuple[Blank, ...]:
    """The blanks that are written in a log."""
    found: list[Blank] = []
    number = 0
    for at, hand in enumerate(put.log.hands):
        found += _of_hand(at, hand, put, rules, number)
        number += len(hand.moves)
    return tuple(found)


def _of_hand(at: int, hand: Hand, put: Put, rules: Rules, before: int) -> list[Blank]:
    found: list[Blank] = []
    played: Counter[str] = Counter()
    named = _named(hand, put, rules)
    for player in put.log.players:
        dealt = [card for card in hand.deal.get(player, ()) if card != UNKNOWN]
        own = tuple(card for card in dealt if card not in named)
        spare = len(dealt) >= sum(move.player == player and _is_card(move, named) for move in hand.moves)
        for number, move in enumerate(hand.moves):
            if move.player == player and UNKNOWN in move.words:
                label = f"the card that {player} plays at move {before + number + 1}"
                found.append(Blank(at, MOVE, player, number, label, own, not (own and spare)))
                played[player] += 1
    for key, cards in hand.deal.items():
        places = [number for number, card in enumerate(cards) if card == UNKNOWN]
        for number in places[played[key] :]:
            which = f"the {_th(number)} card dealt to {key}" if key in put.log.players else f"the {key}"
            found.append(Blank(at, DEAL, key, number, f"{which}{_of(at, put)}"))
    return found


def _of(at: int, put: Put) -> str:
    return f" in hand {at + 1}" if len(put.log.hands) > 1 else ""


def _th(number: int) -> str:
    return _TH[number] if number < len(_TH) else f"{number + 1}th"


def _named(hand: Hand, put: Put, rules: Rules) -> set[str]:
    """The cards that the moves of a hand name."""
    notation, cards = notation_of(rules.graph, put.log.players), rules.graph.cards
    found: set[str] = set()
    for move in hand.moves:
        try:
            readings = [] if UNKNOWN in move.words else notation.readings(move.text)
        except NotationError:
            readings = []
        found |= {cards[card].name for action in readings for card in notation.cards_of(action)}
    return found


def _is_card(move: LoggedMove, named: set[str]) -> bool:
    return UNKNOWN in move.words or any(word.strip("()") in named for word in move.words.split())


def not_given(course: Playthrough) -> tuple[Blank, ...]:
    """Cards that came in a playthrough though the log omits them: places for one card, and players' cards."""
    return tuple(blank for blank, _ in came_in(course))


def came_in(course: Playthrough) -> Iterator[tuple[Blank, str]]:
    """The same with the cards that came."""
    log = course.put.log
    named = [_named(hand, course.put, course.rules) for hand in log.hands]
    counted: Counter[tuple[int, str]] = Counter()
    for hand, where, card in course.dealt:
        counted[hand, where] += 1
        given = log.hands[hand].deal.get(where, ())
        if card in given or card in named[hand]:
            continue
        label = f"a card of {where}" if where in log.players else f"the {where}"
        kind = REST if where in log.players else PLACE
        yield Blank(hand, kind, where, counted[hand, where] - 1, f"{label}{_of(hand, course.put)}"), card


def unseen(put: Put, rules: Rules, order: Sequence[str], hand: int) -> list[str]:
    """The cards of the pack that a hand of the log does not name, in a given order."""
    given = {card for cards in put.log.hands[hand].deal.values() for card in cards}
    named = given | _named(put.log.hands[hand], put, rules)
    present = {card.name for card in rules.graph.cards if card.present}
    return [card for card in order if card in present and card not in named]


def filled(put: Put, values: Mapping[Blank, str]) -> Put:
    """The log with these cards for its blanks."""
    hands = [_filled(at, hand, put.log.players, values) for at, hand in enumerate(put.log.hands)]
    return replace(put, log=replace(put.log, hands=tuple(hands)))


def _filled(at: int, hand: Hand, players: Sequence[str], values: Mapping[Blank, str]) -> Hand:
    here = {blank: card for blank, card in values.items() if blank.hand == at}
    moves = list(hand.moves)
    deal = {key: list(cards) for key, cards in hand.deal.items()}
    for blank, card in here.items():
        if blank.kind == MOVE:
            moves[blank.at] = replace(moves[blank.at], text=moves[blank.at].text.replace(UNKNOWN, card, 1))
            if card not in blank.own:
                cards = deal.get(blank.key, [])
                if UNKNOWN in cards:
                    cards[cards.index(UNKNOWN)] = card
        elif blank.kind == DEAL:
            deal[blank.key][blank.at] = card
        elif blank.kind == PLACE:
            deal[blank.key] = [card]
    for player in players:
        rest = [card for blank, card in here.items() if blank.kind == REST and blank.key == player]
        if rest:
            deal[player] = [*deal.get(player, []), *rest]
    return replace(hand, deal=frozen({key: tuple(cards) for key, cards in deal.items()}), moves=tuple(moves))

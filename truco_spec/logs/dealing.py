"""Chance in a replay: which card comes next, so that everyone gets what the log says.

What the log gives comes first; then the cards that a player is yet to play; then cards that nobody mentions, from the
end of the deck.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from truco_spec.engine.compile.program import VerbRules
from truco_spec.engine.game import CHANCE, Action, Game
from truco_spec.engine.layout import UNSET
from truco_spec.engine.sample import drawn_by, random_action
from truco_spec.graph.model import Graph
from truco_spec.language.tree import Span
from truco_spec.logs.model import Log, LogError
from truco_spec.logs.notation import Notation

FAR = 200
"""Moves that a deal looks ahead: more than any hand has."""

DEALER = "dealer"
"""The datum that says who deals, as the key of a log does."""

_TRIES = 40
"""So often lots are tried that fall on the dealer of the log."""

Named = tuple[int, tuple[int, ...]]
Mark = tuple[dict[str, tuple[int, ...]], dict[str, int], int]


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a chance action would bring its card: a datum with its index; ``moved`` if the card itself goes there."""

    datum: str
    index: tuple[int, ...]
    moved: bool


class Draws(Mapping[int, Action]):
    """Card -> its draw, for every card that chance may draw now; each looked at only when it is asked for."""

    def __init__(self, game: Game, rules: VerbRules) -> None:
        self.game, self.rules = game, rules
        self.number = game.program.numbers[rules.verb]
        self.count = len(game.graph.cards) if len(game.graph.actions[rules.verb].params) == 1 else 0

    def __contains__(self, card: object) -> bool:
        return isinstance(card, int) and 0 <= card < self.count and self.game.draws(self.rules, self._draw(card))

    def __getitem__(self, card: int) -> Action:
        if card not in self:
            raise KeyError(card)
        return self._draw(card)

    def _draw(self, card: int) -> Action:
        return self.game.program.actions[(self.number, CHANCE, card)]

    def __iter__(self) -> Iterator[int]:
        return (card for card in range(self.count) if card in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Dealer:
    """Chooses the actions of chance in one hand of a log, after the other.

    ``taken`` counts, per key of the hand's deal, the cards that have come. ``dealt`` is everything that was ever dealt:
    the player or the place, and the card; from ``begin`` on it is of this hand.
    """

    def __init__(self, log: Log, game: Game, notation: Notation) -> None:
        self.log, self.game, self.notation = log, game, notation
        self.hand = -1
        self.wanted: dict[str, tuple[int, ...]] = {}
        self.taken: dict[str, int] = {}
        self.named: list[Named] = []
        self.asked: list[Named] = []
        self.verbs = chance_verbs(game.graph)
        self.first_dealer = notation.seats.get(log.dealer)
        self.dealt: list[tuple[str, str]] = []
        self.begin = 0
        self._awaited = self.first_dealer is not None and DEALER in game.layout.blocks
        self._slots = {name for name, datum in game.graph.data.items() if datum.type.place == "slot"}

    def open_hand(self, hand: int, named: Sequence[Named], asked: Sequence[Named]) -> None:
        """Begin with the deal of a hand.

        ``named`` are its moves: the seat, and the cards that the move names; ``asked`` are moves that will only be
        asked about.
        """
        self.hand, self.begin = hand, len(self.dealt)
        cards = self.notation.cards
        self.wanted = {key: tuple(cards[c] for c in given) for key, given in self.log.hands[hand].deal.items()}
        self.taken = {}
        self.named, self.asked = list(named), list(asked)

    def draw(self, played: int) -> Action | None:
        """The draw that the log wants, where chance alone can act now and draws a card; else None.

        As :meth:`choose`, but without a list of all cards that could come.
        """
        rules = drawn_by(self.game)
        if rules is None or rules.verb not in self.verbs:
            return None
        draws = Draws(self.game, rules)
        sample = next(iter(draws), None)
        where = None if sample is None else self._destination(draws[sample])
        return None if where is None else self._dealt(rules.verb, where, draws, played)

    def choose(self, chance: Sequence[Action], played: int) -> Action:
        """The action of chance that the log wants, of those permitted; ``played`` moves of the hand are done."""
        for verb in dict.fromkeys(action.verb for action in chance):
            sample = next(action for action in chance if action.verb == verb)
            where = self._destination(sample)
            if where is not None:
                place = card_of(self.game, verb)
                by_card = {action.args[place]: action for action in chance if action.verb == verb}
                return self._dealt(verb, where, by_card, played)
        return self._fact(chance)

    def check_dealer(self) -> None:
        """Does whom the log names deal first? Raises :class:`LogError` where the lots that it gives fall on another."""
        if not self._awaited or self.game.value(DEALER) == UNSET:
            return
        self._awaited = False
        deals = self.game.value(DEALER)
        if deals != self.first_dealer:
            raise self.log.mistake(
                "dealer",
                f"{self.log.dealer} deals, says the log, and the lots that it gives fall on {self.log.players[deals]}.",
                self.log.place("dealer"),
                "Leave out the lots, or the dealer.",
            )

    def pack_is_whole(self) -> bool:
        """Do all cards of the game lie in the pack, so that what chance deals now is the first of a deal?"""
        present = (number for number, card in enumerate(self.game.graph.cards) if card.present)
        return all((self._lies_in(number) or ("",))[0] == self.game.graph.pack for number in present)

    def mark(self) -> Mark:
        """What is still to come, to go back to."""
        return dict(self.wanted), dict(self.taken), len(self.dealt)

    def go_back(self, mark: Mark) -> None:
        """As it was when the mark was made."""
        self.wanted, self.taken = mark[0], mark[1]
        del self.dealt[mark[2] :]

    def left_over(self) -> dict[str, tuple[int, ...]]:
        """The cards that the log gives and that never came, by key; only of keys of which some did come."""
        return {
            key: cards[self.taken[key] :]
            for key, cards in self.wanted.items()
            if 0 < self.taken.get(key, 0) < len(cards)
        }

    def never_came(self) -> dict[str, tuple[int, ...]]:
        """The cards that the log gives under keys that were not asked for at all."""
        return {key: cards for key, cards in self.wanted.items() if cards and not self.taken.get(key)}

    # ---- inside ------------------------------------------------------------------------------

    def _destination(self, action: Action) -> Destination | None:
        """Where the card that this action names would go."""
        named = self.notation.cards_of(action)
        for kind, datum, index, value in self.game.effects_of(action):
            if value in named and (kind == "move" or self.game.graph.data[datum].type.base == "card"):
                return Destination(datum, index, kind == "move")
        return None

    def _dealt(self, verb: str, where: Destination, by_card: Mapping[int, Action], played: int) -> Action:
        card = self._drawn(verb, where, by_card, played)
        self.dealt.append((self._owner(where) or where.datum, self.game.graph.cards[card].name))
        return by_card[card]

    def _drawn(self, verb: str, where: Destination, by_card: Mapping[int, Action], played: int) -> int:
        owner = self._owner(where)
        for key in (verb, where.datum, owner):
            card = self._next(key, where, by_card) if key in self.wanted else None
            if card is not None:
                return card
        if self._awaited and self.game.value(DEALER) == UNSET and (lot := self._lot(verb)) is not None:
            return lot
        if owner:
            seat = self.notation.seats[owner]
            for who, cards in self._ahead(played):
                wanted = [card for card in cards if who == seat and card in by_card and not self._promised(card, owner)]
                if wanted:
                    return wanted[0]
        mentioned = self._mentioned(played)
        last = range(len(self.game.graph.cards) - 1, -1, -1)
        free = next((card for card in last if card not in mentioned and card in by_card), None)
        return max(by_card) if free is None else free

    def _lot(self, verb: str) -> int | None:
        """The next card of lots that fall on the dealer whom the log names; None if a few tries find none."""
        found = [lots for seed in range(_TRIES) if (lots := self._lots(random.Random(seed)))]  # noqa: S311  (of cards)
        action = min(found, key=len)[0] if found else None
        return action.args[card_of(self.game, verb)] if action is not None and action.verb == verb else None

    def _lots(self, rng: random.Random) -> list[Action]:
        """Draws at random until somebody deals; none if that is somebody else than the log says."""
        drawn: list[Action] = []
        while len(drawn) < FAR and self.game.value(DEALER) == UNSET:
            action = random_action(self.game, rng)
            if action is None or action.actor != CHANCE:
                break
            self.game.push(action)
            drawn.append(action)
        deals = self.game.value(DEALER)
        for _ in drawn:
            self.game.pop()
        return drawn if deals == self.first_dealer else []

    def _owner(self, where: Destination) -> str:
        """The player to whom the destination belongs, or ""."""
        params = self.game.graph.data[where.datum].params
        seats = [value for param, value in zip(params, where.index, strict=True) if param.type.base == "seat"]
        return self.notation.players[seats[0]] if where.moved and len(seats) == 1 else ""

    def _next(self, key: str, where: Destination, by_card: Mapping[int, Action]) -> int | None:
        """The next card of a key that has not come yet; None when all have."""
        cards = self.wanted[key]
        while (at := self.taken.get(key, 0)) < len(cards):
            card = cards[at]
            if card in by_card:
                self.taken[key] = at + 1
                self._elsewhere(card, key)
                return card
            if len(by_card) == 1:
                # One card only can come: it is known already where it lies in the pack.
                (only,) = by_card
                if only in cards[at:]:
                    self._count(key, only)
                return only
            if self._lies_in(card) == (where.datum, where.index):
                self.taken[key] = at + 1
                continue
            raise self._unavailable(key, card)
        self._turned_up(key, where)
        return None

    def _turned_up(self, key: str, where: Destination) -> None:
        """A player who has all the cards given and is dealt another: every one of them came to the player.

        None may have been counted because it lies in a place for one card, from which it did not go on.
        """
        if key != self._owner(where):
            return
        came = {name for who, name in self.dealt[self.begin :] if who == key}
        for card in self.wanted[key]:
            lies = self._lies_in(card)
            turned = lies is not None and lies[0] in self._slots and lies != (where.datum, where.index)
            if turned and self.game.graph.cards[card].name not in came:
                raise self._unavailable(key, card)

    def _elsewhere(self, card: int, key: str) -> None:
        """A card that came by one key may be named by another that means the same card.

        An action of chance tells the order of the pack, the others where its cards come to lie; and a card that lies in
        a place for one card may go on to a player.
        """
        players = self.log.players
        for other, cards in self.wanted.items():
            if other in self.verbs and not self._could_bring(other, card):
                continue
            same = other in self.verbs or key in self.verbs or (key not in players and other in players)
            if other != key and same and card in cards[self.taken.get(other, 0) :]:
                self._count(other, card)

    def _could_bring(self, verb: str, card: int) -> bool:
        """Could this action of chance bring the card from where it lies?"""
        return self.game.rule_on(Action(CHANCE, verb, (card,))).status != "impossible"

    def _count(self, key: str, card: int) -> None:
        """The card came, perhaps before others of its key."""
        at, cards = self.taken.get(key, 0), self.wanted[key]
        self.wanted[key] = (*cards[:at], card, *(c for c in cards[at:] if c != card))
        self.taken[key] = at + 1

    def _lies_in(self, card: int) -> tuple[str, tuple[int, ...]] | None:
        layout = self.game.layout
        return layout.place_of.get(self.game.position[layout.cards_at + card])

    def _unavailable(self, key: str, card: int) -> LogError:
        name = self.game.graph.cards[card].name
        lies = self._lies_in(card)
        if lies is None or lies[0] == self.game.graph.pack:
            return self.log.mistake(
                "deal", f"The card {name} cannot come to {key} now: the rules let another card come.", self.span(key)
            )
        params = self.game.graph.data[lies[0]].params
        index = ", ".join(self.notation.value(p.type, value) for p, value in zip(params, lies[1], strict=True))
        place = f"{lies[0]}({index})" if index else lies[0]
        return self.log.mistake(
            "twice",
            f"The card {name} is there twice: {key} should get it, and it lies in {place} already.",
            self.span(key),
            "Give one of the two another card, or leave it out.",
        )

    def span(self, key: str) -> Span:
        """Where the log gives the cards of a key."""
        return self.log.place(f"hands.{self.hand}.deal.{key}")

    def _promised(self, card: int, owner: str) -> bool:
        """Does the log still give this card to somebody else?"""
        return any(card in cards[self.taken.get(key, 0) :] for key, cards in self.wanted.items() if key != owner)

    def _ahead(self, played: int) -> Iterable[Named]:
        """Who will name which cards, as far as a deal need look; then those of the moves that are only asked about."""
        return itertools.chain(self.named[played : played + FAR], self.asked)

    def _mentioned(self, played: int) -> set[int]:
        promised: Iterable[tuple[int, ...]] = (cards[self.taken.get(key, 0) :] for key, cards in self.wanted.items())
        moved: Iterable[tuple[int, ...]] = (cards for _, cards in self._ahead(played))
        return {card for cards in (*promised, *moved) for card in cards}

    def _fact(self, chance: Sequence[Action]) -> Action:
        """Chance without a card: what the log says of its outcome, else the first that is permitted."""
        if self.first_dealer is not None:
            for action in chance:
                if ("set", DEALER, (), self.first_dealer) in self.game.effects_of(action):
                    return action
        return chance[0]


def card_of(game: Game, verb: str) -> int:
    """Which argument of the action is the card."""
    params = game.graph.actions[verb].params
    return next(at for at, param in enumerate(params) if param.type.base == "card")


def chance_verbs(graph: Graph) -> list[str]:
    """The actions of chance that bring a card."""
    verbs = [verb.action for rule in graph.rules.values() if rule.chance for verb in rule.verbs]
    return [v for v in dict.fromkeys(verbs) if any(p.type.base == "card" for p in graph.actions[v].params)]


__all__ = ["CHANCE", "Dealer", "chance_verbs"]

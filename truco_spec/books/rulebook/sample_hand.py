"""A hand played by the engine and shown in a few pictures: what is dealt and said comes from the plan of the book,
whose turn it is, what is permitted, and what follows from the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Words, joined, names_in
from truco_spec.books.rulebook.worked_tables import seated, start_of_play, turned_where
from truco_spec.engine.game import CHANCE, Action
from truco_spec.engine.observe import settled
from truco_spec.engine.ruling import tacit_action
from truco_spec.engine.text import TextError
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import SamplePlan
from truco_spec.pages.moments import places_of, seats_around

MOST_ACTIONS = 400
"""Maximum actions of a hand; more are no hand to learn from."""
MOST_PICTURES = 6
"""Pictures that fit on a page."""
AFTERWARDS = "after"
"""The key of what is said when the hand is over."""

DEALS = "{dealer} deals, {first} leads."
TAKES = "The trick goes to {team}."
TIED = "The trick is tied."
WORTH = "The hand is now worth {stake}."
WON = "The hand goes to {team}."
DRAWN = "Nobody wins the hand."
SCORE = "Score: {score}."
AND = "and"
CAPTIONS = (DEALS, TAKES, TIED, WORTH, WON, DRAWN, SCORE, AND)
"""The text below a picture."""


@dataclass(frozen=True, slots=True)
class FrameSeat:
    """A player in a picture: its place as an hour, what was said with its number in order, the cards held, the one
    played, and whether it is the best.
    """

    name: str
    team: int
    hour: int
    said: tuple[tuple[int, str], ...]
    held: tuple[str, ...]
    played: str
    best: bool


@dataclass(frozen=True, slots=True)
class HandFrame:
    """A picture of a hand: after the deal, after something was said, or after a trick. ``played`` are the players and
    the cards of the trick, in order; after the last one something may be said as well.
    """

    seats: tuple[FrameSeat, ...]
    played: tuple[tuple[str, str], ...]
    turned: tuple[tuple[str, str], ...]
    caption: str

    @property
    def said(self) -> list[tuple[str, str]]:
        """What was said, in order, by whom."""
        found = sorted((number, seat.name, words) for seat in self.seats for number, words in seat.said)
        return [(name, words) for _, name, words in found]


def sample_of(graph: Graph, plans: Iterable[SamplePlan], strength: str, words: Words) -> tuple[HandFrame, ...]:
    """Of the hands whose cards are in the pack the first with the most pictures; empty if none can be played here.

    ``strength`` is the question that tells the better of two cards.
    """
    present = {card.name for card in graph.cards if card.present}
    found: list[tuple[HandFrame, ...]] = []
    for plan in plans if graph.seats <= len(names_in(words.language)) else ():
        if len(plan.hands) >= graph.seats and present.issuperset(_cards_of(plan, graph.seats)):
            with suppress(TrucoError):
                found.append(_Hand(graph, plan, strength, words).frames())
    return max((frames for frames in found if len(frames) <= MOST_PICTURES), key=len, default=())


def _cards_of(plan: SamplePlan, seats: int) -> list[str]:
    return [card for hand in plan.hands[:seats] for card in hand.split()]


class _Hand:
    """The hand in play. Seat 0 deals."""

    def __init__(self, graph: Graph, plan: SamplePlan, strength: str, words: Words) -> None:
        self.graph, self.plan, self.words = graph, plan, words
        self.names = names_in(words.language)
        order = [*range(1, graph.seats), 0]
        self.left = {seat: hand.split() for seat, hand in zip(order, plan.hands, strict=False)}
        self.dealt = {seat: tuple(cards) for seat, cards in self.left.items()}
        players = seated(graph)
        parts = [f"{players[seat]} {' '.join(cards)}" for seat, cards in self.left.items()]
        places = turned_where(start_of_play(graph)) if plan.turned else ()
        parts += [f"{place} {plan.turned}" for place in places]
        self.game = start_of_play(graph, ", ".join(parts), players[0])
        self.numbers = {card.name: number for number, card in enumerate(graph.cards)}
        self.strength = {name: self.game.ask(strength, number) for name, number in self.numbers.items()}
        self.turned = tuple(turned_where(self.game).items())
        self.said: dict[int, list[tuple[int, str]]] = {}
        self.played: dict[int, str] = {}
        self.before: Mapping[str, object] = {}

    def frames(self) -> tuple[HandFrame, ...]:
        """The pictures; none if the hand does not come to its end."""
        found: list[HandFrame] = []
        self.before = self.game.observe()
        for trick in count(1):
            first = self._to_play()
            if first is None:
                return ()
            if not found:
                found.append(self._frame(self.words(DEALS), first=first.actor))
            self.played = {}
            self._speak(self.plan.said.get(str(trick), ()), first.actor)
            if self.said:
                found.append(self._frame(*self._told()))
                if "hand" in settled(self.game.observe()):
                    break
            while len(self.played) < self.graph.seats:
                action = self._to_play()
                if action is None:
                    return ()
                self._push(action)
                if any(key in settled(self.game.observe()) for key in ("trick", "hand")):
                    break
            told = tuple(self._told())
            over = "hand" in settled(self.game.observe())
            if over:
                self._speak(self.plan.said.get(AFTERWARDS, ()), first.actor)
            found.append(self._frame(*told))
            if over:
                break
        return tuple(found)

    # ---- playing -------------------------------------------------------------------------------

    def _to_play(self) -> Action | None:
        """The next card of the plan, by whose turn it is; what need not be said comes before it."""
        for _ in range(MOST_ACTIONS):
            for action in self.game.legal_actions():
                if action.actor != CHANCE and self.left[action.actor][:1] == [self._words(action)]:
                    return action
            tacit = tacit_action(self.game)
            if tacit is None:
                return None
            self.game.push(tacit)
        return None

    def _push(self, action: Action) -> None:
        self.played[action.actor] = self.left[action.actor].pop(0)
        self.game.push(action)

    def _speak(self, said: Iterable[str], first: int) -> None:
        """Say these words, each by the next in turn who may."""
        actor = first
        number = count(1)
        for word in said:
            seats = ((actor + n) % self.graph.seats for n in range(self.graph.seats))
            spoken = next((found for seat in seats if (found := self._meant(seat, word))), None)
            if spoken is not None:
                action, words = spoken
                self.said.setdefault(action.actor, []).append((next(number), words.replace("-", " ")))
                self.game.push(action)
                actor = (action.actor + 1) % self.graph.seats

    def _meant(self, seat: int, word: str) -> tuple[Action, str] | None:
        """What a player who says this word does, and says: some words are said with the count of the hand."""
        texts = [word]
        if self.plan.count in self.graph.defines:
            cards = sum(1 << self.numbers[name] for name in self.dealt[seat])
            texts.append(f"{word} {self.game.ask(self.plan.count, cards)}")
        for text in texts:
            with suppress(TextError):
                action = self.game.parse(f"{self.game.players[seat]} {text}")
                if self.game.permits(action):
                    return action, text
        return None

    def _words(self, action: Action) -> str:
        return self.game.text(action).partition(" ")[2]

    # ---- showing -------------------------------------------------------------------------------

    def _frame(self, *captions: str, first: int = 0) -> HandFrame:
        best = max((self.strength[card] for card in self.played.values()), default=None)
        held: dict[int, tuple[str, ...]] = {
            place.seat: tuple(card.name for card in place.cards) for place in places_of(self.game, ()) if place.held
        }
        seats = tuple(
            FrameSeat(
                self.names[seat],
                seat % self.graph.teams,
                hour,
                tuple(self.said.get(seat, ())),
                tuple(card for card in self.dealt[seat] if card in self.left[seat] and card in held.get(seat, ())),
                self.played.get(seat, ""),
                seat in self.played and self.strength[self.played[seat]] == best,
            )
            for seat, hour in enumerate(seats_around(self.graph.seats))
        )
        told = " ".join(captions).replace("{dealer}", self.names[0]).replace("{first}", self.names[first])
        self.said = {}
        self.before = self.game.observe()
        played = tuple((self.names[seat], card) for seat, card in self.played.items())
        return HandFrame(seats, played, self.turned, told)

    def _told(self) -> Iterator[str]:
        """What is now otherwise than in the last picture."""
        now, words = settled(self.game.observe()), self.words
        before = settled(self.before)
        hand = now.get("hand")
        if hand is None and self.played and (trick := now.get("trick")):
            yield words(TAKES).replace("{team}", self._team(trick)) if trick in self.game.players else words(TIED)
        if hand is None and self.said and now.get("stake") != before.get("stake"):
            yield words(WORTH).replace("{stake}", str(now.get("stake")))
        if hand is not None:
            yield words(WON).replace("{team}", self._team(hand)) if hand in self.game.players else words(DRAWN)
        score = now.get("score")
        if isinstance(score, dict) and score != before.get("score"):
            told = ", ".join(f"{self._team(who)} {points}" for who, points in score.items())
            yield words(SCORE).replace("{score}", told)

    def _team(self, player: object) -> str:
        """The names of a team that the observations call by one of its players."""
        at = self.game.players.index(str(player)) % self.graph.teams
        return joined(self.names[at : self.graph.seats : self.graph.teams], self.words(AND))

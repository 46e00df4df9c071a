"""Script generator: hands played at random by the reference engine, weighted towards rare events.

Rarity is measured during play: words seldom said, rules that seldom fired, scores close to the end, similar cards. No
meaning of any of these is known here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.protocol import HandScript, Plays, Script, ScriptAction, action_of
from truco_spec.conformance.corpus.vocabulary import unsaid_words, word_of
from truco_spec.engine import CHANCE, Action, Event, Game
from truco_spec.engine.ruling import drawn_by
from truco_spec.engine.sample import first_draw, order_of_cards, random_match
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import Graph
from truco_spec.graph.types import Type
from truco_spec.logs.line import LogError
from truco_spec.logs.random_hands import Walker
from truco_spec.logs.replay import Replay

LONGEST = 80
"""Maximum actions of one hand; talkative variants are cut off here."""

MOST_TRIES = 20
"""Deals that are tried for one script: a game may want other cards than were dealt, or nothing but words that are
omitted at that score."""

AVOIDING, MOST_AVOIDED = 0.5, 8
"""How often a statement is avoided, and the most hands dropped for it."""

MATCHES = 4
MOST_MOVES = 4_000
MOST_BETWEEN = 400
BOLD = (0.0, 0.15, 0.4, 0.8)
"""The probabilities of preferring a rare word, one chosen per hand."""

FORBIDDEN, ANOTHER_HAND, BY_RULES, ALIKE = 0.12, 0.2, 0.5, 0.5


class NoHand(TrucoError):
    """No cards were found with which there is something to play."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The variant, its options (the requested ones and those fixed by the implementation), and the players."""

    variant: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    plays: Plays

    def script(self, hands: Sequence[HandScript], dealer: str, score: Mapping[str, int]) -> Script:
        """A script of these hands."""
        teams = ready.teams_of(self.variant, self.players)
        return Script(self.variant, self.options, self.players, teams, dealer, score, "strict", tuple(hands))

    @property
    def graph(self) -> Graph:
        """The rules. Raises LogError if the variant cannot be played with these settings."""
        return filling.script_graph(self.script((), self.players[0], {}))


@dataclass(slots=True)
class Met:
    """Coverage: how often each word was said, each rule fired, and each kind of observation was made; ``bearing`` are
    the rules that fired or forbade something in the last script.
    """

    words: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    sights: Counter[str] = field(default_factory=Counter)
    bearing: set[str] = field(default_factory=set)

    def note(self, event: Event, seen: Mapping[str, Any]) -> None:
        """Count an action and its consequences."""
        self.words[event.action.verb] += 1
        self.rules.update(set(event.fired))
        self.bearing.update(event.fired)
        self.sights.update(_sights(seen))

    def novelty(self, event: Event, seen: Mapping[str, Any]) -> float:
        """A score that is higher for rarer events."""
        fired = sum(1 / (1 + self.rules[name]) for name in set(event.fired))
        return fired + sum(1 / (1 + self.sights[sight]) for sight in _sights(seen))


def _sights(seen: Mapping[str, Any]) -> list[str]:
    """Return observations without names: that nobody took the trick, or the value of the hand."""
    return [f"{key} {value}" for key, value in seen.items() if not isinstance(value, (Mapping, list))]


class Generator:
    """Generates scripts; the same seed gives the same sequence. Half of them ``avoid`` what these statements decide,
    where that is to be had.
    """

    def __init__(self, setting: Setting, chance: random.Random, avoid: Set[str] = frozenset()) -> None:
        self.setting, self.chance, self.met, self.avoid = setting, chance, Met(), avoid
        self.graph = setting.graph
        tacit = unsaid_words(self.graph)
        self.unsaid = {verb for verb, kind in self.graph.actions.items() if kind.tacit}
        self.unknown = frozenset(setting.plays.omits)
        self.itself = {word: at for at, word in enumerate(setting.plays.own_words)}
        self.shut = self.unknown | tacit
        self.by_chance = {verb.action for rule in self.graph.rules.values() if rule.outsider for verb in rule.verbs}
        self.scores = self._reached()

    def script(self) -> Script:
        """Return one hand, or two in a row, with a dealer and an initial score. Raises :class:`NoHand`."""
        shy = MOST_AVOIDED if self.avoid and self.chance.random() < AVOIDING else 0
        for tried in range(MOST_TRIES):
            self.met.bearing.clear()
            dealer, score = self.chance.choice(self.setting.players), self._score()
            try:
                hands = self._hands(dealer, score)
            except (LogError, PlayError):
                continue  # this game cannot have these cards, or this score; try others
            if hands and (tried >= shy or self.avoid.isdisjoint(self.met.bearing)):
                return self.setting.script(hands, dealer, score)
        options = " ".join(f"{name}={value}" for name, value in self.setting.options.items())
        raise NoHand(
            Sentence(
                "No hand of {variant} {options} came about in {count} deals.",
                variant=self.setting.variant,
                options=options,
                count=MOST_TRIES,
            )
        )

    # ---- scores ---------------------------------------------------------------------------------

    def _reached(self) -> list[list[int]]:
        """Return, by team, the scores reached in some matches before they were won, ascending."""
        found: list[set[int]] = [{0} for _ in range(self.graph.teams)]
        for _ in range(MATCHES):
            game = Game(self.graph, players=self.setting.players)
            for event in random_match(game, self.chance, MOST_MOVES):
                if event.action.actor == CHANCE:
                    continue
                seen = game.observe()
                score = seen.get("score")
                if seen.get("winner") is None and isinstance(score, dict):
                    for team in range(self.graph.teams):
                        found[team].add(score[self.setting.players[team]])
        return [sorted(set().union(*found)) for _ in found]

    def _score(self) -> dict[str, int]:
        """None in a third of the hands, any in a third, close to the end in a third."""
        score = {}
        for team, known in enumerate(self.scores):
            kind = self.chance.randrange(3)
            if kind:
                some = known[-3:] if kind == 1 else known
                score[self.setting.players[team]] = self.chance.choice(some)
        return {player: points for player, points in score.items() if points}

    # ---- cards ----------------------------------------------------------------------------------

    def _deal(self, dealer: str, score: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
        """Deal to everybody, from all cards or mostly from cards with a common property."""
        script = self.setting.script((HandScript({}, ()),), dealer, score)
        replay = Replay(filling.log_of(script, [[]]), self.graph)
        game, preferred = replay.game, order_of_cards(self.graph, self.chance, ALIKE)
        for _ in range(MOST_BETWEEN):
            drawing = drawn_by(game)
            if drawing is not None and drawing.verb in replay.dealer.verbs:
                action = first_draw(game, drawing, preferred)
            else:
                action = replay.unsaid()
            if action is None:
                break
            game.push(action)
        found: dict[str, list[str]] = {}
        for card in preferred:
            place = filling.place_of(game, replay.notation, card)
            if place in replay.notation.seats or (place and self.graph.data[place].type.place == "slot"):
                found.setdefault(place, []).append(self.graph.cards[card].name)
        return {key: tuple(cards) for key, cards in sorted(found.items())}

    # ---- play -----------------------------------------------------------------------------------

    def _hands(self, dealer: str, score: Mapping[str, int]) -> list[HandScript]:
        deals = [self._deal(dealer, score)]
        if not deals[0].keys() & {*self.setting.players}:
            return []  # nobody came to hold a card
        if self.chance.random() < ANOTHER_HAND:
            deals.append(self._deal(dealer, score))
        script = self.setting.script([HandScript(deal, ()) for deal in deals], dealer, score)
        walker = Walker(filling.log_of(script, [[] for _ in deals]), self.graph)
        hands = []
        for number, deal in enumerate(deals):
            if number:
                walker.next_hand()
            dealt, before = filling.Dealt(walker), len(walker.game.history)
            actions = self._hand(walker)
            dealt.note(walker.game.history[before:])
            came = dealt.deal(deal)
            held = {player: came[player] for player in self.setting.players if player in came}
            hands.append(HandScript({**deal, **held}, tuple(actions)))
            seen = walker.game.observe()
            if seen.get("winner") is not None or not filling.ends_hand(seen):
                break
        return hands if hands[0].actions else []

    def _hand(self, walker: Walker) -> list[ScriptAction]:
        actions: list[ScriptAction] = []
        bold, earlier = self.chance.choice(BOLD), list[Action]()
        while len(actions) < LONGEST:
            if self.chance.random() < FORBIDDEN and (text := self._forbidden(walker, earlier)):
                actions.append(action_of(text))
            earlier = [a for a in walker.game.legal_actions() if a.actor != CHANCE]
            said = self._say(walker, bold)
            if not said:
                break
            seen = walker.game.observe()
            self.met.note(walker.game.history[-1], seen)
            actions.append(action_of(said))
            if filling.ends_hand(seen):
                break
        return actions

    def _say(self, walker: Walker, bold: float) -> str:
        """Say the next word or play a card, sometimes after implicit actions. Nothing where there is nothing to say."""
        earlier = set[str]()
        for offers, implicit in walker.ahead():
            if implicit is not None and implicit.actor == CHANCE:
                continue
            new = {text: offer for text, offer in offers.items() if text not in earlier and self._can_say(text)}
            spoken = [offer.action for offer in new.values() if offer.action.verb not in self.unsaid]
            if spoken and (implicit is None or self.chance.random() < 0.7):
                chosen = walker.game.text(self._chosen(walker.game, spoken, bold))
                walker.say(chosen, new[chosen])
                return chosen
            earlier |= offers.keys()
        return ""

    def _can_say(self, text: str) -> bool:
        return word_of(text.partition(" ")[2]) not in self.unknown

    def _chosen(self, game: Game, legal: list[Action], bold: float) -> Action:
        """Choose one; for words that the implementation says by itself, the one that it would say, by its order."""
        own = {a: self.itself.get(word_of(game.text(a).partition(" ")[2]), -1) for a in legal}
        if any(rank >= 0 for rank in own.values()):
            seat = min(a.actor for a in legal if own[a] >= 0)
            return min((a for a in legal if own[a] >= 0 and a.actor == seat), key=lambda a: own[a])
        by_word: dict[str, list[Action]] = {}
        for action in legal:
            by_word.setdefault(action.verb, []).append(action)
        if self.chance.random() < bold:
            weights = [(1 + self.met.words[word]) ** -0.5 for word in by_word]
            (word,) = self.chance.choices(list(by_word), weights)
            some = by_word[word]
        else:
            some = max(by_word.values(), key=lambda actions: self.met.words[actions[0].verb])
        if len(some) < 2 or self.chance.random() < BY_RULES:
            return self.chance.choice(some)
        return max(self.chance.sample(some, min(3, len(some))), key=lambda action: self._novelty(game, action))

    def _novelty(self, game: Game, action: Action) -> float:
        event = game.push(action)
        try:
            return self.met.novelty(event, game.observe())
        finally:
            game.pop()

    def _forbidden(self, replay: Replay, earlier: Sequence[Action]) -> str:
        """Return an action refused now, even after implicit actions; None if none was found.

        ``earlier`` was permitted a moment ago: many forbidden actions are too late or too early.
        """
        game = replay.game
        legal = [a for a in game.legal_actions() if a.actor != CHANCE]
        if legal and all(word_of(game.text(a).partition(" ")[2]) in self.itself for a in legal):
            return ""  # it may already have said all that at once
        verbs = sorted(set(self.graph.actions) - self.unsaid - self.by_chance)
        for _ in range(4):
            seat = self.chance.randrange(self.graph.seats)
            kind = self.chance.randrange(4)
            if kind == 0 and legal:
                other = self.chance.choice(legal)
                seats = [turn for turn in range(self.graph.seats) if turn != other.actor] or [seat]
                action = Action(self.chance.choice(seats), other.verb, other.args)
            elif kind < 3 and earlier:
                action = self.chance.choice(earlier)
            else:
                verb = self.chance.choice(verbs)
                action = Action(seat, verb, tuple([self._any(param.type) for param in self.graph.actions[verb].params]))
            text = game.text(action)
            word = word_of(text.partition(" ")[2])
            if action in legal or word in self.shut or word in self.itself:
                continue
            try:
                refusal = replay.refusal(text)
                if refusal is not None:
                    self.met.bearing.update(refusal.rules)
                    return text
            except LogError:
                continue
        return ""

    def _any(self, kind: Type) -> int:
        """A random value of a type; for cards, one in the pack."""
        if kind.base == "card":
            return self.chance.choice([number for number, card in enumerate(self.graph.cards) if card.present])
        return self.chance.randint(kind.low, max(kind.low, kind.high))

"""One side of a hand that two sides play in step: its legal words, and saying them.

Chance and implicit actions are inserted as in a replay of the log.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from truco_spec.compare.core.derivation import lacks_one
from truco_spec.compare.core.sides import Scenario, Side
from truco_spec.engine.game import CHANCE, Action, Event
from truco_spec.engine.sample import any_action, tacit_action
from truco_spec.graph.model import Graph, Rule, Verb
from truco_spec.logs import dealing
from truco_spec.logs.notation import NotationError
from truco_spec.logs.replay import Replay

MOST_BETWEEN = 300
"""Maximum actions inserted before one that is said."""


WAYS = 60
"""Maximum forms of one word or play that are tried."""

FAR, TRIES = 25, 7
"""Maximum stops passed, and tries, in search of something forbidden."""


class Offer(NamedTuple):
    """A possible action: the stop at which it is possible, the action, and whether it is implicit."""

    stop: int
    action: Action
    tacit: bool


class Walker:
    """Raises :class:`LogError` where the side cannot begin so."""

    def __init__(self, side: Side, graph: Graph, course: Scenario) -> None:
        self.replay = Replay(course.log(side), graph)
        self.game, self.dealer = self.replay.game, self.replay.dealer
        self.stops: list[tuple[int, dealing.Mark]] = []
        self.hand_is_over = False
        self.pushed = 0

    def offers(self) -> dict[str, Offer]:
        """Every possible action from here on, by text, at its first stop."""
        game, found = self.game, dict[str, Offer]()
        self.stops, self.hand_is_over = [], False
        for _ in range(MOST_BETWEEN):
            dealt = len(self.dealer.dealt) > self.dealer.begin
            draw = self.dealer.draw(0)
            if draw is None:
                legal = game.legal_actions()
                at = len(self.stops)
                self.stops.append((len(game.history), self.dealer.mark()))
                for action in legal:
                    if action.actor != CHANCE:
                        tacit = game.graph.actions[action.verb].tacit
                        found.setdefault(game.text(action), Offer(at, action, tacit))
                draw = self._unsaid(legal)
                if draw is None:
                    break
            if dealt and draw.actor == CHANCE and self.dealer.pack_is_whole():  # another deal begins
                self.hand_is_over = True
                break
            self._push(draw)
        return found

    def next_hand(self) -> bool:
        """Begin the next deal; False if there is none."""
        return self.replay.next_hand() and self.replay.hand < len(self.replay.log.hands)

    def say(self, text: str, offer: Offer | None) -> Event | None:
        """Do an action at its stop, undoing what was inserted after it.

        Without an offer it is done if an umpire lets it happen; else None.
        """
        if offer is not None:
            self._back_to(offer.stop)
        action = self._forbidden(text) if offer is None else offer.action
        return None if action is None else self._push(action)

    def wrong(self, chance: random.Random, known: Mapping[str, int]) -> str:
        """A forbidden action now, or at a stop before the next spoken action; empty if none is found. The position is
        restored.
        """
        mark = len(self.game.history), self.dealer.mark()
        text = ""
        for _ in range(chance.randrange(FAR)):
            if not self._step():
                break
        graph, game = self.game.graph, self.game
        bars = [r for r in graph.rules.values() if r.shape == "must not" and (not r.phases or game.phase in r.phases)]
        for _ in range(TRIES if bars else 0):
            rule = min(chance.choices(bars, k=2), key=lambda bar: known.get(bar.name, 0))
            action = any_action(graph, chance, chance.choice(rule.verbs).action)
            if game.rule_on(action).status == "forbidden":
                text = game.text(action)
                break
        self._return(mark)
        return text

    def refused(self, rules: Sequence[Rule], chance: random.Random) -> list[str]:
        """For each word of these rules an action that the rule forbids, or that lacks a single condition for it to
        permit, now or at a stop before the next spoken action. Only some of the forms are tried. The position is
        restored.
        """
        mark = len(self.game.history), self.dealer.mark()
        left = [(rule, verb) for rule in rules for verb in rule.verbs]
        found: list[str] = []
        for _ in range(MOST_BETWEEN):
            for rule, verb in list(left):
                if not rule.phases or self.game.phase in rule.phases:
                    action = next((a for a in self._ways(verb, chance) if self._refuses(rule, a)), None)
                    if action is not None:
                        found.append(self.game.text(action))
                        left.remove((rule, verb))
            if not left or not self._step():
                break
        self._return(mark)
        return list(dict.fromkeys(found))

    def _refuses(self, rule: Rule, action: Action) -> bool:
        ruling = self.game.rule_on(action)
        if rule.shape == "must not":
            return ruling.status == "forbidden" and any(other.name == rule.name for other in ruling.rules)
        return ruling.status == "not-offered" and lacks_one(self.game, rule, action)

    def _ways(self, verb: Verb, chance: random.Random) -> list[Action]:
        """Some of the actions with this word that a rule may cover."""
        graph, program = self.game.graph, self.game.program
        given = [
            [arg] if isinstance(arg, int) else range(p.type.low, max(p.type.low, p.type.high) + 1)
            for arg, p in zip(verb.args, graph.actions[verb.action].params, strict=True)
        ]
        every = [(seat, *args) for seat in range(graph.seats) for args in product(*given)]
        some = chance.sample(every, min(WAYS, len(every)))
        return [program.actions[(program.numbers[verb.action], *one)] for one in some]

    def novelty(self, offer: Offer, known: Mapping[str, int]) -> float:
        """The rarity of the rules that would fire; 0 if that cannot be evaluated here."""
        if offer.stop != len(self.stops) - 1 or self.hand_is_over:
            return 0.0
        event = self._push(offer.action)
        self.game.pop()
        return sum(1 / (1 + known.get(name, 0)) for name in dict.fromkeys(event.fired))

    def why(self, offer: Offer) -> tuple[object, ...]:
        """What identifies the offer: its word, phase and rules."""
        game, action = self.game, offer.action
        params = game.graph.actions[action.verb].params
        words = tuple(value for p, value in zip(params, action.args, strict=True) if p.type.base == "order")
        last = offer.stop == len(self.stops) - 1 and not self.hand_is_over
        rules = tuple(rule.name for rule in game.rule_on(action).rules) if last else offer.stop
        return action.verb, words, game.phase, rules

    def _forbidden(self, text: str) -> Action | None:
        """The reading of the text by an umpire: at the first stop where it is forbidden, as in a replay."""
        try:
            readings = self.replay.notation.readings(text)
        except NotationError:
            return None
        mark = len(self.game.history), self.dealer.mark()
        for _ in range(MOST_BETWEEN):
            found = next((a for a in readings if self.game.rule_on(a).status in ("permitted", "forbidden")), None)
            if found is not None:
                return found
            if not self._step():
                break
        self._return(mark)
        return next((action for action in readings if self.game.rule_on(action).status != "impossible"), None)

    def _step(self) -> bool:
        """Insert one implicit action; False if there is none, or another hand would begin."""
        dealt = len(self.dealer.dealt) > self.dealer.begin
        mark = self.dealer.mark()
        action = self.dealer.draw(0) or self._unsaid(self.game.legal_actions())
        if action is None or (dealt and action.actor == CHANCE and self.dealer.pack_is_whole()):
            self.dealer.go_back(mark)
            return False
        self._push(action)
        return True

    def _push(self, action: Action) -> Event:
        self.pushed += 1
        return self.game.push(action)

    def _back_to(self, stop: int) -> None:
        self._return(self.stops[stop])

    def _return(self, mark: tuple[int, dealing.Mark]) -> None:
        while len(self.game.history) > mark[0]:
            self.game.pop()
        self.dealer.go_back(mark[1])

    def _unsaid(self, legal: list[Action]) -> Action | None:
        chance = [action for action in legal if action.actor == CHANCE]
        return self.dealer.choose(chance, 0) if chance else tacit_action(self.game)

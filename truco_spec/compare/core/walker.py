"""One side of a hand that is played by two rules in step: what may be said now, and saying it.

What goes without saying, and chance, are put in as a replay of the log would put them in.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from truco_spec.compare.core.derivation import lacks_one
from truco_spec.compare.core.scenario import Scenario
from truco_spec.compare.core.sides import Side
from truco_spec.engine.game import CHANCE, Action, Event
from truco_spec.graph.model import Graph, Rule, Verb
from truco_spec.logs import dealing
from truco_spec.logs.notation import NotationError
from truco_spec.logs.replay import Replay

MOST_BETWEEN = 300
"""Actions that may be put in before one that is said."""


WAYS = 60
"""So many ways of saying or playing one thing are tried, where there are more."""

FAR, TRIES = 25, 7
"""Places that are passed, and tries that are made, before something forbidden is found."""


class Offer(NamedTuple):
    """Something that may be said now: the stop at which it may, the action, and whether it goes without saying."""

    stop: int
    action: Action
    tacit: bool


class Walker:
    """Raises :class:`LogError` where the side cannot begin so."""

    def __init__(self, side: Side, graph: Graph, course: Scenario) -> None:
        self.replay = Replay(course.log(side), graph)
        self.game, self.dealer = self.replay.game, self.replay.dealer
        self.order = {verb: at for at, verb in enumerate(graph.actions)}
        self.stops: list[tuple[int, dealing.Mark]] = []
        self.hand_is_over = False
        self.pushed = 0

    def offers(self) -> dict[str, Offer]:
        """Everything that may be said from here on, as a text; of each, where it may first."""
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
        """Go on with the next deal; False where there is none."""
        return self.replay.next_hand() and self.replay.hand < len(self.replay.log.hands)

    def say(self, text: str, offer: Offer | None) -> Event | None:
        """Do it, where it may be done; what was put in behind that place is taken back.

        Without an offer it is done all the same, where an umpire lets it happen; else None.
        """
        if offer is not None:
            self._back_to(offer.stop)
        action = self._forbidden(text) if offer is None else offer.action
        return None if action is None else self._push(action)

    def wrong(self, chance: random.Random, known: Mapping[str, int]) -> str:
        """Something that is forbidden now, or at some place before the next that somebody says; nothing if none is
        found. The side stands where it stood before.
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
            verb = chance.choice(rule.verbs).action
            params = graph.actions[verb].params
            args = tuple(chance.randint(p.type.low, max(p.type.low, p.type.high)) for p in params)
            action = game.program.actions[(game.program.numbers[verb], chance.randrange(graph.seats), *args)]
            if game.rule_on(action).status == "forbidden":
                text = game.text(action)
                break
        self._return(mark)
        return text

    def refused(self, rules: Sequence[Rule], chance: random.Random) -> list[str]:
        """For each word of these rules something that the rule forbids, or that it lacks but one condition to permit,
        now or at a place before the next that somebody says. Of many ways some are tried. The side stands where it
        stood before.
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
        """Some of the actions that a rule may speak of with this word."""
        graph, program = self.game.graph, self.game.program
        given = [
            [arg] if isinstance(arg, int) else range(p.type.low, max(p.type.low, p.type.high) + 1)
            for arg, p in zip(verb.args, graph.actions[verb.action].params, strict=True)
        ]
        every = [(seat, *args) for seat in range(graph.seats) for args in product(*given)]
        some = chance.sample(every, min(WAYS, len(every)))
        return [program.actions[(program.numbers[verb.action], *one)] for one in some]

    def novelty(self, offer: Offer, known: Mapping[str, int]) -> float:
        """How rare the rules are that would fire; 0 where that cannot be looked at from here."""
        if offer.stop != len(self.stops) - 1 or self.hand_is_over:
            return 0.0
        event = self._push(offer.action)
        self.game.pop()
        return sum(1 / (1 + known.get(name, 0)) for name in dict.fromkeys(fired(event)))

    def why(self, offer: Offer) -> tuple[object, ...]:
        """By what the offer may be told from others: what is said, in which phase, by which rules."""
        game, action = self.game, offer.action
        params = game.graph.actions[action.verb].params
        words = tuple(value for p, value in zip(params, action.args, strict=True) if p.type.base == "order")
        last = offer.stop == len(self.stops) - 1 and not self.hand_is_over
        rules = tuple(rule.name for rule in game.rule_on(action).rules) if last else offer.stop
        return action.verb, words, game.phase, rules

    def _forbidden(self, text: str) -> Action | None:
        """What an umpire takes the text for: the first place is looked for where it is forbidden, as a replay does."""
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
        """Put in one thing that goes without saying; False where there is none, or another hand would begin."""
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
        if chance:
            return self.dealer.choose(chance, 0)
        tacit = [action for action in legal if self.game.graph.actions[action.verb].tacit]
        return min(tacit, key=lambda action: self.order[action.verb]) if tacit else None


def fired(event: Event) -> Iterator[str]:
    """The names of the rules that fired in an event."""
    yield from event.rules
    for step in event.steps:
        yield from step.rules

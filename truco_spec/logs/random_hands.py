"""Random hands: a hand played at random, word by word, and the set-ups and cards with which one begins.

Chance and implicit actions are inserted as in the replay of a log. Which action is said is the caller's choice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import NamedTuple

from truco_spec.engine.evaluate import Evaluator
from truco_spec.engine.game import CHANCE, Action, Event, Game
from truco_spec.engine.observe import observe
from truco_spec.engine.provenance import bound
from truco_spec.engine.sample import alike_first, any_action, random_match
from truco_spec.engine.support import PlayError
from truco_spec.engine.text import value_text
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Graph, Rule, Verb
from truco_spec.logs.line import Log, Start
from truco_spec.logs.notation import NotationError
from truco_spec.logs.replay import Mark, Replay

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


class Walker(Replay):
    """The hands of a log without moves, played word by word. Raises :class:`LogError` where they cannot begin so.

    ``pushed`` counts the actions done, including those undone.
    """

    def __init__(self, log: Log, graph: Graph) -> None:
        self.pushed = 0
        super().__init__(log, graph)
        self.stops: list[Mark] = []
        self.hand_is_over = False

    def offers(self) -> dict[str, Offer]:
        """Every possible action from here on, by text, at its first stop."""
        found: dict[str, Offer] = {}
        for offers, _ in self.ahead():
            found |= {text: offer for text, offer in offers.items() if text not in found}
        return found

    def ahead(self) -> Iterator[tuple[dict[str, Offer], Action | None]]:
        """Yield every stop from here on: the possible actions there, by text, and the implicit action that follows, if
        any.

        The game stands at the stop, and goes on to the next when that is asked for.
        """
        game = self.game
        self.stops, self.hand_is_over = [], False
        for _ in range(MOST_BETWEEN):
            dealt = len(self.dealer.dealt) > self.dealer.begin
            draw = self.dealer.draw(0)
            if draw is None:
                legal, at = game.legal_actions(), len(self.stops)
                self.stops.append(self.mark())
                said = (action for action in legal if action.actor != CHANCE)
                offers = {self.notation.text(a): Offer(at, a, game.graph.actions[a.verb].tacit) for a in said}
                draw = self.unsaid()
                yield offers, draw
                if draw is None:
                    break
            if dealt and draw.actor == CHANCE and self.dealer.pack_is_whole():  # another deal begins
                self.hand_is_over = True
                break
            self.push(draw)

    def say(self, text: str, offer: Offer | None) -> Event | None:
        """Do an action at its stop, undoing what was inserted after it.

        Without an offer it is done if an umpire lets it happen; else None.
        """
        if offer is not None:
            self.back_to(self.stops[offer.stop])
        action = self._forbidden(text) if offer is None else offer.action
        return None if action is None else self.push(action)

    def wrong(self, chance: random.Random, known: Mapping[str, int]) -> str:
        """A forbidden action now, or at a stop before the next spoken action; empty if none is found. The position is
        restored.
        """
        graph, game, mark, text = self.game.graph, self.game, self.mark(), ""
        for _ in range(chance.randrange(FAR)):
            if not self._step():
                break
        bars = [r for r in graph.rules.values() if r.shape == "must not" and (not r.phases or game.phase in r.phases)]
        for _ in range(TRIES if bars else 0):
            rule = min(chance.choices(bars, k=2), key=lambda bar: known.get(bar.name, 0))
            action = any_action(graph, chance, chance.choice(rule.verbs).action)
            if game.rule_on(action).status == "forbidden":
                text = game.text(action)
                break
        self.back_to(mark)
        return text

    def refused(self, rules: Sequence[Rule], chance: random.Random) -> list[str]:
        """Return for each word of these rules an action that the rule forbids, or that lacks a single condition to be
        permitted, now or at a stop before the next spoken action. Only some of the forms are tried. The position is
        restored.
        """
        mark = self.mark()
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
        self.back_to(mark)
        return list(dict.fromkeys(found))

    def _refuses(self, rule: Rule, action: Action) -> bool:
        ruling = self.game.rule_on(action)
        if rule.shape == "must not":
            return ruling.status == "forbidden" and any(other.name == rule.name for other in ruling.rules)
        return ruling.status == "not-offered" and _lacks_one(self.game, rule, action)

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
        event = self.push(offer.action)
        self.game.pop()
        return sum(1 / (1 + known.get(name, 0)) for name in dict.fromkeys(event.fired))

    def why(self, offer: Offer) -> tuple[object, ...]:
        """Return the identity of the offer: its word, phase and rules."""
        game, action = self.game, offer.action
        params = game.graph.actions[action.verb].params
        words = tuple(value for p, value in zip(params, action.args, strict=True) if p.type.base == "order")
        last = offer.stop == len(self.stops) - 1 and not self.hand_is_over
        rules = tuple(rule.name for rule in game.rule_on(action).rules) if last else offer.stop
        return action.verb, words, game.phase, rules

    def _forbidden(self, text: str) -> Action | None:
        """The reading of the text by an umpire: at the first stop where it is forbidden, as in a replay."""
        try:
            readings = self.notation.readings(text)
        except NotationError:
            return None
        mark = self.mark()
        for _ in range(MOST_BETWEEN):
            found = next((a for a in readings if self.game.rule_on(a).status in ("permitted", "forbidden")), None)
            if found is not None:
                return found
            if not self._step():
                break
        self.back_to(mark)
        return next((action for action in readings if self.game.rule_on(action).status != "impossible"), None)

    def _step(self) -> bool:
        """Insert one implicit action; False if there is none, or another hand would begin."""
        dealt = len(self.dealer.dealt) > self.dealer.begin
        mark = self.dealer.mark()
        action = self.dealer.draw(0) or self.unsaid()
        if action is None or (dealt and action.actor == CHANCE and self.dealer.pack_is_whole()):
            self.dealer.go_back(mark)
            return False
        self.push(action)
        return True

    def push(self, action: Action) -> Event:
        """Do an action, and count it."""
        self.pushed += 1
        return super().push(action)


def _lacks_one(game: Game, rule: Rule, action: Action) -> bool:
    """Whether the rule lacks a single condition to permit the action."""
    env = bound(rule, action)
    evaluator = Evaluator(game.layout, game.position)
    try:
        if rule.by is not None and not evaluator.value(rule.by, env) >> action.actor & 1:
            return False
        return sum(not evaluator.holds(part, env) for part in conjuncts(rule.when)) == 1
    except (PlayError, IndexError, KeyError):
        return False


# --------------------------------------------------------------------------------------------------
# Set-ups of a hand: the cards dealt, the score, and other data that last from hand to hand. Lasting data are taken from
# random matches, so that every set-up is reachable.

MATCHES = 6
MOST_MOVES = 2_500
ALIKE, PLAIN, LATE = 0.55, 0.4, 0.2
"""Probabilities: of drawing from similar cards, of the first hand of a match, and of one of the last."""
LAST = 3
"""The number of last hands of a match."""

SCORE, DEALER = "score", "dealer"
"""Data for which a log has names of its own."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Lasting data: the points by the first player of each team, and other data as in a log."""

    score: Mapping[str, int] = field(default_factory=dict)
    start: tuple[Start, ...] = ()


class Setups:
    """Set-ups of one graph."""

    def __init__(self, graph: Graph, players: Sequence[str], chance: random.Random) -> None:
        self.graph, self.players, self.chance = graph, players, chance
        self.positions = 0
        self.found: list[Setup] = []
        self.late: list[Setup] = []
        self.shape: dict[str, int] = {}
        for _ in range(MATCHES):
            before = len(self.found)
            self._match()
            self.late += self.found[before:][-LAST:]
        self.cards = [card.name for card in graph.cards if card.present]

    def any(self) -> Setup:
        """Return one of those reached, often one of the last of a match."""
        if not self.found or self.chance.random() < PLAIN:
            return Setup()
        return self.chance.choice(self.late if self.chance.random() < LATE else self.found)

    def _match(self) -> None:
        try:
            game = Game(self.graph, players=self.players)
            plain = _lasting(game)
            for event in random_match(game, self.chance, MOST_MOVES):
                self.positions += 1
                if event.action.actor == CHANCE:
                    continue
                for key, count in self._dealt(game).items():
                    self.shape[key] = max(count, self.shape.get(key, 0))
                if not _lie(game) and observe(game, acting=False, only=("winner",)).get("winner") is None:
                    self.found.append(self._setup(game, plain))
        except PlayError:
            return

    def _dealt(self, game: Game) -> dict[str, int]:
        """The number of cards of each player, and the other places of cards that a log can name."""
        found: dict[str, int] = {}
        for name, index, count in _lie(game):
            datum = self.graph.data[name]
            if datum.type.place == "slot" and not index:
                found[name] = 1
            elif len(index) == 1 and datum.params[0].type.base == "seat" and datum.type.place == "pile":
                found[self.players[index[0]]] = found.get(self.players[index[0]], 0) + count
        return found

    def _setup(self, game: Game, plain: Mapping[tuple[str, tuple[int, ...]], int]) -> Setup:
        score: dict[str, int] = {}
        start: list[Start] = []
        for (name, index), value in _lasting(game).items():
            if value == plain[name, index] or name == DEALER:
                continue
            if name == SCORE and len(index) == 1:
                score[self.players[index[0]]] = value
            else:
                start.append(as_given(self.graph, self.players, name, index, value))
        return Setup(score, tuple(start))


def as_given(graph: Graph, players: Sequence[str], name: str, index: tuple[int, ...], value: int) -> Start:
    """A datum as a log gives it before the first hand."""
    datum = graph.data[name]
    words = (value_text(graph, p.type, at, players) for p, at in zip(datum.params, index, strict=True))
    return Start(name, tuple(words), value_text(graph, datum.type, value, players))


def _lasting(game: Game) -> dict[tuple[str, tuple[int, ...]], int]:
    """Return the data that last for the whole match, as far as a log can give them."""
    graph, blocks = game.graph, game.layout.blocks
    names = [name for name, d in graph.data.items() if not d.fresh and not d.type.place and not d.type.many]
    return {
        (name, index): game.position[blocks[name].slot(index)] for name in names for index in blocks[name].indices()
    }


def _lie(game: Game) -> list[tuple[str, tuple[int, ...], int]]:
    """Return the places of cards outside the pack: the datum, its index, the number."""
    found = []
    for slot, (name, index) in game.layout.place_of.items():
        value = game.position[slot]
        count = value.bit_count() if game.layout.is_pile[slot] else int(value >= 0)
        if name != game.graph.pack and count and value > 0 - (not game.layout.is_pile[slot]):
            found.append((name, index, count))
    return found


def common(setup: Setup, graph: Graph, known: Setups) -> Setup:
    """The part of a set-up that another graph has too, if one of its matches reached it."""
    most = max((points for other in known.found for points in other.score.values()), default=0)
    score = {player: points for player, points in setup.score.items() if points <= most}
    lasting = {name for name, datum in graph.data.items() if not datum.fresh}
    reached = [item for other in known.found for item in other.start]
    return Setup(score, tuple(item for item in setup.start if item.datum in lasting and item in reached))


def deal(
    chance: random.Random, shape: Mapping[str, int], cards: Sequence[str], kinds: Mapping[str, tuple[int, int]]
) -> dict[str, tuple[str, ...]]:
    """Cards for everybody, drawn from all, or mostly from some of equal rank or suit."""
    order = chance.sample(list(cards), len(cards))
    if chance.random() < ALIKE:
        by = chance.randrange(2)
        alike_first(order, {card: kinds[card][by] for card in cards}, chance)
        count = min(len(order), sum(shape.values()))
        order[:count] = chance.sample(order[:count], count)
    left = iter(order)
    given = {key: tuple(islice(left, count)) for key, count in shape.items()}
    return {key: cards for key, cards in given.items() if cards}

"""Coverage-guided search: one side plays for itself, to reach statements that no log has shown yet.

Random play starts from hands in which related statements were at work: from cases of the corpus, and from earlier play.
Now and then a few words are said whenever permitted, to reach what takes many of one kind; and actions that a wanted
rule may forbid are tried.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import exp

from truco_spec.checks.frame import Conditions, bound, possible, speaks, standing_alone
from truco_spec.checks.positions import Partial, sample
from truco_spec.checks.study import Study
from truco_spec.compare.derivation import Watcher
from truco_spec.compare.pair import WORKING, Witness
from truco_spec.compare.random_search import RandomSearch
from truco_spec.compare.reasons import sites
from truco_spec.compare.scenario import Hands, Scenario
from truco_spec.compare.statements import Key
from truco_spec.engine.support import BITS, PlayError
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Graph
from truco_spec.logs.model import STRICT, UMPIRE, LogError, Start
from truco_spec.logs.random_hands import DEALER, SCORE, Offer, Walker, as_given, deal

ARRANGED, NEAR, WHOLE, DEALT_ANEW, SCORED_ANEW = 0.4, 0.7, 0.5, 0.35, 0.3
"""Probabilities: of a hand arranged for a wanted statement, of one that begins like a hand with a related statement, of
taking that whole, of dealing its cards anew, and of another score.
"""
LIKING, STUBBORN, FOREMOST = (0.7, 2.3, 5.8), 0.4, exp(9)
"""The spread of preferences for words in a hand, as powers of e; the probability that a related word is strongly
preferred, and how strongly.
"""
OF_A_KIND = 3
"""Maximum remembered actions of one word, or with one card."""
PRECEDENTS = 300
"""Maximum scenarios searched for related statements."""
BEST = 24
"""Maximum scenarios kept for each wanted statement."""


class _Taste:
    """The preference for each word in one hand."""

    def __init__(self, chance: random.Random, akin: set[str]) -> None:
        self.chance, self.strength = chance, chance.choice(LIKING)
        self.akin = akin if chance.random() < STUBBORN else set[str]()
        self.known: dict[str, float] = {}

    def __call__(self, verb: str, word: str) -> float:
        if word not in self.known:
            self.known[word] = exp(self.chance.uniform(-self.strength, self.strength))
            if verb in self.akin and self.chance.random() < STUBBORN:
                self.known[word], self.akin = FOREMOST, set()
        return self.known[word]


class CoverageSearch:
    """The search of one side at one table. Its findings go to the search of that table."""

    def __init__(self, search: RandomSearch, number: int, wanted: Iterable[Key], scenarios: Iterable[Scenario]) -> None:
        self.search, self.number, self.chance = search, number, search.chance
        self.graph, self.side = search.pair.graphs[number], search.pair.sides[number]
        self.reaches = search.pair.reaches[number]
        self._want(frozenset(wanted))
        self.akin = {key: self._akin_to(key) for key in sorted(self.wanted)}
        self.near: dict[Key, list[tuple[int, int, Scenario]]] = {key: [] for key in self.akin}
        study = Study(self.graph, bounded=False)
        self.arranged = {key: arranged(study, search.players[number], key) for key in self.akin}
        every = frozenset(other for akin in self.akin.values() for other in akin)
        for scenario in islice(scenarios, PRECEDENTS):
            for at, used in enumerate(search.pair.works(scenario, number, every), start=1):
                self._keep(scenario.cut(at), used)

    def run(self, positions: int, progress: Callable[[int], None] = lambda done: None) -> None:
        """Run until everything is found, or this many positions have been examined."""
        most = self.search.positions + positions
        while self.wanted and self.search.positions < most:
            self.search.found.positions += 1
            with contextlib.suppress(LogError, PlayError):  # these cards are impossible here; try others
                self._hand()
            progress(self.search.positions)

    # ---- related statements ------------------------------------------------------------------------

    def _akin_to(self, key: Key) -> frozenset[Key]:
        """Statements related to this one: its questions and reads, what it beats, what may involve it."""
        kind, name = key
        found: set[Key] = set()
        if kind == "rule":
            rule = self.graph.rules[name]
            found |= self.reaches.rule(name) | {("rule", other) for other in rule.beats}
            found |= {("phase", phase) for phase in rule.phases}
        for define in self.graph.defines.values():
            if kind == "define" and any(answer.name == name for answer in define.answers):
                found |= self.reaches.question(define.name)
        found |= {("rule", rule) for rule in self.graph.rules if key in self.reaches.rule(rule)}
        return frozenset(found - {key})

    def _keep(self, scenario: Scenario, used: frozenset[Key]) -> None:
        for key in self.wanted:
            shared = len(used & self.akin[key])
            pool = self.near[key]
            entry = (-shared, scenario.said, scenario)
            if shared and (len(pool) < BEST or entry[:2] < pool[-1][:2]):
                pool.append(entry)
                pool.sort(key=lambda one: one[:2])
                del pool[BEST:]

    # ---- a hand ------------------------------------------------------------------------------------

    def _hand(self) -> None:
        key = self.chance.choice(sorted(self.wanted))
        scenario = self._begun(key)
        hands = Hands(scenario, [(self.side, self.graph)])
        (walker,) = hands.walkers
        taste = _Taste(self.chance, {name for kind, name in self.akin[key] if kind == "action"})
        try:
            while hands.open and self.wanted:
                self._try_refused(walker, hands.so_far)
                mark = len(walker.game.history)
                offers = walker.offers()
                text = hands.left.pop(0) if hands.left else ""
                if not text or (text not in offers and scenario.mode == STRICT):
                    hands.left, text = [], self._chosen(offers, taste)
                if text:
                    if hands.say(text, [offers]) == [None]:
                        return
                    self._look(walker, mark, hands.so_far)
                elif not hands.next_hand():
                    return
        finally:
            self.search.found.positions += hands.pushed

    def _begun(self, key: Key) -> Scenario:
        pool, ready = self.near[key], self.arranged[key]
        if ready and self.chance.random() < ARRANGED:
            scenario = self.chance.choice(pool)[2] if pool and self.chance.random() < WHOLE else None
            scenario = scenario or self.search.begin(self.number)
            shape, owner = self.search.setups[self.number].shape, self.chance.choice(scenario.players)
            return self.chance.choice(ready).scenario(scenario, shape, owner)
        if not pool or self.chance.random() >= NEAR:
            return self.search.begin(self.number)
        scenario = self.chance.choice(pool)[2]
        if self.chance.random() >= WHOLE:
            scenario = scenario.cut(self.chance.randint(0, scenario.said))
        if self.chance.random() < DEALT_ANEW:
            cards, shape = self.search.setups[self.number].cards, self.search.setups[self.number].shape
            dealt = (deal(self.chance, shape, cards, self.search.kinds) for _ in scenario.deals)
            scenario = replace(scenario, deals=tuple(dealt))
        if self.chance.random() < SCORED_ANEW:
            setup = self.search.setups[self.number].any()
            scenario = replace(scenario, score=setup.score, start=setup.start)
        return scenario

    def _chosen(self, offers: dict[str, Offer], taste: _Taste) -> str:
        """A random choice, weighted by the preferences of this hand."""
        by_verb: dict[str, list[str]] = {}
        for text, offer in offers.items():
            if not offer.tacit:
                by_verb.setdefault(offer.action.verb, []).append(text)
        if not by_verb:
            return ""
        likings = {
            text: taste(verb, text.partition(" ")[2])
            for verb, texts in by_verb.items()
            for text in self.chance.sample(texts, min(OF_A_KIND, len(texts)))
        }
        return self.chance.choices(list(likings), list(likings.values()))[0]

    # ---- findings ----------------------------------------------------------------------------------

    def _look(self, walker: Walker, mark: int, scenario: Scenario) -> None:
        """Record the statements at work in the last move, if by the text a wanted one may be among them."""
        used = self.gaze.at_work(walker.game, mark)
        self._keep(scenario, used)
        if not self.wanted.isdisjoint(used):
            self._show(scenario)

    def _show(self, scenario: Scenario) -> None:
        """Whether a wanted statement is at work in the last move when the log is replayed; if so, it is found."""
        shown = self.search.pair.at_work(scenario, self.number, self.wanted)
        for key in sorted(shown):
            self.search.found.note(Witness(key, WORKING, scenario, 0, self.number))
        if shown:
            self._want(self.wanted - shown)

    def _want(self, keys: frozenset[Key]) -> None:
        self.wanted, self.gaze = keys, Watcher(self.reaches, keys)
        defines = frozenset(key for key in keys if key[0] == "define")
        self.refusing = frozenset(
            rule.name
            for rule in self.graph.rules.values()
            if not self.reaches.rule(rule.name).isdisjoint(keys if rule.shape == "must not" else defines)
            and not rule.outsider
        )

    def _try_refused(self, walker: Walker, scenario: Scenario) -> None:
        """Try actions that a wanted rule may forbid, or almost permits, here or before the next spoken action."""
        rules = [
            rule
            for rule in self.graph.rules.values()
            if rule.shape in ("may", "must not") and rule.name in self.refusing
        ]
        for text in walker.refused(rules, self.chance) if rules else ():
            for mode in (STRICT, UMPIRE):
                self._show(replace(scenario.and_then(text), mode=mode))


# --------------------------------------------------------------------------------------------------
# Hands arranged for a statement: the score, the dealer and the cards of a position in which it would apply. The checks
# of the graph find such positions, although not always reachable ones. Their cards and lasting data are used; the rest
# is random.

MOST, BUDGET = 6, 1_000
"""Number of positions searched for, and the budget for each."""


@dataclass(slots=True)
class Arranged:
    """``cards`` are by player, or by the place where one lies; ``loose`` ones may be anybody's."""

    dealer: str = ""
    score: dict[str, int] = field(default_factory=dict)
    start: list[Start] = field(default_factory=list)
    cards: dict[str, tuple[str, ...]] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)

    def scenario(self, scenario: Scenario, shape: Mapping[str, int], owner: str) -> Scenario:
        """A scenario with this start; loose cards go to ``owner``, and nobody gets more than ``shape`` says."""
        given = dict(self.cards)
        given[owner] = tuple(dict.fromkeys((*given.get(owner, ()), *self.loose)))
        taken = {card for cards in given.values() for card in cards}
        dealt: dict[str, tuple[str, ...]] = {}
        for key in {**shape, **given}:
            before = scenario.deals[0].get(key, ()) if scenario.deals else ()
            every = (*given.get(key, ()), *(card for card in before if card not in taken))
            if every[: shape.get(key, 1)]:
                dealt[key] = every[: shape.get(key, 1)]
        return replace(
            scenario,
            dealer=self.dealer or scenario.dealer,
            score=self.score or scenario.score,
            start=tuple(self.start) or scenario.start,
            deals=(dealt, *scenario.deals[1:]),
        )


def arranged(study: Study, players: Sequence[str], key: Key) -> list[Arranged]:
    """Some arrangements for a rule or an answer; none for other statements, or if no position is found."""
    found = []
    for conditions, phases in islice(_conditions(study.graph, key), MOST):
        partial = study.ask(conditions, phases or None, BUDGET).partial
        if partial is not None:
            found.append(_of(study.graph, players, partial))
    return found


def _conditions(graph: Graph, key: Key) -> Iterator[tuple[Conditions, tuple[str, ...]]]:
    """The conditions under which the statement applies, and the phases in which it may."""
    kind, name = key
    if kind == "rule" and name in graph.rules:
        rule = graph.rules[name]
        for verb in rule.verbs:
            yield (*speaks(graph, rule, verb.action), *possible(graph, verb.action)), rule.phases
        if not rule.verbs:
            yield tuple(conjuncts(rule.when)), rule.phases
    for define in graph.defines.values() if kind == "define" else ():
        for answer in define.answers:
            if answer.name == name:
                standing = standing_alone(define.answers, answer)
                names = tuple(param.name for param in define.params)
                yield standing, ()
                for site in sites(graph, define.name):
                    there = (bound(part, [(names, site.args)]) for part in standing)
                    yield (*site.guards, *there), site.phases


def _of(graph: Graph, players: Sequence[str], partial: Partial) -> Arranged:
    """The score, the dealer and the cards in a position."""
    made = Arranged()
    for key, value in partial.known.items():
        if key[0] == "var" and getattr(key[2], "base", "") == "card" and not isinstance(value, tuple):
            made.loose += [graph.cards[card].name for card in (sample(value),) if card >= 0]
        if key[0] != "datum":
            continue
        datum, index = graph.data[str(key[1])], key[2]
        assert isinstance(index, tuple)
        seats = [at for p, at in zip(datum.params, index, strict=True) if p.type.base == "seat"]
        if datum.type.base == "card" or datum.type.place:
            bits = BITS[value[0]] if isinstance(value, tuple) else [sample(value)]
            cards = tuple(graph.cards[card].name for card in bits if card >= 0)
            where = players[seats[0]] if seats else datum.name if datum.type.place == "slot" and not index else ""
            if where and cards:
                made.cards[where] = tuple(dict.fromkeys((*made.cards.get(where, ()), *cards)))
        elif not datum.fresh and not isinstance(value, tuple):
            _last(graph, players, made, datum.name, index, sample(value))
    return made


def _last(graph: Graph, players: Sequence[str], made: Arranged, name: str, index: tuple[int, ...], value: int) -> None:
    """The data that last from hand to hand."""
    if name == DEALER and value >= 0:
        made.dealer = players[value]
    elif name == SCORE and len(index) == 1:
        made.score[players[index[0]]] = value
    elif name not in (DEALER, SCORE):
        made.start.append(as_given(graph, players, name, index, value))

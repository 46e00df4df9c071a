"""Random search for logs that show differences: both sides play the same hands in step, and the provenance of every
parting is attributed to differences. What only one side can reach is searched for by that side alone.

Rare events are preferred, as rules fire; the result depends only on the seed.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import exp
from typing import Any, NamedTuple, TypeAlias

from truco_spec.base.processes import made_of
from truco_spec.checks.frame import Conditions, bound, possible, speaks, standing_alone
from truco_spec.checks.positions import Partial, sample
from truco_spec.checks.study import Study
from truco_spec.compare.derivation import Watcher
from truco_spec.compare.pair import (
    APART,
    WORKING,
    Pair,
    Parting,
    Witness,
    Witnesses,
    keys_of,
    unlike_told,
    unlike_views,
    witnesses,
)
from truco_spec.compare.reasons import sites
from truco_spec.compare.scenario import NAMES, Hands, Scenario
from truco_spec.compare.statements import Difference, Key
from truco_spec.engine.game import Event
from truco_spec.engine.support import BITS, PlayError
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Graph
from truco_spec.logs.line import STRICT, UMPIRE, LogError, Start
from truco_spec.logs.random_hands import DEALER, SCORE, Offer, Setups, Walker, as_given, common, deal

MOST_HANDS = 3

UMPIRED, WRONG, TOGETHER, BLIND = 0.3, 0.3, (0.25, 0.75), 0.4
"""Probabilities: of umpire mode, of trying a forbidden action then, of playing both sides rather than one (increasing
with the number of common cards), and of a uniformly random move.
"""

OFTEN, MIXED, ALONE = 3, 16, 10
"""How often a kind of parting is examined, how often if several differences are involved, and how often a kind of move
by one side alone; and again whenever its log would be shorter.
"""

RESUMED, WHOLE, RARE, KEPT = 0.45, 0.6, 4, 80
"""Probabilities that a hand begins like one with a rare event, and of taking it whole; the threshold of rarity, and the
number kept.
"""

LEARNED = ("found", "parted", "counted_from")
"""The state of a search that later searches depend on."""

AT_ONCE, FAR = 1_000, 64
"""The positions that a process playing ahead examines before each report, and the most reports before one is requested.
"""

BOTH = 2
"""Besides 0 and 1 for one side alone: both sides."""


Noted: TypeAlias = "Witness | tuple[int, Scenario]"
"""A record of a step of play: a witness, or a scenario of one side whose last move may show something."""


class PlayedStep(NamedTuple):
    """One step of play: the positions examined, its records, and the state of the random generator after it."""

    positions: int
    noted: list[Noted]
    chance: tuple[Any, ...]


Report: TypeAlias = Callable[[], list[PlayedStep]]
"""Waits for steps that another process plays."""


class RandomSearch:
    """The search at one table: ``step`` plays one hand or a few.

    What is played does not depend on what was found, so another process can play ahead.
    """

    def __init__(
        self, pair: Pair, differences: Iterable[Difference], seed: str, sides: tuple[int, ...] = (0, 1)
    ) -> None:
        self.pair, self.sides = pair, sides
        self.players = [NAMES[: graph.seats] for graph in pair.graphs]
        self.keys = keys_of(differences)
        self.chance = random.Random(seed)  # noqa: S311 -- for play, not for secrets
        self.found = Witnesses()
        self.fired: Counter[str] = Counter()
        self.often: Counter[object] = Counter()
        self.shortest: dict[object, tuple[int, int, int, int]] = {}
        self.clear: set[object] = set()
        self.parted: set[str] = set()
        self.hands: Hands | None = None
        self.ask: Callable[[], Report] | None = None
        self.asked: deque[Report] = deque()
        self.most = 0
        self.due: deque[PlayedStep] = deque()
        self.noted: list[Noted] | None = None
        self.rare: list[list[Scenario]] = [[], [], []]
        named = zip(pair.graphs, self.players, strict=True)
        self.setups = [Setups(graph, players, self.chance) for graph, players in named]
        self.counted_from = self.found.positions = sum(setups.positions for setups in self.setups)
        self.kinds = {c.name: (c.rank, c.suit) for graph in reversed(pair.graphs) for c in graph.cards if c.present}
        both = set(self.setups[0].cards) & set(self.setups[1].cards)
        self.both = [card for card in self.setups[0].cards if card in both]
        shared = len(both) / max(1, len(self.setups[0].cards), len(self.setups[1].cards))
        self.together = TOGETHER[0] + (TOGETHER[1] - TOGETHER[0]) * shared

    def run(self, positions: int, progress: Callable[[int], None] = lambda done: None) -> Witnesses:
        """Run until this many positions have been examined, besides those of the set-ups."""
        while self.positions < self.counted_from + positions:
            self.step()
            progress(self.positions)
        self.found.positions = self.positions
        self.pair.looked = 0
        return self.found

    def play_ahead(self, positions: int, ask: Callable[[], Report]) -> None:
        """Leave the steps to another process, which is asked for some at once; no more than for these positions."""
        self.asked.extend(ask() for _ in range(FAR))
        self.most, self.ask = positions, ask

    def some_steps(self) -> list[PlayedStep]:
        """Play the next steps, in a process that plays ahead."""
        made: list[PlayedStep] = []
        most = self.positions + AT_ONCE
        while self.positions < most:
            self.noted, before = [], self.positions
            self.step()
            made.append(PlayedStep(self.positions - before, self.noted, self.chance.getstate()))
        return made

    @property
    def positions(self) -> int:
        return self.found.positions + self.pair.looked

    def learned(self) -> tuple[Any, ...]:
        """The state of the search, as :meth:`go_on` takes it in another process."""
        return self.chance.getstate(), self.pair.looked, {name: getattr(self, name) for name in LEARNED}

    def go_on(self, chance: Any, looked: int, learned: Mapping[str, object]) -> None:
        """Go on from the state of the same search in another process."""
        self.chance.setstate(chance)
        self.pair.looked = looked
        vars(self).update(learned)

    @property
    def alike(self) -> bool:
        """Whether both sides play at this table."""
        return self.players[0] == self.players[1]

    def step(self) -> None:
        """Play a hand or a few, by both or by one."""
        if self.ask is not None:
            self._take(self.ask)
            return
        self.found.positions += 1
        together = self.alike and self.chance.random() < self.together
        with contextlib.suppress(LogError, PlayError):  # these cards are impossible here; try others
            self._hand(BOTH if together else self.chance.choice(self.sides))
        self.found.positions += self.hands.pushed if self.hands else 0
        self.hands = None

    def _take(self, ask: Callable[[], Report]) -> None:
        """Take a step that was played ahead."""
        if not self.due:
            if not self.asked or self.positions + FAR * AT_ONCE < self.counted_from + self.most:
                self.asked.append(ask())
            self.due.extend(self.asked.popleft()())
        step = self.due.popleft()
        self.found.positions += step.positions
        for noted in step.noted:
            if isinstance(noted, Witness):
                self.found.note(noted)
            else:
                self._show(*noted)
        self.chance.setstate(step.chance)

    # ---- the start --------------------------------------------------------------------------------

    def begin(self, number: int, *, together: bool = False) -> Scenario:
        """A randomly dealt hand or a few, without any move."""
        own, other = self.setups[number], self.setups[1 - number]
        setup, cards, shape = own.any(), own.cards, own.shape
        if together:
            setup = common(setup, self.pair.graphs[1 - number], other)
            cards, shape = self.both, {**other.shape, **own.shape}
        hands = 1 if self.chance.random() < 0.75 else MOST_HANDS
        deals = tuple(deal(self.chance, shape, cards, self.kinds) for _ in range(hands))
        mode = UMPIRE if self.chance.random() < UMPIRED else STRICT
        players = self.players[number]
        dealer = self.chance.choice(players)
        return Scenario(players, dealer, setup.score, setup.start, mode, deals, ((),) * hands)

    # ---- a hand -----------------------------------------------------------------------------------

    def _hand(self, which: int) -> None:
        """Play a hand or a few by one side, or by both in step."""
        scenario = self._resumed(which)
        if scenario is None:
            scenario = self.begin(self.chance.randrange(2), together=True) if which == BOTH else self.begin(which)
        numbers = (0, 1) if which == BOTH else (which,)
        sides = ((self.pair.sides[number], self.pair.graphs[number]) for number in numbers)
        self.hands = hands = Hands(scenario, sides)
        first, earlier = hands.walkers[0], set[str]()
        while hands.open:
            text = "" if hands.left else self._wrong(hands)
            offers: list[dict[str, Offer]] = [{} for _ in numbers] if text else hands.offers()
            if which == BOTH and not text:
                self._offered_by_one(hands, offers)
            if not text and hands.left:
                text = hands.left.pop(0)
            elif not text:
                by_all = offers[0].keys() & offers[-1].keys()
                some = [text for text, offer in offers[0].items() if text in by_all and not offer.tacit]
                text = self._chosen(first, some, offers[0])
            if text:
                events = hands.say(text, offers)
                if not (
                    self._after(hands, events, earlier) if which == BOTH else self._after_one(hands, events, which)
                ):
                    return
            elif not hands.next_hand():
                return

    def _offered_by_one(self, hands: Hands, offers: list[dict[str, Offer]]) -> None:
        """Examine what one side permits and the other does not."""
        scenario, walkers = hands.so_far, hands.walkers
        for number in (0, 1):
            own, other = offers[number], offers[1 - number]
            for text, offer in own.items():
                if text in other or offer.tacit:
                    continue
                why = walkers[number].why(offer), walkers[1 - number].game.phase
                self._look((number, why, scenario.mode), scenario.and_then(text))

    def _after(self, hands: Hands, events: list[Event | None], earlier: set[str]) -> bool:
        """Examine a move with different results; return whether both can go on."""
        scenario = hands.so_far
        if events[0] is None or events[1] is None:
            self._look(("refused", *scenario.moves[-1][-1].split()[1:2]), scenario)
            return False
        a, b = (walker.game for walker in hands.walkers)
        rules = events[0].fired, events[1].fired
        unlike = unlike_told(a.observe(), b.observe())
        new = tuple(name for name in unlike if name not in earlier)
        earlier |= set(unlike)
        self._note([event for event in events if event], scenario, BOTH)
        if events[0].status != events[1].status:
            self._look((rules, scenario.mode), scenario)
            return False
        if new:
            self._look((new, rules, scenario.mode), scenario)
        if self.often["view", a.phase, b.phase, rules] < OFTEN:
            self.often["view", a.phase, b.phase, rules] += 1
            views = unlike_views(a, b)
            if views and not new:
                self._look(("view", tuple(view[1] for view in views), a.phase, b.phase), scenario, views=True)
        return True

    def _after_one(self, hands: Hands, events: list[Event | None], number: int) -> bool:
        """Examine a move of one side, unless enough of its kind that are no longer were examined already."""
        event = events[0]
        if event is None:
            return False
        scenario = hands.so_far
        self._note([event], scenario, number)
        if self._worth((number, event.action.verb, event.fired, len(hands.said[-1]) == 1), scenario, ALONE):
            self._show(number, scenario)
        return True

    def _show(self, number: int, scenario: Scenario) -> None:
        """Record the statements at work in the last move of a scenario by the rules of one side, or leave it to the
        process that takes the step.
        """
        if self.noted is not None:
            self.noted.append((number, scenario))
            return
        lacking = self.found.lacking(self.pair.played[number], scenario, number)
        for key in sorted(self.pair.at_work(scenario, number, lacking)):
            self.found.note(Witness(key, WORKING, scenario, 0, number))

    # ---- given scenarios --------------------------------------------------------------------------

    def follow(self, scenario: Scenario) -> None:
        """Record where the two part in a scenario."""
        for parting in self.pair.partings(scenario, views=True, but=self.parted):
            self.parted.add(repr(parting.scenario))
            if parting.scenario == scenario:
                self._part(parting)
            elif any(map(self.found.lacks, witnesses(parting, self.keys))):
                again = self.pair.parting(parting.scenario, views=True)  # cards named later were kept back
                if again is not None:
                    self._part(again)

    def works(self, scenario: Scenario, number: int) -> None:
        """Record the statements at work in a scenario by the rules of one side that have no log yet."""
        missing = self.pair.played[number].difference(self.found.best)
        for at, keys in enumerate(self.pair.works(scenario, number, missing) if missing else (), start=1):
            so_far = scenario.cut(at)
            if keys and so_far != scenario:
                keys = self.pair.at_work(so_far, number, keys)  # cards named later were kept back
            for key in sorted(keys):
                self.found.note(Witness(key, WORKING, so_far, 0, number))

    def _part(self, parting: Parting) -> int:
        """Record the witnesses in a parting; return the number of differences by which the two part."""
        found = witnesses(parting, self.keys)
        for witness in found:
            if self.found.note(witness) and self.noted is not None:
                self.noted.append(witness)
        return sum(witness.shows == APART for witness in found)

    def _look(self, signature: object, scenario: Scenario, *, views: bool = False) -> None:
        """Judge a scenario, unless enough similar ones that are no longer were judged already."""
        if not self._worth(signature, scenario, OFTEN if signature in self.clear else MIXED):
            return
        parting = self.pair.parting(scenario, views=views)
        if parting is None:
            return
        if self._part(parting) < 2 and not parting.earlier:
            self.clear.add(signature)

    def _worth(self, signature: object, scenario: Scenario, often: int) -> bool:
        """Whether such a scenario was examined less often, or never one as short."""
        size = scenario.size
        if self.often[signature] >= often and size >= self.shortest[signature]:
            return False
        self.often[signature] += 1
        self.shortest[signature] = min(size, self.shortest.get(signature, size))
        return True

    def _note(self, events: list[Event], scenario: Scenario, which: int) -> None:
        """Count the rules that fired; a scenario with a rare one is kept, to be continued later."""
        names = {name for event in events for name in event.fired}
        rare = any(self.fired[name] < RARE for name in names)
        self.fired.update(names)
        if rare and len(scenario.moves) == 1:
            pool = self.rare[which]
            if len(pool) >= KEPT:
                pool.pop(self.chance.randrange(KEPT))
            pool.append(scenario)

    def _resumed(self, which: int) -> Scenario | None:
        """A scenario to continue from, or None for a new one."""
        pool = self.rare[which]
        if not pool or self.chance.random() >= RESUMED:
            return None
        scenario = self.chance.choice(pool)
        kept = scenario.said if self.chance.random() < WHOLE else self.chance.randint(1, scenario.said)
        return replace(scenario, moves=(scenario.moves[0][:kept],))

    def _wrong(self, hands: Hands) -> str:
        """Return, sometimes in umpire mode, an action that one side forbids."""
        if hands.scenario.mode != UMPIRE or self.chance.random() >= WRONG:
            return ""
        return self.chance.choice(hands.walkers).wrong(self.chance, self.fired)

    def _chosen(self, walker: Walker, some: list[str], offers: dict[str, Offer]) -> str:
        """A random choice; mostly, of a few words, the one with the rarest rules."""
        if not some:
            return ""
        by_verb: dict[str, list[str]] = {}
        for text in some:
            by_verb.setdefault(offers[text].action.verb, []).append(text)
        few = self.chance.sample(sorted(by_verb), min(3, len(by_verb)))
        texts = [self.chance.choice(by_verb[verb]) for verb in few]
        if len(texts) == 1:
            more = by_verb[few[0]]
            texts += self.chance.sample(more, min(2, len(more)))
        if self.chance.random() < BLIND:
            return texts[0]
        return max(texts, key=lambda text: walker.novelty(offers[text], self.fired))


# ---- Coverage-guided search: one side plays for itself, to reach statements that no log has shown yet
#
# Random play starts from hands in which related statements were at work: from cases of the corpus, and from earlier
# play. Now and then a few words are said whenever permitted, to reach what takes many of one kind; and actions that a
# wanted rule may forbid are tried.

ARRANGED, NEAR, ENTIRE, DEALT_ANEW, SCORED_ANEW = 0.4, 0.7, 0.5, 0.35, 0.3
"""Probabilities: of a hand arranged for a wanted statement, of one that begins like a hand with a related statement, of
using that whole, of dealing its cards again, and of another score.
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
    """The search of one side at one table. Its findings go to the search of that table. ``workers`` processes look at
    the scenarios to begin with.
    """

    def __init__(
        self, search: RandomSearch, number: int, wanted: Iterable[Key], scenarios: Iterable[Scenario], workers: int = 1
    ) -> None:
        self.search, self.number, self.chance = search, number, search.chance
        self.graph, self.side = search.pair.graphs[number], search.pair.sides[number]
        self.reaches = search.pair.reaches[number]
        self._want(frozenset(wanted))
        self.akin = {key: self._akin_to(key) for key in sorted(self.wanted)}
        self.near: dict[Key, list[tuple[int, int, Scenario]]] = {key: [] for key in self.akin}
        study = Study(self.graph, bounded=False)
        self.arranged = {key: arranged(study, search.players[number], key) for key in self.akin}
        every = frozenset(other for akin in self.akin.values() for other in akin)
        some, pair = list(islice(scenarios, PRECEDENTS)), search.pair
        looked = pair.looked

        def works(scenario: Scenario) -> tuple[list[frozenset[Key]], int]:
            before = pair.looked
            return pair.works(scenario, number, every), pair.looked - before

        for scenario, (moves, positions) in zip(some, made_of(works, some, workers), strict=True):
            looked += positions
            for at, used in enumerate(moves, start=1):
                self._keep(scenario.cut(at), used)
        pair.looked = looked

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
        """Return the statements related to this one: its questions and reads, the statements it beats, those that may
        involve it.
        """
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
            scenario = self.chance.choice(pool)[2] if pool and self.chance.random() < ENTIRE else None
            scenario = scenario or self.search.begin(self.number)
            shape, owner = self.search.setups[self.number].shape, self.chance.choice(scenario.players)
            return self.chance.choice(ready).scenario(scenario, shape, owner)
        if not pool or self.chance.random() >= NEAR:
            return self.search.begin(self.number)
        scenario = self.chance.choice(pool)[2]
        if self.chance.random() >= ENTIRE:
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
    """``cards`` are by player, or by place; ``loose`` ones may be anybody's."""

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
    """Return some arrangements for a rule or an answer; none for other statements, or if no position is found."""
    found = []
    for conditions, phases in islice(_conditions(study.graph, key), MOST):
        partial = study.ask(conditions, phases or None, BUDGET).partial
        if partial is not None:
            found.append(_of(study.graph, players, partial))
    return found


def _conditions(graph: Graph, key: Key) -> Iterator[tuple[Conditions, tuple[str, ...]]]:
    """Return the conditions under which the statement applies, and its phases."""
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

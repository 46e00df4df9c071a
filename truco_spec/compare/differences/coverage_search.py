"""Coverage-guided search: one side plays for itself, to reach statements that no log has shown yet.

Random play starts from hands in which related statements were at work: from cases of the corpus, and from earlier play.
Now and then a few words are said whenever permitted, to reach what takes many of one kind; and actions that a wanted
rule may forbid are tried.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from math import exp

from truco_spec.checks.reach.study import Study
from truco_spec.compare.core.activity import Gaze
from truco_spec.compare.core.sides import Scenario
from truco_spec.compare.core.statements import Key
from truco_spec.compare.core.walker import Offer, Walker
from truco_spec.compare.differences.arranged import arranged
from truco_spec.compare.differences.pair import WORKING, Witness, cut
from truco_spec.compare.differences.random_search import LONGEST, RandomSearch
from truco_spec.compare.differences.setups import deal
from truco_spec.engine.support import PlayError
from truco_spec.logs.model import STRICT, UMPIRE, LogError

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

    def __init__(self, search: RandomSearch, number: int, wanted: Iterable[Key], courses: Iterable[Scenario]) -> None:
        self.search, self.number, self.chance = search, number, search.chance
        self.graph, self.side = search.pair.graphs[number], search.pair.sides[number]
        self.reaches = search.pair.reaches[number]
        self._want(frozenset(wanted))
        self.akin = {key: self._akin_to(key) for key in sorted(self.wanted)}
        self.near: dict[Key, list[tuple[int, int, Scenario]]] = {key: [] for key in self.akin}
        study = Study(self.graph, bounded=False)
        self.arranged = {key: arranged(study, search.players[number], key) for key in self.akin}
        every = frozenset(other for akin in self.akin.values() for other in akin)
        for course in islice(courses, PRECEDENTS):
            for at, used in enumerate(search.pair.works(course, number, every), start=1):
                self._keep(cut(course, at), used)

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

    def _keep(self, course: Scenario, used: frozenset[Key]) -> None:
        for key in self.wanted:
            shared = len(used & self.akin[key])
            pool = self.near[key]
            entry = (-shared, course.said, course)
            if shared and (len(pool) < BEST or entry[:2] < pool[-1][:2]):
                pool.append(entry)
                pool.sort(key=lambda one: one[:2])
                del pool[BEST:]

    # ---- a hand ------------------------------------------------------------------------------------

    def _hand(self) -> None:
        key = self.chance.choice(sorted(self.wanted))
        course = self._begun(key)
        left = list(course.moves[0])
        walker = Walker(self.side, self.graph, replace(course, moves=((),) * len(course.deals)))
        taste = _Taste(self.chance, {name for kind, name in self.akin[key] if kind == "action"})
        said: list[list[str]] = [[]]
        try:
            while len(said[-1]) < LONGEST and self.wanted:
                self._try_refused(walker, _so_far(course, said))
                mark = len(walker.game.history)
                offers = walker.offers()
                text = left.pop(0) if left else ""
                if not text or (text not in offers and course.mode == STRICT):
                    left, text = [], self._chosen(offers, taste)
                if not text:
                    if len(said) >= len(course.deals) or not walker.hand_is_over or not walker.next_hand():
                        return
                    said.append([])
                    left = list(course.moves[len(said) - 1])
                    continue
                event = walker.say(text, offers.get(text))
                if event is None:
                    return
                said[-1].append(text)
                self._look(walker, mark, _so_far(course, said))
        finally:
            self.search.found.positions += walker.pushed

    def _begun(self, key: Key) -> Scenario:
        pool, ready = self.near[key], self.arranged[key]
        if ready and self.chance.random() < ARRANGED:
            course = self.chance.choice(pool)[2] if pool and self.chance.random() < WHOLE else None
            course = course or self.search.begin(self.number)
            shape, owner = self.search.setups[self.number].shape, self.chance.choice(course.players)
            return self.chance.choice(ready).course(course, shape, owner)
        if not pool or self.chance.random() >= NEAR:
            return self.search.begin(self.number)
        course = self.chance.choice(pool)[2]
        if self.chance.random() >= WHOLE:
            course = cut(course, self.chance.randint(0, course.said))
        if self.chance.random() < DEALT_ANEW:
            cards, shape = self.search.setups[self.number].cards, self.search.setups[self.number].shape
            dealt = (deal(self.chance, shape, cards, self.search.kinds) for _ in course.deals)
            course = replace(course, deals=tuple(dealt))
        if self.chance.random() < SCORED_ANEW:
            setup = self.search.setups[self.number].any()
            course = replace(course, score=setup.score, start=setup.start)
        return course

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

    def _look(self, walker: Walker, mark: int, course: Scenario) -> None:
        """Record the statements at work in the last move, if by the text a wanted one may be among them."""
        used = self.gaze.at_work(walker.game, mark)
        self._keep(course, used)
        if not self.wanted.isdisjoint(used):
            self._show(course)

    def _show(self, course: Scenario) -> None:
        """Whether a wanted statement is at work in the last move when the log is replayed; if so, it is found."""
        shown = self.search.pair.at_work(course, self.number, self.wanted)
        for key in sorted(shown):
            self.search.found.note(Witness(key, WORKING, course, 0, self.number))
        if shown:
            self._want(self.wanted - shown)

    def _want(self, keys: frozenset[Key]) -> None:
        self.wanted, self.gaze = keys, Gaze(self.reaches, keys)
        defines = frozenset(key for key in keys if key[0] == "define")
        self.refusing = frozenset(
            rule.name
            for rule in self.graph.rules.values()
            if not self.reaches.rule(rule.name).isdisjoint(keys if rule.shape == "must not" else defines)
            and not rule.chance
        )

    def _try_refused(self, walker: Walker, course: Scenario) -> None:
        """Try actions that a wanted rule may forbid, or almost permits, here or before the next spoken action."""
        rules = [
            rule
            for rule in self.graph.rules.values()
            if rule.shape in ("may", "must not") and rule.name in self.refusing
        ]
        for text in walker.refused(rules, self.chance) if rules else ():
            for mode in (STRICT, UMPIRE):
                self._show(replace(course, mode=mode, moves=(*course.moves[:-1], (*course.moves[-1], text))))


def _so_far(course: Scenario, said: list[list[str]]) -> Scenario:
    return replace(course, deals=course.deals[: len(said)], moves=tuple(map(tuple, said)))

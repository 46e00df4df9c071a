"""Random search for logs that show differences: both sides play the same hands in step, and the provenance of every
parting is attributed to differences. What only one side can reach is searched for by that side alone.

Rare events are preferred, as rules fire; the result depends only on the seed.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from truco_spec.base.processes import Take, ahead
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
from truco_spec.compare.scenario import NAMES, Hands, Scenario
from truco_spec.compare.statements import Difference
from truco_spec.engine.game import Event
from truco_spec.engine.support import PlayError
from truco_spec.logs.model import STRICT, UMPIRE, LogError
from truco_spec.logs.random_hands import Offer, Setups, Walker, common, deal

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
"""What changes while it searches, and matters to searches that come after it."""

AT_ONCE, FAR = 1_000, 32
"""The positions that a process which plays ahead looks at before it tells of them, and how often it may do so before it
is asked.
"""

BOTH = 2
"""Besides 0 and 1 for one side alone: both sides."""


Noted: TypeAlias = "Witness | tuple[int, Scenario]"
"""What a step of play notes: a witness, or a scenario of one side whose last move may show something."""


class PlayedStep(NamedTuple):
    """One step of play: the positions looked at, what it noted, and the state of chance after it."""

    positions: int
    noted: list[Noted]
    chance: tuple[Any, ...]


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
        self.more: Take[list[PlayedStep]] | None = None
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

    @contextlib.contextmanager
    def played_ahead(self, positions: int, workers: int) -> Iterator[None]:
        """A context in which another process plays the steps, if there may be two; no more than for these positions."""
        self.most = positions
        with ahead(self._some_steps, workers, FAR) as self.more:
            yield
        self.more = None

    def _some_steps(self) -> list[PlayedStep]:
        """In a process that plays ahead: the next steps."""
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
        if self.more is not None:
            self._take(self.more)
            return
        self.found.positions += 1
        together = self.alike and self.chance.random() < self.together
        with contextlib.suppress(LogError, PlayError):  # these cards are impossible here; try others
            self._hand(BOTH if together else self.chance.choice(self.sides))
        self.found.positions += self.hands.pushed if self.hands else 0
        self.hands = None

    def _take(self, more: Take[list[PlayedStep]]) -> None:
        """Take a step that was played ahead."""
        if not self.due:
            self.due.extend(more(again=self.positions + FAR * AT_ONCE < self.counted_from + self.most))
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
        """Record what the last move of a scenario shows by the rules of one side, or leave it to who takes the step."""
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
        """Record what a scenario shows by the rules of one side that no log has shown yet."""
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
        """In umpire mode, at times, an action that one side forbids."""
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

"""Tells explanations apart that are equal on all the evidence, by random hands in which they part."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import Script, Seen
from truco_spec.conformance.fit.evidence import Evidence, Reply, as_sent
from truco_spec.conformance.fit.how_far import Reach
from truco_spec.conformance.fit.hypothesis import (
    SECONDS,
    Hypothesis,
    TooLong,
    at_most,
    first_difference,
)
from truco_spec.conformance.fuzz.generator import Generator, Setting
from truco_spec.graph.model import Graph

HANDS = 48
"""The hands played by each explanation to find one in which it parts from the first."""
MOST_ASKED = 12
"""The most hands sent to an implementation to tell the explanations of one cause apart."""
MOST_CONFIRMED = 4
"""The most hands sent to confirm a cause: hands that are different without it, and hands with the seats moved."""


@dataclass(frozen=True, slots=True)
class Supposed(Setting):
    """A setting played by a hypothesis."""

    hypothesis: Hypothesis

    @property
    def graph(self) -> Graph:
        return self.hypothesis.graph()


class Rivals:
    """Explanations by name, equal on all the evidence so far. At most ``most`` hands are played to tell them apart, and
    none once that ``is_late``; ``hands`` counts them, and it is ``cut_short`` if more were wanted.
    """

    def __init__(
        self,
        evidence: Evidence,
        explanations: Mapping[str, Hypothesis],
        seed: str = "apart",
        most: int = sys.maxsize,
        is_late: Callable[[], bool] = lambda: False,
    ) -> None:
        self.evidence, self.left, self.seed, self.most = evidence, dict(explanations), seed, most
        self.is_late = is_late
        self.hands, self.cut_short = 0, False
        self._generators: dict[str, Generator] = {}

    def partings(self) -> Iterator[Script]:
        """Yield hands, as they are sent, in which the first remaining explanation and another part; each plays some, in
        turn.
        """
        for number in range(HANDS * len(self.left)):
            if len(self.left) < 2:
                return
            if number == self.most or self.is_late():
                self.cut_short = True
                return
            self.hands += 1
            first, *others = self.left
            name = (first, *others)[number % len(self.left)]
            reply = None
            with contextlib.suppress(TooLong, Exception), at_most(SECONDS):  # by changed rules a hand may be anything
                reply = self._hand(name)
            against = others if name == first else (first,)
            if reply is not None and not all(self.reach(other, reply).agrees for other in against):
                yield reply.script

    def take(self, reply: Reply) -> None:
        """Drop the explanations that differ from an answer, if one of them agrees with it."""
        reached = {name: self.reach(name, reply) for name in self.left}
        self.left = {name: self.left[name] for name, reach in reached.items() if reach.agrees} or self.left

    def reach(self, name: str, reply: Reply) -> Reach:
        """Return how far an explanation agrees with a reply."""
        return first_difference(self.left[name], reply, self.evidence.introduction)[0]

    def _hand(self, name: str) -> Reply | None:
        """Return a hand as played by this explanation; None if the claimed rules cannot deal it so."""
        hypothesis, setting = self.left[name], self.evidence.setting
        if name not in self._generators:
            own = {**setting.plays.own(len(setting.players)), **setting.options}
            supposed = Supposed(setting.variant, setting.players, own, setting.plays, hypothesis)
            chance = random.Random(f"{self.seed}.{len(self._generators)}")  # noqa: S311 -- for play
            self._generators[name] = Generator(supposed, chance)
        script = as_sent(self._generators[name].script())
        if script is None:
            return None
        script = replace(script, options=setting.options)
        return Reply(name, script, played_by(hypothesis, script))


def seats_moved(script: Script) -> Script:
    """Return the script one seat further: each player has the cards and actions of the one before."""
    further = dict(zip(script.players, (*script.players[1:], script.players[0]), strict=True))

    def renamed(text: str) -> str:
        return " ".join(further.get(word, word) for word in text.split(" "))

    hands = tuple(
        replace(
            hand,
            deal={further.get(to, to): cards for to, cards in hand.deal.items()},
            actions=tuple(
                replace(each, player=further[each.player], text=renamed(each.text), say=each.say and renamed(each.say))
                for each in hand.actions
            ),
        )
        for hand in script.hands
    )
    score = {further[player]: points for player, points in script.score.items()}
    return replace(script, dealer=further[script.dealer], score=score, hands=hands)


def played_by(hypothesis: Hypothesis, script: Script) -> Seen:
    """Return the answer of an engine that plays by a hypothesis. Raises Broken if that is no game."""
    graph = hypothesis.graph(script.options)
    return Reference(lambda _: graph).run(replace(script, options={**script.options, **dict(hypothesis.options)}))

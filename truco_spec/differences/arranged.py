"""Hands arranged for a statement: the score, the dealer and the cards of a position in which it would apply.

The checks of the graph find such positions, if not always ones that a game reaches. What they say of cards and of what
lasts from hand to hand is taken over; the rest is left to chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from truco_spec.differences.chains import sites
from truco_spec.differences.scenario import Scenario
from truco_spec.differences.setups import DEALER, SCORE
from truco_spec.differences.statements import Key
from truco_spec.engine.support import BITS
from truco_spec.engine.text import value_text
from truco_spec.graph.checks.domains import sample
from truco_spec.graph.checks.frame import Conditions, bound, possible, speaks, standing_alone
from truco_spec.graph.checks.positions import Partial
from truco_spec.graph.checks.study import Study
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Graph
from truco_spec.logs.model import Start

MOST, BUDGET = 6, 1_000
"""So many positions are looked for, and so long for each."""


@dataclass(slots=True)
class Arranged:
    """``cards`` go by player, or by the place where one lies; ``loose`` ones may be anybody's."""

    dealer: str = ""
    score: dict[str, int] = field(default_factory=dict)
    start: list[Start] = field(default_factory=list)
    cards: dict[str, tuple[str, ...]] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)

    def course(self, course: Scenario, shape: Mapping[str, int], owner: str) -> Scenario:
        """A course that begins so; loose cards go to ``owner``, and nobody gets more than ``shape`` says."""
        given = dict(self.cards)
        given[owner] = tuple(dict.fromkeys((*given.get(owner, ()), *self.loose)))
        taken = {card for cards in given.values() for card in cards}
        dealt: dict[str, tuple[str, ...]] = {}
        for key in {**shape, **given}:
            before = course.deals[0].get(key, ()) if course.deals else ()
            every = (*given.get(key, ()), *(card for card in before if card not in taken))
            if every[: shape.get(key, 1)]:
                dealt[key] = every[: shape.get(key, 1)]
        return replace(
            course,
            dealer=self.dealer or course.dealer,
            score=self.score or course.score,
            start=tuple(self.start) or course.start,
            deals=(dealt, *course.deals[1:]),
        )


def arranged(study: Study, players: Sequence[str], key: Key) -> list[Arranged]:
    """Some arrangements for a rule or an answer; none for what is neither, or where no position is found."""
    found = []
    for conditions, phases in islice(_conditions(study.graph, key), MOST):
        partial = study.ask(conditions, phases or None, BUDGET).partial
        if partial is not None:
            found.append(_of(study.graph, players, partial))
    return found


def _conditions(graph: Graph, key: Key) -> Iterator[tuple[Conditions, tuple[str, ...]]]:
    """What holds where the statement applies, and the phases in which it may."""
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
    """What a position says of the score, the dealer and cards."""
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
    """What lasts from hand to hand."""
    datum = graph.data[name]
    if name == DEALER and value >= 0:
        made.dealer = players[value]
    elif name == SCORE and len(index) == 1:
        made.score[players[index[0]]] = value
    elif name not in (DEALER, SCORE):
        words = [value_text(graph, p.type, at, players) for p, at in zip(datum.params, index, strict=True)]
        made.start.append(Start(name, tuple(words), value_text(graph, datum.type, value, players)))

"""Examples of a book: cases of the corpus that test what a rule cites, played while the book is made.

So an example cannot be wrong: one that the reference engine does not pass is an error, not a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from truco_spec.conformance import corpus, filling
from truco_spec.conformance.cases import (
    Allowed,
    Case,
    Deals,
    Expect,
    Hand,
    Instance,
    Legal,
    Mode,
    Refused,
    View,
    card_list,
)
from truco_spec.conformance.choice import chosen
from truco_spec.conformance.protocol import Introduction, Plays
from truco_spec.conformance.reference import Reference
from truco_spec.conformance.runner import play
from truco_spec.engine.observe import observations
from truco_spec.errors import TrucoError
from truco_spec.graph.link import shipped_names
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.logs.explanation import DECIDED
from truco_spec.logs.setup import HOW_MANY
from truco_spec.rulebook.book import Entry
from truco_spec.rulebook.reach import changed
from truco_spec.rulebook.retold import retold
from truco_spec.version import __version__

NAMES = ("Ana", "Bia", "Caio", "Davi", "Eva", "Fred")
"""Who plays in the examples, in order of play."""
MOST_TRIED = 3
"""Cases tried for one rule."""
NEAR = 0.5
"""How much of what a case tests a rule has to cite, if it is to be an example of it."""
LONGEST = 9
"""Steps of a case; a longer one is no example."""

STRICT: Mode = "strict"
_LEVELS = {"must": 0, "decided": 1, "option": 2}


@dataclass(frozen=True, slots=True)
class Said:
    """A step of an example: what was done, and what then held. ``verdict`` tells of what is only asked about."""

    moves: str
    then: tuple[tuple[str, str], ...] = ()
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A case as an example. ``hands`` are the cards that it gives, by player or place; ``called`` names its seats.
    One that is told anew by the rules of a house has no title.

    Where an ``umpire`` watches, what is forbidden can be done, and costs what it costs.
    """

    case: str
    title: str
    umpire: bool
    called: Mapping[str, str]
    dealer: str
    score: str
    hands: tuple[tuple[str, tuple[str, ...]], ...]
    steps: tuple[Said, ...]

    def named(self, text: str) -> str:
        """A text that names seats as cases do, with the players' names: ``P1 cuts`` is ``Bia cuts``."""
        return re.sub(r"\b[A-Z]\d\b", lambda seat: self.called.get(seat[0], seat[0]), text)


class WrongExample(TrucoError):
    """A case that the reference engine does not pass."""


class Examples:
    """Finds an example for each rule of a book; none is given twice.

    A case of the game itself has to pass (``shipped``: all is agreed as the game has it by itself). Under other
    options, and of the games that this one extends, only cases that pass are examples. In a house, whose rules are
    not those that the cases were written for, what then holds is told anew; ``seated`` is the house with so many
    players.
    """

    def __init__(self, graph: Graph, *, shipped: bool = True, seated: Callable[[int], Graph] | None = None) -> None:
        self.graph, self.shipped = graph, shipped
        self._engines: dict[int, OneGame | None] = {graph.seats: OneGame(graph)}
        self._game = next((name for name in (graph.name, *reversed(graph.lineage)) if name in shipped_names()), "")
        self._own = graph.name == self._game and load(graph.name).cites == graph.cites  # not a house of its name
        self._seated = seated or (self._shipped_with if self._own else None)
        self._used = changed(graph)
        self._by_clause: dict[str, list[Instance]] = {}
        self._given: set[str] = set()
        cases = corpus.load()
        for variant in (*graph.lineage, graph.name):  # those of the games that it extends, and its own
            for instance in _held(cases, variant):
                if self._fits(instance):
                    for clause in instance.case.clauses:
                        self._by_clause.setdefault(clause, []).append(instance)

    def of(self, entry: Entry) -> Example | None:
        """An example of a rule, played. Raises :class:`WrongExample`."""
        for instance in self._nearest(entry)[:MOST_TRIED]:
            engine = self._engine(len(_players(instance)))
            if engine is None:
                continue
            verdict = play(instance, engine).verdict
            if verdict == "pass":
                self._given.add(instance.case.id)
                return _example(instance, self._used)
            if not self._own and instance.variant == self._game and (told := retold(instance, engine)):
                self._given.add(instance.case.id)
                return _example(told, self._used)
            if self._own and self.shipped and instance.variant == self.graph.name:
                wrong = f"{instance.name}: error: This example of {self.graph.name} comes to {verdict}"
                raise WrongExample(
                    f"{wrong}; “truco-spec test --variant {self.graph.name}” shows what is not as it says."
                )
        return None

    def _nearest(self, entry: Entry) -> list[Instance]:
        """Cases not given yet that test what the rule cites; first those of as many players, then the nearest."""
        cited = {f"{authority.source}:{authority.clause}" for authority in entry.authorities}
        found: list[tuple[tuple[object, ...], Instance]] = []
        for instance in {i.case.id: i for clause in cited for i in self._by_clause.get(clause, ())}.values():
            tested = {*instance.case.clauses, *(f"{DECIDED}:{name}" for name in instance.case.entry.decisions)}
            near = len(tested & cited) / len(tested)
            if near >= NEAR and instance.case.id not in self._given:
                foreign, others = instance.variant != self._game, len(_players(instance)) != self.graph.seats
                found.append(((foreign, others, -near, *_plainest(instance)), instance))
        return [instance for _, instance in sorted(found, key=lambda each: each[0])]

    def _engine(self, players: int) -> OneGame | None:
        """The game of so many players, agreed as here; none where it is not to be had."""
        if players not in self._engines:
            try:
                found = self._seated(players) if self._seated else self.graph
            except TrucoError:
                self._engines[players] = None
            else:
                self._engines[players] = OneGame(found) if found.seats == players else None
        return self._engines[players]

    def _shipped_with(self, players: int) -> Graph:
        options = {name: option.value for name, option in self.graph.options.items()}
        return load(self.graph.name, **{**options, HOW_MANY: players})

    def _fits(self, instance: Instance) -> bool:
        entry = instance.case.entry
        if len(entry.moves) > LONGEST:
            return False
        if any(isinstance(step, (Deals, View, Legal, Hand)) for step in entry.moves):
            return False
        if not self._seated and len(_players(instance)) != self.graph.seats:
            return False
        options = self.graph.options
        return all(name in options and options[name].value == value for name, value in instance.options.items())


def _players(instance: Instance) -> tuple[str, ...]:
    return instance.players or filling.players_of(instance.variant)


def _held(cases: Sequence[Case], variant: str) -> tuple[Instance, ...]:
    try:
        return chosen(cases, variants=[variant])
    except corpus.CaseError:  # the corpus has no case of this game
        return ()


class OneGame(Reference):
    """The reference engine, which knows this one game as it is agreed here."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(lambda script: graph)
        options = {name: option.values for name, option in graph.options.items()}
        plays = dict.fromkeys((graph.name, *graph.lineage), Plays((graph.seats,), options))
        self._introduction = Introduction(
            "truco-spec", __version__, plays, observations(graph), modes=(STRICT, "umpire")
        )

    def hello(self) -> Introduction:
        return self._introduction


def _plainest(instance: Instance) -> tuple[int, bool, int, str]:
    entry = instance.case.entry
    return _LEVELS[entry.level], entry.mode != STRICT, len(entry.moves) + len(instance.options), entry.id


def _example(instance: Instance, used: frozenset[str]) -> Example:
    entry = instance.case.entry
    players = _players(instance)
    called = dict(zip(players, NAMES, strict=False))

    def named(text: str) -> str:
        return re.sub(r"[^\W_]+", lambda word: called.get(word[0], word[0]), text).replace("-", " ")

    dealt = {key: card_list(cards) for key, cards in entry.deal.items() if key in called or key in used}
    hands = tuple((named(key), cards) for key, cards in dealt.items())
    steps: list[Said] = []
    for step in entry.moves:
        match step:
            case str():
                steps.append(Said(named(step)))
            case Expect():
                then = tuple(_told(step.expect, called))
                if steps and not steps[-1].verdict:
                    steps[-1] = Said(steps[-1].moves, (*steps[-1].then, *then))
                else:
                    steps.append(Said("", then))
            case Refused():
                steps.append(Said(named(step.refused), verdict="is refused"))
            case Allowed():
                steps.append(Said(named(step.allowed), verdict="is permitted"))
            case _:
                continue
    score = ", ".join(f"{called.get(who, who)} {points}" for who, points in entry.score.items())
    dealer = called.get(entry.dealer, entry.dealer)
    return Example(entry.id, entry.title, entry.mode != STRICT, called, dealer, score, hands, tuple(steps))


def _told(expected: Mapping[str, object], called: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    for key, value in expected.items():
        yield key.replace("-", " "), _value(value, called)


def _value(value: object, called: Mapping[str, str]) -> str:
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return ", ".join(f"{called.get(who, who)} {_value(what, called)}" for who, what in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_value(item, called) for item in value) or "–"
    return called.get(str(value), str(value).replace("-", " "))

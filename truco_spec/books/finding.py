"""Finds the examples of a book: for each rule a case of the corpus that turns on it.

An example is always correct: a case that the reference engine fails is an error, not a page. It turns on a rule if the
rule decides a step (:class:`~truco_spec.books.examples.Showing`). For the shipped games this is worked out beforehand:
``conformance/examples.yaml``, by ``python -m release.examples``, which also tries whether the case fails once the rule
is changed or left out.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import fsum
from pathlib import Path
from typing import Any

from truco_spec.base import __version__, safe_yaml, shipped
from truco_spec.base.errors import TrucoError, located
from truco_spec.base.project import playable_names
from truco_spec.base.shipped import variant_names
from truco_spec.base.user_cache import Shelf, installation
from truco_spec.base.words import Sentence
from truco_spec.books.book import BookEntry
from truco_spec.books.examples import (
    LEADS,
    PERMITS,
    PRICES,
    STRICT,
    Example,
    Facts,
    Place,
    Showing,
    WatchedRun,
    decided,
    example_of,
    showings,
    wanted_of,
)
from truco_spec.compare.reach import changed
from truco_spec.compare.statements import chain_of, options_named
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus, filling, ready
from truco_spec.conformance.corpus.cases import Deals, Expect, Instance, Legal, View
from truco_spec.conformance.corpus.protocol import TEAM_VALUES, Introduction, MustShow, Plan, Plays, Script, Seen
from truco_spec.conformance.runner.judge import judge
from truco_spec.conformance.runner.runner import play
from truco_spec.engine.observe import observations
from truco_spec.graph.load import load
from truco_spec.graph.model import DECIDED, HOW_MANY, MOST_GRAPHS, Graph, by_identity

MOST_TRIED = 24
"""Cases played for one rule."""
ENOUGH = 8
"""Cases in which a rule decides a step, from which the best is chosen."""
NEAR = 0.5
"""The share of a case's citations that a rule must have in common with it to be preferred."""
SELDOM = 1 / 12
"""A rule that decides at most this share of all cases played is best shown by any of them."""
LONGEST = 14
"""Maximum steps of a case; a longer one is no example."""

MADE_BY = ("base", "language", "graph", "engine", "logs", "conformance", "compare", "books")
"""The parts of this package that the choice of cases depends on."""
SHELF = Shelf("examples", 400)

_LEVELS = {"must": 0, "decided": 1, "option": 2}
_UNSEEN = (Deals, View, Legal)
"""Steps that an example omits."""


class WrongExample(TrucoError):
    """A case that the reference engine does not pass."""


@dataclass(frozen=True, slots=True)
class PlayedExample:
    """A case that holds here, as shown, with the graph it was played by and what decides its steps."""

    instance: Instance
    graph: Graph
    steps: tuple[Showing, ...]


@dataclass(frozen=True, slots=True)
class Turning:
    """A case that turns on a rule, with the changes of the rule ``noticed`` by it. It is ``near`` if the rule is the
    subject of its clauses, and thus of its title.
    """

    played: PlayedExample
    noticed: frozenset[int]
    near: bool

    @property
    def instance(self) -> Instance:
        """The case, with its results under the rules here."""
        return self.played.instance

    @property
    def case(self) -> str:
        return self.instance.case.id

    def example(self, used: frozenset[str]) -> Example:
        """Return it as an example, without its title if that may be about another rule."""
        return example_of(self.instance if self.near else _untitled(self.instance), used)


class Examples:
    """Finds an example for each rule of a book; no case is used twice.

    A case of the game itself must pass (``shipped``: with the game's default options). Under other options, and for
    cases of the games that this one extends, only cases that pass, and not by coincidence, are examples. For a house,
    whose rules differ from those the cases were written for, the results are recomputed; ``seated`` returns the house
    for a number of players.
    """

    def __init__(self, graph: Graph, *, shipped: bool = True, seated: Callable[[int], Graph] | None = None) -> None:
        self.graph, self.shipped = graph, shipped
        self._engines: dict[int, OneGame | None] = {graph.seats: OneGame(graph)}
        self._game = next((name for name in (graph.name, *reversed(graph.lineage)) if name in playable_names()), "")
        self._own = graph.name == self._game and load(graph.name).cites == graph.cites  # not a house of its name
        self._seated = seated or (self._shipped_with if self._own else None)
        self._used = changed(graph)
        self._by_clause: dict[str, list[Instance]] = {}
        self._played: dict[str, PlayedExample | None] = {}
        self._known: dict[str, Instance] = {}
        self._weights: dict[str, float] = {}
        for variant in (*graph.lineage, graph.name):  # those of the games that it extends, and its own
            for instance in corpus.load_instances(variant):
                if self._fits(instance):
                    self._known[instance.case.id] = instance
                    for clause in instance.case.clauses:
                        self._by_clause.setdefault(clause, []).append(instance)

    def of(self, entries: Iterable[BookEntry]) -> dict[str, Example]:
        """Find the examples of the rules of a book, by rule name. Raises :class:`WrongExample`."""
        rules = list(entries)
        kept = self._kept(rules)
        text = SHELF.read(kept) if kept else None
        if text is not None and (found := self._again(text)) is not None:
            return found
        cases = self.cases(rules)
        if kept:
            told = {name: (one.case, one.near) for name, one in cases.items()}
            SHELF.write(kept, json.dumps(told).encode())
        return {name: one.example(self._used) for name, one in cases.items()}

    def cases(self, entries: Sequence[BookEntry]) -> dict[str, Turning]:
        """Return the cases of the rules: the ones listed for the game if they hold; for other rules of a house, or
        under other options, as many as possible. A house's own cases come first.
        """
        as_shipped = self._own and self.graph.options == load(self.graph.name).options
        settled = as_shipped and self.graph.name in listed_examples()

        def fitting(entry: BookEntry) -> list[Turning]:
            listed = [self._turning(entry, played) for played in self._listed(entry)]
            if self.graph.name in variant_names():
                return listed or ([] if settled else self._best(entry))
            found = self._best(entry)
            own = {case.case.id for case in corpus.own_among(one.instance for one in found)}
            return sorted([*listed, *found], key=lambda one: one.case not in own)

        return self._assigned(entries, fitting)

    # ---- choosing ------------------------------------------------------------------------------

    def _assigned(
        self, entries: Sequence[BookEntry], fitting: Callable[[BookEntry], list[Turning]]
    ) -> dict[str, Turning]:
        """Assign cases to as many rules as possible, one each: first the cases listed for the rule in this game, then
        rules with the fewest fitting cases.
        """
        self._weights = _weights(entries)
        found = {entry.name: {one.case: one for one in fitting(entry)} for entry in entries}
        fitting_cases = {name: list(of) for name, of in found.items()}
        given: dict[str, str] = {}
        own = listed_examples().get(self._game, {})
        for name in sorted(found, key=lambda name: (own.get(name) not in found[name], len(found[name]))):
            _give(name, fitting_cases, given, set())
        shown = {name: found[name][case] for case, name in given.items()}
        return {entry.name: shown[entry.name] for entry in entries if entry.name in shown}

    def _listed(self, entry: BookEntry) -> Iterator[PlayedExample]:
        """Return the case listed for the rule in this game, else in others, if it holds here and shows the rule."""
        lists = listed_examples()
        own = lists.get(self._game, {}).get(entry.name, "")
        for case in dict.fromkeys((own, *(of.get(entry.name, "") for of in lists.values()))):
            played = self._play(self._known[case]) if case in self._known else None
            if played is not None and self._shown(entry.name, played):
                yield played
                if case == own:
                    return

    def _candidates(self, entry: BookEntry) -> list[Instance]:
        """Cases that test the rule's citations, the likeliest to show it best first."""
        found = {i.case.id: i for clause in _cited(entry) for i in self._by_clause.get(clause, ())}
        return sorted(found.values(), key=lambda instance: (*self._afar(instance, entry), *_plainest(instance)))

    def _seldom(self, name: str) -> list[PlayedExample]:
        """Cases played for other rules that show this one, if few do."""
        played = [held for held in self._played.values() if held is not None]
        shown = [(held, how) for held in played if (how := self._shown(name, held))]
        plain = [held for held, (_, _, leads, _, _) in shown if not leads]
        return sorted(plain, key=lambda held: _plainest(held.instance)) if len(shown) <= SELDOM * len(played) else []

    def _afar(self, instance: Instance, entry: BookEntry) -> tuple[bool, bool, bool, float]:
        """The distance of a case from a rule: another game, other topics, another number of players. A clause cited by
        many rules counts little.
        """
        decisions = (f"{DECIDED}:{name}" for name in instance.case.entry.decisions)
        tested, cited = {*instance.case.clauses, *decisions}, _cited(entry)
        shared = self._weight(tested & cited)
        afar = len(tested & cited) < NEAR * len(tested)
        others = len(ready.players_of(instance)) != self.graph.seats
        return instance.variant != self._game, afar, others, -round(shared / self._weight(tested), 1)

    def _weight(self, clauses: Iterable[str]) -> float:
        return fsum(self._weights.get(clause, 1.0) for clause in clauses)

    def _best(self, entry: BookEntry) -> list[Turning]:
        """Return, of the first cases in which the rule decides a step, those that notice changes of it, if any; the
        best first.
        """
        found: list[PlayedExample] = []
        left = MOST_TRIED
        for instance in self._candidates(entry):
            left -= instance.case.id not in self._played
            if left < 0 or len(found) == ENOUGH:
                break
            played = self._play(instance)
            if played is not None and self._shown(entry.name, played):
                found.append(played)
        found = found or self._seldom(entry.name)
        turning = [self._turning(entry, played) for played in found]
        most = len({change for one in turning for change in one.noticed})

        def order(one: Turning) -> tuple[object, ...]:
            priced, early, leads, asked, last = self._shown(entry.name, one.played) or (True, True, True, True, 0)
            foreign, afar, others, near = self._afar(one.instance, entry)
            missed = round(3 * (1 - len(one.noticed) / most)) if most else 0
            wanting = (foreign, priced, leads, missed > 1, afar, missed, early, others)
            return *wanting, near, asked, last, *_plainest(one.instance)

        return sorted((one for one in turning if one.noticed or not most), key=order)

    def _shown(self, name: str, played: PlayedExample) -> tuple[bool, bool, bool, bool, int] | None:
        """Return how a case shows a rule, as a sort key: with its penalty, near the end, immediately, done and not only
        queried. None if it does not.
        """
        if _sources(played.graph).get(name) != _sources(self.graph).get(name):
            return None
        rule = self.graph.rules.get(name)
        priced = rule is not None and bool(rule.verbs) and bool(rule.lest)
        ways = [(step, how) for step in played.steps if (how := decided(played.graph, name, step))]
        told = (
            (priced and PRICES not in how, step.last > 1, how == {LEADS}, step.allowed and PERMITS in how, step.last)
            for step, how in ways
        )
        return min(told, default=None)

    def _turning(self, entry: BookEntry, played: PlayedExample) -> Turning:
        """Return how a case turns on a rule."""
        return Turning(played, self._noticed(entry, played), near=not self._afar(played.instance, entry)[1])

    def _noticed(self, entry: BookEntry, played: PlayedExample) -> frozenset[int]:
        """Return the changes of a rule that a case notices; none are tried when a book is printed."""
        return frozenset()

    # ---- playing -------------------------------------------------------------------------------

    def _play(self, instance: Instance) -> PlayedExample | None:
        """Play a case; return it if it holds here, or None. Raises :class:`WrongExample`."""
        name = instance.case.id
        if name not in self._played:
            self._played[name] = self._played_now(instance)
        return self._played[name]

    def _played_now(self, instance: Instance) -> PlayedExample | None:
        engine = self._engine(len(ready.players_of(instance)))
        if engine is None:
            return None
        plan = ready.as_written(instance)
        engine.watch(plan)
        verdict = play(instance, engine).verdict
        told: Instance | None = instance
        if verdict != "pass":
            if self._own and self.shipped and instance.variant == self.graph.name:
                form = (
                    "The verdict on this example of {game} is {verdict}; “truco-spec test --variant {game}” shows what "
                    "is not as it says."
                )
                raise WrongExample(located(instance.name, Sentence(form, game=self.graph.name, verdict=verdict)))
            if self._own or instance.variant != self._game:
                return None
            engine.watch(plan)
            told = retold(instance, engine)
        shown = showings(instance, plan, engine.noted)
        if told is None or (told is instance and self._rests_on_another(instance, shown)):
            return None
        return PlayedExample(told, engine.graph, shown)

    def _rests_on_another(self, instance: Instance, shown: Iterable[Showing]) -> bool:
        """Whether the case holds here by coincidence: a deciding statement names an option that is set to another word
        than in the case. A different number is visible in the case itself.
        """
        otherwise = self._otherwise - instance.options.keys()
        names = {name for step in shown for _, name in step.facts} if otherwise else set()
        return any(not otherwise.isdisjoint(self._options_of.get(name, ())) for name in names)

    @cached_property
    def _otherwise(self) -> frozenset[str]:
        """The options set to a word other than the game's default."""
        usual = load(self.graph.name).options if self._own else {}
        here = self.graph.options
        return frozenset(n for n, o in usual.items() if o.value != here[n].value and not here[n].value.isdigit())

    @cached_property
    def _options_of(self) -> Mapping[str, frozenset[str]]:
        return options_named(chain_of(self.graph.name))

    def _engine(self, players: int) -> OneGame | None:
        """Return the engine for this number of players: of this game as agreed here, or else of the nearest ancestor
        that allows it; None if there is none.
        """
        if players not in self._engines:
            graphs = (graph for graph in self._with(players) if graph.seats == players)
            found = next(graphs, None)
            self._engines[players] = OneGame(found) if found else None
        return self._engines[players]

    def _with(self, players: int) -> Iterator[Graph]:
        with contextlib.suppress(TrucoError):
            yield self._seated(players) if self._seated else self.graph
        for name in reversed(self.graph.lineage if self._own else ()):
            with contextlib.suppress(TrucoError):
                yield self._shipped_with(players, name)

    def _shipped_with(self, players: int, name: str = "") -> Graph:
        wanted = load(name or self.graph.name).options
        options = {key: option.value for key, option in self.graph.options.items() if key in wanted}
        return load(name or self.graph.name, **{**options, HOW_MANY: players})

    def _fits(self, instance: Instance) -> bool:
        entry = instance.case.entry
        if len(entry.moves) > LONGEST or any(isinstance(step, _UNSEEN) for step in entry.moves):
            return False
        settled = self.graph.closed and HOW_MANY in self.graph.options and not self.graph.options[HOW_MANY].values[1:]
        if (settled or not self._seated) and len(ready.players_of(instance)) != self.graph.seats:
            return False
        options = self.graph.options
        return all(name in options and options[name].value == value for name, value in instance.options.items())

    # ---- cached between runs -------------------------------------------------------------------

    def _kept(self, entries: Sequence[BookEntry]) -> str:
        """The cache key of the choice of cases; empty for a house, whose text has no name."""
        if not self._own or not ready.is_current():
            return ""
        options = [(name, option.value) for name, option in self.graph.options.items()]
        listed = listed_examples()
        told = (self.graph.name, options, self.shipped, ready.origin(), [entry.name for entry in entries], listed)
        return hashlib.sha256(installation(MADE_BY) + repr(told).encode()).hexdigest()

    def _again(self, text: bytes) -> dict[str, Example] | None:
        """The cached choice of examples; None if it does not hold. Its key covers all shipped texts, so only what users
        wrote themselves is replayed.
        """
        try:
            told: dict[str, tuple[str, bool]] = json.loads(text)
            instances = {name: self._known[case] for name, (case, _) in told.items()}
        except (ValueError, KeyError, AttributeError, TypeError):
            return None
        shipped = self.graph.name in variant_names()
        for instance in corpus.own_among(instances.values()) if shipped else instances.values():
            engine = self._engine(len(ready.players_of(instance)))
            if engine is None or play(instance, engine).verdict != "pass":
                return None
        return {
            name: example_of(instance if told[name][1] else _untitled(instance), self._used)
            for name, instance in instances.items()
        }


def _untitled(instance: Instance) -> Instance:
    """A case whose title may speak of something else."""
    return replace(instance, case=replace(instance.case, entry=replace(instance.case.entry, title="")))


def listed_examples() -> Mapping[str, Mapping[str, str]]:
    """The examples of the shipped games, by game and rule."""
    return _listed_in(shipped.folder("conformance") / "examples.yaml")


@cache
def _listed_in(path: Path) -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = safe_yaml.load_file(path).data if path.is_file() else {}
    return found


def _cited(entry: BookEntry) -> set[str]:
    return {f"{authority.source}:{authority.clause}" for authority in entry.authorities}


def _give(name: str, fitting: Mapping[str, Sequence[str]], given: dict[str, str], asked: set[str]) -> bool:
    """Assign a rule the best fitting case that no other rule needs; False if there is none."""
    for case in fitting[name]:
        if case not in asked:
            asked.add(case)
            if case not in given or _give(given[case], fitting, given, asked):
                given[case] = name
                return True
    return False


@by_identity(MOST_GRAPHS)
def _sources(graph: Graph) -> Mapping[str, tuple[str, int, str]]:
    """The place and the sentence of each statement, the first of its name."""
    return {name: (source.span.file, source.span.line, source.prose) for _, name, source in reversed(graph.cites)}


def _weights(entries: Iterable[BookEntry]) -> dict[str, float]:
    """The weight of a clause: the inverse of the number of rules that cite it."""
    counts = Counter(clause for entry in entries for clause in _cited(entry))
    return {clause: 1 / count for clause, count in counts.items()}


def _plainest(instance: Instance) -> tuple[int, bool, int, int, str]:
    """A sort key: cases of a source, without an umpire, under default options, with the fewest words."""
    entry = instance.case.entry
    moves = sum(step.count(",") + 1 if isinstance(step, str) else 1 for step in entry.moves)
    return _LEVELS[entry.level], entry.mode != STRICT, len(instance.options), moves, entry.id


class OneGame(Reference):
    """The reference engine for this one game as agreed here."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(lambda script: graph)
        self.graph = graph
        self._wanted: list[dict[Place, None]] = []
        self.noted: list[Mapping[Place, Facts]] = []
        options = {name: option.values for name, option in graph.options.items()}
        plays = dict.fromkeys((graph.name, *graph.lineage), Plays((graph.seats,), options, itself=()))
        self._introduction = Introduction(
            "truco-spec", __version__, plays, observations(graph), modes=(STRICT, "umpire")
        )

    def hello(self) -> Introduction:
        return self._introduction

    def watch(self, plan: Plan) -> None:
        """Record in :attr:`noted` what decides the steps of this plan, script by script."""
        self._wanted, self.noted = wanted_of(plan), []

    def run(self, script: Script) -> Seen:
        if len(self.noted) >= len(self._wanted):
            return super().run(script)
        try:
            table = WatchedRun(script, self.asked, self.graph, self._wanted[len(self.noted)])
            self.noted.append(table.found)
            return table.play()
        except TrucoError as error:
            raise Broken("error", str(error)) from error


# ---- A case under other rules: the same moves, with their results under these ------------------


def retold(instance: Instance, engine: Reference) -> Instance | None:
    """Replace the observations of a case by those of ``engine``; its title, which may no longer be true, is cleared.

    None if the engine does not take the moves as the case has them, permitted and refused, or shows less.
    """
    plan = ready.as_written(instance)
    engine.asked = filling.asked_of(plan)
    try:
        answers = [engine.run(request) for request in plan.requests if isinstance(request, Script)]
    except Broken:
        return None
    moves = replace(plan, checks=tuple(check for check in plan.checks if not isinstance(check, MustShow)))
    if any(finding.outcome != "passed" for finding in judge(moves, answers, engine.hello())):
        return None
    shown = list(_shown(plan, answers))
    if any(value is _NOTHING for value in shown):
        return None
    values = iter(shown)
    entry = instance.case.entry
    steps = tuple(
        Expect({key: next(values) for key in step.expect}) if isinstance(step, Expect) else step for step in entry.moves
    )
    told = replace(instance, case=replace(instance.case, entry=replace(entry, moves=steps)))
    return _untitled(told)


_NOTHING = object()
"""Marks a missing observation; None is a value."""


def _shown(plan: Plan, answers: Sequence[Any]) -> Iterator[Any]:
    """The value of each observation, in the order of the checks; teams are named by the players named in the case."""
    for check in plan.checks:
        if isinstance(check, MustShow):
            at = check.at
            hand = answers[at.script][at.hand]
            seen: Mapping[str, Any] = hand.start if at.action < 0 else hand.seen[at.action]
            script = plan.requests[at.script]
            assert isinstance(script, Script)  # own deals are no examples
            yield _called(check, seen.get(check.key, _NOTHING), script)


def _called(check: MustShow, got: Any, script: Script) -> Any:
    def same(one: Any, other: Any) -> bool:
        return one == other or any(one in team and other in team for team in script.teams)

    if check.key == "score" and isinstance(got, Mapping) and isinstance(check.value, Mapping):
        points = {who: [value for team, value in got.items() if same(who, team)] for who in check.value}
        return {who: found[0] for who, found in points.items()} if all(points.values()) else _NOTHING
    return check.value if check.key in TEAM_VALUES and same(check.value, got) else got

"""Relational invariants: relations of two data that hold in every reachable position with a stack.

The bounds of :mod:`~truco_spec.checks.flow` are per datum. Here candidate relations are guessed: of two numbers
(``x < y``, ``x <= y``), of a constant flag and a datum (``not f or x is its first value``), and of two data that rules
change (``x is its first value or y is not``). By the Houdini algorithm, candidates that fail initially or are broken by
a step, assuming all remaining ones before it, are removed to a fixpoint. The rest holds by induction over the steps of
a game. Those that fail in a random game are removed beforehand: play refutes faster than the search.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from truco_spec.checks import frame
from truco_spec.checks.frame import Conditions, Guarded
from truco_spec.checks.positions import NOW, Key, Partial, PositionFacts, Stack, Value
from truco_spec.checks.search import solve, solve_near
from truco_spec.engine.evaluate import Evaluator
from truco_spec.engine.game import Game, program_of
from truco_spec.engine.layout import DEPTH, UNSET
from truco_spec.engine.provenance import backwards
from truco_spec.engine.sample import random_match
from truco_spec.engine.support import PlayError
from truco_spec.graph import fold, types
from truco_spec.graph.model import Assign, Datum, Expr, Graph, Rule, Verb, Way
from truco_spec.graph.types import FLAG
from truco_spec.graph.walk import change_parts, data_read, exprs_of_rule, flat_changes

if TYPE_CHECKING:
    from truco_spec.checks.study import Study


_BUDGET = 150


@dataclass(frozen=True, slots=True)
class Guess:
    """A pair of data and their relation: ``less``, ``most`` (not more), ``idle`` (f: y unchanged), ``with`` (x: y)."""

    word: str
    first: str
    second: str

    def expr(self, graph: Graph, values: dict[str, Expr]) -> Expr:
        """The relation as an expression over these values."""
        a, b = values[self.first], values[self.second]
        if self.word == "less":
            return Expr("lt", FLAG, (a, b))
        if self.word == "most":
            return Expr("not", FLAG, (Expr("lt", FLAG, (b, a)),))
        second = _is_first(graph.data[self.second], b)
        if self.word == "idle":
            return Expr("or", FLAG, (fold.negate(a), second))
        return Expr("or", FLAG, (_is_first(graph.data[self.first], a), fold.negate(second)))


def _is_first(datum: Datum, value: Expr) -> Expr:
    assert datum.first is not None
    return Expr("is", FLAG, (value, datum.first))


def invariants(
    study: Study, every: list[Transition], bounds: dict[Stack, dict[Key, Value]]
) -> dict[Stack, frozenset[Guess]]:
    facts, graph = study.facts, study.graph
    first = facts.stacks[0]
    guesses = list(_guesses(facts))
    kept = {stack: set(guesses) for stack in facts.stacks if stack in bounds}
    for stack, some in (study.refuted or partial(refuted, facts))().items():
        kept[stack] -= some
    begin = {name: datum.first for name, datum in graph.data.items()}
    for guess in guesses:
        values = {n: begin[n] or fold.NO for n in (guess.first, guess.second)}
        if guess.word in ("idle",):
            continue  # constants are unknown before their lifetime begins
        if solve(facts, (fold.negate(guess.expr(graph, values)),)).kind != "never":
            kept[first].discard(guess)
    out: dict[Stack, list[Transition]] = {}
    for step in every:
        out.setdefault(step.before, []).append(step)
    proofs = _Proofs(facts, bounds)
    todo = list(kept)
    while todo:
        stack = todo.pop(0)
        for step in out.get(stack, ()):
            near = _near(kept[stack])
            broken = [g for g in kept[step.after] if not proofs.holds(step, g, near[g.first] | near[g.second])]
            if broken:
                kept[step.after].difference_update(broken)
                if step.after not in todo:
                    todo.append(step.after)
    return {stack: frozenset(some) for stack, some in kept.items()}


def _near(kept: set[Guess]) -> dict[str, frozenset[Guess]]:
    """The candidates about each datum."""
    found: dict[str, set[Guess]] = defaultdict(set)
    for guess in kept:
        found[guess.first].add(guess)
        found[guess.second].add(guess)
    return defaultdict(frozenset, {name: frozenset(some) for name, some in found.items()})


_MOVES = 5_000
"""Moves of random games that may refute candidates."""


def refuted(facts: PositionFacts) -> dict[Stack, set[Guess]]:
    """The candidates that fail after some step of random games, by stack."""
    graph, guesses = facts.graph, list(_guesses(facts))
    layout = program_of(graph).layout
    slot = {name: layout.blocks[name].base for guess in guesses for name in (guess.first, guess.second)}
    met = _positions(graph, list(slot.values()))
    found: dict[Stack, set[Guess]] = {}
    for guess in guesses:
        first, second, relation = slot[guess.first], slot[guess.second], now(graph, guess)
        for phases, some in met.items():
            pairs = {(v[first], v[second]): v for v in some if UNSET not in (v[first], v[second])}
            if not all(Evaluator(layout, v).holds(relation, {}) for v in pairs.values()):
                found.setdefault(tuple(layout.phases[number] for number in phases if number >= 0), set()).add(guess)
    return found


def _positions(graph: Graph, slots: list[int]) -> dict[tuple[int, ...], list[list[int]]]:
    """For each stack the positions after steps of random games, one of those that are alike in these slots."""
    rng = random.Random(1)  # noqa: S311  (chance of cards, not of secrets)
    found: dict[tuple[int, ...], dict[tuple[int, ...], list[int]]] = {}

    def note(v: list[int]) -> None:
        found.setdefault(tuple(v[:DEPTH]), {}).setdefault(tuple([v[slot] for slot in slots]), v[:])

    moves = 0
    with contextlib.suppress(PlayError):  # which is found and reported where the checks play
        while moves < _MOVES:
            moves += 1
            game = Game(graph)
            for event in random_match(game, rng, _MOVES):
                moves += 1
                for _, _, v in backwards(game.position, event.steps):
                    note(v)
    return {stack: list(some.values()) for stack, some in found.items()}


def now(graph: Graph, guess: Guess) -> Expr:
    """The relation in the present position."""
    return guess.expr(graph, {name: _now(graph, name) for name in (guess.first, guess.second)})


def _now(graph: Graph, name: str) -> Expr:
    return Expr("datum", graph.data[name].type, (), name)


def _guesses(facts: PositionFacts) -> Iterator[Guess]:
    graph = facts.graph
    plain = [n for n, d in graph.data.items() if not d.params and not d.type.place and not d.type.many]
    changing = [n for n in plain if n in facts.changed and (f := graph.data[n].first) is not None and f.op == "const"]
    lasting = [n for n in plain if facts.is_lasting(n, NOW) and graph.data[n].type.base == "flag"]
    used, changed = _together(graph, reading=True), _together(graph, reading=False)
    for a, b in itertools.permutations(changing, 2):
        if (a, b) not in used or graph.data[a].fresh != graph.data[b].fresh:
            continue
        kinds = (graph.data[a].type, graph.data[b].type)
        if all(kind.base == "number" and not kind.words for kind in kinds):
            yield Guess("less", a, b)
            yield Guess("most", a, b)
        if (a, b) in changed:
            yield Guess("with", a, b)
    for flag, name in itertools.product(lasting, changing):
        if graph.lies_within(graph.data[name].fresh, graph.data[flag].fresh):
            yield Guess("idle", flag, name)


def _together(graph: Graph, *, reading: bool) -> set[tuple[str, str]]:
    """Data that one rule, or the rules of one verb, change; with ``reading``, or read."""
    by_verb: dict[str, set[str]] = {}
    for rule in graph.rules.values():
        used = set(data_read(graph, exprs_of_rule(rule))) if reading else set()
        for change in flat_changes(graph, (*rule.do, *rule.lest)):
            if isinstance(change, Assign):
                used.add(change.datum)
            if reading:
                used |= data_read(graph, change_parts(change))
        for key in [verb.action for verb in rule.verbs] or [f"rule {rule.name}"]:
            by_verb.setdefault(key, set()).update(used)
    return {pair for used in by_verb.values() for pair in itertools.permutations(sorted(used - {""}), 2)}


# ---- one step ----------------------------------------------------------------------------------


class _Proofs:
    """Proves that steps preserve candidates; memoised."""

    def __init__(self, facts: PositionFacts, bounds: dict[Stack, dict[Key, Value]]) -> None:
        self.facts, self.graph, self.bounds = facts, facts.graph, bounds
        self._found: dict[tuple[int, Guess, frozenset[Guess]], bool] = {}
        self._starts: dict[Stack, Partial] = {}
        self._holding: dict[frozenset[Guess], list[Expr]] = {}
        self._choices: dict[tuple[int, str], list[tuple[Expr, Conditions]]] = {}
        self._broken: dict[int, Partial | None] = {}

    def holds(self, step: Transition, guess: Guess, near: frozenset[Guess]) -> bool:
        """Whether the step preserves it, assuming all remaining candidates about the same data."""
        key = (id(step), guess, near)
        if key not in self._found:
            self._found[key] = self._proved(step, guess, near)
        return self._found[key]

    def _start(self, stack: Stack) -> Partial:
        if stack not in self._starts:
            number = self.facts.stacks.index(stack)
            self._starts[stack] = Partial(self.facts, {("stack",): frozenset({number})}, None, self.bounds[stack])
        return self._starts[stack]

    def _proved(self, step: Transition, guess: Guess, near: frozenset[Guess]) -> bool:
        graph = self.graph
        names = (guess.first, guess.second)
        choices = [self._values_after(step, name) for name in names]
        kept = (len(some) == 1 and some[0][0] == _now(graph, n) for some, n in zip(choices, names, strict=True))
        if guess in near and all(kept):
            return True
        if near not in self._holding:
            self._holding[near] = [now(graph, g) for g in sorted(near, key=repr)]
        holding = self._holding[near]
        for (a, guards_a), (b, guards_b) in itertools.product(*choices):
            fails = fold.negate(guess.expr(graph, {guess.first: a, guess.second: b}))
            conditions = (*step.conditions, *guards_a, *guards_b, *holding, fails)
            if not self._never(step, conditions):
                return False
        return True

    def _never(self, step: Transition, conditions: Conditions) -> bool:
        """Whether the conditions exclude each other: sought first where a candidate that this step breaks failed, as
        most that are broken fail there, too.
        """
        start, near = self._start(step.before), self._broken.get(id(step))
        if near is not None and solve(self.facts, conditions, None, _BUDGET, near).kind == "witness":
            return False
        answer = solve_near(self.facts, conditions, None, _BUDGET, start)
        if answer.partial is not None:
            self._broken[id(step)] = start.with_values(answer.partial.known)
        return answer.kind == "never"

    def _values_after(self, step: Transition, name: str) -> list[tuple[Expr, Conditions]]:
        key = (id(step), name)
        if key not in self._choices:
            self._choices[key] = list(_after(self.facts, step, name))
        return self._choices[key]


def _after(facts: PositionFacts, step: Transition, name: str) -> Iterator[tuple[Expr, Conditions]]:
    """The possible values of a datum after a step, with their conditions."""
    datum = facts.graph.data[name]
    if facts.graph.lies_within(datum.fresh, step.opens):
        if datum.first is not None and datum.first.op == "const":
            yield datum.first, ()
        else:
            yield Expr("var", types.bare(datum.type), (), f"?{name}"), ()
        return
    given = False
    for guarded in step.sure:
        if (change := _assignment(guarded, name)) is not None:
            given |= not guarded.guards
            yield frame.assigned(facts.graph, change), guarded.guards
    for guarded in step.maybe:
        if (change := _assignment(guarded, name)) is not None:
            yield frame.assigned(facts.graph, change), guarded.guards
    if not given:
        yield _now(facts.graph, name), ()


def _assignment(guarded: Guarded, name: str) -> Assign | None:
    """The change, if it assigns to this datum."""
    change = guarded.change
    return change if isinstance(change, Assign) and change.datum == name else None


# --------------------------------------------------------------------------------------------------
# The steps of a game as edges between stacks: every rule that can take effect, with all changes possible in the same
# step.

_STEPS_BUDGET = 150


@dataclass(frozen=True, slots=True)
class Transition:
    """One step from a stack to another.

    ``sure`` are the changes that always come with it, ``maybe`` the possible ones; ``opens`` is the phase entered whose
    data are initialised, if any.
    """

    before: Stack
    after: Stack
    rule: Rule
    conditions: Conditions
    sure: tuple[Guarded, ...]
    maybe: tuple[Guarded, ...]
    opens: str = ""

    @property
    def changes(self) -> tuple[Guarded, ...]:
        """All changes that the step can make."""
        return self.sure + self.maybe


def steps(study: Study) -> list[Transition]:
    """All possible steps, in the order of stacks and rules; acts that change nothing are omitted."""
    return [step for stack in study.stacks for step in _Here(study, stack).steps()]


class _Here:
    """The steps from one stack."""

    def __init__(self, study: Study, stack: Stack) -> None:
        self.study, self.graph, self.stack = study, study.graph, stack
        self.tops = (stack[0],)
        self.rules = [r for r in self.graph.rules.values() if not r.phases or stack[0] in r.phases]
        self.opening = {datum.fresh for datum in self.graph.data.values() if datum.fresh}
        self.ways: dict[str, list[Stack]] = {}
        for passage in study.map.passages:
            if passage.before == stack and passage.after is not None and passage.after in study.stacks:
                self.ways.setdefault(passage.rule.name, []).append(passage.after)

    def steps(self) -> Iterator[Transition]:
        """Automatic rules first, then actions."""
        for shape in ("once", "auto"):
            yield from self._automatic([r for r in self.rules if r.shape == shape])
        for rule in self.rules:
            if rule.shape == "may" or (rule.shape == "must not" and rule.lest and not self.study.strict):
                for verb in rule.verbs:
                    yield from self._act(rule, verb)

    def _never(self, *conditions: Conditions) -> bool:
        whole = tuple(part for some in conditions for part in some)
        return self.study.ask(whole, self.tops, _STEPS_BUDGET).kind == "never"

    def _automatic(self, rules: list[Rule]) -> Iterator[Transition]:
        conditions = {rule.name: frame.fires(self.graph, rule) for rule in rules}
        applying = [rule for rule in rules if not self._never(conditions[rule.name])]
        for rule in applying:
            maybe: list[Guarded] = []
            for other in applying:
                beaten = rule.name in other.beats or other.name in rule.beats
                if other is not rule and not beaten and not self._never(conditions[rule.name], conditions[other.name]):
                    maybe += frame.changes_of(self.graph, other.do)
            sure = frame.changes_of(self.graph, rule.do)
            yield from self._to(rule, conditions[rule.name], sure, maybe, self.ways.get(rule.name, []))

    def _act(self, rule: Rule, verb: Verb) -> Iterator[Transition]:
        graph, action = self.graph, verb.action
        conditions = frame.acts(graph, rule, action, self.stack[0])
        if self._never(conditions):
            return
        sure = frame.taken(graph, rule, verb)
        maybe: list[Guarded] = []
        ways = list(self.ways.get(rule.name, []))
        for other in self.rules:
            if other is rule or other.shape not in (rule.shape, "on" if rule.shape == "may" else ""):
                continue
            theirs = next((v for v in other.verbs if v.action == action), None)
            spoken = frame.speaks(graph, other, action) if theirs is not None else ()
            strange = theirs is None or (other.outsider != rule.outsider and other.shape != "on")
            if theirs is None or strange or self._never(conditions, spoken):
                continue
            changes = frame.taken(graph, other, theirs)
            always = other.shape == "on" and self._never(conditions, (frame.none_of(spoken),))
            (sure if always else maybe).extend(changes)
            ways += self.ways.get(other.name, [])
        if sure or maybe:
            yield from self._to(rule, conditions, sure, maybe, ways)

    def _to(
        self, rule: Rule, conditions: Conditions, sure: list[Guarded], maybe: list[Guarded], ways: list[Stack]
    ) -> Iterator[Transition]:
        opened = {
            g.change.phase for g in (*sure, *maybe) if isinstance(g.change, Way) and g.change.word == "then"
        } & self.opening
        for to in dict.fromkeys(ways):
            opens = to[0] if len(to) == 1 and to[0] in opened else ""
            yield Transition(self.stack, to, rule, conditions, tuple(sure), tuple(maybe), opens)
        if not any(isinstance(g.change, Way) and not g.guards for g in sure) and self.stack not in ways:
            yield Transition(self.stack, self.stack, rule, conditions, tuple(sure), tuple(maybe))

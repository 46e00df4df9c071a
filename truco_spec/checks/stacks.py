"""The reachable phase stacks, and the transitions between them.

From the first phase every rule is followed along its transitions, in each stack in which its conditions can hold
(``during`` a phase is decided by the stack; all else is left to the search). The result is an over-approximation of the
stacks that a game can reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from truco_spec.base.words import Sentence
from truco_spec.checks import frame, positions
from truco_spec.checks.frame import Conditions
from truco_spec.checks.positions import NO, NOW, YES, Key, Partial, PositionFacts, Stack, Value
from truco_spec.checks.search import solve, solve_near
from truco_spec.graph.fold import conjuncts, const
from truco_spec.graph.model import Expr, Graph, Move, Rule, Way
from truco_spec.graph.types import FLAG, bare
from truco_spec.graph.walk import exprs_of_define, exprs_of_rule, walk, walk_on

DEEPEST = 4
"""Maximum depth of a stack (``engine.layout.DEPTH``)."""

_BUDGET = 200


@dataclass(frozen=True, slots=True)
class Passage:
    """A transition between stacks. ``after`` is None if it is invalid; ``fault`` says why."""

    before: Stack
    rule: Rule
    way: Way
    after: Stack | None
    fault: str = ""


@dataclass(slots=True)
class StackMap:
    """All possible stacks, the transitions between them, and for each stack the transition that first reached it."""

    stacks: dict[Stack, Passage | None] = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)

    def path(self, stack: Stack) -> list[Passage]:
        """The transitions from the start to a stack."""
        found: list[Passage] = []
        while (passage := self.stacks.get(stack)) is not None:
            found.append(passage)
            stack = passage.before
        return found[::-1]


def map_stacks(graph: Graph, *, strict: bool = False) -> StackMap:
    """The possible stacks of games of this graph; in a strict game nothing forbidden ever takes effect."""
    found = StackMap()
    first = next(iter(graph.phases), None)
    if first is None:
        return found
    facts = PositionFacts(graph)
    moves = [
        (rule, conditions, way) for rule in graph.rules.values() for conditions, way in _ways_of(graph, rule, strict)
    ]
    can = _Can(facts)
    found.stacks[(first,)] = None
    todo: list[Stack] = [(first,)]
    while todo:
        stack = todo.pop(0)
        for number, (rule, conditions, way) in enumerate(moves):
            if rule.phases and stack[0] not in rule.phases:
                continue
            if not can.hold(number, rule, conditions, stack):
                continue
            passage = _passage(graph, stack, rule, way)
            if passage in found.passages:
                continue
            found.passages.append(passage)
            if passage.after is not None and passage.after not in found.stacks:
                found.stacks[passage.after] = passage
                todo.append(passage.after)
    return found


class _Can:
    """Decides whether the conditions of a transition can hold in a stack; memoised by the phases asked about."""

    def __init__(self, facts: PositionFacts) -> None:
        self.facts, self.graph = facts, facts.graph
        self.first_of_all = frame.before_autos(self.graph)
        self._rest: dict[str, Conditions] = {}
        self._whole: dict[tuple[int, str], tuple[Conditions, list[str]]] = {}
        self._found: dict[tuple[int, str, tuple[bool, ...]], bool] = {}

    def hold(self, number: int, rule: Rule, conditions: Conditions, stack: Stack) -> bool:
        """Whether those of the transition with this number can hold."""
        top = "" if rule.shape in ("once", "auto") else stack[0]
        if (number, top) not in self._whole:
            before = () if rule.shape == "once" else self.first_of_all if rule.shape == "auto" else self.rest(top)
            whole = (*conditions, *before)
            self._whole[number, top] = whole, sorted(phases_asked(self.graph, whole))
        whole, asked = self._whole[number, top]
        lying = tuple(name in stack for name in asked)
        if (number, top, lying) not in self._found:
            known: dict[Key, object] = {
                ("during", name, NOW): YES if there else NO for name, there in zip(asked, lying, strict=True)
            }
            answer = solve(self.facts, whole, None, _BUDGET, Partial(self.facts, known), verify=False)
            self._found[number, top, lying] = answer.kind != "never"
        return self._found[number, top, lying]

    def rest(self, phase: str) -> Conditions:
        """The conditions whenever somebody acts in a phase."""
        if phase not in self._rest:
            self._rest[phase] = frame.at_rest(self.graph, phase)
        return self._rest[phase]


def phases_asked(graph: Graph, conditions: Conditions) -> set[str]:
    """The phases that conditions ask about, directly or through questions."""
    return {node.value for node in walk_on(graph, conditions) if node.op == "during"}


def _ways_of(graph: Graph, rule: Rule, strict: bool) -> Iterator[tuple[Conditions, Way]]:
    """Each transition of a rule (also of its ``lest``), with its conditions."""
    names = frame.names_of(rule.verbs[0]) if rule.verbs else {}
    for guarded in frame.changes_of(graph, rule.do if strict else (*rule.do, *rule.lest), names):
        if not isinstance(guarded.change, Way):
            continue
        if not rule.verbs:
            yield (*conjuncts(rule.when), *guarded.guards), guarded.change
        elif rule.shape == "must":
            yield guarded.guards, guarded.change
        else:
            for verb in rule.verbs:
                conditions = (*frame.speaks(graph, rule, verb.action), *frame.possible(graph, verb.action))
                yield (*conditions, *guarded.guards), guarded.change


def _passage(graph: Graph, stack: Stack, rule: Rule, way: Way) -> Passage:
    after = _after(graph, stack, way)
    return Passage(stack, rule, way, None, after) if isinstance(after, str) else Passage(stack, rule, way, after)


def _after(graph: Graph, stack: Stack, way: Way) -> Stack | str:
    """The stack that a transition leads to, or why it is invalid."""
    if way.word == "resume":
        form = "nothing lies below {phase}, so nothing can be resumed there"
        return stack[1:] or Sentence(form, phase=stack[0])
    phase = graph.phases[way.phase]
    if way.word == "then" and not phase.interrupts:
        return (phase.name,)
    below = stack if way.word == "ask" else stack[1:]
    if not below:
        form = "{phase} interrupts other phases, and here it would lie on nothing"
        return Sentence(form, phase=phase.name)
    if below[0] not in phase.interrupts:
        return Sentence("{phase} does not say that it interrupts {below}", phase=phase.name, below=below[0])
    if len(below) >= DEEPEST:
        form = "{phase} would be phase number {number} of a stack: no more than {most} have room"
        return Sentence(form, phase=phase.name, number=len(below) + 1, most=DEEPEST)
    return (phase.name, *below)


# ---- Sizes of piles: what :mod:`~truco_spec.checks.flow` tracks of them --------------------

MOST_SIZES = 8
"""A pile with more possible sizes than this may have any."""

_PILES_BUDGET = 300


class Piles:
    """The piles of a graph whose sizes are tracked; ``keys`` are the data at all their indices, empty if none are
    tracked.
    """

    def __init__(self, facts: PositionFacts, keys: Mapping[str, list[Key]]) -> None:
        self.facts, self.graph, self.keys = facts, facts.graph, keys
        self.names = counted(facts.graph) & set(keys)

    def moved(
        self,
        result: dict[Key, Value],
        state: Mapping[Key, Value],
        start: Partial,
        conditions: Conditions,
        change: Move,
        targets: list[Key],
    ) -> None:
        """The sizes after cards move, under these conditions, to one of the targets."""
        count = self._count_of(start, change)
        for key in targets if change.place in self.names else ():
            result[size_of(key)] |= self._grown(result, state, start, conditions, change, key, count)
        for name in frame.left(self.graph, conditions, change) & self.names:
            for key in map(size_of, self.keys[name]):
                least = {0} if change.what.type.many else {size - 1 for size in state[key] if size}
                result[key] |= frozenset(least)

    def _grown(
        self,
        result: Mapping[Key, Value],
        state: Mapping[Key, Value],
        start: Partial,
        conditions: Conditions,
        change: Move,
        pile: Key,
        count: frozenset[int],
    ) -> frozenset[int]:
        key = size_of(pile)
        whole: frozenset[int] = self.facts.full(key)
        if len(state[key]) > MOST_SIZES:
            return whole
        index = pile[2]
        assert isinstance(index, tuple)
        given = zip(change.index, index, strict=True)
        at = tuple(Expr("is", FLAG, (item, const(bare(item.type), i))) for item, i in given)
        found: frozenset[int] = frozenset()
        for size in state[key]:
            grown = (frozenset(size + more for more in count) & whole) - result[key]
            fixed = start.with_value(key, frozenset({size})) if grown else None
            if fixed is not None:
                answer = solve_near(self.facts, (*conditions, *at), None, _PILES_BUDGET, fixed)
                found |= grown if answer.kind != "never" else frozenset()
        return found

    def _count_of(self, start: Partial, change: Move) -> frozenset[int]:
        """The possible number of cards moved."""
        if not change.what.type.many:
            return positions.YES
        what = change.what
        if what.op == "datum" and what.value in self.names and start.bounds is not None:
            bounds = start.bounds
            return frozenset().union(*(bounds[size_of(key)] for key in self.keys[what.value]))
        return frozenset(range(len(self.graph.cards) + 1))


def counted(graph: Graph) -> set[str]:
    """The piles whose size some rule reads, without the pack."""
    exprs = [e for define in graph.defines.values() for e in exprs_of_define(define)]
    exprs += [e for rule in graph.rules.values() for e in exprs_of_rule(rule)]
    sizes = [node.kids[0] for e in exprs for node in walk(e) if node.op == "built" and node.value == "size"]
    return {s.value for s in sizes if s.op == "datum" and graph.data[s.value].type.place == "pile"} - {graph.pack}


def size_of(key: Key) -> Key:
    """The key of the size of a pile."""
    return ("size", *key[1:])

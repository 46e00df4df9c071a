"""Which phases can lie on each other, and how the game gets there.

From the first phase every rule is followed along its ways on, in each stack in which its conditions can hold (what
is ``during`` a phase is known there; all else is left to the search). The stacks found are all that a game can
reach, and perhaps more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from truco_spec.graph.checks.domains import NO, YES
from truco_spec.graph.checks.frame import Conditions, at_rest, before_autos, changes_of, names_of, possible, speaks
from truco_spec.graph.checks.positions import NOW, Facts, Key, Partial, Stack
from truco_spec.graph.checks.search import solve
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Graph, Rule, Way
from truco_spec.graph.walk import walk_on

DEEPEST = 4
"""So many phases can lie on each other in a position (``engine.layout.DEPTH``)."""

_BUDGET = 200


@dataclass(frozen=True, slots=True)
class Passage:
    """A way from one stack to another. ``after`` is None where the way leads nowhere; ``fault`` says why."""

    before: Stack
    rule: Rule
    way: Way
    after: Stack | None
    fault: str = ""


@dataclass(slots=True)
class StackMap:
    """All stacks that can be, the passages between them, and for each stack the passage that first led to it."""

    stacks: dict[Stack, Passage | None] = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)

    def path(self, stack: Stack) -> list[Passage]:
        """The passages that lead to a stack from the beginning."""
        found: list[Passage] = []
        while (passage := self.stacks.get(stack)) is not None:
            found.append(passage)
            stack = passage.before
        return found[::-1]


def map_stacks(graph: Graph, *, strict: bool = False) -> StackMap:
    """The stacks that a game of this graph can have; in a strict game nothing forbidden ever takes effect."""
    found = StackMap()
    first = next(iter(graph.phases), None)
    if first is None:
        return found
    facts = Facts(graph)
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
    """Can the conditions of a way hold in a stack? Stacks in which all that is asked of phases is alike are one."""

    def __init__(self, facts: Facts) -> None:
        self.facts, self.graph = facts, facts.graph
        self.first_of_all = before_autos(self.graph)
        self._rest: dict[str, Conditions] = {}
        self._whole: dict[tuple[int, str], tuple[Conditions, list[str]]] = {}
        self._found: dict[tuple[int, str, tuple[bool, ...]], bool] = {}

    def hold(self, number: int, rule: Rule, conditions: Conditions, stack: Stack) -> bool:
        """Those of the way with this number."""
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
        """What holds whenever somebody acts in a phase."""
        if phase not in self._rest:
            self._rest[phase] = at_rest(self.graph, phase)
        return self._rest[phase]


def phases_asked(graph: Graph, conditions: Conditions) -> set[str]:
    """The phases of which conditions ask, by themselves or through questions, whether they are on the stack."""
    return {node.value for node in walk_on(graph, conditions) if node.op == "during"}


def _ways_of(graph: Graph, rule: Rule, strict: bool) -> Iterator[tuple[Conditions, Way]]:
    """Each way on of a rule (of its ``lest`` too), with the conditions under which it is taken."""
    names = names_of(rule.verbs[0]) if rule.verbs else {}
    for guarded in changes_of(graph, rule.do if strict else (*rule.do, *rule.lest), names):
        if not isinstance(guarded.change, Way):
            continue
        if not rule.verbs:
            yield (*conjuncts(rule.when), *guarded.guards), guarded.change
        elif rule.shape == "must":
            yield guarded.guards, guarded.change
        else:
            for verb in rule.verbs:
                conditions = (*speaks(graph, rule, verb.action), *possible(graph, verb.action))
                yield (*conditions, *guarded.guards), guarded.change


def _passage(graph: Graph, stack: Stack, rule: Rule, way: Way) -> Passage:
    if way.word == "resume":
        if len(stack) < 2:
            return Passage(stack, rule, way, None, f"nothing lies below {stack[0]}, so nothing can be resumed there")
        return Passage(stack, rule, way, stack[1:])
    phase = graph.phases[way.phase]
    if way.word == "then" and not phase.interrupts:
        return Passage(stack, rule, way, (phase.name,))
    below = stack if way.word == "ask" else stack[1:]
    if not below:
        return Passage(
            stack, rule, way, None, f"{phase.name} interrupts other phases, and here it would lie on nothing"
        )
    if below[0] not in phase.interrupts:
        message = f"{phase.name} does not say that it interrupts {below[0]}"
        return Passage(stack, rule, way, None, message)
    if len(below) >= DEEPEST:
        message = f"{phase.name} would be phase number {len(below) + 1} of a stack: no more than {DEEPEST} have room"
        return Passage(stack, rule, way, None, message)
    return Passage(stack, rule, way, (phase.name, *below))

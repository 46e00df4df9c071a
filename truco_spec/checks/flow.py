"""Forward data-flow analysis: the stacks of phases that a game can reach, and bounds of the data in each.

*Stacks*: from the first phase every rule is followed along its transitions, in each stack in which its conditions can
hold (``during`` a phase is decided by the stack; all else is left to the search). The result is an over-approximation.

*Bounds* are valid in every reachable position. The analysis starts at the first one, in which every datum has its
initial value or none. Each rule that can apply in a stack (by the search, within the bounds so far) adds the results of
its changes to its data, and propagates the bounds to the stacks that it leads to; entering a phase initialises its
fresh data. A bound that keeps growing is widened to the type. The fixpoint is an invariant, by induction over the steps
of a game.

The analysis is non-relational: each datum is bounded separately. ``UNSET`` among the values says that a datum may be
read before it is set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from truco_spec.base.words import Sentence
from truco_spec.checks import frame, positions
from truco_spec.checks.frame import Conditions, Guarded
from truco_spec.checks.positions import NO, NOW, STACK, THEN, YES, Key, Partial, PositionFacts, Stack, Value
from truco_spec.checks.search import solve, solve_near
from truco_spec.engine.layout import UNSET
from truco_spec.graph.fold import conjuncts, const
from truco_spec.graph.model import Assign, Datum, Expr, Graph, Move, Rule, Way, indices
from truco_spec.graph.types import FIRST_WORD, FLAG, bare
from truco_spec.graph.walk import data_read, exprs_of_define, exprs_of_rule, walk, walk_on

DEEPEST = 4
"""Maximum depth of a stack (``engine.layout.DEPTH``)."""

_STACKS_BUDGET = 200


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
        self._whole: dict[tuple[int, str], tuple[Conditions, list[str]]] = {}
        self._found: dict[tuple[int, str, tuple[bool, ...]], bool] = {}

    def hold(self, number: int, rule: Rule, conditions: Conditions, stack: Stack) -> bool:
        """Whether the conditions of the transition with this number can hold."""
        top = "" if rule.shape in ("once", "auto") else stack[0]
        if (number, top) not in self._whole:
            autos = frame.before_autos(self.graph) if rule.shape == "auto" else ()
            before = frame.at_rest(self.graph, top) if top else autos
            whole = (*conditions, *before)
            self._whole[number, top] = whole, sorted(phases_asked(self.graph, whole))
        whole, asked = self._whole[number, top]
        lying = tuple(name in stack for name in asked)
        if (number, top, lying) not in self._found:
            known: dict[Key, object] = {
                ("during", name, NOW): YES if there else NO for name, there in zip(asked, lying, strict=True)
            }
            answer = solve(self.facts, whole, None, _STACKS_BUDGET, Partial(self.facts, known), verify=False)
            self._found[number, top, lying] = answer.kind != "never"
        return self._found[number, top, lying]


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


# ---- sizes of piles: what is tracked of them -----------------------------------------------------

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


# ---- bounds ------------------------------------------------------------------------------------

Bounds = dict[Key, Value]

_PATIENCE = 6
_BUDGET = 120
_MOST_VALUES = 32


@dataclass(frozen=True, slots=True)
class _Act:
    """One rule that may take effect in a stack: its condition, changes and targets."""

    rule: Rule
    conditions: Conditions
    changes: tuple[Guarded, ...]
    verb: str

    @property
    def leads_on(self) -> bool:
        """Whether it always leads to another phase."""
        return any(isinstance(g.change, Way) and not g.guards for g in self.changes)


class Flow:
    """The bounds of a graph. :attr:`bounds` maps every stack to the bounds of the data there."""

    def __init__(self, facts: PositionFacts, stack_map: StackMap, *, strict: bool = False) -> None:
        self.strict = strict
        self.facts, self.graph, self.map = facts, facts.graph, stack_map
        self.bounds: dict[Stack, Bounds] = {}
        self._visits: dict[tuple[Stack, Key], int] = {}
        self._keys = {name: _keys_of(datum) for name, datum in self.graph.data.items()}
        self._piles = Piles(facts, self._keys if strict else {})
        self._reads: dict[str, set[str]] = {}
        self._number = {stack: i for i, stack in enumerate(facts.stacks)}
        self._ways: dict[tuple[Stack, str], list[Stack]] = {}
        for passage in stack_map.passages:
            if passage.after is not None:
                self._ways.setdefault((passage.before, passage.rule.name), []).append(passage.after)
        self._alike: dict[tuple[str, str, str], bool] = {}
        self._applied: set[tuple[Stack, int]] = set()
        self._fitting: set[tuple[Stack, int, Key, int]] = set()
        self._given: set[tuple[Value, int, Key, int]] = set()
        self._acts: dict[str, list[_Act]] = {}
        self._todo: list[Stack] = []
        self._start = Partial(facts)
        self._lasting = [
            ("datum", name, (), NOW)
            for name, datum in self.graph.data.items()
            if datum.type.base == "flag" and not datum.params and facts.is_lasting(name, NOW)
        ]

    def run(self) -> dict[Stack, Bounds]:
        """Compute the fixpoint."""
        if not self.facts.stacks:
            return {}
        first = self.facts.stacks[0]
        start: Bounds = {}
        for name, keys in self._keys.items():
            value = self._begin(self.graph.data[name])
            start |= dict.fromkeys(keys, value)
            if name in self._piles.names:
                start |= dict.fromkeys(map(size_of, keys), positions.NO)
        self._enter(first, start, first[0])
        while self._todo:
            stack = self._todo.pop(0)
            self._leave(stack)
        return self.bounds

    # ---- entering ----------------------------------------------------------------------------

    def _begin(self, datum: Datum) -> Value:
        """Return a datum before its lifetime begins: its initial value if that reads nothing, else unset.

        An open option (:mod:`truco_spec.graph.load`) may have any value.
        """
        if datum.name in self.graph.options:
            return self.facts.of_type(datum.type)
        if datum.first is not None and not data_read(self.graph, [datum.first]):
            return self._worked_out(datum)
        if datum.type.many:
            return (0, 0)
        return positions.NO if datum.type.base == "flag" and not datum.type.words else frozenset({UNSET})

    def _worked_out(self, datum: Datum) -> Value:
        """All possible initial values."""
        assert datum.first is not None
        found = self.facts.compiler.meaning(datum.first)(
            self.facts.root, {p.name: self.facts.of_type(p.type) for p in datum.params}
        )
        return self.facts.of_type(datum.type) if positions.impossible(found) else found

    def _enter(self, stack: Stack, state: Bounds, opened: str = "") -> None:
        """Propagate bounds into a stack; ``opened`` is the ground phase entered, whose data are initialised."""
        if opened:
            state = self._fresh(state, opened)
        old = self.bounds.get(stack)
        if old is None:
            self.bounds[stack] = dict(state)
            self._todo.append(stack)
            return
        grown = False
        for key, value in state.items():
            before = old[key]
            if positions.inside(value, before):
                continue
            count = self._visits[stack, key] = self._visits.get((stack, key), 0) + 1
            joined = positions.join(before, value)
            old[key] = (
                joined if count < _PATIENCE else positions.join(joined, self.facts.of_type(self.facts.type_of(key)))
            )
            grown = True
        if old is self._start.bounds:
            self._start.forget()  # its bounds may have grown
        if grown and stack not in self._todo:
            self._todo.append(stack)

    def _fresh(self, state: Bounds, phase: str) -> Bounds:
        result, pack = dict(state), self.graph.pack
        fresh = [datum for datum in self.graph.data.values() if self.graph.lies_within(datum.fresh, phase)]
        if pack and any(datum.type.place for datum in fresh):
            result[("datum", pack, (), NOW)] = self.facts.of_type(self.graph.data[pack].type)
        for datum in fresh:
            keys = self._keys[datum.name]
            result |= dict.fromkeys(keys, self._first(datum, phase))
            if datum.name in self._piles.names:
                result |= dict.fromkeys(map(size_of, keys), positions.NO)
        return result

    def _first(self, datum: Datum, phase: str) -> Value:
        """A datum when a phase is entered: it stays unset if its own lifetime begins later."""
        reads = datum.first is not None and data_read(self.graph, [datum.first])
        return self._worked_out(datum) if reads and datum.fresh == phase else self._begin(datum)

    # ---- leaving -----------------------------------------------------------------------------

    def _leave(self, stack: Stack) -> None:
        state = self.bounds[stack]
        self._start = start = Partial(self.facts, {("stack",): frozenset({self._number[stack]})}, None, state)
        acts = self._acts_of(stack[0])
        applying = [act for act in acts if self._applies(stack, start, act)]
        for act in applying:
            others = [other for other in applying if other is not act and self._together(act, other, stack[0])]
            stacks = self._ways.get((stack, act.rule.name), [])
            if stacks:
                after = self._changed(stack, start, act, others)
                for to in stacks:
                    entered = to[0] if len(to) == 1 and self._opens(act, to[0]) else ""
                    self._enter(to, after, entered)
            if not act.leads_on:  # a rule leading on in the same step is handled by that rule
                staying = [other for other in others if not other.leads_on]
                self._enter(stack, self._changed(stack, start, act, staying))

    def _applies(self, stack: Stack, start: Partial, act: _Act) -> bool:
        """Whether it can apply there. Bounds only grow, so a positive answer is final."""
        key = (stack, id(act))
        if key not in self._applied:
            found = solve(self.facts, act.conditions, None, _BUDGET, start, verify=self.strict)
            if found.kind == "never":
                return False
            self._applied.add(key)
        return True

    def _opens(self, act: _Act, phase: str) -> bool:
        return any(
            isinstance(g.change, Way) and g.change.word == "then" and g.change.phase == phase for g in act.changes
        )

    def _acts_of(self, phase: str) -> list[_Act]:
        if phase not in self._acts:
            self._acts[phase] = list(self._found_acts(phase))
        return self._acts[phase]

    def _found_acts(self, phase: str) -> Iterable[_Act]:
        graph = self.graph
        for rule in graph.rules.values():
            if rule.phases and phase not in rule.phases:
                continue
            if not rule.verbs:
                yield _Act(rule, frame.fires(graph, rule), tuple(frame.changes_of(graph, rule.do)), "")
                continue
            if rule.shape == "must" or not (rule.do or (rule.lest and not self.strict)):
                continue
            for verb in rule.verbs:
                changes = tuple(frame.changes_of(graph, (*rule.do, *rule.lest), frame.names_of(verb)))
                yield _Act(rule, frame.acts(graph, rule, verb.action, phase), changes, verb.action)

    def _together(self, one: _Act, other: _Act, phase: str) -> bool:
        """Whether both can take effect in one step."""
        shapes = {one.rule.shape, other.rule.shape}
        if one.verb != other.verb or (len(shapes) > 1 and shapes != {"may", "on"}):
            return False
        if "on" not in shapes and (one.rule.name in other.rule.beats or other.rule.name in one.rule.beats):
            return False
        key = (one.rule.name, other.rule.name, f"{phase} {one.verb}")
        if key not in self._alike:
            start = Partial(self.facts, {})
            found = solve(self.facts, (*one.conditions, *other.conditions), None, _BUDGET, start, verify=False)
            self._alike[key] = self._alike[other.rule.name, one.rule.name, key[2]] = found.kind != "never"
        return self._alike[key]

    # ---- changing ----------------------------------------------------------------------------

    def _changed(self, stack: Stack, start: Partial, act: _Act, others: list[_Act]) -> Bounds:
        state = self.bounds[stack]
        result = self._narrowed(stack, start, act)
        given: dict[Key, Value] = {}
        for other in others:
            for guarded in other.changes:
                self._weakly(result, state, start, other, guarded)
        for guarded in act.changes:
            change = guarded.change
            if isinstance(change, Assign) and not guarded.guards:
                keys = self._targets(start, change)
                if len(keys) == 1 and self._only(start, change):
                    value = self._value(start, act, guarded, keys[0], NONE_YET)
                    given[keys[0]] = positions.join(given[keys[0]], value) if keys[0] in given else value
                    continue
            self._weakly(result, state, start, act, guarded)
        touched = {key for other in others for g in other.changes for key in self._targets_of(start, g)}
        for key, value in given.items():
            result[key] = positions.join(result[key], value) if key in touched else value
        return result | self._filled(start, act, others)

    def _filled(self, start: Partial, act: _Act, others: list[_Act]) -> Bounds:
        """Return the slots that always get a card in this step, and lose none: their value is some card."""
        every = [(one, guarded.change) for one in (act, *others) for guarded in one.changes]
        moves = [(one, change) for one, change in every if isinstance(change, Move)]
        found: Bounds = {}
        for change in (guarded.change for guarded in act.changes if not guarded.guards):
            if not isinstance(change, Move) or self.graph.data[change.place].type.place != "slot":
                continue
            keys = self._targets(start, change)
            rest = [(one, other) for one, other in moves if other != change]
            if len(keys) == 1 and all(change.place not in frame.left(self.graph, o.conditions, m) for o, m in rest):
                found[keys[0]] = self.facts.of_type(bare(self.facts.type_of(keys[0])))
        return found

    def _narrowed(self, stack: Stack, start: Partial, act: _Act) -> Bounds:
        """The bounds where the rule applies: narrowed by its conditions on single data, and on constant flags."""
        state = self.bounds[stack]
        result = dict(state)
        sizes = [size_of(key) for name in self._piles.names & self._read(act) for key in self._keys[name]]
        for key in (*self._lasting, *sizes):
            if 1 < len(state[key]) <= MOST_SIZES:
                fits = [v for v in state[key] if self._can_be(stack, start, act, key, v)]
                result[key] = frozenset(fits) or state[key]
        for condition in act.conditions:
            wanted, part = True, condition
            while part.op == "not":
                wanted, part = not wanted, part.kids[0]
            named = part if part.op == "datum" else part.kids[0] if part.kids else part
            if named.op != "datum" or any(kid.op != "const" for kid in named.kids):
                continue
            key = ("datum", named.value, tuple(kid.value for kid in named.kids), NOW)
            if key not in result or isinstance(result[key], tuple):
                continue
            left = self._agreeing(result[key], part, wanted)
            if left:
                result[key] = left
        return result

    def _read(self, act: _Act) -> set[str]:
        """The data that the conditions of a rule read."""
        if not act.leads_on:
            return set()
        if act.rule.name not in self._reads:
            self._reads[act.rule.name] = data_read(self.graph, act.conditions)
        return self._reads[act.rule.name]

    def _can_be(self, stack: Stack, start: Partial, act: _Act, key: Key, value: int) -> bool:
        known = (stack, id(act), key, value)
        if known not in self._fitting:
            fixed = start.with_value(key, frozenset({value}))
            deep = key[0] == "size"
            if fixed is None or solve(self.facts, act.conditions, None, _BUDGET, fixed, verify=deep).kind == "never":
                return False
            self._fitting.add(known)
        return True

    def _agreeing(self, values: frozenset[int], part: Expr, wanted: bool) -> frozenset[int]:
        if part.op == "datum":
            return values & {int(wanted)}
        if part.op == "is" and part.kids[1].op == "const":
            other = frozenset({part.kids[1].value})
            return values & other if wanted else values - other
        if part.op == "typed":
            return frozenset(value for value in values if (value > FIRST_WORD) == wanted)
        return values

    def _targets_of(self, start: Partial, guarded: Guarded) -> list[Key]:
        return self._targets(start, guarded.change) if isinstance(guarded.change, Assign) else []

    def _only(self, start: Partial, change: Assign) -> bool:
        return all(positions.known(self.facts.compiler.meaning(item)(start, {})) for item in change.index)

    def _targets(self, start: Partial, change: Assign | Move) -> list[Key]:
        """The keys that a change may write."""
        name = change.datum if isinstance(change, Assign) else change.place
        keys = self._keys[name]
        if not change.index or len(keys) == 1:
            return keys
        spans = [self.facts.compiler.meaning(item)(start, {}) for item in change.index]
        return [key for key in keys if all(i in span for i, span in zip(_index(key), spans, strict=True))]

    def _weakly(self, result: Bounds, state: Bounds, start: Partial, act: _Act, guarded: Guarded) -> None:
        change = guarded.change
        if isinstance(change, Assign):
            for key in self._targets(start, change):
                result[key] = positions.join(result[key], self._value(start, act, guarded, key, result[key]))
        elif isinstance(change, Move):
            self._moved(result, start, act, change)
            keys = self._targets(start, change)
            self._piles.moved(result, state, start, (*act.conditions, *guarded.guards), change, keys)

    def _moved(self, result: Bounds, start: Partial, act: _Act, change: Move) -> None:
        whole = self.facts.of_type
        for key in self._targets(start, change):
            kind = self.facts.type_of(key)
            result[key] = whole(kind) if kind.many else positions.join(result[key], whole(bare(kind)))
        for name, datum in self.graph.data.items():
            if datum.type.place and name in frame.left(self.graph, act.conditions, change):
                for key in self._keys[name]:
                    value = result[key]
                    result[key] = (0, value[1]) if datum.type.many else value | {FIRST_WORD}

    def _value(self, start: Partial, act: _Act, guarded: Guarded, key: Key, old: Value) -> Value:
        """The values that the change can give the datum, beyond the known ones."""
        change = guarded.change
        assert isinstance(change, Assign)
        kind = self.graph.data[change.datum].type
        value = frame.assigned(self.graph, change)
        found = self.facts.compiler.meaning(value)(start, {THEN: NOW})
        if kind.many:
            return found if isinstance(found, tuple) else self.facts.of_type(kind)
        found &= self.facts.of_type(kind) | {UNSET}
        new = [item for item in found if item not in old]
        if len(new) > _MOST_VALUES:
            return found
        conditions = (*act.conditions, *guarded.guards)
        indices = zip(change.index, _index(key), strict=True)
        at = tuple(Expr("is", FLAG, (item, const(bare(item.type), i))) for item, i in indices if item.op != "const")
        kept = {item for item in found if item in old}
        for item in new:
            known = (start.known[STACK], id(guarded), key, item)
            equal = Expr("is", FLAG, (value, const(bare(kind), item)))
            if (
                known in self._given
                or solve(self.facts, (*conditions, *at, equal), None, _BUDGET, start, verify=False).kind != "never"
            ):
                self._given.add(known)
                kept.add(item)
        return frozenset(kept)


NONE_YET: frozenset[int] = frozenset()


def _keys_of(datum: Datum) -> list[Key]:
    return [("datum", datum.name, index, NOW) for index in indices(datum.params)]


def _index(key: Key) -> tuple[int, ...]:
    index = key[2]
    assert isinstance(index, tuple)
    return index

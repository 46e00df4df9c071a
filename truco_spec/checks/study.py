"""The shared state of all checks of one graph, and their results: findings and doubts.

A *finding* is a :class:`~truco_spec.language.diagnostics.Diagnostic`, and certain. A *doubt* is a fault that the search
could not rule out: it found a position of these types, stacks and lifetimes that shows it, or exhausted its budget. The
position may be unreachable. So a doubt is no error yet: play confirms it (``truco_spec.checks.checking``), or it stays
a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from truco_spec.base.words import Sentence
from truco_spec.checks import positions
from truco_spec.checks.flow import Flow, StackMap, map_stacks
from truco_spec.checks.frame import Conditions, changes_of
from truco_spec.checks.invariants import Guess, Transition, invariants, now, steps
from truco_spec.checks.positions import NOW, Key, Partial, PositionFacts, Stack
from truco_spec.checks.search import BUDGET, SearchAnswer, SearchCondition, solve_near
from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.load import REFUSED, SETTLED
from truco_spec.graph.model import UNASKED, Answer, Datum, Define, Expr, Graph
from truco_spec.graph.types import FIRST_WORD, Type, single
from truco_spec.graph.walk import change_parts, data_read, exprs_of_define, exprs_of_rule, map_expr, walk
from truco_spec.language.diagnostics import Diagnostic, Span


@dataclass(frozen=True, slots=True)
class Doubt:
    """A fault that could not be ruled out. ``tops`` are the phases on top of which it would happen; ``names`` the
    statements in conflict.

    ``moment`` is ``action`` (somebody acts, at rest), ``step`` (automatic rules fire) or ``any``; ``position`` is one
    that shows it, in words, and empty if the search was given up.
    """

    diagnostic: Diagnostic
    conditions: Conditions
    tops: tuple[str, ...]
    moment: str
    names: frozenset[str]
    position: str = ""

    @property
    def note(self) -> Diagnostic:
        """The doubt as a note."""
        d = self.diagnostic
        form = "not proved impossible, and not met in play; the search was given up"
        if self.position:
            form = "not proved impossible, and not met in play; a position that shows it: {position}"
        hint = Sentence(form, position=self.position)
        return Diagnostic("note", d.code, d.message, d.span, hint, d.notes)


@dataclass
class Study:
    """One graph under study.

    Without ``bounded`` the bounds of the data are not computed, and without ``related`` their relational invariants:
    faster, but weaker. A ``strict`` study is of games in which nothing forbidden ever takes effect. Results of the
    search, and the invariants, are those of a study of the same graph that this is ``like``, which has all its
    positions; ``within`` are bounds that are taken for those of the data. ``refuted`` returns what another process has
    :func:`refuted <truco_spec.checks.invariants.refuted>` of the invariants.
    """

    graph: Graph
    budget: int = BUDGET
    findings: list[Diagnostic] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    bounded: bool = True
    related: bool = True
    strict: bool = False
    like: Study | None = None
    within: dict[Stack, dict[Key, positions.Value]] | None = None
    refuted: Callable[[], dict[Stack, set[Guess]]] | None = None
    _invariants: dict[Stack, frozenset[Guess]] | None = None
    _starts: dict[frozenset[int], Partial] = field(default_factory=dict)
    _parts: dict[Expr, frozenset[Expr]] = field(default_factory=dict)

    @cached_property
    def map(self) -> StackMap:
        """The map of possible phase stacks."""
        return map_stacks(self.graph, strict=self.strict)

    @cached_property
    def facts(self) -> PositionFacts:
        """The facts that hold in all positions."""
        alike = self.like is not None and list(self.like.map.stacks) == list(self.map.stacks)
        return self.like.facts if self.like and alike else PositionFacts(self.graph, self.map.stacks)

    @property
    def stacks(self) -> list[Stack]:
        """The stacks possible within the bounds."""
        return [stack for stack in self.map.stacks if not self.bounded or stack in self.bounds]

    def tops(self) -> list[str]:
        """The phases that can be on top of a stack, in the order of the text."""
        tops = {stack[0] for stack in self.stacks}
        return [name for name in self.graph.phases if name in tops]

    @cached_property
    def bounds(self) -> dict[Stack, dict[Key, positions.Value]]:
        """The bounds of the data in each stack."""
        return self.within or Flow(self.facts, self.map, strict=self.strict).run()

    def bounds_in(self, stacks: frozenset[int]) -> dict[Key, positions.Value]:
        """The joint bounds of the data over these stacks."""
        result: dict[Key, positions.Value] = {}
        for number in stacks:
            for key, value in self.bounds.get(self.facts.stacks[number], {}).items():
                result[key] = positions.join(result[key], value) if key in result else value
        return result

    @cached_property
    def steps(self) -> list[Transition]:
        """All possible steps."""
        return steps(self)

    @property
    def invariants(self) -> dict[Stack, frozenset[Guess]]:
        """The relational invariants of each stack."""
        if self.like is not None:
            return self.like.invariants
        if self._invariants is None:
            self._invariants = {}
            self._invariants = invariants(self, self.steps, self.bounds)
        return self._invariants

    def prepare(self) -> None:
        """Compute what all checks share, so that each may go on from there by itself."""
        self.invariants  # noqa: B018  (computed when it is first read)

    def _holding(self, stacks: list[int], conditions: Conditions) -> Conditions:
        """The invariants of these stacks about the data in the conditions, and the refusals of options."""
        read = frozenset().union(*[SearchCondition.of(self.facts, condition).data for condition in conditions])
        agreed = tuple(wanted for wanted, options in self.agreed if options & read)
        if not (self.bounded and self.related) or not self.invariants:
            return agreed
        common = frozenset.intersection(*(self.invariants[self.facts.stacks[i]] for i in stacks))
        held = (now(self.graph, guess) for guess in sorted(common, key=repr) if {guess.first, guess.second} <= read)
        return (*agreed, *held)

    @cached_property
    def agreed(self) -> list[tuple[Expr, frozenset[str]]]:
        """The constraint on open options (no refusal applies), and the options it reads."""
        refused = (_settled(self.graph, answer.value) for answer in refusals(self.graph))
        return [(fold.negate(expr), frozenset(data_read(self.graph, [expr]))) for expr in refused]

    @cached_property
    def askers(self) -> dict[str, set[str]]:
        """The phases on top in which each question may be asked."""
        return askers(self.graph, self.tops())

    def asking(self, define: str) -> tuple[str, ...]:
        """The phases on top in which a question may be asked, by a rule or through another question.

        Views and observations are asked anywhere.
        """
        found = self.askers.get(define, set())
        return tuple(name for name in self.tops() if name in found)

    def ask(
        self, conditions: Iterable[Expr], tops: Iterable[str] | None = None, budget: int | None = None
    ) -> SearchAnswer:
        """Whether the conditions can hold together, with one of these phases on top."""
        chosen = None if tops is None else set(tops)
        can_be = self.bounds if self.bounded else self.map.stacks
        stacks = [
            i for i, stack in enumerate(self.facts.stacks) if stack in can_be and (chosen is None or stack[0] in chosen)
        ]
        if not stacks:
            return SearchAnswer("never")
        wanted = tuple(conditions)
        if self._contradictory(wanted):
            return SearchAnswer("never")
        start = self._start(frozenset(stacks))
        wanted = (*self._holding(stacks, wanted), *wanted)
        return solve_near(self.facts, wanted, stacks, budget or self.budget, start)

    def _contradictory(self, conditions: Conditions) -> bool:
        """Whether one condition is the literal negation of another: with options open a search could give up."""
        said = {part for condition in conditions for part in self._spelled(condition)}
        return any(part.op == "not" and part.kids[0] in said for part in said)

    def _spelled(self, condition: Expr) -> frozenset[Expr]:
        """A condition and its conjuncts, including those of questions with a single answer."""
        found = self._parts.get(condition)
        if found is None:
            parts = (*conjuncts(condition), *conjuncts(_answer_to(self.graph, condition)))
            inner = (self._spelled(part) for part in parts if part != condition)
            found = self._parts[condition] = frozenset({condition}).union(*inner)
        return found

    def _start(self, stacks: frozenset[int]) -> Partial:
        """All positions with one of these stacks; memoised, so that searches are shared."""
        if stacks not in self._starts:
            bounds = self.bounds_in(stacks) if self.bounded else None
            self._starts[stacks] = Partial(self.facts, None, None, bounds)
        return self._starts[stacks]

    def find(
        self, severity: str, code: str, message: str, span: Span, hint: str = "", *notes: tuple[str, Span]
    ) -> None:
        """Report a finding."""
        self.findings.append(Diagnostic(severity, code, message, span, hint, notes))

    def doubt(
        self,
        diagnostic: Diagnostic,
        conditions: Conditions,
        tops: tuple[str, ...],
        moment: str,
        names: Iterable[str],
    ) -> bool:
        """Rule a fault out, or record it as a doubt; returns whether it is a doubt."""
        answer = self.ask(conditions, tops or None)
        if answer.kind == "never":
            return False
        position = "" if answer.partial is None else words_of(self.facts, answer.partial)
        self.doubts.append(Doubt(diagnostic, conditions, tops, moment, frozenset(names), position))
        return True


def _answer_to(graph: Graph, expr: Expr) -> Expr | None:
    """The answer of a question with a single answer, with its arguments substituted."""
    define = graph.defines.get(expr.value) if expr.op == "ask" else None
    if define is None or len(define.answers) > 1 or define.answers[0].when is not None:
        return None
    given = {param.name: kid for param, kid in zip(define.params, expr.kids, strict=True)}
    return fold.put_in(define.answers[0].value, given)


def refusals(graph: Graph) -> list[Answer]:
    """The refusals of a graph with open options, each as the answer of a question."""
    return [define.answers[0] for name, define in graph.defines.items() if name.startswith(REFUSED)]


def _settled(graph: Graph, expr: Expr) -> Expr:
    """The condition of a refusal, with the settled options substituted."""

    def one(node: Expr) -> Expr:
        settled = node.op == "datum" and node.value.startswith(SETTLED)
        first = graph.data[node.value].first if settled else None
        return fold.fold(node if first is None else first)

    return map_expr(expr, one)


def askers(graph: Graph, tops: list[str]) -> dict[str, set[str]]:
    """Return, for each question, the phases on top in which it may be asked."""
    asked: dict[str, set[str]] = {}

    def note(exprs: Iterable[Expr], phases: Iterable[str]) -> None:
        for expr in exprs:
            for node in walk(expr):
                if node.op == "ask":
                    asked.setdefault(node.value, set()).update(phases)

    everywhere = set(tops)
    for name in graph.defines:
        if name.startswith(UNASKED) or name.endswith(".seen") or name == "weight":
            asked.setdefault(name, set()).update(everywhere)
    for rule in graph.rules.values():
        changes = (*changes_of(graph, rule.do), *changes_of(graph, rule.lest))
        exprs = [*exprs_of_rule(rule), *(part for g in changes for part in (*g.guards, *change_parts(g.change)))]
        note(exprs, set(rule.phases) & everywhere or everywhere)
    for action in graph.actions.values():
        note([e for e in (action.possible, action.seen) if e is not None], everywhere)
    for datum in graph.data.values():
        note([datum.first] if datum.first is not None else [], everywhere)
    size = -1
    while size != sum(map(len, asked.values())):
        size = sum(map(len, asked.values()))
        for name in list(asked):
            if name in graph.defines:
                note(exprs_of_define(graph.defines[name]), set(asked[name]))
    return asked


def words_of(facts: PositionFacts, partial: Partial) -> str:
    """A partial position in words: actor and arguments first, then phases and data in the order of the text."""
    graph = facts.graph
    order = list(graph.data)
    said: list[tuple[int, int, str]] = []
    for key, value in partial.known.items():
        kind = key[0]
        if kind == "var":
            name = str(key[1])
            who: str = Sentence("argument {number}", number=int(name[1:]) + 1) if name[0] == "#" else name
            who = Sentence("the actor") if name == "me" else who
            said.append((0, len(said), _with_value(who, graph, facts.type_of(key), value)))
        elif kind == "stack":
            if len(value) < len(facts.stacks):
                said.append((1, 0, Sentence("phase {phases}", phases=stacked(facts.stacks[min(value)]))))
        elif kind == "datum" and key[3] == NOW:
            name = str(key[1])
            text = _datum_text(facts, key, value)
            if text:
                said.append((2, order.index(name), text))
        elif kind == "ask" and key[3] == NOW:
            name = _called(graph, graph.defines[str(key[1])], key[2])
            said.append((3, 0, _with_value(name, graph, facts.type_of(key), value)))
    return Sentence("{all}", all=tuple(text for _, _, text in sorted(said)))


def stacked(phases: Sequence[str]) -> str:
    """Phases that lie on each other, the topmost first: ``answer on play``."""
    above, *below = phases or ("",)
    return Sentence("{above} on {below}", above=above, below=stacked(below)) if below else above


def _with_value(name: str, graph: Graph, kind: Type, value: positions.Value) -> str:
    return Sentence("{name} {value}", name=name, value=value_text(graph, kind, value))


def _called(graph: Graph, question: Datum | Define, args: object) -> str:
    assert isinstance(args, tuple)
    if not args:
        return question.name
    pairs = zip(args, question.params, strict=True)
    shown = ("…" if isinstance(a, tuple) else value_text(graph, param.type, frozenset({a})) for a, param in pairs)
    return Sentence("{name}({shown})", name=question.name, shown=tuple(shown))


def _datum_text(facts: PositionFacts, key: Key, value: positions.Value) -> str:
    graph = facts.graph
    datum = graph.data[str(key[1])]
    name = _called(graph, datum, key[2])
    if datum.type.many:
        if value[0] == 0 and value[1] == facts.full(key)[1]:
            return ""
        return _with_value(name, graph, datum.type, value)
    if not positions.known(value) and len(value) > 1 and value == facts.full(key):
        return ""
    return _with_value(name, graph, datum.type, value)


def value_text(graph: Graph, kind: Type, value: positions.Value) -> str:
    """A value in words; the least one if there are several."""
    if isinstance(value, tuple):
        items = [value_text(graph, single(kind), frozenset({kind.low + bit})) for bit in positions.bits(value[0])]
        return "{" + ", ".join(items) + "}"
    code = positions.sample(value)
    if code > FIRST_WORD and kind.base == "seat":
        return f"P{code}"
    if code > FIRST_WORD and kind.base == "team":
        return Sentence("team of P{seat}", seat=code)
    return graph.text_of(kind, code)

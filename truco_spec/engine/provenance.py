"""Provenance of a step: the rules that fired, the branches of their named effects, and the questions evaluated.

A rule says that a trick goes to whoever took it; who that is follows from the answers of another question. For
explanations, comparisons and reports, not for play: it walks the graph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from truco_spec.engine.compiled.program import Step, undo
from truco_spec.engine.evaluate import Derivation, Evaluator, unbeaten
from truco_spec.engine.game import CHANCE, Action, Event, Game
from truco_spec.engine.layout import NONE, Layout
from truco_spec.engine.observe import observe
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import OBSERVED, Answer, Apply, Change, Effect, Expr, Graph, Rule, Source, Turn, indices
from truco_spec.graph.walk import always_evaluated, change_parts, datum_of, written_by
from truco_spec.graph.walk import walk as parts_of

Env = Mapping[str, int]
Values = tuple[int | None, ...]
Asked = tuple[Derivation, ...]
Answered = tuple[str, str]
"""A question or named effect, and which of its answers or branches applied."""
Origin = str | Answered
"""The origin of a value: a rule by its name, or an answer or a branch."""
Given = Mapping[str, tuple[Origin, ...]]

BY_ITSELF = Action(CHANCE, "", ())
"""The action of rules that fire without one."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A rule that fired, or a branch of a named effect.

    ``asked`` are the questions of its conditions, and of an effect's arguments.
    """

    statement: Rule | Turn
    asked: Asked
    changes: tuple[Changed, ...]

    def whole(self) -> Iterator[Cause]:
        """Itself, and the branches of the named effects that it applied, and of theirs."""
        yield self
        for branch in (way for one in self.changes for way in one.ways):
            yield from branch.whole()


@dataclass(frozen=True, slots=True)
class Changed:
    """A change: the values of its expressions, in order, the questions evaluated in each, and its effect's branches."""

    change: Change
    values: Values
    parts: tuple[Asked, ...]
    ways: tuple[Cause, ...]

    @property
    def asked(self) -> Asked:
        """The questions evaluated in all its expressions, without repetition."""
        return _distinct(derivation for part in self.parts for derivation in part)


class Provenance(Evaluator):
    """Walks rules over one position. Derivations are memoised: a repeated question yields the same object."""

    def __init__(self, layout: Layout, position: Sequence[int]) -> None:
        super().__init__(layout, list(position))
        self.known: dict[tuple[str, tuple[int, ...]], Derivation] = {}

    def ask(self, name: str, args: tuple[int, ...]) -> int:
        """The memoised answer."""
        found = self.known.get((name, args))
        if found is not None:
            self.asked.append(found)
            return found.value
        value = super().ask(name, args)
        self.known[name, args] = self.asked[-1]
        return value

    def question(self, name: str, args: tuple[int, ...] = ()) -> Derivation | None:
        """The derivation of a question; None if it is undefined here."""
        self.asked = []
        try:
            self.ask(name, args)
        except (PlayError, IndexError, KeyError):
            return None
        return self.asked[-1]

    def values(self, exprs: Iterable[Expr], env: Env) -> tuple[Values, Asked]:
        """The values of expressions, None for an undefined one, and the questions evaluated, without repetition."""
        found, parts = self._each(exprs, env)
        return found, _distinct(derivation for part in parts for derivation in part)

    def _each(self, exprs: Iterable[Expr], env: Env) -> tuple[Values, tuple[Asked, ...]]:
        """The values of expressions, None for an undefined one, and the questions evaluated in each."""
        found: list[int | None] = []
        parts: list[Asked] = []
        for expr in exprs:
            self.asked = []
            try:
                found.append(self.value(expr, env))
            except (PlayError, IndexError, KeyError):
                found.append(None)
            parts.append(_distinct(self.asked))
        return tuple(found), tuple(parts)

    def fired(self, names: Iterable[str], event: Event | None = None) -> Iterator[Cause]:
        """The provenance of rules that fired here together: with the action of an event, or by themselves."""
        action, status = (event.action, event.status) if event else (BY_ITSELF, "permitted")
        for rule in (self.graph.rules[name] for name in names if name in self.graph.rules):
            changes = rule.lest if rule.verbs and status != "permitted" else rule.do
            yield Cause(rule, self.conditions(rule, action), self._all_changed(changes, bound(rule, action)))

    def conditions(self, rule: Rule, action: Action) -> Asked:
        """The questions evaluated in a rule's conditions."""
        return self.values((expr for expr in (rule.by, rule.when) if expr is not None), bound(rule, action))[1]

    def _all_changed(self, changes: Iterable[Change], env: Env) -> tuple[Changed, ...]:
        return tuple(self._changed(change, env) for change in changes)

    def _changed(self, change: Change, env: Env) -> Changed:
        values, parts = self._each(change_parts(change), env)
        found = Changed(change, values, parts, ())
        if isinstance(change, Apply):
            found = replace(found, ways=self._ways(self.graph.effects[change.effect], values, found.asked))
        return found

    def _ways(self, effect: Effect, args: Values, given: Asked) -> tuple[Cause, ...]:
        env = given_to(effect, args)
        values, asked = self.values((turn.when for turn in effect.turns if turn.when is not None), env)
        asked, held = _distinct((*given, *asked)), iter(values)
        applying = [turn for turn in effect.turns if turn.when is None or next(held)]
        return tuple(Cause(turn, asked, self._all_changed(turn.changes, env)) for turn in unbeaten(applying))


def _distinct(asked: Iterable[Derivation]) -> Asked:
    return tuple({id(derivation): derivation for derivation in asked}.values())


def bound(rule: Rule, action: Action) -> dict[str, int]:
    """The bindings of the names in a rule: actor and arguments."""
    actor, name, args = action
    verb = next((verb for verb in rule.verbs if verb.action == name), None)
    if verb is None:
        return {"me": CHANCE}
    return {"me": actor, **{n: value for n, value in zip(verb.args, args, strict=True) if isinstance(n, str)}}


def given_to(effect: Effect, values: Values) -> dict[str, int]:
    """The bindings of the names in an effect: the parameters that have a value."""
    pairs = zip(effect.params, values, strict=True)
    return {param.name: value for param, value in pairs if value is not None}


def backwards(position: Sequence[int], steps: Sequence[Step]) -> Iterator[tuple[Step, list[int], list[int]]]:
    """The steps that led to a position, latest first, each with the positions before and after."""
    after = list(position)
    for step in reversed(steps):
        before = list(after)
        undo(before, (step,))
        yield step, before, after
        after = before


def moved_by(layout: Layout, step: Step) -> list[int]:
    """The cards that a step moves, by their numbers."""
    return [slot - layout.cards_at for slot in step.back[::2] if slot >= layout.cards_at]


def last_writers(game: Game, data: Iterable[str]) -> Iterator[tuple[Event, list[int], tuple[str, ...]]]:
    """The steps that last wrote these data, latest first: the event, the position before, and the rules that wrote."""
    writes, blocks, now = written_by(game.graph), game.layout.blocks, game.position
    left = {name: range(blocks[name].base, blocks[name].base + blocks[name].count) for name in data if name in blocks}
    for event in reversed(game.history if left else ()):
        for step, before, _ in backwards(now, event.steps):
            changed = {name for name, slots in left.items() if any(slot in slots for slot in step.back[::2])}
            if changed:
                yield event, before, tuple(name for name in step.rules if changed & writes.get(name, frozenset()))
                left = {name: slots for name, slots in left.items() if name not in changed}
                if not left:
                    return
            now = before


# ---- what gave a value -----------------------------------------------------------------------------


def decisive_step(game: Game, key: str) -> tuple[Step, list[int]] | None:
    """The step of the last action that gave the observation its value, and the position after it; None if it was
    unchanged.
    """
    question = game.graph.defines.get(f"{OBSERVED}{key}")
    if question is None:
        return None
    told = observe(game, only=(key,)).get(key)
    ask, given = game.program.defines[question.name], indices(question.params)
    for step, before, after in backwards(game.position, game.history[-1].steps):
        value = [ask(after, *args) for args in given]
        # Some observations are transient, such as who took a trick; then the final value is none.
        if [ask(before, *args) for args in given] != value and not (told is not None and all(v == NONE for v in value)):
            return step, after
    return None


def last_step(game: Game) -> tuple[Step, list[int]] | None:
    """The last step of the last action made by a rule, if any, and the position after it."""
    made = backwards(game.position, game.history[-1].steps)
    return next(((step, after) for step, _, after in made if step.rules), None)


def value_from(
    game: Game, event: Event, step: Step, after: Sequence[int], question: str
) -> tuple[tuple[str, ...], tuple[Answered, ...]]:
    """Return the statements by which a step gave the question its value ``after`` it: rules, and answers.

    A slice: the questions that the answer's value asks, and, for the data that it reads, where this step got what it
    wrote: the questions asked for it, or the rule or branch that states it. Conditions are no part of it. Of a value
    that this step did not change, only the questions; and if there are none, all the step's rules.
    """
    before = list(after)
    undo(before, (step,))
    later, earlier = Provenance(game.layout, after), Provenance(game.layout, before)
    causes = list(earlier.fired(step.rules, event))
    moved, standing = dict[Origin, None](), dict[Origin, None]()
    for args in indices(game.graph.defines[question].params):
        found, was = later.question(question, args), earlier.question(question, args)
        if found is not None and was is not None and was.value == found.value:
            standing |= dict.fromkeys(_answers_of(game.graph, found))
        elif found is not None:
            moved |= dict.fromkeys(_answers_of(game.graph, found))
            read = data_behind(game.graph, found)
            for cause in causes:
                moved |= dict.fromkeys(_written(game.graph, cause.changes, read, cause.statement.name, {}))
    origins = moved or standing or dict.fromkeys(step.rules)
    names = tuple(origin for origin in origins if isinstance(origin, str))
    return names, tuple(origin for origin in origins if not isinstance(origin, str))


def _answers_of(graph: Graph, found: Derivation) -> Iterator[Answered]:
    """The tables and answers that the value of an answer asks for."""
    yield from _tables(_answer(graph, found).value)
    for inner in _distinct(found.of_value):
        yield from _behind(graph, inner)


def _behind(graph: Graph, found: Derivation) -> Iterator[Answered]:
    """Return the answer; for one that only passes a question on, or looks it up in a table, the answer behind it."""
    value = _answer(graph, found).value
    if value.op == "table" or (value.op == "ask" and not value.kids):
        yield from _answers_of(graph, found)
    else:
        yield found.question, found.answer


def _tables(expr: Expr) -> Iterator[Answered]:
    """Return the tables in which an expression looks something up, each as its own answer."""
    yield from ((node.value, node.value) for node in parts_of(expr) if node.op == "table")


def _answer(graph: Graph, found: Derivation) -> Answer:
    return next(answer for answer in graph.defines[found.question].answers if answer.name == found.answer)


def data_behind(graph: Graph, found: Derivation) -> frozenset[str]:
    """The data that an answer's value reads, and the values of the questions that it asks."""
    data, left, known = set[str](), [found], set[int]()
    while left:
        one = left.pop()
        if id(one) not in known:
            known.add(id(one))
            data |= {node.value for node in parts_of(_answer(graph, one).value) if node.op == "datum"}
            left += one.of_value
    return frozenset(data)


def _written(
    graph: Graph, changes: Iterable[Changed], data: Collection[str], where: Origin, given: Given
) -> Iterator[Origin]:
    """Return the origins of the values written to these data; ``given`` are the origins of an effect's arguments."""
    for one in changes:
        each = [_origins(graph, *part, given) for part in zip(change_parts(one.change), one.parts, strict=True)]
        if isinstance(one.change, Apply):
            effect = graph.effects[one.change.effect]
            named = zip(effect.params, each, strict=True)
            passed = {param.name: (*(sure or [where]), *weighed) for param, (sure, weighed) in named}
            for way in one.ways:
                yield from _written(graph, way.changes, data, (effect.name, way.statement.name), passed)
        elif datum_of(one.change) in data:
            yield from [origin for sure, _ in each for origin in sure] or [where]
            yield from (origin for _, weighed in each for origin in weighed)


def _origins(graph: Graph, expr: Expr, asked: Asked, given: Given) -> tuple[list[Origin], list[Origin]]:
    """Return the tables and questions that an expression asks, and the origins of the arguments that it names: those
    always evaluated, and those within a choice or a quantifier, where the statement of the expression says which count.
    """
    sure, weighed = list[Origin](), list[Origin]()
    always = [node for node in always_evaluated(expr) if node.op in ("ask", "table", "var")]
    for node in (node for node in parts_of(expr) if node.op in ("table", "var")):
        told = [(node.value, node.value)] if node.op == "table" else given.get(node.value, ())
        (sure if node in always else weighed).extend(told)
    for derivation in asked:
        asking = any(node.op == "ask" and node.value == derivation.question for node in always)
        (sure if asking else weighed).extend(_behind(graph, derivation))
    return sure, weighed


def source_of(graph: Graph, told: Answered) -> Source | None:
    """The statement behind an answer or a branch of an effect; None if these rules have no such answer."""
    question, name = told
    if question in graph.tables:
        return graph.tables[question].source
    if question in graph.defines:
        return next((a.source for a in graph.defines[question].answers if a.name == name), None)
    if question in graph.effects:
        return next((turn.source for turn in graph.effects[question].turns if turn.name == name), None)
    return None

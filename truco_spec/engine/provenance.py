"""Provenance of a step: the rules that fired, the branches of their named effects, and the questions evaluated.

A rule says that a trick goes to whoever took it; who that is follows from the answers of another question. For
explanations, comparisons and reports, not for play: it walks the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from truco_spec.engine.apply import Step, undo
from truco_spec.engine.evaluate import Derivation, Evaluator, unbeaten
from truco_spec.engine.game import CHANCE, Action, Event, Game
from truco_spec.engine.layout import Layout
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import Apply, Change, Effect, Expr, Graph, Rule, Source, Turn
from truco_spec.graph.walk import change_parts

Env = Mapping[str, int]
Values = tuple[int | None, ...]
Asked = tuple[Derivation, ...]
Answered = tuple[str, str]
"""A question or named effect, and which of its answers or branches applied."""

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


@dataclass(frozen=True, slots=True)
class Changed:
    """A change: the values of its expressions, in order, the questions evaluated, and its effect's branches."""

    change: Change
    values: Values
    asked: Asked
    ways: tuple[Cause, ...]


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
        found: list[int | None] = []
        asked: dict[int, Derivation] = {}
        for expr in exprs:
            self.asked = []
            try:
                found.append(self.value(expr, env))
            except (PlayError, IndexError, KeyError):
                found.append(None)
            asked |= {id(derivation): derivation for derivation in self.asked}
        return tuple(found), tuple(asked.values())

    def rule(self, rule: Rule, action: Action, status: str = "permitted") -> Cause:
        """The provenance of a rule fired by an action: questions of its conditions, and its changes."""
        return Cause(rule, self.conditions(rule, action), self.changes(rule, action, status))

    def conditions(self, rule: Rule, action: Action) -> Asked:
        """The questions evaluated in a rule's conditions."""
        return self.values((expr for expr in (rule.by, rule.when) if expr is not None), bound(rule, action))[1]

    def changes(self, rule: Rule, action: Action, status: str = "permitted") -> tuple[Changed, ...]:
        """The changes that a rule makes, or those of its penalty."""
        changes = rule.lest if rule.verbs and status != "permitted" else rule.do
        return self._all_changed(changes, bound(rule, action))

    def _all_changed(self, changes: Iterable[Change], env: Env) -> tuple[Changed, ...]:
        return tuple(self._changed(change, env) for change in changes)

    def _changed(self, change: Change, env: Env) -> Changed:
        values, asked = self.values(change_parts(change), env)
        ways = self._ways(self.graph.effects[change.effect], values, asked) if isinstance(change, Apply) else ()
        return Changed(change, values, asked, ways)

    def _ways(self, effect: Effect, args: Values, given: Asked) -> tuple[Cause, ...]:
        bound_to = zip(effect.params, args, strict=True)
        env = {param.name: value for param, value in bound_to if value is not None}
        values, asked = self.values((turn.when for turn in effect.turns if turn.when is not None), env)
        asked, held = tuple({id(found): found for found in (*given, *asked)}.values()), iter(values)
        applying = [turn for turn in effect.turns if turn.when is None or next(held)]
        return tuple(Cause(turn, asked, self._all_changed(turn.changes, env)) for turn in unbeaten(applying))


def bound(rule: Rule, action: Action) -> dict[str, int]:
    """The bindings of the names in a rule: actor and arguments."""
    actor, name, args = action
    verb = next((verb for verb in rule.verbs if verb.action == name), None)
    if verb is None:
        return {"me": CHANCE}
    return {"me": actor, **{n: value for n, value in zip(verb.args, args, strict=True) if isinstance(n, str)}}


def backwards(position: Sequence[int], steps: Sequence[Step]) -> Iterator[tuple[Step, list[int], list[int]]]:
    """The steps that led to a position, latest first, each with the positions before and after."""
    after = list(position)
    for step in reversed(steps):
        before = list(after)
        undo(before, (step,))
        yield step, before, after
        after = before


def made(changes: Iterable[Changed]) -> Iterator[Changed]:
    """The changes, with named effects expanded."""
    for one in changes:
        if isinstance(one.change, Apply):
            for way in one.ways:
                yield from made(way.changes)
        else:
            yield one


# ---- the answers themselves ------------------------------------------------------------------------


def answered(game: Game, event: Event, step: Step, before: Sequence[int]) -> tuple[Answered, ...]:
    """The provenance of each change of a step of an event, in order; ``before`` is the position in which it was
    computed.

    Only the questions of the rules themselves are reported, not those evaluated in turn.
    """
    walk = Provenance(game.layout, before)
    rules = (game.graph.rules[name] for name in step.rules)
    changed = (one for rule in rules for one in walk.changes(rule, event.action, event.status))
    return tuple(dict.fromkeys(_answers(changed)))


def _answers(changes: Iterable[Changed]) -> Iterator[Answered]:
    for one in changes:
        yield from ((derivation.question, derivation.answer) for derivation in one.asked)
        for way in one.ways:
            assert isinstance(one.change, Apply)
            yield one.change.effect, way.statement.name
            yield from _answers(way.changes)


def source_of(graph: Graph, told: Answered) -> Source | None:
    """The statement behind an answer or a branch of an effect; None if these rules have no such answer."""
    question, name = told
    if question in graph.defines:
        return next((a.source for a in graph.defines[question].answers if a.name == name), None)
    if question in graph.effects:
        return next((turn.source for turn in graph.effects[question].turns if turn.name == name), None)
    return None

"""Provenance of a step: the rules that fired, how their named effects went, and the questions asked on the way.

A rule says that a trick goes to whoever took it; who takes it, and when nobody does, is said by the answers of another
question. For explanations, comparisons and reports, not for play: it walks over the graph.
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
"""A question or a named effect, and which of its answers, or of its ways, held."""

BY_ITSELF = Action(CHANCE, "", ())
"""The action with which a rule fires that waits for none."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A rule that fired, or a way that a named effect went.

    ``asked`` are the questions of its conditions, and of what an effect is given.
    """

    statement: Rule | Turn
    asked: Asked
    changes: tuple[Changed, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """A change: the values of its expressions, in order, the questions they asked, and the ways of its named effect."""

    change: Change
    values: Values
    asked: Asked
    ways: tuple[Cause, ...]


class Provenance(Evaluator):
    """Walks rules over one position. A question asked again is one and the same derivation."""

    def __init__(self, layout: Layout, position: Sequence[int]) -> None:
        super().__init__(layout, list(position))
        self.known: dict[tuple[str, tuple[int, ...]], Derivation] = {}

    def ask(self, name: str, args: tuple[int, ...]) -> int:
        """The answer, worked out the first time."""
        found = self.known.get((name, args))
        if found is not None:
            self.asked.append(found)
            return found.value
        value = super().ask(name, args)
        self.known[name, args] = self.asked[-1]
        return value

    def question(self, name: str, args: tuple[int, ...] = ()) -> Derivation | None:
        """How a question is answered here; None where it makes no sense."""
        self.asked = []
        try:
            self.ask(name, args)
        except (PlayError, IndexError, KeyError):
            return None
        return self.asked[-1]

    def values(self, exprs: Iterable[Expr], env: Env) -> tuple[Values, Asked]:
        """The values of expressions, None for one that makes no sense here, and what they asked, each question once."""
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
        """A rule that fired with an action: the questions of its conditions, and its changes."""
        return Cause(rule, self.conditions(rule, action), self.changes(rule, action, status))

    def conditions(self, rule: Rule, action: Action) -> Asked:
        """What a rule asks to know whether it applies."""
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
    """What the names in a rule stand for: who acts, and with what."""
    actor, name, args = action
    verb = next((verb for verb in rule.verbs if verb.action == name), None)
    if verb is None:
        return {"me": CHANCE}
    return {"me": actor, **{n: value for n, value in zip(verb.args, args, strict=True) if isinstance(n, str)}}


def backwards(position: Sequence[int], steps: Sequence[Step]) -> Iterator[tuple[Step, list[int], list[int]]]:
    """The steps that led to a position, the last one first, each with the position before and after it."""
    after = list(position)
    for step in reversed(steps):
        before = list(after)
        undo(before, (step,))
        yield step, before, after
        after = before


def made(changes: Iterable[Changed]) -> Iterator[Changed]:
    """The changes, those of named effects in their place."""
    for one in changes:
        if isinstance(one.change, Apply):
            for way in one.ways:
                yield from made(way.changes)
        else:
            yield one


# ---- the answers themselves ------------------------------------------------------------------------


def answered(game: Game, event: Event, step: Step, before: Sequence[int]) -> tuple[Answered, ...]:
    """What gave the changes of a step of an event, in order; ``before`` is the position in which it was worked out.

    Only what the rules ask themselves is reported, not what those answers ask in turn.
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
    """Where an answer, or the way of an effect, comes from; None for one that these rules do not have."""
    question, name = told
    if question in graph.defines:
        return next((a.source for a in graph.defines[question].answers if a.name == name), None)
    if question in graph.effects:
        return next((turn.source for turn in graph.effects[question].turns if turn.name == name), None)
    return None

"""Which answers of the rules stand behind one step: those of the questions that its changes ask, and of its effects.

A rule says that a trick goes to whoever took it; who takes it, and when nobody does, is said by the answers of another
question. For explanations and reports, not for play: it walks over the graph.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from truco_spec.engine.apply import Step
from truco_spec.engine.evaluate import Evaluator
from truco_spec.engine.game import CHANCE, Action, Event, Game
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import Apply, Assign, Change, Expr, Graph, Move, Rule, Source

Answered = tuple[str, str]
"""A question or a named effect, and which of its answers, or of its ways, held."""


def answered(game: Game, event: Event, step: Step, before: Sequence[int]) -> tuple[Answered, ...]:
    """What gave the changes of a step of an event, in order; ``before`` is the position in which it was worked out.

    Only what the rules ask themselves is told, not what those answers ask in turn.
    """
    evaluator = Evaluator(game.layout, list(before))
    found: list[Answered] = []
    for name in step.rules:
        rule = game.graph.rules[name]
        changes = rule.lest if rule.verbs and event.status != "permitted" else rule.do
        with contextlib.suppress(PlayError, IndexError, KeyError):  # what cannot be worked out apart is left out
            found += _of_changes(evaluator, changes, bound(rule, event))
    return tuple(dict.fromkeys(found))


def source_of(graph: Graph, told: Answered) -> Source | None:
    """Where an answer, or the way of an effect, comes from; None for one that these rules do not have."""
    question, name = told
    if question in graph.defines:
        return next((a.source for a in graph.defines[question].answers if a.name == name), None)
    if question in graph.effects:
        return next((turn.source for turn in graph.effects[question].turns if turn.name == name), None)
    return None


def bound(rule: Rule, event: Event) -> dict[str, int]:
    """What the names in a rule stand for: who acted, and with what."""
    return bound_by(rule, event.action)


def bound_by(rule: Rule, action: Action) -> dict[str, int]:
    """The same for an action, whether or not it happens."""
    actor, name, args = action
    verb = next((verb for verb in rule.verbs if verb.action == name), None)
    if verb is None:
        return {"me": CHANCE}
    return {"me": actor, **{n: value for n, value in zip(verb.args, args, strict=True) if isinstance(n, str)}}


def _of_changes(evaluator: Evaluator, changes: Iterable[Change], env: Mapping[str, int]) -> Iterator[Answered]:
    for change in changes:
        if isinstance(change, Assign):
            yield from _of_values(evaluator, (*change.index, change.value), env)
        elif isinstance(change, Move):
            yield from _of_values(evaluator, (change.what, *change.index), env)
        elif isinstance(change, Apply):
            yield from _of_values(evaluator, change.args, env)
            effect = evaluator.graph.effects[change.effect]
            given = zip(effect.params, change.args, strict=True)
            inner = {param.name: evaluator.value(arg, env) for param, arg in given}
            applying = [turn for turn in effect.turns if evaluator.holds(turn.when, inner)]
            beaten = {name for turn in applying for name in turn.beats}
            for turn in applying:
                if turn.name not in beaten:
                    yield effect.name, turn.name
                    yield from _of_changes(evaluator, turn.changes, inner)


def _of_values(evaluator: Evaluator, values: Iterable[Expr], env: Mapping[str, int]) -> Iterator[Answered]:
    for value in values:
        evaluator.asked.clear()
        evaluator.value(value, env)
        yield from [(found.question, found.answer) for found in evaluator.asked]

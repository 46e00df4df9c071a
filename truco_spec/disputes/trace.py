"""What stands behind one move: every rule that fired, every question asked on the way, with the answer that won.

Two traces of one move differ where two agreements part; the innermost differences are the reasons.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from truco_spec.disputes.agreement import Rules
from truco_spec.disputes.course import FORBIDDEN, PERMITTED, Course, before_move
from truco_spec.engine.apply import undo
from truco_spec.engine.asked import bound_by
from truco_spec.engine.asked_once import AskedOnce
from truco_spec.engine.evaluate import Derivation
from truco_spec.engine.game import Action, Game
from truco_spec.engine.observe import PREFIX
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import Apply, Assign, Change, Expr, Graph, Move, Rule, Source
from truco_spec.graph.unsettled import is_open
from truco_spec.graph.walk import exprs_of_changes, exprs_of_define, walk
from truco_spec.logs.model import UMPIRE, LogError

RULE, EFFECT, QUESTION = "rule", "effect", "question"


@dataclass(slots=True)
class Node:
    """A rule that fired, a named effect or a question: what it came to, where that is written, what it asked in turn.

    ``answer`` is the name of the rule, of the way the effect went, or of the answer that won, ``text`` its value in
    words. ``options`` are the open options that it asks itself; ``step`` counts the steps of the move, for rules.
    """

    kind: str
    name: str
    args: tuple[str, ...]
    answer: str
    text: str
    source: Source
    options: tuple[str, ...]
    asked: list[Node] = field(default_factory=list)
    step: int = -1

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """What is asked, whatever the answer."""
        return self.kind, self.name, self.args

    @property
    def outcome(self) -> tuple[str, str]:
        """The answer."""
        return self.answer, self.text


def trace(course: Course, number: int, keys: Iterable[str]) -> list[Node]:
    """What stands behind a move of a course (from 1), and behind what was told of ``keys`` with it."""
    moment = course.moments[number - 1]
    refused = moment.verdict not in (PERMITTED,)
    mode = UMPIRE if moment.verdict == FORBIDDEN else ""
    replay = before_move(course.put, course.rules, number, mode)
    if replay is None:
        return []
    try:
        step = replay.advance()
    except LogError:
        return []
    if step is None:
        return []
    return _Tracer(course.rules, replay.game).event(tuple(keys), refused)


class _Tracer:
    """Reads the last event of a game backwards, and its steps forwards."""

    def __init__(self, rules: Rules, game: Game) -> None:
        self.rules, self.graph, self.game = rules, rules.graph, game
        self.nodes: dict[int, tuple[Derivation, Node]] = {}

    def event(self, keys: tuple[str, ...], refused: bool) -> list[Node]:
        event = self.game.history[-1]
        now, found = self.game.position.copy(), list[Node]()
        positions = [now.copy()]
        for step in reversed(event.steps):
            undo(now, (step,))
            positions.append(now.copy())
        positions.reverse()
        for at, step in enumerate(event.steps):
            evaluator = AskedOnce(self.game.layout, positions[at])
            for name in step.rules:
                node = self.rule(self.graph.rules[name], event.action, event.status, evaluator)
                node.step = at
                found.append(node)
        if not event.steps:
            evaluator = AskedOnce(self.game.layout, positions[0])
            found += [self.rule(self.graph.rules[n], event.action, event.status, evaluator) for n in event.rules]
        for key in keys:
            found += self.told(PREFIX + key, positions)
        return found

    def told(self, name: str, positions: list[list[int]]) -> Iterator[Node]:
        """How a question of the table was answered where it was answered last, as it is observed."""
        define = self.graph.defines.get(name)
        if define is None or define.params:
            return
        for position in reversed(positions[1:] or positions):
            evaluator = AskedOnce(self.game.layout, position)
            with contextlib.suppress(PlayError, IndexError, KeyError):
                if evaluator.ask(name, ()) != self.graph.words["none"]:
                    yield from map(self.node, evaluator.take())
                    return

    def rule(self, rule: Rule, action: Action, status: str, evaluator: AskedOnce) -> Node:
        """A rule that fired, with what its conditions and changes asked."""
        env = bound_by(rule, action)
        changes = rule.lest if rule.verbs and status != PERMITTED else rule.do
        exprs = [e for e in (rule.by, rule.when) if e is not None]
        for expr in exprs:
            with contextlib.suppress(PlayError, IndexError, KeyError):
                evaluator.value(expr, env)
        inner = list(map(self.node, evaluator.take()))
        with contextlib.suppress(PlayError, IndexError, KeyError):
            inner += self.changes(changes, env, evaluator)
        evaluator.take()
        return Node(RULE, rule.name, (), rule.name, "", rule.source, options_in(self.graph, exprs), inner)

    def changes(self, changes: Iterable[Change], env: Mapping[str, int], evaluator: AskedOnce) -> Iterator[Node]:
        for change in changes:
            if isinstance(change, Assign | Move):
                for expr in exprs_of_changes((change,)):
                    evaluator.value(expr, env)
                yield from map(self.node, evaluator.take())
            elif isinstance(change, Apply):
                yield self.effect(change, env, evaluator)

    def effect(self, change: Apply, env: Mapping[str, int], evaluator: AskedOnce) -> Node:
        effect = self.graph.effects[change.effect]
        given = zip(effect.params, change.args, strict=True)
        inner = {param.name: evaluator.value(arg, env) for param, arg in given}
        applying = [turn for turn in effect.turns if evaluator.holds(turn.when, inner)]
        beaten = {name for turn in applying for name in turn.beats}
        turn = next(turn for turn in applying if turn.name not in beaten)
        asked = list(map(self.node, evaluator.take()))
        asked += self.changes(turn.changes, inner, evaluator)
        whens = [other.when for other in effect.turns if other.when is not None]
        return Node(EFFECT, effect.name, (), turn.name, "", turn.source, options_in(self.graph, whens), asked)

    def node(self, found: Derivation) -> Node:
        """A question with its answer, and what it asked in turn; the same for the same derivation."""
        if id(found) in self.nodes:
            return self.nodes[id(found)][1]
        define = self.graph.defines[found.question]
        answer = next(a for a in define.answers if a.name == found.answer)
        args = tuple(self.text(p.type, v) for p, v in zip(define.params, found.args, strict=True))
        asked = list(map(self.node, {id(inner): inner for inner in found.asked}.values()))
        options = options_in(self.graph, exprs_of_define(define))
        text = self.text(define.type, found.value)
        node = Node(QUESTION, found.question, args, found.answer, text, answer.source, options, asked)
        self.nodes[id(found)] = found, node
        return node

    def text(self, kind: object, value: int) -> str:
        from truco_spec.engine.text import value_text
        from truco_spec.graph.types import Type

        assert isinstance(kind, Type)
        return value_text(self.graph, kind, value, self.game.players)


def options_in(graph: Graph, exprs: Iterable[Expr]) -> tuple[str, ...]:
    """The open options that the expressions name themselves, in order."""
    named = [n.value for expr in exprs for n in walk(expr) if n.op == "datum" and is_open(graph, n.value)]
    return tuple(dict.fromkeys(named))

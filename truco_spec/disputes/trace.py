"""What stands behind one move: every rule that fired, every question asked on the way, with the answer that won.

Two traces of one move differ where two agreements part; the innermost differences are the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from truco_spec.disputes.course import FORBIDDEN, Playthrough, before_move
from truco_spec.engine.evaluate import Derivation
from truco_spec.engine.game import Game
from truco_spec.engine.observe import PREFIX
from truco_spec.engine.provenance import Cause, Changed, Provenance, backwards
from truco_spec.engine.text import value_text
from truco_spec.graph.model import Apply, Expr, Graph, Source
from truco_spec.graph.types import Type
from truco_spec.graph.unsettled import is_open
from truco_spec.graph.walk import exprs_of_define, walk
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


def trace(course: Playthrough, number: int, keys: Iterable[str]) -> list[Node]:
    """What stands behind a move of a course (from 1), and behind what was told of ``keys`` with it."""
    moment = course.moments[number - 1]
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
    return _Tracer(course.rules.graph, replay.game).event(keys)


class _Tracer:
    """The provenance of the last event of a game, as nodes."""

    def __init__(self, graph: Graph, game: Game) -> None:
        self.graph, self.game = graph, game
        self.nodes: dict[int, tuple[Derivation, Node]] = {}

    def event(self, keys: Iterable[str]) -> list[Node]:
        event, now = self.game.history[-1], self.game.position
        steps = list(backwards(now, event.steps))
        fired = [(step.rules, before) for step, before, _ in reversed(steps)]
        found = [node for number, (names, before) in enumerate(fired) for node in self.fired(names, before, number)]
        if not steps:
            found += self.fired(event.rules, now, -1)
        afters = [after for _, _, after in steps] or [now]
        return found + [node for key in keys for node in self.told(PREFIX + key, afters)]

    def fired(self, names: Iterable[str], before: Sequence[int], number: int) -> Iterator[Node]:
        """The rules of one step, with what their conditions and changes asked."""
        event, walk = self.game.history[-1], Provenance(self.game.layout, before)
        for rule in (self.graph.rules[name] for name in names):
            cause = walk.rule(rule, event.action, event.status)
            options = options_in(self.graph, (expr for expr in (rule.by, rule.when) if expr is not None))
            asked = [*map(self.node, cause.asked), *self.changes(cause.changes)]
            yield Node(RULE, rule.name, (), rule.name, "", rule.source, options, asked, number)

    def told(self, name: str, positions: Iterable[Sequence[int]]) -> Iterator[Node]:
        """How a question of the table was answered where it was answered last, as it is observed."""
        define = self.graph.defines.get(name)
        if define is None or define.params:
            return
        for position in positions:
            found = Provenance(self.game.layout, position).question(name)
            if found is not None and found.value != self.graph.words["none"]:
                yield self.node(found)
                return

    def changes(self, changes: Iterable[Changed]) -> Iterator[Node]:
        for one in changes:
            if isinstance(one.change, Apply):
                yield from (self.way(one.change, way) for way in one.ways)
            else:
                yield from map(self.node, one.asked)

    def way(self, change: Apply, way: Cause) -> Node:
        turns = self.graph.effects[change.effect].turns
        options = options_in(self.graph, (turn.when for turn in turns if turn.when is not None))
        asked = [*map(self.node, way.asked), *self.changes(way.changes)]
        return Node(EFFECT, change.effect, (), way.statement.name, "", way.statement.source, options, asked)

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

    def text(self, kind: Type, value: int) -> str:
        return value_text(self.graph, kind, value, self.game.players)


def options_in(graph: Graph, exprs: Iterable[Expr]) -> tuple[str, ...]:
    """The open options that the expressions name themselves, in order."""
    named = [n.value for expr in exprs for n in walk(expr) if n.op == "datum" and is_open(graph, n.value)]
    return tuple(dict.fromkeys(named))

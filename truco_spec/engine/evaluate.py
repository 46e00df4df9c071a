"""Evaluates expressions by walking the graph: slow and simple, with the derivation of every answer.

Compiled functions are used for play; this is for explanations, and the oracle that the compiled functions are tested
against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from truco_spec.engine.layout import DEPTH, NONE, Layout
from truco_spec.engine.support import BITS, Action, ConflictError, PlayError, TableAnswers, inside, some
from truco_spec.graph.model import Answer, Bound, Define, Expr, Quant, Turn
from truco_spec.graph.operations import OPERATIONS, operation, value_of
from truco_spec.graph.types import Type
from truco_spec.language.spans import Cite


@dataclass(slots=True)
class Derivation:
    """How a question was answered: the answer, the exceptions it beat, and the questions asked in turn.

    ``of_value`` are those that the value of the answer asks, without those of conditions.
    """

    question: str
    args: tuple[int, ...]
    value: int
    answer: str
    beaten: tuple[str, ...]
    asked: list[Derivation] = field(default_factory=list)
    of_value: list[Derivation] = field(default_factory=list)


class Evaluator:
    """Evaluates over one position. ``asked`` collects the derivations of all top-level questions."""

    def __init__(self, layout: Layout, position: list[int]) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.v = position
        self.asked: list[Derivation] = []

    def value(self, expr: Expr, env: Mapping[str, int]) -> int:
        """The value of an expression; ``env`` binds its variables."""
        return OPS[expr.op](self, expr, env)

    def holds(self, expr: Expr | None, env: Mapping[str, int]) -> bool:
        """Whether a condition holds; an absent one does."""
        return expr is None or bool(self.value(expr, env))

    def bearing(self, cites: Iterable[Cite], said: Action | None = None) -> tuple[Cite, ...]:
        """The citations whose clauses bear on this position, and on what is said there if that is known; one of a datum
        that this game does not have bears, too.
        """
        return tuple(cite for cite in cites if cite.where is None or self._is_place(cite.where, said))

    def _is_place(self, where: tuple[str, ...], said: Action | None) -> bool:
        if where[0] != "on":
            return self._bears(*where)
        if said is None or said.verb not in self.graph.actions:
            return True
        params = self.graph.actions[said.verb].params
        wanted = [(self.graph.value_of(p.type, where[1]), v) for p, v in zip(params, said.args, strict=True)]
        named = [value == v for value, v in wanted if value is not None]
        return any(named) if named else said.verb == where[1]

    def _bears(self, datum: str, sign: str, text: str) -> bool:
        block = self.layout.blocks.get(datum)
        value = None if block is None else self.graph.value_of(block.datum.type, text)
        if block is None or value is None:
            return True
        have = self.v[block.base]
        return have == value if sign == "is" else have < value if sign == "<" else have > value

    def ask(self, name: str, args: tuple[int, ...]) -> int:
        """The answer of a define, recording its derivation."""
        define = self.graph.defines[name]
        outer, self.asked = self.asked, []
        env = dict(zip((p.name for p in define.params), args, strict=True))
        applying = [a for a in define.answers if self.holds(a.when, env)]
        standing = unbeaten(applying)
        values, parts = dict[str, int](), list[list[Derivation]]()
        for answer in standing:
            before = len(self.asked)
            values[answer.name] = self.value(answer.value, env)
            parts.append(self.asked[before:])
        if len(set(values.values())) > 1:
            raise ConflictError(f"{name}: {' and '.join(values)} apply at once and disagree")
        if not values:
            raise PlayError(f"{name} has no answer here")
        winner = standing[0]
        beaten = tuple(a.name for a in applying if a not in standing)
        found = Derivation(name, args, values[winner.name], winner.name, beaten, self.asked, parts[0])
        self.asked = outer
        self.asked.append(found)
        return found.value

    def define(self, name: str) -> Define:
        """The define of this name."""
        return self.graph.defines[name]


Ruled = TypeVar("Ruled", Answer, Turn)


def unbeaten(applying: Sequence[Ruled]) -> list[Ruled]:
    """Those of the answers, or of the branches of an effect, that no other of them beats."""
    if len(applying) < 2:
        return list(applying)
    beaten = {name for one in applying for name in one.beats}
    return [one for one in applying if one.name not in beaten]


# ---- one function for each kind of expression ------------------------------------------------------


def _datum(e: Evaluator, expr: Expr, env: Mapping[str, int]) -> int:
    index = tuple(e.value(kid, env) for kid in expr.kids)
    return e.v[e.layout.blocks[expr.value].slot(index)]


def _ask(e: Evaluator, expr: Expr, env: Mapping[str, int]) -> int:
    return e.ask(expr.value, tuple(e.value(kid, env) for kid in expr.kids))


def _table(e: Evaluator, expr: Expr, env: Mapping[str, int]) -> int:
    given = tuple(e.value(kid, env) for kid in expr.kids)
    answers = e.graph.tables[expr.value].answers
    return answers[given] if given in answers else TableAnswers(expr.value, answers)[given]


def _of_parts(e: Evaluator, expr: Expr, env: Mapping[str, int]) -> int:
    """An operation computed from the values of its parts."""
    return int(value_of(expr, e.graph)(*[e.value(kid, env) for kid in expr.kids]))


def _of_numbers(e: Evaluator, expr: Expr, env: Mapping[str, int]) -> int:
    """The same for operations in which a word is an error."""
    return int(value_of(expr, e.graph)(*[_counted(e, kid, env) for kid in expr.kids]))


def _counted(e: Evaluator, expr: Expr, env: Mapping[str, int]) -> int:
    """The value of an operand; a word raises."""
    value = some(e.value(expr, env))
    return inside(value, 0, len(e.graph.cards) - 1) if expr.type.base == "card" else value


def _domain(e: Evaluator, binder: Bound, env: Mapping[str, int]) -> list[int]:
    kind: Type = binder.type
    values = list(range(kind.low, kind.high + 1))
    if kind.base == "card":
        values = [i for i, card in enumerate(e.graph.cards) if card.present]
    if binder.start is not None:
        start = some(e.value(binder.start, env)) - kind.low
        values = [kind.low + (start + i) % kind.size for i in range(kind.size)]
    if binder.within is not None:
        mask = e.value(binder.within, env)
        values = [value for value in values if mask >> (value - kind.low) & 1]
        if binder.start is None:
            values = [bit + kind.low for bit in BITS[mask]]
    return values


def _quant(e: Evaluator, expr: Expr, env: Mapping[str, int]) -> int:
    quant: Quant = expr.value
    found: list[dict[str, int]] = [dict(env)]
    for binder in quant.binders:
        found = [{**inner, binder.name: value} for inner in found for value in _domain(e, binder, inner)]
    found = [inner for inner in found if e.holds(quant.where, inner)]
    word = quant.word
    if word == "every":
        return int(all(e.holds(quant.body, inner) for inner in found))
    if word in ("highest", "lowest", "sum"):
        assert quant.body is not None
        values = [e.value(quant.body, inner) for inner in found]
        if word == "sum":
            return sum(values)
        return (max if word == "highest" else min)(values, default=0)
    name, low = quant.binders[0].name, quant.binders[0].type.low
    fitting = [inner[name] for inner in found if e.holds(quant.body, inner)]
    if word == "some":
        return int(bool(fitting))
    if word == "count":
        return len(fitting)
    if word == "all":
        return sum(1 << (value - low) for value in fitting)
    if not fitting:
        return NONE
    return fitting[0] if word == "first" else fitting[-1]


_Op = Callable[[Evaluator, Expr, Mapping[str, int]], int]

OPS: dict[str, _Op] = {
    **{name: _of_numbers if row.counts else _of_parts for name, row in OPERATIONS.items() if row.value},
    "built": lambda e, x, env: (_of_numbers if operation(x).counts else _of_parts)(e, x, env),
    "const": lambda e, x, env: int(x.value),
    "var": lambda e, x, env: env[x.value],
    "datum": _datum,
    "ask": _ask,
    "table": _table,
    "if": lambda e, x, env: e.value(x.kids[1] if e.value(x.kids[0], env) else x.kids[2], env),
    "and": lambda e, x, env: int(all(e.value(kid, env) for kid in x.kids)),
    "or": lambda e, x, env: int(any(e.value(kid, env) for kid in x.kids)),
    "during": lambda e, x, env: int(e.layout.number[x.value] in e.v[:DEPTH]),
    "quant": _quant,
}
"""The evaluators of the operations."""

"""Evaluates expressions by closures made from the graph: plain, with the derivation of every answer.

Compiled functions are used for play; this is for explanations, and the oracle that the compiled functions are tested
against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeVar

from truco_spec.base.words import Sentence
from truco_spec.engine.layout import DEPTH, NONE, Layout
from truco_spec.engine.support import BITS, Action, ConflictError, PlayError, TableAnswers, inside, some
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Answer, Bound, Expr, Quant, Turn
from truco_spec.graph.operations import OPERATIONS, operation, value_of
from truco_spec.graph.types import Type
from truco_spec.graph.walk import of_options
from truco_spec.language.diagnostics import Cite

_MOST = 20_000
"""Maximum functions of one layout kept."""


@dataclass(slots=True)
class Derivation:
    """The answer to a question: the answer, the exceptions it beat, and the questions asked in turn.

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
        return function_of(self.layout, expr)(self, env)

    def holds(self, expr: Expr | None, env: Mapping[str, int]) -> bool:
        """Whether a condition holds; an absent one does."""
        return expr is None or bool(self.value(expr, env))

    def bearing(self, cites: Iterable[Cite], said: Action | None = None) -> tuple[Cite, ...]:
        """Return the citations whose clauses bear on this position, and on the action taken there if known; those of
        data that this game does not have bear, too.
        """
        return tuple(cite for cite in cites if cite.where is None or self._is_place(cite.where, said))

    def in_force(self, found: Derivation) -> bool:
        """Whether the statement that gave an answer is in force; it is not where options alone make it answer no."""
        define = self.graph.defines[found.question]
        if found.value or define.type.base != "flag":
            return True
        answer = next(one for one in define.answers if one.name == found.answer)
        if answer.value.op == "const":
            return answer.when is not None or len(define.answers) > 1
        return all(self.value(part, {}) for part in conjuncts(answer.value) if of_options(self.graph, part))

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
        params, answers = _answers_of(self.layout, name)
        outer, self.asked = self.asked, []
        env = dict(zip(params, args, strict=True))
        applying = [answer for answer in answers if answer.when is None or answer.when(self, env)]
        standing = unbeaten(applying)
        values, parts = dict[str, int](), list[list[Derivation]]()
        for answer in standing:
            before = len(self.asked)
            values[answer.name] = answer.value(self, env)
            parts.append(self.asked[before:])
        if len(set(values.values())) > 1:
            raise ConflictError(Sentence("{names} apply at once and disagree", names=f"{name}: {', '.join(values)}"))
        if not values:
            raise PlayError(Sentence("{name} has no answer here", name=name))
        winner = standing[0]
        beaten = tuple([a.name for a in applying if a not in standing]) if applying[1:] else ()
        found = Derivation(name, args, values[winner.name], winner.name, beaten, self.asked, parts[0])
        self.asked = outer
        self.asked.append(found)
        return found.value


class _Answerer(NamedTuple):
    """An answer to a question, with the functions of its condition and its value."""

    name: str
    beats: frozenset[str]
    when: _Value | None
    value: _Value


Ruled = TypeVar("Ruled", _Answerer, Answer, Turn)


def unbeaten(applying: list[Ruled]) -> list[Ruled]:
    """Return those of the answers, or of the branches of an effect, that none of the others beats."""
    if len(applying) < 2:
        return applying
    beaten = {name for one in applying for name in one.beats}
    return [one for one in applying if one.name not in beaten]


# ---- one function for each expression, made of those of its parts ----------------------------------

Env = Mapping[str, int]
_Value = Callable[[Evaluator, Env], int]


def function_of(layout: Layout, expr: Expr) -> _Value:
    """The function that evaluates an expression, memoised with the layout."""
    known = layout.evaluators.get(id(expr))  # an expression is large, and its hash takes long
    if known is None:
        if len(layout.evaluators) >= _MOST:
            layout.evaluators.clear()
        known = layout.evaluators[id(expr)] = expr, OPS[expr.op](layout, expr)
    return known[1]


def _answers_of(layout: Layout, name: str) -> tuple[tuple[str, ...], list[_Answerer]]:
    """The parameters of a question, and its answers; memoised."""
    found = layout.askers.get(name)
    if found is None:
        define, made = layout.graph.defines[name], partial(function_of, layout)
        answers = [
            _Answerer(a.name, a.beats, None if a.when is None else made(a.when), made(a.value)) for a in define.answers
        ]
        found = layout.askers[name] = tuple(param.name for param in define.params), answers
    return found


def _functions(layout: Layout, exprs: Iterable[Expr]) -> list[_Value]:
    return [function_of(layout, expr) for expr in exprs]


def _const(_: Layout, expr: Expr) -> _Value:
    value = int(expr.value)
    return lambda e, env: value


def _var(_: Layout, expr: Expr) -> _Value:
    name = expr.value
    return lambda e, env: env[name]


def _datum(layout: Layout, expr: Expr) -> _Value:
    block, index = layout.blocks[expr.value], _functions(layout, expr.kids)
    if not index:
        slot = block.slot(())
        return lambda e, env: e.v[slot]
    return lambda e, env: e.v[block.slot(tuple([part(e, env) for part in index]))]


def _ask(layout: Layout, expr: Expr) -> _Value:
    name, args = expr.value, _functions(layout, expr.kids)
    return lambda e, env: e.ask(name, tuple([arg(e, env) for arg in args]))


def _table(layout: Layout, expr: Expr) -> _Value:
    name, args, answers = expr.value, _functions(layout, expr.kids), layout.graph.tables[expr.value].answers

    def value(e: Evaluator, env: Env) -> int:
        given = tuple([arg(e, env) for arg in args])
        return answers[given] if given in answers else TableAnswers(name, answers)[given]

    return value


def _of_parts(layout: Layout, expr: Expr) -> _Value:
    """An operation computed from the values of its parts."""
    return _applied(value_of(expr, layout.graph), _functions(layout, expr.kids))


def _of_numbers(layout: Layout, expr: Expr) -> _Value:
    """The same for operations in which a word is an error."""
    return _applied(value_of(expr, layout.graph), [_counted(layout, kid) for kid in expr.kids])


def _applied(make: Callable[..., int], parts: Sequence[_Value]) -> _Value:
    if len(parts) == 2:  # most have two
        one, other = parts
        return lambda e, env: int(make(one(e, env), other(e, env)))
    return lambda e, env: int(make(*[part(e, env) for part in parts]))


def _counted(layout: Layout, expr: Expr) -> _Value:
    """The value of an operand; a word raises."""
    part, last = function_of(layout, expr), len(layout.graph.cards) - 1
    if expr.type.base == "card":
        return lambda e, env: inside(some(part(e, env)), 0, last)
    return lambda e, env: some(part(e, env))


def _if(layout: Layout, expr: Expr) -> _Value:
    test, then, other = _functions(layout, expr.kids)
    return lambda e, env: then(e, env) if test(e, env) else other(e, env)


def _and(layout: Layout, expr: Expr) -> _Value:
    parts = _functions(layout, expr.kids)

    def value(e: Evaluator, env: Env) -> int:
        for part in parts:
            if not part(e, env):
                return 0
        return 1

    return value


def _or(layout: Layout, expr: Expr) -> _Value:
    parts = _functions(layout, expr.kids)

    def value(e: Evaluator, env: Env) -> int:
        for part in parts:
            if part(e, env):
                return 1
        return 0

    return value


def _during(layout: Layout, expr: Expr) -> _Value:
    phase = layout.number[expr.value]
    return lambda e, env: int(phase in e.v[:DEPTH])


def _domain(layout: Layout, binder: Bound) -> Callable[[Evaluator, Env], Sequence[int]]:
    """Return the values of a binder, in order."""
    kind: Type = binder.type
    low, size = kind.low, kind.size
    every = list(range(low, kind.high + 1))
    if kind.base == "card":
        every = [i for i, card in enumerate(layout.graph.cards) if card.present]
    within = None if binder.within is None else function_of(layout, binder.within)
    if binder.start is not None:
        first = function_of(layout, binder.start)

        def around(e: Evaluator, env: Env) -> list[int]:
            start = some(first(e, env)) - low
            mask = -1 if within is None else within(e, env)
            return [low + at % size for at in range(start, start + size) if mask >> at % size & 1]

        return around
    if within is None:
        return lambda e, env: every
    return lambda e, env: [bit + low for bit in BITS[within(e, env)]]


def _quant(layout: Layout, expr: Expr) -> _Value:
    quant: Quant = expr.value
    binders = [(binder.name, _domain(layout, binder)) for binder in quant.binders]
    where = None if quant.where is None else function_of(layout, quant.where)
    body = None if quant.body is None else function_of(layout, quant.body)
    word, first, low = quant.word, quant.binders[0].name, quant.binders[0].type.low

    def value(e: Evaluator, env: Env) -> int:
        found: list[Env] = [env]
        for name, domain in binders:
            found = [{**inner, name: value} for inner in found for value in domain(e, inner)]
        if where is not None:
            found = [inner for inner in found if where(e, inner)]
        if word in ("highest", "lowest", "sum"):
            assert body is not None
            values = [body(e, inner) for inner in found]
            return sum(values) if word == "sum" else (max if word == "highest" else min)(values, default=0)
        if word == "every":
            return int(body is None or all(body(e, inner) for inner in found))
        fitting = [inner[first] for inner in found if body is None or body(e, inner)]
        if word == "some":
            return int(bool(fitting))
        if word == "count":
            return len(fitting)
        if word == "all":
            return sum(1 << (value - low) for value in fitting)
        if not fitting:
            return NONE
        return fitting[0] if word == "first" else fitting[-1]

    return value


OPS: dict[str, Callable[[Layout, Expr], _Value]] = {
    **{name: _of_numbers if row.counts else _of_parts for name, row in OPERATIONS.items() if row.value},
    "built": lambda layout, x: (_of_numbers if operation(x).counts else _of_parts)(layout, x),
    "const": _const,
    "var": _var,
    "datum": _datum,
    "ask": _ask,
    "table": _table,
    "if": _if,
    "and": _and,
    "or": _or,
    "during": _during,
    "quant": _quant,
}
"""The makers of the functions, by operation."""

"""Which questions are worth remembering: those whose answer hangs on few values, and takes work.

Where a question hangs on two cards it has some 1700 answers at most. Each is worked out once. Where it hangs on a set,
such as the cards of a player, it is asked of the same set again and again while a hand is played: the latest answers
are kept, and all forgotten when they have become too many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from truco_spec.graph.model import Define, Expr, Graph
from truco_spec.graph.types import Type
from truco_spec.graph.walk import exprs_of_define, parts

MOST = 5000
"""No question has more answers remembered."""
WORK = 6
"""A question of so few parts is asked again sooner than remembered."""
WORK_OF_SETS = 10
"""The same for one that hangs on a set, whose answers are forgotten now and then."""


class Key(NamedTuple):
    """What decides the answer to a question: its parameters and data. ``endless``: they have more than ``MOST`` values
    together.
    """

    exprs: tuple[Expr, ...]
    endless: bool


_Env = Mapping[str, Expr | None]
"""Variables: what they stand for, or None for one whose value what was found already decides."""


class _TooMuch(Exception):
    """The answer hangs on more than a few values."""


def remembered_by(graph: Graph, define: Define) -> Key | None:
    """What decides the answer, or None where it is not worth remembering."""
    found: dict[Expr, None] = {}
    env = {p.name: Expr("var", p.type, (), p.name) for p in define.params}
    try:
        work = sum(_decided(graph, expr, env, found) for expr in exprs_of_define(define))
    except _TooMuch:
        return None
    many = math.prod(_values(expr.type) for expr in found if not expr.type.many)
    sets = sum(expr.type.many for expr in found)
    if not found or sets > 1 or many > MOST or work <= (WORK_OF_SETS if sets else WORK):
        return None
    return Key(tuple(found), sets > 0)


def _values(kind: Type) -> int:
    return max(1, kind.size) + len(kind.words)


def _decided(graph: Graph, expr: Expr, env: _Env, found: dict[Expr, None]) -> int:
    """Add what decides the value of the expression; how much work it is."""
    if expr.op == "during":
        raise _TooMuch
    if expr.op == "var":
        given = env.get(expr.value)
        if given is not None and given.op == "var":
            found[given] = None
        return 1
    if expr.op == "datum":
        return _datum(graph, expr, env, found)
    if expr.op == "ask":
        return _ask(graph, expr, env, found)
    inner = dict(env)
    if expr.op == "quant":
        inner |= {binder.name: None for binder in expr.value.binders}
    return 1 + sum(_decided(graph, part, inner, found) for part in parts(expr))


def _datum(graph: Graph, expr: Expr, env: _Env, found: dict[Expr, None]) -> int:
    index = []
    for kid in expr.kids:
        given = env.get(kid.value) if kid.op == "var" else kid
        if given is None or given.op not in ("const", "var"):
            raise _TooMuch
        index.append(given)
    found[Expr("datum", graph.data[expr.value].type, tuple(index), expr.value)] = None
    return 1


def _ask(graph: Graph, expr: Expr, env: _Env, found: dict[Expr, None]) -> int:
    define = graph.defines[expr.value]
    work = 1
    inner: dict[str, Expr | None] = {}
    for param, kid in zip(define.params, expr.kids, strict=True):
        given = env.get(kid.value) if kid.op == "var" else kid
        if given is not None and given.op in ("const", "var"):
            inner[param.name] = given
        else:
            inner[param.name] = None
            work += _decided(graph, kid, env, found)
    return work + sum(_decided(graph, value, inner, found) for value in exprs_of_define(define))

"""Static analysis of the rules: which can apply at all, and which concern which verb in which phase; and of the
questions: whose answers are worth memoising.

It runs once, when a graph is compiled; the results are written into its module as plain numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import NamedTuple

from truco_spec.engine.compiled.python import cannot_fail
from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import REFEREE_NAME, Define, Expr, Graph, Rule
from truco_spec.graph.operations import value_of
from truco_spec.graph.types import FIRST_WORD, Type
from truco_spec.graph.walk import exprs_of_define, parts, walk

FEW = 4
"""Up to this many all-or-nothing consequences, every combination gets a precomputed permit."""


class VerbFacts(NamedTuple):
    """The rules of one verb in one phase, by number.

    ``may`` can permit it and ``bars`` can forbid it; ``live`` are those bars that can forbid what ``may`` permits.
    ``sure`` are the consequences that always follow; ``alike`` those that follow from all its actions or none, decided
    by the position alone; ``maybe`` the others. ``alone``: only one of ``may`` ever applies to an action.
    """

    may: tuple[int, ...]
    bars: tuple[int, ...]
    live: tuple[int, ...]
    sure: tuple[int, ...]
    alike: tuple[int, ...]
    maybe: tuple[int, ...]
    alone: bool


class Facts:
    """The facts of a graph. ``verbs`` has for each phase the facts of each verb, by the verb's number.

    Those of ``before`` are kept where no rule is ``touched``, by name; ``anew`` are the phases where one is.
    """

    def __init__(self, graph: Graph, before: Facts | None = None, touched: Set[str] = frozenset()) -> None:
        self.graph = graph
        self.rules = {number: rule for number, rule in enumerate(graph.rules.values()) if not _never(rule)}
        old = {} if before is None else before.now
        kept = {n for n in old if before is not None and before.rules[n].name not in touched}
        self.now: dict[int, list[Expr]] = {
            number: old[number] if number in kept else self._now(rule) for number, rule in self.rules.items()
        }
        self.once = tuple([number for number, rule in self.rules.items() if rule.shape == "once"])
        self.autos = [tuple([n for n, r in self.here(phase).items() if r.shape == "auto"]) for phase in graph.phases]
        self.anew = tuple([n for n, phase in enumerate(graph.phases) if self._differs(phase, before, touched)])
        self.verbs: list[dict[int, VerbFacts]] = [
            self._verbs(phase) if before is None or number in self.anew else before.verbs[number]
            for number, phase in enumerate(graph.phases)
        ]

    def _differs(self, phase: str, before: Facts | None, touched: Set[str]) -> bool:
        if before is None:
            return True
        here = [*self.here(phase).values(), *before.here(phase).values()]
        return any(rule.name in touched for rule in here)

    def here(self, phase: str) -> dict[int, Rule]:
        """The rules of a phase."""
        return {number: rule for number, rule in self.rules.items() if not rule.phases or phase in rule.phases}

    def _verbs(self, phase: str) -> dict[int, VerbFacts]:
        here, found = self.here(phase), {}
        for at, name in enumerate(self.graph.actions):
            speaking = {n: rule for n, rule in here.items() if any(verb.action == name for verb in rule.verbs)}
            if speaking:
                found[at] = self._of_verb(speaking)
        return found

    def is_listed(self, facts: VerbFacts) -> bool:
        """Whether actions of the verb are listed among the permitted ones: not where they are the referee's."""
        return any(self.rules[number].outsider != REFEREE_NAME for number in facts.may)

    def _of_verb(self, rules: dict[int, Rule]) -> VerbFacts:
        may = [n for n, rule in rules.items() if rule.shape == "may"]
        bars = [n for n, rule in rules.items() if rule.shape in ("must", "must not")]
        follows = [n for n, rule in rules.items() if rule.shape == "on"]
        live = [bar for bar in bars if not all(self._spares(rules[bar], rules[n]) for n in may)]
        alone = all(apart(rules[n], rules[m]) for n in may for m in may if n < m)
        sure = [n for n in follows if self._alike(n) and not self.now[n]]
        alike = [n for n in follows if self._alike(n) and n not in sure][:FEW]
        maybe = [n for n in follows if n not in sure and n not in alike]
        return VerbFacts(tuple(may), tuple(bars), tuple(live), tuple(sure), tuple(alike), tuple(maybe), alone)

    def _spares(self, bar: Rule, rule: Rule) -> bool:
        """Whether a bar never forbids what the rule permits; a must forbids actions it does not cover."""
        return bar.shape == "must not" and apart(rule, bar)

    def _alike(self, number: int) -> bool:
        """Whether the rule applies to all actions of its verbs, or to none."""
        rule = self.rules[number]
        binds = all(isinstance(arg, str) for verb in rule.verbs for arg in verb.args)
        return binds and rule.by is None and not rule.outsider and len(self.now[number]) == len(conjuncts(rule.when))

    def _now(self, rule: Rule) -> list[Expr]:
        """The conditions that are the same for every action, and that can be evaluated without one."""
        tests = conjuncts(rule.when)
        if not rule.verbs:
            return tests
        names = {"me", *(param.name for param in rule.binds)}
        free = [test for test in tests if not any(node.op == "var" and node.value in names for node in walk(test))]
        return [test for test in free if cannot_fail(self.graph, test)]


def _never(rule: Rule) -> bool:
    """Whether the rule can never apply to anything."""
    return fold.is_no(rule.when) or fold.is_no(rule.by)


# --------------------------------------------------------------------------------------------------
# Rules that never apply to the same action: their conditions contradict each other, or they concern different seats.

WIDEST = 64
"""Types with more values are not enumerated."""

Claim = tuple[Expr, frozenset[int]]
"""A question and its required values."""


def apart(a: Rule, b: Rule) -> bool:
    """Whether the two never apply to the same action in the same position."""
    if any(_leaves_out(x, y) for x, y in ((a, b), (b, a))):
        return True
    mine, others = _demands(a.when), _demands(b.when)
    return any(_ruled_out(y, mine) for y in others) or any(_ruled_out(x, others) for x in mine)


def _leaves_out(rule: Rule, other: Rule) -> bool:
    """Whether the one applies only to a seat that the other excludes."""
    by = rule.by
    if by is None or by.op != "set" or len(by.kids) != 1:
        return False
    return any(
        test.op == "not" and test.kids[0].op == "is" and _is_me(test.kids[0].kids, by.kids[0])
        for test in conjuncts(other.when)
    )


def _is_me(sides: tuple[Expr, ...], seat: Expr) -> bool:
    return any(a.op == "var" and a.value == "me" and b == seat for a, b in (sides, sides[::-1]))


def _demands(when: Expr | None) -> list[Expr]:
    """The conjuncts that are about the position alone, whatever the action is."""
    found = []
    for test in conjuncts(when):
        inner = test.kids[0] if test.op == "not" else test
        found += [fold.negate(kid) for kid in inner.kids] if test.op == "not" and inner.op == "or" else [test]
    return [test for test in found if not any(node.op == "var" for node in walk(test))]


def _ruled_out(test: Expr, by: list[Expr]) -> bool:
    """Whether the condition cannot hold where all of these do."""
    if test.op == "or":
        return all(_ruled_out(kid, by) for kid in test.kids)
    return any(_contradict(test, other) for other in by)


def _contradict(a: Expr, b: Expr) -> bool:
    mine, others = _claim(a), _claim(b)
    return mine is not None and others is not None and mine[0] == others[0] and not mine[1] & others[1]


def _claim(test: Expr) -> Claim | None:
    """What a condition requires of one question, if it has that form."""
    if test.op == "not":
        inner = _claim(test.kids[0])
        return None if inner is None else (inner[0], _values(inner[0]) - inner[1])
    if test.op in ("is", "lt", "le"):
        a, b = test.kids
        asked = b if a.op == "const" else a if b.op == "const" else None
        values = _values(asked) if asked is not None else frozenset()
        if asked is None or not values:
            return None
        holds = value_of(test)
        if asked is b:
            return asked, frozenset(value for value in values if holds(a.value, value))
        return asked, frozenset(value for value in values if holds(value, b.value))
    if test.type.base == "flag" and not test.type.words and test.op in ("datum", "ask"):
        return test, frozenset({1})
    return None


def _values(expr: Expr) -> frozenset[int]:
    """Every possible number of the question, and some for its words; none if unknown."""
    kind = expr.type
    if kind.many or kind.size > WIDEST or not (kind.base or kind.words):
        return frozenset()
    words = range(FIRST_WORD - 200, FIRST_WORD + 1) if kind.words else ()
    return frozenset((*range(kind.low, kind.high + 1), *words))


# --------------------------------------------------------------------------------------------------
# Which questions to memoise: those that depend on few values, and are expensive.

MOST_REMEMBERED = 5000
"""Maximum memoised answers of a question."""
_WORK = 6
"""A question with at most this many parts is not memoised."""
_WORK_OF_SETS = 10
"""The same for one that depends on a set, whose cache is cleared now and then."""


class Key(NamedTuple):
    """The parameters and data that determine an answer; ``endless`` if they have more values than are remembered."""

    exprs: tuple[Expr, ...]
    endless: bool


_Env = Mapping[str, Expr | None]
"""Bindings of variables, or None for one determined by the key so far."""


class _TooMuch(Exception):
    """The answer depends on too many values."""


def remembered_by(graph: Graph, define: Define) -> Key | None:
    """The memoisation key of a question, or None if it is not worth it."""
    found: dict[Expr, None] = {}
    env = {p.name: Expr("var", p.type, (), p.name) for p in define.params}
    try:
        work = sum(_decided(graph, expr, env, found) for expr in exprs_of_define(define))
    except _TooMuch:
        return None
    many = math.prod(_values_of(expr.type) for expr in found if not expr.type.many)
    sets = sum(expr.type.many for expr in found)
    if not found or sets > 1 or many > MOST_REMEMBERED or work <= (_WORK_OF_SETS if sets else _WORK):
        return None
    return Key(tuple(found), sets > 0)


def _values_of(kind: Type) -> int:
    return max(1, kind.size) + len(kind.words)


def _decided(graph: Graph, expr: Expr, env: _Env, found: dict[Expr, None]) -> int:
    """Add the determinants of the expression; return its cost."""
    if expr.op == "during":
        raise _TooMuch
    if expr.op == "var":
        given = env.get(expr.value)
        if given is not None and given.op == "var":
            found[given] = None
        return 1
    if expr.op == "datum":
        return _decided_datum(graph, expr, env, found)
    if expr.op == "ask":
        return _decided_answer(graph, expr, env, found)
    inner = dict(env)
    if expr.op == "quant":
        inner |= {binder.name: None for binder in expr.value.binders}
    return 1 + sum(_decided(graph, part, inner, found) for part in parts(expr))


def _decided_datum(graph: Graph, expr: Expr, env: _Env, found: dict[Expr, None]) -> int:
    index = []
    for kid in expr.kids:
        given = env.get(kid.value) if kid.op == "var" else kid
        if given is None or given.op not in ("const", "var"):
            raise _TooMuch
        index.append(given)
    found[Expr("datum", graph.data[expr.value].type, tuple(index), expr.value)] = None
    return 1


def _decided_answer(graph: Graph, expr: Expr, env: _Env, found: dict[Expr, None]) -> int:
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

"""Static analysis of the rules: which can apply at all, and which concern which verb in which phase.

It runs once, when a graph is compiled; the results are written into its module as plain numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from truco_spec.engine.compile.python import cannot_fail
from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Expr, Graph, Rule
from truco_spec.graph.operations import value_of
from truco_spec.graph.types import FIRST_WORD
from truco_spec.graph.walk import walk

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
    """The facts of a graph. ``verbs`` has for each phase the facts of each verb, by the verb's number."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.rules = {number: rule for number, rule in enumerate(graph.rules.values()) if not _never(rule)}
        self.now = {number: self._now(rule) for number, rule in self.rules.items()}
        self.once = tuple([number for number, rule in self.rules.items() if rule.shape == "once"])
        self.autos = [tuple([n for n, r in self.here(phase).items() if r.shape == "auto"]) for phase in graph.phases]
        self.verbs = [self._verbs(phase) for phase in graph.phases]

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
        return binds and rule.by is None and not rule.chance and len(self.now[number]) == len(conjuncts(rule.when))

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
    return fold.is_no(rule.when) or (rule.by is not None and rule.by.op == "const" and rule.by.value == 0)


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

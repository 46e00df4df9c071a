"""Rules that never speak of the same action: their conditions contradict each other, or they speak of different seats.

``n is 0`` and ``n > 0`` contradict; so do ``a or b`` and ``not (a or b)``. What is not seen here is only weighed at
play; nothing is ever taken to contradict that could hold together.
"""

from __future__ import annotations

from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Expr, Rule
from truco_spec.graph.types import FIRST_WORD
from truco_spec.graph.walk import walk

WIDEST = 64
"""Types of more values are not looked through."""

Claim = tuple[Expr, frozenset[int]]
"""A question and the values that it must have."""


def apart(a: Rule, b: Rule) -> bool:
    """Do the two never speak of the same action in the same position?"""
    if any(_leaves_out(x, y) for x, y in ((a, b), (b, a))):
        return True
    mine, others = _demands(a.when), _demands(b.when)
    return any(_ruled_out(y, mine) for y in others) or any(_ruled_out(x, others) for x in mine)


def _leaves_out(rule: Rule, other: Rule) -> bool:
    """Does the one speak only of a seat that the other leaves out?"""
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
    """The conditions that have to hold together and that are about the position alone, whatever the action is."""
    found = []
    for test in conjuncts(when):
        inner = test.kids[0] if test.op == "not" else test
        found += [fold.negate(kid) for kid in inner.kids] if test.op == "not" and inner.op == "or" else [test]
    return [test for test in found if not any(node.op == "var" for node in walk(test))]


def _ruled_out(test: Expr, by: list[Expr]) -> bool:
    """Can the condition not hold where all of these do?"""
    if test.op == "or":
        return all(_ruled_out(kid, by) for kid in test.kids)
    return any(_contradict(test, other) for other in by)


def _contradict(a: Expr, b: Expr) -> bool:
    mine, others = _claim(a), _claim(b)
    return mine is not None and others is not None and mine[0] == others[0] and not mine[1] & others[1]


def _claim(test: Expr) -> Claim | None:
    """What a condition demands of one question, if it is of that form."""
    if test.op == "not":
        inner = _claim(test.kids[0])
        return None if inner is None else (inner[0], _values(inner[0]) - inner[1])
    if test.op in ("is", "lt", "le"):
        a, b = test.kids
        asked = b if a.op == "const" else a if b.op == "const" else None
        values = _values(asked) if asked is not None else frozenset()
        if asked is None or not values:
            return None
        holds = {"is": int.__eq__, "lt": int.__lt__, "le": int.__le__}[test.op]
        if asked is b:
            return asked, frozenset(value for value in values if holds(a.value, value))
        return asked, frozenset(value for value in values if holds(value, b.value))
    if test.type.base == "flag" and not test.type.words and test.op in ("datum", "ask"):
        return test, frozenset({1})
    return None


def _values(expr: Expr) -> frozenset[int]:
    """Every number that the question could be, and some for its words; none where that is not known."""
    kind = expr.type
    if kind.many or kind.size > WIDEST or not (kind.base or kind.words):
        return frozenset()
    words = range(FIRST_WORD - 200, FIRST_WORD + 1) if kind.words else ()
    return frozenset((*range(kind.low, kind.high + 1), *words))

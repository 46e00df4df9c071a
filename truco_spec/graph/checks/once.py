"""Meanings that are worked out no oftener than need be."""

from __future__ import annotations

from truco_spec.graph.checks import domains
from truco_spec.graph.checks.domains import Value
from truco_spec.graph.checks.positions import Env, Meaning, Partial
from truco_spec.graph.model import Expr
from truco_spec.graph.walk import walk


def trimmed(meaning: Meaning) -> Meaning:
    """The same, but what a known result looked at is not noted: to split on it would tell nothing."""

    def value(partial: Partial, env: Env) -> Value:
        touched = partial.touched
        before = len(touched)
        found = meaning(partial, env)
        if len(touched) > before and domains.known(found):
            del touched[before:]
        return found

    return value


_PLAIN = {"const", "var", "is", "in", "lt", "not", "and", "or", "if", "typed", "add", "sub", "mul"}
_PLAIN |= {"set", "union", "minus", "built", "table", "outside", "hole", "apart"}
"""What hangs on nothing but its parts."""


def plain_names(expr: Expr) -> tuple[str, ...]:
    """The one or two names of an expression that hangs on nothing else; none for any other."""
    if any(node.op not in _PLAIN for node in walk(expr)):
        return ()
    names = tuple(dict.fromkeys(node.value for node in walk(expr) if node.op == "var"))
    return names if len(names) < 3 else ()


def remembered(meaning: Meaning, names: tuple[str, ...]) -> Meaning:
    """The same, worked out once for each pair of known values."""
    first, last = names[0], names[-1]
    answers: dict[tuple[Value, Value], Value] = {}

    def value(partial: Partial, env: Env) -> Value:
        a, b = env.get(first), env.get(last)
        if a is None or b is None or type(a) is tuple or type(b) is tuple or len(a) != 1 or len(b) != 1:
            return meaning(partial, env)
        found = answers.get((a, b))
        if found is None:
            found = answers[a, b] = meaning(partial, env)
        return found

    return value

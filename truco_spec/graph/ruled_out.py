"""Option values that a ``refuse`` always rejects, such as in a base for four players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

from truco_spec.graph.model import Option
from truco_spec.language import tree as t


def without_ruled_out(options: Mapping[str, Option], refusals: Iterable[t.Expr]) -> dict[str, Option]:
    """Return the options with only their playable values; the others are their ``ruled_out``.

    Only a refusal about a single option rules values out. With several options another one could be changed; ``check``
    proves that each value is playable in some combination.
    """
    found = dict(options)
    for when in refusals:
        named = [name for name in names_in(when) if name in options]
        if len(named) == 1:
            option = found[named[0]]
            out = tuple(value for value in option.values if holds(when, {option.name: value}))
            left = tuple(value for value in option.values if value not in out)
            found[option.name] = replace(option, values=left, ruled_out=(*option.ruled_out, *out))
    return found


def names_in(node: object) -> set[str]:
    """Every name in a part of the tree; dotted ones also by the part before the dot."""
    found: set[str] = set()
    for word in _words(node):
        found.add(word)
        if "." in word:
            found.add(word.partition(".")[0])
    return found


def _words(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield str(node)
    elif isinstance(node, tuple | list):
        for item in node:
            yield from _words(item)
    elif is_dataclass(node) and not isinstance(node, t.Span | type):
        for f in fields(node):
            if f.name not in ("prose", "cites", "because", "rather", "span", "name_span"):
                yield from _words(getattr(node, f.name))


def values_of(statement: t.Statement) -> list[str]:
    """The values of an option, as written."""
    return [
        choice.value.text if isinstance(choice.value, t.Name) else str(choice.value.value)
        for choice in statement.choices
    ]


def holds(expr: t.Expr, chosen: Mapping[str, str]) -> bool:
    """Whether a condition on options holds. Names that are no chosen option stand for themselves."""
    if isinstance(expr, t.Logic):
        both = (holds(expr.left, chosen), holds(expr.right, chosen))
        return all(both) if expr.word == "and" else any(both)
    if isinstance(expr, t.Not):
        return not holds(expr.item, chosen)
    if isinstance(expr, t.Compare):
        left = _value(expr.left, chosen)
        if expr.relation in ("in", "not in"):
            items = expr.right.items if isinstance(expr.right, t.SetOf) else (expr.right,)
            return (left in [_value(item, chosen) for item in items]) == (expr.relation == "in")
        right = _value(expr.right, chosen)
        if expr.relation in ("is", "is not"):
            return (left == right) == (expr.relation == "is")
        if not (left.isdigit() and right.isdigit()):
            return False
        a, b = int(left), int(right)
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[expr.relation]
    return _value(expr, chosen) == "yes"


def _value(expr: t.Expr, chosen: Mapping[str, str]) -> str:
    if isinstance(expr, t.Name):
        return chosen.get(expr.text, expr.text)
    return str(expr.value) if isinstance(expr, t.Number) else ""

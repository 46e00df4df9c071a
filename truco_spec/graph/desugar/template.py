"""Templates: the core statements of a construct, written in the rules language with holes for names and expressions.

A hole ``N__`` for a name is filled in the text before parsing; a hole for an expression (a name that begins with
``hole-``) is filled in the tree afterwards, so that the parts of the construct keep their own positions. All else gets
the construct's position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from truco_spec.graph.linking.names import Wrong
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic
from truco_spec.language.parse import parse
from truco_spec.language.shape import spelt


def fill(
    text: str, construct: t.Statement, names: Mapping[str, str], holes: Mapping[str, t.Expr]
) -> tuple[t.Statement, ...]:
    """The statements of a template; those that need citations get the construct's."""
    for hole, name in names.items():
        text = text.replace(hole, name)
    filled = [_fill(statement, construct, dict(holes)) for statement in _statements(text)]
    return tuple(
        replace(statement, cites=construct.cites) if _cites_construct(statement) else statement for statement in filled
    )


@lru_cache(maxsize=256)
def _statements(text: str) -> tuple[t.Statement, ...]:
    return parse(f'variant template {{ title "" {text} }}').variants[0].items


def _cites_construct(statement: t.Statement) -> bool:
    return any(cite.clause == "construct" for cite in statement.cites)


def _fill(node: Any, construct: t.Statement, holes: dict[str, t.Expr]) -> Any:
    if isinstance(node, t.Span):
        return construct.name_span
    if isinstance(node, t.Name) and node.text in holes:
        return holes[node.text]
    if isinstance(node, tuple):
        return tuple(_fill(item, construct, holes) for item in node)
    if is_dataclass(node) and not isinstance(node, type):
        changed = {f.name: _fill(getattr(node, f.name), construct, holes) for f in fields(node)}
        return replace(node, **changed)
    return node


def nobody_named(clause: t.Clause, construct: t.Statement) -> Wrong:
    """The error for a clause of a construct without a ``by``."""
    message = f"`{spelt(clause.kind, construct.kind)}` says what may be done, but not by whom"
    return Wrong(Diagnostic("error", "shape", message, clause.span, "write `by` and who behind it"))


CITE = "@by:construct"
"""A placeholder citation in templates, replaced by the construct's own."""

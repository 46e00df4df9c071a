"""The statements of a linked variant with every construct desugared, independent of options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from truco_spec.base.memo import by_identity
from truco_spec.graph.desugar import LOWERINGS
from truco_spec.graph.link import Chain, Linked
from truco_spec.graph.linking import limits
from truco_spec.graph.linking.names import Wrong
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError, nearest

CORE = frozenset(
    [
        "option",
        "order",
        "datum",
        "phase",
        "action",
        "define",
        "table",
        "effect",
        "rule",
        "decision",
        "refuse",
        "seats",
        "deck",
    ]
)
"""Kinds of core statements. Any other kind left after desugaring is an error."""
MOST_KEPT = 32
"""Maximum variants whose statements are memoised."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """``items`` are core statements only; ``constructs`` maps each construct to its rules."""

    items: Mapping[str, Linked]
    constructs: Mapping[str, tuple[str, ...]]
    wrong: tuple[Diagnostic, ...]


@by_identity(MOST_KEPT)
def lower(chain: Chain) -> Lowered:
    """Desugar the constructs of a linked variant, once for all options. Raises SpecError for one that is too large."""
    statements = {name: item.statement for name, item in chain.items.items()}
    items: dict[str, Linked] = {}
    constructs: dict[str, tuple[str, ...]] = {}
    wrong: list[Diagnostic] = []
    for name, item in chain.items.items():
        lowering = LOWERINGS.get(item.statement.kind)
        if lowering is None and item.statement.kind not in CORE:
            message = f"a {item.statement.kind} reads, but cannot be linked yet"
            wrong.append(Diagnostic("error", "not-yet", message, item.statement.name_span))
        limits.check_statement(item.statement)
        if lowering:
            limits.check_construct(item.statement)
        try:
            parts = lowering(item.statement, statements) if lowering else (item.statement,)
        except Wrong as error:
            wrong.append(error.diagnostic)
            continue
        for part in parts:
            key = part.name if lowering else name
            if key in items:
                wrong.append(_twice(part, items[key].statement))
            items[key] = Linked(part, item.lineage, name if lowering else item.construct)
            if len(items) > limits.STATEMENTS:
                raise SpecError([limits.too_large("with this all statements", limits.STATEMENTS, part.name_span)])
            if lowering and part.kind == "rule":
                constructs[name] = (*constructs.get(name, ()), part.name)
    wrong += _with_authorities(items, chain)
    return Lowered(items, constructs, tuple(wrong))


def _twice(part: t.Statement, other: t.Statement) -> Diagnostic:
    note = ("declared here too", other.name_span)
    return Diagnostic("error", "declared-twice", f"{part.name} is declared already", part.name_span, "", (note,))


def _with_authorities(items: dict[str, Linked], chain: Chain) -> list[Diagnostic]:
    """Citations of a part of a construct replace those of the whole construct."""
    wrong: list[Diagnostic] = []
    for name, (statement, variant) in chain.parts.items():
        old = items.get(name)
        if old is None:
            near = nearest(name, items)
            hint = f"did you mean {near}?" if near else ""
            message = f"there is no {name} to add to"
            wrong.append(Diagnostic("error", "nothing-to-add-to", message, statement.name_span, hint))
        else:
            items[name] = Linked(replace(old.statement, cites=statement.cites), (*old.lineage, variant), old.construct)
    return wrong

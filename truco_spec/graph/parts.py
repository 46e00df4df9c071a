"""The named parts of a graph that no rule is needed for: data, phases and actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from truco_spec.graph import fold, types
from truco_spec.graph.model import ActionKind, Datum, Expr, Param, Phase
from truco_spec.graph.names import source_of
from truco_spec.graph.scope import Scope, Wrong
from truco_spec.graph.types import Type
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, nearest

if TYPE_CHECKING:
    from truco_spec.graph.build import Builder

_HOLE = re.compile(r"\{([^{}]*)\}")


class PartBuilder:
    """Elaborates data, phases and actions; mistakes go to the builder's list."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def data(self) -> dict[str, Datum]:
        """Every datum with its type, life and first value; the pack is one of them."""
        builder, symbols = self.builder, self.builder.symbols
        found: dict[str, Datum] = {}
        for name, item in builder.kind("datum").items():
            if name not in builder.data_types:
                continue
            params, kind = builder.data_types[name]
            fresh = item.statement.clause("fresh")
            if fresh is not None and fresh.word not in symbols.phases:
                self._no_phase(fresh.word, fresh.span)
            try:
                first = self._first(item.statement.value, params, kind)
            except Wrong as wrong:
                builder.wrong.append(wrong.diagnostic)
                first = None
            found[name] = Datum(name, params, kind, first, fresh.word if fresh else "", source_of(item))
        if symbols.pack and symbols.pack in builder.items and symbols.cards:
            params, kind = builder.data_types[symbols.pack]
            full = sum(1 << i for i, card in enumerate(symbols.cards) if card.present)
            first = fold.const(types.bare(kind), full)
            found[symbols.pack] = Datum(symbols.pack, params, kind, first, "", source_of(builder.items[symbols.pack]))
        return found

    def _first(self, value: t.Expr | None, params: tuple[Param, ...], kind: Type) -> Expr | None:
        if value is None:
            return self._natural_first(kind)
        if kind.place:
            message = f"a {kind.place} begins empty; cards are moved there"
            raise Wrong(Diagnostic("error", "place", message, value.span))
        return self.builder.elaborator.wanted(value, kind, Scope({p.name: p.type for p in params}))

    def _no_phase(self, name: str, span: t.Span) -> None:
        near = nearest(name, self.builder.symbols.phases)
        hint = f"did you mean {near}?" if near else ""
        self.builder.wrong.append(Diagnostic("error", "unknown-name", f"there is no phase {name}", span, hint))

    def _natural_first(self, kind: Type) -> Expr | None:
        if kind.many:
            return fold.const(types.bare(kind), 0)
        if kind.place == "slot" or "none" in kind.words:
            return fold.const(types.of_words("none"), self.builder.symbols.words["none"])
        if kind.base in ("flag", "number"):
            return fold.const(types.bare(kind), kind.low)
        return None

    def phases(self) -> dict[str, Phase]:
        """Every phase, with those that it lies within or interrupts."""
        found = {}
        for name, item in self.builder.kind("phase").items():
            statement = item.statement
            for other in (*statement.names, *([statement.within] if statement.within else [])):
                if other not in self.builder.symbols.phases:
                    self._no_phase(other, t.place_of(other, statement.name_span))
            found[name] = Phase(name, statement.within, statement.names, source_of(item))
        return found

    def actions(self) -> dict[str, ActionKind]:
        """Every action, with what makes it possible and how it is written."""
        found = {}
        for name, item in self.builder.kind("action").items():
            statement = item.statement
            try:
                params = self.builder.params_of(statement.params)
                scope = Scope({"me": self.builder.elaborator.seat, **{p.name: p.type for p in params}})
                possible, seen = statement.clause("possible"), statement.clause("seen")
                written = statement.clause("written")
                for at, template in enumerate(written.strings if written else ()):
                    self._check_written(statement, template, params if at else ())
                found[name] = ActionKind(
                    name,
                    params,
                    self.builder.elaborator.flag(possible.expr, scope) if possible and possible.expr else None,
                    self.builder.elaborator.seats(seen.expr, scope) if seen and seen.expr else None,
                    written.strings if written else (" ".join([name, *("{" + p.name + "}" for p in params)]),),
                    statement.clause("tacit") is not None,
                    source_of(item),
                )
            except Wrong as wrong:
                self.builder.wrong.append(wrong.diagnostic)
        return found

    def _check_written(self, action: t.Statement, template: str, others: Sequence[Param]) -> None:
        """A notation holds every parameter once, and nothing else in braces: else it could not be read back.

        The canonical one does. Any other may leave out a member of an order (one of ``others``): that is told by what
        is permitted.
        """
        holes = _HOLE.findall(template)
        wanted = [param.name for param in action.params]
        spared = {param.name for param in others if param.type.base == "order" and not param.type.many}
        left_out = set(wanted) - set(holes)
        if sorted(holes) != sorted(set(wanted) - (left_out & spared)):
            names = ", ".join("{" + name + "}" for name in wanted) or "nothing in braces"
            message = f'"{template}" is no notation of {action.name}: it has to hold {names}'
            self.builder.wrong.append(Diagnostic("error", "written", message, action.name_span))

"""Builds a graph that leaves options open: each is a datum (:mod:`truco_spec.graph.load`)."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass

from truco_spec.base.memo import by_identity
from truco_spec.base.words import Sentence
from truco_spec.graph import fold, types
from truco_spec.graph.link import Chain, Linked, blocks_of, link
from truco_spec.graph.linking.build import Builder
from truco_spec.graph.linking.names import Scope, Wrong, source_of
from truco_spec.graph.load import REFUSED, SETTLED
from truco_spec.graph.model import Answer, Datum, Define, Expr, Graph
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError


def settled_first(items: Iterable[Linked], options: Iterable[str]) -> frozenset[str]:
    """The options that bound a range, make the pack or seat the players."""
    return frozenset().union(*(_bounding(item.statement) for item in items)) & frozenset(options)


@by_identity(8192)
def _bounding(statement: t.Statement) -> frozenset[str]:
    """The names in the ranges of a statement; all names in one that makes the pack."""
    named = {statement.name} if statement.kind == "seats" else set[str]()
    _names(statement, named, wanted=statement.kind == "deck")
    return frozenset(named)


@by_identity(32)
def _settled_of(chain: Chain) -> frozenset[str]:
    options = [name for name, item in chain.items.items() if item.statement.kind == "option"]
    return settled_first(chain.items.values(), options)


def _names(node: object, found: set[str], *, wanted: bool) -> None:
    """The names in a part of the tree: all of them, or only those within ranges."""
    if isinstance(node, t.Name):
        if wanted:
            found.add(node.text)
    elif isinstance(node, tuple):
        for part in node:
            _names(part, found, wanted=wanted)
    elif is_dataclass(node) and not isinstance(node, t.Span):
        within = wanted or isinstance(node, t.RangeType)
        for field in fields(node):
            _names(getattr(node, field.name), found, wanted=within)


class OpenBuilder(Builder):
    """Builds a graph that leaves options open."""

    def __init__(self, chain: Chain, asked: Mapping[str, object]) -> None:
        self.settled = _settled_of(chain)
        self.refused: dict[str, Define] = {}
        self.refusing = False
        super().__init__(chain, asked)

    def option(self, name: str, span: t.Span) -> Expr | None:
        """Add an open option as a datum without index; likewise a settled one, if options are refused."""
        if name not in self.symbols.options or (name in self.settled and not self.refusing):
            return super().option(name, span)
        called = SETTLED + name if name in self.settled else name
        return Expr("datum", self.symbols.option_type(name), (), called, span)

    def graph(self) -> Graph:
        """The graph, its open options before all other data."""
        graph = super().graph()
        graph.data = {**self._switches(), **graph.data}
        graph.defines = {**graph.defines, **self.refused}
        return graph

    def measured(self, graph: Graph) -> list[Diagnostic]:
        """No errors: with all options settled the graph is smaller, and was measured before."""
        return []

    def _switches(self) -> dict[str, Datum]:
        found = {}
        for name, option in self.symbols.options.items():
            value = self.option_value(name)
            assert value is not None
            called = SETTLED + name if name in self.settled else name
            kind = self.symbols.option_type(name)
            found[called] = Datum(called, (), kind, fold.const(*value), "", option.source)
        return found

    def _refusals(self) -> None:
        """Turn refusals into questions; one that the settled options meet already is an error as usual."""
        super()._refusals()
        self.refusing = True
        for name, item in self.kind("refuse").items():
            when = item.statement.clause("when")
            if when is None or when.expr is None:
                continue
            try:
                found = self.elaborator.flag(when.expr, Scope())
            except Wrong as wrong:
                self.wrong.append(wrong.diagnostic)
                continue
            answer = Answer(REFUSED + name, None, found, frozenset(), source_of(item))
            self.refused[REFUSED + name] = Define(REFUSED + name, (), types.FLAG, (answer,))
        self.refusing = False

    def _holds(self, expr: t.Expr) -> bool:
        """Whether a condition holds under the present values of options, including open ones."""
        before, self.settled = self.settled, frozenset(self.symbols.options)
        try:
            return super()._holds(expr)
        finally:
            self.settled = before


class _Leaving(pickle.Pickler):
    """A pickler that leaves out positions in the text."""

    def persistent_id(self, thing: object) -> object:
        return True if type(thing) is t.Span else None


class _Nowhere(pickle.Unpickler):
    """An unpickler that reads omitted positions as nowhere."""

    def persistent_load(self, _: object) -> t.Span:
        return t.NOWHERE


def without_places(graph: Graph) -> Graph:
    """The graph without positions in its texts, which halves its size and the time to read it."""
    file = io.BytesIO()
    _Leaving(file, protocol=pickle.HIGHEST_PROTOCOL).dump(graph)
    file.seek(0)
    found: Graph = _Nowhere(file).load()
    return found


def open_graph(name: str, settled: dict[str, str], files: Iterable[t.File] = ()) -> Graph:
    """Build the graph of a variant, shipped or in one of the files. Raises SpecError with every error found."""
    try:
        return without_places(OpenBuilder(link(blocks_of(name, files)), settled).graph())
    except RecursionError:
        raise SpecError(
            [Diagnostic("error", "too-large", Sentence("too large: expressions in each other"), t.NOWHERE)]
        ) from None

"""A graph whose options are still open: each is a datum, and a game says with which values it begins.

Linking under one agreement leaves only what that agreement says: quick to play, but every other agreement has to be
linked anew. Here the switches stay in the rules, so that one graph plays under any of them, and a game can be watched
for those that it asks. Some options cannot stay open: those that bound a range, make the pack or seat the players are
settled when the graph is made (:func:`settled_first`).

Pairs before and after, with ``option tie-lead : leader* | last``: ``when tie-lead is last`` -> the same, where ``tie-lead``
is a datum that begins as ``leader``; a refusal ``when deck is clean and manilhas is vira`` -> a question of that answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache, partial

from truco_spec.graph import cache, fold, types
from truco_spec.graph.build import Builder
from truco_spec.graph.link import Chain, Linked, blocks_of, link
from truco_spec.graph.model import Answer, Datum, Define, Expr, Graph
from truco_spec.graph.names import source_of
from truco_spec.graph.scope import Scope, Wrong
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError

OPEN = ("open", "options")
"""What stands beside the options in the name of a kept graph."""
REFUSED = "refused."
"""Before the name of a refusal: the question whether it applies."""


def settled_first(items: Iterable[Linked], options: Iterable[str]) -> frozenset[str]:
    """The options that bound a range, make the pack or seat the players."""
    named: set[str] = set()
    for item in items:
        statement = item.statement
        if statement.kind == "seats":
            named.add(statement.name)
        _names(statement, named, wanted=statement.kind == "deck")
    return frozenset(named & set(options))


def _names(node: object, found: set[str], *, wanted: bool) -> None:
    """The names in a part of the tree: all of them, or only those within ranges."""
    if isinstance(node, t.Name):
        if wanted:
            found.add(node.text)
    elif isinstance(node, tuple):
        for part in node:
            _names(part, found, wanted=wanted)
    elif is_dataclass(node):
        within = wanted or isinstance(node, t.RangeType)
        for field in fields(node):
            _names(getattr(node, field.name), found, wanted=within)


class OpenBuilder(Builder):
    """Builds a graph that leaves options open."""

    def __init__(self, chain: Chain, asked: Mapping[str, object]) -> None:
        options = [name for name, item in chain.items.items() if item.statement.kind == "option"]
        self.settled = settled_first(chain.items.values(), options)
        self.refused: dict[str, Define] = {}
        super().__init__(chain, asked)

    def option(self, name: str, span: t.Span) -> Expr | None:
        """An open option is a datum without index."""
        if name in self.settled or name not in self.symbols.options:
            return super().option(name, span)
        return Expr("datum", self.symbols.option_type(name), (), name, span)

    def graph(self) -> Graph:
        """The graph, its open options before all other data."""
        graph = super().graph()
        graph.data = {**self._switches(), **graph.data}
        graph.defines = {**graph.defines, **self.refused}
        return graph

    def _switches(self) -> dict[str, Datum]:
        found = {}
        for name, option in self.symbols.options.items():
            if name in self.settled:
                continue
            value = self.option_value(name)
            assert value is not None
            first = fold.const(*value)
            found[name] = Datum(name, (), self.symbols.option_type(name), first, "", option.source)
        return found

    def _refusals(self) -> None:
        """What is refused under some agreements only becomes a question; what always is, a mistake as ever."""
        for name, item in self.kind("refuse").items():
            when = item.statement.clause("when")
            if when is None or when.expr is None:
                continue
            try:
                found = self.elaborator.flag(when.expr, Scope())
            except Wrong as wrong:
                self.wrong.append(wrong.diagnostic)
                continue
            if found.op != "const":
                answer = Answer(REFUSED + name, None, found, frozenset(), source_of(item))
                self.refused[REFUSED + name] = Define(REFUSED + name, (), types.FLAG, (answer,))
            elif found.value:
                message = item.statement.prose or f"these options are refused by {name}"
                self.wrong.append(Diagnostic("error", "refused-options", message, t.NOWHERE))


@lru_cache(maxsize=64)
def _load(name: str, settled: tuple[tuple[str, str], ...]) -> Graph:
    kept = cache.name_of(name, (*settled, OPEN))
    found = cache.fetch(kept)
    if found is None:
        found = _built(name, dict(settled))
        cache.keep(kept, found)
    found.module = cache.fetch_code(kept)
    found.keep = partial(cache.keep_code, kept)
    return found


def _built(name: str, settled: dict[str, str]) -> Graph:
    try:
        return OpenBuilder(link(blocks_of(name)), settled).graph()
    except RecursionError:
        raise SpecError([Diagnostic("error", "too-large", "too large: expressions in each other", t.NOWHERE)]) from None


def load_unsettled(name: str, settled: Mapping[str, str] | None = None) -> Graph:
    """The graph of a shipped variant with its options open, kept like others; ``settled`` are those that are not.

    Raises :class:`truco_spec.language.diagnostics.SpecError` for an unknown variant, option or value.
    """
    return _load(name, tuple(sorted((settled or {}).items())))


def is_open(graph: Graph, option: str) -> bool:
    """Does the graph leave this option open?"""
    return option in graph.options and option in graph.data

"""A graph whose options are still open: each is a datum, and a game says with which values it begins.

Linking under one agreement leaves only what that agreement says: quick to play, but every other agreement has to be
linked anew. Here the switches stay in the rules, so that one graph plays under any of them, and a game can be watched
for those that it asks. Some options cannot stay open: those that bound a range, make the pack or seat the players are
settled when the graph is made.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache, partial

from truco_spec.base.shipped import is_file
from truco_spec.graph import cache, fold, types
from truco_spec.graph.link import Chain, Linked, blocks_of, link
from truco_spec.graph.linking.build import Builder
from truco_spec.graph.linking.names import Scope, Wrong, source_of
from truco_spec.graph.load import load_file
from truco_spec.graph.model import Answer, Datum, Define, Expr, Graph
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError
from truco_spec.language.read import read_file

OPEN = ("open", "options")
"""What stands beside the options in the name of a kept graph."""
REFUSED = "refused."
"""Before the name of a refusal: the question whether it applies."""
SETTLED = "settled."
"""Before the name of an option that is not open: the datum that only refusals read."""


@lru_cache(maxsize=64)
def _load(name: str, settled: tuple[tuple[str, str], ...]) -> Graph:
    if is_file(name):
        return unsettled_file(name, dict(settled))
    place = cache.name_of(name, (*settled, OPEN))
    found = cache.fetch(place, partial(_load, name))
    if found is None:
        # Building is imported when something is built: a kept graph needs none of it.

        found = unsettled(name, dict(settled))
        cache.keep(place, found, () if settled else None, _load(name, ()) if settled else None)
    found.module = cache.fetch_code(place)
    found.keep = partial(cache.keep_code, place)
    return found


def load_unsettled(name: str, settled: Mapping[str, str] | None = None) -> Graph:
    """The graph of a shipped variant with its options open, kept like others; ``settled`` are those that are not.

    A name that ends in ``.truco`` or holds a ``/`` is a file, whose last variant is meant; its graph is not kept.
    Raises :class:`truco_spec.language.diagnostics.SpecError` for an unknown variant, option or value.
    """
    return _load(name, tuple(sorted((settled or {}).items())))


def is_open(graph: Graph, option: str) -> bool:
    """Does the graph leave this option open?"""
    return option in graph.options and option in graph.data


# ---- Building a graph that leaves options open --------------------------------------------------


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
        self.refusing = False
        super().__init__(chain, asked)

    def option(self, name: str, span: t.Span) -> Expr | None:
        """An open option is a datum without index; so is, where options are refused, one that is settled."""
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
        """Nothing: a graph with all options settled is shorter, and was measured before."""
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
        """What is refused becomes a question; what these settled options meet already, a mistake as ever."""
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
        """By the values that the options have now, also of those that are open."""
        before, self.settled = self.settled, frozenset(self.symbols.options)
        try:
            return super()._holds(expr)
        finally:
            self.settled = before


class _Leaving(pickle.Pickler):
    """Leaves places out."""

    def persistent_id(self, thing: object) -> object:
        return True if type(thing) is t.Span else None


class _Nowhere(pickle.Unpickler):
    """Reads what was left out as nowhere."""

    def persistent_load(self, _: object) -> t.Span:
        return t.NOWHERE


def without_places(graph: Graph) -> Graph:
    """The graph without the places in its texts, which nobody asks of it: so it is kept and read in half the time."""
    file = io.BytesIO()
    _Leaving(file, protocol=pickle.HIGHEST_PROTOCOL).dump(graph)
    file.seek(0)
    found: Graph = _Nowhere(file).load()
    return found


def unsettled(name: str, settled: dict[str, str], files: Iterable[t.File] = ()) -> Graph:
    """Build the graph of a variant, shipped or in one of the files. Raises SpecError with every mistake found."""
    try:
        return without_places(OpenBuilder(link(blocks_of(name, files)), settled).graph())
    except RecursionError:
        raise SpecError([Diagnostic("error", "too-large", "too large: expressions in each other", t.NOWHERE)]) from None


def unsettled_file(path: str, settled: dict[str, str]) -> Graph:
    """Build the graph of the last variant in a file. Raises SpecError, also where it is too large to be played."""
    file = read_file(path)
    load_file(path, "", **settled)
    return unsettled(file.variants[-1].name, settled, [file])

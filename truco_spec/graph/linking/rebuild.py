"""Rebuilds the graph of a variant after a change of a few statements, and keeps all that they do not touch.

A search over single changes of the rules builds thousands of graphs that differ from one in a few parts. Elaborated
again is what was changed, and what mentions a question or datum whose type is another now. All other parts are those of
the graph before, so that its compiled functions can be kept too (:mod:`truco_spec.engine.compiled.patch`).
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import replace

from truco_spec.base.words import Sentence
from truco_spec.graph import fold, types
from truco_spec.graph.groups import Groups
from truco_spec.graph.link import Chain, Linked, blocks_of, link
from truco_spec.graph.linking.build import Builder, lower, refusing_depth
from truco_spec.graph.linking.elaborate import Elaborator
from truco_spec.graph.linking.names import Wrong, choose_options, names_in, refusals_in, source_of
from truco_spec.graph.load import REFUSED, SETTLED
from truco_spec.graph.model import (
    MOST_GRAPHS,
    ActionKind,
    Answer,
    Datum,
    Define,
    Expr,
    Graph,
    Phase,
    Source,
    by_identity,
)
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError

_MOST_STATEMENTS = 8192
_PARTS = ("define", "effect", "rule")
"""Kinds that give no name a type, apart from questions."""

_Options = tuple[tuple[str, str], ...]


def rebuild(
    changed: Chain, before: Chain, graph: Graph, options: Mapping[str, str], of: Mapping[str, str] | None = None
) -> Graph:
    """Build the graph of a changed variant. ``graph`` is that of the variant ``before``, under the same options or,
    where they are given, those in ``of``.

    Raises SpecError as :func:`~truco_spec.graph.linking.build.build` does, but for sizes: these were measured before.
    """
    asked, plain = (tuple(sorted(each.items())) for each in (options, options if of is None else of))
    return refusing_depth(changed, lambda: _Rebuilder(changed, asked, _named(before, plain), graph).graph())


@by_identity(MOST_GRAPHS)
def _named(chain: Chain, asked: _Options) -> Builder:
    """The names of a variant with their types, and no expression elaborated."""
    return Builder(chain, dict(asked))


@by_identity(_MOST_STATEMENTS)
def mentioned(statement: t.Statement) -> frozenset[str]:
    """The names in a statement, memoised."""
    return frozenset(names_in(statement))


class _Rebuilder(Builder):
    """``plain`` has the names before the change, ``before`` is the graph that was made of them."""

    def __init__(self, chain: Chain, asked: _Options, plain: Builder, before: Graph) -> None:
        lowered = lower(chain)
        chosen = choose_options(chain.items, chain.sets, dict(asked))
        moved = {name for name, option in chosen.items() if option.value != plain.symbols.options[name].value}
        only_parts = not lowered.wrong and chain.sets == plain.chain.sets and _only_parts(lowered.items, plain.items)
        only_parts = only_parts and not moved
        if only_parts:
            self._take_over(chain, plain)
        else:
            super().__init__(chain, dict(asked))
        self.plain, self.before = plain, before
        self.alike = replace(self.symbols, options=plain.symbols.options) == plain.symbols
        same = {name for name, item in self.items.items() if self.alike and _is_same(item, plain.items.get(name))}
        moved |= _differing(self.data_types, plain.data_types) | _differing(self.tables, plain.tables)
        moved |= (self.kind("action").keys() | self.kind("effect").keys()) - same
        self._keep_defines(same, moved)
        self.keeps_parts = only_parts and not moved
        self.kept_rules = {
            name: before.rules.get(name)
            for name, item in self.kind("rule").items()
            if name in same and not mentioned(item.statement) & moved
        }

    def _take_over(self, chain: Chain, plain: Builder) -> None:
        """Begin with the names of the variant before, where these cannot have changed."""
        lowered = lower(chain)
        self.__dict__.update(plain.__dict__)
        self.chain, self.items, self.constructs, self.wrong = chain, lowered.items, lowered.constructs, []
        self.vanished = []
        self.of_kind = {
            kind: {name: self.items[name] for name in self.items if self.items[name].statement.kind == kind}
            if kind in _PARTS
            else items
            for kind, items in plain.of_kind.items()
        }
        self.elaborator, self.groups = Elaborator(self), Groups(self)

    def graph(self) -> Graph:
        """The graph; ``like`` is the one before, where their positions have the same slots."""
        graph = super().graph()
        graph.like = self.before if self.alike else None
        return graph

    def parts(self) -> tuple[dict[str, Datum], dict[str, ActionKind], dict[str, Phase]]:
        """Data, actions and phases: those from before, if no question has another type."""
        before = self.before
        return (before.data, before.actions, before.phases) if self.keeps_parts else super().parts()

    def cites(self) -> tuple[tuple[str, str, Source], ...]:
        """Those from before, where only options are other ones."""
        return self.before.cites if self.chain is self.plain.chain else super().cites()

    def measured(self, graph: Graph) -> list[Diagnostic]:
        """No errors: the graph before was measured."""
        return []

    def _keep_defines(self, same: set[str], moved: set[str]) -> None:
        """Elaborate what may have changed; ``moved``, the names with another type, grows by what has one then."""
        statements = {root: _statements_of(self, root) for root in self.groups.members}
        kept = {
            root
            for root, of in statements.items()
            if root in self.before.defines
            and {name for name, _ in of} <= same
            and of == _statements_of(self.plain, root)
        }
        gone, wrong = dict(self.before.vanished), self.wrong
        while True:
            kept -= {root for root in kept if any(mentioned(of) & moved for _, of in statements[root])}
            self.groups, self.wrong = Groups(self), list(wrong)
            self.vanished = [(name, gone[name]) for root in kept for name, _ in statements[root] if name in gone]
            self.groups.done |= {root: self.before.defines[root] for root in kept}
            more = _differing(
                {name: (define.params, define.type) for name, define in self.groups.defines().items()},
                {name: (define.params, define.type) for name, define in self.before.defines.items()},
            )
            if more <= moved:
                return
            moved |= more


def _statements_of(builder: Builder, root: str) -> list[tuple[str, t.Statement]]:
    """The statements that a question is made of, by name: its answers, and the datum if it is about a view."""
    groups = builder.groups
    answers = [item.statement for item, _ in groups.members.get(root, [])]
    datum = builder.items.get(groups.seen_of.get(root, ""))
    return [(of.name, of) for of in (*answers, *([datum.statement] if datum else []))]


def _only_parts(items: Mapping[str, Linked], before: Mapping[str, Linked]) -> bool:
    """Whether all that differs is of these kinds, and names the same types: they declare words."""
    for name in items.keys() | before.keys():
        item, old = items.get(name), before.get(name)
        if _is_same(item, old):
            continue
        of = [each.statement for each in (item, old) if each is not None]
        shapes = [(each.kind, each.type, each.params) for each in of]
        if len(of) < 2:
            shapes.append((of[0].kind, None, ()))
        if of[0].kind not in _PARTS or shapes[0] != shapes[1]:
            return False
    return True


def _is_same(item: Linked | None, other: Linked | None) -> bool:
    return item is other or item == other


def _differing(ours: Mapping[str, object], theirs: Mapping[str, object]) -> set[str]:
    return {name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)}


# ---- A graph that leaves options open ---------------------------------------------------------------


@by_identity(32)
def settled_first(chain: Chain) -> frozenset[str]:
    """The options that bound a range, make the pack or seat the players."""
    statements = [item.statement for item in chain.items.values()]
    options = {statement.name for statement in statements if statement.kind == "option"}
    return frozenset().union(*map(_bounding, statements)) & options


@by_identity(8192)
def _bounding(statement: t.Statement) -> frozenset[str]:
    """The names in the ranges of a statement; all names in one that makes the pack."""
    within = (t.Statement,) if statement.kind == "deck" else (t.RangeType,)
    parts = tuple(node for node in t.nodes(statement) if isinstance(node, within))
    named = frozenset(node.text for node in t.nodes(parts) if isinstance(node, t.Name))
    return named | {statement.name} if statement.kind == "seats" else named


class OpenBuilder(Builder):
    """Builds a graph that leaves options open."""

    def __init__(self, chain: Chain, asked: Mapping[str, object]) -> None:
        self.settled = settled_first(chain)
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
        for name, when in refusals_in(self.items).items():
            try:
                found = self.elaborator.flag(when, {})
            except Wrong as wrong:
                self.wrong.append(wrong.diagnostic)
                continue
            answer = Answer(REFUSED + name, None, found, frozenset(), source_of(self.items[name]))
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

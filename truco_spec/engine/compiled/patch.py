"""Compiles a graph that is a small change of another: only the affected functions are written again.

They run after the other graph's module, in a namespace of their own, and take the places of its functions. Touched is
what was changed, and all that depends on it, at any depth: what is inlined, memoised or tested first can follow from
any answer within reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace

from truco_spec.engine.compiled.write import Writer
from truco_spec.engine.facts import Facts
from truco_spec.engine.layout import Layout
from truco_spec.graph import fold, types
from truco_spec.graph.fold import Specialiser, specialise
from truco_spec.graph.model import MOST_GRAPHS, ActionKind, Apply, Define, Effect, Expr, Graph, Rule, by_identity
from truco_spec.graph.walk import exprs_of_define, exprs_of_effect, exprs_of_rule, walk

_Part = Define | Effect | ActionKind | Rule

_SAME = ("seats", "teams", "words", "orders", "cards", "data", "phases", "tables")
"""The parts that positions and constants depend on."""
_NAMED = ("defines", "effects", "actions")
"""The parts whose functions are numbered."""
_MOST_PARTS = 16384


@dataclass(frozen=True, slots=True)
class Patch:
    """``source`` follows the module of the graph before; ``rules`` are all rules by number, including removed ones."""

    source: str
    rules: tuple[str, ...]


def patch_of(graph: Graph) -> Patch | None:
    """Return the code that a graph adds to the module of a similar one; None if they differ too much."""
    before = graph.like
    if before is None or before.like is not None or not _is_alike(graph, before):
        return None
    rules = (*before.rules, *(name for name in graph.rules if name not in before.rules))
    touched, writer = _touched(graph, before), _writer_of(before)
    rewriter = _Rewriter(Layout(_specialised(graph, writer.graph, rules, touched)), writer, touched)
    return Patch(rewriter.source(openings=bool(touched & asked_first(graph))), rules)


@by_identity(MOST_GRAPHS)
def _writer_of(graph: Graph) -> Writer:
    return Writer(Layout(specialise(graph)))


def _is_alike(graph: Graph, before: Graph) -> bool:
    return all(getattr(graph, name) == getattr(before, name) for name in _SAME) and all(
        [*getattr(graph, name)] == [*getattr(before, name)] for name in _NAMED
    )


# ---- what is touched -----------------------------------------------------------------------------


def _touched(graph: Graph, before: Graph) -> frozenset[str]:
    """Return the names of the changed statements, and of those that depend on them."""
    parts, old = _parts(graph), _parts(before)
    changed = {name for name in parts.keys() | old.keys() if not _is_same(parts.get(name), old.get(name))}
    return dependent_on(graph, changed)


def dependent_on(graph: Graph, names: Set[str]) -> frozenset[str]:
    """Return these defines, effects, actions and rules, and those that depend on them."""
    found = set(names)
    parts = _parts(graph)
    while more := {name for name, part in parts.items() if name not in found and _needs(part) & found}:
        found |= more
    return frozenset(found)


def _parts(graph: Graph) -> Mapping[str, _Part]:
    return {**graph.defines, **graph.effects, **graph.actions, **graph.rules}


def _is_same(part: _Part | None, other: _Part | None) -> bool:
    return part is other or part == other


@by_identity(_MOST_PARTS)
def _needs(part: _Part) -> frozenset[str]:
    """Return the questions and effects used by a part, and its actions."""
    if isinstance(part, Define):
        return _asked(exprs_of_define(part))
    if isinstance(part, ActionKind):
        return _asked(iter([part.possible] if part.possible is not None else []))
    if isinstance(part, Effect):
        changes = [change for turn in part.turns for change in turn.changes]
        return _asked(exprs_of_effect(part)) | {each.effect for each in changes if isinstance(each, Apply)}
    applied = {change.effect for change in (*part.do, *part.lest) if isinstance(change, Apply)}
    return _asked(exprs_of_rule(part)) | applied | {verb.action for verb in part.verbs}


def asked_first(graph: Graph) -> frozenset[str]:
    """Return the questions asked by the initial values of data."""
    return _asked(iter([datum.first for datum in graph.data.values() if datum.first is not None]))


def _asked(exprs: Iterator[Expr]) -> frozenset[str]:
    return frozenset(node.value for expr in exprs for node in walk(expr) if node.op == "ask")


# ---- written anew --------------------------------------------------------------------------------


def _specialised(graph: Graph, before: Graph, rules: tuple[str, ...], touched: frozenset[str]) -> Graph:
    """Return the specialised graph, with the untouched parts of ``before``, and its rules in this order."""
    anew = Specialiser(graph)
    anew.defines |= {name: define for name, define in before.defines.items() if name not in touched}

    def rule(name: str) -> Rule:
        if name not in touched:
            return before.rules[name]
        if name in graph.rules:
            return anew.rule(graph.rules[name])
        return replace(before.rules[name], when=fold.const(types.FLAG, 0))

    return replace(
        graph,
        defines={name: anew.define(name) for name in graph.defines},
        data={name: anew.datum(datum) for name, datum in graph.data.items()},
        actions={n: anew.action(kind) if n in touched else before.actions[n] for n, kind in graph.actions.items()},
        effects={n: anew.effect(effect) if n in touched else before.effects[n] for n, effect in graph.effects.items()},
        rules={name: rule(name) for name in rules},
    )


class _Rewriter(Writer):
    """Writes the affected functions; ``before`` wrote the whole module."""

    def __init__(self, layout: Layout, before: Writer, touched: frozenset[str]) -> None:
        self.before, self.touched = before, touched
        super().__init__(layout)

    def facts_of(self, graph: Graph) -> Facts:
        """Return the facts; those from before if nothing is affected."""
        return Facts(graph, self.before.facts, self.touched)

    def source(self, *, openings: bool = True) -> str:
        """Return the functions that are written again; with ``openings``, those of initial values, too."""
        graph, touched = self.graph, self.touched
        for name in touched & graph.defines.keys():
            self._define(graph.defines[name])
        for name in touched & graph.effects.keys():
            self._effect(graph.effects[name])
        for number, (name, action) in enumerate(graph.actions.items()):
            if name in touched:
                self._possible(number, action)
        for number, name in enumerate(graph.rules):
            if name in touched:
                self.constants.append(f"w{number} = do{number} = x{number} = lest{number} = None")
                if number in self.facts.rules:
                    self._rule(number, graph.rules[name])
        if openings:
            self._openings()
        self._phases(self.facts.anew)
        return self.text()

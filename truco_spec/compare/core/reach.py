"""Which statements can matter in a game: those of reachable phases, and the questions they ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from truco_spec.base.memo import MOST_GRAPHS, by_identity
from truco_spec.compare.core.derivation import reads_of, written_by
from truco_spec.compare.core.statements import Key
from truco_spec.engine.layout import NONE
from truco_spec.graph import fold
from truco_spec.graph.groups import SEEN
from truco_spec.graph.model import UNASKED, Apply, Assign, Change, Define, Expr, Graph, Move, Rule, Way
from truco_spec.graph.specialise import specialise
from truco_spec.graph.walk import (
    exprs_of_changes,
    exprs_of_define,
    exprs_of_effect,
    exprs_of_rule,
    flat_changes,
    map_expr,
    walk_on,
    ways,
)

BEATS = {"auto": "auto", "must not": "may"}
"""Shapes of rules that, where they always apply, always beat those they are exceptions to."""


@by_identity(MOST_GRAPHS)
def reached(graph: Graph) -> frozenset[str]:
    """The names of the rules, answers and effects that can matter under the present options; memoised.

    A datum that no such rule changes is constant; conditions on other values fail, which removes further rules.
    Repeated to a fixpoint.
    """
    bare = specialise(graph)
    while True:
        able = {rule.name for rule in bare.rules.values() if not fold.is_no(rule.when)}
        rules = _rules(bare, able - _always_beaten(bare, able))
        settled = specialise(_unchanging(bare, rules))
        if all(settled.rules[rule.name].when == bare.rules[rule.name].when for rule in rules):
            return _names(graph, settled, rules)
        bare = settled


def changed(graph: Graph) -> frozenset[str]:
    """The data changed by some rule that can matter, excluding unused features."""
    bare = specialise(graph)
    rules = _rules(bare, {rule.name for rule in bare.rules.values() if not fold.is_no(rule.when)})
    return frozenset(_changed(bare, rules))


def _changed(graph: Graph, rules: list[Rule]) -> set[str]:
    return {name for rule in rules for change in flat_changes(graph, (*rule.do, *rule.lest)) for name in _to(change)}


def _names(graph: Graph, bare: Graph, rules: list[Rule]) -> frozenset[str]:
    names = {rule.name for rule in rules}
    asked = [expr for rule in rules for expr in exprs_of_rule(graph.rules[rule.name])]
    effects: set[str] = set()
    _effects(graph, [change for rule in rules for change in (*rule.do, *rule.lest)], effects, asked)
    living = _living(graph, bare)
    by_themselves = {name for name in graph.defines if name.startswith(UNASKED) or name.endswith(SEEN)}
    asked += [expr for name in by_themselves for expr in exprs_of_define(living.defines[name])]
    asked += [datum.first for datum in graph.data.values() if datum.first is not None]
    asked += [kind.possible for kind in graph.actions.values() if kind.possible is not None]
    for name in by_themselves | {node.value for node in walk_on(living, asked) if node.op == "ask"}:
        if name in bare.defines:
            names |= _answers(bare.defines[name])
    for name in effects:
        names |= {turn.name for turn in bare.effects[name].turns}
    return frozenset(names)


def _always_beaten(graph: Graph, able: set[str]) -> set[str]:
    """The rules that are always beaten: an exception applies wherever they do."""
    own = [graph.rules[name] for name in able]
    return {
        beaten.name
        for rule in own
        if rule.beats and rule.shape in BEATS
        for beaten in own
        if beaten.name in rule.beats and beaten.shape == BEATS[rule.shape] and _covers(rule, beaten)
    }


def _covers(rule: Rule, other: Rule) -> bool:
    """Whether a rule applies wherever the other one does, to all its actions."""
    return (
        (not rule.phases or (bool(other.phases) and set(other.phases) <= set(rule.phases)))
        and rule.by == other.by
        and {verb.action for verb in other.verbs} <= {v.action for v in rule.verbs if not any(map(_is_value, v.args))}
        and _asks_no_more(rule.when, other.when)
    )


def _asks_no_more(when: Expr | None, other: Expr | None) -> bool:
    """Whether every conjunct of one condition is in the other too."""
    return set(fold.conjuncts(when)) <= set(fold.conjuncts(other))


def _is_value(arg: str | int) -> bool:
    return isinstance(arg, int)


def _unchanging(graph: Graph, rules: list[Rule]) -> Graph:
    """The graph with constants for all data that these rules never change."""
    touched = _changed(graph, rules)
    firsts: dict[str, Expr] = {}
    for name, datum in graph.data.items():
        if name in touched or name == graph.pack:
            continue
        if datum.type.place == "slot":
            firsts[name] = fold.const(datum.type, NONE)
        elif datum.first is not None and datum.first.op == "const":
            firsts[name] = datum.first

    def put(expr: Expr) -> Expr:
        if expr.op == "datum" and expr.value in firsts:
            return firsts[expr.value]
        return fold.negate(expr.kids[0]) if expr.op == "not" else fold.fold(expr)

    def maybe(expr: Expr | None) -> Expr | None:
        return None if expr is None else map_expr(expr, put)

    return replace(
        graph,
        rules={name: replace(rule, when=maybe(rule.when)) for name, rule in graph.rules.items()},
        defines={
            name: replace(define, answers=tuple(replace(a, when=maybe(a.when)) for a in define.answers))
            for name, define in graph.defines.items()
        },
    )


def _to(change: Change) -> tuple[str, ...]:
    if isinstance(change, Assign):
        return (change.datum,)
    return (change.place,) if isinstance(change, Move) else ()


def _rules(graph: Graph, able: set[str]) -> list[Rule]:
    """The applicable rules in reachable phases, starting at the first."""
    here = {next(iter(graph.phases), "")}
    while True:
        rules = [
            rule
            for rule in graph.rules.values()
            if rule.name in able and (not rule.phases or not here.isdisjoint(rule.phases))
        ]
        more = {way.phase for rule in rules for way in ways(graph, (*rule.do, *rule.lest)) if way.phase} - here
        if not more:
            return rules
        here |= more


def _effects(graph: Graph, changes: Iterable[Change], found: set[str], asked: list[Expr]) -> None:
    for change in changes:
        if isinstance(change, Apply) and change.effect not in found:
            found.add(change.effect)
            effect = graph.effects[change.effect]
            asked += exprs_of_effect(effect)
            for turn in effect.turns:
                _effects(graph, turn.changes, found, asked)
        asked += exprs_of_changes([change])


def _living(graph: Graph, bare: Graph) -> Graph:
    """The graph with only the answers that can apply."""
    left = {name: {answer.name for answer in define.answers} for name, define in bare.defines.items()}
    return replace(
        graph,
        defines={
            name: replace(define, answers=tuple(a for a in define.answers if a.name in left[name]))
            for name, define in graph.defines.items()
        },
    )


def _answers(define: Define) -> set[str]:
    """The names of the answers that can apply; none if the answer is always no."""
    if define.type.base == "flag" and all(a.value.op == "const" and not a.value.value for a in define.answers):
        return set()
    beaten = {
        other.name
        for answer in define.answers
        for other in define.answers
        if other.name in answer.beats and _asks_no_more(answer.when, other.when)
    }
    return {answer.name for answer in define.answers} - beaten


# ---- Which statements of a graph can matter in play, under its options ---------------------------

TOLD_BY_KIND = frozenset(["rule", "define", "effect", "action", "phase", "datum", "table"])
"""Kinds of statements whose relevance is computed."""


def matters(graph: Graph) -> frozenset[Key]:
    """The rules, answers and effects of reachable phases, and everything they name."""
    names = reached(graph)
    found: set[Key] = set(_ruling(graph, names))
    reads = reads_of(graph)
    for key in list(found):
        found |= reads.get(key, frozenset())
    return frozenset(found)


def _ruling(graph: Graph, names: frozenset[str]) -> Iterator[Key]:
    for rule in graph.rules.values():
        if rule.name not in names:
            continue
        yield "rule", rule.name
        yield from (("action", verb.action) for verb in rule.verbs)
        yield from (("datum", datum) for datum in written_by(graph)[rule.name])
        ways = (change for change in flat_changes(graph, (*rule.do, *rule.lest)) if isinstance(change, Way))
        yield from (("phase", way.phase) for way in ways)
    for define in graph.defines.values():
        yield from (("define", answer.name) for answer in define.answers if answer.name in names)
    for effect in graph.effects.values():
        yield from (("effect", turn.name) for turn in effect.turns if turn.name in names)

"""Proofs that a statement is never at work, however a game goes: what the checks of the rule graph can tell.

Beyond what no game reaches (:mod:`truco_spec.differences.matters`) it is searched for a position, of any types, stacks
and bounds, in which the statement would apply and nothing would beat it. Of an answer it is also asked whether any
question that leads to it is asked in such a position (:mod:`truco_spec.differences.chains`). Rules that never apply
are left out, and what is left is looked at again. A datum is never at work where nothing names it but what never is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from truco_spec.differences.chains import never_asked
from truco_spec.differences.matters import TOLD_BY_KIND, matters
from truco_spec.differences.statements import Key
from truco_spec.differences.used import reads_of, written_by
from truco_spec.engine.layout import NONE
from truco_spec.engine.observe import PREFIX
from truco_spec.graph.checks.never import CALLED, applies, idle_in
from truco_spec.graph.checks.study import Study
from truco_spec.graph.model import Expr, Graph
from truco_spec.graph.walk import walk

KINDS = {**CALLED, "phase": "phase"}


def never(graph: Graph, keys: Iterable[Key], *, bounded: bool = True) -> frozenset[Key]:
    """Which of these statements of a graph are never at work.

    Where the bounds of the data are not worked out (``bounded``) that is quicker, and proves less.
    """
    wanted = frozenset(key for key in keys if key[0] in TOLD_BY_KIND)
    namers = {key: _namers(graph, key) for key in wanted if key[0] == "datum" and not _named_elsewhere(graph, key[1])}
    asked = wanted.union(*namers.values())
    found: frozenset[Key] = frozenset()
    while asked - found:
        possible = matters(graph)
        rules = frozenset(key for key in possible if key[0] == "rule")
        graph = _with_rules(graph, rules)
        study = Study(graph, bounded=bounded, related=False)
        idle = _idle(study, rules | asked) | _idle_sequels(graph, rules)
        found |= (asked - possible) | (asked & idle)
        if not rules & idle:
            break
        graph = _with_rules(graph, rules - idle)
    left = asked - found
    found |= frozenset(key for key in left if key[0] == "datum" and _stays_none(graph, key[1]))
    found |= frozenset(key for key in left if key[0] == "action" and not _spoken_of(study, key[1]))
    found |= frozenset(
        key for key in left if key[0] == "define" and (_tells_none(graph, key[1]) or never_asked(study, key[1]))
    )
    return wanted & (found | frozenset(key for key, names in namers.items() if names <= found))


def _namers(graph: Graph, key: Key) -> frozenset[Key]:
    """The rules, answers and effects that read a datum, and the rules that write it."""
    reading = (statement for statement, reads in reads_of(graph).items() if key in reads)
    writing = (("rule", rule) for rule, data in written_by(graph).items() if key[1] in data)
    return frozenset((*reading, *writing))


def _named_elsewhere(graph: Graph, name: str) -> bool:
    """Do first values of other data, or what is possible at all, read the datum?"""
    exprs = [datum.first for datum in graph.data.values()]
    exprs += [expr for kind in graph.actions.values() for expr in (kind.possible, kind.seen)]
    return any(node.op == "datum" and node.value == name for expr in exprs for node in walk(expr))


def _with_rules(graph: Graph, keys: frozenset[Key]) -> Graph:
    """The graph with these rules only."""
    return replace(graph, rules={name: rule for name, rule in graph.rules.items() if ("rule", name) in keys})


def _idle(study: Study, keys: frozenset[Key]) -> frozenset[Key]:
    called = {(KINDS[kind], name): (kind, name) for kind, name in keys if kind in KINDS}
    kinds = {name: kind for kind, name in called}
    found = idle_in(study, kinds, set(called))
    return frozenset(called[idle.kind, idle.name] for idle in found if (idle.kind, idle.name) in called)


def _idle_sequels(graph: Graph, rules: frozenset[Key]) -> frozenset[Key]:
    """Rules about what follows from an action that no other rule permits or forbids, and such actions."""
    some = [graph.rules[name] for _, name in rules]
    spoken: dict[str, set[str]] = {}
    for rule in some:
        for verb in rule.verbs if rule.shape != "on" else ():
            spoken.setdefault(verb.action, set()).update(rule.phases or graph.phases)
    led = {
        rule.name
        for rule in some
        for verb in rule.verbs
        if rule.shape == "on" and spoken.get(verb.action, set()) & set(rule.phases or graph.phases)
    }
    silent = frozenset(("rule", rule.name) for rule in some if rule.shape == "on" and rule.name not in led)
    return silent | frozenset(("action", verb) for verb in graph.actions if verb not in spoken)


def _spoken_of(study: Study, verb: str) -> bool:
    """May some rule permit or forbid the action, while it is possible?"""
    named = ((rule, one) for rule in study.graph.rules.values() for one in rule.verbs if one.action == verb)
    return any(rule.shape != "on" and applies(study, replace(rule, verbs=(one,)), study.tops()) for rule, one in named)


def _stays_none(graph: Graph, name: str) -> bool:
    """Is nothing ever put into the datum, which begins with nothing?"""
    datum = graph.data.get(name)
    if datum is None or any(name in data for data in written_by(graph).values()):
        return False
    return datum.type.place == "slot" or (datum.first is not None and _is_none(graph, datum.first))


def _tells_none(graph: Graph, name: str) -> bool:
    """Is it a question of the table to which the answer is none, always?"""
    define = graph.defines.get(name)
    return define is not None and name.startswith(PREFIX) and all(_is_none(graph, a.value) for a in define.answers)


def _is_none(graph: Graph, expr: Expr) -> bool:
    if expr.op == "datum":
        return _stays_none(graph, expr.value)
    return expr.op == "const" and bool(expr.value == NONE)

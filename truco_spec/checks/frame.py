"""The conditions under which a rule applies, and its changes: the vocabulary of the other checks.

A candidate is an actor, ``me``, and the arguments of the action, ``#0``, ``#1`` … (names impossible in a text), so that
the conditions of several rules can be combined for one candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from truco_spec.graph import fold, types
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.groups import rename
from truco_spec.graph.model import Answer, Assign, Change, Expr, Graph, Move, Quant, Rule, Turn, Verb, Way
from truco_spec.graph.types import FLAG, Type

Conditions: TypeAlias = tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Guarded:
    """A change of a rule, with named effects expanded; ``guards`` are its conditions."""

    guards: Conditions
    change: Assign | Move | Way
    through: tuple[str, ...] = ()


def actor(graph: Graph) -> Expr:
    """The actor of a candidate."""
    return Expr("var", Type("seat", 0, graph.seats - 1), (), "me")


def argument(graph: Graph, verb: str, place: int) -> Expr:
    """An argument of a candidate."""
    return Expr("var", graph.actions[verb].params[place].type, (), f"#{place}")


def names_of(verb: Verb) -> dict[str, str]:
    """Rename the bindings of a rule to those of the candidate."""
    return {name: f"#{i}" for i, name in enumerate(verb.args) if isinstance(name, str)}


def speaks(graph: Graph, rule: Rule, verb: str) -> Conditions:
    """The condition that a rule applies to a candidate with this verb: actor, arguments, and its ``when``."""
    named = next(v for v in rule.verbs if v.action == verb)
    found: list[Expr] = []
    if rule.by is not None:
        found.append(fold.made("in", actor(graph), rule.by))
    for i, arg in enumerate(named.args):
        if isinstance(arg, int):
            given = argument(graph, verb, i)
            found.append(Expr("is", FLAG, (given, fold.const(types.bare(given.type), arg))))
    found += [rename(part, names_of(named)) for part in conjuncts(rule.when)]
    return tuple(part for part in found if not fold.is_yes(part))


def possible(graph: Graph, verb: str) -> Conditions:
    """The condition that a candidate with this verb is possible."""
    action = graph.actions[verb]
    names = {param.name: f"#{i}" for i, param in enumerate(action.params)}
    return tuple(rename(part, names) for part in conjuncts(action.possible))


def none_of(conditions: Conditions) -> Expr:
    """The negation of the conjunction."""
    if not conditions:
        return fold.NO
    return fold.negate(conditions[0] if len(conditions) == 1 else Expr("and", FLAG, conditions))


def at_rest(graph: Graph, phase: str) -> Conditions:
    """No automatic rule applies: an invariant whenever somebody acts."""
    return tuple(
        none_of(tuple(conjuncts(rule.when)))
        for rule in graph.rules.values()
        if rule.shape == "once" or (rule.shape == "auto" and phase in rule.phases)
    )


def before_autos(graph: Graph) -> Conditions:
    """No at-once rule applies: an invariant whenever an automatic rule of a phase fires."""
    return tuple(none_of(tuple(conjuncts(r.when))) for r in graph.rules.values() if r.shape == "once")


def fires(graph: Graph, rule: Rule) -> Conditions:
    """The condition that a rule without an action applies."""
    return (*conjuncts(rule.when), *(before_autos(graph) if rule.shape == "auto" else ()))


def acts(graph: Graph, rule: Rule, verb: str, phase: str) -> Conditions:
    """The condition that a rule takes effect with a candidate with this verb."""
    alone = unbeaten(graph, rule, verb, phase) if rule.shape != "on" else ()
    return (*speaks(graph, rule, verb), *possible(graph, verb), *at_rest(graph, phase), *alone)


def unbeaten(graph: Graph, rule: Rule, verb: str, phase: str) -> Conditions:
    """No rule that beats this one applies to the candidate."""
    return tuple(
        none_of(speaks(graph, other, verb))
        for other in graph.rules.values()
        if rule.name in other.beats
        and other.shape in ("may", "must not")
        and (not other.phases or phase in other.phases)
        and any(v.action == verb for v in other.verbs)
        and other.outsider == rule.outsider
    )


def standing_alone(group: Iterable[Answer | Turn], *chosen: Answer | Turn) -> Conditions:
    """These answers apply, and nothing that beats one of them does."""
    found = [part for one in chosen for part in conjuncts(one.when)]
    beating = (o for o in group if o not in chosen and any(one.name in o.beats for one in chosen))
    return (*found, *(none_of(tuple(conjuncts(other.when))) for other in beating))


# ---- changes -----------------------------------------------------------------------------------


def changes_of(graph: Graph, changes: Iterable[Change], names: dict[str, str] | None = None) -> list[Guarded]:
    """The changes of a rule, with named effects expanded; ``names`` renames the rule's bindings."""
    return list(_opened(graph, changes, [], names or {}, ()))


def taken(graph: Graph, rule: Rule, verb: Verb) -> list[Guarded]:
    """The changes of a rule that takes effect with an action; those of a ban are its price."""
    return changes_of(graph, rule.lest if rule.shape == "must not" else rule.do, names_of(verb))


Binding: TypeAlias = tuple[tuple[str, ...], tuple[Expr, ...]]


def _opened(
    graph: Graph, changes: Iterable[Change], bindings: list[Binding], names: dict[str, str], through: tuple[str, ...]
) -> Iterator[Guarded]:
    def said(expr: Expr) -> Expr:
        return bound(rename(expr, names) if not bindings else expr, bindings)

    for change in changes:
        if isinstance(change, Assign):
            index = tuple(said(item) for item in change.index)
            yield Guarded((), replace(change, index=index, value=said(change.value)), through)
        elif isinstance(change, Move):
            index = tuple(said(item) for item in change.index)
            yield Guarded((), replace(change, what=said(change.what), index=index), through)
        elif isinstance(change, Way):
            yield Guarded((), change, through)
        else:
            effect = graph.effects[change.effect]
            args = tuple(rename(arg, names) if not bindings else arg for arg in change.args)
            inner: list[Binding] = [(tuple(p.name for p in effect.params), args), *bindings]
            for turn in effect.turns:
                guards = tuple(bound(part, inner) for part in standing_alone(effect.turns, turn))
                for opened in _opened(graph, turn.changes, inner, names, (*through, turn.name)):
                    yield replace(opened, guards=(*guards, *opened.guards))


def assigned(graph: Graph, change: Assign) -> Expr:
    """The value that an assignment gives to its datum, in terms of the values before."""
    if change.sign == "=":
        return change.value
    now = Expr("datum", graph.data[change.datum].type, change.index, change.datum)
    return fold.made("add" if change.sign == "+=" else "sub", now, change.value, span=change.span)


def bound(expr: Expr, bindings: Iterable[Binding]) -> Expr:
    """The expression of an effect with its parameters substituted."""
    for names, args in bindings:
        if names and expr.op != "const":
            expr = Expr("let", expr.type, (*args, expr), names, expr.span)
    return expr


def left(graph: Graph, conditions: Conditions, change: Move) -> set[str]:
    """The places that a moved card may have left."""
    what = change.what
    while what.op == "let":
        what = what.kids[-1]
    if what.op == "datum" and graph.data[what.value].type.place:
        return {what.value}
    for condition in conditions:
        if condition.op == "in" and condition.kids[0] == what and condition.kids[1].op == "datum":
            return {condition.kids[1].value}
    return {name for name, datum in graph.data.items() if datum.type.place}


# ---- evaluation conditions ---------------------------------------------------------------------


def looked_at(expr: Expr | None, guards: Conditions = ()) -> Iterator[tuple[Expr, Conditions]]:
    """Every part of an expression, with the conditions under which it is evaluated."""
    if expr is None:
        return
    yield expr, guards
    if expr.op == "quant":
        yield from _in_quantifier(expr.value, guards)
    for at, kid in enumerate(expr.kids):
        yield from looked_at(kid, (*guards, *come_to(expr, at)))


def come_to(expr: Expr, at: int) -> Conditions:
    """The conditions under which the part with this number is evaluated when its expression is."""
    kids = expr.kids[:at]
    if expr.op == "if":
        return kids if at < 2 else (fold.negate(kids[0]),)
    if expr.op == "or":
        return tuple(map(fold.negate, kids))
    return kids if expr.op == "and" else ()


def _in_quantifier(quant: Quant, guards: Conditions) -> Iterator[tuple[Expr, Conditions]]:
    for binder in quant.binders:
        yield from looked_at(binder.within, guards)
        yield from looked_at(binder.start, guards)
        if binder.within is not None:
            item = Expr("var", binder.type, (), binder.name)
            guards = (*guards, Expr("in", FLAG, (item, binder.within)))
    yield from looked_at(quant.where, guards)
    yield from looked_at(quant.body, (*guards, *conjuncts(quant.where)))

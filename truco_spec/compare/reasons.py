"""The reason for a difference without a log: the proof about it, or that none was found."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from truco_spec.base.processes import made_of
from truco_spec.base.user_cache import Shelf, installation
from truco_spec.base.words import number, say
from truco_spec.checks.frame import Conditions, actor, bound, none_of, standing_alone
from truco_spec.checks.never import CALLED, applies, idle_in
from truco_spec.checks.study import Study
from truco_spec.compare.reach import TOLD_BY_KIND, matters, reads_of
from truco_spec.compare.scenario import Side
from truco_spec.compare.statements import WORDING, Difference, Key
from truco_spec.engine.layout import NONE
from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.groups import rename
from truco_spec.graph.model import HOW_MANY, OBSERVED, SEEN, Answer, Define, Expr, Graph, Quant
from truco_spec.graph.walk import exprs_of_changes, exprs_of_effect, walk, written_by

PLAYERS: Key = ("option", HOW_MANY)
UNPLAYED = frozenset(["option", "decision", "refuse"])
"""Kinds of statements that are not played themselves, unlike those that rest on them."""

_SHELF = Shelf("proofs", 200)
"""The proofs about the statements of a cached graph."""
_MADE_BY = ("checks", "compare")
"""The parts of this package that proofs depend on, besides those that affect a graph."""

NEVER = "It cannot be shown in play: as the options are set no game reaches it."


class Reasons:
    """Static reasons about the differences between two sides, without play."""

    def __init__(self, sides: tuple[Side, Side], found: Iterable[Difference]) -> None:
        self.sides, self.found = sides, tuple(found)
        self.graphs: list[list[Graph]] = [[g for n in side.sizes() if (g := side.at(n)) is not None] for side in sides]
        self.possible = [[matters(graph) for graph in graphs] for graphs in self.graphs]
        self.proved: set[Key] = set()

    @property
    def wanted(self) -> tuple[Key, ...]:
        """The differences that can matter in play, for some number of players."""
        played = (d for d in self.found if d.change != WORDING and d.key[0] not in UNPLAYED)
        return tuple(difference.key for difference in played if self.can_matter(difference))

    def can_matter(self, difference: Difference) -> bool:
        """Whether the statement can matter in play on a side that has it."""
        if difference.key in self.proved:
            return False
        if difference.key[0] not in TOLD_BY_KIND:
            return True
        sides = zip((difference.a, difference.b), self.possible, strict=True)
        return any(
            statement is not None and any(difference.key in known for known in some) for statement, some in sides
        )

    def prove(self, keys: frozenset[Key], *, bounded: bool, workers: int = 1) -> None:
        """Try to prove that these are never at work, for any number of players; ``bounded``: a longer attempt. Each
        side, with each number of players, may be worked on by a process of its own.
        """
        left: set[Key] = set()

        def unproved(side: int, graph: Graph, possible: frozenset[Key]) -> set[Key]:
            has = {d.key for d in self.found if d.key in keys and (d.a, d.b)[side] is not None}
            some = sorted(has - left)
            return {key for key in some if key in possible} - self._never(side, graph, some, bounded=bounded)

        each = [(side, *one) for side in (0, 1) for one in zip(self.graphs[side], self.possible[side], strict=True)]
        for found in made_of(lambda one: unproved(*one), each, workers):
            left |= found
        self.proved |= keys - left

    def _never(self, side: int, graph: Graph, keys: list[Key], *, bounded: bool) -> set[Key]:
        """Return the same as :func:`never`, with the answers of earlier runs."""
        place = self.sides[side].kept_as(graph.seats)
        name = hashlib.sha256(installation(_MADE_BY) + f"{place} {bounded}".encode()).hexdigest()
        kept = _SHELF.take(name) if place else None
        known: dict[Key, bool] = kept if isinstance(kept, dict) else {}
        if new := [key for key in keys if key not in known]:
            proved = never(graph, new, bounded=bounded)
            known |= {key: key in proved for key in new}
            if place:
                _SHELF.put(name, known)
        return {key for key in keys if known[key]}

    def of(self, difference: Difference, looked: int) -> str:
        """Why there is no log."""
        kind, name = difference.key
        if difference.change == WORDING:
            return say("It is the same in play.")
        if kind == "refuse":
            return say("It only refuses options: there is nothing to play.")
        if kind == "decision":
            return say("Nothing that differs in play rests on it alone.")
        if difference.key == PLAYERS:
            can = any(name == "values" for name, _, _ in difference.parts)
            return say("It is how many usually play, and how many can." if can else "It is how many usually play.")
        if kind == "option":
            resting = [d for d in self.found if name in d.by and d.change != WORDING and d.key[0] not in UNPLAYED]
            if not resting:
                return say("As it is set, nothing that differs asks for it.")
            if not any(self.can_matter(other) for other in resting):
                return say(NEVER)
        elif not self.can_matter(difference):
            return say(NEVER)
        return say("No log was found within {count} positions.", count=number(looked))


# --------------------------------------------------------------------------------------------------
# Proofs that a statement is never at work in any game, with the checks of the rule graph.

KINDS = {**CALLED, "phase": "phase"}


def never(graph: Graph, keys: Iterable[Key], *, bounded: bool = True) -> frozenset[Key]:
    """Return which of these statements of a graph are never at work.

    Without ``bounded`` the bounds of the data are not computed: faster, but weaker.
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
    """Whether initial values of other data, or conditions of possibility, read the datum."""
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
    """Rules about the consequences of an action that no other rule permits or forbids, and such actions."""
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
    """Whether some rule may permit or forbid the action, while it is possible."""
    named = ((rule, one) for rule in study.graph.rules.values() for one in rule.verbs if one.action == verb)
    return any(rule.shape != "on" and applies(study, replace(rule, verbs=(one,)), study.tops()) for rule, one in named)


def _stays_none(graph: Graph, name: str) -> bool:
    """Whether the datum is never set, and has no initial value."""
    datum = graph.data.get(name)
    if datum is None or any(name in data for data in written_by(graph).values()):
        return False
    return datum.type.place == "slot" or (datum.first is not None and _is_none(graph, datum.first))


def _tells_none(graph: Graph, name: str) -> bool:
    """Whether it is a public question whose answer is always none."""
    define = graph.defines.get(name)
    return define is not None and name.startswith(OBSERVED) and all(_is_none(graph, a.value) for a in define.answers)


def _is_none(graph: Graph, expr: Expr) -> bool:
    if expr.op == "datum":
        return _stays_none(graph, expr.value)
    return expr.op == "const" and bool(expr.value == NONE)


# --------------------------------------------------------------------------------------------------
# Whether an answer is ever asked for: the paths from rules and observations to the question, with their conditions.

DEEPEST, CHAIN_BUDGET = 5, 400
"""Maximum length of a chain of questions, and the search budget; beyond, nothing is proved."""


class Site(NamedTuple):
    """A place where a question is asked: its arguments and conditions, and the answer and question that contain it
    (none: a rule, in these phases; no phases: anywhere).
    """

    args: tuple[Expr, ...]
    guards: Conditions
    within: tuple[Define, Answer] | None
    phases: tuple[str, ...]


def never_asked(study: Study, name: str) -> bool:
    """Whether this answer never applies, because at every use of its question another answer applies."""
    for define in study.graph.defines.values():
        for answer in define.answers:
            if answer.name == name:
                return not _given(study, define, standing_alone(define.answers, answer), DEEPEST)
    return False


def _given(study: Study, define: Define, conditions: Conditions, deeper: int) -> bool:
    """Whether the question may be asked where the conditions, over its parameters, hold."""
    if define.name.startswith(OBSERVED) or define.name.endswith(SEEN):
        return True
    names = tuple(param.name for param in define.params)
    for site in sites(study.graph, define.name):
        there = (*site.guards, *(bound(part, [(names, site.args)]) for part in conditions))
        if study.ask(there, site.phases or None, CHAIN_BUDGET).kind == "never":
            continue
        if site.within is None or not deeper or _given(study, site.within[0], there, deeper - 1):
            return True
    return False


def sites(graph: Graph, name: str) -> Iterator[Site]:
    """Every use of a question."""
    fresh = count()
    for define in graph.defines.values():
        for answer in define.answers:
            standing = standing_alone(define.answers, answer)
            for expr, held in ((answer.when, ()), (answer.value, standing)):
                for args, guards in _asked(expr, name, held, fresh):
                    yield Site(args, guards, (define, answer), ())
    for rule in graph.rules.values():
        who = () if rule.by is None else (fold.made("in", actor(graph), rule.by),)
        whole = (*who, *conjuncts(rule.when))
        parts = [(rule.by, ()), (rule.when, who), *((e, whole) for e in exprs_of_changes((*rule.do, *rule.lest)))]
        for expr, held in parts:
            for args, guards in _asked(expr, name, held, fresh):
                yield Site(args, guards, None, rule.phases)
    anywhere = [expr for effect in graph.effects.values() for expr in exprs_of_effect(effect)]
    anywhere += [e for kind in graph.actions.values() for e in (kind.possible, kind.seen) if e is not None]
    anywhere += [datum.first for datum in graph.data.values() if datum.first is not None]
    for expr in anywhere:
        for args, guards in _asked(expr, name, (), fresh):
            yield Site(args, guards, None, ())


def _asked(
    expr: Expr | None, name: str, held: Conditions, fresh: Iterator[int]
) -> Iterator[tuple[tuple[Expr, ...], Conditions]]:
    """Every use of a question in an expression: its arguments and conditions."""
    if expr is None:
        return
    if expr.op == "ask" and expr.value == name:
        yield expr.kids, held
    if expr.op == "quant":
        yield from _under(expr.value, name, held, fresh)
    elif expr.op == "if":
        test, then, other = expr.kids
        yield from _asked(test, name, held, fresh)
        yield from _asked(then, name, (*held, test), fresh)
        yield from _asked(other, name, (*held, fold.negate(test)), fresh)
    else:
        for at, kid in enumerate(expr.kids):
            before: Iterable[Expr] = expr.kids[:at]
            if expr.op == "or":
                before = (none_of((part,)) for part in before)
            yield from _asked(kid, name, (*held, *before) if expr.op in ("and", "or") else held, fresh)


def _under(
    quant: Quant, name: str, held: Conditions, fresh: Iterator[int]
) -> Iterator[tuple[tuple[Expr, ...], Conditions]]:
    """Return the same under a quantifier, with its variables renamed apart."""
    names: dict[str, str] = {}
    for binder in quant.binders:
        for expr in (binder.within, binder.start):
            yield from _asked(rename(expr, names) if expr is not None else None, name, held, fresh)
        names[binder.name] = f"{binder.name}#{next(fresh)}"
    where = rename(quant.where, names) if quant.where is not None else None
    yield from _asked(where, name, held, fresh)
    body = rename(quant.body, names) if quant.body is not None else None
    yield from _asked(body, name, held if where is None else (*held, where), fresh)

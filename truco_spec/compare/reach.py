"""Which statements can matter in a game, by the text of the rules: reachable phases, their questions,
reads and writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from truco_spec.compare.statements import Key
from truco_spec.engine.game import Event
from truco_spec.engine.layout import NONE
from truco_spec.graph import fold
from truco_spec.graph.fold import specialise
from truco_spec.graph.model import (
    MOST_GRAPHS,
    OBSERVED,
    SEEN,
    UNASKED,
    Answer,
    Apply,
    Assign,
    Change,
    Define,
    Expr,
    Graph,
    Rule,
    by_identity,
)
from truco_spec.graph.walk import (
    change_parts,
    datum_of,
    exprs_of_changes,
    exprs_of_define,
    exprs_of_effect,
    exprs_of_rule,
    flat_changes,
    map_expr,
    walk,
    walk_on,
    ways,
    written_by,
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
    return {datum_of(change) for rule in rules for change in flat_changes(graph, (*rule.do, *rule.lest))} - {""}


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
    of_all_values = {verb.action for verb in rule.verbs if not any(isinstance(arg, int) for arg in verb.args)}
    return (
        (not rule.phases or (bool(other.phases) and set(other.phases) <= set(rule.phases)))
        and rule.by == other.by
        and {verb.action for verb in other.verbs} <= of_all_values
        and _asks_no_more(rule.when, other.when)
    )


def _asks_no_more(when: Expr | None, other: Expr | None) -> bool:
    """Whether every conjunct of one condition is in the other too."""
    return set(fold.conjuncts(when)) <= set(fold.conjuncts(other))


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

    values, entered = _values(graph, rules), _entered(graph, rules)

    def put(expr: Expr) -> Expr:
        if expr.op == "datum" and expr.value in firsts:
            return firsts[expr.value]
        if expr.op == "datum" and len(only := values.get(expr.value, ())) == 1:
            return fold.const(expr.type, *only)
        if expr.op == "during" and expr.value not in entered:
            return fold.NO
        if expr.op == "is":
            datum, other = sorted(expr.kids, key=lambda kid: kid.op != "datum")
            if (
                datum.op == "datum"
                and other.op == "const"
                and other.value not in values.get(datum.value, (other.value,))
            ):
                return fold.NO
        return fold.negate(expr.kids[0]) if expr.op == "not" else fold.fold(expr)

    def maybe(expr: Expr | None) -> Expr | None:
        return None if expr is None else map_expr(expr, put)

    return replace(
        graph,
        rules={name: replace(rule, when=maybe(rule.when)) for name, rule in graph.rules.items()},
        defines={
            name: replace(define, answers=tuple(replace(a, when=maybe(a.when)) for a in _deciding(define.answers)))
            for name, define in graph.defines.items()
        },
    )


def _deciding(answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """One answer where all are the same constant (no card may be covered, nor after a tie): exceptions change none."""
    same = len({(a.value.op, a.value.value) for a in answers if a.value.op == "const"}) == 1
    always = [a for a in answers if a.when is None]
    return tuple(always[:1]) if always and same and all(a.value.op == "const" for a in answers) else answers


def _values(graph: Graph, rules: list[Rule]) -> dict[str, set[int]]:
    """The values of the data that begin with a constant and get nothing but constants of these rules."""
    found = {
        name: {datum.first.value}
        for name, datum in graph.data.items()
        if datum.first is not None and datum.first.op == "const" and not datum.type.place
    }
    for rule in rules:
        for change in flat_changes(graph, (*rule.do, *rule.lest)):
            name = datum_of(change)
            if isinstance(change, Assign) and change.sign == "=" and change.value.op == "const":
                found.get(name, set()).add(change.value.value)
            else:
                found.pop(name, None)
    return found


def _idle(rule: Rule) -> bool:
    """Whether it needs somebody who may do its action: a consequence, or a ban without a penalty."""
    return rule.shape == "on" or (rule.shape == "must not" and not rule.lest)


def _rules(graph: Graph, able: set[str]) -> list[Rule]:
    """The applicable rules in reachable phases, starting at the first; consequences and bans without a price only of
    what some rule permits.
    """
    here = {next(iter(graph.phases), "")}
    while True:
        rules = [
            rule
            for rule in graph.rules.values()
            if rule.name in able and (not rule.phases or not here.isdisjoint(rule.phases))
        ]
        permitted = {verb.action for rule in rules if rule.shape == "may" for verb in rule.verbs}
        rules = [r for r in rules if not _idle(r) or any(verb.action in permitted for verb in r.verbs)]
        if (entered := _entered(graph, rules)) <= here:
            return rules
        here |= entered


def _entered(graph: Graph, rules: list[Rule]) -> set[str]:
    """The phases that the game begins in, or that these rules lead to."""
    led = {way.phase for rule in rules for way in ways(graph, (*rule.do, *rule.lest)) if way.phase}
    return {next(iter(graph.phases), ""), *led}


def _effects(graph: Graph, changes: Iterable[Change], found: set[str], asked: list[Expr]) -> None:
    for change in changes:
        if isinstance(change, Apply) and change.effect not in found:
            found.add(change.effect)
            effect = graph.effects[change.effect]
            asked += exprs_of_effect(effect)
            for turn in effect.turns:
                _effects(graph, turn.changes, found, asked)
        asked += change_parts(change)


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
    """Return the names of the answers that can apply; none if the answer is always no."""
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

PLAYED = TOLD_BY_KIND | {"order"}
"""Kinds of statements that provenance can name."""


def matters(graph: Graph) -> frozenset[Key]:
    """The rules, answers and effects of reachable phases, and everything they name."""
    names = reached(graph)
    return with_reads(graph, _ruling(graph, names))


def _ruling(graph: Graph, names: frozenset[str]) -> Iterator[Key]:
    for rule in graph.rules.values():
        if rule.name not in names:
            continue
        yield "rule", rule.name
        yield from (("action", verb.action) for verb in rule.verbs)
        yield from (("datum", datum) for datum in written_by(graph)[rule.name])
        yield from (("phase", way.phase) for way in ways(graph, (*rule.do, *rule.lest)))
    for define in graph.defines.values():
        yield from (("define", answer.name) for answer in define.answers if answer.name in names)
    for effect in graph.effects.values():
        yield from (("effect", turn.name) for turn in effect.turns if turn.name in names)


# ---- What a statement names and writes ------------------------------------------------------------


def with_reads(graph: Graph, found: Iterable[Key]) -> frozenset[Key]:
    """Return these statements, and those that each of them names."""
    reads = reads_of(graph)
    return frozenset(key for used in found for key in (used, *reads.get(used, ())))


def wrote(graph: Graph, rule: str) -> frozenset[str]:
    """The data that a rule can write, and the phases it leads to."""
    changes = (*graph.rules[rule].do, *graph.rules[rule].lest) if rule in graph.rules else ()
    return written_by(graph).get(rule, frozenset()) | {way.phase for way in ways(graph, changes)}


@by_identity(MOST_GRAPHS)
def reads_of(graph: Graph) -> dict[Key, frozenset[Key]]:
    """Map each statement to the tables, data, orders and phases that it names; memoised."""
    return dict(_reads(graph))


def _reads(graph: Graph) -> Iterator[tuple[Key, frozenset[Key]]]:
    for rule in graph.rules.values():
        yield ("rule", rule.name), frozenset(_named(exprs_of_rule(rule))) | {("phase", phase) for phase in rule.phases}
    for define in graph.defines.values():
        for answer in define.answers:
            yield ("define", answer.name), frozenset(_named([answer.when, answer.value]))
    for effect in graph.effects.values():
        for turn in effect.turns:
            yield ("effect", turn.name), frozenset(_named([turn.when, *exprs_of_changes(turn.changes)]))


def _named(exprs: Iterable[Expr | None]) -> Iterator[Key]:
    for expr in exprs:
        for node in walk(expr):
            if node.op in ("table", "datum"):
                yield node.op, node.value
            elif node.op == "during":
                yield "phase", node.value
            for kind in (node.type, *(kid.type for kid in node.kids)):
                if kind.name:
                    yield "order", kind.name


# --------------------------------------------------------------------------------------------------
# Reachability by the text alone: which statements a rule, a question or a view may involve, to skip the others in play.


class Reaches:
    """Reachability in a graph, memoised by name."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.public = [name for name in graph.defines if name.startswith(OBSERVED) or name.endswith(SEEN)]
        self._about: dict[str, list[str]] = {}
        self._questions: dict[str, frozenset[Key]] = {}
        self._rules: dict[str, frozenset[Key]] = {}

    def rule(self, name: str) -> frozenset[Key]:
        """The rule with its reads, effects and questions, transitively."""
        found = self._rules.get(name)
        if found is None:
            rule = self.graph.rules[name]
            changes = (*rule.do, *rule.lest)
            keys = {("rule", name), *self._changes(changes), *self._exprs((rule.by, rule.when))}
            keys |= {("action", verb.action) for verb in rule.verbs}
            keys |= self._opened(changes) | {("datum", name) for name in written_by(self.graph)[rule.name]}
            found = self._rules[name] = with_reads(self.graph, keys)
        return found

    def involves(self, event: Event, wanted: frozenset[Key]) -> bool:
        """Whether the rules of an event may involve any of these statements."""
        rules = self.graph.rules
        return any(not wanted.isdisjoint(self.rule(name)) for name in event.fired if name in rules)

    def about(self, verb: str) -> list[str]:
        """The names of the rules about an action."""
        if verb not in self._about:
            rules = self.graph.rules.values()
            self._about[verb] = [rule.name for rule in rules if any(each.action == verb for each in rule.verbs)]
        return self._about[verb]

    def question(self, name: str) -> frozenset[Key]:
        """All answers of a question, and of its questions in turn."""
        if name not in self.graph.defines:
            return frozenset()
        found = self._questions.get(name)
        if found is None:
            self._questions[name] = frozenset()  # questions are acyclic
            define = self.graph.defines[name]
            keys = {("define", answer.name) for answer in define.answers} | self._exprs(exprs_of_define(define))
            found = self._questions[name] = with_reads(self.graph, keys)
        return found

    def _exprs(self, exprs: Iterable[Expr | None]) -> set[Key]:
        asked = {node.value for expr in exprs for node in walk(expr) if node.op == "ask"}
        return {key for name in sorted(asked) for key in self.question(name)}

    def _changes(self, changes: Iterable[Change]) -> set[Key]:
        found = self._exprs(exprs_of_changes(changes))
        for change in changes:
            if isinstance(change, Apply):
                for turn in self.graph.effects[change.effect].turns:
                    found |= {("effect", turn.name), *self._exprs((turn.when,)), *self._changes(turn.changes)}
        return found

    def _opened(self, changes: Iterable[Change]) -> set[Key]:
        """The phases that they lead to, and the initial values of fresh data there."""
        phases = {way.phase for way in ways(self.graph, changes)}
        firsts = (datum.first for datum in self.graph.data.values() if datum.fresh in phases)
        return {*(("phase", phase) for phase in phases), *self._exprs(firsts)}

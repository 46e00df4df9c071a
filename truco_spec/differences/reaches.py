"""Which statements a rule, a question or a view may come to, by the text alone: where it is worth a look in play."""

from __future__ import annotations

from collections.abc import Iterable

from truco_spec.differences.statements import Key
from truco_spec.differences.used import reads_of, written_by
from truco_spec.engine.game import Event
from truco_spec.graph.model import Apply, Change, Expr, Graph, Way
from truco_spec.graph.walk import change_parts, exprs_of_define, flat_changes, walk


class Reaches:
    """Worked out once for a graph, name by name."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._questions: dict[str, frozenset[Key]] = {}
        self._rules: dict[str, frozenset[Key]] = {}

    def rule(self, name: str) -> frozenset[Key]:
        """The rule, what it reads, does, and asks, and what that asks in turn."""
        found = self._rules.get(name)
        if found is None:
            rule = self.graph.rules[name]
            changes = (*rule.do, *rule.lest)
            keys = {("rule", name), *self._changes(changes), *self._exprs((rule.by, rule.when))}
            keys |= {("action", verb.action) for verb in rule.verbs}
            keys |= self._opened(changes) | {("datum", name) for name in written_by(self.graph)[rule.name]}
            found = self._rules[name] = self._with_reads(keys)
        return found

    def fired(self, event: Event) -> frozenset[Key]:
        """What the rules that fired in an event may come to."""
        names = {*event.rules, *(name for step in event.steps for name in step.rules)}
        return frozenset(key for name in names if name in self.graph.rules for key in self.rule(name))

    def question(self, name: str) -> frozenset[Key]:
        """All answers of a question, and of those that they ask in turn."""
        if name not in self.graph.defines:
            return frozenset()
        found = self._questions.get(name)
        if found is None:
            self._questions[name] = frozenset()  # a question does not come back to itself
            define = self.graph.defines[name]
            keys = {("define", answer.name) for answer in define.answers} | self._exprs(exprs_of_define(define))
            found = self._questions[name] = self._with_reads(keys)
        return found

    def _exprs(self, exprs: Iterable[Expr | None]) -> set[Key]:
        asked = {node.value for expr in exprs for node in walk(expr) if node.op == "ask"}
        return {key for name in sorted(asked) for key in self.question(name)}

    def _changes(self, changes: Iterable[Change]) -> set[Key]:
        found = self._exprs(part for change in changes for part in change_parts(change))
        for change in changes:
            if isinstance(change, Apply):
                for turn in self.graph.effects[change.effect].turns:
                    found |= {("effect", turn.name), *self._exprs((turn.when,)), *self._changes(turn.changes)}
        return found

    def _opened(self, changes: Iterable[Change]) -> set[Key]:
        """The phases that they lead to, and the first values of what is fresh there."""
        phases = {change.phase for change in flat_changes(self.graph, changes) if isinstance(change, Way)}
        firsts = (datum.first for datum in self.graph.data.values() if datum.fresh in phases)
        return {*(("phase", phase) for phase in phases), *self._exprs(firsts)}

    def _with_reads(self, keys: Iterable[Key]) -> frozenset[Key]:
        reads = reads_of(self.graph)
        return frozenset(key for one in keys for key in (one, *reads.get(one, ())))

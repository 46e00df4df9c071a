"""The steps of a game as edges between stacks: every rule that can take effect, with all that can change with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truco_spec.graph.checks.frame import (
    Conditions,
    Guarded,
    at_rest,
    before_autos,
    changes_of,
    names_of,
    none_of,
    possible,
    speaks,
    unbeaten,
)
from truco_spec.graph.checks.positions import Stack
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Rule, Verb, Way

if TYPE_CHECKING:
    from truco_spec.graph.checks.study import Study

_BUDGET = 150


@dataclass(frozen=True, slots=True)
class Step:
    """One step from a stack to another.

    ``sure`` are the changes that come with it, ``maybe`` those that can; ``opens`` is the phase that is entered by it
    and gives data their first values, if it is one.
    """

    before: Stack
    after: Stack
    rule: Rule
    conditions: Conditions
    sure: tuple[Guarded, ...]
    maybe: tuple[Guarded, ...]
    opens: str = ""

    @property
    def changes(self) -> tuple[Guarded, ...]:
        """All changes that the step can make."""
        return self.sure + self.maybe


def steps(study: Study) -> list[Step]:
    """All steps that can be, in the order of stacks and rules; acts that change nothing are none."""
    return [step for stack in study.stacks for step in _Here(study, stack).steps()]


class _Here:
    """The steps from one stack."""

    def __init__(self, study: Study, stack: Stack) -> None:
        self.study, self.graph, self.stack = study, study.graph, stack
        self.tops = (stack[0],)
        self.rules = [r for r in self.graph.rules.values() if not r.phases or stack[0] in r.phases]
        self.opening = {datum.fresh for datum in self.graph.data.values() if datum.fresh}
        self.ways: dict[str, list[Stack]] = {}
        for passage in study.map.passages:
            if passage.before == stack and passage.after is not None and passage.after in study.stacks:
                self.ways.setdefault(passage.rule.name, []).append(passage.after)

    def steps(self) -> Iterator[Step]:
        """Automatic rules first, then what is done."""
        for shape, before in (("once", ()), ("auto", before_autos(self.graph))):
            yield from self._automatic([r for r in self.rules if r.shape == shape], before)
        rest = at_rest(self.graph, self.stack[0])
        for rule in self.rules:
            if rule.shape == "may" or (rule.shape == "must not" and rule.lest and not self.study.strict):
                for verb in rule.verbs:
                    yield from self._act(rule, verb, rest)

    def _never(self, *conditions: Conditions) -> bool:
        whole = tuple(part for some in conditions for part in some)
        return self.study.ask(whole, self.tops, _BUDGET).kind == "never"

    def _automatic(self, rules: list[Rule], before: Conditions) -> Iterator[Step]:
        conditions = {rule.name: (*conjuncts(rule.when), *before) for rule in rules}
        applying = [rule for rule in rules if not self._never(conditions[rule.name])]
        for rule in applying:
            maybe: list[Guarded] = []
            for other in applying:
                beaten = rule.name in other.beats or other.name in rule.beats
                if other is not rule and not beaten and not self._never(conditions[rule.name], conditions[other.name]):
                    maybe += changes_of(self.graph, other.do)
            sure = changes_of(self.graph, rule.do)
            yield from self._to(rule, conditions[rule.name], sure, maybe, self.ways.get(rule.name, []))

    def _act(self, rule: Rule, verb: Verb, rest: Conditions) -> Iterator[Step]:
        graph, action = self.graph, verb.action
        conditions = (
            *speaks(graph, rule, action),
            *possible(graph, action),
            *rest,
            *unbeaten(graph, rule, action, self.stack[0]),
        )
        if self._never(conditions):
            return
        sure = changes_of(graph, rule.lest if rule.shape == "must not" else rule.do, names_of(verb))
        maybe: list[Guarded] = []
        ways = list(self.ways.get(rule.name, []))
        for other in self.rules:
            if other is rule or other.shape not in (rule.shape, "on" if rule.shape == "may" else ""):
                continue
            theirs = next((v for v in other.verbs if v.action == action), None)
            spoken = speaks(graph, other, action) if theirs is not None else ()
            if (
                theirs is None
                or (other.chance != rule.chance and other.shape != "on")
                or self._never(conditions, spoken)
            ):
                continue
            changes = changes_of(graph, other.lest if other.shape == "must not" else other.do, names_of(theirs))
            always = other.shape == "on" and self._never(conditions, (none_of(spoken),))
            (sure if always else maybe).extend(changes)
            ways += self.ways.get(other.name, [])
        if sure or maybe:
            yield from self._to(rule, conditions, sure, maybe, ways)

    def _to(
        self, rule: Rule, conditions: Conditions, sure: list[Guarded], maybe: list[Guarded], ways: list[Stack]
    ) -> Iterator[Step]:
        opened = {
            g.change.phase for g in (*sure, *maybe) if isinstance(g.change, Way) and g.change.word == "then"
        } & self.opening
        for to in dict.fromkeys(ways):
            opens = to[0] if len(to) == 1 and to[0] in opened else ""
            yield Step(self.stack, to, rule, conditions, tuple(sure), tuple(maybe), opens)
        if not any(isinstance(g.change, Way) and not g.guards for g in sure) and self.stack not in ways:
            yield Step(self.stack, self.stack, rule, conditions, tuple(sure), tuple(maybe))

"""What is known of the rules before any play: which can apply at all, and which speak of which verb in which phase.

It is found once, when a graph is compiled, and written into its module as plain numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from truco_spec.engine.apart import apart
from truco_spec.engine.hoist import cannot_fail
from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Expr, Graph, Rule
from truco_spec.graph.walk import walk

FEW = 4
"""Of so many consequences that follow from all actions or none every combination gets its permit."""


class VerbFacts(NamedTuple):
    """The rules of one verb in one phase, by number.

    ``may`` can permit it and ``bars`` can forbid it; ``live`` are those bars that can forbid what ``may`` permits.
    ``sure`` are the consequences that always follow; ``alike`` those that follow from all its actions or none, as a
    look at the position tells; ``maybe`` the others. ``alone``: only one of ``may`` ever speaks of an action.
    """

    may: tuple[int, ...]
    bars: tuple[int, ...]
    live: tuple[int, ...]
    sure: tuple[int, ...]
    alike: tuple[int, ...]
    maybe: tuple[int, ...]
    alone: bool


class Facts:
    """The facts of a graph. ``verbs`` has for each phase the facts of each verb, by the verb's number."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.rules = {number: rule for number, rule in enumerate(graph.rules.values()) if not _never(rule)}
        self.now = {number: self._now(rule) for number, rule in self.rules.items()}
        self.once = tuple([number for number, rule in self.rules.items() if rule.shape == "once"])
        self.autos = [tuple([n for n, r in self.here(phase).items() if r.shape == "auto"]) for phase in graph.phases]
        self.verbs = [self._verbs(phase) for phase in graph.phases]

    def here(self, phase: str) -> dict[int, Rule]:
        """The rules of a phase."""
        return {number: rule for number, rule in self.rules.items() if not rule.phases or phase in rule.phases}

    def _verbs(self, phase: str) -> dict[int, VerbFacts]:
        here, found = self.here(phase), {}
        for at, name in enumerate(self.graph.actions):
            speaking = {n: rule for n, rule in here.items() if any(verb.action == name for verb in rule.verbs)}
            if speaking:
                found[at] = self._of_verb(speaking)
        return found

    def _of_verb(self, rules: dict[int, Rule]) -> VerbFacts:
        may = [n for n, rule in rules.items() if rule.shape == "may"]
        bars = [n for n, rule in rules.items() if rule.shape in ("must", "must not")]
        follows = [n for n, rule in rules.items() if rule.shape == "on"]
        live = [bar for bar in bars if not all(self._spares(rules[bar], rules[n]) for n in may)]
        alone = all(apart(rules[n], rules[m]) for n in may for m in may if n < m)
        sure = [n for n in follows if self._alike(n) and not self.now[n]]
        alike = [n for n in follows if self._alike(n) and n not in sure][:FEW]
        maybe = [n for n in follows if n not in sure and n not in alike]
        return VerbFacts(tuple(may), tuple(bars), tuple(live), tuple(sure), tuple(alike), tuple(maybe), alone)

    def _spares(self, bar: Rule, rule: Rule) -> bool:
        """Does a bar never forbid what the rule permits? A must may, by what it does not speak of."""
        return bar.shape == "must not" and apart(rule, bar)

    def _alike(self, number: int) -> bool:
        """Does the rule speak of every action of its verbs, or of none?"""
        rule = self.rules[number]
        binds = all(isinstance(arg, str) for verb in rule.verbs for arg in verb.args)
        return binds and rule.by is None and not rule.chance and len(self.now[number]) == len(conjuncts(rule.when))

    def _now(self, rule: Rule) -> list[Expr]:
        """The conditions that hold or not for every action alike, and that can be asked without looking at any."""
        tests = conjuncts(rule.when)
        if not rule.verbs:
            return tests
        names = {"me", *(param.name for param in rule.binds)}
        free = [test for test in tests if not any(node.op == "var" and node.value in names for node in walk(test))]
        return [test for test in free if cannot_fail(self.graph, test)]


def _never(rule: Rule) -> bool:
    """Can the rule apply to nothing and nobody?"""
    return fold.is_no(rule.when) or (rule.by is not None and rule.by.op == "const" and rule.by.value == 0)

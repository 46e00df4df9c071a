"""Proofs that a change of the rules changes no game, by the search of the checks over sets of positions.

A rule with another condition is the same rule if no reachable position satisfies the one condition and not the other; a
question is the same if it never has another answer where it is asked. By induction the reachable positions are then the
same. Options are open (:mod:`truco_spec.checks.checking`), so a proof holds under all of them but the settled ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bench.schemata import ChangedParts, NotSwitched, OpenVariant
from truco_spec.checks.frame import Conditions, acts, before_autos, none_of
from truco_spec.checks.positions import PositionFacts
from truco_spec.checks.study import Study, askers
from truco_spec.conformance.fit.mutants import Mutant
from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.link import linked
from truco_spec.graph.model import Define, Expr, Rule
from truco_spec.graph.types import FLAG

_BUDGET = 1_500
"""Sets of positions that are looked at for one question."""


class Proofs:
    """Proofs about the single changes of one variant, under these settled options."""

    def __init__(self, variant: str, settled: Mapping[str, str]) -> None:
        self.opened = OpenVariant(linked(variant), settled)
        self.graph = self.opened.graph
        self.study = Study(self.graph)
        self.tops = self.study.tops()
        self.asked = askers(self.graph, self.tops)

    def same(self, mutant: Mutant) -> bool:
        """Whether it is proved that the change changes no game. Raises SpecError for what does not link."""
        try:
            parts = self.opened.changed(mutant.statement, mutant.other)
        except NotSwitched:
            return False
        return not parts.effects and all(self._never(*asked) for asked in self._differences(parts))

    def _never(self, study: Study, conditions: Conditions, tops: tuple[str, ...]) -> bool:
        return study.ask(conditions, tops, _BUDGET).kind == "never"

    def _differences(self, parts: ChangedParts) -> Iterator[tuple[Study, Conditions, tuple[str, ...]]]:
        """What would have to hold for a difference: a study, conditions and the phases on top."""
        for name, rule in parts.rules.items():
            yield from ((self.study, *found) for found in self._rule(self.graph.rules[name], rule))
        if parts.defines:
            study = self._beside(parts.defines)
            for name, define in parts.defines.items():
                tops = tuple(top for top in self.tops if top in self.asked.get(name, ()))
                args = tuple(Expr("var", param.type, (), f"#{at}") for at, param in enumerate(define.params))
                known = self.graph.defines[name]
                one, other = Expr("ask", known.type, args, name), Expr("ask", define.type, args, name + "#")
                yield study, (Expr("not", FLAG, (Expr("is", FLAG, (one, other)),)),), tops

    def _rule(self, rule: Rule, other: Rule | None) -> Iterator[tuple[Conditions, tuple[str, ...]]]:
        """The conditions for a rule to apply where the other does not, and the other way round."""
        if other is not None and replace(other, when=rule.when) != rule:
            yield (), tuple(self.tops)  # not only the condition is another
            return
        before, after = conjuncts(rule.when), conjuncts(other.when) if other else (fold.NO,)
        ways = [(before, none_of(tuple(after)))] + ([(after, none_of(tuple(before)))] if other else [])
        for applies, unless in ways:
            for top in self.tops:
                if rule.phases and top not in rule.phases:
                    continue
                if not rule.verbs:
                    before_it = before_autos(self.graph) if rule.shape == "auto" else ()
                    yield (*before_it, *applies, unless), (top,)
                    continue
                bare = replace(rule, when=fold.made("and", *applies, unless))
                yield from ((acts(self.graph, bare, verb.action, top), (top,)) for verb in rule.verbs)

    def _beside(self, others: Mapping[str, Define]) -> Study:
        """The study, of a graph that has other answers to questions beside its own."""
        more = {f"{name}#": replace(define, name=f"{name}#") for name, define in others.items()}
        graph = replace(self.graph, defines={**self.graph.defines, **more})
        study = self.study
        found = replace(study, graph=graph, _invariants=study.invariants, _starts={})
        found.map, found.bounds = study.map, study.bounds
        found.facts = PositionFacts(graph, study.facts.stacks)
        return found

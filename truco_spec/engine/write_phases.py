"""Writes what may be done in a phase, and what happens of itself, as one function each.

``legal6(v, found, weigh)`` fills ``found`` with the permitted actions of phase 6 and their permits. A verb of which
only one rule speaks and that nothing forbids just now is written out; the others are handed to ``weigh``.
``ready6(v)`` lists the automatic rules of phase 6 that apply. ``R4`` is rule 4, ``V6_2`` the rules of verb 2 in phase
6, ``P6_2`` their permit; :mod:`truco_spec.engine.program` puts them in their places.
"""

from __future__ import annotations

from truco_spec.engine.facts import Facts, VerbFacts
from truco_spec.engine.layout import Layout
from truco_spec.engine.python import Source
from truco_spec.engine.write_offers import OfferWriter


class PhaseWriter:
    """Writes phases."""

    def __init__(self, layout: Layout, expr: Source, facts: Facts) -> None:
        self.names = list(layout.graph.actions)
        self.expr = expr
        self.facts = facts
        self.offers = OfferWriter(layout, expr)

    def legal(self, phase: int) -> list[str]:
        """Lines that find what is permitted."""
        lines: list[str] = []
        for verb, facts in self.facts.verbs[phase].items():
            if facts.may:
                lines += self._verb(phase, verb, facts)
        return lines

    def _verb(self, phase: int, verb: int, facts: VerbFacts) -> list[str]:
        weighed = f"weigh(v, found, V{phase}_{verb})"
        doubts = [self._when(number) for number in (*facts.live, *facts.maybe)]
        if not facts.alone or "1" in doubts:
            return [weighed]
        follow = " | ".join(f"({1 << i} if {self._when(number)} else 0)" for i, number in enumerate(facts.alike))
        lines = []
        for i, number in enumerate(facts.may):
            rule = self.facts.rules[number]
            lines.append(f"p = P{phase}_{verb}_{i}[{follow or 0}]")
            for named in rule.verbs:
                if named.action == self.names[verb]:
                    lines += self.offers.offers(rule, named, "found[{}] = p")
        if not doubts:
            return lines
        return [f"if {' or '.join(doubts)}:", f"  {weighed}", "else:", *[f"  {line}" for line in lines]]

    def ready(self, phase: int) -> list[str]:
        """Lines that list the automatic rules that apply."""
        lines = ["out = []"]
        for number in self.facts.autos[phase]:
            test = self._when(number)
            lines.append(f"out.append(R{number})" if test == "1" else f"if {test}: out.append(R{number})")
        return [*lines, "return out"]

    def _when(self, number: int) -> str:
        return " and ".join(self.expr.text(test, {}) for test in self.facts.now[number]) or "1"

"""Single faults, each played against the cases of its game: the clause that it breaks is among the first three."""

from __future__ import annotations

from functools import cache

import pytest
from wrong import Wrong

from truco_spec.conformance import corpus, runner
from truco_spec.conformance.cases import Instance
from truco_spec.conformance.prepared import Preparation
from truco_spec.conformance.protocol import Introduction
from truco_spec.conformance.reference import Reference
from truco_spec.conformance.sums import faults_by_clause, other_readings

FIRST = 3

LOWEST_SEAT = """define lowest except next-leader @decided:own "The lowest seat leads."
    when won(current) is not tie and size(tops(current)) > 1 = first seat s in tops(current)"""
LAST_OF_EQUALS = """define latest except next-leader @decided:own "The later of the two leads."
    when won(current) is not tie and size(tops(current)) > 1 = last seat s in tops(current) from leader"""
BEYOND_TWELVE = """rule beyond except needless-later @decided:own "Truco at twelve."
    in play by turn may truco when stake is 12"""
HALF_A_REFUSAL = """rule half except truco.refuse @decided:own "Who is not next to play runs alone."
    in truco.answer by side(truco.asked) may corro when not me is next-in-play(turn) do then truco.answer"""


class Faulty(Wrong):
    """The reference engine in all that it claims, but for some statements."""

    def hello(self) -> Introduction:
        return Reference().hello()


@cache
def cases_of(variant: str, players: int) -> tuple[Instance, ...]:
    found = [instance for case in corpus.load() for instance in corpus.instances(case) if instance.variant == variant]
    return tuple(each for each in found if len(each.players or "four") == players)


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant", "statements", "clause"),
    [
        ("mineiro", LOWEST_SEAT, "pagat:mineiro.trick.partners-equal-first-leads"),
        ("mineiro", LAST_OF_EQUALS, "pagat:mineiro.trick.partners-equal-first-leads"),
        ("paulista", LOWEST_SEAT, "partner-equal-lead"),
        ("argentino", LOWEST_SEAT, "same-team-tie-leader"),
        ("paulista", BEYOND_TWELVE, "pagat:mineiro.truco.queda-to-12-is-last"),
        ("paulista", HALF_A_REFUSAL, "pagat:mineiro.truco.first-reply-binding"),
    ],
)
def test_a_single_fault_is_blamed_on_its_clause(variant: str, statements: str, clause: str) -> None:
    faulty, preparation = Faulty(statements, variant), Preparation()
    results = [runner.play(instance, faulty, preparation) for instance in cases_of(variant, 4)]
    faults, readings = faults_by_clause(results), other_readings(results)
    assert clause in [*list(faults)[:FIRST], *list(readings)[:FIRST]]

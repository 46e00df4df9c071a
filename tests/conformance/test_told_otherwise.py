"""Implementations that read the telling of points otherwise: no fault where the sources leave it open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Introduction, Plays, Script, Seen
from truco_spec.conformance.runner import runner

pytestmark = pytest.mark.long

READINGS = [
    ("told-counts", "only-better", "low-counts"),
    ("partner-of-best", "silent-until-beaten", "silent-partners"),
    ("partner-of-best", "must-speak", "silent-partners"),
    ("flor-bet-answered-by", "announcers", "flor-bet-answers"),
]
"""An option, another value, and the decision that chose between them."""


class Otherwise(Reference):
    """The reference engine with another value of one option; ``says`` whether it tells so."""

    def __init__(self, option: str, value: str, *, says: bool) -> None:
        super().__init__()
        self.own, self.says = {option: value}, says

    def hello(self) -> Introduction:
        told = super().hello()
        if not self.says:
            return told
        variants = {name: self._without(plays) for name, plays in told.variants.items()}
        return replace(told, variants=variants)

    def _without(self, plays: Plays) -> Plays:
        options = {name: values for name, values in plays.options.items() if name not in self.own}
        return replace(plays, options=options, always=self.own if len(options) < len(plays.options) else {})

    def run(self, script: Script) -> Seen:
        return super().run(replace(script, options={**self.own, **script.options}))


@pytest.fixture(scope="module")
def told() -> list[Instance]:
    """The cases in which points are told or a flor is raised."""
    cases = chosen(corpus.load(), variants=["argentino", "uruguayo", "pica-pica"])
    return [one for one in cases if any(word in str(one.case.entry.moves) for word in ("tengo", "contraflor"))]


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize(("option", "value", "decision"), READINGS)
def test_a_reading_that_is_not_told_fails_nothing_but_cases_of_its_decision(
    told: list[Instance], option: str, value: str, decision: str
) -> None:
    failed = [
        result.instance.case for result in runner.run(told, Otherwise(option, value, says=False)) if result.faults
    ]
    assert failed
    assert not [case.id for case in failed if case.entry.level == "must" or decision not in case.entry.decisions]


@pytest.mark.sample(0, long=2)
@pytest.mark.parametrize(("option", "value", "decision"), READINGS)
def test_a_reading_that_is_told_fails_nothing(told: list[Instance], option: str, value: str, decision: str) -> None:
    results = runner.run(told, Otherwise(option, value, says=True))
    assert {result.verdict for result in results} == {"pass", "unsupported"}
    assert {r.reason for r in results if r.verdict == "unsupported"} >= {f"always plays {option} {value}"}

"""What a script asks of the rules tells by which others it goes alike, so that it need not be played by them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from release.fault_table import scripts_of
from release.rule_trace import RuleTrace, traced
from truco_spec.base.errors import TrucoError
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import Introduction, Script, Seen
from truco_spec.conformance.fit.evidence import other_values, setting_of
from truco_spec.conformance.fit.hypothesis import Hypothesis, TooLong, at_most, mutants_of_variant
from truco_spec.engine.game import program_of
from truco_spec.engine.support import PlayError

GAME = Hypothesis("paulista", 2)
SCRIPTS, CHANGES, VALUES = 25, 25, 15


def seen_by(hypothesis: Hypothesis, script: Script) -> Seen | str:
    """What the script shows, without the words of a refusal; or that it is no game."""
    graph = hypothesis.graph()
    engine = Reference(lambda _: graph)
    engine.asked = frozenset({"start", "legal", "view"})
    try:
        return engine.run(replace(script, options=dict(hypothesis.options)))
    except (Broken, PlayError, RecursionError):
        return "no game"


@pytest.mark.long
def test_who_goes_alike_shows_the_same() -> None:
    chance, alike, traces = random.Random(1), Counter[bool](), list[tuple[Script, RuleTrace, Seen | str]]()
    plain = program_of(GAME.graph())
    for script in chance.sample(scripts_of("paulista", 2), SCRIPTS):
        with traced(plain) as trace:
            seen = seen_by(GAME, script)
        traces.append((script, trace, seen))
    setting = setting_of(Introduction("any", "1", {}, ()), "paulista", 2, {})
    others = [replace(GAME, changes=(n,)) for n in chance.sample(range(len(mutants_of_variant("paulista"))), CHANGES)]
    others += [GAME.under(*value) for value in chance.sample(other_values(setting), VALUES)]
    for other in others:
        try:
            with at_most(20):
                program = program_of(other.graph())
                for script, trace, seen in traces:
                    same = trace.goes_alike(plain, program)
                    alike[same] += 1
                    assert not same or seen_by(other, script) == seen, (other, script)
        except (TrucoError, TooLong):
            continue  # it is no set of rules, or has no end
    assert min(alike.values()) > SCRIPTS, "both are to be met often"

"""Adapters in this process, for the tests of ``truco-spec fuzz``: one is right, one always sees the same stake."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from truco_spec.base.shapes import plain, read
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import RunAnswer, Script
from truco_spec.conformance.fit.hypothesis import Hypothesis, mutants_of_variant


class Right:
    """The reference engine."""

    def hello(self) -> dict[str, Any]:
        observes = ["acting", "stake", "score", "winner"]
        return {
            "protocol": 1,
            "name": "right",
            "version": "1",
            "variants": {"paulista": {"players": [2]}},
            "observes": observes,
        }

    def run(self, asked: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = plain(RunAnswer(Reference().run(read(asked, Script))))
        return answer


class Mistaken(Right):
    """The stake is two, it says."""

    def run(self, asked: dict[str, Any]) -> dict[str, Any]:
        answer = super().run(asked)
        for hand in answer["hands"]:
            for entry in (hand["start"], *hand["seen"]):
                entry["stake"] = 2
        return answer


class House(Right):
    """An engine in which no card is covered, and whose winners of a hand are credited nothing."""

    def hello(self) -> dict[str, Any]:
        observes = ["acting", "stake", "proposal", "trick", "hand", "score", "winner"]
        return {**super().hello(), "name": "house", "observes": observes}

    def run(self, asked: dict[str, Any]) -> dict[str, Any]:
        wrong = "rule score-hand: without “score(result) += stake”"
        number = next(n for n, each in enumerate(mutants_of_variant("paulista")) if str(each) == wrong)
        played = Hypothesis("paulista", 2, (("covering", "never"),), (number,))
        script = replace(read(asked, Script), options=dict(played.options))
        answer: dict[str, Any] = plain(RunAnswer(Reference(lambda _: played.graph()).run(script)))
        return answer


class Told(House):
    """The same, and it says that no card is covered."""

    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "variants": {"paulista": {"players": [2], "always": {"covering": "never"}}}}

"""Small corpora, and the miniature implementations, for the tests of the runner."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from truco_spec.base import shipped
from truco_spec.conformance.adapters.pipe import Limits, Pipe
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result

QUICK = Limits(case=0.7, start=10.0, stray=0.3, bye=0.5)
DEAL = "{P1: 3C 2C 7S, P2: 3H 2H 7H, P3: KS JS QS, P0: 4C 4H 5D, vira: 5H}"

THREE = "".join(
    f"""
  - id: own-three-{points}
    title: The stake is as many as the points
    clauses: [paulista.dirty-deck]
    level: must
    score: {{P1: {points}}}
    deal: {DEAL}
    moves: [P1 3C, expect: {{stake: {points}}}]
"""
    for points in (1, 2, 3)
)


def case_file(folder: Path, cases: str) -> Path:
    path = folder / "cases.yaml"
    path.write_text(f"corpus: 1\nsource: pagat\napplies: {{variants: [paulista]}}\ncases:\n{cases}", encoding="utf-8")
    return path


def instances(folder: Path, cases: str = THREE) -> tuple[Instance, ...]:
    found = corpus.load([case_file(folder, cases)])
    return tuple(instance for case in found for instance in corpus.instances(case))


def command(name: str, *arguments: str) -> list[str]:
    return [sys.executable, str(shipped.folder("conformance") / "miniatures" / f"{name}.py"), *arguments]


def play(folder: Path, name: str, *arguments: str, cases: str = THREE, limits: Limits = QUICK) -> Sequence[Result]:
    with Pipe(command(name, *arguments), limits) as pipe:
        return runner.run(instances(folder, cases), pipe)


def verdicts(results: Sequence[Result]) -> list[str]:
    return [result.verdict for result in results]

"""One HTML file: every case with its table drawn step by step. It asks the network for nothing, and can be read without
its script, which only filters. Its own rules allow no other script, so that a text from outside could not even be one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial

from truco_spec.conformance.clauses import text_of as clause_text
from truco_spec.conformance.reports.beside import beside, of_level, strangers
from truco_spec.conformance.reports.events import Run
from truco_spec.conformance.reports.known import notes
from truco_spec.conformance.reports.table import steps
from truco_spec.conformance.sums import faults_by_clause, not_playable, other_readings, score, scores, totals
from truco_spec.conformance.verdicts import NEGATIVE, VERDICTS
from truco_spec.pages.environment import page


def text_of(run: Run) -> str:
    """The page of a run."""
    counts = Counter(case.verdict for case in run.cases)
    values = {
        "run": run,
        "totals": totals(run.cases),
        "verdicts": [verdict for verdict in VERDICTS if verdict == "pass" or counts[verdict]],
        "variants": sorted({case.variant for case in run.cases}),
        "clauses": sorted({clause for case in run.cases for clause in (*case.clauses, *case.decisions)}),
        "wrong": [played.case for played in run.wrong],
        "negative": NEGATIVE,
        "faults": faults_by_clause(run.cases),
        "readings": other_readings(run.cases),
        "unplayable": not_playable(run.cases),
        "reasons": Counter(case.reason for case in run.cases if case.reason).most_common(),
        "scores": scores(run.cases),
        "score": score(run.cases),
        "strangers": strangers(run),
        "of_level": partial(of_level, run),
        "beside": beside(run),
        "notes": list(notes(run.cases)),
        "anchors": anchors(case.name for case in run.cases),
        "steps": steps,
        "clause_text": lru_cache(maxsize=None)(clause_text),
    }
    return page(__package__ or "", "page", values)


def anchors(names: Iterable[str]) -> Mapping[str, str]:
    """Name of a case: the place on the page to which a permalink leads. The same name has the same place in any run,
    unless another case of the run has almost the same name.
    """
    found: dict[str, str] = {}
    taken: Counter[str] = Counter()
    for name in names:
        anchor = f"case-{re.sub(r'[^A-Za-z0-9.]+', '-', name)}".strip("-")
        taken[anchor] += 1
        found[name] = anchor if taken[anchor] == 1 else f"{anchor}--{taken[anchor]}"
    return found

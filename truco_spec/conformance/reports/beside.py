"""The scores of the baseline players on the judged cases, shown beside a result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from truco_spec.conformance.corpus.cases import Level
from truco_spec.conformance.reports.events import Run
from truco_spec.conformance.reports.totals import Score, score
from truco_spec.conformance.runner.verdicts import NEGATIVE, PASSED, CaseReport, Known

_NAME, _MOST = re.compile("[a-z][a-z-]{0,15}"), 5


def strangers(run: Run) -> tuple[str, ...]:
    """The baseline players with known scores in the run."""
    found = dict.fromkeys(player for level in run.beside.values() for player in level)
    return tuple(player for player in found if _NAME.fullmatch(player))[:_MOST]


def of_level(run: Run, level: Level) -> Mapping[str, Score]:
    """Their scores on the judged cases of one level."""
    judged = score(case for case in run.cases if case.level == level).judged
    found = run.beside.get(level, {})
    return {player: Score(found.get(player, 0), judged) for player in strangers(run)}


def theirs(run: Run) -> Mapping[str, Score]:
    """Their scores on the judged cases, over all levels."""
    judged = score(run.cases).judged
    return {player: Score(sum(of.get(player, 0) for of in run.beside.values()), judged) for player in strangers(run)}


def beside(run: Run) -> str:
    """The same in words, to append; empty if unknown."""
    found = theirs(run)
    told = ", ".join(f"{player} {of.share}" for player, of in found.items() if of.judged)
    return f"; without knowing the game: {told}" if told else ""


# --------------------------------------------------------------------------------------------------
# Notes on outdated expected failures, for every report.


def notes(cases: Iterable[CaseReport]) -> Iterator[tuple[str, str]]:
    """The name of a case, and what to do about its entry; empty for a current one, and under xpass."""
    for case in cases:
        if case.known is not None and (note := _note(case, case.known)):
            yield case.name, note


def _note(case: CaseReport, known: Known) -> str:
    if case.verdict in ("unsupported", "unobserved"):
        return f"is {case.verdict}: the entry {known.id} is needless, delete it"
    if known.expired and case.verdict in PASSED:
        return f"passes, and was expected to fail until {known.expires}: delete the entry {known.id}"
    if known.expired:
        return f"was expected to fail until {known.expires}, and fails the run now: mend it, or set another day"
    if case.verdict in NEGATIVE - {"xpass"}:
        return f"was expected to come to {known.verdict}, not to {case.verdict}"
    return ""


# ---- The text of a clause, by its full name ------------------------------------------------------


def text_of(name: str) -> str | None:
    """The text of the clause ``source:id``, the question of the gap or the values of the option; None if unknown."""
    from truco_spec.base.safe_yaml import YamlError
    from truco_spec.graph.sources import UnknownSource, registry  # most runs need no clauses

    source, _, cite = name.partition(":")
    try:
        found = registry(source)
        if cite in found.clauses:
            return found.clauses[cite].text
        if cite in found.gaps:
            return found.gaps[cite].question
        if cite in found.options:
            return f"A switch: {', '.join(found.options[cite].values)}."
    except (UnknownSource, YamlError):
        return None
    return None

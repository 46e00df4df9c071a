"""What stands beside a result: what players come to who know nothing of the game, on the cases that were judged."""

from __future__ import annotations

import re
from collections.abc import Mapping

from truco_spec.conformance.cases import Level
from truco_spec.conformance.reports.events import Run
from truco_spec.conformance.sums import Score, score

_NAME, _MOST = re.compile("[a-z][a-z-]{0,15}"), 5


def strangers(run: Run) -> tuple[str, ...]:
    """The players who know nothing of the game, as far as the run tells what they come to."""
    found = dict.fromkeys(player for level in run.beside.values() for player in level)
    return tuple(player for player in found if _NAME.fullmatch(player))[:_MOST]


def of_level(run: Run, level: Level) -> Mapping[str, Score]:
    """What these players come to on the cases of one level that were judged."""
    judged = score(case for case in run.cases if case.level == level).judged
    found = run.beside.get(level, {})
    return {player: Score(found.get(player, 0), judged) for player in strangers(run)}


def theirs(run: Run) -> Mapping[str, Score]:
    """What these players come to on the cases that were judged, over all levels."""
    judged = score(run.cases).judged
    return {player: Score(sum(of.get(player, 0) for of in run.beside.values()), judged) for player in strangers(run)}


def beside(run: Run) -> str:
    """The same as words behind others; nothing where it is not known."""
    found = theirs(run)
    told = ", ".join(f"{player} {of.share}" for player, of in found.items() if of.judged)
    return f"; without knowing the game: {told}" if told else ""

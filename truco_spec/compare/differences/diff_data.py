"""A comparison as plain data, for JSON; ``conformance/schema/diff.schema.json`` describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from truco_spec.base.shapes import plain
from truco_spec.compare.core.sides import Side
from truco_spec.compare.core.statements import ComparedStatement
from truco_spec.compare.differences.pair import Outcome, Parting
from truco_spec.compare.differences.result import Comparison, Explained, Shown
from truco_spec.compare.differences.rows import outcome_text
from truco_spec.logs.line import write_line

FORMAT: Literal[1] = 1
"""The version of this format, raised by incompatible changes."""


@dataclass(frozen=True, slots=True)
class SideData:
    """One side."""

    variant: Annotated[str, "The name of its variant."]
    options: Annotated[Mapping[str, str], "The options asked for."]
    title: Annotated[str, "The title of its variant."]


@dataclass(frozen=True, slots=True)
class ClauseData:
    """A clause that differs, in the rules language with options folded away; null where it is not there."""

    clause: str
    a: str | None
    b: str | None


@dataclass(frozen=True, slots=True)
class StatementData:
    """What one side says."""

    sentence: str
    cites: Annotated[tuple[str, ...], "Clauses, as source:clause."]
    lineage: Annotated[tuple[str, ...], "The variants that made it what it is, oldest first."]
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class DifferenceData:
    """One difference: it has a log, or a reason why there is none; neither where none was looked for."""

    kind: str
    name: str
    group: Annotated[str, "The chapter of the rules."]
    change: Literal["added", "dropped", "replaced", "other value", "wording"]
    options: Annotated[tuple[str, ...], "Options, set differently, that it names."]
    clauses: tuple[ClauseData, ...]
    a: StatementData | None
    b: StatementData | None
    log: Annotated[int | None, "The number of its log."] = None
    shows: Annotated[str, "What the log shows: apart, led to it, at work."] = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OutcomeData:
    """What one side says of the move at which the two part."""

    status: Annotated[str, "permitted, forbidden, not-offered, refused or unknown."]
    rules: tuple[str, ...]
    text: Annotated[str, "In words."]
    observed: Annotated[Mapping[str, Any], "What all could tell after it, where the sides differ."]


@dataclass(frozen=True, slots=True)
class PartsData:
    """Where the two part."""

    move: Annotated[int, "The number of the move, from 1; 0 before the first."]
    by: Literal["move", "observed", "view"]
    a: OutcomeData
    b: OutcomeData


@dataclass(frozen=True, slots=True)
class LogData:
    """A log, by the rules of each side."""

    number: int
    players: int
    a: Annotated[str, "The log in one line."]
    b: Annotated[str, "The log in one line."]
    played_by: Annotated[Literal["a", "b"], "Who can play it to its end, where only one can."]
    parts: Annotated[PartsData | None, "Null where nobody can tell a difference, or both refuse the last move."]


@dataclass(frozen=True, slots=True)
class DiffData:
    """The whole."""

    diff: Literal[1]
    a: SideData
    b: SideData
    players: Annotated[tuple[int, ...], "For so many players logs were looked for."]
    seed: str
    positions: Annotated[int, "So many were looked at."]
    differences: tuple[DifferenceData, ...]
    logs: tuple[LogData, ...]


def data_of(comparison: Comparison) -> Any:
    """Everything that was found, as plain JSON."""
    a, b = comparison.a, comparison.b
    return plain(
        DiffData(
            diff=FORMAT,
            a=_side(a, comparison.graphs[0].title),
            b=_side(b, comparison.graphs[1].title),
            players=comparison.players,
            seed=comparison.seed,
            positions=comparison.positions,
            differences=tuple(_difference(explained) for explained in comparison.found),
            logs=tuple(_log(a, b, shown) for shown in comparison.logs),
        )
    )


def _side(side: Side, title: str) -> SideData:
    return SideData(side.variant, dict(side.options), title)


def _difference(explained: Explained) -> DifferenceData:
    difference = explained.difference
    return DifferenceData(
        kind=difference.key[0],
        name=difference.key[1],
        group=difference.group,
        change=difference.change,  # type: ignore[arg-type]
        options=difference.by,
        clauses=tuple(ClauseData(name, a or None, b or None) for name, a, b in difference.parts),
        a=_statement(difference.a),
        b=_statement(difference.b),
        log=explained.log.number if explained.log is not None else None,
        shows=explained.shows,
        reason=explained.reason,
    )


def _statement(statement: ComparedStatement | None) -> StatementData | None:
    if statement is None:
        return None
    return StatementData(statement.sentence, statement.cites, statement.lineage, statement.file, statement.line)


def _log(a: Side, b: Side, shown: Shown) -> LogData:
    return LogData(
        number=shown.number,
        players=len(shown.course.players),
        a=write_line(shown.course.log(a)),
        b=write_line(shown.course.log(b)),
        played_by="b" if shown.by else "a",
        parts=None if shown.parting is None else _parts(shown.parting),
    )


def _parts(parting: Parting) -> PartsData:
    by: Any = parting.kind
    return PartsData(parting.at + 1, by, _outcome(parting.a), _outcome(parting.b))


def _outcome(outcome: Outcome) -> OutcomeData:
    return OutcomeData(outcome.status, outcome.rules, outcome_text(outcome), dict(outcome.told))

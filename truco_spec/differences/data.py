"""A comparison as plain data, for JSON."""

from __future__ import annotations

from typing import Any

from truco_spec.differences.courses import Course
from truco_spec.differences.judge import Outcome
from truco_spec.differences.result import Comparison, Explained, Shown
from truco_spec.differences.sides import Side
from truco_spec.differences.statements import Statement
from truco_spec.differences.words import outcome_text
from truco_spec.logs.line import write_line

FORMAT = 1
"""The number of this form; it grows when a reader has to change."""


def data_of(comparison: Comparison) -> dict[str, Any]:
    """Everything that was found."""
    return {
        "diff": FORMAT,
        "a": _side(comparison.a, comparison.graphs[0].title),
        "b": _side(comparison.b, comparison.graphs[1].title),
        "players": list(comparison.players),
        "seed": comparison.seed,
        "positions": comparison.positions,
        "differences": [_explained(explained) for explained in comparison.found],
        "logs": [_log(comparison, shown) for shown in comparison.logs],
    }


def _side(side: Side, title: str) -> dict[str, Any]:
    return {"variant": side.variant, "options": dict(side.options), "title": title}


def _explained(explained: Explained) -> dict[str, Any]:
    difference = explained.difference
    found: dict[str, Any] = {
        "kind": difference.key[0],
        "name": difference.key[1],
        "group": difference.group,
        "change": difference.change,
        "options": list(difference.by),
        "clauses": [{"clause": name, "a": a or None, "b": b or None} for name, a, b in difference.parts],
        "a": _statement(difference.a),
        "b": _statement(difference.b),
    }
    if explained.log is not None:
        found |= {"log": explained.log.number, "shows": explained.shows}
    elif explained.reason:
        found["reason"] = explained.reason
    return found


def _statement(statement: Statement | None) -> dict[str, Any] | None:
    if statement is None:
        return None
    return {
        "sentence": statement.sentence,
        "cites": list(statement.cites),
        "lineage": list(statement.lineage),
        "file": statement.file,
        "line": statement.line,
    }


def _log(comparison: Comparison, shown: Shown) -> dict[str, Any]:
    parting = shown.parting
    found: dict[str, Any] = {
        "number": shown.number,
        "players": len(shown.course.players),
        "a": _line(shown.course, comparison.a),
        "b": _line(shown.course, comparison.b),
        "played by": "ab"[shown.by],
    }
    if parting is not None:
        found["parts"] = {
            "move": parting.at + 1,
            "by": parting.kind,
            "a": _outcome(parting.a),
            "b": _outcome(parting.b),
        }
    return found


def _line(course: Course, side: Side) -> str:
    return write_line(course.log(side))


def _outcome(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = {"status": outcome.status, "rules": list(outcome.rules), "text": outcome_text(outcome)}
    return {**found, "observed": dict(outcome.told)} if outcome.told else found

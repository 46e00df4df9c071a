"""Comparisons in words: each side's result of the last move of a log, and the summary of a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from truco_spec.compare.core.statements import ComparedStatement
from truco_spec.compare.differences.graph_diff import CHANGES, WORDING, Difference
from truco_spec.compare.differences.pair import REFUSED, SETUP, UNKNOWN, Outcome
from truco_spec.compare.differences.result import Comparison, Explained, Shown
from truco_spec.logs.line import write_line

LONGEST_CLAUSE = 300
"""Maximum characters of a clause shown; JSON has them all."""


@dataclass(frozen=True, slots=True)
class Told:
    """A log for people: one line, the move at which it ends, and each side's result."""

    number: int
    line: str
    move: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A difference for people. ``clauses`` are name, text in A, text in B; ``log`` is 0 if there is none."""

    name: str
    change: str
    by: tuple[str, ...]
    a: ComparedStatement | None
    b: ComparedStatement | None
    clauses: tuple[tuple[str, str, str], ...]
    log: int
    shows: str
    reason: str

    @property
    def sides(self) -> tuple[tuple[str, ComparedStatement], ...]:
        """The statements by side: joint if both are equal, omitted if a side has none."""
        a, b = self.a, self.b
        if a is not None and b is not None and (a.sentence, a.cites) == (b.sentence, b.cites):
            return (("A, B", a),)
        return tuple((side, statement) for side, statement in zip("AB", (a, b), strict=True) if statement is not None)


SHOWN = {
    "apart": "they part by it",
    "led to it": "it led to where they part",
    "at work": "it is at work here",
}


def summary(comparison: Comparison) -> str:
    """The number of differences, by kind of change."""
    counts = Counter(explained.difference.change for explained in comparison.found)
    told = [f"{counts[change]} {change}" for change in CHANGES if counts[change]]
    return f"{len(comparison.found)} differences: {', '.join(told)}." if told else "No difference."


def looked(comparison: Comparison) -> str:
    """The extent of the search; empty without one."""
    if not comparison.positions:
        return ""
    sizes = " and for ".join(str(number) for number in comparison.players)
    players = f"for {sizes} players" if sizes else "for each by itself: there is no table for both"
    return f"{comparison.positions:,} positions were looked at, {players}; seed {comparison.seed}."


def groups(comparison: Comparison, *, everything: bool) -> Iterator[tuple[str, list[DifferenceRow], int]]:
    """The differences by group, and the number omitted in each because only their wording differs."""
    order = dict.fromkeys(explained.difference.group for explained in comparison.found)
    for group in order:
        some = [explained for explained in comparison.found if explained.difference.group == group]
        rows = [row_of(e) for e in some if everything or e.difference.change != WORDING]
        if rows or len(some) > len(rows):
            yield group, rows, len(some) - len(rows)


def row_of(explained: Explained) -> DifferenceRow:
    """One difference."""
    difference = explained.difference
    return DifferenceRow(
        name=difference.name,
        change=difference.change,
        by=difference.by,
        a=difference.a,
        b=difference.b,
        clauses=tuple(_clauses(difference)),
        log=explained.log.number if explained.log is not None else 0,
        shows=SHOWN.get(explained.shows, ""),
        reason=explained.reason,
    )


def _clauses(difference: Difference) -> Iterator[tuple[str, str, str]]:
    """For a statement of both, the clauses that differ; for one of a single side, its sentence."""
    both = difference.a is not None and difference.b is not None
    if both or not difference.one.sentence:
        for name, a, b in difference.parts:
            yield name, _short(a), _short(b)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_CLAUSE else f"{text[:LONGEST_CLAUSE]}…"


def told_log(comparison: Comparison, shown: Shown) -> Told:
    """A log with the result of its last move."""
    side = (comparison.a, comparison.b)[shown.by]
    line = write_line(shown.course.log(side))
    moves = [text for said in shown.course.moves for text in said]
    parting = shown.parting
    if parting is None:
        a, b = (_alike(outcome) for outcome in shown.ends or ())
        return Told(shown.number, line, moves[-1] if moves else "", a, b)
    at = moves[parting.at] if parting.at != SETUP and parting.at < len(moves) else ""
    return Told(shown.number, line, at, outcome_text(parting.a), outcome_text(parting.b))


def _alike(outcome: Outcome) -> str:
    """The result of a move at which the two do not part."""
    if outcome.status in (REFUSED, UNKNOWN):
        return outcome.message
    return f"{outcome.status.replace('-', ' ')}; nobody can tell a difference"


def outcome_text(outcome: Outcome) -> str:
    """The result of a move, in words."""
    if outcome.status in (REFUSED, UNKNOWN):
        return outcome.message
    told = "; ".join(f"{name} {value_text(value)}" for name, value in outcome.told.items())
    status = outcome.status.replace("-", " ")
    rules = f" (by {', '.join(outcome.rules[:3])})" if outcome.rules and not told else ""
    if status == "permitted" and told:
        return told
    return f"{status}{rules}{': ' if told else ''}{told}"


def value_text(value: object) -> str:
    """An observation."""
    if isinstance(value, Mapping):
        if set(value) == {"hidden"}:
            return f"{value['hidden']} hidden"
        return ", ".join(f"{name} {value_text(item)}" for name, item in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)

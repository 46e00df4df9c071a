"""A comparison for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from truco_spec.conformance.reports.texts import visible
from truco_spec.differences.result import Comparison
from truco_spec.differences.statements import Statement
from truco_spec.differences.words import Row, Told, groups, looked, summary, told_log


def text_of(comparison: Comparison, width: int = 100, *, everything: bool = False) -> str:
    """In lines of at most ``width`` characters, logs apart: those are for copying."""
    return visible("\n".join(_lines(comparison, width, everything=everything)) + "\n")


def _lines(comparison: Comparison, width: int, *, everything: bool) -> Iterator[str]:
    a, b = comparison.a, comparison.b
    yield f"A  {a.head}: {comparison.graphs[0].title}"
    yield f"B  {b.head}: {comparison.graphs[1].title}"
    yield ""
    yield summary(comparison)
    if looked(comparison):
        yield looked(comparison)
    logs = {shown.number: told_log(comparison, shown) for shown in comparison.logs}
    told: set[int] = set()
    for group, rows, left_out in groups(comparison, everything=everything):
        yield ""
        yield group.upper()
        for row in rows:
            yield ""
            yield from _row(row, width)
            if row.log and row.log in told:
                yield f"    log {row.log}, above: {row.shows}"
            elif row.log:
                told.add(row.log)
                yield f"    log {row.log}: {row.shows}"
                yield from _log(logs[row.log], width)
            elif row.reason:
                yield f"    {row.reason}"
        if left_out:
            yield ""
            yield f"  {left_out} more in wording or citations only (--all)."


def _row(row: Row, width: int) -> Iterator[str]:
    by = f" (option {', '.join(row.by)})" if row.by else ""
    yield f"  {row.name}: {row.change}{by}"
    for side, statement in row.sides:
        yield from _statement(side, statement, width)
    for name, a, b in row.clauses:
        yield from _wrapped(f"    {name}: ", a or "–", width)
        yield from _wrapped(f"    {' ' * (len(name) - 1)}→ ", b or "–", width)


def _statement(side: str, statement: Statement, width: int) -> Iterator[str]:
    if statement.sentence:
        yield from _wrapped(f"    {side}  ", statement.sentence, width)
    if statement.cites:
        margin = "    " if statement.sentence else f"    {side}  "
        yield from _wrapped(margin.ljust(len(f"    {side}  ")), " ".join(f"@{cite}" for cite in statement.cites), width)


def _log(told: Told, width: int) -> Iterator[str]:
    yield f"      {told.line}"
    if told.move:
        yield f"      at “{told.move}”:"
    yield from _wrapped("        A  ", told.a, width)
    yield from _wrapped("        B  ", told.b, width)


def _wrapped(lead: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text or "–",
        max(width, 40),
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_on_hyphens=False,
        break_long_words=False,
    )

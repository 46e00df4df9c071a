"""A comparison in Markdown. Whatever comes from a spec stands in code: there nothing is markup."""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.conformance.reports.markdown import block, code
from truco_spec.differences.result import Comparison
from truco_spec.differences.statements import Statement
from truco_spec.differences.words import Row, groups, looked, summary, told_log


def markdown_of(comparison: Comparison, *, everything: bool = False) -> str:
    """A page of Markdown; logs stand in blocks, to be copied."""
    return "\n".join(_lines(comparison, everything=everything)).rstrip() + "\n"


def _lines(comparison: Comparison, *, everything: bool) -> Iterator[str]:
    a, b = comparison.a, comparison.b
    yield f"# {code(a.head)} and {code(b.head)}"
    yield ""
    yield f"- A: {code(comparison.graphs[0].title)}"
    yield f"- B: {code(comparison.graphs[1].title)}"
    yield ""
    yield f"{summary(comparison)} {looked(comparison)}".rstrip()
    for group, rows, left_out in groups(comparison, everything=everything):
        yield ""
        yield f"## {code(group)}"
        for row in rows:
            yield ""
            yield from _row(row)
        if left_out:
            yield ""
            yield f"{left_out} more in wording or citations only."
    if comparison.logs:
        yield ""
        yield "## Logs"
    for shown in comparison.logs:
        told = told_log(comparison, shown)
        yield ""
        yield f"### Log {told.number}"
        yield ""
        yield block(told.line)
        yield ""
        if told.move:
            yield f"At {code(told.move)}:"
            yield ""
        yield f"- A: {code(told.a)}"
        yield f"- B: {code(told.b)}"


def _row(row: Row) -> Iterator[str]:
    by = f", option {', '.join(map(code, row.by))}" if row.by else ""
    yield f"- {code(row.name)}: **{row.change}**{by}"
    for side, statement in row.sides:
        yield f"  - {side}: {_statement(statement)}"
    for name, a, b in row.clauses:
        yield f"  - {code(name)}: {code(a or '–')} → {code(b or '–')}"
    if row.log:
        yield f"  - Log {row.log}: {row.shows}."
    elif row.reason:
        yield f"  - {row.reason}"


def _statement(statement: Statement) -> str:
    cites = " ".join(code(f"@{cite}") for cite in statement.cites)
    return " ".join(part for part in (code(statement.sentence) if statement.sentence else "", cites) if part) or "–"

"""A comparison for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from truco_spec.base.texts import visible
from truco_spec.compare.core.statements import Statement
from truco_spec.compare.differences.result import Comparison
from truco_spec.compare.differences.words import Row, Told, groups, looked, summary, told_log
from truco_spec.conformance.reports.markdown import block, code
from truco_spec.pages.html import page


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


# --------------------------------------------------------------------------------------------------
# A comparison in Markdown. Whatever comes from a spec stands in code: there nothing is markup.


def markdown_of(comparison: Comparison, *, everything: bool = False) -> str:
    """A page of Markdown; logs stand in blocks, to be copied."""
    return "\n".join(_markdown_lines(comparison, everything=everything)).rstrip() + "\n"


def _markdown_lines(comparison: Comparison, *, everything: bool) -> Iterator[str]:
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
            yield from _markdown_row(row)
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


def _markdown_row(row: Row) -> Iterator[str]:
    by = f", option {', '.join(map(code, row.by))}" if row.by else ""
    yield f"- {code(row.name)}: **{row.change}**{by}"
    for side, statement in row.sides:
        yield f"  - {side}: {_markdown_statement(statement)}"
    for name, a, b in row.clauses:
        yield f"  - {code(name)}: {code(a or '–')} → {code(b or '–')}"
    if row.log:
        yield f"  - Log {row.log}: {row.shows}."
    elif row.reason:
        yield f"  - {row.reason}"


def _markdown_statement(statement: Statement) -> str:
    cites = " ".join(code(f"@{cite}") for cite in statement.cites)
    return " ".join(part for part in (code(statement.sentence) if statement.sentence else "", cites) if part) or "–"


# ---- A comparison as one HTML page that needs no script and asks the network for nothing ---------


def html_of(comparison: Comparison, *, everything: bool = False) -> str:
    """The page."""
    values = {
        "comparison": comparison,
        "summary": summary(comparison),
        "looked": looked(comparison),
        "groups": list(groups(comparison, everything=everything)),
        "logs": {shown.number: told_log(comparison, shown) for shown in comparison.logs},
    }
    return page(__package__ or "", "differences", values)

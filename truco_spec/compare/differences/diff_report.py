"""A comparison as a document: each difference with both sides, and the log that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.base.document import (
    Block,
    Code,
    Heading,
    Item,
    Link,
    LogBlock,
    Paragraph,
    Part,
    RuleBlock,
    Strong,
    items,
    listed,
)
from truco_spec.compare.core.statements import ComparedStatement
from truco_spec.compare.differences.result import Comparison
from truco_spec.compare.differences.rows import DifferenceRow, Told, groups, looked, summary, told_log


def document_of(comparison: Comparison, *, everything: bool = False) -> Iterator[Block]:
    """The comparison; ``everything``: including differences in wording or citations only."""
    heads = [Code(side.head) for side in (comparison.a, comparison.b)]
    yield Heading(1, listed(heads, " and "))
    sides = zip("AB", heads, comparison.graphs, strict=True)
    yield items(*(Item((head, ": ", Code(graph.title)), label=side) for side, head, graph in sides))
    yield Paragraph(f"{summary(comparison)} {looked(comparison)}".rstrip())
    logs = {shown.number: told_log(comparison, shown) for shown in comparison.logs}
    for group, rows, left_out in groups(comparison, everything=everything):
        yield Heading(2, Code(group))
        if left_out:
            yield Paragraph(f"{left_out} more in wording or citations only (--all).")
        for row in rows:
            yield from _difference(row)
            yield from _log(row, logs.pop(row.log, None))


def _difference(row: DifferenceRow) -> Iterator[Block]:
    by: tuple[Part, ...] = (" (option ", *listed(map(Code, row.by)), ")") if row.by else ()
    yield Heading(3, (Code(row.name), ": ", Strong(row.change), *by))
    said = [_statement(side, statement) for side, statement in row.sides]
    parts = [Item((Code(a or "–"), " → ", Code(b or "–")), label=name) for name, a, b in row.clauses]
    if said or parts:
        yield items(*said, *parts)


def _statement(side: str, statement: ComparedStatement) -> RuleBlock:
    cites = listed((Code(f"@{cite}") for cite in statement.cites), " ")
    return (
        RuleBlock(statement.sentence, (cites,) if cites else (), side)
        if statement.sentence
        else RuleBlock(cites, (), side)
    )


def _log(row: DifferenceRow, told: Told | None) -> Iterator[Block]:
    """The log that shows a difference, at its first use."""
    if told is not None:
        yield Heading(4, f"Log {told.number}: {row.shows}", f"log-{told.number}")
        yield LogBlock(told.line)
        if told.move:
            yield Paragraph(("At ", Code(told.move), ":"))
        yield items(*(Item(text, label=side) for side, text in zip("AB", (told.a, told.b), strict=True)))
    elif row.log:
        yield Paragraph((Link(f"Log {row.log}", f"#log-{row.log}"), f", above: {row.shows}"))
    elif row.reason:
        yield Paragraph(row.reason)

"""The table in Markdown. Whatever comes from a spec stands in code: there nothing is markup."""

from __future__ import annotations

from truco_spec.conformance.reports.markdown import code
from truco_spec.questions.table import Table
from truco_spec.questions.text import FOOT, MARK, marked


def markdown_of(table: Table) -> str:
    """One table for each part."""
    lines = ["# The variants, question by question", ""]
    lines += [f"- {_cell(name)}: {code(title)}" for name, title in zip(table.names, table.titles, strict=True)]
    for part in table.parts:
        lines += ["", f"## {code(part.title)}", ""]
        lines.append("| question | " + " | ".join(_cell(name) for name in table.names) + " |")
        lines.append("|---|" + "---|" * len(table.names))
        for row in part.rows:
            lines.append(f"| {_cell(row.ask)} | " + " | ".join(_cell(marked(cell)) for cell in row.cells) + " |")
    return "\n".join([*lines, "", FOOT.replace(MARK, f"\\{MARK}", 1)]) + "\n"


def _cell(text: str) -> str:
    return code(text).replace("|", "\\|")

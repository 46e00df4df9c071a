"""The JSON Schemas of the project's files and messages, generated from the types.

``python -m release.schemas`` writes them into ``conformance/schema`` of the checkout.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from truco_spec.base import shipped
from truco_spec.base.glossary import GlossaryFile
from truco_spec.base.project import Manifest
from truco_spec.base.shapes import json_schema
from truco_spec.compare.differences.diff_report import DiffData
from truco_spec.compare.questions.table import QuestionsFile
from truco_spec.conformance.corpus import cases, protocol, ready
from truco_spec.conformance.runner import dividing, expected, verdicts
from truco_spec.graph.sources import SourceDocument


def schemas() -> Mapping[str, dict[str, Any]]:
    """File name: schema."""
    requests = (
        protocol.HelloRequest,
        protocol.RunRequest,
        protocol.DealRequest,
        protocol.PerftRequest,
        protocol.ByeRequest,
    )
    answers = (
        protocol.Introduction,
        protocol.RunAnswer,
        protocol.DealAnswer,
        protocol.PerftAnswer,
        protocol.ErrorAnswer,
    )
    return {
        "case.schema.json": json_schema({"file": cases.CaseFile}, "A file of cases", open_ended=False),
        "protocol-request.schema.json": json_schema(
            {kind.__name__: kind for kind in requests}, "What the runner sends", open_ended=True
        ),
        "protocol-answer.schema.json": json_schema(
            {kind.__name__: kind for kind in answers}, "What an implementation answers, besides id", open_ended=True
        ),
        "scripts.schema.json": json_schema(
            {"Head": ready.Head, "Line": ready.CaseLine},
            "A line of a file of the corpus ready to send",
            open_ended=False,
        ),
        "report.schema.json": json_schema({"report": verdicts.Report}, "The report of a run", open_ended=False),
        "expected.schema.json": json_schema(
            {"file": expected.ExpectedFile}, "A file of expected failures", open_ended=False
        ),
        "glossary.schema.json": json_schema({"file": GlossaryFile}, "A file of the glossary", open_ended=False),
        "diff.schema.json": json_schema({"comparison": DiffData}, "How two variants differ", open_ended=False),
        "sources.schema.json": json_schema({"Source": SourceDocument}, "A registry of clauses", open_ended=False),
        "perft.schema.json": json_schema(
            {"file": dividing.PerftFile}, "A file of positions of perft", open_ended=False
        ),
        "project.schema.json": json_schema({"file": Manifest}, "The manifest of a project", open_ended=False),
        "questions.schema.json": json_schema({"file": QuestionsFile}, "A file of questions", open_ended=False),
    }


def write(folder: Path) -> None:
    """Write every schema into the folder."""
    for name, schema in schemas().items():
        (folder / name).write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(shipped.folder("conformance") / "schema")

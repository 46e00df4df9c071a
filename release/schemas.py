"""The JSON Schemas of the project's files and messages, generated from the types.

``python -m release.schemas`` writes them into ``conformance/schema`` of the checkout.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from truco_spec.base import shipped
from truco_spec.base.project import Manifest
from truco_spec.compare.diff_report import DiffData
from truco_spec.compare.questions import QuestionsFile
from truco_spec.conformance.corpus import cases, protocol, ready
from truco_spec.conformance.runner import dividing, verdicts
from truco_spec.graph.plan import GlossaryFile
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
            {"file": verdicts.ExpectedFile}, "A file of expected failures", open_ended=False
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


def json_schema(kinds: Mapping[str, Any], title: str, *, open_ended: bool) -> dict[str, Any]:
    """Return a JSON Schema (2020-12) of a document that is one of ``kinds``. ``open_ended``: unknown keys pass."""
    definitions: dict[str, Any] = {}
    roots = {name: _schema_of(kind, definitions, open_ended) for name, kind in kinds.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "$comment": "Generated from the types by python -m release.schemas; do not edit.",
        **(next(iter(roots.values())) if len(roots) == 1 else {"anyOf": list(roots.values())}),
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def _schema_of(kind: Any, definitions: dict[str, Any], open_ended: bool) -> dict[str, Any]:
    if kind is Any:
        return {}
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}
            definitions[kind.__name__] = _schema_of_record(kind, definitions, open_ended)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return {**_schema_of(parts[0], definitions, open_ended), "description": parts[1]}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_schema_of(part, definitions, open_ended) for part in parts]}
    if origin is tuple:
        return {"type": "array", "items": _schema_of(parts[0], definitions, open_ended)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema_of(parts[1], definitions, open_ended)}
    names = {str: "string", int: "integer", bool: "boolean", types.NoneType: "null", None: "null"}
    return {"type": names[kind]}


def _schema_of_record(kind: type, definitions: dict[str, Any], open_ended: bool) -> dict[str, Any]:
    hints = typing.get_type_hints(kind, include_extras=True)
    properties, required = {}, []
    for field in dataclasses.fields(kind):
        properties[field.name] = _schema_of(hints[field.name], definitions, open_ended)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            required.append(field.name)
    schema: dict[str, Any] = {"type": "object", "description": " ".join((kind.__doc__ or "").split())}
    schema |= {"properties": properties, "required": required}
    if not open_ended:
        schema["additionalProperties"] = False
    return schema


def write(folder: Path) -> None:
    """Write every schema into the folder."""
    for name, schema in schemas().items():
        (folder / name).write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(shipped.folder("conformance") / "schema")

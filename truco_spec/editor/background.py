"""The exact checks of a text, in a process of their own: they take seconds, and are ended when the text changes.

In, on the standard input: JSON with ``path``, ``variant`` and ``texts`` (path: source of those that differ from the
files). Out: the findings in that text as JSON, each with the fields of a diagnostic.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from typing import Any

from truco_spec.base.errors import TrucoError
from truco_spec.checks.checking import check_linked
from truco_spec.editor.texts import Desk, Text
from truco_spec.language.diagnostics import Diagnostic
from truco_spec.language.spans import Span


def found_in(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Check a variant as seen from a file; return what is found in that file, without doubts."""
    desk = Desk({path: Text(source) for path, source in asked["texts"].items()})
    try:
        found = check_linked(desk.variant(asked["variant"], asked["path"]))
    except TrucoError:
        return []
    return [asdict(d) for d in found if d.severity != "note" and d.span.file == asked["path"]]


def diagnostics_of(told: bytes) -> list[Diagnostic]:
    """Read the output of this module."""
    return [
        Diagnostic(
            d["severity"], d["code"], d["message"], Span(**d["span"]), d["hint"],
            tuple((remark, Span(**span)) for remark, span in d["notes"]),
        )
        for d in json.loads(told)
    ]  # fmt: skip


def main() -> None:
    """Answer one question."""
    os.nice(10)
    sys.stdout.write(json.dumps(found_in(json.load(sys.stdin))))


if __name__ == "__main__":
    main()

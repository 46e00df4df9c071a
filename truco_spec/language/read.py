"""Reading a text: from bytes to a tree, or to all the mistakes that keep it from being one."""

from __future__ import annotations

from pathlib import Path

from lark.exceptions import UnexpectedInput

from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError
from truco_spec.language.parse import parse


def read(text: str, path: str = "<text>") -> t.File:
    """The tree of a text. Raises :class:`SpecError` with every mistake found."""
    try:
        return parse(text, path)
    except UnexpectedInput as error:
        line, column = max(error.line, 1), max(error.column, 1)
        place = t.Span(path, line, column, line, column + 1, 0, 0)
        raise SpecError([Diagnostic("error", "syntax", "This cannot stand here.", place)], {path: text}) from None


def read_file(path: Path | str) -> t.File:
    """The tree of a file. Raises :class:`SpecError` with every mistake found."""
    return read(Path(path).read_text(encoding="utf-8"), str(path))

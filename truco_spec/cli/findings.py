"""Mistakes and findings in specs, printed with the lines that they point at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from truco_spec.cli.files import LARGEST
from truco_spec.errors import TrucoError

if TYPE_CHECKING:
    from truco_spec.language.diagnostics import Diagnostic


def told(found: Iterable[Diagnostic], at_hand: Mapping[str, str] | None = None) -> str:
    """The findings as text, one after the other. ``at_hand`` are texts that are in no file."""
    from truco_spec.language.diagnostics import render

    listed = list(found)
    files = {span.file for d in listed for span in (d.span, *(place for _, place in d.notes))}
    texts = dict(at_hand or {})
    texts |= {file: _text(file) for file in sorted(files - set(texts)) if file and Path(file).is_file()}
    return "\n\n".join(render(d, texts) for d in listed)


def message_of(error: TrucoError) -> str:
    """The message of any declared error; that of a spec shows the lines that it points at."""
    from truco_spec.language.diagnostics import SpecError

    return told(error.diagnostics, error.sources) if isinstance(error, SpecError) else str(error)


def _text(file: str) -> str:
    """The text of a file, as far as it can be shown."""
    with open(file, "rb") as opened:
        return opened.read(LARGEST).decode("utf-8", errors="replace")

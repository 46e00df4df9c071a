"""The formats of reports, and requested targets: ``FORMAT:FILE``, or a file with a known suffix."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Annotated

from truco_spec.conformance.reports.events import ReportError, Run

STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Format:
    """One format: the module and the function that write it, imported when it is used, and the endings of its files."""

    module: str
    writer: str
    endings: tuple[str, ...]


FORMATS: Mapping[str, Format] = {
    "jsonl": Format("writers", "jsonl", (".jsonl", ".ndjson")),
    "json": Format("writers", "json_text", (".json",)),
    "junit": Format("writers", "junit", (".xml",)),
    "tap": Format("writers", "tap", (".tap",)),
    "markdown": Format("writers", "markdown", (".md", ".markdown")),
    "badge": Format("writers", "badge", (".svg",)),
    "html": Format("html_report", "text_of", (".html", ".htm")),
}


@dataclass(frozen=True, slots=True)
class Target:
    """One requested report."""

    format: str
    path: Annotated[str, "A file, or - for the standard output."]

    @property
    def text_of(self) -> Callable[[Run], str]:
        """The renderer."""
        form = FORMATS[self.format]
        module = importlib.import_module(f"truco_spec.conformance.reports.{form.module}")
        found: Callable[[Run], str] = getattr(module, form.writer)
        return found


def target_of(text: str) -> Target:
    """Parse ``junit:out.xml`` or ``out.xml`` or ``tap:-``. Raises :class:`ReportError`."""
    name, colon, path = text.partition(":")
    if colon and name in FORMATS:
        if not path:
            raise ReportError(f"--report {text}: No file is named; write {name}:FILE, or {name}:- for the output.")
        return Target(name, path)
    ending = PurePath(text).suffix.lower()
    for format_name, form in FORMATS.items():
        if ending in form.endings:
            return Target(format_name, text)
    known = ", ".join(f"{name} ({form.endings[0]})" for name, form in FORMATS.items())
    raise ReportError(f"--report {text}: Which format? Write FORMAT:FILE, or a file with the ending of one: {known}.")


def targets_of(texts: Iterable[str]) -> tuple[Target, ...]:
    """All requested targets. Raises :class:`ReportError`."""
    return apart(tuple(map(target_of, texts)))


def apart(targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """The same targets. Raises :class:`ReportError` if two have the same file."""
    taken: set[Path | str] = set()
    for target in targets:
        place = STDOUT if target.path == STDOUT else Path(target.path).resolve()
        if place in taken:
            raise ReportError(f"Two reports are to be written to {target.path}; give each a place of its own.")
        taken.add(place)
    return targets

"""Renders a Markdown page from a template. Values are escaped to plain text on one line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from truco_spec.base.document import plain

_EMPTY_LINES = re.compile(r"\n{3,}")


def markdown(package: str, name: str, values: Mapping[str, object]) -> str:
    """Render the template ``name.md.jinja`` of the package with these values, without redundant whitespace."""
    environment = Environment(  # noqa: S701 -- escaped for Markdown below
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_shown
    )
    template = resources.files(package).joinpath(f"{name}.md.jinja").read_text(encoding="utf-8")
    made = environment.from_string(template.replace("\r\n", "\n")).render(**values)
    lines = "\n".join(line.rstrip() for line in made.splitlines())
    return _EMPTY_LINES.sub("\n\n", lines).strip() + "\n"


def _shown(value: object) -> object:
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value

"""An answer as Markdown and as one HTML file, from templates. Whatever is set into them is escaped."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from jinja2 import Environment, StrictUndefined, Template

from truco_spec.conformance.reports.texts import one_line
from truco_spec.disputes.answer import Answer
from truco_spec.disputes.text import authority_in_words, not_turned, turned
from truco_spec.pages.environment import page

_SPECIAL = re.compile(r"([\\`*_\[\]>|#])")
_WORDS = {"turned": turned, "not_turned": not_turned, "in_words": authority_in_words}


def html_of(answer: Answer) -> str:
    """One HTML file that asks the network for nothing and runs no script."""
    return page(__name__, "answer", {"answer": answer, **_WORDS})


def markdown_of(answer: Answer) -> str:
    """Markdown; marks in what came from outside are plain characters."""
    text = _markdown().render(answer=answer, **_WORDS)
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip() + "\n"


@cache
def _markdown() -> Template:
    environment = Environment(  # noqa: S701 -- Markdown is escaped by _plain
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_plain
    )
    text = resources.files(__name__).joinpath("answer.md.j2").read_text(encoding="utf-8")
    return environment.from_string(text.replace("\r\n", "\n"))


def _plain(value: object) -> object:
    if not isinstance(value, str) or not value.strip():
        return value
    return _SPECIAL.sub(r"\\\1", one_line(value)).replace("&", "&amp;").replace("<", "&lt;")

"""An answer as Markdown and as one HTML file, from templates. Whatever is set into them is escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from importlib import resources

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from truco_spec.conformance.reports.texts import one_line, visible
from truco_spec.disputes.answer import Answer
from truco_spec.disputes.text import authority_in_words, not_turned, turned

_SPECIAL = re.compile(r"([\\`*_\[\]>|#])")


def html_of(answer: Answer) -> str:
    """One HTML file that asks the network for nothing and runs no script."""
    return _template("answer.html.j2", html=True).render(answer=answer)


def markdown_of(answer: Answer) -> str:
    """Markdown; marks in what came from outside are plain characters."""
    text = _template("answer.md.j2", html=False).render(answer=answer)
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip() + "\n"


@lru_cache(maxsize=4)
def _template(name: str, *, html: bool) -> Template:
    environment = Environment(
        autoescape=html,  # noqa: S701 -- Markdown is escaped by _plain
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown if html else _plain,
    )
    style = Markup(_file("answer.css"))  # noqa: S704 -- a file of this package
    environment.globals |= {
        "turned": turned,
        "not_turned": not_turned,
        "in_words": authority_in_words,
        "style": style,
        "policy": f"default-src 'none'; style-src '{_digest(style)}'; base-uri 'none'",
    }
    return environment.from_string(_file(name))


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _shown(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _plain(value: object) -> object:
    if not isinstance(value, str) or not value.strip():
        return value
    return _SPECIAL.sub(r"\\\1", one_line(value)).replace("&", "&amp;").replace("<", "&lt;")

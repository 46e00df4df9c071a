"""One HTML file from a template: its style and its script stand in it, and its own rules allow no other.

So the page asks the network for nothing, and a text from outside could not even be a script. Whatever is set into a
template is escaped, and controls in it become visible.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from truco_spec.conformance.reports.texts import visible


def page(package: str, name: str, values: Mapping[str, object]) -> str:
    """The page ``name.html`` of the package with these values, its style ``name.css``, its ``name.js`` if any."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_shown
    )
    style, script = _file(package, f"{name}.css"), _file(package, f"{name}.js")
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'"
    template = environment.from_string(_file(package, f"{name}.html"))
    return template.render(style=style, script=script, policy=policy, **values)


def _file(package: str, name: str) -> Markup:
    file = resources.files(package).joinpath(name)
    if name.endswith(".js") and not file.is_file():
        return Markup("")  # a page without a script
    text = file.read_text(encoding="utf-8")
    return Markup(text.replace("\r\n", "\n"))  # noqa: S704 -- files of this package


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _shown(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

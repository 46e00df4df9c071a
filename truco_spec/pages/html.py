"""One HTML file from a template: its style and its script stand in it, and its own rules allow no other.

So the page asks the network for nothing, and a text from outside could not even be a script. Whatever is set into a
template is escaped, and controls in it become visible.

What all pages share lies here: ``shell.html`` is around each of them, ``colours.css`` and ``basics.css`` come before
its own style. A template or a style of this package is named ``pages/…`` by those of others.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from truco_spec.base.texts import visible

SHARED = "pages/"
"""What the names of files of this package begin with."""

_STYLES = ("pages/colours", "pages/basics")


def page(
    package: str,
    name: str,
    values: Mapping[str, object],
    *,
    styles: Sequence[str] = (),
    script: str = "",
    pictures: bool = False,
) -> str:
    """The page ``name.html`` of the package with these values, its style ``name.css``, its ``name.js`` if any.

    ``styles`` and ``script`` name others instead; with ``pictures`` the page may hold pictures, as ``data:`` addresses.
    """
    css = Markup("").join(_file(package, f"{style}.css") for style in (*_STYLES, *(styles or (name,))))
    js = _file(package, f"{script or name}.js")
    policy = f"default-src 'none'; style-src '{_digest(css)}'; script-src '{_digest(js)}'; base-uri 'none'"
    if pictures:
        policy += "; img-src data:"
    return _environment(package).get_template(f"{name}.html").render(style=css, script=js, policy=policy, **values)


@cache
def _environment(package: str) -> Environment:
    """The templates of a package, each compiled once: a site has hundreds of pages."""
    return Environment(
        loader=FunctionLoader(lambda template: _file(package, template)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )


@cache
def _file(package: str, name: str) -> Markup:
    folder = __package__ or "" if name.startswith(SHARED) else package
    file = resources.files(folder).joinpath(name.removeprefix(SHARED))
    if name.endswith(".js") and not file.is_file():
        return Markup("")  # a page without a script
    text = file.read_text(encoding="utf-8")
    return Markup(text.replace("\r\n", "\n"))  # noqa: S704 -- files of this package


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _shown(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

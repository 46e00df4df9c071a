"""Renders a self-contained HTML file from a template, with embedded style and script and a strict content security
policy.

The page makes no network requests, and injected text could not run as a script. All values are escaped, and control
characters are made visible.

Shared by all pages: ``shell.html`` is the base template; ``colours.css`` and ``basics.css`` come before the page's
own style. Other packages refer to templates and styles of this one as ``pages/…``.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from truco_spec.base.harmless import visible
from truco_spec.base.shipped import ENGLISH

SHARED = "pages/"
"""The prefix of file names of this package."""

_STYLES = ("pages/colours", "pages/basics")


def page(
    package: str,
    name: str,
    values: Mapping[str, object],
    *,
    styles: Sequence[str] = (),
    style: Markup | str = "",
    script: str = "",
    pictures: bool = False,
    modules: bool = False,
) -> str:
    """Render the page ``name.html`` of the package with these values, its style ``name.css``, and its ``name.js`` if
    any.

    ``styles`` and ``script`` override these names; ``script`` may name several, with blanks between, and ``style`` is
    what one page has beside its files. With ``pictures`` the page may hold pictures, as ``data:`` addresses. With
    ``modules`` it may load scripts, WebAssembly and data of its own site.
    """
    shared = Markup("").join(_file(package, f"{style}.css") for style in (*_STYLES, *(styles or (name,))))
    css = shared + Markup(style)  # noqa: S704 -- the caller's own
    js = Markup("").join(_file(package, f"{each}.js") for each in (script or name).split())
    policy = f"default-src 'none'; style-src '{_digest(css)}'; script-src '{_digest(js)}'; base-uri 'none'"
    if modules:
        policy = policy.replace("script-src", "script-src 'self' 'wasm-unsafe-eval'")
        policy += "; connect-src 'self'; worker-src 'self'; manifest-src 'self'; img-src 'self' data:"
    elif pictures:
        policy += "; img-src data:"
    held = {"_": str, "language": ENGLISH, **values}
    return _environment(package).get_template(f"{name}.html").render(style=css, script=js, policy=policy, **held)


@cache
def _environment(package: str) -> Environment:
    """The templates of a package, each compiled once, as a site has hundreds of pages."""
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

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
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from truco_spec.base import document as model
from truco_spec.base.document import Block, Document, Item, RuleBlock, Text
from truco_spec.base.harmless import visible
from truco_spec.base.words import spoken, worded

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
    modules: bool = False,
) -> str:
    """Render the page ``name.html`` of the package with these values, its style ``name.css``, and its ``name.js`` if
    any.

    ``styles`` and ``script`` override these names; ``script`` may name several, with blanks between, and ``style`` is
    what one page has beside its files. Pictures are ``data:`` addresses. With
    ``modules`` the page may load scripts, WebAssembly and data of its own site.
    """
    shared = Markup("").join(_file(package, f"{style}.css") for style in (*_STYLES, *(styles or (name,))))
    css = shared + Markup(style)  # noqa: S704 -- the caller's own
    js = Markup("").join(_file(package, f"{each}.js") for each in (script or name).split())
    policy = f"default-src 'none'; style-src '{_digest(css)}'; script-src '{_digest(js)}'; base-uri 'none'"
    policy += "; img-src data:"
    if modules:
        policy = policy.replace("script-src", "script-src 'self' 'wasm-unsafe-eval'").replace("data:", "'self' data:")
        policy += "; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'"
    held = {"_": spoken().site, "language": spoken().language, "label": worded, **values}
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


# --------------------------------------------------------------------------------------------------
# A document as one HTML page. Whatever is text in it is escaped.


def html_of(document: Document) -> str:
    """The page; it is called as its first heading is."""
    blocks = tuple(document)
    title = next((model.words(block.text) for block in blocks if isinstance(block, model.Heading)), "")
    return page(__package__ or "", "document", {"title": title, "blocks": markup(blocks)})


def markup(document: Document) -> Markup:
    """Its blocks, for a template."""
    return Markup("\n").join(map(_block, document))


def _block(block: Block) -> Markup:
    match block:
        case model.Heading(level, text, anchor):
            return _made('<h{} id="{}">{}</h{}>' if anchor else "<h{}{}>{}</h{}>", level, anchor, within(text), level)
        case model.Paragraph(text):
            return _made("<p>{}</p>", within(text))
        case model.LogBlock(text):
            return _made("<pre>{}</pre>", text)
        case model.PictureBlock(html):
            return Markup(html)  # noqa: S704 -- our own drawing
        case model.Items(items, numbered):
            kind = "ol" if numbered else "ul"
            return _made("<{}>\n{}\n</{}>", kind, Markup("\n").join(map(_item, items)), kind)
        case model.Grid(columns, rows):
            head = _each('<th scope="col">{}</th>', map(within, columns))
            body = _each("<tr>{}</tr>\n", (_row(name, cells) for name, cells in rows))
            return _made('<div class="wide"><table>\n<thead><tr>{}</tr></thead>\n{}</table></div>', head, body)


def _item(item: Item | RuleBlock) -> Markup:
    label = _made("<b>{}</b> ", item.label) if item.label else Markup("")
    if isinstance(item, Item):
        return _made("<li>{}{}{}</li>", label, within(item.text), markup(item.below))
    cites = _each("<li>{}</li>", map(_authority, item.authorities))
    form = '<li><details open><summary>{}{}</summary><ul class="authorities">{}</ul></details></li>'
    return _made(form, label, within(item.sentence), cites)


def _authority(text: model.Text) -> Markup:
    """Return the text, then its ids."""
    said, marks = list[model.Part](), list[str]()
    for part in model.parts(text):
        match part:
            case model.Mark(mark):
                marks.append(mark)
            case model.Code(mark, about) if about:
                said.append(f"“{about}”")
                marks.append(mark)
            case _:
                said.append(part)
    return _made("{} <small>{}</small>" if marks else "{}{}", within(tuple(said)), " ".join(marks))


def _row(name: Text, cells: Iterable[model.Cell]) -> Markup:
    told = (_made("{}{}", within(cell.text), cell.mark) for cell in cells)
    return _made('<th scope="row">{}</th>{}', within(name), _each("<td>{}</td>", told))


def within(text: Text) -> Markup:
    """A text within a line."""
    return Markup("").join(map(_part, model.parts(text)))


def _part(part: model.Part) -> Markup:
    match part:
        case model.Code(text, about):
            return _made('<code title="{}">{}</code>' if about else "<code{}>{}</code>", about, text)
        case model.Strong(text, tone):
            return _made('<strong class="{}">{}</strong>' if tone else "<strong{}>{}</strong>", tone, text)
        case model.Link(text, to) if part.safe:
            return _made('<a href="{}" rel="nofollow noreferrer">{}</a>', to, text)
        case model.Link(text) | model.Mark(text):
            return _made("{}", text)
        case _:
            return _made("{}", part)


def _each(form: str, texts: Iterable[Markup]) -> Markup:
    return Markup("").join(_made(form, text) for text in texts)


def _made(form: str, *texts: object) -> Markup:
    """The form, which is ours, with these set into it, escaped."""
    return Markup(form).format(*map(_shown, texts))  # noqa: S704

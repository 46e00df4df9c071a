"""A document as one HTML page. Whatever is text in it is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from truco_spec.base import document as model
from truco_spec.base.document import Block, Document, Item, RuleBlock, Text
from truco_spec.base.harmless import visible
from truco_spec.pages.html import page


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
    cites = _each("<li>{}</li>", map(within, item.authorities))
    form = '<li><details open><summary>{}{}</summary><ul class="authorities">{}</ul></details></li>'
    return _made(form, label, within(item.sentence), cites)


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
        case model.Link(text):
            return _made("{}", text)
        case _:
            return _made("{}", part)


def _each(form: str, texts: Iterable[Markup]) -> Markup:
    return Markup("").join(_made(form, text) for text in texts)


def _made(form: str, *texts: object) -> Markup:
    """The form, which is ours, with these set into it, escaped."""
    shown = (visible(text) if isinstance(text, str) and not isinstance(text, Markup) else text for text in texts)
    return Markup(form).format(*shown)  # noqa: S704

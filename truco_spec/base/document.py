"""A document model for all features: headings, paragraphs, lists, tables, rules with their authorities, logs.

It is written here for a terminal and as Markdown, and as HTML by :mod:`truco_spec.pages.html`. A plain ``str``
is always text: nothing in it is markup, a link or a control in any of them. In :class:`Code` it is not even a mention.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from truco_spec.base.harmless import one_line, visible


@dataclass(frozen=True, slots=True)
class Code:
    """A name or a notation, as it is typed. ``about`` shows on a page where it is pointed at."""

    text: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Strong:
    """Emphasised text; ``tone`` is its class on a page.

    On a terminal with colours a heading or paragraph of tone ``bad``, ``good`` or ``fair`` is red, green or yellow.
    """

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """``to`` is an ``https:`` address, or the ``#anchor`` of a heading; anything else is no link, only its text."""

    text: str
    to: str

    @property
    def safe(self) -> bool:
        return re.fullmatch(r"(https?://|#)[^\s<>()\"'\\]+", self.to) is not None


@dataclass(frozen=True, slots=True)
class Mark:
    """The id of a source: on a page small, at the end of an authority; elsewhere in place."""

    text: str


Part = str | Code | Strong | Link | Mark
Text = Part | tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of what follows; 1 is that of the document."""

    level: int
    text: Text
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: Text


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list, the content ``below`` it, and the ``label`` before it, in the colour of its ``tone``.

    Without a text it begins with what stands below.
    """

    text: Text
    below: tuple[Block, ...] = ()
    label: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class RuleBlock:
    """An entry that is a rule: its sentence, and each authority it rests on.

    A page says an authority in words: what a :class:`Code` is ``about`` stands there for it, and its text is a mark.
    """

    sentence: Text
    authorities: tuple[Text, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Item | RuleBlock, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """``mark`` is a sign behind the text."""

    text: Text
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """``columns`` begin with that of the heads of the rows; a row is its head and its cells.

    On a terminal ``numbers`` stand below each other; columns of a ``narrow`` one are as wide as what is in them.
    """

    columns: tuple[Text, ...]
    rows: tuple[tuple[Text, tuple[Cell, ...]], ...]
    numbers: bool = False
    narrow: bool = False


@dataclass(frozen=True, slots=True)
class LogBlock:
    """Lines to be copied. ``mark`` precedes each on a terminal, if others wrote them."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class PictureBlock:
    """A drawing of the table, for a page only. ``html`` is our own markup."""

    html: str


Block = Heading | Paragraph | Items | Grid | LogBlock | PictureBlock
Document = Iterable[Block]


def parts(text: Text) -> tuple[Part, ...]:
    return text if isinstance(text, tuple) else (text,)


def listed(texts: Iterable[Text], between: str = ", ") -> tuple[Part, ...]:
    """Texts in a row."""
    found = [part for text in texts for part in (between, *parts(text))]
    return tuple(found[1:])


def items(*entries: Text | Item | RuleBlock, numbered: bool = False) -> Items:
    """A list of these; a text is an entry with nothing below."""
    return Items(tuple(each if isinstance(each, Item | RuleBlock) else Item(each) for each in entries), numbered)


def words(text: Text) -> str:
    """A text without its marks, on one line."""
    return one_line("".join(part if isinstance(part, str) else part.text for part in parts(text)))


# ---- for a terminal ----------------------------------------------------------------------------

NOTHING = "–"
"""A text that is empty."""
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_TONES = {"bad": "\x1b[31m", "good": "\x1b[32m", "fair": "\x1b[33m"}
_HEAD = 30
"""Characters of the heads of the rows of a table."""
_NARROWEST, _WIDEST = 11, 40
"""Characters of its other columns."""
_APART = 3
"""Headings down to this level are set apart; below them the text is compact."""


def text_of(document: Document, width: int = 100, *, colour: bool = False) -> str:
    """Return the text in lines of at most ``width`` characters, except logs and longer words."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(document, max(width, 40), colour))


def _lines(document: Document, width: int, colour: bool) -> Iterator[str]:
    before, margin = 0, ""  # level of the heading just before, and what stands before its content
    for at, block in enumerate(block for block in document if not isinstance(block, PictureBlock)):
        level = block.level if isinstance(block, Heading) else 0
        if at and (0 < level <= _APART or before == 1 or not (level or before or len(margin) > _APART)):
            yield ""
        before = level
        if isinstance(block, Heading):
            told = _wrapped(words(block.text), "  " * (level - 2), width)
            yield from _painted(told, _tone(block.text) or _BOLD) if colour else told
            margin = "  " * (level - 1)
        elif colour and isinstance(block, Paragraph):
            yield from _painted(_block_lines(block, margin, width), _tone(block.text))
        elif colour and isinstance(block, Items):
            for item, lines in zip(block.items, _items_lines(block, margin, width), strict=True):
                yield from _label_painted(item, lines)
        else:
            yield from _block_lines(block, margin, width)


def _tone(text: Text) -> str:
    return next((_TONES[part.tone] for part in parts(text) if isinstance(part, Strong) and part.tone in _TONES), "")


def _painted(lines: Iterable[str], paint: str) -> Iterator[str]:
    return (f"{paint}{line}{_PLAIN}" if paint else line for line in lines)


def _label_painted(item: Item | RuleBlock, lines: Iterable[str]) -> Iterator[str]:
    paint = _TONES.get(item.tone, "") if isinstance(item, Item) else ""
    first, *others = lines
    yield first.replace(item.label, f"{paint}{item.label}{_PLAIN}", 1) if paint else first
    yield from others


def _block_lines(block: Block, margin: str, width: int) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield from _wrapped(words(text), margin, width)
        case LogBlock(text, mark):
            yield from (f"{margin}{mark}{line}" for line in visible(text).split("\n"))
        case Items():
            yield from (line for lines in _items_lines(block, margin, width) for line in lines)
        case Grid():
            yield from _table_lines(block, margin, width)


def _items_lines(block: Items, margin: str, width: int) -> Iterator[list[str]]:
    """The lines of each entry; labels are as wide as the widest."""
    wide = max((len(words(item.label)) for item in block.items), default=0)
    for number, item in enumerate(block.items, 1):
        sign = f"{number:4}  " if block.numbered else "- "
        yield list(_item_lines(item, f"{words(item.label):{wide}}  " if item.label else sign, margin, width))


def _item_lines(item: Item | RuleBlock, lead: str, margin: str, width: int) -> Iterator[str]:
    under = margin + " " * len(lead)
    if isinstance(item, Item) and not words(item.text) and item.below:
        below = [line for block in item.below for line in _block_lines(block, under, width)]
        yield margin + lead + below[0].removeprefix(under)
        yield from below[1:]
        return
    yield from _wrapped(words(item.sentence if isinstance(item, RuleBlock) else item.text), margin + lead, width, under)
    if isinstance(item, RuleBlock):
        for authority in item.authorities:
            yield from _wrapped(words(authority), under, width, f"{under}  ")
    else:
        for block in item.below:
            yield from _block_lines(block, under, width)


def _wrapped(text: str, lead: str, width: int, under: str | None = None) -> list[str]:
    after = lead if under is None else under
    wrap = textwrap.TextWrapper(
        width, initial_indent=lead, subsequent_indent=after, break_on_hyphens=False, break_long_words=False
    )
    return wrap.wrap(text or NOTHING)


def _table_lines(table: Grid, margin: str, width: int) -> Iterator[str]:
    names = [words(name) for name in table.columns[1:]]
    room = min((width - _HEAD) // max(1, len(names)) - 2, _WIDEST)
    if table.numbers:
        return _numbers(table, names, margin)
    if table.narrow:
        return _matrix(table, [words(table.columns[0]), *names], margin, _sizes(table, width - len(margin)))
    if room >= max(_NARROWEST, *map(len, names), 0):
        return _matrix(table, ["", *names], "", [_HEAD, *(room for _ in names)])
    return _by_answer(table, names, margin or "  ", width)


def _numbers(table: Grid, names: Sequence[str], margin: str) -> Iterator[str]:
    """Columns as wide as their content, numbers aligned, marks behind them."""
    rows = [(words(head), [(words(cell.text), cell.mark) for cell in cells]) for head, cells in table.rows]
    first = max((len(head) for head, _ in rows), default=0)
    sizes = [max(map(len, [name, *(cells[at][0] for _, cells in rows)])) + 3 for at, name in enumerate(names)]
    marks = max((len(mark) for _, cells in rows for _, mark in cells), default=0)
    for head, shown in [("", [(name, "") for name in names]), *rows]:
        told = (f"{text:>{size}}{mark:{marks}}" for size, (text, mark) in zip(sizes, shown, strict=True))
        yield f"{margin}{head:{first}}{''.join(told)}"


def _sizes(table: Grid, width: int) -> list[int]:
    """Return the width of each column by its content; if there is no room, the widest shrink. Heads get their share at
    most.
    """
    texts = [table.columns, *((head, *(cell.text for cell in cells)) for head, cells in table.rows)]
    found = [max(len(words(text)) for text in column) for column in zip(*texts, strict=True)]
    first, others = min(found[0], width // len(found)), found[1:]
    while first + sum(others) + 2 * len(others) > width and max(others) > _NARROWEST:
        others[others.index(max(others))] -= 1
    return [first, *others]


def _matrix(table: Grid, names: Sequence[str], margin: str, sizes: Sequence[int]) -> Iterator[str]:
    """Cells side by side, each as wide as its column; no heads if all are empty."""
    empty = "" if table.narrow else NOTHING
    cells = [(Cell(head), *cells) for head, cells in table.rows]
    rows = [[words(cell.text) + cell.mark or empty for cell in row] for row in cells]
    first = ">" if all(row[0].isdigit() for row in rows) else ""
    for texts in [names, *rows] if any(names) else rows:
        told = [_wrapped(text, "", size) if text else [] for text, size in zip(texts, sizes, strict=True)]
        for at in range(max(map(len, told))):
            head, *others = (lines[at] if at < len(lines) else "" for lines in told)
            line = (f"{text:{size}}" for text, size in zip(others, sizes[1:], strict=True))
            yield margin + "  ".join((f"{head:{first}{sizes[0]}}", *line))


def _by_answer(table: Grid, names: Sequence[str], margin: str, width: int) -> Iterator[str]:
    """A table too wide for columns: each row with its answers, the commonest first, and the columns that have them."""
    for head, cells in table.rows:
        yield ""
        yield from _wrapped(words(head), margin, width)
        found: dict[str, list[str]] = {}
        for name, cell in zip(names, cells, strict=True):
            found.setdefault(words(cell.text) or NOTHING, []).append(f"{name}{cell.mark}")
        for text, whose in sorted(found.items(), key=lambda answer: (answer[0] == NOTHING, -len(answer[1]))):
            yield from _wrapped(f"{text}: {', '.join(whose)}", f"{margin}  ", width, f"{margin}      ")


# ---- as Markdown -------------------------------------------------------------------------------

_BREAK = re.compile(r"\s*\n\s*")
_MARKS = re.compile(r"([\\`*_\[\]>#|])")

_BEGINS = re.compile(r"^(?:(\d+)(?=[.)](?:\s|$))|(?=[-+=~]))(.)")


def markdown_of(document: Document) -> str:
    """Its text is escaped, whoever wrote it."""
    return "\n\n".join("\n".join(_marked(block)) for block in document if not isinstance(block, PictureBlock)) + "\n"


def _marked(block: Block) -> Iterator[str]:
    match block:
        case Heading(level, text):
            yield f"{'#' * level} {_within(text)}"
        case Paragraph(text):
            yield _line(text)
        case LogBlock(text):
            yield code_block(text)
        case Items(entries, numbered):
            for number, item in enumerate(entries, 1):
                yield from _marked_item(item, f"{number}. " if numbered else "- ")
        case Grid(columns, rows, numbers):
            yield _row(map(_in_cell, columns))
            yield "|---|" + ("---:|" if numbers else "---|") * (len(columns) - 1)
            yield from (_row([_in_cell(head), *map(_in_cell, cells)]) for head, cells in rows)


def _marked_item(item: Item | RuleBlock, sign: str) -> Iterator[str]:
    text = item.sentence if isinstance(item, RuleBlock) else item.text
    yield (sign + _line((f"{item.label}: ", *parts(text)) if item.label else text)).rstrip()
    for block in (items(*item.authorities),) if isinstance(item, RuleBlock) else item.below:
        for line in _marked(block):
            yield textwrap.indent(line, " " * len(sign))


def _row(cells: Iterable[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def _in_cell(cell: Cell | Text) -> str:
    text, mark = (cell.text, cell.mark) if isinstance(cell, Cell) else (cell, "")
    told = (_part(part).replace("|", "\\|") if isinstance(part, Code) else _part(part) for part in parts(text))
    return "".join(told) + plain(mark)


def _line(text: Text) -> str:
    """A text that begins a line, where a number, a dash or the like would begin a list or a rule."""
    return _BEGINS.sub(r"\1\\\2", _within(text).strip())


def _within(text: Text) -> str:
    return "".join(map(_part, parts(text)))


def _part(part: Part) -> str:
    match part:
        case Code(text):
            return code(text)
        case Strong(text):
            return f"**{plain(text)}**"
        case Link(text, to):
            return f"[{plain(text)}]({to})" if part.safe and to[0] != "#" else plain(text)
        case Mark(text):
            return plain(text)
        case _:
            return plain(part)


def plain(text: str) -> str:
    """Escape a text for use within a line of Markdown."""
    line = _MARKS.sub(r"\\\1", visible(_BREAK.sub(" ", text)))
    return line.replace("&", "&amp;").replace("<", "&lt;")


def code(text: str) -> str:
    """Quote a text as code within a line of Markdown."""
    line = one_line(text) or " "
    fence = "`" * (_longest(line) + 1)
    gap = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{gap}{line}{gap}{fence}"


def code_block(text: str) -> str:
    """Quote a text as a block of code in Markdown."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}text\n{visible(text)}\n{fence}"


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)

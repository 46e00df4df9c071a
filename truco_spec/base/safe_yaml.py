"""A safe YAML reader: plain values only, limits on everything, and a place for every error.

The values are those of JSON: text, whole and decimal numbers, ``true``, ``false``, ``null``, lists and mappings whose
keys are text. All other YAML is rejected with a message: tags, anchors and aliases, repeated keys, several documents,
infinities. Plain words are text: ``no``, ``yes``, ``on`` and ``off``, dates, ``1:30`` and numbers with a leading zero.
An explicit key ``1`` or ``true`` is the text ``"1"`` or ``"true"``.

    data = load(text, "night.yaml")
    document = load_with_positions(text, "night.yaml")
    document.place("hands", 0, "moves")             # Place(line=9, column=12)
    document.error("No such card.", "hands", 0)     # a YamlError that points there

Lines and columns count from 1, in characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml

from truco_spec.base.errors import TrucoError, reason_of
from truco_spec.base.harmless import FOUND
from truco_spec.base.paths import bytes_from
from truco_spec.base.shapes import ShapeError, read
from truco_spec.base.words import Sentence, translated

_Kind = TypeVar("_Kind")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlError(TrucoError):
    """A text that is not usable YAML. ``message`` says what is wrong and what to do; line 0 means the whole file."""

    def __init__(self, message: str, path: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message, path, line, column)
        self.message, self.path, self.line, self.column = message, path, line, column

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        told = translated(self.message)
        return f"{place}: {told}" if place else told


@dataclass(frozen=True, slots=True)
class YamlLimits:
    """Limits on a text: ``size`` in bytes of UTF-8, ``depth`` of nesting, ``nodes`` (values and keys)."""

    size: int = 5_000_000
    depth: int = 40
    nodes: int = 500_000


DEFAULT = YamlLimits()


class YamlPlace(NamedTuple):
    """A line and a column, both from 1."""

    line: int
    column: int


class _Node(NamedTuple):
    """The extent of one value (``start`` and ``end`` are offsets in the text) and its children."""

    place: YamlPlace
    start: int
    end: int
    kids: list[_Node] | dict[str, tuple[YamlPlace, _Node]] | None


@dataclass(frozen=True, slots=True)
class Document:
    """The data of a text, with the place of each part."""

    data: Any
    path: str
    text: str
    root: _Node

    def place(self, *keys: str | int) -> YamlPlace:
        """Return the start of the value at these keys and indices; if missing, of the nearest value around it."""
        return self._find(keys)[0].place

    def key_place(self, *keys: str | int) -> YamlPlace:
        """Return the start of the last key itself; for a list item or a missing key, as :meth:`place`."""
        return self._find(keys)[1]

    def text_start(self, *keys: str | int) -> int:
        """Return the offset of the text at these keys, behind a quote or the sign of a block."""
        at = self._find(keys)[0].start
        if self.text[at : at + 1] in ("'", '"'):
            return at + 1
        return self.text.find("\n", at) + 1 if self.text[at : at + 1] in ("|", ">") else at

    def error(self, message: str, *keys: str | int) -> YamlError:
        """Return an error (for the caller to raise) at the value at these keys."""
        return YamlError(message, self.path, *self.place(*keys))

    def shaped(self, kind: type[_Kind]) -> _Kind:
        """Read the data as a dataclass. Raises :class:`YamlError` at the part that does not fit."""
        try:
            found: _Kind = read(self.data, kind)
        except ShapeError as error:
            raise YamlError(error.message, self.path, *self.key_place(*error.place)) from error
        return found

    def _find(self, keys: tuple[str | int, ...]) -> tuple[_Node, YamlPlace]:
        node, key_place = self.root, self.root.place
        for key in keys:
            kids = node.kids
            if isinstance(kids, dict) and isinstance(key, str) and key in kids:
                key_place, node = kids[key]
            elif isinstance(kids, list) and isinstance(key, int) and 0 <= key < len(kids):
                node = kids[key]
                key_place = node.place
            else:
                return node, node.place
        return node, key_place


class Walk:
    """Finds the places of parts of a text value, in their order.

    Whitespace is not counted, so they are exact for plain, quoted and folded text over several lines; in a text with
    escapes they may be off by their length.
    """

    def __init__(self, document: Document, value: str, *keys: str | int) -> None:
        self.text, self.value, self.offset = document.text, value, 0
        self.at = document.text_start(*keys)
        self.line, self.begin = self.text.count("\n", 0, self.at) + 1, self.text.rfind("\n", 0, self.at) + 1

    def to(self, offset: int) -> YamlPlace:
        """Return the place of a character of the value, after the places requested before."""
        left = sum(not c.isspace() for c in self.value[self.offset : offset])
        while self.at < len(self.text) and (left or self.text[self.at].isspace()):
            if self.text[self.at] == "\n":
                self.line, self.begin = self.line + 1, self.at + 1
            left -= not self.text[self.at].isspace()
            self.at += 1
        self.offset = offset
        return YamlPlace(self.line, self.at - self.begin + 1)


def load(text: str | bytes, path: str = "<text>", limits: YamlLimits = DEFAULT) -> Any:
    """Load the data of one YAML document, None if it is empty. Raises :class:`YamlError`."""
    return load_with_positions(text, path, limits).data


def load_with_positions(text: str | bytes, path: str = "<text>", limits: YamlLimits = DEFAULT) -> Document:
    """Load one YAML document with the place of every part. Raises :class:`YamlError`."""
    checked = _checked_text(text, path, limits)
    try:
        data, root = _Builder(path, limits).document(yaml.parse(checked, Loader=_Loader))
    except yaml.MarkedYAMLError as error:
        raise _translated(error, path, checked, limits) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise YamlError(Sentence("This is not YAML: {error}.", error=str(error)), path) from None
    return Document(data, path, checked, root)


def load_file(path: Path | str, limits: YamlLimits = DEFAULT) -> Document:
    """Load a YAML file. Raises :class:`YamlError`, also when the file cannot be read."""
    try:
        raw = bytes_from(path, limits.size + 1)
    except OSError as error:
        raise YamlError(Sentence("The file cannot be read: {reason}.", reason=reason_of(error)), str(path)) from error
    return load_with_positions(raw, str(path), limits)


# ---- before parsing ----------------------------------------------------------------------------

_NOT_TEXT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _checked_text(text: str | bytes, path: str, limits: YamlLimits) -> str:
    """Return the text without a byte order mark, after checking its size and that it is printable."""
    if len(text) > limits.size:
        raise _too_long(path, limits)
    if isinstance(text, bytes):
        text = _decoded(text, path)
    text = text.removeprefix("\N{BYTE ORDER MARK}").replace("\r\n", "\n").replace("\r", "\n")
    if wrong := _NOT_TEXT.search(text):
        at = wrong.start()
        form = "The character U+{code} cannot stand in YAML; remove it (is this a text file?)."
        message = Sentence(form, code=f"{ord(wrong[0]):04X}")
        raise YamlError(message, path, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
    if not text.isascii() and len(text.encode("utf-8")) > limits.size:
        raise _too_long(path, limits)
    return text


def _too_long(path: str, limits: YamlLimits) -> YamlError:
    form = "The text is longer than {count} bytes; split it into several files."
    return YamlError(Sentence(form, count=limits.size), path)


def _decoded(raw: bytes, path: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise YamlError(Sentence("This is not UTF-8 text; save the file as UTF-8."), path, line, column) from None


# ---- events to values --------------------------------------------------------------------------

_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_LONGEST_WHOLE = 18  # characters: every whole number fits in 64 bits
_LONGEST_DECIMAL = 40


class _Builder:
    """Builds values and places from YAML events with an explicit loop, so that no input can exhaust the stack."""

    def __init__(self, path: str, limits: YamlLimits) -> None:
        self.path, self.limits, self.nodes = path, limits, 0

    def document(self, events: Iterator[Any]) -> tuple[Any, _Node]:
        data, root = None, _Node(YamlPlace(1, 1), 0, 0, None)
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self.wrong(event, Sentence("A second document begins here; keep one document in each file."))
            elif isinstance(event, yaml.NodeEvent):
                data, root = self.value(event, events)
        return data, root

    def value(self, first: Any, events: Iterator[Any]) -> tuple[Any, _Node]:
        """Return the value that begins with this event."""
        if isinstance(first, yaml.ScalarEvent):
            return self.scalar(first), self.leaf(first)
        self.check(first)
        data, node = self.opened(first)
        open_values = [(data, node)]
        key: tuple[str, YamlPlace] | None = None
        while open_values:
            event = next(events)
            if isinstance(event, yaml.CollectionEndEvent):
                open_values.pop()
                continue
            holder, place = open_values[-1]
            if isinstance(holder, dict) and key is None:
                key = self.key(event, holder, place)
                continue
            if isinstance(event, yaml.ScalarEvent):
                item, kid = self.scalar(event), self.leaf(event)
            else:
                self.check(event)
                item, kid = self.opened(event)
                open_values.append((item, kid))
                if len(open_values) > self.limits.depth:
                    raise self.wrong(event, _too_deep(self.limits))
            if key is None:
                holder.append(item)
                place.kids.append(kid)  # type: ignore[union-attr]
            else:
                holder[key[0]] = item
                place.kids[key[0]] = key[1], kid  # type: ignore[call-overload, index]
                key = None
        return data, node

    def opened(self, event: Any) -> tuple[Any, _Node]:
        place, mark = _place(event), event.start_mark
        if isinstance(event, yaml.SequenceStartEvent):
            return [], _Node(place, mark.index, mark.index, [])
        return {}, _Node(place, mark.index, mark.index, {})

    def leaf(self, event: Any) -> _Node:
        return _Node(_place(event), event.start_mark.index, event.end_mark.index, None)

    def key(self, event: Any, holder: dict[str, Any], node: _Node) -> tuple[str, YamlPlace]:
        if not isinstance(event, yaml.ScalarEvent):
            raise self.wrong(event, Sentence("A key must be text, not a list or a mapping; put quotes around it."))
        self.check(event)
        name = self.seen(event)
        if name in holder:
            first = node.kids[name][0]  # type: ignore[call-overload, index]
            form = "The key “{name}” is repeated (first in line {line}); remove one of the two."
            raise self.wrong(event, Sentence(form, name=name, line=first.line))
        return name, _place(event)

    def seen(self, event: Any) -> str:
        """Return the text of a scalar, checked again for unprintable characters: escapes can produce them."""
        text: str = event.value
        if hidden := FOUND.search(text):
            form = "The character U+{code} cannot stand in a text here; remove it."
            raise self.wrong(event, Sentence(form, code=f"{ord(hidden[0]):04X}"))
        return text

    def scalar(self, event: Any) -> str | int | float | bool | None:
        self.check(event)
        text = self.seen(event)
        if event.style:
            return text
        if text in _NULL:
            return None
        if text in _TRUTH:
            return _TRUTH[text]
        number = _NUMBER.fullmatch(text)
        if number is None:
            if _NOT_FINITE.fullmatch(text):
                form = "{text} is not a number here; give a finite number, or quote it as text."
                raise self.wrong(event, Sentence(form, text=text))
            return text
        whole = number[1] is None and number[2] is None
        if len(text) > (_LONGEST_WHOLE if whole else _LONGEST_DECIMAL):
            raise self.wrong(event, Sentence("The number has too many digits; shorten it, or quote it as text."))
        if whole:
            return int(text)
        value = float(text)
        if value in (float("inf"), float("-inf")):
            form = "The number {text} is too large; give a smaller one, or quote it as text."
            raise self.wrong(event, Sentence(form, text=text))
        return value

    def check(self, event: Any) -> None:
        """Reject anchors, aliases and tags, and more nodes than the limit."""
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            form = "The text holds more than {count} values; split it into several files."
            raise self.wrong(event, Sentence(form, count=self.limits.nodes))
        if isinstance(event, yaml.AliasEvent):
            form = "Aliases (*{anchor}) are not allowed; write the value out, or quote the text."
            raise self.wrong(event, Sentence(form, anchor=event.anchor))
        if event.anchor is not None:
            form = "Anchors (&{anchor}) are not allowed; remove it, or quote the text."
            raise self.wrong(event, Sentence(form, anchor=event.anchor))
        if event.tag is not None:
            form = "Tags ({tag}) are not allowed; write plain values, or quote the text."
            raise self.wrong(event, Sentence(form, tag=event.tag))

    def wrong(self, event: Any, message: str) -> YamlError:
        return YamlError(message, self.path, *_place(event))


def _too_deep(limits: YamlLimits) -> Sentence:
    """Return the message for values that are nested too deep."""
    return Sentence("Values are nested more than {count} deep; use fewer levels.", count=limits.depth)


def _place(event: Any) -> YamlPlace:
    """Return where an event begins."""
    return YamlPlace(event.start_mark.line + 1, event.start_mark.column + 1)


# ---- what the YAML parser says, in our words ---------------------------------------------------

IN_OUR_WORDS = (
    ("mapping values are not allowed", "A “: ” stands where no key can be; check the indentation, or quote the text."),
    ("cannot start any token", "A text cannot begin with this character; put quotes around it."),
    ("expected ':'", "A key is not followed by “:”; write “key: value”, or indent the line like the text before it."),
    ("expected key", "This line is neither a new key nor part of the value before it; check its indentation."),
    ("'-' indicator", "This line is not an item of the list around it; check its indentation and the “- ”."),
    ("expected ',' or ']'", "A list in “[ ]” is not closed, or a comma is missing."),
    ("expected ',' or '}'", "A mapping in “{ }” is not closed, or a comma is missing."),
    ("unexpected end of stream", "A quoted text is not closed; add the missing quote."),
    ("block sequence entries are not allowed", "A list item cannot stand here; begin the list in a new line."),
    ("expected node content", "A value is missing here."),
    ("expected comment or line break", "The text of “|” or “>” begins in the next line."),
    ("unknown escape character", "Unknown escape; write a backslash in double quotes twice, or use single quotes."),
    ("document start", "The document has ended and more text follows; check the indentation."),
    ("undefined tag handle", "Tags are not allowed; put quotes around a text that begins with “!”."),
)
"""Messages of the parser, and our own for them."""


def _translated(error: yaml.MarkedYAMLError, path: str, text: str, limits: YamlLimits) -> YamlError:
    """Return the parser's error as a message of ours, at its place."""
    problem = f"{error.context or ''} {error.problem or ''}".strip()
    known = (Sentence(ours) for theirs, ours in IN_OUR_WORDS if theirs in problem)
    message = next(known, Sentence("This is not YAML: {error}.", error=problem))
    if "maximum nesting depth" in problem:  # libyaml 0.2.6 and newer look further ahead than we do
        message = _too_deep(limits)
    mark: Any = error.problem_mark or error.context_mark
    if mark is None:
        return YamlError(message, path)
    if text[mark.index : mark.index + 1] == "\t":
        message = Sentence("A tab stands where YAML wants blanks; indent with blanks.")
    return YamlError(message, path, mark.line + 1, mark.column + 1)

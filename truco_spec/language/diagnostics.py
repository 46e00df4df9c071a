"""Diagnostics: errors in a text, with message, place and hint, in terms of the language."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence, say, translated


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text: 1-based line and column of its first character and just past its last; offsets are 0-based."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int


NOWHERE = Span("", 0, 0, 0, 0, 0, 0)


class Word(str):
    """A name or keyword of the text: a ``str`` with its position.

    Names without a node of their own (``excepts``, ``names``, ``within`` …) are words, so that an error can be shown
    under the name itself. :func:`place_of` returns the position of any string.
    """

    __slots__ = ("span",)
    span: Span

    @classmethod
    def at(cls, text: str, span: Span) -> Word:
        """Return the word with its position."""
        word = cls(text)
        word.span = span
        return word


def place_of(text: str, otherwise: Span = NOWHERE) -> Span:
    """Return the position of a word of the tree; ``otherwise`` for a string that was not read."""
    return getattr(text, "span", otherwise)


@dataclass(frozen=True, slots=True)
class Cite:
    """``@source:clause``, or ``@source:clause[datum is value]`` of a clause that bears only where that holds, or
    ``@source:clause[on word]`` of one that bears only on that word.

    ``where`` are the datum, the sign (``is``, ``<`` or ``>``), and the value as written; or ``on`` and the word.
    """

    source: str
    clause: str
    span: Span = field(default=NOWHERE, compare=False)
    where: tuple[str, ...] | None = field(default=None, compare=False)

    @property
    def written(self) -> str:
        """The citation as it stands in a text."""
        return f"{self}[{' '.join(self.where)}]" if self.where else str(self)

    def __str__(self) -> str:
        return f"@{self.source}:{self.clause}"


# ---- Errors in a text -------------------------------------------------------------------------------

_WIDEST_LINE = 160  # a longer source line is shown as a window around the span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake, warning or remark about a text.

    ``severity`` is ``error``, ``warning`` or ``note``; ``code`` names the kind of mistake (``syntax``, ``shape``,
    ``unknown-name`` …) and never changes once given; ``notes`` are further places, each with a remark.
    """

    severity: str
    code: str
    message: str
    span: Span
    hint: str = ""
    notes: tuple[tuple[str, Span], ...] = ()

    def place(self) -> tuple[str, int, int]:
        """File, line and column: the sort key of diagnostics."""
        return self.span.file, self.span.line, self.span.column


class SpecError(TrucoError):
    """A text that cannot be used. ``diagnostics`` holds every error found in it, in the order of the text.

    ``sources`` maps file names to their texts, where known, so that errors can be shown with their source lines.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        self.sources: dict[str, str] = dict(sources or {})
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n\n".join(render(d, self.sources) for d in self.diagnostics)


def render(diagnostic: Diagnostic, source_text: str | Mapping[str, str] | None = None) -> str:
    """Render the diagnostic for a terminal, in the language that is spoken: place and message, the source line, a
    caret, hint and notes.

    ``source_text`` is the text of the file that the diagnostic points into, or a mapping from file names to texts (so
    that notes in other files show their lines too), or None when the text is not available.
    """
    sources = {diagnostic.span.file: source_text} if isinstance(source_text, str) else dict(source_text or {})
    lines = [_headline(diagnostic.severity, diagnostic.message, diagnostic.span)]
    lines += _excerpt(diagnostic.span, sources.get(diagnostic.span.file))
    if diagnostic.hint:
        lines.append(f"  = {say('hint')}: {translated(diagnostic.hint)}")
    for remark, span in diagnostic.notes:
        lines.append(_headline("note", remark, span))
        lines += _excerpt(span, sources.get(span.file))
    return "\n".join(lines)


def _headline(severity: str, message: str, span: Span) -> str:
    told = f"{say(severity)}: {translated(message)}"
    if not span.line:
        return f"{span.file}: {told}" if span.file else told
    return f"{span.file}:{span.line}:{span.column}: {told}"


def _excerpt(span: Span, text: str | None) -> list[str]:
    """Return the source line of a span and carets below it; empty if there is nothing to show."""
    if text is None or not span.line:
        return []
    # Only "\n" ends a line, as for the parser; splitlines() would also end one at a form feed.
    lines = text.split("\n")
    if span.line > len(lines):
        return []
    line = lines[span.line - 1]
    first = min(max(span.column - 1, 0), len(line))
    last = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    last = max(min(last, len(line)), first + 1)
    before, after = "", ""
    if len(line) > _WIDEST_LINE:
        left = max(0, first - _WIDEST_LINE // 2)
        before, after = "…" if left else "", "…" if left + _WIDEST_LINE < len(line) else ""
        line, first, last = line[left : left + _WIDEST_LINE], first - left, min(last - left, _WIDEST_LINE)
    line = "".join(map(_printable, line))
    number = str(span.line)
    margin = " " * len(number)
    more = " …" if span.end_line > span.line else ""
    return [
        f" {number} | {before}{line.rstrip()}{after}",
        f" {margin} | {' ' * (len(before) + first)}{'^' * (last - first)}{more}",
    ]


def _printable(character: str) -> str:
    """Replace every character by one of one column, so that the carets are aligned."""
    if character.isspace():
        return " "
    return character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate closest to ``name``, or None if none is close enough.

    One typo (a letter wrong, missing, extra, or two transposed) is allowed in words of three letters and more; longer
    words may have more. Case is ignored; ties go to the first in alphabetical order.
    """
    wanted = name.lower()
    found: list[tuple[int, float, str]] = []
    for candidate in set(candidates):
        if candidate == name:
            continue
        other = candidate.lower()
        allowed = max(len(wanted), len(other)) // 4 + (1 if min(len(wanted), len(other)) >= 3 else 0)
        slips = _slips(wanted, other, allowed)
        if slips <= allowed and (slips < min(len(wanted), len(other)) or slips == 0):
            alike = difflib.SequenceMatcher(None, wanted, other).ratio()
            found.append((slips, -alike, candidate))
    return min(found)[2] if found else None


def hint_of(name: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """Return the hint of a name that is not known: the closest candidate, or what to say ``otherwise``."""
    near = nearest(name, candidates)
    return Sentence("did you mean {near}?", near=near) if near else otherwise


def _slips(a: str, b: str, enough: int) -> int:
    """Return the edit distance (with transpositions) of a and b; counting stops above ``enough``."""
    if abs(len(a) - len(b)) > enough:
        return enough + 1
    before, row = list(range(len(b) + 1)), list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        further, before, row = before, row, [i] + [0] * len(b)
        for j, right in enumerate(b, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                row[j] = min(row[j], further[j - 2] + 1)
        if min(row) > enough:
            return enough + 1
    return row[-1]

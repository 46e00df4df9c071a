"""Reads a text: bytes to a tree, or to every error found."""

from __future__ import annotations

from pathlib import Path

from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError
from truco_spec.language.recover import Parsed, parse_what_can_be
from truco_spec.language.shape import check_statement

LARGEST = 2_000_000
"""The largest text that is read, in bytes (or characters)."""
LONGEST_LINE = 10_000
"""The longest line that is read, in characters."""


def read(text: str, path: str = "<text>", *, part: bool = False) -> t.File:
    """Read a text. Raises :class:`SpecError` with every lexical, syntax and shape error.

    A text without a variant is an error, unless it may be ``part`` of one: a concordance.
    """
    _measure(text, path)
    parsed = parse_what_can_be(text, path)
    mistakes = [*parsed.mistakes, *_shape(parsed)]
    if not (mistakes or part or parsed.file.variants):
        mistakes = [_no_variant(parsed.file.concordances[0])]
    if mistakes:
        raise SpecError(sorted(mistakes, key=Diagnostic.place), {path: text})
    return parsed.file


def read_file(path: Path | str, *, part: bool = False) -> t.File:
    """Read a file, as :func:`read` does a text. Raises :class:`SpecError` also when the file cannot be read."""
    name = str(path)
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SpecError([_whole(name, f"The file cannot be read: {reason}.")]) from None
    return read(decode(content, name), name, part=part)


def decode(content: bytes, path: str) -> str:
    """Decode UTF-8. Raises :class:`SpecError` for invalid or too many bytes."""
    if len(content) > LARGEST:
        raise SpecError([_too_large(path)])
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        at = t.Span(path, line, column, line, column + 1, len(before), len(before) + 1)
        shown = content.decode("utf-8", errors="replace")
        hint = "A .truco file is plain text in UTF-8; save it as such."
        message = f"This is no text in UTF-8: byte {content[error.start]:#04x}."
        raise SpecError([Diagnostic("error", "letters", message, at, hint=hint)], {path: shown}) from None


def _measure(text: str, path: str) -> None:
    """Reject texts that are too large or binary."""
    if len(text) > LARGEST:
        raise SpecError([_too_large(path)])
    nul = text.find("\0")
    if nul >= 0:
        line, column = text.count("\n", 0, nul) + 1, nul - text.rfind("\n", 0, nul)
        at = t.Span(path, line, column, line, column + 1, nul, nul + 1)
        hint = "A .truco file is plain text in UTF-8."
        raise SpecError([Diagnostic("error", "letters", "This is no text: it has a NUL byte.", at, hint=hint)])
    start = 0
    for number, line_text in enumerate(text.split("\n"), 1):
        if len(line_text) > LONGEST_LINE:
            at = t.Span(path, number, 1, number, 2, start, start + 1)
            hint = f"A line has at most {LONGEST_LINE} letters; a statement may go on over several lines."
            raise SpecError([Diagnostic("error", "too-large", "This line is too long.", at, hint=hint)], {path: text})
        start += len(line_text) + 1


def _shape(parsed: Parsed) -> list[Diagnostic]:
    """Return the shape errors of all statements that have no error yet."""
    letters = [mistake.span.start for mistake in parsed.tokens.mistakes]
    statements = {s.span.start: s for variant in parsed.file.variants for s in variant.items}
    sound = (
        s
        for start, s in statements.items()
        if start not in parsed.broken and not any(start <= at <= s.span.end for at in letters)
    )
    return [mistake for statement in sound for mistake in check_statement(statement)]


def _no_variant(only: t.Concordance) -> Diagnostic:
    message = f"There is no variant in this text, only the concordance of {only.name}."
    hint = f"It is read with {only.name}; name that instead."
    return Diagnostic("error", "no-variant", message, only.name_span, hint=hint)


def _whole(path: str, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic("error", "unreadable", message, t.Span(path, 0, 0, 0, 0, 0, 0), hint=hint)


def _too_large(path: str) -> Diagnostic:
    hint = "Split it into variants that extend each other."
    return _whole(path, f"The text is too large: at most {LARGEST:,} bytes are read.", hint)

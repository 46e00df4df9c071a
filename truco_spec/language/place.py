"""Places in a text, and words that know theirs."""

from __future__ import annotations

from dataclasses import dataclass


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
    """A name or another word as it stands in the text: a plain string that also knows its place.

    Wherever the tree has names without a node of their own (``excepts``, ``names``, ``within`` …) they are words, so
    that a mistake can be shown under the very name. :func:`place_of` asks for the place of any string.
    """

    __slots__ = ("span",)
    span: Span

    @classmethod
    def at(cls, text: str, span: Span) -> Word:
        """The word at its place."""
        word = cls(text)
        word.span = span
        return word


def place_of(text: str, otherwise: Span = NOWHERE) -> Span:
    """The place of a word of the tree; ``otherwise`` for a string that was not read."""
    return getattr(text, "span", otherwise)

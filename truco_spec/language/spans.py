"""Places in a text, and words and citations that have one: what a graph keeps of the text that it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field


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

"""Text from outside, made harmless. One gate stands before both streams of a process, and all that leaves passes it.

What a terminal would obey, what turns the direction of a line round, and half characters become escapes that can be
seen, as JSON writes them; so data in JSON stay what they are. Lines and tabs stay.
"""

from __future__ import annotations

import os
import re
import sys

TYPE_CHECKING = False  # as in typing, which is not needed for anything else
if TYPE_CHECKING:
    from typing import Any, TextIO

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_HALVES, _OTHER_LINES, _UNSEEN = "\ud800-\udfff", "\u2028\u2029", "\ufff9-\ufffb\U000e0000-\U000e007f"
FOUND = re.compile(f"[{_CONTROLS}{_DIRECTIONS}{_HALVES}{_OTHER_LINES}{_UNSEEN}]")
"""One character that is not shown but obeyed."""


def harmless(text: str) -> str:
    """The text with an escape in the place of everything that is not shown but obeyed."""
    return FOUND.sub(_escape, text)


def printable(text: str) -> str:
    """The text on one line with one sign in the place of every character that cannot be printed."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _escape(found: re.Match[str]) -> str:
    raw = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[at : at + 2].hex()}" for at in range(0, len(raw), 2))


class Gate:
    """A stream of text that lets nothing but harmless text out. ``behind`` is the stream itself."""

    def __init__(self, behind: TextIO) -> None:
        self.behind = behind

    def write(self, text: str) -> int:
        """Write the text, made harmless."""
        return self.behind.write(harmless(text))

    def writelines(self, lines: list[str]) -> None:
        """Write them all."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """All else is that of the stream, but its bytes: these are not to be had."""
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.behind, name)


def stand_before_the_streams() -> None:
    """Put a gate before both streams. One that is closed is nothing; what the terminal cannot show is an escape."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  (to the end of the process)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, Gate):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
            setattr(sys, name, Gate(stream))


def behind(stream: Any) -> Any:
    """The stream without its gate, for controls of our own: a bar that overwrites itself, colours."""
    return stream.behind if isinstance(stream, Gate) else stream

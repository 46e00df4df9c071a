"""Text from outside, sanitised: bounded and on one line for documents, and one gate in front of stdout and stderr.

At the gate terminal controls, bidirectional controls and lone surrogates become visible escapes in JSON notation, so
JSON data keep their value. Line ends and tabs stay.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager

TYPE_CHECKING = False  # as in typing, which is needed for nothing else
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TextIO

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_HALVES, _OTHER_LINES, _UNSEEN = "\ud800-\udfff", "\u2028\u2029", "\ufff9-\ufffb\U000e0000-\U000e007f"
FOUND = re.compile(f"[{_CONTROLS}{_DIRECTIONS}{_HALVES}{_OTHER_LINES}{_UNSEEN}]")
"""One character that would be obeyed rather than shown."""


def harmless(text: str) -> str:
    """Return the text with every control character escaped."""
    return FOUND.sub(_escape, text)


def printable(text: str) -> str:
    """Return the text on one line, with one replacement character for each unprintable one."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _escape(found: re.Match[str]) -> str:
    raw = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[at : at + 2].hex()}" for at in range(0, len(raw), 2))


class Gate:
    """A text stream that sanitises whatever is written. ``behind`` is the wrapped stream, and named where it fails."""

    def __init__(self, behind: TextIO) -> None:
        self.behind = behind

    def write(self, text: str) -> int:
        with self._named():
            return self.behind.write(harmless(text))

    def flush(self) -> None:
        with self._named():
            self.behind.flush()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = getattr(self.behind, "name", None)
            raise

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Delegate to the stream, except its byte buffer, which is not exposed."""
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.behind, name)


def stand_before_the_streams() -> None:
    """Put a gate in front of stdout and stderr. Closed streams are skipped; unencodable characters are escaped."""
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
    """Return the stream without its gate, for our own control sequences (progress bars, colours)."""
    return stream.behind if isinstance(stream, Gate) else stream


LONGEST = 2000
"""Maximum characters of one text."""
MOST = 200
"""Maximum entries of one list or mapping."""


def bounded(value: Any, longest: int = LONGEST, most: int = MOST) -> Any:
    """Return plain JSON with long texts, lists and mappings cut, and lone surrogates escaped."""
    if isinstance(value, str):
        sound = value.encode("utf-8", "backslashreplace").decode("utf-8")
        return sound if len(sound) <= longest else f"{sound[:longest]}… ({len(sound) - longest} more characters)"
    if isinstance(value, dict):
        items = list(value.items())[:most]
        return {bounded(key, longest, most): bounded(item, longest, most) for key, item in items}
    if isinstance(value, (list, tuple)):
        return [bounded(item, longest, most) for item in value[:most]]
    return value


def visible(text: str) -> str:
    """Return the text with every control, bidirectional mark and lone surrogate as a visible escape; line ends stay."""
    if all(map(str.isprintable, text.split("\n"))):
        return text
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def one_line(text: str) -> str:
    """Return the same as :func:`visible`, on one line."""
    return " ".join(visible(text).split())

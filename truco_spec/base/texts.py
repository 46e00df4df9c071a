"""Text from outside, sanitised before rendering in any format: bounded, without controls, on one line."""

from __future__ import annotations

from typing import Any

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
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def one_line(text: str) -> str:
    """As :func:`visible`, on one line."""
    return " ".join(visible(text).split())

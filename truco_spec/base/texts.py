"""Text from outside, made harmless before it is set in any format: bounded, without controls, on one line."""

from __future__ import annotations

from typing import Any

LONGEST = 2000
"""Characters of one text."""
MOST = 200
"""Entries of one list or mapping."""


def bounded(value: Any, longest: int = LONGEST, most: int = MOST) -> Any:
    """Plain JSON with its texts cut, its lists and mappings cut, and nothing in it that cannot be written as UTF-8."""
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
    """The text with every control, direction mark and half character as an escape that can be seen; lines stay."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(visible(text).split())

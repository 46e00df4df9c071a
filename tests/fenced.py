"""The fenced examples of a page."""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced example: ``about`` is what stands behind its language, ``line`` where it begins."""

    language: str
    about: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    """The examples of a page, in order."""
    return [
        Block(match[1], match[2].strip(), match[3], page.count("\n", 0, match.start()) + 1)
        for match in _FENCE.finditer(page)
    ]

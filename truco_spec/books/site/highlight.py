"""Colours for texts of rules on pages: the TextMate grammar, which VS Code has them from, too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

from markupsafe import Markup

from truco_spec.base import shipped


def highlighted(text: str) -> Markup:
    """A text of rules as HTML: comments, sentences, citations, numbers and keywords in elements of these classes."""
    return Markup("").join(
        Markup('<span class="{}">{}</span>').format(kind, word) if kind in _COLOURED else word
        for kind, word in parts(text)
    )


def parts(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a text with the kind of each, the first word of its scope; empty between words."""
    at = 0
    while at < len(text):
        found = next(((kind, m[0]) for kind, pattern in _patterns() if (m := pattern.match(text, at))), ("", text[at]))
        yield found
        at += len(found[1])


_COLOURED = frozenset(("comment", "string", "entity", "constant", "keyword"))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    path = shipped.folder("grammar") / "truco.tmLanguage.json"
    entries = json.loads(path.read_text(encoding="utf-8"))["patterns"]
    return tuple((entry["name"].partition(".")[0], re.compile(entry["match"])) for entry in entries)

"""Colours for texts on pages: texts of rules have them from the TextMate grammar, as in VS Code, examples in documents
from Pygments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache

from markupsafe import Markup

from truco_spec.base import shipped


def highlighted(text: str) -> Markup:
    """A text of rules as HTML: comments, sentences, citations, numbers and keywords in elements of these classes."""
    return _marked((kind if kind in _COLOURED else "", word) for kind, word in parts(text))


def highlighted_as(language: str, text: str) -> Markup:
    """A text in a language that Pygments knows, the rules (``truco``) among them, as HTML with the same classes; any
    other as it is.
    """
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Comment, Keyword, Name, Number, String
    from pygments.util import ClassNotFound

    kinds = {Comment: "comment", String: "string", Name.Decorator: "entity", Number: "constant", Keyword: "keyword"}
    kinds[Name.Tag] = "keyword"  # the keys of YAML and JSON
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return Markup.escape(text)
    return _marked(
        (next((kinds[of] for of in reversed(token.split()) if of in kinds), ""), word)
        for token, word in lexer.get_tokens(text)
    )


def _marked(words: Iterable[tuple[str, str]]) -> Markup:
    """Words in elements of their kinds, those of none as they are."""
    return Markup("").join(
        Markup('<span class="{}">{}</span>').format(kind, word) if kind else word for kind, word in words
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

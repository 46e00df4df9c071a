"""Highlighting by Pygments: the lexer ``truco``, found by its entry point wherever Pygments is installed.

Keywords are those of the grammar. They are contextual there, so a keyword may be highlighted where it is a plain name.
"""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from truco_spec.language.grammar import grammar

_BEGIN = frozenset(("variant", "concordance", "extends", "title", "replace", "drop", "also", "set", "closed"))
_WORDS = tuple(word for word in grammar().words if " " not in word)
_OPENERS = tuple(word for word in _WORDS if word in _BEGIN or grammar().words[word][0] in grammar().openers)
_END = r"(?![A-Za-z0-9]|[.-][A-Za-z0-9])"


class RulesLexer(RegexLexer):
    """The rules language."""

    name = "Truco rules"
    aliases = ("truco-spec", "truco")
    filenames = ("*.truco",)
    tokens = {  # noqa: RUF012 -- Pygments reads it so
        "root": [
            (r"\s+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r'"', String.Double, "sentence"),
            (r"@[a-z][a-z0-9-]*:[A-Za-z0-9][A-Za-z0-9.-]*(?:\[[^\]]*\])?", Name.Decorator),
            (words(_OPENERS, suffix=_END), Keyword.Declaration),
            (words(_WORDS, suffix=_END), Keyword),
            (r"[0-9]*[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?:\.[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)*", Name),
            (r"[0-9]+", Number.Integer),
            (r"\+=|-=|<=|>=|\.\.|[-+*<>=|]", Operator),
            (r"[:;,(){}]", Punctuation),
        ],
        "sentence": [
            (r"(\{)([^{}\"\n]*)(\})", bygroups(String.Interpol, Name.Variable, String.Interpol)),
            (r'[^"{\n]+|\{', String.Double),
            (r'"|\n', String.Double, "#pop"),
        ],
    }

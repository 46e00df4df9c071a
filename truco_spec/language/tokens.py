"""The lexer: words, numbers, signs, sentences and citations, each with its position; comments separately.

Keywords are contextual: the parser decides whether a word is a keyword or a plain name. An invalid token (an unclosed
sentence, a foreign sign) is reported and repaired, and lexing continues.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TypeAlias

import lark

from truco_spec.base.harmless import FOUND
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic
from truco_spec.language.grammar import END, grammar

_TOKEN = re.compile(
    r"""(?P<space>[ \t\f\r]+)
    | (?P<line>\n)
    | (?P<comment>\#[^\n]*)
    | (?P<word>[0-9]*[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?:\.[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)*)
    | (?P<number>[0-9]+)
    | (?P<string>"[^"\n]*")
    | (?P<cite>@[a-z][a-z0-9]*(?:-[a-z0-9]+)*:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?![A-Za-z0-9_:@]))
    | (?P<sign>\+=|-=|<=|>=|==|!=|<>|&&|\|\||->|:=|\.\.\.?|[-+*<>=:;,|(){}])
    """,
    re.VERBOSE,
)
_FOREIGN_WORD = re.compile(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*|[0-9]*[^\W\d][\w.-]*")
_BAD_CITE = re.compile(r"@[^\s,;(){}\"]*")
_CURLY = re.compile(r"[“”„«]([^\"“”„«»\n]*)[“”„»]|['‘]([^\"'’\n]*)['’]")
_INSTEAD = {
    "==": ("=", "To compare, write `is`; `=` gives a value."),
    "!=": ("<", "To say that two things differ, write `is not`."),
    "<>": ("<", "To say that two things differ, write `is not`."),
    "&&": ("<", "Write `and`."),
    "||": ("<", "Write `or`; a row of a table has something between its bars."),
    "->": (",", "What follows from a rule stands behind `do`; a way on is `then`, `ask` or `resume`."),
    ":=": ("=", "Write `=`."),
    "...": ("..", "A range has two dots: 0 .. 12."),
}
Place: TypeAlias = tuple[int, int, int]
"""Offset, line and column."""
LONGEST_NUMBER = 18
"""Maximum digits of a number; the graph defines the values a game can hold."""

_HINTS = {
    "'": 'A sentence stands between straight double quotes: "…".',
    "/": "A comment begins with `#`; the language has no division.",
    "%": "The language has no percent and no remainder.",
    "[": "Arguments stand in round brackets, sets in curly ones.",
    "]": "Arguments stand in round brackets, sets in curly ones.",
    "!": "To deny, write `not`, or `is not`.",
    "&": "Write `and`.",
    "~": "To deny, write `not`.",
    "?": "A choice is written `a if condition else b`.",
    "“": 'A sentence stands between straight double quotes: "…".',
    "”": 'A sentence stands between straight double quotes: "…".',
    ".": "A range has two dots: 0 .. 12. A dot inside a name stands between letters.",
    "_": "Parts of a name are joined by `-`.",
}


class Token(lark.Token):
    """One token. ``can_be`` lists its possible terminals, preferred first; ``type`` is the one chosen. The last line
    and column are just past its last character.
    """

    __slots__ = ("can_be",)
    can_be: tuple[str, ...]
    start_pos: int
    end_pos: int
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, can_be: tuple[str, ...], text: str, first: Place, last: Place) -> Token:
        """Return a token from one position to another."""
        token = str.__new__(cls, text)
        token.type, token.value, token.can_be = can_be[0], text, can_be
        token.start_pos, token.line, token.column = first
        token.end_pos, token.end_line, token.end_column = last
        return token


@dataclass(slots=True)
class Tokens:
    """All tokens of a text, the last one marking its end; ``comments``; ``mistakes``: the lexical errors."""

    path: str
    tokens: list[Token] = field(default_factory=list)
    comments: list[Token] = field(default_factory=list)
    mistakes: list[Diagnostic] = field(default_factory=list)


def start_of(token: Token) -> Place:
    """Return where a token begins."""
    return token.start_pos, token.line, token.column


def end_of(token: Token) -> Place:
    """Return the position just past a token."""
    return token.end_pos, token.end_line, token.end_column


def span_of(path: str, first: Token, last: Token | None = None) -> t.Span:
    """Return the span from the first token to the last."""
    last = last or first
    return t.Span(path, first.line, first.column, last.end_line, last.end_column, first.start_pos, last.end_pos)


def tokenize(text: str, path: str) -> Tokens:
    """Tokenize a text. Never raises; errors are in ``mistakes``."""
    return _Cutter(text, path).cut()


class _Cutter:
    def __init__(self, text: str, path: str) -> None:
        self.text, self.path = text, path
        self.words, self.signs = grammar().words, grammar().signs
        self.found = Tokens(path)
        self.line, self.line_start = 1, 0

    def cut(self) -> Tokens:
        text, match = self.text, _TOKEN.match
        words, signs, append = self.words, self.signs, self.found.tokens.append
        name, number, string, cite = ("NAME",), ("INT",), ("STRING",), ("CITE",)
        at = 1 if text.startswith("\ufeff") else 0
        end = len(text)
        while at < end:
            m = match(text, at)
            if m is None:
                at = self._foreign(at)
                continue
            kind, stop = m.lastgroup, m.end()
            if kind == "line":
                self.line += 1
                self.line_start = stop
            elif kind == "comment":
                self.found.comments.append(self._token(("COMMENT",), m.group().rstrip(), at))
                self._look_for_hidden(m)
            elif kind == "word" and not (stop < end and (text[stop].isalnum() or text[stop] == "_")):
                word = m.group()
                append(self._token(words.get(word, name), word, at))
                if word == "not":
                    self._join_must_not()
            elif kind == "number" and not (stop < end and (text[stop].isalnum() or text[stop] == "_")):
                if stop - at > LONGEST_NUMBER:
                    hint = f"A number has at most {LONGEST_NUMBER} figures."
                    self._mistake(at, stop, "This number is too long.", hint)
                append(self._token(number, m.group()[:LONGEST_NUMBER], at))
            elif kind == "string":
                append(self._token(string, m.group(), at))
                self._look_for_hidden(m)
            elif kind == "cite":
                append(self._token(cite, m.group(), at))
            elif kind == "sign" and m.group() in signs:
                append(self._token(signs[m.group()], m.group(), at))
            elif kind != "space":
                stop = self._foreign(at)
            at = stop
        append(self._end())
        return self.found

    def _token(self, can_be: tuple[str, ...], text: str, at: int, length: int = 0) -> Token:
        length = length or len(text)
        column = at - self.line_start + 1
        return Token.of(can_be, text, (at, self.line, column), (at + length, self.line, column + length))

    def _end(self) -> Token:
        """Place the end token just past the last token, where something is missing."""
        if not self.found.tokens:
            return Token.of((END,), "", (0, 1, 1), (0, 1, 1))
        return Token.of((END,), "", end_of(self.found.tokens[-1]), end_of(self.found.tokens[-1]))

    def _join_must_not(self) -> None:
        """Join ``must not`` into one token, whatever the gap."""
        tokens = self.found.tokens
        if len(tokens) >= 2 and tokens[-2].value == "must":
            no, must = tokens.pop(), tokens.pop()
            can_be = self.words.get("must not", ("NAME",))
            tokens.append(Token.of(can_be, "must not", start_of(must), end_of(no)))

    # ---- invalid input -------------------------------------------------------------------------

    def _foreign(self, at: int) -> int:
        """Report the error here, substitute a likely token, and return the offset to continue at."""
        text, character = self.text, self.text[at]
        if character == '"':
            return self._open_sentence(at)
        if character == "@":
            cite = _BAD_CITE.match(text, at)
            return self._bad_cite(at, cite.group() if cite else "@")
        curly = _CURLY.match(text, at)
        if curly:
            sentence = f'"{curly[1] or curly[2] or ""}"'
            self._mistake(at, curly.end(), "A sentence stands between straight double quotes.", f"Write {sentence}.")
            self.found.tokens.append(self._token(("STRING",), sentence, at, curly.end() - at))
            return curly.end()
        word = _FOREIGN_WORD.match(text, at)
        if word:
            return self._bad_word(at, word.group())
        sign = _TOKEN.match(text, at)
        if sign and sign.group() in _INSTEAD:
            instead, hint = _INSTEAD[sign.group()]
            self._mistake(at, sign.end(), f"The language has no `{sign.group()}`.", hint)
            self.found.tokens.append(self._token(self.signs.get(instead, ("NAME",)), instead, at, sign.end() - at))
            return sign.end()
        return self._strange(at, character)

    def _open_sentence(self, at: int) -> int:
        stop = self.text.find("\n", at)
        stop = len(self.text) if stop < 0 else stop
        written = self.text[at:stop].rstrip()
        self._mistake(
            at,
            at + len(written),
            "This sentence is not closed.",
            'A sentence begins and ends with `"` on one line, and has no `"` inside.',
        )
        self.found.tokens.append(self._token(("STRING",), written + '"', at, len(written)))
        return stop

    def _bad_cite(self, at: int, written: str) -> int:
        hint = (
            "A citation is @source:clause, as in @house-2026:play.any-card. The name of a source has small letters, "
            "figures and single hyphens, and begins with a letter; that of a clause has letters, figures, `.` and `-`."
        )
        if written == "@":
            self._mistake(at, at + 1, "Behind `@` a citation is missing.", hint)
        else:
            self._mistake(at, at + len(written), f"`{written}` is no citation.", hint)
        self.found.tokens.append(self._token(("CITE",), "@unknown:unknown", at, len(written)))
        return at + len(written)

    def _bad_word(self, at: int, written: str) -> int:
        plain = "".join(c for c in unicodedata.normalize("NFKD", written) if c.isascii())
        plain = re.sub(r"-+", "-", re.sub(r"[^A-Za-z0-9.]+", "-", plain)).strip("-.") or "name"
        self._mistake(
            at,
            at + len(written),
            f"`{written}` is no name.",
            f"A name has plain letters and figures, joined by `-` or `.`: {plain}. (Sentences may have any letters.)",
        )
        self.found.tokens.append(self._token(self.words.get(plain, ("NAME",)), plain, at, len(written)))
        return at + len(written)

    def _strange(self, at: int, character: str) -> int:
        """Report a run of one invalid character once, without a substitute."""
        stop = at
        while stop < len(self.text) and self.text[stop] == character:
            stop += 1
        if character.isspace():
            name = unicodedata.name(character, "blank").lower()
            self._mistake(at, stop, f"This blank is not a plain one ({name}).", "Put a plain space in its place.")
        elif not character.isprintable():
            message = f"This is no text: the character U+{ord(character):04X} cannot be printed."
            self._mistake(at, stop, message, "A .truco file is plain text in UTF-8.")
        else:
            self._mistake(at, stop, f"The language has no `{character}`.", _HINTS.get(character, ""))
        return stop

    def _look_for_hidden(self, found: re.Match[str]) -> None:
        """Report control and bidirectional characters in a sentence or a comment."""
        if hidden := FOUND.search(found.group().rstrip("\r")):
            at = found.start() + hidden.start()
            message = f"This is no text: the character U+{ord(hidden[0]):04X} cannot be seen."
            self._mistake(at, at + 1, message, "A .truco file is plain text in UTF-8.")

    def _mistake(self, at: int, stop: int, message: str, hint: str = "") -> None:
        column = at - self.line_start + 1
        span = t.Span(self.path, self.line, column, self.line, column + stop - at, at, stop)
        self.found.mistakes.append(Diagnostic("error", "letters", message, span, hint=hint))

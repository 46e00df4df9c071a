"""The compiled grammar and its lexer.

Lark builds the LALR(1) parser of ``grammar/truco.lark``; the tests ask in strict mode whether it has a conflict. As
building is slow, its serialised form is kept on a :class:`~truco_spec.base.user_cache.Shelf`: plain values, from which
no function or class is ever looked up.

Tokens are words, numbers, signs, sentences and citations, each with its position; comments are separate. Keywords are
contextual: the parser decides whether a word is a keyword or a plain name. An invalid token (an unclosed sentence, a
foreign sign) is reported and repaired, and lexing continues.
"""

from __future__ import annotations

import hashlib
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.parsers.lalr_interactive_parser import InteractiveParser

from truco_spec.base import shipped
from truco_spec.base.harmless import FOUND
from truco_spec.base.user_cache import Shelf
from truco_spec.base.words import Sentence, without_accents
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic

END = "$END"
SHELF = Shelf("parser", 8)
Item: TypeAlias = tuple[Rule, int]
"""A production and the number of its parts already read (an LR item)."""


class Grammar:
    """The parser with the lookups needed by the token reader and the messages.

    ``words`` and ``signs`` map a word or sign to its possible terminals, preferred first. ``bodies`` are the states
    between the statements of a variant, ``openers`` the terminals that begin a statement there; ``lists`` are the
    states between the entries of a concordance, ``between`` both; ``entries`` is where the name of an entry leads.
    """

    def __init__(self, of: lark.Lark) -> None:
        self.lark = of
        self.words, self.signs = _words(of.terminals), _signs(of.terminals)
        conf = self.begin().parser_state.parse_conf
        self.start, self.states = conf.start_state, conf.states
        self.bodies = frozenset(state for state in self.states if "DROP" in self.read_in(state))
        self.lists = frozenset(state for state in self.states if "entry" in self.read_in(state))
        self.between = self.bodies | self.lists
        self.entries = frozenset(self.read_in(state)["NAME"] for state in self.lists)
        begin = (symbol for state in self.bodies for symbol in self.read_in(state) if symbol.isupper())
        self.openers = frozenset(begin) - {"RBRACE"}

    def begin(self) -> InteractiveParser:
        """Return a parser at its start state."""
        return self.lark.parse_interactive()

    def read_in(self, state: int) -> dict[str, int]:
        """Return the symbols read on the way into a state: terminals and nonterminals, with the resulting state."""
        return {symbol: to for symbol, (_, to) in self.states[state].items() if isinstance(to, int)}

    @cached_property
    def terminals(self) -> tuple[str, ...]:
        """Return all terminals of the parser, including end of text."""
        ignored = self.lark.lexer_conf.ignore
        return (*sorted(terminal.name for terminal in self.lark.terminals if terminal.name not in ignored), END)

    @cached_property
    def items(self) -> Mapping[int, list[Item]]:
        """Return the LR items of each state, in grammar order."""
        rules = {rule: number for number, rule in enumerate(self.lark.rules)}
        found: dict[int, list[Item]] = {self.start: []}
        queue = [self.start]
        for state in queue:
            under_way = self._begun(found[state] or [(rule, 0) for rule in rules if rule.origin.name == "start"])
            for symbol, to in self.read_in(state).items():
                if to not in found:
                    read = [(rule, dot + 1) for rule, dot in under_way if _next(rule, dot) == symbol]
                    found[to] = sorted(read, key=lambda item: (rules[item[0]], item[1]))
                    queue.append(to)
        return found

    def _begun(self, items: Iterable[Item]) -> list[Item]:
        """Return the closure of these items."""
        begun, seen = list(items), {""}
        for rule, dot in begun:
            if (wanted := _next(rule, dot)) not in seen:
                seen.add(wanted)
                begun += [(rule, 0) for rule in self.lark.rules if rule.origin.name == wanted]
        return begun

    @cached_property
    def first(self) -> dict[str, set[str]]:
        """Return the FIRST set of each nonterminal. No production is empty."""
        first: dict[str, set[str]] = {rule.origin.name: set() for rule in self.lark.rules}
        grew = True
        while grew:
            grew = False
            for rule in self.lark.rules:
                begin = rule.expansion[0].name
                more = first.get(begin, {begin}) - first[rule.origin.name]
                if more:
                    first[rule.origin.name] |= more
                    grew = True
        return first


def _next(rule: Rule, dot: int) -> str:
    """Return the next symbol of an item; empty at its end."""
    return rule.expansion[dot].name if dot < len(rule.expansion) else ""


def _words(terminals: Iterable[TerminalDef]) -> dict[str, tuple[str, ...]]:
    """Map each keyword to its possible terminals, by priority; groups are expanded from their patterns."""
    words: dict[str, list[str]] = {}
    for terminal in sorted(terminals, key=lambda t: (-t.priority, t.name)):
        pattern = terminal.pattern.value
        group = re.fullmatch(r"\(([a-z |]+)\)\(\?!.*\)", pattern)
        if group:
            for word in group[1].split("|"):
                words.setdefault(word, []).append(terminal.name)
        elif terminal.pattern.type == "str" and pattern.isalpha():
            words.setdefault(pattern, []).append(terminal.name)
    return {word: (*names, "NAME") for word, names in sorted(words.items())}


def _signs(terminals: Iterable[TerminalDef]) -> dict[str, tuple[str, ...]]:
    """Map each sign to its possible terminals."""
    signs: dict[str, tuple[str, ...]] = {}
    for terminal in sorted(terminals, key=lambda t: t.name):
        written = ("+", "-") if terminal.name == "SIGN" else (terminal.pattern.value,)
        if terminal.name == "SIGN" or (terminal.pattern.type == "str" and not written[0].isalpha()):
            for sign in written:
                signs[sign] = (*signs.get(sign, ()), terminal.name)
    return dict(sorted(signs.items()))


def build(text: str) -> lark.Lark:
    """Build Lark's parser of a grammar."""
    return lark.Lark(text, parser="lalr", lexer="basic", propagate_positions=True, maybe_placeholders=True)


def kept(text: str, make: Callable[[str], lark.Lark]) -> lark.Lark:
    """Return the parser of a grammar, built or from an earlier run."""
    name = hashlib.sha256(repr((lark.__version__, sys.version, text)).encode()).hexdigest()
    there = SHELF.take(name)
    if isinstance(there, dict):
        return lark.Lark.load(there)
    built = make(text)
    data, memo = built.memo_serialize([TerminalDef, Rule])
    SHELF.put(name, {"data": data, "memo": memo})
    return built


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """Return the shipped grammar."""
    return Grammar(kept((shipped.folder("grammar") / "truco.lark").read_text(encoding="utf-8"), build))


# --------------------------------------------------------------------------------------------------
# The lexer.

_TOKEN = re.compile(
    r"""(?P<space>[ \t\f\r]+)
    | (?P<line>\n)
    | (?P<comment>\#[^\n]*)
    | (?P<word>[0-9]*[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?:\.[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)*)
    | (?P<number>[0-9]+)
    | (?P<string>"[^"\n]*")
    | (?P<cite>@[a-z][a-z0-9]*(?:-[a-z0-9]+)*:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?
        (?:\[(?:on|[A-Za-z0-9.-]+\ (?:is|<|>))\ [A-Za-z0-9-]+\])?(?![A-Za-z0-9_:@]|[A-Za-z0-9.-]*\[))
    | (?P<sign>\+=|-=|<=|>=|==|!=|<>|&&|\|\||->|:=|\.\.\.?|[-+*<>=:;,|(){}])
    """,
    re.VERBOSE,
)
_FOREIGN_WORD = re.compile(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*|[0-9]*[^\W\d][\w.-]*")
_BAD_CITE = re.compile(r"@[^\s,;(){}\"\[]*(?:\[[^\]\n]*\]?)?")
_CURLY = re.compile(r"[“”„«]([^\"“”„«»\n]*)[“”„»]|['‘]([^\"'’\n]*)['’]")
INSTEAD = {
    "==": ("=", "To compare, write `is`; `=` gives a value."),
    "!=": ("<", "To say that two things differ, write `is not`."),
    "<>": ("<", "To say that two things differ, write `is not`."),
    "&&": ("<", "Write `and`."),
    "||": ("<", "Write `or`; a row of a table has something between its bars."),
    "->": (",", "What follows from a rule stands behind `do`; a way on is `then`, `ask` or `resume`."),
    ":=": ("=", "Write `=`."),
    "...": ("..", "A range has two dots: 0 .. 12."),
}
"""Signs of other languages: what is read instead, and a hint."""
Place: TypeAlias = tuple[int, int, int]
"""Offset, line and column."""
LONGEST_NUMBER = 18
"""Maximum digits of a number; the graph defines the values a game can hold."""

HINTS = {
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
"""Hints for characters that the language has not."""


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


def span_of(path: str, token: Token) -> t.Span:
    return t.Span(path, token.line, token.column, token.end_line, token.end_column, token.start_pos, token.end_pos)


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
                    hint = Sentence("A number has at most {count} figures.", count=LONGEST_NUMBER)
                    self._mistake(at, stop, Sentence("This number is too long."), hint)
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
            message = Sentence("A sentence stands between straight double quotes.")
            hint = Sentence("Write {sentence}.", sentence=sentence)
            self._mistake(at, curly.end(), message, hint)
            self.found.tokens.append(self._token(("STRING",), sentence, at, curly.end() - at))
            return curly.end()
        word = _FOREIGN_WORD.match(text, at)
        if word:
            return self._bad_word(at, word.group())
        sign = _TOKEN.match(text, at)
        if sign and sign.group() in INSTEAD:
            instead, advice = INSTEAD[sign.group()]
            message = Sentence("The language has no `{character}`.", character=sign.group())
            self._mistake(at, sign.end(), message, Sentence(advice))
            self.found.tokens.append(self._token(self.signs.get(instead, ("NAME",)), instead, at, sign.end() - at))
            return sign.end()
        return self._strange(at, character)

    def _open_sentence(self, at: int) -> int:
        stop = self.text.find("\n", at)
        stop = len(self.text) if stop < 0 else stop
        written = self.text[at:stop].rstrip()
        message = Sentence("This sentence is not closed.")
        hint = Sentence('A sentence begins and ends with `"` on one line, and has no `"` inside.')
        self._mistake(at, at + len(written), message, hint)
        self.found.tokens.append(self._token(("STRING",), written + '"', at, len(written)))
        return stop

    def _bad_cite(self, at: int, written: str) -> int:
        hint = Sentence(
            "A citation is @source:clause, as in @house-2026:play.any-card. The name of a source has small letters, "
            "figures and single hyphens, and begins with a letter; that of a clause has letters, figures, `.` and `-`."
        )
        if "[" in written:
            form = "Behind it stands where it bears: [current is 1], [current > 1] or [on word], with single blanks."
            hint = Sentence(form)
        if written == "@":
            self._mistake(at, at + 1, Sentence("Behind `@` a citation is missing."), hint)
        else:
            self._mistake(at, at + len(written), Sentence("`{written}` is no citation.", written=written), hint)
        self.found.tokens.append(self._token(("CITE",), "@unknown:unknown", at, len(written)))
        return at + len(written)

    def _bad_word(self, at: int, written: str) -> int:
        plain = without_accents(written)
        form = "A name has plain letters and figures, joined by `-` or `.`: {plain}. (Sentences may have any letters.)"
        plain = re.sub(r"-+", "-", re.sub(r"[^A-Za-z0-9.]+", "-", plain)).strip("-.") or "name"
        message = Sentence("`{written}` is no name.", written=written)
        hint = Sentence(form, plain=plain)
        self._mistake(at, at + len(written), message, hint)
        self.found.tokens.append(self._token(self.words.get(plain, ("NAME",)), plain, at, len(written)))
        return at + len(written)

    def _strange(self, at: int, character: str) -> int:
        """Report a run of one invalid character once, without a substitute."""
        stop = at
        while stop < len(self.text) and self.text[stop] == character:
            stop += 1
        if character.isspace():
            name = unicodedata.name(character, "blank").lower()
            message = Sentence("This blank is not a plain one ({name}).", name=name)
            self._mistake(at, stop, message, Sentence("Put a plain space in its place."))
        elif not character.isprintable():
            form = "This is no text: the character U+{code} cannot be printed."
            message = Sentence(form, code=f"{ord(character):04X}")
            self._mistake(at, stop, message, Sentence("A .truco file is plain text in UTF-8."))
        else:
            message = Sentence("The language has no `{character}`.", character=character)
            hint = Sentence(HINTS.get(character, ""))
            self._mistake(at, stop, message, hint)
        return stop

    def _look_for_hidden(self, found: re.Match[str]) -> None:
        """Report control and bidirectional characters in a sentence or a comment."""
        if hidden := FOUND.search(found.group().rstrip("\r")):
            at = found.start() + hidden.start()
            form = "This is no text: the character U+{code} cannot be seen."
            message = Sentence(form, code=f"{ord(hidden[0]):04X}")
            self._mistake(at, at + 1, message, Sentence("A .truco file is plain text in UTF-8."))

    def _mistake(self, at: int, stop: int, message: str, hint: str = "") -> None:
        column = at - self.line_start + 1
        span = t.Span(self.path, self.line, column, self.line, column + stop - at, at, stop)
        self.found.mistakes.append(Diagnostic("error", "letters", message, span, hint=hint))

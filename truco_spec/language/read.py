"""Reads a text: bytes to a tree, or to every error found.

Tokens are fed to Lark's interactive parser. A missing sign or word, or a misspelt keyword, is repaired if the following
tokens then parse. Otherwise the statement is skipped and reading resumes at the next: a keyword that begins a
statement, first on its line, or the bracket that closes the variant. A statement reports at most one syntax error, and
none if it has a lexical error already.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lark import Tree, UnexpectedToken

from truco_spec.base.errors import reason_of
from truco_spec.base.paths import bytes_from
from truco_spec.base.words import Sentence
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError
from truco_spec.language.grammar import END, Place, Token, Tokens, end_of, grammar, span_of, start_of, tokenize
from truco_spec.language.shape import check_statement
from truco_spec.language.transformer import Build

if TYPE_CHECKING:
    from truco_spec.language.parse_errors import Explanation


LARGEST = 2_000_000
"""The largest text that is read, in bytes (or characters)."""
LONGEST_LINE = 10_000
"""The longest line that is read, in characters."""
MOST = 50
"""Maximum errors before reading stops."""

_ALIEN = re.compile("\0|\r(?!\n)")
"""Signs that a file is no text, or has lines that nobody would see."""
_BLOCKS = frozenset(("VARIANT", "CONCORDANCE"))
"""The terminals that begin a block."""


def read(text: str, path: str = "<text>", *, part: bool = False) -> t.File:
    """Read a text. Raises :class:`SpecError` with every lexical, syntax and shape error.

    A text without a variant is an error, unless it may be ``part`` of one: a concordance.
    """
    parsed, mistakes = read_what_can_be(text, path, part=part)
    if mistakes:
        raise SpecError(mistakes, {path: text})
    return parsed.file


def read_what_can_be(text: str, path: str = "<text>", *, part: bool = False) -> tuple[Parsed, list[Diagnostic]]:
    """Read a text as :func:`read` does; return the readable parts, and every error, in the order of the text.

    Raises :class:`SpecError` for a text that is too large, or none.
    """
    parsed = parse_what_can_be(text, path)
    mistakes = [*parsed.mistakes, *_shape(parsed), *_twice(parsed.file.variants)]
    if not (mistakes or part or parsed.file.variants):
        mistakes = [_no_variant(parsed.file.concordances[0])]
    return parsed, sorted(mistakes, key=Diagnostic.place)


def read_file(path: Path | str, *, part: bool = False) -> t.File:
    """Read a file, as :func:`read` does a text. Raises :class:`SpecError` also when the file cannot be read."""
    name = str(path)
    try:
        raw = bytes_from(path, LARGEST + 1)
    except OSError as error:
        reason = reason_of(error)
        raise SpecError([_whole(name, Sentence("The file cannot be read: {reason}.", reason=reason))]) from None
    return read(decode(raw, name), name, part=part)


def decode(content: bytes, path: str) -> str:
    """Decode UTF-8. Raises :class:`SpecError` for invalid or too many bytes."""
    if len(content) > LARGEST:
        raise SpecError([_too_large(path)])
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        at = t.Span(path, line, column, line, column + 1, len(before), len(before) + 1)
        shown = content.decode("utf-8", errors="replace")
        hint = Sentence("A .truco file is plain text in UTF-8; save it as such.")
        message = Sentence("This is no text in UTF-8: byte {content}.", content=f"{content[error.start]:#04x}")
        raise SpecError([Diagnostic("error", "letters", message, at, hint=hint)], {path: shown}) from None


def _measure(text: str, path: str) -> None:
    """Reject texts that are too large or binary."""
    if len(text) > LARGEST:
        raise SpecError([_too_large(path)])
    if alien := _ALIEN.search(text):
        line, column = text.count("\n", 0, alien.start()) + 1, alien.start() - text.rfind("\n", 0, alien.start())
        at = t.Span(path, line, column, line, column + 1, *alien.span())
        wrong, hint = Sentence("This is no text: it has a NUL byte."), Sentence("A .truco file is plain text in UTF-8.")
        if alien[0] == "\r":
            wrong = Sentence("This line ends with a carriage return alone.")
            hint = Sentence("Save the file with the line ends of Unix (LF) or of Windows (CR LF).")
        raise SpecError([Diagnostic("error", "letters", wrong, at, hint=hint)])
    start = 0
    for number, line_text in enumerate(text.split("\n"), 1):
        if len(line_text) > LONGEST_LINE:
            at = t.Span(path, number, 1, number, 2, start, start + 1)
            form = "A line has at most {count} letters; a statement may go on over several lines."
            hint = Sentence(form, count=LONGEST_LINE)
            raise SpecError(
                [Diagnostic("error", "too-large", Sentence("This line is too long."), at, hint=hint)], {path: text}
            )
        start += len(line_text) + 1


def _shape(parsed: Parsed) -> list[Diagnostic]:
    """Return the shape errors of all statements that have no error yet."""
    letters = [mistake.span.start for mistake in parsed.tokens.mistakes]
    statements = {s.span.start: s for variant in parsed.file.variants for s in variant.items}
    sound = (
        s
        for start, s in statements.items()
        if start not in parsed.broken and not any(start <= at <= s.span.end for at in letters)
    )
    return [mistake for statement in sound for mistake in check_statement(statement)]


def _twice(variants: Sequence[t.VariantText]) -> Iterator[Diagnostic]:
    """Report each variant whose name another one in the text has already: only one of them would ever be played."""
    first: dict[str, t.VariantText] = {}
    for variant in variants:
        if (earlier := first.setdefault(variant.name, variant)) is not variant:
            note = (Sentence("declared here too"), earlier.name_span)
            message = Sentence("{part} is declared already", part=variant.name)
            yield Diagnostic("error", "declared-twice", message, variant.name_span, notes=(note,))


def _no_variant(only: t.Concordance) -> Diagnostic:
    message = Sentence("There is no variant in this text, only the concordance of {only}.", only=only.name)
    hint = Sentence("It is read with {only}; name that instead.", only=only.name)
    return Diagnostic("error", "no-variant", message, only.name_span, hint=hint)


def _whole(path: str, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic("error", "unreadable", message, t.Span(path, 0, 0, 0, 0, 0, 0), hint=hint)


def _too_large(path: str) -> Diagnostic:
    hint = Sentence("Split it into variants that extend each other.")
    return _whole(path, Sentence("The text is too large: at most {count} bytes are read.", count=LARGEST), hint)


@dataclass(slots=True)
class Parsed:
    """The result of parsing: the tree (partial if there are errors), the tokens and the errors.

    ``broken`` holds the start offsets of statements with a reported error.
    """

    file: t.File
    tokens: Tokens
    mistakes: list[Diagnostic]
    broken: frozenset[int]


def parse(text: str, path: str = "<text>") -> t.File:
    """Parse a text known to be valid, such as a template of desugaring. The shape of statements is not checked.

    Raises :class:`SpecError` with every lexical and syntax error.
    """
    return parse_all(text, path).file


def parse_all(text: str, path: str) -> Parsed:
    """Parse a whole text. Raises :class:`SpecError` with every lexical and syntax error, or if it is too large."""
    parsed = parse_what_can_be(text, path)
    if parsed.mistakes:
        raise SpecError(parsed.mistakes, {path: text})
    return parsed


def parse_what_can_be(text: str, path: str) -> Parsed:
    """Parse a whole text with recovery. Raises :class:`SpecError` only for a text that is too large, or none."""
    _measure(text, path)
    tokens = tokenize(text, path)
    reading = _Run(path, tokens)
    reading.run()
    build = Build(path)
    file = build.file(reading.parser.result())
    broken = frozenset(tokens.tokens[index].start_pos for index in reading.blamed)
    deep = [_too_deep(tokens, at) for at in build.too_deep if at not in broken]
    ours = reading.parser.meant or any(token.type in _BLOCKS for token in tokens.tokens)
    mistakes = sorted([*tokens.mistakes, *reading.mistakes, *deep], key=Diagnostic.place)[: MOST if ours else 1]
    return Parsed(file, tokens, mistakes, broken)


def _too_deep(found: Tokens, start: int) -> Diagnostic:
    message = Sentence("Too much stands inside each other here for anyone to follow.")
    hint = Sentence("Give a part of it a name, with a `define` of its own.")
    first = next(token for token in found.tokens if token.start_pos == start)
    return Diagnostic("error", "too-deep", message, span_of(found.path, first), hint=hint)


class Parser:
    """Lark's parser with the tokens fed to it so far.

    It records where the current statement began, so that errors can be undone: ``began`` is the index of its first
    token, ``floor`` the height of the state stack below it. ``meant`` maps the index of a misspelt token to the
    terminal it was meant to be, ``inserted`` the index of a token to the one missing before it.
    """

    def __init__(self, path: str, tokens: Sequence[Token]) -> None:
        self.grammar = grammar()
        self.lark = self.grammar.begin()
        self.path, self.tokens = path, tokens
        self.states: list[int] = self.lark.parser_state.state_stack
        self.began, self.floor = 0, 1
        self.meant: dict[int, str] = {}
        self.inserted: dict[int, str] = {}

    def take(self, index: int) -> bool:
        """Feed one token. Returns False if it is not accepted; the stack may then be spoilt: see :meth:`rewind`."""
        token = self.tokens[index]
        if index in self.inserted:
            self._insert(self.inserted[index], index)
        terminal = self.meant.get(index) or self._choose(token)
        if terminal is None:
            return False
        token.type = terminal
        return self.push(token, index)

    def _choose(self, token: Token) -> str | None:
        readable = self.grammar.states[self.states[-1]]
        if "NAME" in token.can_be and not self.grammar.entries.isdisjoint(self.states[self.floor :][:1]):
            return "NAME" if "NAME" in readable else None  # every word in a concordance is a name
        return choose(token, readable)

    def _insert(self, terminal: str, index: int) -> None:
        """Feed a synthetic token."""
        place = end_of(self.tokens[index - 1]) if index else start_of(self.tokens[index])
        self.make_up(terminal, {"CITE": "@unknown:unknown", "STRING": '""'}.get(terminal, ""), place, index)

    def make_up(self, terminal: str, text: str, place: Place, index: int) -> None:
        """Feed a synthetic token before token ``index``."""
        self.push(Token.of((terminal,), text, place, place), index)

    def push(self, token: Token, index: int) -> bool:
        """Feed one token as its type."""
        try:
            self.lark.feed_token(token)
        except UnexpectedToken:
            return False
        if self.states[-2] in self.grammar.between or token.type in _BLOCKS:
            self.began, self.floor = index, len(self.states) - 1
        return True

    def rewind(self, index: int) -> None:
        """Undo a rejected token: the stack is as before token ``index``."""
        began = self.began
        self.cut_to_floor()
        for earlier in range(began, index):
            self.take(earlier)

    def settle(self, index: int) -> None:
        """End the current statement where it may end: the next token, ``index``, begins another."""
        if "DROP" in self.lark.accepts():
            self.make_up("DROP", "drop", start_of(self.tokens[index]), index)
            self.cut_to_floor()

    def cut_to_floor(self) -> None:
        """Discard the current statement."""
        del self.states[self.floor :], self.lark.parser_state.value_stack[self.floor - 1 :]

    def result(self) -> Tree[Token]:
        """Return the tree, once the end has been read."""
        found: Tree[Token] = self.lark.parser_state.value_stack[-1]
        return found


def choose(token: Token, terminals: Container[str]) -> str | None:
    """Choose the accepted terminal for a token; None if none is accepted."""
    for terminal in token.can_be:
        if terminal in terminals:
            return terminal
    return None


class _Run:
    """One run of the parser over the tokens of a text, collecting errors."""

    def __init__(self, path: str, tokens: Tokens) -> None:
        self.path, self.found = path, tokens
        self.tokens = tokens.tokens
        self.parser = Parser(path, self.tokens)
        self.mistakes: list[Diagnostic] = []
        self.blamed: set[int] = set()  # start offsets of statements with a reported error
        self.opened = False  # whether the current variant was opened here, not in the text

    def run(self) -> None:
        """Read to the end. Afterwards the parser has a result."""
        index, last = 0, len(self.tokens) - 1
        while True:
            if self.parser.take(index):
                if index == last:
                    return
                if self.tokens[index].type in _BLOCKS:
                    self.opened = False
                index += 1
                continue
            blamed = self._eaten(index)
            self.parser.rewind(blamed)
            if blamed != index:
                self._tell(self._explain(blamed).diagnostic, blamed)
                index = self._skip(blamed)
            else:
                index = self._mend(index)

    def _eaten(self, index: int) -> int:
        """Return the token to blame: the previous one, if it begins a statement but was read as a name."""
        before = index - 1
        if before > self.parser.began and self.tokens[before].type == "NAME":
            opens = self.tokens[before].can_be[0] in self.parser.grammar.openers
            if opens and self._first_on_line(before) and self._starts(self.tokens, before):
                return before
        return index

    def _first_on_line(self, at: int) -> bool:
        return at == 0 or self.tokens[at - 1].end_line < self.tokens[at].line

    # ---- reporting -----------------------------------------------------------------------------

    def _explain(self, index: int) -> Explanation:
        from truco_spec.language.parse_errors import explain  # a text without errors needs none of the words

        return explain(self.parser, index)

    def _tell(self, mistake: Diagnostic, index: int) -> None:
        """Record an error unless its statement already has one."""
        began = min(self.parser.began, index)
        if began in self.blamed or len(self.mistakes) >= MOST:
            return
        self.blamed.add(began)
        start, stop = self.tokens[began].start_pos, self.tokens[index].end_pos
        if not any(start <= letters.span.start <= stop for letters in self.found.mistakes):
            self.mistakes.append(mistake)

    # ---- recovery ------------------------------------------------------------------------------

    def _mend(self, index: int) -> int:
        """Report the error at a token and repair the parser; returns the token to continue with."""
        parser = self.parser
        if len(self.mistakes) >= MOST:
            return self._skip(index)
        repair = self._explain(index)
        if repair.starts or self._inside():
            parser.settle(index)
        if not (self.opened and repair.insert == "RBRACE"):
            self._tell(repair.diagnostic, index)
        if repair.insert and index not in parser.inserted:
            parser.inserted[index] = repair.insert
            return index
        if repair.instead and index not in parser.meant:
            parser.meant[index] = repair.instead
            return index
        parser.inserted.pop(index, None)
        parser.meant.pop(index, None)
        return self._skip(index)

    def _skip(self, index: int) -> int:
        """Skip the statement; returns the token to continue with, which the parser will accept."""
        parser = self.parser
        began = parser.began
        if parser.floor > 1 and parser.states[parser.floor - 1] in parser.grammar.between and not self._closed():
            parser.cut_to_floor()
            after = self._next_start(max(index, began + 1), self._depth(began, index))
            parser.began = after
            if self._begins(after) or self.tokens[after].can_be == (END,):
                self._close(after)
            return after
        return self._skip_outside(index)

    def _skip_outside(self, index: int) -> int:
        """The same outside a variant: the unreadable parts of its header are synthesised."""
        parser = self.parser
        if not self._closed():
            parser.cut_to_floor()
        after = self._next_start(index, 0)
        token = self.tokens[after]
        if self._begins(after) and after > parser.began:
            return after
        if token.can_be != (END,):
            self._open(after)
        elif len(parser.states) == 1:
            self._open(after)
            self._close(after)
        return after

    def _closed(self) -> bool:
        """Return whether the last token closed a variant."""
        return self.tokens[self.parser.began].value == "}" and len(self.parser.states) > self.parser.floor

    def _open(self, index: int) -> None:
        """Open a variant that the text does not open, or not correctly; its missing end is then no error."""
        self.opened = True
        for terminal, text in (("VARIANT", "variant"), ("NAME", "unknown"), ("LBRACE", "{"), ("TITLE", "title")):
            self._make_up(terminal, text, index)
        self._make_up("STRING", '""', index)
        self.parser.settle(index)

    def _close(self, index: int) -> None:
        """Close a variant that the text does not close."""
        self._make_up("RBRACE", "}", index)

    def _make_up(self, terminal: str, text: str, index: int) -> None:
        self.parser.make_up(terminal, text, start_of(self.tokens[index]), index)

    def _depth(self, first: int, stop: int) -> int:
        """Return the depth of open curly brackets between two tokens."""
        return sum({"{": 1, "}": -1}.get(token.value, 0) for token in self.tokens[first:stop])

    def _next_start(self, index: int, depth: int) -> int:
        """Return the next token at which reading can resume: the end, after as many errors as a reader is shown."""
        tokens = self.tokens
        if len(self.mistakes) >= MOST:
            return len(tokens) - 1
        for at in range(index, len(tokens)):
            token = tokens[at]
            if token.can_be == (END,):
                return at
            first_on_line = self._first_on_line(at)
            if token.value == "{":
                depth += 1
            elif token.value == "}":
                depth -= 1
                if depth < 0 or (first_on_line and self._inside()):
                    return at
            elif first_on_line and self._starts(tokens, at):
                return at
        return len(tokens) - 1

    def _inside(self) -> bool:
        return self.parser.states[-1] in self.parser.grammar.between

    def _begins(self, at: int) -> bool:
        """Return whether a block appears to begin here."""
        return self.tokens[at].can_be[0] in _BLOCKS and "NAME" in self.tokens[at + 1].can_be

    def _starts(self, tokens: Sequence[Token], at: int) -> bool:
        """Return whether a statement or a block appears to start here: its keyword followed by a name; in a concordance
        a name followed by a citation.

        In the column of the last one, a word that is no keyword counts too.
        """
        if self._begins(at):
            return True
        if self.parser.states[-1] in self.parser.grammar.lists:
            return "NAME" in tokens[at].can_be and "CITE" in tokens[at + 1].can_be
        seems = tokens[at].can_be == ("NAME",) and tokens[at].column == tokens[self.parser.began].column
        starts = tokens[at].can_be[0] in self.parser.grammar.openers
        return (starts or (seems and self._inside())) and "NAME" in tokens[at + 1].can_be

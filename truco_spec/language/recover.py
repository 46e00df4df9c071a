"""Error recovery: reports several syntax errors in one run.

A missing sign or word, or a misspelt keyword, is repaired if the following tokens then parse. Otherwise the statement
is skipped and reading resumes at the next: a keyword that begins a statement, first on its line, or the bracket that
closes the variant. A statement reports at most one syntax error, and none if it has a lexical error already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError
from truco_spec.language.grammar import END
from truco_spec.language.parse import BLOCKS, Parser
from truco_spec.language.tokens import Token, Tokens, span_of, start_of, tokenize
from truco_spec.language.transformer import Build

if TYPE_CHECKING:
    from truco_spec.language.parse_errors import Explanation

MOST = 50
"""Maximum errors before reading stops."""


@dataclass(slots=True)
class Parsed:
    """The result of parsing: the tree (partial if there are errors), the tokens and the errors.

    ``broken`` holds the start offsets of statements with a reported error.
    """

    file: t.File
    tokens: Tokens
    mistakes: list[Diagnostic]
    broken: frozenset[int]


def parse_all(text: str, path: str) -> Parsed:
    """Parse a whole text. Raises :class:`SpecError` with every lexical and syntax error."""
    parsed = parse_what_can_be(text, path)
    if parsed.mistakes:
        raise SpecError(parsed.mistakes, {path: text})
    return parsed


def parse_what_can_be(text: str, path: str) -> Parsed:
    """Parse a whole text with recovery. Never raises."""
    tokens = tokenize(text, path)
    reading = ParserRun(path, tokens)
    reading.run()
    build = Build(path)
    file = build.file(reading.parser.result())
    broken = frozenset(tokens.tokens[index].start_pos for index in reading.blamed)
    deep = [_too_deep(tokens, at) for at in build.too_deep if at not in broken]
    mistakes = sorted([*tokens.mistakes, *reading.mistakes, *deep], key=Diagnostic.place)[:MOST]
    return Parsed(file, tokens, mistakes, broken)


def _too_deep(found: Tokens, start: int) -> Diagnostic:
    message = "Too much stands inside each other here for anyone to follow."
    hint = "Give a part of it a name, with a `define` of its own."
    first = next(token for token in found.tokens if token.start_pos == start)
    return Diagnostic("error", "too-deep", message, span_of(found.path, first), hint=hint)


class ParserRun:
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
                if self.tokens[index].type in BLOCKS:
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
        """Return the next token at which reading can resume."""
        tokens = self.tokens
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
        return self.tokens[at].can_be[0] in BLOCKS and "NAME" in self.tokens[at + 1].can_be

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

"""Reading on after a mistake, so that one run tells all of them: the parser with a rule for what to do when it stops.

One sign or word is missing, or a keyword is misspelt, and all fits again: it is put right, and reading goes on. Else
the statement is given up and reading goes on with the next: a word that begins a statement, first on its line, or the
bracket that closes the variant. A statement tells at most one mistake of syntax, and none where its letters are
already wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truco_spec.language import tree as t
from truco_spec.language.build import Build
from truco_spec.language.diagnostics import Diagnostic, SpecError
from truco_spec.language.grammar import END
from truco_spec.language.parse import Parser
from truco_spec.language.tokens import Token, Tokens, span_of, start_of, tokenize

if TYPE_CHECKING:
    from truco_spec.language.explain import Explanation

MOST = 50
"""After so many mistakes a text is not read further."""


@dataclass(slots=True)
class Parsed:
    """A text as read: its tree (what could be saved of it, where there are mistakes), its tokens, its mistakes.

    ``broken`` holds where the statements start that have told a mistake.
    """

    file: t.File
    tokens: Tokens
    mistakes: list[Diagnostic]
    broken: frozenset[int]


def parse_all(text: str, path: str) -> Parsed:
    """Parse a whole text. Raises :class:`SpecError` with every mistake of letters and syntax."""
    parsed = parse_what_can_be(text, path)
    if parsed.mistakes:
        raise SpecError(parsed.mistakes, {path: text})
    return parsed


def parse_what_can_be(text: str, path: str) -> Parsed:
    """Parse a whole text, whatever is in it. Never raises."""
    tokens = tokenize(text, path)
    reading = Reading(path, tokens)
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


class Reading:
    """One run of the parser over the tokens of a text, with its mistakes."""

    def __init__(self, path: str, tokens: Tokens) -> None:
        self.path, self.found = path, tokens
        self.tokens = tokens.tokens
        self.parser = Parser(path, self.tokens)
        self.mistakes: list[Diagnostic] = []
        self.blamed: set[int] = set()  # where the statements began that have told a mistake
        self.opened = False  # whether the variant under way was begun here and not in the text

    def run(self) -> None:
        """Read to the end. Afterwards the parser has a result."""
        index, last = 0, len(self.tokens) - 1
        while True:
            if self.parser.take(index):
                if index == last:
                    return
                if self.tokens[index].value == "variant":
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
        """The token to blame: the one before, if it begins a statement and was read as a name of the last one."""
        before = index - 1
        if before > self.parser.began and self.tokens[before].type == "NAME":
            opens = self.tokens[before].can_be[0] in self.parser.grammar.openers
            if opens and self._first_on_line(before) and self._starts(self.tokens, before):
                return before
        return index

    def _first_on_line(self, at: int) -> bool:
        return at == 0 or self.tokens[at - 1].end_line < self.tokens[at].line

    # ---- telling -------------------------------------------------------------------------------

    def _explain(self, index: int) -> Explanation:
        from truco_spec.language.explain import explain  # a text without mistakes needs none of the words

        return explain(self.parser, index)

    def _tell(self, mistake: Diagnostic, index: int) -> None:
        """Note a mistake, if the statement it is in has told none."""
        began = min(self.parser.began, index)
        if began in self.blamed or len(self.mistakes) >= MOST:
            return
        self.blamed.add(began)
        start, stop = self.tokens[began].start_pos, self.tokens[index].end_pos
        if not any(start <= letters.span.start <= stop for letters in self.found.mistakes):
            self.mistakes.append(mistake)

    # ---- going on ------------------------------------------------------------------------------

    def _mend(self, index: int) -> int:
        """Tell what is wrong at a token, and make the parser ready to go on; returns the token to go on with."""
        parser = self.parser
        repair = self._explain(index)
        if repair.starts or parser.states[-1] in parser.grammar.bodies:
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
        """Give the statement up; returns the token to go on with, which the parser will take."""
        parser = self.parser
        began = parser.began
        if parser.floor > 1 and parser.states[parser.floor - 1] in parser.grammar.bodies and not self._closed():
            parser.cut_to_floor()
            after = self._next_start(max(index, began + 1), self._depth(began, index))
            parser.began = after
            if self.tokens[after].value == "variant" or self.tokens[after].can_be == (END,):
                self._close(after)
            return after
        return self._skip_outside(index)

    def _skip_outside(self, index: int) -> int:
        """The same where no variant is open yet: what is not understood of its beginning is made up."""
        parser = self.parser
        if not self._closed():
            parser.cut_to_floor()
        after = self._next_start(index, 0)
        token = self.tokens[after]
        if token.value == "variant" and after > parser.began:
            return after
        if token.can_be != (END,):
            self._open(after)
        elif len(parser.states) == 1:
            self._open(after)
            self._close(after)
        return after

    def _closed(self) -> bool:
        """Whether the last thing read is the end of a variant."""
        return self.tokens[self.parser.began].value == "}" and len(self.parser.states) > self.parser.floor

    def _open(self, index: int) -> None:
        """Begin a variant that the text does not, or not rightly; that it does not end either is no mistake."""
        self.opened = True
        for terminal, text in (("VARIANT", "variant"), ("NAME", "unknown"), ("LBRACE", "{"), ("TITLE", "title")):
            self._make_up(terminal, text, index)
        self._make_up("STRING", '""', index)
        self.parser.settle(index)

    def _close(self, index: int) -> None:
        """End a variant that the text does not."""
        self._make_up("RBRACE", "}", index)

    def _make_up(self, terminal: str, text: str, index: int) -> None:
        self.parser.make_up(terminal, text, start_of(self.tokens[index]), index)

    def _depth(self, first: int, stop: int) -> int:
        """How many curly brackets are open between two tokens."""
        return sum({"{": 1, "}": -1}.get(token.value, 0) for token in self.tokens[first:stop])

    def _next_start(self, index: int, depth: int) -> int:
        """The next token at which reading can start afresh."""
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
        return self.parser.states[-1] in self.parser.grammar.bodies

    def _starts(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether a statement or a variant seems to start here: its word, and a name behind it.

        In the column of the last one, a word that is no keyword seems to start one, too.
        """
        starts = self.parser.grammar.openers | {"VARIANT"}
        seems = tokens[at].can_be == ("NAME",) and tokens[at].column == tokens[self.parser.began].column
        return (tokens[at].can_be[0] in starts or (seems and self._inside())) and "NAME" in tokens[at + 1].can_be

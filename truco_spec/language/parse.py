"""Tokens to tree: Lark's parser, fed the tokens of a text.

:func:`parse` is for texts that are known to be right, as the templates of the lowering are. To read what people
write, use :func:`truco_spec.language.read.read`, which also checks the shape of statements.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from copy import copy

from lark import Tree, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from truco_spec.language import tree as t
from truco_spec.language.grammar import grammar
from truco_spec.language.tokens import Place, Token, end_of, start_of


def parse(text: str, path: str = "<text>") -> t.File:
    """Parse a whole text. Raises :class:`~truco_spec.language.diagnostics.SpecError` with every mistake found.

    The shape of statements is not checked.
    """
    from truco_spec.language.recover import parse_all

    return parse_all(text, path).file


class Parser:
    """Lark's parser, and which tokens it has been fed.

    It remembers where the statement under way began, so that a mistake can be undone: ``began`` is the index of its
    first token, ``floor`` the height of the stack of states below it. ``meant`` tells, by the index of a token, which
    terminal it was meant to be, where it is misspelt; ``inserted`` which one is missing before it.
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
        """Read one token. False when it cannot stand here; the stack may then be spoilt: see :meth:`rewind`."""
        token = self.tokens[index]
        if index in self.inserted:
            self._insert(self.inserted[index], index)
        terminal = self.meant.get(index) or choose(token, self.grammar.states[self.states[-1]])
        if terminal is None:
            return False
        token.type = terminal
        return self.push(token, index)

    def _insert(self, terminal: str, index: int) -> None:
        """Read a token that is not there."""
        place = end_of(self.tokens[index - 1]) if index else start_of(self.tokens[index])
        self.make_up(terminal, {"CITE": "@unknown:unknown", "STRING": '""'}.get(terminal, ""), place, index)

    def make_up(self, terminal: str, text: str, place: Place, index: int) -> None:
        """Read a token that is not there, before token ``index``."""
        self.push(Token.of((terminal,), text, place, place), index)

    def push(self, token: Token, index: int) -> bool:
        """Read one token as what its type says."""
        try:
            self.lark.feed_token(token)
        except UnexpectedToken:
            return False
        bounds = token.type in self.grammar.bounds and self.states[-2] in self.grammar.bodies
        if bounds or token.type == "VARIANT":
            self.began, self.floor = index, len(self.states) - 1
        return True

    def rewind(self, index: int) -> None:
        """Take back a token that was refused, and all that it has done: the stack is as before token ``index``."""
        began = self.began
        self.cut_to_floor()
        for earlier in range(began, index):
            self.take(earlier)

    def settle(self, index: int) -> None:
        """Complete the statement under way, where it may end: the next token, ``index``, begins another."""
        if "DROP" in self.lark.accepts():
            self.make_up("DROP", "drop", start_of(self.tokens[index]), index)
            self.cut_to_floor()

    def cut_to_floor(self) -> None:
        """Forget the statement under way."""
        del self.states[self.floor :], self.lark.parser_state.value_stack[self.floor - 1 :]

    def result(self) -> Tree[Token]:
        """What was read, once the end has been."""
        found: Tree[Token] = self.lark.parser_state.value_stack[-1]
        return found


def choose(token: Token, terminals: Container[str]) -> str | None:
    """The terminal that a token stands for where these can be read; None where it cannot."""
    for terminal in token.can_be:
        if terminal in terminals:
            return terminal
    return None


def after(parser: InteractiveParser, *terminals: str) -> InteractiveParser | None:
    """A copy that has read these terminals and built nothing; None where they cannot stand."""
    tried: InteractiveParser = parser.copy(deepcopy_values=False)
    tried.parser_state.parse_conf = copy(tried.parser_state.parse_conf)
    tried.parser_state.parse_conf.callbacks = {}
    try:
        for terminal in terminals:
            tried.feed_token(Token(terminal, ""))
    except UnexpectedToken:
        return None
    return tried

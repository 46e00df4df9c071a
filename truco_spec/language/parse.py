"""Tokens to tree: drives Lark's interactive parser.

:func:`parse` is for texts known to be valid, such as the templates of desugaring. To read user input, use
:func:`truco_spec.language.read.read`, which also checks the shape of statements.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from copy import copy

from lark import Tree, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from truco_spec.language import tree as t
from truco_spec.language.grammar import grammar
from truco_spec.language.tokens import Place, Token, end_of, start_of

BLOCKS = frozenset(("VARIANT", "CONCORDANCE"))
"""The terminals that begin a block."""


def parse(text: str, path: str = "<text>") -> t.File:
    """Parse a whole text. Raises :class:`~truco_spec.language.diagnostics.SpecError` with every error found.

    The shape of statements is not checked.
    """
    from truco_spec.language.recover import parse_all

    return parse_all(text, path).file


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
        if self.states[-2] in self.grammar.between or token.type in BLOCKS:
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


def after(parser: InteractiveParser, *terminals: str) -> InteractiveParser | None:
    """Return a copy that has read these terminals and built nothing; None if they are not accepted."""
    tried: InteractiveParser = parser.copy(deepcopy_values=False)
    tried.parser_state.parse_conf = copy(tried.parser_state.parse_conf)
    tried.parser_state.parse_conf.callbacks = {}
    try:
        for terminal in terminals:
            tried.feed_token(Token(terminal, ""))
    except UnexpectedToken:
        return None
    return tried

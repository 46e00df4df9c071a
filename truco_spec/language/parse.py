"""Tokens to tree: the LALR(1) automaton of the grammar, run over the tokens of a text.

:func:`parse` is for texts that are known to be right, as the templates of the lowering are. To read what people
write, use :func:`truco_spec.language.read.read`, which also checks the shape of statements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from truco_spec.language import tree as t
from truco_spec.language.build import builders
from truco_spec.language.table import Table, table
from truco_spec.language.tokens import END, Token, span_of

DEEPEST = 120
"""How many brackets, operators or questions may stand inside each other."""


def parse(text: str, path: str = "<text>") -> t.File:
    """Parse a whole text. Raises :class:`~truco_spec.language.diagnostics.SpecError` with every mistake found.

    The shape of statements is not checked.
    """
    from truco_spec.language.recover import parse_all

    return parse_all(text, path).file


class TooDeep(Exception):
    """More is nested than any reader could follow."""


class Parser:
    """The automaton and its stack: the states gone through, what was built in each, and which tokens it covers.

    Besides, it remembers where the statement under way began, so that a mistake can be undone: ``began`` is the index
    of its first token, ``floor`` the height of the stack below it. ``read_as`` tells, by the index of a token, which
    terminal it was read as; ``meant`` which one it was meant to be, where it is misspelt; ``inserted`` which one is
    missing before it.
    """

    def __init__(self, path: str, tokens: Sequence[Token]) -> None:
        self.table: Table = table()
        self.path, self.tokens = path, tokens
        self.builders: dict[str, Callable[[t.Span, list[Any]], Any]] = builders(path)
        self.states: list[int] = [0]
        self.values: list[Any] = [None]
        self.firsts: list[Token] = [tokens[0]]
        self.lasts: list[Token] = [tokens[0]]
        self.depths: list[int] = [0]
        self.began, self.floor = 0, 1
        self.read_as: dict[int, str] = {}
        self.meant: dict[int, str] = {}
        self.inserted: dict[int, str] = {}

    def choose(self, token: Token) -> str | None:
        """The terminal that a token stands for here; None when it cannot stand here."""
        row = self.table.actions[self.states[-1]]
        for terminal in token.can_be:
            if terminal in row:
                return terminal
        return None

    def take(self, index: int) -> bool:
        """Read one token. False when it cannot stand here; the stack may then be spoilt: see :meth:`rewind`."""
        token = self.tokens[index]
        if index in self.inserted:
            self._insert(self.inserted[index], index)
        terminal = self.meant.get(index) or self.choose(token)
        return terminal is not None and self.push(terminal, token, index)

    def _insert(self, terminal: str, index: int) -> None:
        """Read a token that is not there."""
        before = self.tokens[index - 1] if index else self.tokens[index]
        text = {"CITE": "@unknown:unknown", "STRING": '""'}.get(terminal, "")
        place = (before.end, before.end, before.end_line, before.end_column, before.end_line, before.end_column)
        self.push(terminal, Token((terminal,), text, *place), index)

    def push(self, terminal: str, token: Token, index: int) -> bool:
        """Read one token as this terminal."""
        actions, states = self.table.actions, self.states
        while True:
            state = states[-1]
            action = actions[state].get(terminal)
            if action is None:
                return terminal == END and state == self.table.end
            if action < 0:
                self._reduce(-1 - action)
                continue
            if terminal == "VARIANT" or (state in self.table.bodies and terminal in self.table.bounds):
                self.began, self.floor = index, len(states)
            self.read_as[index] = terminal
            states.append(action)
            self.values.append(token)
            self.firsts.append(token)
            self.lasts.append(token)
            self.depths.append(0)
            return True

    def _reduce(self, number: int) -> None:
        """The parts of a production are complete: put what they build in their place."""
        production = self.table.productions[number]
        values, states = self.values, self.states
        cut = len(states) - len(production.parts)
        first, last = self.firsts[cut], self.lasts[-1]
        depth = max(self.depths[cut:])
        built: Any
        if production.built is None:
            built = self._kept(cut + production.take[0])
        else:
            kids: list[Any] = []
            for part in production.take:
                if part >= 0:
                    kids.append(self._kept(cut + part))
                elif part == -1:
                    kids.append(None)
                elif kids:
                    kids += values[cut - 2 - part]
                else:
                    kids = values[cut - 2 - part]
            if production.built:
                depth += 1
                if depth > DEEPEST:
                    raise TooDeep
                built = self.builders[production.built](span_of(self.path, first, last), kids)
            else:
                built = kids
        del states[cut:], values[cut:], self.firsts[cut:], self.lasts[cut:], self.depths[cut:]
        states.append(self.table.gotos[states[-1]][production.of])
        values.append(built)
        self.firsts.append(first)
        self.lasts.append(last)
        self.depths.append(depth)

    def _kept(self, index: int) -> Any:
        value = self.values[index]
        return t.Word.at(value.text, span_of(self.path, value)) if type(value) is Token else value

    def rewind(self, index: int) -> None:
        """Take back a token that was refused, and all that it has done: the stack is as before token ``index``."""
        began = self.began
        self.cut_to_floor()
        for earlier in range(began, index):
            self.take(earlier)

    def settle(self, index: int) -> None:
        """Complete the statement under way, where it may end: the next token, ``index``, begins another."""
        states = self.states
        while (action := self.table.actions[states[-1]].get("DROP")) is not None and action < 0:
            self._reduce(-1 - action)
        self.began, self.floor = index, len(states)

    def cut_to_floor(self) -> None:
        """Forget the statement under way."""
        for stack in (self.states, self.values, self.firsts, self.lasts, self.depths):
            del stack[self.floor :]

    def would_take(self, terminals: Sequence[str], states: Sequence[int] | None = None) -> list[int] | None:
        """The states after these terminals, which are not read but only tried; None when one of them cannot stand."""
        after = list(self.states if states is None else states)
        for terminal in terminals:
            while True:
                action = self.table.actions[after[-1]].get(terminal)
                if action is None:
                    if terminal == END and after[-1] == self.table.end:
                        break
                    return None
                if action >= 0:
                    after.append(action)
                    break
                production = self.table.productions[-1 - action]
                del after[len(after) - len(production.parts) :]
                after.append(self.table.gotos[after[-1]][production.of])
        return after

    def result(self) -> t.File:
        """What was read, once the end has been."""
        found = self.values[-1]
        assert isinstance(found, t.File)
        return found

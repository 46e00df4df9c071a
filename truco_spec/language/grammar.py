"""The compiled grammar: Lark's parser, its keywords and signs, and the symbols read in each parser state.

Lark builds the LALR(1) parser of ``grammar/truco.lark`` in strict mode. As this is slow, its serialised form is kept on
a :class:`~truco_spec.base.user_cache.Shelf`: plain values, from which no function or class is ever looked up.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import TypeAlias

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.parsers.lalr_interactive_parser import InteractiveParser

from truco_spec.base import shipped
from truco_spec.base.user_cache import Shelf

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
    """Build Lark's parser of a grammar. Raises an error of Lark's for a conflict of rules or terminals."""
    return lark.Lark(text, parser="lalr", lexer="basic", strict=True, propagate_positions=True, maybe_placeholders=True)


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """Return the shipped grammar."""
    text = (shipped.folder("grammar") / "truco.lark").read_text(encoding="utf-8")
    name = hashlib.sha256(repr((lark.__version__, sys.version, text)).encode()).hexdigest()
    kept = SHELF.take(name)
    if isinstance(kept, dict):
        return Grammar(lark.Lark.load(kept))
    built = build(text)
    data, memo = built.memo_serialize([TerminalDef, Rule])
    SHELF.put(name, {"data": data, "memo": memo})
    return Grammar(built)

"""Wherever reading can fail there is something to say: every state of the parser is visited."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

import pytest
from lark.parsers.lalr_interactive_parser import InteractiveParser

from truco_spec.language.diagnostics import SpecError
from truco_spec.language.grammar import grammar, tokenize
from truco_spec.language.parse_errors import after, explain, messages
from truco_spec.language.read import Parser
from truco_spec.language.shape import KINDS

GRAMMAR = grammar()
STATES = [state for state in GRAMMAR.items if GRAMMAR.items[state] or state == GRAMMAR.start]
TOKEN_NAME = re.compile(r"\b[A-Z]{4,}\b|\b(?:NAME|INT|ANY)\b|__|\{[a-z]+\}|\$END|…_")
OF_CLASS = {"NAME": "aces", "INT": "3", "STRING": '"Words."', "CITE": "@a:bc", "$END": ""}


@lru_cache(maxsize=1)
def paths() -> dict[int, list[int]]:
    """For each state the shortest stack that has it on top."""
    found = {GRAMMAR.start: [GRAMMAR.start]}
    for state in GRAMMAR.items:  # in the order of their distance
        for to in GRAMMAR.read_in(state).values():
            found.setdefault(to, [*found[state], to])
    return found


def parser_in(state: int) -> InteractiveParser:
    """Lark's parser with the shortest stack that has this state on top."""
    parser = GRAMMAR.begin()
    parser.parser_state.state_stack[:] = paths()[state]
    parser.parser_state.value_stack[:] = [None] * (len(paths()[state]) - 1)
    return parser


@lru_cache(maxsize=1)
def shortest() -> dict[str, list[str]]:
    """For each symbol of the grammar the fewest terminals it stands for."""
    found: dict[str, list[str]] = {terminal: [terminal] for terminal in GRAMMAR.terminals}
    grew = True
    while grew:
        grew = False
        for rule in GRAMMAR.lark.rules:
            of, parts = rule.origin.name, [part.name for part in rule.expansion]
            if all(part in found for part in parts):
                text = [terminal for part in parts for terminal in found[part]]
                if of not in found or len(text) < len(found[of]):
                    found[of] = text
                    grew = True
    return found


def written(terminal: str) -> str:
    if terminal in OF_CLASS:
        return OF_CLASS[terminal]
    return next(word for word, can_be in (*GRAMMAR.words.items(), *GRAMMAR.signs.items()) if terminal in can_be)


def text_to(state: int) -> str:
    """A text that brings the parser to a state that is entered by reading a token."""
    stack, terminals = paths()[state], []
    for before, behind in pairwise(stack):
        symbol = next(symbol for symbol, to in GRAMMAR.read_in(before).items() if to == behind)
        terminals += shortest()[symbol]
    return " ".join(written(terminal) for terminal in terminals)


def entered_by_a_token(state: int) -> bool:
    return any(to == state and symbol.isupper() for row in STATES for symbol, to in GRAMMAR.read_in(row).items())


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["", "rule", "datum", "ladder"])
def test_every_state_has_something_to_say(kind: str) -> None:
    said: dict[int, str] = {}
    for state in STATES:
        role = messages().role(state, kind)
        wanted = messages().say_wanted(messages().wanted(parser_in(state)), kind)
        said[state] = f"After {role} comes {', '.join(wanted)}."
        assert wanted, f"nothing may follow in state {state}, after {role}"
        assert not TOKEN_NAME.search(said[state]), said[state]
    assert len(said) > 400


def test_what_is_said_tells_places_apart() -> None:
    """No message serves for everything."""
    said = [
        (messages().role(state), *messages().say_wanted(messages().wanted(parser_in(state))))
        for state in STATES
        if messages().role(state)
    ]
    commonest = max(said.count(entry) for entry in said)
    assert commonest <= len(STATES) // 20
    assert len(set(said)) > len(said) // 2


def test_every_message_can_be_triggered() -> None:
    """A text is written for each state in which a token can be refused, and refused it is, with a message."""
    tried = 0
    for state in STATES:
        if not entered_by_a_token(state):
            continue
        start = text_to(state)
        bad = next(
            (
                s
                for s in (";", "*", ")", "|", "}", "@a:bc")
                if not any(after(parser_in(state), terminal) for terminal in GRAMMAR.signs.get(s, ("CITE",)))
            ),
            "",
        )
        assert bad, f"everything may follow {start}"
        tokens = tokenize(f"{start} {bad}", "t")
        assert not tokens.mistakes
        parser = Parser("t", tokens.tokens)
        refused = len(tokens.tokens) - 2
        assert all(parser.take(index) for index in range(refused)), start
        assert parser.states[-1] == state
        assert not parser.take(refused)
        parser.rewind(refused)
        diagnostic = explain(parser, refused).diagnostic
        assert len(diagnostic.message) > 10
        assert diagnostic.hint or "comes" in diagnostic.message or "missing" in diagnostic.message, diagnostic
        assert not TOKEN_NAME.search(diagnostic.message.replace("`{`", "")), diagnostic.message
        tried += 1
    assert tried > 200


def test_every_kind_of_statement_has_an_example_that_reads() -> None:
    from truco_spec.language.read import read

    inside = GRAMMAR.openers
    words = {word for terminal in inside for word, can_be in GRAMMAR.words.items() if terminal in can_be[:-1]}
    kinds = {word for word in words if word not in ("title",)}
    assert kinds >= set(KINDS)
    for kind in sorted(kinds):
        example = messages().examples[kind].replace("@source:clause", "@a:bc")
        read(f'variant a {{ title "t" {example} }}')


def test_a_mistake_shows_the_nearest_keyword() -> None:
    from truco_spec.language.read import read

    with pytest.raises(SpecError, match="Did you mean `define`"):
        read('variant a { title "t"\n  defien x @a:bc "s" = 3\n}')
    with pytest.raises(SpecError, match="Did you mean `extends`"):
        read('variant a extend b { title "t" }')

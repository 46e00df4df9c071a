"""Wherever reading can fail there is something to say: every state of the parser is visited."""

from __future__ import annotations

import re
from collections import deque
from functools import lru_cache
from itertools import pairwise

import pytest

from truco_spec.language.diagnostics import SpecError
from truco_spec.language.explain import explain
from truco_spec.language.messages import messages, would_take
from truco_spec.language.parse import Parser
from truco_spec.language.shape import KINDS
from truco_spec.language.table import table
from truco_spec.language.tokens import tokenize

TABLE = table()
STATES = range(len(TABLE.actions))
TOKEN_NAME = re.compile(r"\b[A-Z]{4,}\b|\b(?:NAME|INT|ANY)\b|__|\{[a-z]+\}|\$END|…_")
OF_CLASS = {"NAME": "aces", "INT": "3", "STRING": '"Words."', "CITE": "@a:bc", "$END": ""}


@lru_cache(maxsize=1)
def paths() -> dict[int, list[int]]:
    """For each state the shortest stack that has it on top."""
    found, queue = {0: [0]}, deque([0])
    while queue:
        state = queue.popleft()
        for to in (*TABLE.actions[state].values(), *TABLE.gotos[state].values()):
            if to > 0 and to not in found:
                found[to] = [*found[state], to]
                queue.append(to)
    return found


@lru_cache(maxsize=1)
def shortest() -> dict[str, list[str]]:
    """For each symbol of the grammar the fewest terminals it stands for."""
    found: dict[str, list[str]] = {terminal: [terminal] for terminal in TABLE.terminals}
    grew = True
    while grew:
        grew = False
        for production in TABLE.productions:
            if all(part in found for part in production.parts):
                text = [terminal for part in production.parts for terminal in found[part]]
                if production.of not in found or len(text) < len(found[production.of]):
                    found[production.of] = text
                    grew = True
    return found


def written(terminal: str) -> str:
    if terminal in OF_CLASS:
        return OF_CLASS[terminal]
    return next(word for word, can_be in (*TABLE.words.items(), *TABLE.signs.items()) if terminal in can_be)


def text_to(state: int) -> str:
    """A text that brings the parser to a state that is entered by reading a token."""
    stack, terminals = paths()[state], []
    for before, after in pairwise(stack):
        symbols = {**TABLE.actions[before], **TABLE.gotos[before]}
        symbol = next(symbol for symbol, to in symbols.items() if to == after)
        terminals += shortest()[symbol]
    return " ".join(written(terminal) for terminal in terminals)


def entered_by_a_token(state: int) -> bool:
    return any(row.get(terminal) == state for row in TABLE.actions for terminal in row)


@pytest.mark.parametrize("kind", ["", "rule", "datum", "ladder"])
def test_every_state_has_something_to_say(kind: str) -> None:
    said: dict[int, str] = {}
    for state in STATES:
        role = messages().role(state, kind)
        wanted = messages().say_wanted(messages().wanted(paths()[state]), kind)
        said[state] = f"After {role} comes {', '.join(wanted)}."
        assert wanted, f"nothing may follow in state {state}, after {role}"
        assert not TOKEN_NAME.search(said[state]), said[state]
    assert len(said) == len(TABLE.actions)


def test_what_is_said_tells_places_apart() -> None:
    """No message serves for everything."""
    said = [
        (messages().role(state), *messages().say_wanted(messages().wanted(paths()[state])))
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
                if not _takes(paths()[state], TABLE.signs.get(s, ("CITE",)))
            ),
            "",
        )
        assert bad, f"everything may follow {start}"
        tokens = tokenize(f"{start} {bad}", "t", TABLE)
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


def _takes(states: list[int], terminals: tuple[str, ...]) -> bool:
    return any(would_take(TABLE, states, terminal) is not None for terminal in terminals)


def test_every_kind_of_statement_has_an_example_that_reads() -> None:
    from truco_spec.language.read import read

    inside = (terminal for state in TABLE.bodies for terminal in TABLE.actions[state])
    words = {word for terminal in inside for word, can_be in TABLE.words.items() if terminal in can_be[:-1]}
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

"""What is wrong with words that mean nothing, though they begin like something that is said: ``tengo treinta``."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from truco_spec.engine.text import Template, Token, Words, joinings, value_of
from truco_spec.graph.model import Graph
from truco_spec.graph.types import Type

_VALUE, _MISSING, _TOO_MUCH = range(3)
_MOST_LISTED = 12


class Lack(NamedTuple):
    """``part`` is what cannot stand ``behind`` the words before it; empty where the words end too soon.

    ``kind`` is the type of what should stand in its place; None where nothing should, and where the words end too soon.
    ``wanted`` says what should, as the end of a sentence.
    """

    part: str
    behind: str
    kind: Type | None
    wanted: str


def lack_of(words: Words, said: Sequence[str], players: Sequence[str]) -> Lack | None:
    """Where words that mean nothing go wrong; None if nothing that is said begins like them."""
    for spelt in (said, *joinings(said)) if said else ():
        if lack := _lack(words, spelt, players):
            return lack
    return None


def _lack(words: Words, said: Sequence[str], players: Sequence[str]) -> Lack | None:
    templates = [template for listed in words.templates.values() for template in listed]
    faults = [(template, _fault(words.graph, template, said, players)) for template in templates]
    found = [(*fault, template) for template, fault in faults if fault is not None]
    if not found:
        return None
    at, sort = min(((at, sort) for at, sort, _ in found), key=lambda fault: (-fault[0], fault[1]))
    likely = [template for *fault, template in found if fault == [at, sort]]
    first = likely[0]
    behind, whole = " ".join(said[:at]), _whole(words.graph, first)
    if sort == _TOO_MUCH:
        wanted = f"{whole}, and no more" if whole else f"nothing stands behind “{behind}”; moves are parted by commas"
        return Lack(" ".join(said[at:]), behind, None, wanted)
    if sort == _VALUE:
        token = first.tokens[at]
        return Lack(token.read(said[at]) or "", behind, _type_of(first, token), whole)
    stand = list(dict.fromkeys(_listed(words.graph, template, at) for template in likely))
    return Lack("", behind, None, f"behind “{behind}” stands {' or '.join(stand[:_MOST_LISTED])}")


def _fault(graph: Graph, template: Template, said: Sequence[str], players: Sequence[str]) -> tuple[int, int] | None:
    """Where the words go astray from the template, and how; None if at once, or by a word that is told there."""
    for at, (token, word) in enumerate(zip(template.tokens, said, strict=False)):
        inner, kind = token.read(word), _type_of(template, token)
        if inner is None:
            return None
        if kind is not None and value_of(graph, kind, inner, players) is None:
            return (at, _VALUE) if at else None
    size = len(template.tokens)
    if size == len(said):
        return None
    return (len(said), _MISSING) if size > len(said) else (size, _TOO_MUCH)


def _type_of(template: Template, token: Token) -> Type | None:
    return next((param.type for param in template.kind.params if param.name == token.parameter), None)


def _whole(graph: Graph, template: Template) -> str:
    """What stands behind the first words of a template; empty if those are all, or if it has none of its own."""
    lead = list(itertools.takewhile(bool, (token.literal for token in template.tokens)))
    rest = _listed(graph, template, len(lead))
    return f"behind “{' '.join(lead)}” stands {rest}" if lead and rest else ""


def _listed(graph: Graph, template: Template, begin: int) -> str:
    """What a template wants from one of its words on."""
    told: list[str] = []
    for literal, tokens in itertools.groupby(template.tokens[begin:], lambda token: bool(token.literal)):
        if literal:
            told.append(f"“{' '.join(token.literal for token in tokens)}”")
        else:
            told += [_hole(graph, template, token) for token in tokens]
    return " and ".join(told)


def _hole(graph: Graph, template: Template, token: Token) -> str:
    kind = _type_of(template, token)
    text = described(graph, kind) if kind else ""
    return f"{text} in “{token.prefix}{token.suffix}”" if token.prefix or token.suffix else text


def described(graph: Graph, kind: Type) -> str:
    """What is wanted where a value of this type stands."""
    told: list[str] = []
    if kind.base == "number":
        told.append(f"a number from {kind.low} to {kind.high}")
    elif kind.base in ("seat", "team"):
        told.append("a player")
    elif kind.base == "order":
        members = graph.orders[kind.name][kind.low : kind.high + 1]
        more = ", …" if len(members) > _MOST_LISTED else ""
        told.append(f"one of {', '.join(members[:_MOST_LISTED])}{more}")
    elif kind.base:
        told.append({"flag": "yes or no"}.get(kind.base, f"a {kind.base}"))
    return " or ".join([*told, *sorted(kind.words)])

"""Actions as text and back: ``bia truco``, ``davi 7D``, ``davi (7D)``. The words are those of the spec (``written``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from truco_spec.errors import TrucoError
from truco_spec.graph.model import Graph
from truco_spec.graph.types import Type
from truco_spec.language.diagnostics import nearest

if TYPE_CHECKING:
    from truco_spec.engine.game import Action

_HOLE = re.compile(r"\{([A-Za-z0-9.-]+)\}")
CHANCE_NAME = "chance"
_SEAT = Type("seat", 0, 1)


class TextError(TrucoError):
    """A text that names no action: unknown player, word or card. ``near`` is what may have been meant."""

    def __init__(self, message: str, near: str = "") -> None:
        super().__init__(f"{message}; did you mean {near}?" if near else message)
        self.near = near


def value_text(graph: Graph, kind: Type, value: int, players: Sequence[str]) -> str:
    """A value with the names of this table: players for seats, the first of its players for a team."""
    if not kind.many and kind.base in ("seat", "team") and 0 <= value < len(players):
        return players[value]
    if value > -1000 and kind.many and kind.base == "seat":
        return "{" + ", ".join(p for i, p in enumerate(players) if value >> i & 1) + "}"
    return graph.text_of(kind, value)


def value_of(graph: Graph, kind: Type, text: str, players: Sequence[str]) -> int | None:
    """The value that a text means in a type at this table, or None. A team may be named by any of its players."""
    if text in kind.words:
        return graph.words[text]
    if kind.base in ("seat", "team"):
        if text not in players:
            return None
        seat = list(players).index(text)
        return seat if kind.base == "seat" else seat % graph.teams
    return graph.value_of(kind, text)


def action_text(graph: Graph, action: Action, players: Sequence[str]) -> str:
    """``player words``; the canonical notation of the action."""
    actor = CHANCE_NAME if action.actor < 0 else value_text(graph, _SEAT, action.actor, players)
    kind = graph.actions.get(action.verb)
    if kind is None or len(kind.params) != len(action.args):
        return f"{actor} {action.verb}"
    given = {
        p.name: value_text(graph, p.type, value, players) for p, value in zip(kind.params, action.args, strict=True)
    }
    return f"{actor} {_HOLE.sub(lambda m: given.get(m[1], m[0]), kind.written[0])}"


@lru_cache(maxsize=8192)
def _pattern(template: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    names = tuple(_HOLE.findall(template))
    parts = _HOLE.split(template)
    text = "".join(re.escape(part) if i % 2 == 0 else r"([^\s,()]+)" for i, part in enumerate(parts))
    return re.compile(text), names


def parse_action(graph: Graph, text: str, players: Sequence[str]) -> Action:
    """The action that ``player words`` means. Raises TextError."""
    from truco_spec.engine.game import CHANCE, Action

    who, _, words = " ".join(text.split()).partition(" ")
    if who != CHANCE_NAME and who not in players:
        near = nearest(who, players) or ""
        raise TextError(f"there is no player {who!r} at this table ({', '.join(players)})", near)
    actor = CHANCE if who == CHANCE_NAME else list(players).index(who)
    if not words:
        raise TextError(f"{who} says or plays nothing: write a card or a word after the name")
    for kind in graph.actions.values():
        for template in kind.written:
            pattern, names = _pattern(template)
            match = pattern.fullmatch(words)
            if match is None:
                continue
            given = dict(zip(names, match.groups(), strict=True))
            args = [value_of(graph, p.type, given.get(p.name, ""), players) for p in kind.params]
            if all(arg is not None for arg in args):
                return Action(actor, kind.name, tuple(arg for arg in args if arg is not None))
    raise TextError(f"{words!r} is no card and no word of {graph.name}", _near(graph, words))


def _near(graph: Graph, words: str) -> str:
    known = [card.name for card in graph.cards if card.present]
    known += [m for order, members in graph.orders.items() if "." in order for m in members]
    for kind in graph.actions.values():
        known += [template for template in kind.written if "{" not in template]
    return nearest(words.strip("()"), known) or ""

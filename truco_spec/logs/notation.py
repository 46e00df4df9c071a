"""Moves and actions: which actions of a graph the words of a move can mean, and how an action is written.

The words are those of the spec (``written``): nothing here knows any of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from truco_spec.engine.game import Action
from truco_spec.engine.text import action_text, value_of, value_text, words_of
from truco_spec.graph.model import Graph
from truco_spec.graph.types import Type
from truco_spec.logs.words import hint_for, shown

_NOTATIONS: dict[tuple[int, tuple[str, ...]], Notation] = {}


def notation_of(graph: Graph, players: Sequence[str]) -> Notation:
    """The notation of a graph at a table; made once."""
    key = (id(graph), tuple(players))
    found = _NOTATIONS.get(key)
    if found is None or found.graph is not graph:
        found = _NOTATIONS[key] = Notation(graph, players)
    return found


class NotationError(Exception):
    """Words that mean no action. ``message`` says so; ``hint`` names the nearest that does."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.message, self.hint = message, hint


class Notation:
    """The notation of one graph at one table. ``players`` are in order of play. Use :func:`notation_of`."""

    def __init__(self, graph: Graph, players: Sequence[str]) -> None:
        self.graph = graph
        self.players = tuple(players)
        self.seats = {name: seat for seat, name in enumerate(self.players)}
        self.words = words_of(graph)
        self.cards = {card.name: number for number, card in enumerate(graph.cards)}

    def text(self, action: Action) -> str:
        """The action as it is written: the player and the words."""
        return action_text(self.graph, action, self.players)

    def value(self, kind: Type, value: int) -> str:
        """A value with the names of this table."""
        return value_text(self.graph, kind, value, self.players)

    def readings(self, move: str) -> list[Action]:
        """Every action that the move can mean, in the order of the spec. Raises :class:`NotationError` for none."""
        player, _, words = move.partition(" ")
        if player not in self.seats:
            raise NotationError(f"There is no player “{shown(player)}”.", hint_for(player, self.players))
        seat, said = self.seats[player], words.split()
        found = [Action(seat, verb, args) for verb, args in self.words.readings(said, self.players)]
        if not found:
            raise self._unknown(said)
        return found

    def cards_of(self, action: Action) -> tuple[int, ...]:
        """The cards that are named in the action."""
        params = self.graph.actions[action.verb].params
        return tuple(
            value
            for param, value in zip(params, action.args, strict=True)
            if param.type.base == "card" and not param.type.many and value >= 0
        )

    # ---- inside ------------------------------------------------------------------------------

    def _unknown(self, words: list[str]) -> NotationError:
        """The words mean nothing: say which of them, and what is nearest."""
        for template in self.words.templates.get(len(words), ()):
            reads = [token.read(word) for token, word in zip(template.tokens, words, strict=True)]
            if len(words) < 2 or None in reads:
                continue
            types = {param.name: param.type for param in template.kind.params}
            for token, inner in zip(template.tokens, reads, strict=True):
                kind = types.get(token.parameter)
                if kind and inner and value_of(self.graph, kind, inner, self.players) is None:
                    known = self.values(kind)
                    return NotationError(f"“{shown(inner)}” cannot stand here.", hint_for(inner, known))
        text = shown(" ".join(words))
        known = [*self._single_words(), *(card.name for card in self.graph.cards if card.present)]
        hint = hint_for(words[0].strip("()[]") if words else "", known)
        return NotationError(f"“{text}” is neither a card nor anything that is said in {self.graph.name}.", hint)

    def values(self, kind: Type) -> list[str]:
        """All values of a type, in words."""
        numbers = range(kind.low, kind.high + 1) if kind.base and not kind.many else ()
        texts = [self.value(kind, number) for number in numbers[:200]]
        return [*texts, *sorted(kind.words)]

    def _single_words(self) -> list[str]:
        """The first word of everything that can be said, cards apart."""
        found: dict[str, None] = {}
        for templates in self.words.templates.values():
            for template in templates:
                first = template.tokens[0]
                types = {param.name: param.type for param in template.kind.params}
                if not first.parameter:
                    found[first.literal] = None
                elif (kind := types[first.parameter]).base != "card":
                    found |= dict.fromkeys(first.prefix + text + first.suffix for text in self.values(kind))
        return list(found)

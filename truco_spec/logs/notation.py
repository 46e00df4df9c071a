"""Notation of moves: the actions of a graph that the words of a move can mean, and the words of an action.

The words come from the spec (``written``); none is known here.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property

from truco_spec.base.memo import MOST_GRAPHS, by_identity
from truco_spec.engine.game import CHANCE, Action
from truco_spec.engine.text import CHANCE_NAME, AmbiguousText, action_text, lack_of, value_of, value_text, words_of
from truco_spec.graph.model import Graph
from truco_spec.graph.types import Type
from truco_spec.language.diagnostics import nearest
from truco_spec.logs.words import hint_for, shown

MOST_WORDS = 6
"""Maximum words of a move that are compared with templates."""
MOST_KEPT = 2000
"""Maximum moves whose text or meaning a notation memoises."""


def notation_of(graph: Graph, players: Sequence[str]) -> Notation:
    """Return the memoised notation of a graph at a table."""
    return _notation(graph, tuple(players))


@by_identity(MOST_GRAPHS)
def _notation(graph: Graph, players: tuple[str, ...]) -> Notation:
    return Notation(graph, players)


class NotationError(Exception):
    """Words that mean no action. ``message`` says so; ``hint`` names the nearest that do."""

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
        self._texts: dict[Action, str] = {}
        self._readings: dict[str, tuple[Action, ...] | NotationError] = {}

    def text(self, action: Action) -> str:
        """Return the action as written: the player and the words."""
        found = self._texts.get(action)
        if found is None:
            found = action_text(self.graph, action, self.players)
            if len(self._texts) < MOST_KEPT:
                self._texts[action] = found
        return found

    def value(self, kind: Type, value: int) -> str:
        """Return a value with the names of this table."""
        return value_text(self.graph, kind, value, self.players)

    def readings(self, move: str) -> list[Action]:
        """Return every action that the move can mean, in spec order. Raises :class:`NotationError` if there is none."""
        found = self._readings.get(move)
        if found is None:
            try:
                found = tuple(self._read(move))
            except NotationError as error:
                found = error.with_traceback(None)
            if len(self._readings) < MOST_KEPT:
                self._readings[move] = found
        if isinstance(found, NotationError):
            raise NotationError(found.message, found.hint)
        return list(found)

    def _read(self, move: str) -> list[Action]:
        player, _, words = move.partition(" ")
        if player not in self.seats and not (player == CHANCE_NAME and self.of_chance):
            raise NotationError(f"There is no player “{shown(player)}”.", hint_for(player, self.players))
        seat, said = self.seats.get(player, CHANCE), words.split()
        try:
            found = self.words.readings(said, self.players)
        except AmbiguousText as error:
            ways = " or ".join(f"“{shown(way)}”" for way in error.meant)
            raise NotationError(f"“{shown(words)}” can mean {ways}.", "Write the hyphens.") from None
        if seat == CHANCE:
            found = [reading for reading in found if reading[0] in self.of_chance]
        if not found:
            raise self._unknown(said)
        return [Action(seat, verb, args) for verb, args in found]

    @cached_property
    def of_chance(self) -> frozenset[str]:
        """Return the chance actions that bring no card, such as the end of the time, which a log may contain."""
        rules = [rule for rule in self.graph.rules.values() if rule.shape == "may"]
        chance = {verb.action for rule in rules if rule.chance for verb in rule.verbs}
        others = {verb.action for rule in rules if not rule.chance for verb in rule.verbs}
        cards = {n for n, kind in self.graph.actions.items() if any(p.type.base == "card" for p in kind.params)}
        return frozenset(chance - others - cards)

    def cards_of(self, action: Action) -> tuple[int, ...]:
        """Return the cards named in the action."""
        params = self.graph.actions[action.verb].params
        return tuple(
            value
            for param, value in zip(params, action.args, strict=True)
            if param.type.base == "card" and not param.type.many and value >= 0
        )

    # ---- inside ------------------------------------------------------------------------------

    def _unknown(self, words: list[str]) -> NotationError:
        """Return the error for unknown words: which of them, and what is expected or nearest."""
        lack = lack_of(self.words, words, self.players)
        if lack is None:
            text, known = shown(" ".join(words)), self._known()
            near = nearest("-".join(words), known) if 1 < len(words) <= MOST_WORDS else None
            hint = hint_for(words[0].strip("()[]") if words else "", known)
            message = f"“{text}” is neither a card nor anything that is said in {self.graph.name}."
            return NotationError(message, f"Did you mean “{near}”?" if near else hint)
        behind, wanted = shown(lack.behind), f"{lack.wanted[0].upper()}{lack.wanted[1:]}."
        if not lack.part:
            return NotationError(f"“{behind}” is not complete.", wanted)
        if lack.kind is None:
            return NotationError(f"“{shown(lack.part)}” is too much behind “{behind}”.", wanted)
        if lack.kind.base != "number":
            wanted = hint_for(lack.part, self.values(lack.kind))
        elif value_of(self.graph, lack.kind, bare := lack.part.lstrip("0") or "0", self.players) is not None:
            wanted = f"Did you mean “{bare}”?"
        return NotationError(f"“{shown(lack.part)}” cannot stand behind “{behind}”.", wanted)

    def values(self, kind: Type) -> list[str]:
        """Return all values of a type, in words."""
        numbers = range(kind.low, kind.high + 1) if kind.base and not kind.many else ()
        texts = [self.value(kind, number) for number in numbers[:200]]
        return [*texts, *sorted(kind.words)]

    def _known(self) -> list[str]:
        """Return all templates up to their first argument; then the cards."""
        found: dict[str, None] = {}
        for templates in self.words.templates.values():
            for template in templates:
                first = template.tokens[0]
                types = {param.name: param.type for param in template.kind.params}
                if not first.parameter:
                    lead = itertools.takewhile(bool, (token.literal for token in template.tokens))
                    found[" ".join(lead)] = None
                elif (kind := types[first.parameter]).base != "card":
                    found |= dict.fromkeys(first.prefix + text + first.suffix for text in self.values(kind))
        said = [text for text in found if text.replace(" ", "-") not in found or " " not in text]
        return [*said, *(card.name for card in self.graph.cards if card.present)]

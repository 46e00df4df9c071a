"""Notation: which words are valid in a log, the actions that the words of a move can mean, and the words of an action.

The words of moves come from the spec (``written``); none is known here.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from functools import cached_property, lru_cache

from truco_spec.base.harmless import printable
from truco_spec.base.words import Sentence, alternatives, suggestion
from truco_spec.engine.support import ACTORS, Action
from truco_spec.engine.text import AmbiguousText, action_text, lack_of, value_of, value_text, whole_sentence, words_of
from truco_spec.graph.model import CHANCE_NAME, MOST_GRAPHS, OUTSIDERS, REFEREE_NAME, Graph, by_identity
from truco_spec.graph.types import Type
from truco_spec.language.diagnostics import nearest

KEYWORDS = ("players", "dealer", "score", "start", "position", "mode", "deal")
"""Words that begin a part of the one-line notation; reserved, not allowed as players."""

LONGEST = 60
MOST_PLAYERS = 12
SHORT, MOST_ALIKE = 2, 6
MOST_LISTED = 42
MOST_HANDS = 2_000
MOST_MOVES = 20_000
MOST_ENTRIES = 200

_PARTED = re.compile(r"[;:]|[.](\s|$)")
_SPLITS = frozenset(",|=")
_NAME = re.compile(r"[^\W_][\w.'’-]*")
_VARIANT = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


def fault_of_word(word: str) -> str:
    """Return why this cannot be one word of a log; empty if it can."""
    if not word:
        return Sentence("A word is missing.")
    if len(word) > LONGEST:
        return Sentence("The word “{word}” is longer than {count} characters.", word=shown(word), count=LONGEST)
    if not word.isprintable() or " " in word:
        return Sentence("The word “{word}” holds a blank or a character that cannot be printed.", word=shown(word))
    if found := next((c for c in word if c in _SPLITS), ""):
        form = "The word “{word}” holds “{sign}”, which separates things in a log."
        return Sentence(form, word=shown(word), sign=found)
    return ""


def fault_of_player(name: str) -> str:
    """Return why this cannot be a player's name; empty if it can."""
    if name in (*KEYWORDS, *OUTSIDERS):
        return Sentence("“{name}” is a word of the notation; give the player another name.", name=name)
    if len(name) <= LONGEST and _NAME.fullmatch(name) and name.isprintable():
        return ""
    form = "“{name}” is no name for a player: use letters, digits and “-”, at most {count}."
    return Sentence(form, name=shown(name), count=LONGEST)


def fault_of_variant(name: str) -> str:
    """Return why this cannot be a variant's name; empty if it can."""
    if len(name) <= LONGEST and _VARIANT.fullmatch(name):
        return ""
    return Sentence("“{name}” is no name of a variant: use letters, digits and “-”, no path.", name=shown(name))


def hint_for(word: str, known: Iterable[str]) -> str:
    """Return what an unknown word may have meant: the nearest, a common prefix, or all candidates."""
    return _hint_for(word, tuple(known))


@lru_cache(maxsize=1024)
def _hint_for(word: str, names: tuple[str, ...]) -> str:
    """The same, memoised: a search asks repeatedly for words that one of two games does not have."""
    near = nearest(word, names) if 0 < len(word) <= LONGEST else None
    if near:
        return suggestion(near)
    begin = word[:1] if len(word) <= SHORT else word
    alike = [name for name in names if name.startswith(begin)] if begin else []
    if len(alike) == 1 and len(word) > SHORT:
        return suggestion(alike[0])
    if 1 < len(alike) <= MOST_ALIKE:
        return Sentence("Did you mean one of {names}?", names=tuple(alike))
    form = "There are: {names} and {count} more." if len(names) > MOST_LISTED else "There are: {names}."
    return Sentence(form, names=names[:MOST_LISTED], count=len(names) - MOST_LISTED) if names else ""


def shown(text: str) -> str:
    """Return a word for a message: printable and truncated."""
    short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return printable(short)


MOST_WORDS = 6
"""Maximum words of a move that are compared with templates."""
MOST_KEPT = 2000
"""Maximum moves whose text or meaning a notation memoises."""


@by_identity(MOST_GRAPHS)
def notation_of(graph: Graph, players: tuple[str, ...]) -> Notation:
    """Return the memoised notation of a graph at a table."""
    return Notation(graph, players)


class NotationError(Exception):
    """Words that mean no action. ``message`` says so; ``hint`` names the nearest that do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.message, self.hint = message, hint


class Notation:
    """The notation of one graph at one table. ``players`` are in order of play. Use :func:`notation_of`."""

    def __init__(self, graph: Graph, players: tuple[str, ...]) -> None:
        self.graph, self.players = graph, players
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

    def knows(self, move: str) -> bool:
        """Whether the move can mean an action."""
        try:
            return bool(self.readings(move))
        except NotationError:
            return False

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
        if player not in self.seats and not self.of_outsiders.get(player):
            raise NotationError(
                Sentence("There is no player “{name}”.", name=shown(player)), hint_for(player, self.players)
            )
        seat, said = self.seats[player] if player in self.seats else ACTORS[player], words.split()
        try:
            found = self.words.readings(said, self.players)
        except AmbiguousText as error:
            ways = alternatives([f"“{shown(way)}”" for way in error.meant])
            message = Sentence("“{move}” can mean {ways}.", move=shown(words), ways=ways)
            raise NotationError(message, Sentence("Write the hyphens.")) from None
        if seat < 0:
            found = [reading for reading in found if reading[0] in self.of_outsiders[player]]
        if not found:
            raise self._unknown(said)
        return [Action(seat, verb, args) for verb, args in found]

    @cached_property
    def of_outsiders(self) -> dict[str, frozenset[str]]:
        """Return the words of a log for chance, if they bring no card (such as the end of the time), and for the
        referee.
        """
        permitting = [rule for rule in self.graph.rules.values() if rule.shape == "may"]
        by = {who: {v.action for r in permitting if r.outsider == who for v in r.verbs} for who in ("", *OUTSIDERS)}
        cards = {n for n, kind in self.graph.actions.items() if any(p.type.base == "card" for p in kind.params)}
        return {CHANCE_NAME: frozenset(by[CHANCE_NAME] - by[""] - cards), REFEREE_NAME: frozenset(by[REFEREE_NAME])}

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
            near = nearest("-".join(words), known) if 1 < len(words) <= MOST_WORDS else self._parted(words)
            hint = self._with_number(words) or hint_for(words[0].strip("()[]") if words else "", known)
            if near is None and len(words) == 1:
                from truco_spec.logs.in_words import with_suits

                hint = with_suits(hint, words[0], self.graph)
            if _PARTED.search(" ".join(words)):
                hint = Sentence(
                    "Moves are parted by commas, and nothing but blanks stands between a player and the words."
                )
            form = "“{move}” is neither a card nor anything that is said in {game}."
            message = Sentence(form, move=text, game=self.graph.name)
            return NotationError(message, suggestion(near, hint))
        behind = shown(lack.behind)
        wanted: str = whole_sentence(lack.wanted) if lack.wanted else ""
        if not lack.part:
            return NotationError(Sentence("“{words}” is not complete.", words=behind), wanted)
        if lack.kind is None:
            message = Sentence("“{words}” is too much behind “{before}”.", words=shown(lack.part), before=behind)
            return NotationError(message, wanted)
        if lack.kind.base != "number":
            wanted = hint_for(lack.part, self.values(lack.kind))
        elif value_of(self.graph, lack.kind, bare := lack.part.lstrip("0") or "0", self.players) is not None:
            wanted = suggestion(bare)
        message = Sentence("“{words}” cannot stand behind “{before}”.", words=shown(lack.part), before=behind)
        return NotationError(message, wanted)

    def _parted(self, words: list[str]) -> str | None:
        """What a single word means once its hyphens are blanks: ``quiero retruco``, ``tengo 33``."""
        said = "-".join(words).split("-")[: MOST_WORDS + 1]
        found = self.words.readings(said, self.players) if 1 < len(said) <= MOST_WORDS else []
        return " ".join(said) if found else None

    def _with_number(self, words: list[str]) -> str:
        """The suggestion for a number alone, where a word of the game has such a number behind it: ``tengo 28``."""
        found = [
            f"{template.tokens[0].literal} {words[0]}"
            for template in self.words.templates.get(2, ())
            if len(words) == 1
            and words[0].isdigit()
            and self.words.readings([template.tokens[0].literal, *words], self.players)
        ]
        return suggestion(found[0]) if found else ""

    def values(self, kind: Type) -> list[str]:
        """Return all values of a type, in words."""
        numbers = range(kind.low, kind.high + 1) if kind.base and not kind.many else ()
        texts = [self.value(kind, number) for number in numbers[:200]]
        return [*texts, *sorted(kind.words)]

    def _known(self) -> list[str]:
        """Return all templates of players up to their first argument; then the cards."""
        found: dict[str, None] = {}
        by_players = {verb.action for rule in self.graph.rules.values() if not rule.outsider for verb in rule.verbs}
        for templates in sorted(self.words.templates.items()):
            for template in templates[1]:
                if template.kind.name not in by_players:
                    continue
                first = template.tokens[0]
                types = {param.name: param.type for param in template.kind.params}
                if not first.parameter:
                    lead = itertools.takewhile(bool, (token.literal for token in template.tokens))
                    found[" ".join(lead)] = None
                elif (kind := types[first.parameter]).base != "card":
                    found |= dict.fromkeys(first.prefix + text + first.suffix for text in self.values(kind))
        said = [text for text in found if text.replace(" ", "-") not in found or " " not in text]
        return [*said, *(card.name for card in self.graph.cards if card.present)]

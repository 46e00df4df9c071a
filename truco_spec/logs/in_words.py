"""Logs as people write them: capitals, accents, quotation marks, signs of suits and names of cards become notation.

Only what the notation does not know is changed, and only where one meaning is left; all else stays as it is, to be
reported. The words for cards and places are data (``spec/said.yaml``).
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal

from truco_spec.base import shipped
from truco_spec.base.shapes import read
from truco_spec.base.shipped import LANGUAGES
from truco_spec.base.words import Sentence, spoken
from truco_spec.engine.text import words_of
from truco_spec.graph.model import MOST_GRAPHS, Graph, by_identity
from truco_spec.logs.notation import notation_of

if TYPE_CHECKING:
    from truco_spec.logs.line import Hand, Log, LoggedMove

QUOTES = str.maketrans(dict.fromkeys("“”„«»\"'‘’‚!¡\ufe0e\ufe0f", ""))
"""Quotation and exclamation marks, and what makes a picture of a sign."""
_BETWEEN = re.compile(r"[;:](?=\s|$)|[.](?=\s|$)|\s[-–—>→/]+\s")
"""What people write between a player and the words, or between moves."""
_LONGEST = 1000
"""The most characters of a move in which others are looked for."""


@dataclass(frozen=True, slots=True)
class CardWords:
    """The names of one pack's cards."""

    suits: Annotated[Mapping[str, tuple[str, ...]], "Of each suit: its names, first in each language, and its sign."]
    ranks: Annotated[Mapping[str, tuple[str, ...]], "Of each rank: its names."]


@dataclass(frozen=True, slots=True)
class SaidFile:
    """The file of words that people write in logs."""

    said: Annotated[Literal[1], "The version of this format: 1."]
    licence: Annotated[str, "The licence of this file."]
    game: Annotated[tuple[str, ...], "What may stand before the name of a game."]
    of: Annotated[tuple[str, ...], "What stands between rank and suit."]
    articles: Annotated[tuple[str, ...], "What may stand before a player or a call in a claim."]
    whose: Annotated[tuple[str, ...], "What stands between a call and its player in a claim."]
    turned: Annotated[tuple[str, ...], "Names of the place of the turned card."]
    parts: Annotated[Mapping[str, tuple[str, ...]], "Other names of the parts of a line."]
    deeds: Annotated[tuple[str, ...], "What may stand between a player and a card or what is said."]
    words: Annotated[tuple[tuple[str, ...], ...], "On each line a word of some game, and what people say for it."]
    same: Annotated[
        Mapping[str, tuple[tuple[str, ...], ...]],
        "By language: words that mean the same in a claim, on each line; 0 is any number.",
    ]
    packs: Annotated[tuple[CardWords, ...], "The packs."]


@lru_cache(maxsize=1)
def said() -> SaidFile:
    """Return the words that people write."""
    from truco_spec.base import safe_yaml  # a log in notation needs no YAML

    found: SaidFile = read(safe_yaml.load_file(shipped.folder("spec") / "said.yaml").data, SaidFile)
    return found


def folded(text: str) -> str:
    """Return the text without capitals, accents, quotation and exclamation marks."""
    letters = unicodedata.normalize("NFKD", text.translate(QUOTES).casefold())
    return "".join(sign for sign in letters if not unicodedata.combining(sign))


def alike(name: str, known: Iterable[str]) -> str:
    """The one of ``known`` that this is but for capitals, accents and such marks; the name itself if none or
    several are.
    """
    names = list(known)
    if name in names:
        return name
    found = [other for other in names if folded(other) == folded(name)]
    return found[0] if len(found) == 1 else name


def variant_called(name: str) -> str:
    """The name of a variant without accents, and without the word that the titles of all have."""
    first, *rest = folded(name).split() or [""]
    return "-".join(rest if rest and is_part_of_title(first) else (first, *rest))


def is_part_of_title(word: str) -> bool:
    """Whether it may stand before the name of a variant, as in its title."""
    return folded(word) in map(folded, said().game)


def dealer_in(text: str, players: Sequence[str]) -> str:
    """The player who is said to deal, also by who is first; empty if none is."""
    who, *deed = text.split() or [""]
    name, said_so = alike(who, players), {"deed" if is_deed(word) else part_of_line(word) for word in deed}
    if name not in players or not said_so <= {"dealer", "first", "deal", "deed"}:
        return ""
    return name if "dealer" in said_so else before_first(name, players) if "first" in said_so else ""


def before_first(text: str, players: Sequence[str]) -> str:
    """Who deals, if this is the first: the player before; or else the text."""
    *_, who = text.split() or [""]
    name = alike(who, players)
    joins = (*said().of, *said().deeds)
    known = name in players and all(folded(word) in map(folded, joins) for word in text.split()[:-1])
    return players[players.index(name) - 1] if known else text


def is_deed(word: str) -> bool:
    """Whether it may stand between a player and a card or what is said."""
    return folded(word) in map(folded, said().deeds)


def part_of_line(word: str) -> str:
    """Return the part of a line that this word begins; empty if none."""
    named = (part for part, names in said().parts.items() if folded(word) in (part, *map(folded, names)))
    return next(named, "")


def is_turned(word: str) -> bool:
    """Whether it is a name of the turned card's place."""
    return folded(word) in map(folded, said().turned)


_COUNT = "0"


@lru_cache(maxsize=4)
def _same_words(language: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """A pattern of the words that mean the same as the first of their line, and that of each."""
    lines = [tuple(map(folded, line)) for line in said().same.get(language, ())]
    firsts = {word: line[0] for line in lines for word in line}
    words = (re.escape(word).replace(re.escape(_COUNT), r"\d+") for word in sorted(firsts, key=len, reverse=True))
    return re.compile(rf"\b(?:{'|'.join(words)})(?!\w)"), firsts


def claimed(text: str) -> str:
    """Return the folded text of a claim, with one of the words that mean the same in the language that is spoken."""
    pattern, firsts = _same_words(spoken().language)

    def first_of(word: re.Match[str]) -> str:
        if word[0] in firsts:
            return firsts[word[0]]
        count = re.search(r"\d+", word[0])
        assert count is not None  # only words with a number are others
        return firsts[word[0].replace(count[0], _COUNT)].replace(_COUNT, count[0])

    return pattern.sub(first_of, folded(text))


def joined(words: Sequence[str]) -> list[str]:
    """Join the words of one card (``3 de paus``)."""
    parts, of = list(words), said().of
    while at := next((at for at in range(1, len(parts) - 1) if folded(parts[at]) in of), 0):
        parts[at - 1 : at + 2] = [" ".join(parts[at - 1 : at + 2])]
    return parts


def suit_letters(graph: Graph) -> str:
    """The letters of the suits with their names in the language that is spoken; empty for an unknown pack, or where
    each is its initial.
    """
    at, suits = LANGUAGES.index(spoken().language), graph.orders.get(graph.suits, ())
    named = next((pack.suits for pack in said().packs if set(pack.suits) == set(suits)), {})
    names = {suit: named[suit][at] for suit in suits if suit in named}
    told = any(name[0].upper() != suit for suit, name in names.items())
    return ", ".join(f"{suit} {name}" for suit, name in names.items()) if told else ""


def with_suits(hint: str, word: str, graph: Graph) -> str:
    """A hint for an unknown word, with the letters of the suits if the word begins like a card."""
    ranks = {card.name[:-1] for card in graph.cards}
    letters = suit_letters(graph) if word.strip("()")[:-1].upper() in ranks else ""
    return Sentence("{hint} The suits: {letters}.", hint=hint, letters=letters) if letters else hint


def in_notation(log: Log, graph: Graph) -> Log:
    """Return the log in the notation of its game; unknown words are unchanged."""
    words = _words(graph)
    return replace(log, hands=tuple(words.hand(hand, log.players) for hand in log.hands))


@by_identity(MOST_GRAPHS)
def _words(graph: Graph) -> _Words:
    return _Words(graph)


class _Words:
    """The names that people may use for the cards and words of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def hand(self, hand: Hand, players: Sequence[str]) -> Hand:
        deal = {self._place(key, (*players, *hand.deal)): tuple(self.cards(cards)) for key, cards in hand.deal.items()}
        moves = tuple(one for move in hand.moves for one in self._moves(move, players))
        return replace(hand, deal=MappingProxyType(deal), moves=moves)

    def cards(self, words: Sequence[str]) -> Iterator[str]:
        """The words with the names of cards as the notation has them."""
        known = {card.name for card in self.graph.cards}
        left = list(words) if known.issuperset(words) else " ".join(words).translate(QUOTES).split()
        while left:
            taken, card = (1, "") if left[0] in known else next(self._cards_at(left), (1, ""))
            yield card or left[0]
            del left[:taken]

    # ---- inside ------------------------------------------------------------------------------

    def _place(self, key: str, taken: Sequence[str]) -> str:
        if key in self.graph.data or not is_turned(key):
            return key
        there = [name for name in said().turned if name in self.graph.data and name not in taken]
        return there[0] if len(there) == 1 else key

    def _moves(self, move: LoggedMove, players: Sequence[str]) -> list[LoggedMove]:
        """The move, or the moves of several players that stand without commas between them."""
        notation, whole = notation_of(self.graph, tuple(players)), self._move(move, players)
        if len(move.text) > _LONGEST or notation.knows(whole.text):
            return [whole]
        found: list[LoggedMove] = []
        said: list[str] = []
        for word in _BETWEEN.sub(" ", move.text).split():
            if said and alike(word, players) in players:
                one = self._move(replace(move, text=" ".join(said)), players)
                if notation.knows(one.text):
                    found.append(one)
                    said = []
            said.append(word if said else alike(word, players))
        return [*found, self._move(replace(move, text=" ".join(said)), players)] if found and said[1:] else [whole]

    def _move(self, move: LoggedMove, players: Sequence[str]) -> LoggedMove:
        notation = notation_of(self.graph, tuple(players))
        if notation.knows(move.text):
            return move
        words = move.words.split()
        deeds = len(list(itertools.takewhile(is_deed, words[:-1])))
        for said_so in (words[at:] for at in range(deeds + 1)):
            given = list(self.cards(said_so))
            plain = [self._literals.get(folded(word), alike(word, players)) for word in given]
            for way in (given, plain, *([word] for word in self._meant_by(folded(" ".join(said_so))))):
                text = " ".join((move.player, *way))
                if notation.knows(text):
                    return replace(move, text=text)
        return move

    def _meant_by(self, text: str) -> Iterator[str]:
        """The words of the game that people mean by these."""
        return (first for first, *others in said().words if text in map(folded, others))

    def _cards_at(self, words: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the number of first words that name a card, and the card."""
        covered = words[0].startswith("(")
        for size in (3, 2, 1):
            text = " ".join(words[:size])
            if (
                len(words) >= size
                and covered == text.endswith(")")
                and (card := self._called.get(folded(text).strip("()")))
            ):
                yield size, f"({card})" if covered else card

    @cached_property
    def _called(self) -> Mapping[str, str]:
        """The cards by what they are called: ``3 de paus``, ``3♣``, ``as de espadas``, ``jh``."""
        found = {folded(card.name): card.name for card in self.graph.cards}
        suits = set(self.graph.orders.get(self.graph.suits, ()))
        for pack in said().packs:
            if set(pack.suits) == suits:
                for (rank, ranks), (suit, names) in itertools.product(pack.ranks.items(), pack.suits.items()):
                    if (card := rank + suit) in found.values():
                        found |= dict.fromkeys(_ways((rank, *ranks), names), card)
        return found

    @cached_property
    def _literals(self) -> Mapping[str, str]:
        """The words of the game by what they are without capitals and accents."""
        templates = itertools.chain(*words_of(self.graph).templates.values())
        words = [token.literal for template in templates for token in template.tokens if token.literal]
        kinds = (param.type.name for kind in self.graph.actions.values() for param in kind.params)
        words += itertools.chain(*(self.graph.orders.get(name, ()) for name in kinds))
        parts = [part for word in words for part in word.split("-")]
        return {folded(word): word for word in (*parts, *words)}


def _ways(ranks: Iterable[str], suits: Iterable[str]) -> Iterator[str]:
    """How one card may be called, without capitals and accents."""
    for rank, suit in itertools.product(map(folded, ranks), map(folded, suits)):
        if re.fullmatch(r"\w+", suit):
            yield from (f"{rank} {of} {name}" for of in said().of for name in {suit, suit.removesuffix("s")})
        else:
            yield from (f"{rank}{suit}", f"{rank} {suit}")

"""A log as data: settings, deals and moves, as words that a graph interprets; a log in one line, for messages and
arguments; and the building of a log from its parts, in any notation::

    VARIANT NAME=VALUE | ana bia caio davi | dealer ana | score ana 5, bia 7 | deal bia 3C 4D, caio 5H | bia 3C, …

Parts are separated by ``|``: the variant with its options; the players; then, where needed, ``dealer``, ``score``,
``start``, ``position`` and ``mode``; then the hands. A hand is a ``deal`` (a key and its cards, one after the other)
and its moves.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar
from urllib.parse import quote, unquote

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence, say, suggestion
from truco_spec.engine.position_text import LONGEST_POSITION, TOKEN
from truco_spec.graph.model import OUTSIDERS
from truco_spec.language.diagnostics import NOWHERE, Diagnostic, Span, nearest, render
from truco_spec.logs import notation

STRICT, UMPIRE = "strict", "umpire"
MODES = (STRICT, UMPIRE)
UNKNOWN = "??"
"""An unknown card. Disputes enumerate its possible values (:mod:`truco_spec.compare.disputes.unknown`)."""
MOST_SHOWN = 50
"""Maximum errors of one log shown in a message; the others are counted."""

K = TypeVar("K")
V = TypeVar("V")


def frozen(mapping: Mapping[K, V]) -> Mapping[K, V]:
    """Return an immutable copy in the same order."""
    return MappingProxyType(dict(mapping))


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move of one player, as written in the log with single blanks: ``bia 4C``."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def player(self) -> str:
        """The player who moves."""
        return self.text.partition(" ")[0]

    @property
    def words(self) -> str:
        """The move without the player."""
        return self.text.partition(" ")[2]


@dataclass(frozen=True, slots=True)
class Hand:
    """A deal and the moves that follow it.

    ``deal`` maps a key to the cards wanted there, in the order in which they come. A key is a player, a place for one
    card (by its name in the spec) or an action of chance.
    """

    deal: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: frozen({}))
    moves: tuple[LoggedMove, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Start:
    """A datum that is given before the first hand: its name, the index, if it has one, and its value."""

    datum: str
    index: tuple[str, ...]
    value: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Log:
    """A whole log. ``players`` are in order of play; ``score`` maps any player of a team to its points.

    ``dealer`` may be empty: unspecified. ``position`` is what the game begins in (empty: a new match), as
    :mod:`truco_spec.engine.position_text` writes it. ``places`` maps the name of each part (``variant``,
    ``options.x``, ``score.x``, ``position.0`` for each token, ``hands.0.deal.x`` …) to its place in ``text``; both are
    for messages only.
    """

    variant: str
    players: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=lambda: frozen({}))
    dealer: str = ""
    score: Mapping[str, int] = field(default_factory=lambda: frozen({}))
    start: tuple[Start, ...] = ()
    position: str = ""
    mode: str = STRICT
    hands: tuple[Hand, ...] = ()
    text: str = field(default="", compare=False, repr=False)
    places: Mapping[str, Span] = field(default_factory=lambda: frozen({}), compare=False, repr=False)

    def place(self, name: str) -> Span:
        """Return the place of this part; for a missing one, of the part around it."""
        while name:
            if name in self.places:
                return self.places[name]
            name = name.rpartition(".")[0]
        return self.places.get("", NOWHERE)

    def mistake(self, code: str, message: str, span: Span | str, hint: str = "") -> LogError:
        """Return an error (for the caller to raise) at a place of this log, or at the part of that name."""
        where = self.place(span) if isinstance(span, str) else span
        return LogError([Diagnostic("error", code, message, where, hint)], self.text)


class LogError(TrucoError):
    """A log that cannot be read or replayed. ``diagnostics`` holds every error found, in the order of the text."""

    def __init__(self, diagnostics: Iterable[Diagnostic], text: str = "") -> None:
        self.diagnostics = tuple(diagnostics)
        self.text = text
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        shown = [render(d, self.text or None) for d in self.diagnostics[:MOST_SHOWN]]
        if len(self.diagnostics) > MOST_SHOWN:
            shown.append(say("… and {count} more mistakes.", count=len(self.diagnostics) - MOST_SHOWN))
        return "\n".join(shown)


# ---- In one line ------------------------------------------------------------------------------------

LONGEST_LINE = 1_000_000
"""Maximum characters of a line."""


_LINK = re.compile(r"\S*\.html#(\S+)")
_SIGNS = (("/", " | "), (",", ", "), ("+", " "))
"""The replacements in a link of signs that messengers cut off."""
_BOTH = re.compile(r"(\d+) ?[^\w\s,]? ?(?:[ax] |to )?(\d+)")
"""The points of both sides as people write them, the first player's first: ``11 x 9``, ``11 a 9``, ``11-9``."""
_MEANT = re.compile(r"[/+~%]")
"""Signs of a line that have another meaning in a link."""
_KEPT = ";,/?:@&=+$!*()"
"""Signs that a link carries unchanged, besides letters, digits and ``-._~``."""


def line_of_link(text: str) -> str:
    """The line that a link to “Who is right?” carries behind its ``#``; empty for any other text."""
    link = _LINK.fullmatch(text.strip())
    line = unquote(link[1]) if link else ""
    if "|" not in line:
        for sign, meant in _SIGNS:
            line = line.replace(sign, meant)
    return line


def fragment_of(line: str) -> str:
    """A line as such a link carries it behind its ``#``, as short as can be: :func:`line_of_link` reads it."""
    if _MEANT.search(line):
        return quote(line, safe="")
    for sign, meant in _SIGNS:
        line = line.replace(meant, sign)
    return quote(line, safe=_KEPT)


def looks_like_line(text: str) -> bool:
    """Return whether this text is a one-line log, rather than YAML."""
    stripped = text.strip()
    return "|" in stripped and "\n" not in stripped and not stripped.startswith("truco:")


def read_line(text: str, path: str = "<line>") -> Log:
    """Read a one-line log. Raises :class:`LogError` with every error found."""
    return _LineReader(text, path).log()


class _LineReader:
    """Splits the line and passes its parts to an :class:`Assembly`."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.made = Assembly(text, Span(path, 1, 1, 1, 2, 0, 0))
        if len(text) > LONGEST_LINE:
            self.made.note(
                "size", Sentence("The line is longer than {count} characters.", count=LONGEST_LINE), self.span(0, 1)
            )
            raise LogError(self.made.wrong)
        self.parts: list[tuple[int, str]] = []
        offset = 0
        for part in text.split("|"):
            self.parts.append((offset + len(part) - len(part.lstrip()), part.strip()))
            offset += len(part) + 1

    def log(self) -> Log:
        self._head(*self.parts[0])
        if len(self.parts) > 1:
            offset, text = self.parts[1][0], self.parts[1][1].replace(",", " ")
            self.made.set_players(self._tokens(offset, text), self.span(offset, len(text)))
        self._others(self.parts[2:])
        return self.made.log()

    def _head(self, offset: int, text: str) -> None:
        tokens = self._tokens(offset, text)
        if len(tokens) > 1 and "=" not in tokens[1][0]:
            from truco_spec.logs.in_words import is_part_of_title

            if is_part_of_title(tokens[0][0]):
                title = f"{tokens[0][0]} {tokens[1][0]}"
                tokens[:2] = [(title, self.span(offset, len(title)))]
        for word, place in tokens[:1]:
            self.made.set_variant(word, place)
        for word, place in tokens[1:]:
            name, sign, value = word.partition("=")
            if sign:
                self.made.add_option(name, value, place)
            else:
                message = Sentence("“{text}” is not name=value.", text=notation.shown(word))
                hint = Sentence("First the variant with its options, as “option=value”, then “|” and the players.")
                self.made.note("option", message, place, hint)

    def _others(self, parts: list[tuple[int, str]]) -> None:
        seen: set[str] = set()
        deal: list[tuple[str, list[str], Span]] | None = None
        deal_place = self.span(0, 1)
        for offset, text in parts:
            begins = text.partition(" ")[0]
            keyword, length = self._keyword(begins)
            rest = text[length:].lstrip()
            at = offset + len(text) - len(rest)
            place = self.span(offset, len(text))
            if not keyword and "hands" not in seen and offset < parts[-1][0]:
                keyword, rest = ("score", text) if self._of_both(text) else self._dealer_in(text)
            if keyword == "first":
                from truco_spec.logs.in_words import before_first

                keyword, rest = "dealer", before_first(rest, self.made.players)
            if keyword in ("dealer", "score", "start", "position", "mode"):
                if keyword in seen or "hands" in seen:
                    message = Sentence("The part “{name}” stands once, before the first hand.", name=keyword)
                    self.made.note("order", message, place)
                seen.add(keyword)
                self._fact(keyword, at, rest, place)
                continue
            seen.add("hands")
            if keyword == "deal":
                if deal is not None:
                    self.made.add_hand(deal, [], deal_place)
                deal, deal_place = self._deal(at, rest), place
                continue
            self._unknown_keyword(begins, place)
            moves = [(move, self.span(offset + start, len(move))) for start, move in split_moves(text)]
            self.made.add_hand(deal or [], moves, deal_place if deal is not None else place)
            deal = None
        if deal is not None:
            self.made.add_hand(deal, [], deal_place)

    def _fact(self, keyword: str, offset: int, text: str, place: Span) -> None:
        if keyword == "dealer":
            self.made.set_dealer(text, place)
        elif keyword == "mode":
            self.made.set_mode(text, place)
        elif keyword == "score" and (both := self._of_both(text)):
            for player, points in zip(self.made.players, both.groups(), strict=False):
                self.made.add_score(player, points, place)
        elif keyword == "position":
            placed = [(token, self.span(offset + at, len(token))) for at, token in tokens_of(text)]
            self.made.set_position(placed, len(text), place)
        else:
            for start, item in split_moves(text):
                tokens = item.split()
                where = self.span(offset + start, len(item))
                if keyword == "score" and len(tokens) == 2:
                    self.made.add_score(tokens[0], tokens[1], where)
                elif keyword == "start" and len(tokens) >= 2:
                    self.made.add_start(tokens[0], tuple(tokens[1:-1]), tokens[-1], where)
                else:
                    form = "Behind “{name}” stands a player and points, parted by commas."
                    if keyword == "start":
                        form = "Behind “{name}” stands a datum, its index if it has one, a value, parted by commas."
                    self.made.note("shape", Sentence(form, name=keyword), where)

    def _deal(self, offset: int, text: str) -> list[tuple[str, list[str], Span]]:
        found: list[tuple[str, list[str], Span]] = []
        for start, item in split_moves(text):
            tokens = item.split() or [""]
            found.append((tokens[0], tokens[1:], self.span(offset + start, max(len(item), 1))))
        return found

    def _keyword(self, word: str) -> tuple[str, int]:
        """The keyword that the first word of a part is, or stands for, and its length; empty before moves.

        The place of the turned card begins a deal, and is of it.
        """
        if word in notation.KEYWORDS:
            return word, len(word)
        if word in self.made.players:
            return "", 0
        from truco_spec.logs.in_words import alike, is_turned, part_of_line

        if alike(word, self.made.players) in self.made.players:
            return "", 0
        return ("deal", 0) if is_turned(word) else (part := part_of_line(word), len(word) if part else 0)

    def _of_both(self, text: str) -> re.Match[str] | None:
        """The points of both sides; none where one of them is the name of a player."""
        both = _BOTH.fullmatch(text)
        return both if both and len(self.made.players) > 1 and both[1] not in self.made.players else None

    def _dealer_in(self, text: str) -> tuple[str, str]:
        """The keyword and the player of whom a part says in words that this one deals; else none, and the text."""
        if "," in text or len(text) > notation.LONGEST:
            return "", text
        from truco_spec.logs.in_words import dealer_in

        dealer = dealer_in(text, self.made.players)
        return ("dealer", dealer) if dealer else ("", text)

    def _unknown_keyword(self, word: str, place: Span) -> None:
        """Report an unknown keyword. Moves begin with a player; otherwise another part may have been meant."""
        if word in self.made.players:
            return
        near = nearest(word, notation.KEYWORDS) if len(word) <= notation.LONGEST else None
        if near and not nearest(word, self.made.players):
            message = Sentence("No part begins with “{word}”.", word=word)
            self.made.note("unknown-part", message, place, suggestion(near))

    def _tokens(self, offset: int, text: str) -> list[tuple[str, Span]]:
        """Return the words of a text that begins there, each with its place."""
        return [(word[0], self.span(offset + word.start(), len(word[0]))) for word in re.finditer(r"\S+", text)]

    def span(self, offset: int, length: int) -> Span:
        return Span(self.path, 1, offset + 1, 1, offset + 1 + length, offset, offset + length)


def write_line(log: Log) -> str:
    """Write the log as one line; reading it gives an equal log."""
    parts = [" ".join([log.variant, *(f"{name}={value}" for name, value in log.options.items())])]
    parts.append(" ".join(log.players))
    if log.dealer:
        parts.append(f"dealer {log.dealer}")
    if log.score:
        parts.append("score " + ", ".join(f"{name} {points}" for name, points in log.score.items()))
    if log.start:
        parts.append("start " + ", ".join(" ".join((item.datum, *item.index, item.value)) for item in log.start))
    if log.position:
        parts.append(f"position {log.position}")
    if log.mode != STRICT:
        parts.append(f"mode {log.mode}")
    moved = True
    for hand in log.hands:
        # Moves after a deal without moves would be read as its own.
        if hand.deal or not hand.moves or not moved:
            parts.append(("deal " + ", ".join(" ".join((key, *cards)) for key, cards in hand.deal.items())).rstrip())
        if hand.moves:
            parts.append(", ".join(move.text for move in hand.moves))
        moved = bool(hand.moves)
    return " | ".join(parts)


def split_moves(text: str) -> list[tuple[int, str]]:
    """Return the moves of a text with the offset of each; a trailing comma adds none."""
    found: list[tuple[int, str]] = []
    offset = 0
    parts = text.split(",")
    for at, part in enumerate(parts):
        stripped = part.strip()
        if stripped or at < len(parts) - 1:
            found.append((offset + len(part) - len(part.lstrip()), stripped))
        offset += len(part) + 1
    return found


def tokens_of(position: str) -> list[tuple[int, str]]:
    """Return the words and signs of a position with the offset of each; none of a text that is too long."""
    if len(position) > LONGEST_POSITION:
        return []
    return [(match.start(), match[0]) for match in TOKEN.finditer(position)]


# --------------------------------------------------------------------------------------------------
# A log from its parts, in any notation; each error is recorded with its place.


class Assembly:
    """Collects parts and errors. Readers call the methods in the order of the text, then :meth:`log`."""

    def __init__(self, text: str, whole: Span) -> None:
        self.text = text
        self.wrong: list[Diagnostic] = []
        self.places: dict[str, Span] = {"": whole}
        self.variant = ""
        self.players: tuple[str, ...] = ()
        self.options: dict[str, str] = {}
        self.dealer = ""
        self.score: dict[str, int] = {}
        self.start: list[Start] = []
        self.position = ""
        self.mode = STRICT
        self.hands: list[Hand] = []
        self.moves = 0
        self.too_long = False
        self.said: set[str] = set()

    def note(self, code: str, message: str, span: Span, hint: str = "") -> None:
        """Record an error."""
        self.wrong.append(Diagnostic("error", code, message, span, hint))

    def set_variant(self, name: str, span: Span) -> None:
        """Set the variant's name."""
        self.places["variant"] = span
        self.variant = name
        if fault := notation.fault_of_variant(name):
            from truco_spec.logs.in_words import variant_called

            self.variant = variant_called(name)
            if notation.fault_of_variant(self.variant):
                self.note("variant", fault, span)

    def add_option(self, name: str, value: str, span: Span) -> None:
        """Set one option."""
        self.places[f"options.{name}"] = span
        if self._too_many(len(self.options), "options", span):
            return
        for word in (name, value):
            if fault := notation.fault_of_word(word):
                self.note("word", fault, span)
        if name in self.options:
            message = Sentence("The option “{name}” is set twice.", name=notation.shown(name))
            self.note("twice", message, span, Sentence("Leave one of the two."))
        self.options[name] = value

    def set_players(self, named: Iterable[tuple[str, Span]], span: Span) -> None:
        """Set the players in order of play; a number alone is how many play, who are then ``P0``, ``P1``, …"""
        self.places["players"] = span
        names: list[str] = []
        named = list(itertools.islice(named, notation.MOST_PLAYERS + 1))
        if len(named) == 1 and re.fullmatch(r"[0-9]{1,60}", named[0][0]):
            named = [(f"P{n}", named[0][1]) for n in range(min(int(named[0][0]), notation.MOST_PLAYERS + 1))]
            if not named:
                self.note("players", Sentence("Nobody plays in this log; write how many play, or their names."), span)
        for name, place in named:
            if fault := notation.fault_of_player(name):
                self.note("player", fault, place)
            elif name in names:
                message = Sentence("Two players are called “{name}”.", name=name)
                self.note("twice", message, place, Sentence("Give each a name of their own."))
            names.append(name)
        if len(names) > notation.MOST_PLAYERS:
            message = Sentence("No table seats more than {count} players.", count=notation.MOST_PLAYERS)
            self.note("players", message, span)
        self.players = tuple(names)

    def set_dealer(self, name: str, span: Span) -> None:
        """Set who deals the first hand."""
        self.places["dealer"] = span
        self.dealer = name = self._called(name)
        self._known(name, span)

    def add_score(self, name: str, points: str, span: Span) -> None:
        """Set the points of a player's team before the first hand."""
        name = self._called(name)
        self.places[f"score.{name}"] = span
        if self._too_many(len(self.score), "scores", span):
            return
        self._known(name, span)
        if not (points.isascii() and points.isdigit() and len(points) <= 6):
            form = "The points of {name} are not a number: “{points}”."
            self.note("number", Sentence(form, name=notation.shown(name), points=notation.shown(points)), span)
            return
        if name in self.score:
            message = Sentence("The points of {name} are given twice.", name=notation.shown(name))
            self.note("twice", message, span, Sentence("Leave one of the two."))
        self.score[name] = int(points)

    def add_start(self, datum: str, index: tuple[str, ...], value: str, span: Span) -> None:
        """Set a datum before the first hand."""
        self.places[f"start.{datum}"] = span
        if self._too_many(len(self.start), "data to begin with", span):
            return
        for word in (datum, *index, value):
            if fault := notation.fault_of_word(word):
                self.note("word", fault, span)
        same = [item for item in self.start if item.datum == datum]
        if any(item.index == index or not item.index or not index for item in same):
            message = Sentence("“{name}” is given twice.", name=notation.shown(datum))
            self.note("twice", message, span, Sentence("Leave one of the two."))
        # The indices of one datum stay together, as YAML writes them.
        at = self.start.index(same[-1]) + 1 if same else len(self.start)
        self.start.insert(at, Start(datum, index, value, span))

    def set_position(self, tokens: Sequence[tuple[str, Span]], length: int, span: Span) -> None:
        """Set the position that the game begins in: its words and signs, and the length of the text."""
        self.places["position"] = span
        self.places |= {f"position.{number}": place for number, (_, place) in enumerate(tokens)}
        self.position = re.sub(r" (?=[;,])", "", " ".join(word for word, _ in tokens))
        if max(length, len(self.position)) > LONGEST_POSITION:
            message = Sentence("The position is longer than {count} characters.", count=LONGEST_POSITION)
            self.note("size", message, span)
        elif not tokens:
            self.note("missing", Sentence("The position is empty."), span)
        for word, place in tokens:
            if word not in ";," and (fault := notation.fault_of_word(word)):
                self.note("word", fault, place)
                break

    def set_mode(self, mode: str, span: Span) -> None:
        """Set the mode: strict or umpire."""
        self.places["mode"] = span
        if mode in MODES:
            self.mode = mode
        else:
            form = "The mode is one of {modes}; not “{mode}”."
            self.note("mode", Sentence(form, modes=", ".join(MODES), mode=notation.shown(mode)), span)

    def add_hand(self, deal: list[tuple[str, list[str], Span]], moves: list[tuple[str, Span]], span: Span) -> None:
        """Add a hand: its deal (key, cards, place) and its moves (text, place)."""
        at = len(self.hands)
        self.places[f"hands.{at}"] = span
        given: dict[str, tuple[str, ...]] = {}
        for said, cards, place in deal:
            key = self._called(said)
            self.places[f"hands.{at}.deal.{key}"] = place
            if self._too_many(max(len(given), len(cards)), "cards in a deal", place):
                break
            for word in (key, *cards):
                if fault := notation.fault_of_word(word):
                    self.note("word", fault, place)
            if key in given:
                message = Sentence("The deal names “{name}” twice.", name=notation.shown(key))
                self.note("twice", message, place, Sentence("Write the cards behind one."))
            given[key] = tuple(cards) if len(cards) == len(set(cards)) else self._joined(cards)
        self._cards_once(at, given)
        self.moves += len(moves)
        if self.moves <= notation.MOST_MOVES and at < notation.MOST_HANDS:
            self.hands.append(Hand(frozen(given), tuple(self._move(text, place) for text, place in moves), span))
        elif not self.too_long:
            self.too_long = True
            form = "The log is too long: at most {hands} hands and {moves} moves can stand in one."
            message = Sentence(form, hands=notation.MOST_HANDS, moves=notation.MOST_MOVES)
            self.note("size", message, span, Sentence("Split it into several logs."))

    def log(self) -> Log:
        """Return the log. Raises :class:`LogError` with every error recorded."""
        whole = self.places[""]
        if not self.variant and not any(d.code in ("variant", "missing") for d in self.wrong):
            self.note("missing", Sentence("The log does not say which variant is played."), whole)
        if not self.players and not any(d.code in ("player", "players", "missing") for d in self.wrong):
            self.note("missing", Sentence("The log does not say who plays."), whole)
        for name, given in (("dealer", self.dealer), ("score", self.score), ("start", self.start)):
            if self.position and given:
                message = Sentence("The position says what “{name}” would say.", name=name)
                self.note("twice", message, self._first(name), Sentence("Leave it out."))
        if self.wrong:
            raise LogError(sorted(self.wrong, key=Diagnostic.place), self.text)
        return Log(
            variant=self.variant,
            players=self.players,
            options=frozen(self.options),
            dealer=self.dealer,
            score=frozen(self.score),
            start=tuple(self.start),
            position=self.position,
            mode=self.mode,
            hands=tuple(self.hands),
            text=self.text,
            places=frozen(self.places),
        )

    # ---- inside ------------------------------------------------------------------------------

    def _first(self, name: str) -> Span:
        """Return the place of a part, or of its first entry."""
        return next(span for key, span in self.places.items() if key.partition(".")[0] == name)

    def _too_many(self, there: int, what: str, span: Span) -> bool:
        """Return whether the limit on entries of this kind is exceeded, reporting it once."""
        if there >= notation.MOST_ENTRIES and what not in self.said:
            self.said.add(what)
            form = "There are too many {what}: a log holds {count} at most."
            self.note("size", Sentence(form, what=Sentence(what), count=notation.MOST_ENTRIES), span)
        return there >= notation.MOST_ENTRIES

    def _move(self, text: str, span: Span) -> LoggedMove:
        player, *words = text.split() or [""]
        move = LoggedMove(" ".join((self._called(player), *words)), span)
        for word in move.text.split(" "):
            if fault := notation.fault_of_word(word):
                self.note("word", fault if word else Sentence("A move is missing between two commas."), span)
                return move
        if (move.player in OUTSIDERS or self._known(move.player, span)) and not move.words:
            form = "What does {player} say or do? A move is a player and what follows."
            self.note("move", Sentence(form, player=move.player), span)
        return move

    @staticmethod
    def _joined(words: list[str]) -> tuple[str, ...]:
        from truco_spec.logs.in_words import joined

        return tuple(joined(words))

    def _called(self, name: str) -> str:
        """The player of this name, whatever its capitals, accents and quotation marks, without a colon; else the name
        itself.
        """
        if name in self.players or name in OUTSIDERS:
            return name
        from truco_spec.logs.in_words import alike

        called = alike(name.rstrip(":"), self.players)
        return called if called in self.players else name

    def _known(self, name: str, span: Span) -> bool:
        """Return whether the player is known; if not, record an error (unless no players are known at all)."""
        if name in self.players or not self.players:
            return True
        hint = notation.hint_for(name, self.players) if len(self.wrong) < MOST_SHOWN else ""
        self.note("unknown-player", Sentence("There is no player “{name}”.", name=notation.shown(name)), span, hint)
        return False

    def _cards_once(self, at: int, deal: dict[str, tuple[str, ...]]) -> None:
        """Check that no card is dealt to two players."""
        for key, message in twice_dealt(deal, self.players):
            self.note("twice", message, self.places[f"hands.{at}.deal.{key}"])


def twice_dealt(deal: Mapping[str, Sequence[str]], players: Collection[str]) -> Iterator[tuple[str, Sentence]]:
    """Yield each card that a deal gives twice, as its key and a message. Keys of places may name a card that a player
    gets later; the replay checks these.
    """
    owner: dict[str, str] = {}
    for key, cards in deal.items():
        seen: set[str] = set()
        for card in cards:
            if card == UNKNOWN:
                continue
            other = key if card in seen else owner.get(card, "")
            if other and (key in players or card in seen):
                form = "The card {card} is there twice: it is held by {other} and by {key}."
                if other == key:
                    form = "The card {card} is there twice: it is held twice by {key}."
                yield key, Sentence(form, card=notation.shown(card), other=other, key=notation.shown(key))
            seen.add(card)
            if key in players:
                owner.setdefault(card, key)

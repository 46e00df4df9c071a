"""Logs in one line, for messages and arguments::

    VARIANT NAME=VALUE | ana bia caio davi | dealer ana | score ana 5, bia 7 | deal bia 3C 4D, caio 5H | bia 3C, …

Parts are separated by ``|``: the variant with its options; the players; then, where needed, ``dealer``, ``score``,
``start`` and ``mode``; then the hands. A hand is a ``deal`` (a key and its cards, one after the other) and its moves.
"""

from __future__ import annotations

from truco_spec.language.diagnostics import nearest
from truco_spec.language.tree import Span
from truco_spec.logs import words
from truco_spec.logs.assemble import Assembly
from truco_spec.logs.files import split_moves
from truco_spec.logs.model import STRICT, Log, LogError

LONGEST_LINE = 1_000_000
"""Maximum characters of a line."""


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
            self.made.note("size", f"The line is longer than {LONGEST_LINE} characters.", self.span(0, 1))
            raise LogError(self.made.wrong)
        self.parts: list[tuple[int, str]] = []
        offset = 0
        for part in text.split("|"):
            self.parts.append((offset + len(part) - len(part.lstrip()), part.strip()))
            offset += len(part) + 1

    def log(self) -> Log:
        self._head(*self.parts[0])
        if len(self.parts) > 1:
            offset, text = self.parts[1]
            named = [(name, self.span(at, len(name))) for at, name in _tokens(offset, text)]
            self.made.set_players(named, self.span(offset, len(text)))
        self._others(self.parts[2:])
        return self.made.log()

    def _head(self, offset: int, text: str) -> None:
        tokens = _tokens(offset, text)
        if tokens:
            self.made.set_variant(tokens[0][1], self.span(*_extent(tokens[0])))
        for token in tokens[1:]:
            name, sign, value = token[1].partition("=")
            if sign:
                self.made.add_option(name, value, self.span(*_extent(token)))
            else:
                self.made.note("option", f"“{words.shown(token[1])}” is not name=value.", self.span(*_extent(token)))

    def _others(self, parts: list[tuple[int, str]]) -> None:
        seen: set[str] = set()
        deal: list[tuple[str, list[str], Span]] | None = None
        deal_place = self.span(0, 1)
        for offset, text in parts:
            keyword = text.partition(" ")[0]
            rest = text[len(keyword) :].lstrip()
            at = offset + len(text) - len(rest)
            place = self.span(offset, len(text))
            if keyword in ("dealer", "score", "start", "mode"):
                if keyword in seen or "hands" in seen:
                    self.made.note("order", f"The part “{keyword}” stands once, before the first hand.", place)
                seen.add(keyword)
                self._fact(keyword, at, rest, place)
                continue
            seen.add("hands")
            if keyword == "deal":
                if deal is not None:
                    self.made.add_hand(deal, [], deal_place)
                deal, deal_place = self._deal(at, rest), place
                continue
            self._unknown_keyword(keyword, place)
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
        else:
            for start, item in split_moves(text):
                tokens = item.split()
                where = self.span(offset + start, len(item))
                if keyword == "score" and len(tokens) == 2:
                    self.made.add_score(tokens[0], tokens[1], where)
                elif keyword == "start" and len(tokens) >= 2:
                    self.made.add_start(tokens[0], tuple(tokens[1:-1]), tokens[-1], where)
                else:
                    form = "a player and points" if keyword == "score" else "a datum, its index if it has one, a value"
                    self.made.note("shape", f"Behind “{keyword}” stands {form}, parted by commas.", where)

    def _deal(self, offset: int, text: str) -> list[tuple[str, list[str], Span]]:
        found: list[tuple[str, list[str], Span]] = []
        for start, item in split_moves(text):
            tokens = item.split() or [""]
            found.append((tokens[0], tokens[1:], self.span(offset + start, max(len(item), 1))))
        return found

    def _unknown_keyword(self, word: str, place: Span) -> None:
        """Report an unknown keyword. Moves begin with a player; otherwise another part may have been meant."""
        if word in self.made.players:
            return
        near = nearest(word, words.KEYWORDS) if len(word) <= words.LONGEST else None
        if near and not nearest(word, self.made.players):
            self.made.note("unknown-part", f"No part begins with “{word}”.", place, f"Did you mean “{near}”?")

    def span(self, offset: int, length: int) -> Span:
        return Span(self.path, 1, offset + 1, 1, offset + 1 + length, offset, offset + length)


def _tokens(offset: int, text: str) -> list[tuple[int, str]]:
    """Return the words of a text, each with its offset in the whole."""
    found: list[tuple[int, str]] = []
    at = 0
    for word in text.split():
        at = text.index(word, at)
        found.append((offset + at, word))
        at += len(word)
    return found


def _extent(token: tuple[int, str]) -> tuple[int, int]:
    return token[0], len(token[1])


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

"""Logs as YAML: a reader that reports every error with its place, and a canonical writer."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from truco_spec.base import safe_yaml
from truco_spec.base.words import Sentence
from truco_spec.language.diagnostics import Span
from truco_spec.logs import notation
from truco_spec.logs.line import STRICT, Assembly, Hand, Log, Start, split_moves, tokens_of

FORMAT = 1
KEYS = ("truco", "variant", "options", "players", "dealer", "score", "start", "position", "mode", "hands")
HAND_KEYS = ("deal", "moves")
WIDTH = 110


# ---- reading -----------------------------------------------------------------------------------


def read_file(path: Path | str) -> Log:
    """The log in a YAML file. Raises :class:`LogError` or :class:`~truco_spec.base.safe_yaml.YamlError`."""
    return read_document(safe_yaml.load_file(path))


def read(text: str | bytes, path: str = "<log>") -> Log:
    """The log in a YAML text. Raises :class:`LogError` or :class:`~truco_spec.base.safe_yaml.YamlError`."""
    return read_document(safe_yaml.load_with_positions(text, path))


def read_document(document: safe_yaml.Document) -> Log:
    """The log in a YAML document. Raises :class:`LogError` with every mistake found."""
    return _Reader(document).log()


class _Reader:
    """Walks the document and hands its parts to an :class:`Assembly`."""

    def __init__(self, document: safe_yaml.Document) -> None:
        self.document = document
        self.made = Assembly(document.text, self.span())

    def log(self) -> Log:
        data = self.document.data
        if not isinstance(data, dict):
            hint = Sentence("The keys are {keys}.", keys=", ".join(KEYS))
            self.made.note("missing", Sentence("A log is a mapping of keys and values."), self.span(), hint)
            return self.made.log()
        self._keys(data, KEYS)
        if "truco" not in data:
            message = Sentence("The version of the format, “truco: {version}”, is missing.", version=FORMAT)
            self.made.note("missing", message, self.span())
        elif data["truco"] != FORMAT or isinstance(data["truco"], bool):
            message = Sentence("This is not “truco: {version}”, the only format there is.", version=FORMAT)
            self.made.note("format", message, self.span("truco"))
        for key, read in (
            ("variant", self._variant),
            ("options", self._options),
            ("players", self._players),
            ("dealer", self._dealer),
            ("score", self._score),
            ("start", self._start),
            ("position", self._position),
            ("mode", self._mode),
            ("hands", self._hands),
        ):
            if data.get(key) is not None:
                read(data[key])
        return self.made.log()

    # ---- the parts ---------------------------------------------------------------------------

    def _variant(self, value: object) -> None:
        self.made.set_variant(self._word(value, "variant"), self.span("variant"))

    def _options(self, value: object) -> None:
        for name, item in self._mapping(value, "options"):
            self.made.add_option(name, self._word(item, "options", name), self.key_span("options", name))

    def _players(self, value: object) -> None:
        place = self.span("players")
        if isinstance(value, int) and not isinstance(value, bool):
            self.made.set_players([(str(max(value, 0)), place)], place)
        elif isinstance(value, list):
            named = [(self._word(item, "players", n), self.span("players", n)) for n, item in enumerate(value)]
            self.made.set_players(named, place)
        else:
            self._shape(Sentence("a list of names in order of play, or a number"), "players", code="players")

    def _dealer(self, value: object) -> None:
        self.made.set_dealer(self._word(value, "dealer"), self.span("dealer"))

    def _score(self, value: object) -> None:
        for name, item in self._mapping(value, "score"):
            self.made.add_score(name, self._word(item, "score", name), self.key_span("score", name))

    def _start(self, value: object) -> None:
        for datum, item in self._mapping(value, "start"):
            place = self.key_span("start", datum)
            if isinstance(item, dict):
                for index, inner in item.items():
                    word = self._word(inner, "start", datum, index)
                    self.made.add_start(datum, tuple(index.split()) or ("",), word, place)
            else:
                self.made.add_start(datum, (), self._word(item, "start", datum), place)

    def _position(self, value: object) -> None:
        text = self._word(value, "position")
        walk = safe_yaml.Walk(self.document, text, "position")
        tokens = []
        for offset, token in tokens_of(text):
            tokens.append((token, self._at(walk.to(offset), len(token))))
        self.made.set_position(tokens, len(text), self.span("position"))

    def _mode(self, value: object) -> None:
        self.made.set_mode(self._word(value, "mode"), self.span("mode"))

    def _hands(self, value: object) -> None:
        if not isinstance(value, list):
            self._shape(Sentence("a list of hands, each with a deal and moves"), "hands")
            return
        for n, item in enumerate(value):
            if not isinstance(item, dict):
                self._shape(Sentence("a mapping with the keys deal and moves"), "hands", n)
                continue
            self._keys(item, HAND_KEYS, "hands", n)
            deal = list(self._deal(n, item["deal"])) if item.get("deal") is not None else []
            moves = list(self._moves(item["moves"], "hands", n, "moves")) if item.get("moves") is not None else []
            self.made.add_hand(deal, moves, self.span("hands", n))

    def _deal(self, n: int, value: object) -> Iterator[tuple[str, list[str], Span]]:
        for key, item in self._mapping(value, "hands", n, "deal"):
            where = ("hands", n, "deal", key)
            if isinstance(item, list):
                cards = [self._word(card, *where, at) for at, card in enumerate(item)]
            else:
                cards = [] if item is None else self._word(item, *where).split()
            yield key, cards, self.key_span(*where)

    def _moves(self, value: object, *keys: str | int) -> Iterator[tuple[str, Span]]:
        if isinstance(value, list):
            for at, item in enumerate(value):
                if isinstance(item, str):
                    yield from self._moves(item, *keys, at)
                else:
                    self._shape(Sentence("a text of moves, separated by commas"), *keys, at)
        elif isinstance(value, str):
            walk = safe_yaml.Walk(self.document, value, *keys)
            for offset, text in split_moves(value):
                yield text, self._at(walk.to(offset), len(text))
        else:
            self._shape(Sentence("a text of moves, separated by commas"), *keys)

    # ---- shapes and places -------------------------------------------------------------------

    def _mapping(self, value: object, *keys: str | int) -> list[tuple[str, object]]:
        if isinstance(value, dict):
            return list(value.items())
        self._shape(Sentence("a mapping (key: value)"), *keys)
        return []

    def _word(self, value: object, *keys: str | int) -> str:
        if isinstance(value, str):
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        self._shape(Sentence("a word or a whole number"), *keys)
        return "?"

    def _shape(self, wanted: str, *keys: str | int, code: str = "shape") -> None:
        name = next((str(key) for key in reversed(keys) if isinstance(key, str)), "log")
        form = "Under “{name}” stands something else than {wanted}."
        self.made.note(code, Sentence(form, name=notation.shown(name), wanted=wanted), self.span(*keys))

    def _keys(self, data: dict[str, object], known: tuple[str, ...], *keys: str | int) -> None:
        for key in data:
            if key not in known:
                place, hint = self.key_span(*keys, key), notation.hint_for(key, known)
                if key in HAND_KEYS:
                    hint = Sentence("It belongs to a hand: “hands:”, and under it “- {key}:” (docs/logs.md).", key=key)
                message = Sentence("There is no key “{key}”.", key=notation.shown(key))
                self.made.note("unknown-key", message, place, hint)

    def span(self, *keys: str | int) -> Span:
        """Return the one-character span where the value at these keys begins."""
        return self._at(self.document.place(*keys), 1)

    def key_span(self, *keys: str | int) -> Span:
        """Return the span of the key itself."""
        return self._at(self.document.key_place(*keys), len(str(keys[-1])))

    def _at(self, place: safe_yaml.YamlPlace, length: int) -> Span:
        return Span(self.document.path, place.line, place.column, place.line, place.column + length, 0, 0)


# ---- writing -----------------------------------------------------------------------------------


def write(log: Log) -> str:
    """Write the log as canonical YAML; reading it gives an equal log, writing that an equal text."""
    lines = [f"truco: {FORMAT}", f"variant: {_scalar(log.variant)}"]
    if log.options:
        lines.append(f"options: {_flow(log.options)}")
    lines.append(f"players: [{', '.join(map(_scalar, log.players))}]")
    if log.dealer:
        lines.append(f"dealer: {_scalar(log.dealer)}")
    if log.score:
        lines.append(f"score: {_flow({name: str(points) for name, points in log.score.items()})}")
    if log.start:
        lines += ["start:", *_start_lines(log.start)]
    if log.position:
        lines += _position_lines(log.position)
    if log.mode != STRICT:
        lines.append(f"mode: {log.mode}")
    if log.hands:
        lines.append("hands:")
        for hand in log.hands:
            lines += _hand_lines(hand)
    return "\n".join(lines) + "\n"


def _start_lines(start: tuple[Start, ...]) -> Iterator[str]:
    for datum in dict.fromkeys(item.datum for item in start):
        items = [item for item in start if item.datum == datum]
        if items[0].index:
            yield f"  {_scalar(datum)}: {_flow({' '.join(item.index): item.value for item in items})}"
        else:
            yield f"  {_scalar(datum)}: {_scalar(items[0].value)}"


def _position_lines(text: str) -> Iterator[str]:
    if not _PLAIN_POSITION.fullmatch(text):
        yield f"position: {_scalar(text)}"
        return
    yield from _folded("position:", text, "  ")


def _hand_lines(hand: Hand) -> Iterator[str]:
    lead = "  - "
    if hand.deal or not hand.moves:
        yield f"{lead}deal: {_flow({key: ' '.join(cards) for key, cards in hand.deal.items()})}"
        lead = "    "
    if hand.moves:
        text = ", ".join(move.text for move in hand.moves)
        if _PLAIN_MOVES.fullmatch(text):
            yield from _folded(f"{lead}moves:", text, "      ")
        else:
            yield f"{lead}moves: {json.dumps(text, ensure_ascii=False)}"


def _folded(head: str, text: str, lead: str) -> Iterator[str]:
    """A text behind its key, or on lines of its own below it."""
    folded = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    yield f"{head} {folded[0]}" if len(folded) == 1 else head
    yield from (f"{lead}{line}" for line in folded if len(folded) > 1)


def _flow(mapping: dict[str, str] | object) -> str:
    assert hasattr(mapping, "items")
    return "{" + ", ".join(f"{_scalar(key)}: {_scalar(value)}" for key, value in mapping.items()) + "}"


_PLAIN_MOVES = re.compile(r"[^\W_][\w.'’-]* [\w(][\w()+./-]*(?:,? [\w(][\w()+./-]*)*")
_PLAIN_POSITION = re.compile(r"[^\W\d_][\w.'’-]*(?: [\w.'’-]+)*;(?:[;,]? [\w.'’-]+)+")
_PLAIN = re.compile(r"[^\W_][\w()+./-]*(?: [\w(][\w()+./-]*)*")


def _scalar(text: str) -> str:
    """Quote a text for YAML only where plain style would not round-trip."""
    if _PLAIN.fullmatch(text):
        back = safe_yaml.load(text)
        if isinstance(back, str | int) and not isinstance(back, bool) and str(back) == text:
            return text
    return json.dumps(text, ensure_ascii=False)

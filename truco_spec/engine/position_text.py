"""A position as text and back: the phases that lie on each other, then all data that differ from their first values. ::

    play; dealer ana; score ana 7, bia 4; cards ana 4C KS, bia 5C; laid 1 ana 3C; vira 5D

The phase on top stands first. A datum has one entry for each index, parted by commas: the index, if it has one, and the
value as a log writes it; a pile or a set has any number of values. ``-`` is a datum that is not set, and an empty set
or place. What is not mentioned has its first value, as the rules compute it from the rest; a card that is not mentioned
lies in the pack. So a text holds all that the further game depends on, and one position has one text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import printable
from truco_spec.base.words import Sentence, alternatives, hinted, suggestion
from truco_spec.engine.evaluate import Evaluator
from truco_spec.engine.layout import DEPTH, NONE, UNSET, Block, Layout, unset
from truco_spec.engine.observe import sees
from truco_spec.engine.support import BITS, PlayError
from truco_spec.engine.text import described, texts_of, value_of, value_text
from truco_spec.graph.model import ASKED, HOW_MANY, Datum, Graph
from truco_spec.graph.types import Type, single
from truco_spec.language.diagnostics import nearest

if TYPE_CHECKING:
    from truco_spec.engine.compiled.program import Position, Program
    from truco_spec.engine.game import Game

LONGEST_POSITION = 20_000
"""Maximum characters of a position; the longest that was met has a tenth of it."""
UNKNOWN_CARD = "??"
NOTHING = "-"
TOKEN = re.compile(r"[;,]|[^\s;,]+")
"""A word of a position, or a sign that parts its entries or data."""

_SHOWN = 60

Word = tuple[int, str]
"""A word with its number among all tokens of the text."""


class PositionError(TrucoError):
    """A text that is no position of the game.

    ``message`` says why; ``token`` is the number of the wrong word (from 0, as :data:`TOKEN` finds them). ``hint`` says
    what to do; or ``known`` are the valid words, if ``word`` is not one of them. ``is_unknown``: only a card in it is
    not known.
    """

    def __init__(
        self,
        message: str,
        token: int,
        hint: str = "",
        *,
        word: str = "",
        known: Iterable[str] = (),
        is_unknown: bool = False,
    ) -> None:
        self.message, self.token, self.hint, self.is_unknown = message, token, hint, is_unknown
        self.word, self.known = word, tuple(known)
        near = nearest(word, self.known) if len(word) <= _SHOWN else None
        super().__init__(hinted(message, suggestion(near, hint)))


# ---- writing -------------------------------------------------------------------------------------


def position_line(game: Game, seat: int | None = None) -> str:
    """The whole line: variant and options, players, mode and position. Raises :class:`PositionError`.

    For a ``seat``, the position as :func:`position_text` writes it.
    """
    graph = game.graph
    options = [f"{o.name}={o.value}" for o in graph.options.values() if o.set_by == ASKED and o.name != HOW_MANY]
    parts = [" ".join([graph.name, *options]), " ".join(game.players)]
    if game.mode != "strict":
        parts.append(f"mode {game.mode}")
    return " | ".join([*parts, f"position {position_text(game, seat)}"])


def position_text(game: Game, seat: int | None = None) -> str:
    """The position as text. Raises :class:`PositionError` if a player's name cannot stand in it.

    For a ``seat``, what that seat may know: a hidden card is ``??``, other hidden data are left out.
    """
    _check_names(game.graph, game.players)
    parts = [" ".join(game.stack())]
    evaluator = Evaluator(game.layout, game.position)
    for name, block in game.layout.blocks.items():
        if name == game.graph.pack:
            continue
        entries = list(_entries(game, block, evaluator, seat))
        if entries:
            parts.append(f"{name} {', '.join(entries)}")
    return "; ".join(parts)


def _entries(game: Game, block: Block, evaluator: Evaluator, seat: int | None) -> Iterator[str]:
    graph, datum = game.graph, block.datum
    for index in block.indices():
        value = game.position[block.slot(index)]
        if value == _first_value(evaluator, datum, index):
            continue
        if seat is None or sees(game, seat, datum.name, index):
            words = _words(graph, datum.type, value, game.players)
        elif datum.type.place:
            words = [UNKNOWN_CARD] * (value.bit_count() if datum.type.many else 1)
        else:
            continue
        yield " ".join([*texts_of(graph, datum.params, index, game.players), *words])


def _words(graph: Graph, kind: Type, value: int, players: Sequence[str]) -> list[str]:
    """Return the words of a value; ``-`` if there is none."""
    if kind.many:
        return [value_text(graph, single(kind), kind.low + bit, players) for bit in BITS[value]] or [NOTHING]
    nothing = value == UNSET or (value == NONE and bool(kind.place))
    return [NOTHING if nothing else value_text(graph, kind, value, players)]


def _first_value(evaluator: Evaluator, datum: Datum, index: tuple[int, ...]) -> int:
    """The value that a datum has if nothing is said of it, computed from the rest of the position; that of an unset
    datum if it depends on one that is not set.
    """
    kind = datum.type
    if kind.place:
        return 0 if kind.many else NONE
    if datum.first is None:
        return unset(kind)
    try:
        env = {param.name: at for param, at in zip(datum.params, index, strict=True)}
        value = evaluator.value(datum.first, env)
    except (PlayError, IndexError, ValueError):
        return unset(kind)
    words = (evaluator.graph.words[word] for word in kind.words)
    return value if kind.many or kind.low <= value <= kind.high or value in words else unset(kind)


def _check_names(graph: Graph, players: Sequence[str]) -> None:
    """Check that no player's name means something else in a position. Raises :class:`PositionError`."""
    for name in players:
        if not TOKEN.fullmatch(name) or "|" in name or name in (NOTHING, UNKNOWN_CARD) or name in graph.words:
            raise PositionError(
                Sentence("No position can be written with a player called “{name}”.", name=_shown(name)), 0
            )


# ---- reading -------------------------------------------------------------------------------------


def set_up(program: Program, v: Position, text: str, players: Sequence[str], settled: Collection[str]) -> None:
    """Fill a blank position from its text; ``settled`` data keep the value that they have, unless the text has another.

    Raises :class:`PositionError` for what is no position of these rules. Whether a game can reach it is not asked.
    """
    _check_names(program.graph, players)
    if len(text) > LONGEST_POSITION:
        raise PositionError(Sentence("The position is longer than {count} characters.", count=LONGEST_POSITION), 0)
    tokens = list(enumerate(TOKEN.findall(text)))
    if (unknown := next((at for at, word in tokens if word == UNKNOWN_CARD), None)) is not None:
        raise PositionError(Sentence("Which card this is has to be known here."), unknown, is_unknown=True)
    parts = _parted(tokens, ";")
    if not parts[0]:
        phases = tuple(program.graph.phases)
        message = Sentence("A position begins with the phase that the game is in.")
        hint = Sentence("There are: {phases}.", phases=phases)
        raise PositionError(message, 0, hint)
    if not parts[-1]:
        parts.pop()
    reader, at = _PositionReader(program.layout, players), 0
    for number, part in enumerate(parts):
        if not part:
            raise PositionError(Sentence("A datum and its value are missing here."), at)
        if number:
            reader.datum(part)
        else:
            v[:DEPTH] = reader.phases(part)
        at += len(part) + 1
    for card, slot in reader.lies.items():
        program.space["move"](v, [], card, slot)
    _fill(program.layout, v, reader.given, settled)


def _fill(layout: Layout, v: Position, given: Mapping[int, int], settled: Collection[str]) -> None:
    """Set the data that are no places, each after those that its first value reads."""
    evaluator = Evaluator(layout, v)
    data = [name for name, datum in layout.graph.data.items() if not datum.type.place]
    for name in layout.ordered(data):
        block = layout.blocks[name]
        for slot, index in enumerate(block.indices(), block.base):
            if slot in given:
                v[slot] = given[slot]
            elif name not in settled:
                v[slot] = _first_value(evaluator, block.datum, index)


class _PositionReader:
    """Reads the parts of a position. ``lies`` maps cards to their slots, ``given`` slots of other data to values."""

    def __init__(self, layout: Layout, players: Sequence[str]) -> None:
        self.layout, self.graph, self.players = layout, layout.graph, players
        self.cards = {card.name: number for number, card in enumerate(self.graph.cards)}
        self.lies: dict[int, int] = {}
        self.given: dict[int, int] = {}
        self.told: set[str] = set()
        self.filled: set[int] = set()

    def phases(self, words: Sequence[Word]) -> list[int]:
        """The stack of phases, the one on top first."""
        known = self.layout.number
        for at, name in words:
            if name not in known:
                raise PositionError(
                    Sentence("There is no phase “{name}”.", name=_shown(name)), at, word=name, known=known
                )
        if len(words) > DEPTH:
            raise PositionError(
                Sentence("More than {count} phases cannot lie on each other.", count=DEPTH), words[DEPTH][0]
            )
        for (at, above), (_, below) in itertools.pairwise([*words, (0, "")]):
            under = self.graph.phases[above].interrupts
            if below and not under:
                raise PositionError(Sentence("“{above}” interrupts no other phase.", above=above), at)
            if under and below not in under:
                form = "“{above}” interrupts {under}, which has to stand behind it."
                if below:
                    form = "“{above}” interrupts {under}, and not {below}."
                raise PositionError(Sentence(form, above=above, under=alternatives(under), below=below), at)
        stack = [known[name] for _, name in words]
        return [*stack, *[-1] * (DEPTH - len(stack))]

    def datum(self, words: Sequence[Word]) -> None:
        """A datum with its entries."""
        (at, name), *rest = words
        if name == self.graph.pack:
            raise PositionError(
                Sentence("“{name}” is not given: every card that is not named lies there.", name=name), at
            )
        if name not in self.graph.data:
            known = [other for other in self.graph.data if other != self.graph.pack]
            message = Sentence("There is no datum “{name}” in {game}.", name=_shown(name), game=self.graph.name)
            raise PositionError(message, at, word=name, known=known)
        if name in self.told:
            raise PositionError(
                Sentence("“{name}” is given twice.", name=name), at, Sentence("Part its entries by commas.")
            )
        self.told.add(name)
        for entry in _parted(rest, ","):
            self._entry(self.layout.blocks[name], entry, at)

    def _entry(self, block: Block, words: Sequence[Word], at: int) -> None:
        datum, size = block.datum, len(block.datum.params)
        if len(words) <= size:
            forms = [described(self.graph, param.type) for param in datum.params]
            form = "Behind “{name}” stands {forms}, its value." if forms else "Behind “{name}” stands its value."
            wanted = Sentence(form, name=datum.name, forms=tuple(forms))
            message = Sentence("An entry of “{name}” is not complete.", name=datum.name)
            raise PositionError(message, words[-1][0] if words else at, wanted)
        index = tuple(self._value(param.type, word) for param, word in zip(datum.params, words, strict=False))
        slot = block.slot(index)
        if slot in self.filled:
            which = " ".join([datum.name, *(word for _, word in words[:size])])
            raise PositionError(Sentence("“{which}” is given twice.", which=_shown(which)), words[0][0])
        self.filled.add(slot)
        values = words[size:]
        if len(values) > 1 and not datum.type.many:
            form = "“{name}” has one value, and “{value}” is too much."
            message = Sentence(form, name=datum.name, value=_shown(values[1][1]))
            raise PositionError(message, values[1][0])
        if datum.type.place:
            for word in self._some(values):
                self._lay(word, slot)
        elif datum.type.many:
            self.given[slot] = self._set(datum.type, values)
        else:
            is_unset = values[0][1] == NOTHING
            self.given[slot] = unset(datum.type) if is_unset else self._value(datum.type, values[0])

    def _lay(self, word: Word, slot: int) -> None:
        at, name = word
        card = self._card(word)
        if card in self.lies:
            lies, here = self._place(self.lies[card]), self._place(slot)
            form = "The card {name} is there twice: in “{lies}” and in “{here}”."
            message = Sentence(form, name=name, lies=lies, here=here)
            raise PositionError(message, at)
        self.lies[card] = slot

    def _place(self, slot: int) -> str:
        name, index = self.layout.place_of[slot]
        return " ".join([name, *texts_of(self.graph, self.graph.data[name].params, index, self.players)])

    def _card(self, word: Word) -> int:
        at, name = word
        card = self.cards.get(name)
        if card is None:
            present = [other.name for other in self.graph.cards if other.present]
            raise PositionError(Sentence("There is no card “{name}”.", name=_shown(name)), at, word=name, known=present)
        if not self.graph.cards[card].present:
            raise PositionError(Sentence("The card {name} is not in the pack under these options.", name=name), at)
        return card

    def _set(self, kind: Type, words: Sequence[Word]) -> int:
        found = 0
        for word in self._some(words):
            bit = 1 << self._value(single(kind), word) - kind.low
            if found & bit:
                raise PositionError(Sentence("“{word}” is there twice.", word=_shown(word[1])), word[0])
            found |= bit
        return found

    def _some(self, words: Sequence[Word]) -> Sequence[Word]:
        """Return the words of a set; none for ``-`` alone."""
        return () if [word for _, word in words] == [NOTHING] else words

    def _value(self, kind: Type, word: Word) -> int:
        at, text = word
        if kind.base == "card" and text not in kind.words:
            return self._card(word)
        value = value_of(self.graph, kind, text, self.players)
        if value is None or not (kind.low <= value <= kind.high or text in kind.words):
            known = [*sorted(kind.words), *(self.players if kind.base in ("seat", "team") else ())]
            message = Sentence("“{text}” is not {kind}.", text=_shown(text), kind=described(self.graph, kind))
            raise PositionError(message, at, word=text, known=known)
        return value


def _parted(words: Sequence[Word], sign: str) -> list[list[Word]]:
    """The words between these signs."""
    found: list[list[Word]] = [[]]
    for word in words:
        if word[1] == sign:
            found.append([])
        else:
            found[-1].append(word)
    return found


def _shown(text: str) -> str:
    return printable(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")

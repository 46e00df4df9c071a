"""Public observations after an action: the spec's questions ``table.x``, evaluated after every step.

For a question that answers ``none`` before and after the action but not on the way (the trick was taken, the hand was
won), the last answer on the way is reported.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from truco_spec.engine.compiled.program import undo
from truco_spec.engine.game import CHANCE, permitted
from truco_spec.engine.layout import NONE, UNSET
from truco_spec.engine.support import BITS, RangeError
from truco_spec.engine.text import texts_of, value_text
from truco_spec.graph.model import MOST_GRAPHS, OBSERVED, SEEN, by_identity
from truco_spec.graph.types import Type, single

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from truco_spec.engine.compiled.program import Permit, Position, Program
    from truco_spec.engine.game import Game
    from truco_spec.engine.support import Action
    from truco_spec.graph.model import Graph


ACTING, MAY_SPEAK = "acting", "may-speak"
"""Whom the game waits for, and who else may act; the latter is only for the judge, as it can depend on hidden cards."""
OPEN = "open"
"""The answer of an unsettled question, which is not compared."""


def observations(graph: Graph) -> tuple[str, ...]:
    """The names of all observations in a game of these rules."""
    told = (name.removeprefix(OBSERVED) for name in graph.defines if name.startswith(OBSERVED))
    return tuple(dict.fromkeys((ACTING, MAY_SPEAK, *told)))


def settled(observed: Mapping[str, object]) -> dict[str, object]:
    """The observations to show at a table: the questions with an answer, and the players concerned."""
    found: dict[str, object] = {}
    for name, value in observed.items():
        if isinstance(value, dict):
            value = {who: what for who, what in value.items() if what is not None} or None
        if name not in (ACTING, MAY_SPEAK) and value not in (None, False, OPEN):
            found[name] = value
    return found


def waited_for(game: Game) -> dict[str, list[str]]:
    """Return ``acting`` and ``may-speak`` now: for whom the game waits, and who else may act.

    ``table.acting`` lists candidates; the game waits for those of them who may act. If there is no such question, or
    none of them may act, it waits for everybody who may; but not for those who may only talk while others, or chance,
    have more to do.
    """
    return _waited_for(game, game.position, permitted(game))


def _waited_for(game: Game, v: list[int], legal: Mapping[Action, Permit]) -> dict[str, list[str]]:
    able = sorted({action.actor for action in legal} - {CHANCE})
    acting = able
    if OBSERVED + ACTING in game.program.defines and len(able) > 1:
        mask = game.program.defines[OBSERVED + ACTING](v)
        acting = [seat for seat in able if mask >> seat & 1] or able
    if len(acting) > 1:
        busy = {action.actor for action, permit in legal.items() if permit.changes}
        acting = [seat for seat in acting if seat in busy] if busy else acting
    others = [seat for seat in able if seat not in acting]
    return {ACTING: [game.players[s] for s in acting], MAY_SPEAK: [game.players[s] for s in others]}


def observe(
    game: Game, event: int = -1, *, acting: bool = True, only: Collection[str] | None = None
) -> dict[str, object]:
    """Map each name to its observation after the event (the last one; or any by its number in the history).

    For a question with a parameter the observation is a mapping. Without ``acting``, whom the game waits for and who
    else may act (:func:`waited_for`) are omitted, which is faster; ``only`` these are asked, which is faster still.
    """
    number = event % len(game.history) if game.history else 0
    v = game.position.copy()
    for later in reversed(game.history[number + 1 :]):
        undo(v, later.steps)
    found: dict[str, object] = {}
    if acting:
        found |= _waited_for(game, v, game.judge.legal(v))
    questions = _questions(game.program, game.players)
    if only is not None:
        questions = [question for question in questions if question.name in only]
    answers = _answers(game, number, v, questions)
    return found | {question.name: question.shown(game, answer) for question, answer in answers}


def must_be_observable(game: Game) -> None:
    """Raises PlayError where :func:`observe` would after the last event, if a question has no answer, or
    :func:`cards_seen`, if two answers disagree on who sees a card.
    """
    _answers(game, len(game.history) - 1, game.position.copy(), _questions(game.program, game.players))
    layout, position = game.layout, game.position
    for name in _of_several_answers(game.graph):
        block = layout.blocks[name]
        for slot in range(block.base, block.base + block.count):
            if position[slot] not in (NONE, UNSET):
                _seers(game.program.defines[name + SEEN], position, layout.indices[slot])


@by_identity(MOST_GRAPHS)
def _of_several_answers(graph: Graph) -> tuple[str, ...]:
    """The places of cards of which exceptions say who sees them."""
    return tuple(
        name
        for name, datum in graph.data.items()
        if datum.type.base == "card" and name + SEEN in graph.defines and len(graph.defines[name + SEEN].answers) > 1
    )


_Answer: TypeAlias = "tuple[_Question, int | list[int]]"


def _answers(game: Game, number: int, v: list[int], questions: list[_Question]) -> list[_Answer]:
    """The questions with their answers after the event of this number, which the position ``v`` is; it is taken back
    there.
    """
    steps = game.history[number].steps if game.history else game.opening
    found: list[_Answer] = []
    on_the_way: list[_Answer] = []
    for at in range(len(steps), -1, -1):
        left = []
        for question in questions:
            answer = question.asked(v)
            nothing = question.is_nothing(answer)
            if nothing:
                left.append(question)
            if at == len(steps):
                found.append((question, answer))
            elif not nothing:
                on_the_way.append((question, answer))
        questions = left
        if not questions or at <= 1:
            break
        undo(v, [steps[at - 1]])
    if on_the_way and game.history:
        undo(v, steps[:at])
    for question, answer in on_the_way:
        if not game.history or question.is_nothing(question.asked(v)):  # else it was so before, and is over now
            found.append((question, answer))
    return found


class _Question(NamedTuple):
    """An observed question: its compiled function, and the values of its parameter, if it has one, by their texts.

    ``told`` keeps what single answers are in words.
    """

    name: str
    ask: Callable[..., int]
    kind: Type
    values: dict[str, int] | None
    told: dict[int, object]

    def asked(self, v: list[int]) -> int | list[int]:
        """The answer in a position, or one for each value of the parameter."""
        return self.ask(v) if self.values is None else [self.ask(v, value) for value in self.values.values()]

    def is_nothing(self, answer: int | list[int]) -> bool:
        """Whether it is no answer, for any value of the parameter."""
        if isinstance(answer, int):
            return answer in (NONE, UNSET)
        return all(value == UNSET or (value == NONE and not self.kind.many) for value in answer)

    def shown(self, game: Game, answer: int | list[int]) -> object:
        """The answer in words."""
        if isinstance(answer, int):
            return None if answer == NONE else self._one(game, answer)
        return {text: self._one(game, value) for text, value in zip(self.values or (), answer, strict=True)}

    def _one(self, game: Game, answer: int) -> object:
        if self.kind.many:
            return _shown(game, self.kind, answer)
        if answer not in self.told:
            self.told[answer] = _shown(game, self.kind, answer)
        return self.told[answer]


@by_identity(MOST_GRAPHS)
def _questions(program: Program, players: tuple[str, ...]) -> list[_Question]:
    """The observed questions, memoised."""
    found = []
    for name, define in program.graph.defines.items():
        if name.startswith(OBSERVED) and name != OBSERVED + ACTING:
            values = None
            for kind in [param.type for param in define.params]:
                texts = (
                    (value_text(program.graph, kind, value, players), value) for value in range(kind.low, kind.high + 1)
                )
                values = dict(texts)
            found.append(_Question(name[len(OBSERVED) :], program.defines[name], define.type, values, {}))
    return found


# ---- The knowledge of a seat: every datum that it sees, and the shape of hidden ones -------------


class _Held(NamedTuple):
    """A datum and its slots: each with its index, as numbers and as a text of this table."""

    name: str
    kind: Type
    seers: Callable[..., int] | None
    single: bool
    slots: tuple[tuple[int, tuple[int, ...], str], ...]


@by_identity(MOST_GRAPHS)
def _held(program: Program, players: tuple[str, ...]) -> list[_Held]:
    """All data of a game, memoised."""
    found = []
    for name, block in program.layout.blocks.items():
        params = block.datum.params
        slots = tuple(
            (slot, at, " ".join(texts_of(program.graph, params, at, players)))
            for slot, at in enumerate(block.indices(), block.base)
        )
        found.append(_Held(name, block.datum.type, program.defines.get(name + SEEN), not block.dims, slots))
    return found


def view(game: Game, seat: int) -> dict[str, object]:
    """Map each datum to its value, or to its values by index.

    A hidden pile is ``{"hidden": number of cards}``, a hidden slot ``{"hidden": 1}`` or None; other hidden data are
    omitted. Cards, words and players are texts, sets are lists.
    """
    found: dict[str, object] = {}
    for datum in _held(game.program, game.players):
        values: dict[str, object] = {}
        for slot, index, key in datum.slots:
            value = game.position[slot]
            if datum.seers is None or _seers(datum.seers, game.position, index) >> seat & 1:
                values[key] = _shown(game, datum.kind, value)
            elif datum.kind.place:
                count = value.bit_count() if datum.kind.place == "pile" else int(value != NONE)
                values[key] = {"hidden": count} if count or datum.kind.place == "pile" else None
        if values:
            found[datum.name] = values[""] if datum.single else values
    return found


def sees(game: Game, seat: int, datum: str, index: tuple[int, ...]) -> bool:
    """Whether this seat sees this datum at this index now; nobody does while that depends on an unset datum."""
    ask = game.program.defines.get(datum + SEEN)
    if ask is None:  # an option that a graph leaves open is public
        return True
    return bool(_seers(ask, game.position, index) >> seat & 1)


def _seers(ask: Callable[..., int], position: Position, index: tuple[int, ...]) -> int:
    try:
        return ask(position, *index)
    except (RangeError, IndexError, ValueError):
        return 0


def cards_seen(game: Game, seat: int, before: Mapping[int, int] = MappingProxyType({})) -> set[str]:
    """Return the cards that a seat sees: their places, or the shown cards that it remembers.

    ``before`` are slots with earlier values: then the cards that it saw with these.
    """
    layout, position, defines = game.layout, game.position, game.program.defines
    found = 0
    for slot, many in layout.of_cards.items():
        value = before.get(slot, position[slot])
        held = value if many else (1 << value if value > NONE else 0)
        if held & ~found and _seers(defines[layout.names[slot] + SEEN], position, layout.indices[slot]) >> seat & 1:
            found |= held
    return {game.graph.cards[card].name for card in BITS[found]}


def _shown(game: Game, kind: Type, value: int) -> object:
    if value == UNSET:
        return None
    if kind.many:
        return [value_text(game.graph, single(kind), kind.low + bit, game.players) for bit in BITS[value]]
    if value == NONE:
        return None
    if kind.base == "flag" and value > NONE:
        return bool(value)
    if kind.base == "number" and value > NONE:
        return int(value)
    return value_text(game.graph, kind, value, game.players)

"""What all could see at the table after an action: the spec's questions ``table.x``, asked after every step of it.

A question that answers ``none`` at the end but not on the way (the trick was taken, the hand was won) is reported with
its last answer on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from truco_spec.engine.apply import undo
from truco_spec.engine.game import CHANCE
from truco_spec.engine.layout import NONE, UNSET
from truco_spec.engine.support import BITS, RangeError
from truco_spec.engine.text import value_text
from truco_spec.graph.groups import SEEN
from truco_spec.graph.types import Type, bare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from truco_spec.engine.action import Action
    from truco_spec.engine.compile.program import Position
    from truco_spec.engine.game import Game
    from truco_spec.graph.model import Define, Graph


PREFIX = "table."
ACTING, MAY_SPEAK = "acting", "may-speak"
"""Whom the game waits for, and who else may do something now; the latter is for the judge, and no player's to know, for
it may hang on the cards of those who may."""
OPEN = "open"
"""The answer of a question that is not settled yet: nobody's answer to it is compared."""


def observations(graph: Graph) -> tuple[str, ...]:
    """The names of all that is observed in a game of these rules."""
    told = (name.removeprefix(PREFIX) for name in graph.defines if name.startswith(PREFIX))
    return tuple(dict.fromkeys((ACTING, MAY_SPEAK, *told)))


def settled(observed: Mapping[str, object]) -> dict[str, object]:
    """What a table can be shown of what was observed: the questions that have an answer, and who is meant in each."""
    found: dict[str, object] = {}
    for name, value in observed.items():
        if isinstance(value, dict):
            value = {who: what for who, what in value.items() if what is not None} or None
        if name not in (ACTING, MAY_SPEAK) and value not in (None, False, OPEN):
            found[name] = value
    return found


def waited_for(game: Game, v: list[int], legal: Iterable[Action]) -> dict[str, list[str]]:
    """``acting`` and ``may-speak`` in a position, of the actions that are permitted in it.

    ``table.acting`` says for whom the game may wait; of these it waits for those who may act, and where no such
    question is asked, or none of these may act, for whoever may.
    """
    able = sorted({action.actor for action in legal} - {CHANCE})
    acting = able
    if PREFIX + ACTING in game.program.defines and len(able) > 1:
        mask = game.program.defines[PREFIX + ACTING](v)
        acting = [seat for seat in able if mask >> seat & 1] or able
    others = [seat for seat in able if seat not in acting]
    return {ACTING: [game.players[s] for s in acting], MAY_SPEAK: [game.players[s] for s in others]}


def observe(game: Game, event: int = -1, *, acting: bool = True) -> dict[str, object]:
    """Name -> what was seen after the event (the last one; or any by its number in the history).

    Where a question has a parameter the answer is a mapping. Without ``acting`` it is left out whom the game waits for
    after it, and who else may do something (:func:`waited_for`): that takes time.
    """
    number = event % len(game.history) if game.history else 0
    v = game.position.copy()
    for later in reversed(game.history[number + 1 :]):
        undo(v, later.steps)
    found: dict[str, object] = {}
    if acting:
        found |= waited_for(game, v, game.judge.legal(v))
    questions = _questions(game.graph)
    steps = game.history[number].steps if game.history else game.opening
    for at in range(len(steps), -1, -1):
        left = []
        for define in questions:
            answer = _answer(game, define, v)
            if at == len(steps) or not _nothing(answer):
                found[define.name[len(PREFIX) :]] = answer
            if _nothing(answer):
                left.append(define)
        questions = left
        if not questions or at <= 1:
            break
        undo(v, [steps[at - 1]])
    return found


_QUESTIONS: dict[int, tuple[Graph, list[Define]]] = {}


def _questions(graph: Graph) -> list[Define]:
    """What is observed; looked up once."""
    found = _QUESTIONS.get(id(graph))
    if found is None or found[0] is not graph:
        defines = [
            define for name, define in graph.defines.items() if name.startswith(PREFIX) and name != PREFIX + ACTING
        ]
        found = _QUESTIONS[id(graph)] = graph, defines
    return found[1]


def _nothing(answer: object) -> bool:
    """Is it no answer, of a question with a parameter to none of its values?"""
    return answer is None or (isinstance(answer, dict) and all(value is None for value in answer.values()))


def _answer(game: Game, define: Define, v: list[int]) -> object:
    ask = game.program.defines[define.name]
    if not define.params:
        value = ask(v)
        return None if value == NONE else _shown(game, define.type, value)
    (param,) = define.params
    from truco_spec.engine.text import value_text

    values = range(param.type.low, param.type.high + 1)
    return {value_text(game.graph, param.type, i, game.players): _shown(game, define.type, ask(v, i)) for i in values}


# ---- What a seat may know: every datum that it sees, and the shape of what it does not see -------


def view(game: Game, seat: int) -> dict[str, object]:
    """Datum -> value, or index -> value where it has one.

    Of a hidden pile only ``{"hidden": number of cards}`` is told, of a hidden slot ``{"hidden": 1}`` or None; other
    hidden data are left out. Cards, words and players are texts, sets are lists.
    """
    found: dict[str, object] = {}
    for name, block in game.layout.blocks.items():
        kind = block.datum.type
        values: dict[str, object] = {}
        for index in block.indices():
            value = game.position[block.slot(index)]
            if sees(game, seat, name, index):
                shown = _shown(game, kind, value)
            elif kind.place:
                count = value.bit_count() if kind.place == "pile" else int(value != NONE)
                shown = {"hidden": count} if count or kind.place == "pile" else None
            else:
                continue
            params = [
                value_text(game.graph, p.type, i, game.players) for p, i in zip(block.datum.params, index, strict=True)
            ]
            values[" ".join(params)] = shown
        if values:
            found[name] = values if block.dims else values[""]
    return found


def sees(game: Game, seat: int, datum: str, index: tuple[int, ...]) -> bool:
    """May this seat see this datum at this index now? Nobody does where that hangs on what is not given yet."""
    ask = game.program.defines.get(datum + SEEN)
    if ask is None:  # an option that a graph leaves open: all have agreed on it
        return True
    return bool(_seers(ask, game.position, index) >> seat & 1)


def _seers(ask: Callable[..., int], position: Position, index: tuple[int, ...]) -> int:
    try:
        return ask(position, *index)
    except (RangeError, IndexError, ValueError):
        return 0


def cards_seen(game: Game, seat: int) -> set[str]:
    """The cards that a seat sees anywhere: where they lie, or in what it remembers of cards shown to it."""
    layout, position, defines = game.layout, game.position, game.program.defines
    found = 0
    for slot, many in layout.of_cards.items():
        held = position[slot] if many else (1 << position[slot] if position[slot] > NONE else 0)
        if held & ~found and _seers(defines[layout.names[slot] + SEEN], position, layout.indices[slot]) >> seat & 1:
            found |= held
    return {game.graph.cards[card].name for card in BITS[found]}


def _shown(game: Game, kind: Type, value: int) -> object:
    if value == UNSET:
        return None
    if kind.many:
        single = bare(Type(kind.base, kind.low, kind.high, kind.name))
        return [value_text(game.graph, single, bit + kind.low, game.players) for bit in BITS[value]]
    if value == NONE:
        return None
    if kind.base == "flag" and value > NONE:
        return bool(value)
    if kind.base == "number" and value > NONE:
        return int(value)
    return value_text(game.graph, kind, value, game.players)

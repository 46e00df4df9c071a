"""What all could see at the table after an action: the spec's questions ``table.x``, asked after every step of it.

A question that answers ``none`` at the end but not on the way (the trick was taken, the hand was won) is reported with
its last answer on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from truco_spec.engine.apply import undo
from truco_spec.engine.game import CHANCE
from truco_spec.engine.layout import NONE
from truco_spec.engine.view import _shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from truco_spec.engine.action import Action
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

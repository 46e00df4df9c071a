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
    from truco_spec.engine.game import Game
    from truco_spec.graph.model import Define, Graph

PREFIX = "table."


def observe(game: Game, event: int = -1, *, acting: bool = True) -> dict[str, object]:
    """Name -> what was seen after the event (the last one; or any by its number in the history).

    Where a question has a parameter the answer is a mapping. ``acting`` (left out where nobody wants it: it takes time)
    lists the players who may act after it; nobody where a card is to be drawn.
    """
    number = event % len(game.history) if game.history else 0
    v = game.position.copy()
    for later in reversed(game.history[number + 1 :]):
        undo(v, later.steps)
    found: dict[str, object] = {}
    if acting:
        seats = sorted({action.actor for action in game.judge.legal(v)} - {CHANCE})
        found["acting"] = [game.players[seat] for seat in seats]
    questions = _questions(game.graph)
    steps = game.history[number].steps if game.history else game.opening
    for at in range(len(steps), -1, -1):
        left = []
        for define in questions:
            answer = _answer(game, define, v)
            found.setdefault(define.name[len(PREFIX) :], answer)
            if answer is None:
                left.append(define)
            elif found[define.name[len(PREFIX) :]] is None:
                found[define.name[len(PREFIX) :]] = answer
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
        defines = [define for name, define in graph.defines.items() if name.startswith(PREFIX)]
        found = _QUESTIONS[id(graph)] = graph, defines
    return found[1]


def _answer(game: Game, define: Define, v: list[int]) -> object:
    ask = game.program.defines[define.name]
    if not define.params:
        value = ask(v)
        return None if value == NONE else _shown(game, define.type, value)
    (param,) = define.params
    from truco_spec.engine.text import value_text

    values = range(param.type.low, param.type.high + 1)
    return {value_text(game.graph, param.type, i, game.players): _shown(game, define.type, ask(v, i)) for i in values}

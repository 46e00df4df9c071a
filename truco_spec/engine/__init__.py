"""The reference engine: plays, judges and explains a game from its graph alone.

In: a linked graph and actions. Out: events, observations and verdicts, each with the rules behind it. Begin with
``game``; ``compiled`` and ``wasm`` are the two bodies that play, ``explain`` and ``provenance`` say why.
"""

from __future__ import annotations

from truco_spec.engine.game import CHANCE, Action, Event, Game, IllegalAction
from truco_spec.engine.support import ConflictError, PlayError, RangeError
from truco_spec.engine.text import TextError

__all__ = [
    "CHANCE",
    "Action",
    "ConflictError",
    "Event",
    "Game",
    "IllegalAction",
    "PlayError",
    "RangeError",
    "TextError",
]

"""An executable standard for Truco: rules as text, a checked rule graph, an engine that plays, judges and explains.

::

    game = truco_spec.Game(truco_spec.load("paulista"), players=["ana", "bia", "caio", "davi"])
    game.legal_actions()
"""

from __future__ import annotations

from truco_spec.base import __version__

TYPE_CHECKING = False  # as in typing, whose import is slow and needed for nothing else
if TYPE_CHECKING:
    from typing import Any

    from truco_spec.base.errors import TrucoError
    from truco_spec.base.project import Project
    from truco_spec.engine import CHANCE, Action, Event, Game, IllegalAction
    from truco_spec.graph.load import load, load_file, load_text
    from truco_spec.logs.replay import from_position

__all__ = [
    "CHANCE",
    "Action",
    "Event",
    "Game",
    "IllegalAction",
    "Project",
    "TrucoError",
    "__version__",
    "from_position",
    "load",
    "load_file",
    "load_text",
]

_HOMES = {
    "load": "truco_spec.graph.load",
    "load_file": "truco_spec.graph.load",
    "load_text": "truco_spec.graph.load",
    "from_position": "truco_spec.logs.replay",
    "Project": "truco_spec.base.project",
    "TrucoError": "truco_spec.base.errors",
}


def __getattr__(name: str) -> Any:
    """Import the public names lazily, on first access. A name that will go warns, and is what came instead."""
    if name not in __all__:
        from truco_spec.base import GOING_NAMES, going

        if name in GOING_NAMES:
            from warnings import warn

            warn(going(name, GOING_NAMES[name]), DeprecationWarning, stacklevel=2)
            name = GOING_NAMES[name]
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES.get(name, "truco_spec.engine")), name)

"""The requests of the playground's worker, answered by the browser's Python. Answers are JSON; no
user's text raises.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import ENGLISH
from truco_spec.base.words import Sentence, names_in, speaking, translated
from truco_spec.books.book_words import spoken_in, words_in
from truco_spec.engine.game import CHANCE
from truco_spec.graph.load import load_text
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.line import LogError, read_line
from truco_spec.logs.notation import notation_of
from truco_spec.logs.replay import Replay
from truco_spec.logs.setup import options_of

FILE = "house.truco"
"""The name under which mistakes speak of the text."""
MOST = 60
"""Maximum number of moves that are offered."""


def answer(wanted: str, text: str, line: str = "", language: str = ENGLISH) -> str:
    """Answer one question about a text of rules: ``check``, ``book`` or ``replay``. ``line`` is a log in one line."""
    kinds: dict[str, Callable[[], dict[str, Any]]] = {
        "check": lambda: _checked(text, language),
        "book": lambda: {"html": _printed(text, language)},
        "replay": lambda: _played(text, line, language),
    }
    try:
        found = kinds[wanted]()
    except (SpecError, LogError) as error:
        found = {"mistakes": [_mistake(each) for each in error.diagnostics]}
    except TrucoError as error:
        found = {"fault": str(error)}
    except RecursionError:
        found = {"fault": Sentence("This is nested too deeply.")}
    return json.dumps(found, ensure_ascii=False)


def _mistake(diagnostic: Any) -> dict[str, Any]:
    span = diagnostic.span
    place = {"line": span.line, "column": span.column} if span.file == FILE else {"line": 0, "column": 0}
    return {"message": translated(diagnostic.message), "hint": translated(diagnostic.hint), **place}


def _checked(text: str, language: str) -> dict[str, Any]:
    """The title, and a log to begin with."""
    graph = _graph(text)
    if not graph.seats:
        return {"title": graph.title, "line": ""}
    names = names_in(language)[: graph.seats]
    return {"title": graph.title, "line": f"{graph.name} | {' '.join(names)} | dealer {names[-1]} |"}


def _graph(text: str, **options: str) -> Graph:
    return load_text(text, path=FILE, **options)


def _printed(text: str, language: str) -> str:
    from truco_spec.books.render import html_of
    from truco_spec.books.whole import whole_of

    words = words_in(language)
    return html_of(whole_of(_graph(text), words, examples={}), words)


def _played(text: str, line: str, language: str) -> dict[str, Any]:
    """Return the page of a log, and the moves permitted at its end, or why there is none."""
    from truco_spec.pages.board import page_of

    log, graph = read_line(line), _graph(text)
    graph = _graph(text, **options_of(log, graph))
    with speaking(spoken_in(language)):
        html = page_of(log, graph)
    replay = Replay(log, graph)
    try:
        game = replay.to_the_end()
    except LogError as error:
        return {"html": html, "mistakes": [_mistake(each) for each in error.diagnostics], "moves": []}
    notation = notation_of(graph, log.players)
    legal = [notation.text(action) for action in game.legal_actions() if action.actor != CHANCE]
    return {"html": html, "moves": legal[:MOST]}

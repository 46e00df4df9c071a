"""The examples in docs/engine.md are a session that runs as it is printed."""

from __future__ import annotations

import doctest
from pathlib import Path

from truco_spec.engine import Game
from truco_spec.engine.layout import DEPTH, UNSET
from truco_spec.graph.types import FIRST_WORD

PAGE = (Path(__file__).parent.parent.parent / "docs" / "engine.md").read_text(encoding="utf-8")


def test_the_session_runs_as_printed() -> None:
    examples = "\n".join(part.split("```")[0] for part in PAGE.split("```python\n")[1:])
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/engine.md", "docs/engine.md", 0)
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test, out=told.append)
    assert result.attempted > 30
    assert not result.failed, "".join(told)


def test_the_numbers_on_the_page_are_those_of_the_code() -> None:
    assert f"0 … {DEPTH - 1} |" in PAGE
    assert f"`none` is {FIRST_WORD}" in PAGE
    assert f"is {UNSET}" in PAGE


def test_every_door_of_a_game_is_in_the_table() -> None:
    doors = [name for name in vars(Game) if not name.startswith("_")]
    known = {"effects_of", "opening", "draws", "blank"}
    assert not [name for name in doors if name not in known and f"`{name}" not in PAGE]

"""The reference of Python: its examples run as printed, and it has every public name and every door of a game."""

from __future__ import annotations

import doctest
import inspect

from fenced import ROOT, blocks

import truco_spec
from truco_spec import Game

PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def test_the_session_runs_as_printed() -> None:
    examples = "\n".join(block.text for block in blocks(PAGE))
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/python.md", "docs/python.md", 0)
    told: list[str] = []
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert result.attempted > 25
    assert not result.failed, "".join(told)


def test_every_public_name_is_there_and_used() -> None:
    for name in truco_spec.__all__:
        assert f"`{name}`" in PAGE or f"`{name}(" in PAGE, name
        assert f"truco_spec.{name}" in PAGE or name in ("Event", "load_file"), name


def test_every_door_of_a_game_is_in_the_table() -> None:
    inside = {"effects_of", "opening", "draws", "blank", "branch"}
    for name in (name for name in vars(Game) if not name.startswith("_")):
        assert name in inside or f"`{name}" in PAGE, name


def test_the_parameters_are_those_of_the_code() -> None:
    for name, told in (
        ("load", "load(name, **options)"),
        ("load_file", 'load_file(path, variant="", **options)'),
        ("load_text", 'load_text(text, variant="", path="<text>",\n**options)'),
        ("Game", 'Game(graph, *, players=None, mode="strict", start=None, position_text="")'),
    ):
        assert f"`{told}`" in PAGE
        function = getattr(truco_spec, name)
        signature = inspect.signature(function)
        bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        shown = str(signature.replace(parameters=bare, return_annotation=signature.empty)).replace("'", '"')
        assert f"{name}{shown}" == told.replace("\n", " ")

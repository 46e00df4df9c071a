"""The reference of positions is true: its commands, its files, its Python, its grammar and its limits."""

from __future__ import annotations

import doctest
import random
from pathlib import Path

import pytest
from fenced import ROOT, Block, blocks, prints_what_is_shown, write_files
from lark import Lark

import truco_spec
from truco_spec.base.shipped import variant_names
from truco_spec.engine.position_text import LONGEST_POSITION
from truco_spec.engine.sample import random_action
from truco_spec.logs.files import read_file
from truco_spec.logs.replay import Replay

PAGE = (ROOT / "docs" / "position.md").read_text(encoding="utf-8")


def of(language: str) -> list[Block]:
    return [block for block in blocks(PAGE) if block.language == language]


@pytest.mark.long
@pytest.mark.parametrize("block", of("console"), ids=lambda block: f"line {block.line}")
def test_a_command_prints_what_is_shown(block: Block, tmp_path: Path) -> None:
    write_files(PAGE, tmp_path)
    prints_what_is_shown(block, tmp_path)


def test_the_file_is_a_log(tmp_path: Path) -> None:
    write_files(PAGE, tmp_path)
    assert len(list(Replay(read_file(tmp_path / "late.yaml")).steps())) == 4


def test_the_python_runs_as_printed() -> None:
    examples = "\n".join(block.text for block in of("python"))
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/position.md", "docs/position.md", 0)
    told: list[str] = []
    assert not doctest.DocTestRunner().run(test, out=told.append).failed, "".join(told)
    assert test.examples


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", variant_names())
def test_the_grammar_reads_every_position(name: str) -> None:
    (block,) = of("lark")
    grammar, rng = Lark(block.text, parser="earley"), random.Random(name)
    game = truco_spec.Game(truco_spec.load(name))
    for _ in range(2):
        for _ in range(rng.randint(20, 60)):
            if (action := random_action(game, rng)) is not None:
                game.push(action)
        grammar.parse(game.position_line())


def test_the_limit_is_told() -> None:
    assert f"{LONGEST_POSITION:,}" in PAGE

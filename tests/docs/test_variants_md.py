"""The page of the variants is true: it names them all, and its commands print what it shows."""

from __future__ import annotations

import re

import pytest
from fenced import ROOT, Block, blocks, prints_what_is_shown

from truco_spec.base.shipped import variant_names
from truco_spec.compare.questions import Answers
from truco_spec.compare.scenario import Side
from truco_spec.graph.load import load

PAGE = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([a-z0-9-]+)` \| ([0-9, ]+) \|", PAGE, re.MULTILINE)
TOLD = re.findall(r"\| `([a-z0-9-]+)`: [^|]*\| ([^|]*) \|$", PAGE, re.MULTILINE)


@pytest.mark.long
def test_every_shipped_variant_has_its_row():
    assert [name for name, _ in ROWS] == sorted((n for n, _ in ROWS), key=[n for n, _ in ROWS].index)
    assert {name for name, _ in ROWS} == {name for name in variant_names() if load(name).rules}


@pytest.mark.sample(3)
@pytest.mark.parametrize(("name", "counts"), ROWS)
def test_so_many_play_it(name, counts):
    for count in counts.split(", "):
        assert load(name, players=count).seats == int(count)


@pytest.mark.parametrize(("decision", "options"), TOLD)
def test_the_decisions_and_options_told_of_are_there(decision, options):
    graphs = [load(name) for name, _ in ROWS]
    assert any(decision in graph.decisions for graph in graphs)
    for option in re.findall(r"`([a-z0-9-]+)`", options):
        assert any(option in graph.options for graph in graphs) or option in dict(ROWS)


@pytest.mark.parametrize(("decision", "options"), TOLD)
def test_the_table_marks_what_an_option_has_by_such_a_decision(decision, options):
    games = [Answers(Side(name, {})) for name, _ in ROWS]
    for option in set(re.findall(r"`([a-z0-9-]+)`", options)) - set(dict(ROWS)):
        assert any(f"@decided:{decision}" in game.option(option).cites for game in games)


@pytest.mark.sample(2)
@pytest.mark.parametrize("block", blocks(PAGE), ids=lambda block: f"line {block.line}")
def test_a_command_prints_what_is_shown(block: Block) -> None:
    prints_what_is_shown(block)

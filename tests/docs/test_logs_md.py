"""The worked deal of the game log replays to the result that its source states, and what is written beside it is so."""

from __future__ import annotations

import re

import pytest
from fenced import ROOT, Block, blocks, prints_what_is_shown

from truco_spec.conformance.corpus import load as load_cases
from truco_spec.graph.load import load
from truco_spec.logs.files import read_file
from truco_spec.logs.replay import Replay

PAGE = (ROOT / "docs" / "logs" / "fifteen.md").read_text(encoding="utf-8")


def test_the_worked_deal_has_the_result_that_its_source_states() -> None:
    replay = Replay(read_file(ROOT / "docs" / "logs" / "fifteen.yaml"))
    told = [step.observed for step in replay.steps()]
    assert [seen["trick"] for seen in told if seen.get("trick")] == ["player-4", "player-2", "player-2"]
    assert told[-1]["hand"] == "player-2"
    assert told[-1]["score"] == {"player-2": 3, "player-4": 0}


def test_the_cases_and_decisions_told_of_are_there() -> None:
    cases, decisions = {case.id for case in load_cases()}, load("gamelog").decisions
    named = set(re.findall(r"`(gamelog-[a-z0-9-]+)`", PAGE))
    assert named
    for name in named:
        assert name in cases or name in decisions, name


@pytest.mark.parametrize("block", blocks(PAGE), ids=lambda block: f"line {block.line}")
def test_a_command_prints_what_is_shown(block: Block) -> None:
    prints_what_is_shown(block)

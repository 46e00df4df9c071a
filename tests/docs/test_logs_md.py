"""The logs of the documentation are played to their ends, and what is written beside them is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fenced import ROOT, Block, blocks, prints_what_is_shown

from truco_spec.conformance.corpus import load as load_cases
from truco_spec.graph.load import load
from truco_spec.logs.files import read_file
from truco_spec.logs.replay import Replay

LOGS = sorted((ROOT / "docs" / "logs").glob("*.yaml"))
PAGE = (ROOT / "docs" / "logs" / "fifteen.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_is_played_to_its_end(path: Path) -> None:
    log = read_file(path)
    assert len(list(Replay(log).steps())) == sum(len(hand.moves) for hand in log.hands) > 0


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

"""The reference of logs is true; so is the worked deal of the game log, and what is written beside it."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from fenced import ROOT, Block, blocks, prints_what_is_shown, write_files

from truco_spec.conformance.corpus.corpus import load as load_cases
from truco_spec.graph.load import load
from truco_spec.logs import notation
from truco_spec.logs.files import KEYS, read_file
from truco_spec.logs.line import LONGEST_LINE
from truco_spec.logs.replay import Replay

REFERENCE = (ROOT / "docs" / "logs.md").read_text(encoding="utf-8")
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


# ---- docs/logs.md ---------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("block", [b for b in blocks(REFERENCE) if b.language == "console"], ids=lambda b: str(b.line))
def test_a_log_of_the_reference_is_told_as_it_says(block: Block, tmp_path: Path) -> None:
    write_files(REFERENCE, tmp_path)
    prints_what_is_shown(block, tmp_path)


def test_the_files_of_the_reference_are_logs(tmp_path: Path) -> None:
    write_files(REFERENCE, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["later.yaml", "night.yaml"]
    for path in tmp_path.iterdir():
        assert list(Replay(read_file(path)).steps())


def test_the_python_of_the_reference_runs_as_printed() -> None:
    examples = "\n".join(block.text for block in blocks(REFERENCE) if block.language == "python")
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/logs.md", "docs/logs.md", 0)
    told: list[str] = []
    assert not doctest.DocTestRunner().run(test, out=told.append).failed, "".join(told)
    assert test.examples


def test_the_reference_has_every_key_and_the_limits() -> None:
    assert [key for key in KEYS if f"| `{key}` |" not in REFERENCE] == []
    for limit in (notation.MOST_PLAYERS, notation.MOST_HANDS, notation.MOST_MOVES, notation.LONGEST, LONGEST_LINE):
        assert f"{limit:,}" in REFERENCE
    told = ", ".join(f"`{word}`" for word in notation.KEYWORDS)
    assert re.sub(r" or (`\w+`)\.", r", \1.", REFERENCE.replace("\n", " ")).count(f"{told}.") == 1

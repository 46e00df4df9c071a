"""How an argument is settled, step by step as the page says."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from fenced import ROOT, Block, blocks, prints_what_is_shown

from truco_spec.cli import main

PAGE = (ROOT / "docs" / "settle.md").read_text(encoding="utf-8")
SHOWN = [block for block in blocks(PAGE) if block.language == "console"]
DONE = [line for block in blocks(PAGE) if block.language == "sh" for line in block.text.splitlines()]


@pytest.mark.sample(1)
@pytest.mark.parametrize("block", SHOWN, ids=lambda block: str(block.line))
def test_a_command_prints_what_is_shown(block: Block) -> None:
    prints_what_is_shown(block)


def test_the_replay_is_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (command,) = DONE
    with pytest.raises(SystemExit) as end:
        main(shlex.split(command)[1:])
    assert end.value.code == 0
    assert "bia 3C" in (tmp_path / "hand.html").read_text(encoding="utf-8")


def test_all_steps_are_about_one_hand() -> None:
    assert len(SHOWN) == 3
    hands = {shlex.split(block.text.splitlines()[0])[3] for block in SHOWN} | {shlex.split(DONE[0])[2]}
    assert len(hands) == 1

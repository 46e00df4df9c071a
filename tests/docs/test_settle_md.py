"""How an argument is settled, step by step as the page says, in each language."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from fenced import Block, blocks, consoles, prints_what_is_shown, translated

from truco_spec.cli import main

TEXTS = translated("settle.md")
PAGES = {name: blocks(page) for name, page in TEXTS.items()}
SHOWN = {name: [block for block in page if block.language == "console"] for name, page in PAGES.items()}
DONE = {
    name: [line for block in page if block.language == "sh" for line in block.text.splitlines()]
    for name, page in PAGES.items()
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("block", consoles(TEXTS))
def test_a_command_prints_what_is_shown(block: Block) -> None:
    prints_what_is_shown(block)


@pytest.mark.parametrize("name", PAGES)
def test_the_replay_is_a_page(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (command,) = DONE[name]
    with pytest.raises(SystemExit) as end:
        main(shlex.split(command)[1:])
    assert end.value.code == 0
    assert " 3C" in (tmp_path / "hand.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_all_steps_are_about_one_hand(name: str) -> None:
    assert len(SHOWN[name]) == 3
    hands = {shlex.split(block.text.splitlines()[0])[3] for block in SHOWN[name]}
    assert hands == {shlex.split(DONE[name][0])[2]}

"""The tutorial of house rules, done as it says in an empty folder."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from fenced import ROOT, Block, blocks

PAGE = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8")
FILES = [block for block in blocks(PAGE) if block.about.startswith("file ")]
SHOWN = [block for block in blocks(PAGE) if block.language == "console"]
DONE = [line for block in blocks(PAGE) if block.language == "sh" for line in block.text.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for block in FILES:
        (tmp_path / block.about.removeprefix("file ")).write_text(block.text, encoding="utf-8")
    return tmp_path


def ended(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "truco_spec", *shlex.split(command)[1:]]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.long
@pytest.mark.parametrize("block", SHOWN, ids=lambda block: str(block.line))
def test_what_is_shown_is_printed(block: Block, folder: Path) -> None:
    command, _, wanted = block.text.partition("\n")
    done = ended(command.removeprefix("$ "), folder)
    assert done.returncode == 0, done.stderr
    pattern = "".join(".*" if part == "...\n" else re.escape(part) for part in wanted.splitlines(keepends=True))
    assert re.match(pattern, done.stdout, re.DOTALL), done.stdout


@pytest.mark.long
@pytest.mark.parametrize("command", DONE)
def test_what_is_done_works(command: str, folder: Path) -> None:
    assert ended(command, folder).returncode == 0
    assert "worth 4" in (folder / "ours.html").read_text(encoding="utf-8")


def test_the_file_is_written_in_the_one_true_form(folder: Path) -> None:
    assert len(FILES) == 1
    assert ended("truco-spec format --check ours.truco", folder).returncode == 0

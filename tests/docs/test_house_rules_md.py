"""The tutorial of house rules, done as it says in an empty folder, in each language."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from fenced import Block, blocks, translated

BOOKS = {"house-rules.md": "worth 4", "house-rules.pt.md": "vale 4", "house-rules.es.md": "siempre 2"}
"""The pages, and what the book says that is made there."""
PAGES = {name: blocks(page) for name, page in translated("house-rules.md").items()}
ALIKE = "house-rules.pt.md"
"""Its house rule is that of the English page: what is found out about the game there, and takes long, is a campaign."""


def marks(name: str, block: Block) -> pytest.MarkDecorator:
    once = name == ALIKE and block.text.split()[2] in ("check", "diff")
    return pytest.mark.campaign if once else pytest.mark.long


SHOWN = [
    pytest.param(name, block, id=f"{name}:{block.line}", marks=marks(name, block))
    for name, page in PAGES.items()
    for block in page
    if block.language == "console"
]
DONE = [
    (name, line)
    for name, page in PAGES.items()
    for block in page
    if block.language == "sh"
    for line in block.text.splitlines()
]


def begun(name: str, folder: Path) -> Path:
    """The folder, with the file that the page has written so far."""
    (file,) = (block for block in PAGES[name] if block.about.startswith("file "))
    (folder / file.about.removeprefix("file ")).write_text(file.text, encoding="utf-8")
    return folder


def ended(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "truco_spec", *shlex.split(command)[1:]]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("name", "block"), SHOWN)
def test_what_is_shown_is_printed(name: str, block: Block, tmp_path: Path) -> None:
    command, _, wanted = block.text.partition("\n")
    done = ended(command.removeprefix("$ "), begun(name, tmp_path))
    assert done.returncode == 0, done.stderr
    pattern = "".join(".*" if part == "...\n" else re.escape(part) for part in wanted.splitlines(keepends=True))
    assert re.match(pattern, done.stdout, re.DOTALL), done.stdout


@pytest.mark.long
@pytest.mark.parametrize(("name", "command"), DONE)
def test_what_is_done_works(name: str, command: str, tmp_path: Path) -> None:
    assert ended(command, begun(name, tmp_path)).returncode == 0
    assert BOOKS[name] in (tmp_path / "ours.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_the_file_is_written_in_the_one_true_form(name: str, tmp_path: Path) -> None:
    assert ended("truco-spec format --check ours.truco", begun(name, tmp_path)).returncode == 0

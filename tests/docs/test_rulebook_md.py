"""The commands of docs/rulebook.md work, and the files that it names are there; so it is in each language."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from fenced import ROOT, translated

from truco_spec.cli import main

PAGES = translated("rulebook.md")
COMMANDS = sorted(
    {line for page in PAGES.values() for line in page.splitlines() if line.startswith("truco-spec rulebook")}
)


@pytest.mark.sample(0)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_writes_a_book(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)[1:]
    with pytest.raises(SystemExit) as end:
        main([*words, *(() if "-o" in words else ("-o", "book.md"))])
    assert end.value.code == 0
    assert len(next(tmp_path.iterdir()).read_text(encoding="utf-8")) > 10_000


@pytest.mark.parametrize("page", PAGES)
def test_the_files_that_it_names_are_there(page: str) -> None:
    assert len([line for line in PAGES[page].splitlines() if line in COMMANDS]) == 3
    for path in re.findall(r"`((?:spec|truco_spec)/[\w/.]+)`", PAGES[page]):
        assert (ROOT / path).exists(), path

"""The commands of docs/rulebook.md work, and the files that it names are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from truco_spec.cli import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rulebook.md").read_text(encoding="utf-8")
COMMANDS = [line for line in PAGE.splitlines() if line.startswith("truco-spec rulebook")]


@pytest.mark.sample(0)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_writes_a_book(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)[1:]
    with pytest.raises(SystemExit) as end:
        main([*words, *(() if "-o" in words else ("-o", "book.md"))])
    assert end.value.code == 0
    assert len(next(tmp_path.iterdir()).read_text(encoding="utf-8")) > 10_000


def test_the_files_that_it_names_are_there() -> None:
    assert len(COMMANDS) == 3
    for path in re.findall(r"`((?:spec|truco_spec)/[\w/.]+)`", PAGE):
        assert (ROOT / path).exists(), path

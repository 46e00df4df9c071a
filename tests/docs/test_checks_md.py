"""The page of the checks: its commands are understood, and every check that there is has its row."""

from __future__ import annotations

import re
import shlex

import pytest
from fenced import ROOT, blocks, understood

from truco_spec.cli.verbs.check import command

PAGE = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
COMMANDS = [line for block in blocks(PAGE) for line in block.text.splitlines()]


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_are_understood(line: str) -> None:
    """They are run in ``tests/graph/checks``, where they take their time."""
    words = shlex.split(line, comments=True)
    assert words[:2] == ["truco-spec", "check"]
    with understood(command, line) as context:
        assert context.params["doubts"] is ("--doubts" in words)


def test_every_module_of_the_table_is_there() -> None:
    named = re.findall(r"^\| `([a-z]+)` \| .* \| `", PAGE, re.MULTILINE)
    folder = ROOT / "truco_spec" / "checks"
    assert len(named) > 8
    assert [name for name in named if not (folder / f"{name}.py").is_file()] == []

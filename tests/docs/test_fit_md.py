"""docs/fit.md: its commands are understood, and its examples print what is shown, in each language."""

from __future__ import annotations

import pytest
from fenced import Block, blocks, consoles, prints_what_is_shown, translated, understood

from truco_spec.cli.verbs.fit import command
from truco_spec.conformance.fuzz.trial import MOST_SILENT

PAGES = translated("fit.md")
PAGE = PAGES["fit.md"]
EXAMPLES = blocks(PAGE)
COMMANDS = [line for block in EXAMPLES if block.language == "sh" for line in block.text.splitlines()]


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize("block", consoles(PAGES))
def test_a_command_prints_what_is_shown(block: Block) -> None:
    prints_what_is_shown(block)


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_are_understood(line: str) -> None:
    with understood(command, line) as context:
        assert context.params["adapter"]


def test_the_numbers_are_those_of_the_program() -> None:
    assert (MOST_SILENT, "After ten scripts without an answer" in PAGE) == (10, True)

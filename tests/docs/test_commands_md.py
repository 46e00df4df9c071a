"""The reference of commands is what the commands say of themselves. ``TOLD=anew`` writes it again."""

from __future__ import annotations

import copy
import os
import re

import click
import pytest
from fenced import ROOT

from truco_spec.cli.commands import PROGRAM, VERBS, Verbs

PATH = ROOT / "docs" / "commands.md"
WIDTH = 100


def told(verb: str) -> str:
    """The section of a verb, of a copy: a command keeps the help option of the context that asks for it first."""
    context = click.Context(Verbs(PROGRAM), info_name=PROGRAM)
    found = Verbs().get_command(context, verb)
    assert found is not None
    command = copy.copy(found)
    command._help_option = None
    inner = click.Context(
        command, parent=context, info_name=verb, terminal_width=WIDTH, help_option_names=["-h", "--help"]
    )
    return f"## {verb}\n\n```text\n{command.get_help(inner)}\n```\n"


def test_every_verb_says_what_stands_here() -> None:
    page = PATH.read_text(encoding="utf-8")
    head = page[: page.index(f"\n## {min(VERBS)}\n") + 1]
    wanted = head + "\n".join(told(verb) for verb in sorted(VERBS))
    if os.environ.get("TOLD") == "anew":
        PATH.write_text(wanted, encoding="utf-8")
    assert page == wanted, "TOLD=anew pytest tests/docs/test_commands_md.py writes the page again"


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_verb_gives_examples_and_says_how_it_ends(verb: str) -> None:
    section = told(verb)
    assert re.search(rf"^ +{PROGRAM} {verb}\b", section, re.MULTILINE)
    assert "Exit status: 0 " in section


def test_every_verb_is_in_the_list() -> None:
    page = PATH.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| \[`([a-z]+)`\]\(#\1\)", page, re.MULTILINE)) == set(VERBS)

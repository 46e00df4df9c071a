"""The page about editors: its files are rules and a log, and Neovim does what it says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import click
import pytest
from fenced import ROOT, blocks, understood, write_files

from truco_spec.cli.commands import PROGRAM, Verbs

PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
COMMANDS = [
    line for block in blocks(PAGE) if block.language == "sh" for line in block.text.splitlines() if PROGRAM in line
]


@pytest.fixture
def folder(tmp_path):
    write_files(PAGE, tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith(PROGRAM)])
def test_a_command_is_understood(line):
    verb = Verbs().get_command(click.Context(Verbs(PROGRAM)), line.split()[1])
    assert verb is not None and understood(verb, line) is not None


def test_what_it_installs_is_an_extra():
    extras = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "pip install 'truco-spec[editor]'" in PAGE and "\neditor = [" in extras


def test_the_recipes_are_where_it_says():
    for path in ("editors/neovim/truco.lua", "editors/helix/languages.toml", "editors/vscode/package.json"):
        assert (ROOT / path).is_file() and path.rpartition("/")[0].removeprefix("editors/") in PAGE


@pytest.mark.long
@pytest.mark.skipif(shutil.which("nvim") is None, reason="there is no Neovim here")
def test_neovim_does_what_is_shown(folder):
    config = folder / "config"
    (config / "nvim" / "lua").mkdir(parents=True)
    shutil.copy(ROOT / "editors" / "neovim" / "truco.lua", config / "nvim" / "lua" / "truco.lua")
    program = folder / "bin" / PROGRAM
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m truco_spec "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    ran = subprocess.run(
        ["nvim", "--headless", "-c", "luafile walk.lua", "-c", "quitall!"],
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "XDG_CONFIG_HOME": str(config),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_STATE_HOME": str(folder / "state"),
        },
        capture_output=True,
        timeout=120,
        check=True,
    )
    shown = next(block.text for block in blocks(PAGE) if block.language == "text")
    assert ran.stdout.decode() == shown, ran.stderr.decode()
    rules = (folder / "house.truco").read_text(encoding="utf-8")
    assert "option all-open" in rules and "slow" not in rules.replace("slowly", "")
    assert "{all-open: yes}" in (folder / "friday.yaml").read_text(encoding="utf-8")
    checked = subprocess.run([program, "check", "house.truco", "--quiet"], cwd=folder, capture_output=True, check=False)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, b"", b"")

"""The page about editors: Neovim in a terminal does with real keys what it says, and its pictures are those screens."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import sys
from xml.etree import ElementTree

import click
import pytest
from fenced import ROOT, blocks, printed_here, prints_what_is_shown, translated, understood
from terminal import TMUX, Terminal

from truco_spec.cli.commands import PROGRAM, Verbs

PAGES = translated("editors.md")
PAGE = PAGES["editors.md"]
COMMANDS = [
    line for block in blocks(PAGE) if block.language == "sh" for line in block.text.splitlines() if PROGRAM in line
]
SETTINGS = """require("truco")
vim.o.termguicolors, vim.o.background, vim.o.ruler = true, "light", false
vim.cmd("highlight String guifg=#22863a | highlight Comment guifg=#6a737d | highlight Statement guifg=#a0305a")
vim.cmd("highlight Pmenu guibg=#eeeeee | highlight PmenuSel guibg=#c8e1ff | highlight SignColumn guibg=#ffffff")
"""
"""The recipe, and quiet colours for the pictures."""


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith(PROGRAM)])
def test_a_command_is_understood(line):
    verb = Verbs().get_command(click.Context(Verbs(PROGRAM)), line.split()[1])
    assert verb is not None and understood(verb, line) is not None


def test_what_it_installs_is_an_extra():
    extras = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all("pip install 'truco-spec[editor]'" in page for page in PAGES.values())
    assert "\neditor = [" in extras


def test_the_recipes_are_where_it_says():
    for path in ("editors/neovim/truco.lua", "editors/helix/languages.toml", "editors/vscode/package.json"):
        assert (ROOT / path).is_file()
        assert all(path.rpartition("/")[0].removeprefix("editors/") in page for page in PAGES.values())


@pytest.fixture
def environment(tmp_path):
    """The program on the path, and Neovim with the recipe."""
    config = tmp_path / "config" / "nvim"
    (config / "lua").mkdir(parents=True)
    shutil.copy(ROOT / "editors" / "neovim" / "truco.lua", config / "lua" / "truco.lua")
    (config / "init.lua").write_text(SETTINGS, encoding="utf-8")
    program = tmp_path / "bin" / PROGRAM
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m truco_spec "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    places = {f"XDG_{kind.upper()}_HOME": str(tmp_path / kind) for kind in ("config", "data", "state")}
    return {"PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), **places}


def write(terminal, text):
    """Write lines below the cursor, each with its own indent; ends in the mode in which one moves about."""
    terminal.press("o")
    for number, line in enumerate(text.splitlines()):
        terminal.press(*(["Enter"] if number else []), "C-u")
        terminal.type(line)
    terminal.press("Escape")
    terminal.wait_without("-- INSERT --")


def words_in(picture):
    found = " ".join(part.text or "" for part in ElementTree.fromstring(picture).iter() if part.tag.endswith("}text"))
    return re.sub(r"\s", "", found)


def shows(terminal, name, *texts):
    """The screen shows these texts, and so does the picture of the page. `TOLD=anew` makes it anew."""
    for text in texts:
        terminal.wait(text)
    kept = ROOT / "docs" / "editors" / name
    if os.environ.get("TOLD") == "anew":
        kept.write_text(terminal.picture(f"Neovim: {texts[0]}"), encoding="utf-8")
    assert all(re.sub(r"\s", "", text) in words_in(kept.read_text(encoding="utf-8")) for text in texts)
    assert all(f"(editors/{name})" in page for page in PAGES.values())


@pytest.mark.long
@pytest.mark.skipif(not (shutil.which("nvim") and TMUX), reason="there is no Neovim here, or no tmux")
def test_a_rule_is_written_tried_and_renamed_in_neovim_as_the_page_shows(tmp_path, environment):
    shown = [block for block in blocks(PAGE) if block.language == "console"]
    prints_what_is_shown(shown[0], tmp_path)
    folder = tmp_path / "club"
    rule, case = (block.text for block in blocks(PAGE) if block.about == "typed")
    before, known, after = rule.partition("play-covered")
    with contextlib.closing(Terminal("nvim variants/club.truco", folder, environment, 100, 24)) as terminal:
        terminal.wait("set tie-lead")
        terminal.press("G", "k")
        write(terminal, before.splitlines()[0])
        terminal.wait("there is no decision our-custom")  # the server is awake
        write(terminal, before.partition("\n")[2].rpartition("\n")[0])
        terminal.wait("nothing uses option slow")
        terminal.press("o", "C-u")
        terminal.type(before.rpartition("\n")[2] + "pl")
        terminal.press("C-x", "C-o")
        terminal.wait("play-covered")
        terminal.press("C-n")
        shows(terminal, "completion.svg", "play-covered", "play-card", "no reason is needed")
        terminal.press("C-y")
        terminal.type(after.splitlines()[0])
        terminal.press("Escape", "C-w", "z")
        write(terminal, after.partition("\n")[2])
        terminal.type(":write")
        terminal.press("Enter")
        terminal.wait("written")
        terminal.wait_without("■")
        assert rule in (folder / "variants" / "club.truco").read_text(encoding="utf-8")
        terminal.type(":edit cases/club.yaml")
        terminal.press("Enter")
        terminal.wait("club-article-1-01")
        terminal.press("G")
        write(terminal, case)
        shows(terminal, "case.svg", "is forbidden now: No card is covered", "club-covers-01")
        terminal.type(":s/- P2/- refused: P2/")
        terminal.press("Enter")
        terminal.wait_without("■")
        terminal.type(":split variants/club.truco")
        terminal.press("Enter")
        terminal.type("/slow")
        terminal.press("Enter", "g", "r", "n")
        terminal.wait("New Name: slow")
        terminal.press("C-u")
        terminal.type("open")
        terminal.press("Enter")
        terminal.press("z", "t")
        shows(terminal, "rename.svg", "option open :", "options: {open: yes}", "when open is yes")
        terminal.type(":%s/option open/option    open/")
        terminal.press("Enter")
        terminal.wait("option    open")
        terminal.press("g", "r", "f")
        terminal.wait("option open :")
        terminal.type(":wall")
        terminal.press("Enter")
        terminal.wait("written")
        terminal.type("/tie-lead")
        terminal.press("Enter", "K")
        terminal.wait("set by club")
        terminal.press("Escape")
        for number, told in (("2", "P3 leads"), ("3", "They part at move 4")):
            terminal.press("g", "r", "x")
            terminal.wait("Code lenses")
            terminal.type(number)
            terminal.press("Enter")
            terminal.wait(told)
            terminal.type(":bdelete")
            terminal.press("Enter")
    assert "option open :" in (folder / "variants" / "club.truco").read_text(encoding="utf-8")
    assert "{open: yes}" in (folder / "cases" / "club.yaml").read_text(encoding="utf-8")
    prints_what_is_shown(shown[1], folder)
    printed_here(shlex.split(COMMANDS[-1])[1:], folder)
    assert "Whether nobody may cover a card." in (folder / "club.html").read_text(encoding="utf-8")

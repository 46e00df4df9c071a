"""The page of random play is true: its commands are understood, and the one that can be run finds what it says."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys

import pytest
from fenced import ROOT, translated, understood

from truco_spec.cli import main
from truco_spec.cli.verbs.fuzz import command
from truco_spec.conformance.fuzz.dask_cluster import PATIENCE
from truco_spec.conformance.fuzz.fuzz import FAR, TIMES
from truco_spec.conformance.fuzz.rounds import PART
from truco_spec.conformance.fuzz.shrink import MOST_RUNS

PAGES = translated("fuzz.md")
PAGE = PAGES["fuzz.md"]
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S) for line in block.splitlines()]


@pytest.mark.long
def test_the_command_against_a_real_engine_finds_its_faults(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if importlib.util.find_spec("gat_games") is None:
        pytest.skip("gat-games is not installed")
    monkeypatch.chdir(ROOT)
    words = [sys.executable if word == "python" else word for word in shlex.split(COMMANDS[0])[1:]]
    words[words.index("--hands") + 1] = "12"
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 1
    assert "pagat:mineiro.trick.winner-leads-second" in capsys.readouterr().out


@pytest.mark.parametrize("line", [line for line in COMMANDS if " fuzz " in line])
def test_the_commands_are_understood(line: str) -> None:
    with understood(command, line) as context:
        assert context.params["adapter"]


def test_the_numbers_are_those_of_the_program() -> None:
    assert f"parts of {PART}" in PAGE
    assert f"at most {MOST_RUNS} times" in PAGE
    assert f"deals {TIMES} hands by itself" in PAGE
    assert f"within {PATIENCE:g} seconds" in PAGE
    for page in PAGES.values():
        assert all(re.search(rf"\b{number:g}\b", page) for number in (PART, TIMES, PATIENCE))
    assert (FAR, "seven standard deviations" in PAGE) == (7, True)

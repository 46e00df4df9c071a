"""The commands by which a result was found name an adapter, a version and cases that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fenced import ROOT, blocks, understood

from truco_spec.cli.verbs.test import command
from truco_spec.conformance.corpus.corpus import load

PAGES = sorted((ROOT / "docs" / "results").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_can_be_given(page: Path) -> None:
    (block,) = blocks(page.read_text(encoding="utf-8"))
    install, *judge = block.text.splitlines()
    package = install.removeprefix("pip install ")
    assert f'"{package}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    cases = {case.id for case in load()}
    for line in judge:
        with understood(command, line) as context:
            assert (ROOT / context.params["adapter"][1]).is_file()
            assert set(re.findall(r"--case (\S+)", line)) <= cases


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_it_says_what_was_run(page: Path) -> None:
    assert re.match(rf"# {page.stem} \d", page.read_text(encoding="utf-8"))

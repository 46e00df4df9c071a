"""The commands by which a result was found name what there is, and its page tells what the run came to that is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fenced import ROOT, blocks, understood

from truco_spec.cli.verbs.test import command
from truco_spec.conformance.corpus.corpus import load
from truco_spec.conformance.reports.events import run_in
from truco_spec.conformance.reports.totals import totals
from truco_spec.conformance.runner.verdicts import Verdict

PAGES = sorted((ROOT / "docs" / "results").glob("*.md"))
COUNTED: tuple[Verdict, ...] = ("pass", "fail", "unsupported", "unobserved")
"""The columns of their tables."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_kept_run_is_what_its_page_tells(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    run = run_in(page.with_suffix(".jsonl").read_text(encoding="utf-8"), page.stem)
    named = set(re.findall(r"`([\w-]+)(?:\[\w+\])?`", text))
    assert [played.case.id for played in run.wrong if played.case.id not in named] == []
    assert run.implementation is not None
    assert re.match(rf"# {page.stem} {re.escape(run.implementation.version)}$", text, re.MULTILINE)
    assert f"corpus {run.begun.edition}" in text
    rows = re.findall(r"^\| (must|decided|option) ((?:\| *\d* *){4})\|$", text, re.MULTILINE)
    told = {level: [int(cell.strip() or 0) for cell in cells.split("|")[1:]] for level, cells in rows}
    assert told == {level: [counts[verdict] for verdict in COUNTED] for level, counts in totals(run.cases).items()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_name_what_there_is(page: Path) -> None:
    (block,) = blocks(page.read_text(encoding="utf-8"))
    lines = block.text.splitlines()
    for package in (line.removeprefix("pip install ") for line in lines if line.startswith("pip ")):
        assert f'"{package}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    judging = [line for line in lines if line.startswith("truco-spec test ")]
    cases = {case.id for case in load()}
    begun = run_in(page.with_suffix(".jsonl").read_text(encoding="utf-8"), page.stem).begun
    assert judging
    for line in judging:
        with understood(command, line) as context:
            assert list(context.params["adapter"]) == list(begun.command)
            assert set(re.findall(r"--case (\S+)", line)) <= cases
    files = [word for line in lines if line not in judging for word in line.split() if "/" in word]
    assert files
    assert all((ROOT / file).is_file() for file in files)

"""The commands by which a result was found name what there is, and pages of kept runs tell what these came to."""

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
KEPT = [page for page in PAGES if page.with_suffix(".jsonl").is_file()]
"""Pages of engines that no package index has: they tell of a run that is kept."""
COUNTED: tuple[Verdict, ...] = ("pass", "fail", "unsupported", "unobserved")
"""The columns of their tables."""


@pytest.mark.parametrize("page", [page for page in PAGES if page not in KEPT], ids=lambda page: page.stem)
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
    assert re.match(rf"# {page.stem} \w*\d", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", KEPT, ids=lambda page: page.stem)
def test_a_kept_run_is_what_its_page_tells(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    run = run_in(page.with_suffix(".jsonl").read_text(encoding="utf-8"), page.stem)
    assert [played.case.id for played in run.wrong if f"`{played.case.id}`" not in text] == []
    assert run.implementation is not None
    assert f"commit {run.implementation.version}" in text
    assert f"corpus {run.begun.edition}" in text
    rows = re.findall(r"^\| (must|decided|option) ((?:\| *\d* *){4})\|$", text, re.MULTILINE)
    told = {level: [int(cell.strip() or 0) for cell in cells.split("|")[1:]] for level, cells in rows}
    assert told == {level: [counts[verdict] for verdict in COUNTED] for level, counts in totals(run.cases).items()}


@pytest.mark.parametrize("page", KEPT, ids=lambda page: page.stem)
def test_the_commands_of_a_kept_run_name_what_there_is(page: Path) -> None:
    (block,) = blocks(page.read_text(encoding="utf-8"))
    judge, *others = block.text.splitlines()
    begun = run_in(page.with_suffix(".jsonl").read_text(encoding="utf-8"), page.stem).begun
    with understood(command, judge) as context:
        assert list(context.params["adapter"]) == list(begun.command)
    files = [word for line in others for word in line.split() if "/" in word]
    assert all((ROOT / file).is_file() for file in files)

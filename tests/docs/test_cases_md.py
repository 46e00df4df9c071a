"""The page of cases is true: its example is run, and its tables name every key and every step."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys

import pytest
from fenced import ROOT, blocks

from truco_spec.conformance.corpus import cases

PAGE = (ROOT / "docs" / "cases.md").read_text(encoding="utf-8")


def test_the_example_is_run_as_shown(tmp_path):
    case, console = blocks(PAGE)
    (tmp_path / case.about).write_text(case.text, encoding="utf-8")
    command, _, wanted = console.text.partition("\n")
    done = subprocess.run(
        [sys.executable, "-m", "truco_spec", *command.split()[2:]],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == wanted.strip(), done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("kind", [cases.CaseFile, cases.Entry])
def test_every_key_is_explained(kind):
    assert {field.name for field in dataclasses.fields(kind)} <= set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))


def test_every_step_is_explained():
    steps = (cases.Expect, cases.Refused, cases.Allowed, cases.Legal, cases.View, cases.HandStep, cases.Deals)
    told = set(re.findall(r"^\| `(\w+): ", PAGE, re.MULTILINE))
    assert {dataclasses.fields(step)[0].name for step in steps} == told

"""The page of the disputes is true: its commands print what it shows, its Python runs, it leads to every argument."""

from __future__ import annotations

import doctest

import pytest
from famous import famous
from fenced import ROOT, blocks, prints_what_is_shown

from truco_spec.compare.disputes.claim import read_claim
from truco_spec.logs.files import read
from truco_spec.logs.setup import graph_of, start_of

TEXT = (ROOT / "docs" / "disputes.md").read_text(encoding="utf-8")
CONSOLE = [block for block in blocks(TEXT) if block.language == "console"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: f"line {block.line}")
def test_the_commands_print_what_is_shown(block):
    prints_what_is_shown(block)


@pytest.mark.long
def test_the_python_runs():
    text = "\n".join(block.text for block in blocks(TEXT) if block.language == "python")
    test = doctest.DocTestParser().get_doctest(text, {}, "disputes.md", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_it_leads_to_every_argument():
    for one in famous():
        assert f"(disputes/{one.path.name})" in TEXT
        assert f"(disputes/{one.told.name})" in TEXT


def test_what_it_says_can_be_claimed():
    rows = [line.split("|")[1] for line in TEXT.splitlines() if line.startswith("| `")]
    claims = [claim for row in rows for claim in row.split("`")[1::2]]
    assert len(claims) > 10
    for claim in claims:
        assert read_claim(claim, ("ana", "bia", "caio", "davi"))


def test_a_log_can_begin_as_shown():
    (block,) = (block for block in blocks(TEXT) if block.language == "yaml")
    log = read(f"truco: 1\nvariant: paulista\nplayers: [ana, bia, caio, davi]\ndealer: davi\n{block.text}")
    assert start_of(log, graph_of(log))[1]["truco.level"] == {(): 1}

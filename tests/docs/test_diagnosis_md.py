"""docs/diagnosis.md: the bench that wrote it still takes its command, and it tells of enough faults."""

from __future__ import annotations

import re

from fenced import ROOT, blocks

from bench.fits import arguments

PAGE = (ROOT / "docs" / "diagnosis.md").read_text(encoding="utf-8")


def test_the_bench_takes_the_command() -> None:
    (block,) = blocks(PAGE)
    given = arguments().parse_args(block.text.split()[3:])
    assert given.candidates
    assert given.page.name == "diagnosis.md"


def test_most_faults_are_named() -> None:
    for table in PAGE.split("\n\n| game |")[1:3]:
        rows = re.findall(r"^\| \S+, \d+ \| (\d+(?: \| \d+){4})", table, re.MULTILINE)
        count, named, option, _, missed = map(sum, zip(*([*map(int, row.split(" | "))] for row in rows), strict=True))
        assert 2 * (named + option) >= count
        assert 10 * missed <= count

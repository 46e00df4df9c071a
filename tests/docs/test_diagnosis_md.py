"""docs/diagnosis.md: the bench that wrote it still takes its command, and it tells of enough faults."""

from __future__ import annotations

import re

import pytest
from fenced import ROOT, blocks

from bench.fits import arguments

PAGE = (ROOT / "docs" / "diagnosis.md").read_text(encoding="utf-8")


def test_the_bench_takes_the_command() -> None:
    (block,) = blocks(PAGE)
    given = arguments().parse_args(block.text.split()[3:])
    assert given.candidates
    assert given.page.name == "diagnosis.md"


@pytest.mark.parametrize(("faults", "of_ten", "most_missed"), [("one fault", 9, 1), ("two faults", 8, 1)])
def test_faults_are_named_or_what_plays_the_same_game(faults: str, of_ten: int, most_missed: int) -> None:
    (table,) = [part for part in PAGE.split("\n\n") if part.startswith(f"| game | {faults} ")]
    rows = re.findall(r"^\| \S+, \d+ \| (\d+(?: \| \d+){4})", table, re.MULTILINE)
    count, named, same, _, missed = map(sum, zip(*([*map(int, row.split(" | "))] for row in rows), strict=True))
    assert count >= 18
    assert 10 * (named + same) >= of_ten * count
    assert 2 * named > count
    assert missed <= most_missed


def test_what_is_assumed_hides_nothing() -> None:
    alone, assumed, fewer = map(
        int, re.findall(r"show (\d+) where .*?and (\d+) where the other is assumed; in (\d+)", PAGE, re.DOTALL)[0]
    )
    assert assumed > alone
    assert fewer <= 1  # both faults do the same

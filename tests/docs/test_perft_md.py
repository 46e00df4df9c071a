"""docs/perft.md: its commands print what is shown, in each language; its table is that of the files.

``TOLD=anew`` writes the table.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from fenced import ROOT, Block, blocks, consoles, prints_what_is_shown, translated

from truco_spec.conformance.runner.dividing import (
    PerftFile,
    PerftPosition,
    load_position_file,
    load_positions,
)

PATH = ROOT / "docs" / "perft.md"
PAGES = translated("perft.md")
PAGE = PAGES["perft.md"]
MARK = "`TOLD=anew pytest tests/docs/test_perft_md.py`.\n\n"
"""The table stands behind it."""
EXAMPLES = blocks(PAGE)


@pytest.mark.sample(2)
@pytest.mark.parametrize("block", consoles(PAGES))
def test_a_command_prints_what_is_shown(block: Block) -> None:
    prints_what_is_shown(block)


def test_the_file_that_is_shown_is_read(tmp_path: Path) -> None:
    (example,) = [block for block in EXAMPLES if block.language == "yaml"]
    path = tmp_path / "paulista.yaml"
    path.write_text(example.text, encoding="utf-8")
    (shown,), (shipped, *_) = load_position_file(path).positions, load_positions(["paulista"])
    assert (shown.id, shown.title, shown.log) == (shipped.id, shipped.title, shipped.log)
    assert shown.counts == shipped.counts[: len(shown.counts)]


@pytest.mark.parametrize("record", [PerftFile, PerftPosition])
def test_every_key_is_explained(record: type) -> None:
    for field in dataclasses.fields(record):
        assert all(f"| `{field.name}` |" in page for page in PAGES.values()), field.name


def test_the_table_is_that_of_the_files() -> None:
    rows = [f"| `{one.id}` | {one.title} | {', '.join(map(str, one.counts))} |" for one in load_positions()]
    lines = ["| position | what it is | sequences |", "|---|---|---|", *rows]
    wanted = PAGE[: PAGE.index(MARK) + len(MARK)] + "\n".join(lines) + "\n"
    if os.environ.get("TOLD") == "anew":
        PATH.write_text(wanted, encoding="utf-8")
    assert wanted == PAGE, "TOLD=anew pytest tests/docs/test_perft_md.py writes the table again"

"""The page of comparisons is true: its commands print what it shows, and its log parts where it says."""

from __future__ import annotations

import re

import pytest
from fenced import Block, blocks, consoles, prints_what_is_shown, translated

from truco_spec.compare.diff_report import POSITIONS, SHOWN
from truco_spec.compare.questions import WAYS, questions, table_of
from truco_spec.compare.statements import CHANGES
from truco_spec.graph.load import load
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

PAGES = translated("diff.md")
PAGE = PAGES["diff.md"]
BLOCKS = blocks(PAGE)


@pytest.mark.long
@pytest.mark.parametrize("block", consoles(PAGES))
def test_a_command_prints_what_is_shown(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    prints_what_is_shown(block)


def test_the_log_parts_where_the_page_says() -> None:
    (block,) = [b for b in BLOCKS if b.language == "text"]
    line = re.search(r"^ +(paulista \|.*)$", block.text, re.MULTILINE)
    assert line is not None
    statement = re.search(r"define ([a-z-]+)", block.text)
    assert statement is not None
    for side, head in (("A", "paulista"), ("B", "paulista tie-lead=last")):
        log = read_line(line[1].replace("paulista", head, 1))
        steps = list(Replay(log).steps())
        said = re.search(rf"^ +{side}  leader (\w+)$", block.text, re.MULTILINE)
        assert said is not None
        assert steps[-1].observed["leader"] == said[1]
        answers = [a.name for d in load("paulista", **log.options).defines.values() for a in d.answers]
        assert (statement[1] in answers) == (side == "B")


def test_what_the_tables_name_is_all_there_is() -> None:
    for words in (*CHANGES, *SHOWN.values(), *WAYS):
        assert words in PAGE, words
    assert f"{POSITIONS:,} positions" in PAGE


def test_the_questions_of_the_page_can_be_asked(tmp_path) -> None:
    (block,) = [b for b in BLOCKS if b.language == "yaml"]
    path = tmp_path / "ours.yaml"
    path.write_text(block.text, encoding="utf-8")
    from truco_spec.compare.scenario import Side

    table = table_of([Side("mineiro", {})], questions(str(path)))
    assert [row.cells[0].text for row in table.parts[0].rows] == [
        "the player of the first of the equal cards",
        "1",
    ]

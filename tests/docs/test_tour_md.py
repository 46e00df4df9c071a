"""The tour is true: what it quotes stands in the files, its Python and its commands give what it prints."""

from __future__ import annotations

import doctest
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from fenced import Block, blocks, prints_what_is_shown

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
BLOCKS = blocks(PAGE)


def of(*languages: str) -> list[Block]:
    return [block for block in BLOCKS if block.language in languages]


def named(block: Block) -> str:
    return f"line {block.line}"


@pytest.mark.parametrize("block", of("yaml", "truco"), ids=named)
def test_what_is_quoted_stands_in_its_file(block: Block) -> None:
    assert block.text in (ROOT / block.about).read_text(encoding="utf-8")


def test_the_python_runs_as_printed() -> None:
    examples = "\n".join(block.text for block in of("python"))
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/tour.md", "docs/tour.md", 0)
    told: list[str] = []
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert result.attempted > 25
    assert not result.failed, "".join(told)


@pytest.mark.sample(1)
@pytest.mark.parametrize("block", of("console"), ids=named)
def test_a_command_prints_what_is_shown(block: Block) -> None:
    prints_what_is_shown(block)


def test_the_picture_is_a_picture_and_quotes_the_same() -> None:
    picture = ET.fromstring((ROOT / "docs" / "tour.svg").read_text(encoding="utf-8"))
    texts = " ".join("".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text"))
    for quoted in (
        "manilhas-are-top-four", "trump velha : 7D < AS < 7H < 4C", "define velha.strength except strength",
        "c in {7D, AS, 7H, 4C}", "P1 7D, P2 AS, P3 7H, P0 4C", "expect: {trick: P0, leader: P0}",
        "pagat-ranking-10", "Four manilhas in one trick never tie", "trick-complete", "next-trick",
    ):  # fmt: skip
        assert quoted in texts, quoted
    stations = re.findall(r"^## (\d+)\. ", PAGE, re.MULTILINE)
    assert stations == [str(number) for number in range(1, 12)]

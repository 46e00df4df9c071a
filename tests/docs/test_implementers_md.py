"""The guide for implementers is true: its quotes stand in the adapters, its commands and claims come out as told."""

from __future__ import annotations

import importlib
import itertools
import json
import shutil
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pytest
from fenced import ROOT, Block, blocks, consoles, prints_what_is_shown, translated

from release.schemas import schemas
from truco_spec.conformance.adapters.inprocess import InProcess
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.runner import runner

jsonschema = importlib.import_module("jsonschema")  # it brings no types

PAGES = translated("implementers.md")
PAGE = PAGES.pop("implementers.md")
BLOCKS = blocks(PAGE)
CLAIMS = [
    (hello, told) for hello, told in itertools.pairwise(BLOCKS) if (hello.about, told.about) == ("hello", "reasons")
]


def named(block: Block) -> str:
    return f"line {block.line}"


def of(*languages: str) -> list[Block]:
    return [block for block in BLOCKS if block.language in languages]


def test_every_block_is_of_a_kind_that_is_tried() -> None:
    kinds = {"console": "", "json": "hello", "text": "reasons"}
    kinds |= dict.fromkeys(("js", "python", "yaml"), "conformance/")
    tried = [block for block in BLOCKS if block.language != "sh"]
    assert [block for block in tried if not block.about.startswith(kinds[block.language])] == []
    assert len(CLAIMS) == len(of("text")) == 3


@pytest.mark.parametrize("block", of("js", "python", "yaml"), ids=named)
def test_what_is_quoted_stands_in_its_file(block: Block) -> None:
    assert block.text in (ROOT / block.about).read_text(encoding="utf-8")


SHOWN_IN_FULL = {
    block.text.partition("\n")[0]: block.text
    for block in blocks((ROOT / "docs" / "fit.md").read_text(encoding="utf-8"))
    if block.language == "console"
}
"""What another page shows, by the command; its tests run it."""


def test_what_is_shown_elsewhere_is_shown_here_in_part() -> None:
    parts = [block for block in of("console") if block.text.partition("\n")[0] in SHOWN_IN_FULL]
    assert len(parts) == 1
    for block in parts:
        command, _, printed = block.text.partition("\n")
        lines = [line for line in printed.splitlines() if line != "..."]
        assert lines
        assert [line for line in lines if line not in SHOWN_IN_FULL[command].splitlines()] == []


@pytest.mark.long
@pytest.mark.parametrize(
    "block",
    [
        *(
            pytest.param(block, id=named(block))
            for block in of("console")
            if block.text.partition("\n")[0] not in SHOWN_IN_FULL
        ),
        *consoles(PAGES),
    ],
)
def test_a_command_prints_what_is_shown(block: Block) -> None:
    needed = "node" if block.about == "node" else "python3"
    if shutil.which(needed) is None:
        pytest.skip(f"{needed} is not installed")
    prints_what_is_shown(block)


def test_the_other_commands_name_what_there_is() -> None:
    words = " ".join(block.text for block in of("sh")).split()
    paths = [word for word in words if "/" in word and "$" not in word and word != "./my-adapter"]
    assert len(paths) == 3
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("block", of("json"), ids=named)
def test_a_hello_fits_the_schema(block: Block) -> None:
    jsonschema.validate(json.loads(block.text), schemas()["protocol-answer.schema.json"])


class Says:
    """It introduces itself as the page does, and takes everything without seeing anything."""

    def __init__(self, hello: Mapping[str, Any]) -> None:
        self.told = hello

    def hello(self) -> Any:
        return self.told

    def run(self, script: Any) -> Any:
        return {"hands": [{"seen": [{} for _ in hand["actions"]]} for hand in script["hands"]]}


@lru_cache(maxsize=1)
def cases() -> tuple[Instance, ...]:
    files = "paulista/two-players.yaml", "paulista/truco.yaml", "mineiro/tied-hand.yaml"
    return chosen(corpus.load([corpus.corpus_folder() / file for file in files]))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("hello", "told"), CLAIMS, ids=lambda block: named(block))
def test_what_is_claimed_makes_unsupported_what_is_told(hello: Block, told: Block) -> None:
    results = runner.run(cases(), InProcess(lambda: Says(json.loads(hello.text))))
    reasons = {result.reason for result in results if result.verdict == "unsupported"}
    assert set(told.text.splitlines()) <= reasons


def test_where_nobody_keeps_the_turns_the_cases_about_them_say_so() -> None:
    (hello,) = (json.loads(block.text) for block in of("json") if "no-turns" in block.text)
    assert not {"acting", "leader"} & set(hello["observes"])
    turns = [case for case in cases() if case.name.startswith(("nowadays-two-turn", "pagat-two-lead"))]
    verdicts = {result.instance.name: result for result in runner.run(turns, InProcess(lambda: Says(hello)))}
    assert {result.verdict for result in verdicts.values()} == {"fail", "unobserved"}
    assert verdicts["nowadays-two-turn-01"].faults[0].got.startswith("it was taken")

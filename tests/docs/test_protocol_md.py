"""The messages on the page of the protocol fit their schemas, and the one that is played is answered so."""

from __future__ import annotations

import importlib
import json
import re
from typing import Any

import pytest
from fenced import ROOT, Block, blocks, understood

from release.schemas import schemas
from truco_spec.base.shapes import plain, read
from truco_spec.base.shipped import variant_names
from truco_spec.cli.verbs.test import command
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.conformance.corpus.vocabulary import observed
from truco_spec.graph.load import load

jsonschema = importlib.import_module("jsonschema")  # it brings no types

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
MESSAGES = [block for block in blocks(PAGE) if block.about == "messages"]
COMMANDS = [line for block in blocks(PAGE) if block.language == "sh" for line in block.text.splitlines()]


def exchanged(block: Block) -> tuple[Any, Any]:
    """The request and the answer."""
    asked, _, answered = block.text.removeprefix("→").partition("\n←")
    return json.loads(asked), json.loads(answered)


@pytest.mark.parametrize("block", MESSAGES, ids=lambda block: f"line {block.line}")
def test_the_messages_fit_their_schemas(block: Block) -> None:
    asked, answered = exchanged(block)
    jsonschema.validate(asked, schemas()["protocol-request.schema.json"])
    jsonschema.validate(answered, schemas()["protocol-answer.schema.json"])
    assert asked["id"] == answered["id"]


def test_there_is_one_of_every_kind() -> None:
    assert [exchanged(block)[0]["do"] for block in MESSAGES] == ["hello", "run", "deal", "perft"]


def test_what_is_played_is_answered_so() -> None:
    asked, answered = next(exchanged(block) for block in MESSAGES if '"run"' in block.text)
    (told,) = plain(Reference().run(read(asked["script"], Script)))
    (shown,) = answered["hands"]
    for step, wanted in zip([told["start"], *told["seen"]], [shown["start"], *shown["seen"]], strict=True):
        assert {key: step.get(key) for key in wanted} == wanted


def test_what_is_counted_is_answered_so() -> None:
    asked, answered = next(exchanged(block) for block in MESSAGES if '"perft"' in block.text)
    assert Reference().perft(read(asked["script"], Script), asked["depth"]) == answered["counts"]


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_are_understood(line: str) -> None:
    with understood(command, line) as context:
        assert context.params["adapter"]


@pytest.mark.parametrize("variant", variant_names())
def test_every_observation_is_explained(variant: str) -> None:
    (table,) = re.findall(r"^\| key \| value \|\n\|---\|---\|\n(\| `acting`.*?)\n\n", PAGE, re.DOTALL | re.MULTILINE)
    explained = set(re.findall(r"`([a-z-]+)`", " ".join(line.split("|")[1] for line in table.splitlines())))
    assert set(observed(load(variant))) - explained == {"deal"}  # it has a section of its own


def test_every_case_that_is_named_is_there() -> None:
    corpus = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "conformance" / "cases").rglob("*.yaml"))
    for name in re.findall(r"--case ([\w-]+)", PAGE):
        assert f"id: {name}\n" in corpus

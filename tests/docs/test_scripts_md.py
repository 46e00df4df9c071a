"""docs/scripts.md: its session runs as printed, and its tables name every key and every kind of check."""

from __future__ import annotations

import dataclasses
import doctest
import typing

import pytest
from fenced import ROOT, blocks

from truco_spec.conformance.corpus import ready
from truco_spec.conformance.corpus.protocol import Check

PAGE = (ROOT / "docs" / "scripts.md").read_text(encoding="utf-8")


def test_the_session_runs_as_printed() -> None:
    examples = "\n".join(block.text for block in blocks(PAGE))
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/scripts.md", "docs/scripts.md", 0)
    told: list[str] = []
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert result.attempted > 5
    assert not result.failed, "".join(told)


@pytest.mark.parametrize("record", [ready.Head, ready.CaseLine, *typing.get_args(Check)], ids=lambda of: of.__name__)
def test_every_key_is_explained(record: type) -> None:
    for field in dataclasses.fields(record):
        assert f"`{field.name}`" in PAGE, field.name
        if field.name == "check":
            assert f"| `{field.default}` |" in PAGE

"""Reports as they are printed: a change of them is a difference that a person reads.

``REGENERATE=1 python -m pytest tests/conformance/reports/test_golden.py`` writes them anew.
"""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path

import pytest
from reported import HOSTILE, run

from release.schemas import schemas
from truco_spec.conformance.reports.formats import FORMATS, Target

jsonschema = importlib.import_module("jsonschema")  # it brings no types

GOLDEN = Path(__file__).parent / "golden"
SHOWN = {name: form.endings[0] for name, form in FORMATS.items() if name != "html"}


@pytest.mark.parametrize("name", SHOWN)
def test_a_report_is_printed_as_it_was(name: str) -> None:
    path = GOLDEN / f"report{SHOWN[name]}"
    text = Target(name, "-").text_of(run())
    if os.environ.get("REGENERATE"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["stake: -1", HOSTILE])
def test_a_report_of_every_verdict_fits_the_schema(text: str) -> None:
    jsonschema.validate(json.loads(Target("json", "-").text_of(run(text))), schemas()["report.schema.json"])


@pytest.mark.parametrize("name", FORMATS)
def test_two_runs_differ_in_their_times_only(name: str) -> None:
    text_of = Target(name, "-").text_of
    first, second = (text_of(run(HOSTILE, milliseconds=time)).splitlines() for time in (1_500, 98_765))
    different = [one for one, other in zip(first, second, strict=True) if one != other]
    assert len(different) == (0 if name in ("json", "badge") else 1)


@pytest.mark.parametrize("name", FORMATS)
def test_every_report_can_be_written_and_holds_no_control(name: str) -> None:
    text = Target(name, "-").text_of(run(HOSTILE))
    text.encode("utf-8")
    assert not [c for c in text if not c.isprintable() and c != "\n"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_flood_of_text_is_cut(name: str) -> None:
    assert len(Target(name, "-").text_of(run("x" * 1_000_000))) < 200_000


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"json"}))
def test_a_run_that_was_broken_off_says_so(name: str) -> None:
    text_of = Target(name, "-").text_of
    assert "broken off" not in text_of(run())
    assert "broken off" in text_of(run(interrupted=True)) or name == "jsonl"

"""TAP, read by a small reader that knows only the specification of version 14."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from reported import HARMLESS, HOSTILE, run

from truco_spec.conformance.reports.formats import tap as text_of

POINT = re.compile(r"(not )?ok (\d+) - ((?:[^\\#]|\\[\\#])*?)(?: # (SKIP|TODO)\b *(.*))?")


def read(text: str) -> tuple[int, list[tuple[bool, str, str, Any]], str]:
    """The plan, the points (ok, description, directive, diagnostics) and why it bailed out."""
    lines = text.splitlines()
    assert lines.pop(0) == "TAP version 14"
    plan, bail = -1, ""
    points: list[tuple[bool, str, str, Any]] = []
    while lines:
        line = lines.pop(0)
        if match := re.fullmatch(r"1\.\.(\d+)", line):
            assert plan == -1 and not points
            plan = int(match[1])
        elif line.startswith("Bail out!"):
            bail = line.removeprefix("Bail out!").strip()
            assert not lines
        elif match := POINT.fullmatch(line):
            assert int(match[2]) == len(points) + 1
            known = None
            if lines and lines[0] == "  ---":
                end = lines.index("  ...")
                known = yaml.safe_load("\n".join(lines[1:end]))
                del lines[: end + 1]
            points.append((match[1] is None, re.sub(r"\\([\\#])", r"\1", match[3]), match[4] or "", known))
        else:
            assert line.startswith("#"), line
    return plan, points, bail


@pytest.mark.parametrize("text", ["stake: -1", HOSTILE])
def test_the_reader_finds_every_case(text: str) -> None:
    plan, points, bail = read(text_of(run(text)))
    assert (plan, bail) == (10, "")
    assert [(ok, directive) for ok, _, directive, _ in points] == [
        (True, ""), (False, ""), (False, "TODO"), (False, ""), (True, "SKIP"), (True, "SKIP"), *[(False, "")] * 4,
    ]  # fmt: skip


def test_what_went_wrong_is_told_below() -> None:
    (_, points, _) = read(text_of(run()))
    ok, description, _, told = points[1]
    assert description == "own-fail-2: What comes to fail"
    assert told["verdict"] == "fail"
    assert told["faults"][1] == {"expected": "acting: P1", "got": "stake: -1"}
    assert told["repeat"] == "truco-spec test --case own-fail-2 -- ./adapter --loud"


def test_what_is_known_is_told_too() -> None:
    (_, points, _) = read(text_of(run()))
    assert points[2][3]["verdict"] == "xfail"
    assert points[2][3]["known"] == {
        "id": "own-xfail-3", "reason": "known since May", "link": "https://example.org/issues/7",
    }  # fmt: skip
    assert "own-xfail-3: What comes to xfail # TODO known since May (https://example.org/issues/7)\n" in text_of(run())
    assert "\n# 2 of 8 passed; without knowing the game: yes-man 12 %, no-man 0 %, random 25 %\n" in text_of(run())


def test_hostile_text_is_text() -> None:
    hostile, harmless = (read(text_of(run(text))) for text in (HOSTILE, HARMLESS))
    assert [point[:3] for point in hostile[1]] == [point[:3] for point in harmless[1]]
    assert "forged" in hostile[1][1][3]["faults"][0]["got"]


def test_fewer_points_than_planned_are_a_run_that_was_broken_off() -> None:
    plan, points, bail = read(text_of(run(interrupted=True)))
    assert plan > len(points)
    assert bail == "The run was broken off after 10 of 11 cases."

"""The badge: what it counts, and its colour."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from reported import HARMLESS, HOSTILE, run

from truco_spec.conformance.reports.events import Run
from truco_spec.conformance.reports.formats import badge as text_of

GREEN, YELLOW, RED, GREY = "#2a7a2a", "#8a6a00", "#b3261e", "#6a6a6a"


def only(*verdicts: str) -> Run:
    base = run()
    return replace(base, played=tuple(one for one in base.played if one.case.verdict in verdicts))


@pytest.mark.parametrize(
    ("verdicts", "says", "colour"),
    [
        (("pass", "unsupported", "unobserved"), "1 of 1 pass", GREEN),
        (("pass", "xfail"), "1 of 2 pass", YELLOW),
        (("pass", "xfail", "fail"), "1 of 3 pass", RED),
        (("pass", "xpass"), "2 of 2 pass", RED),
        (("crash",), "0 of 1 pass", RED),
        (("unsupported",), "nothing judged", GREY),
    ],
)
def test_an_expected_failure_counts_and_is_not_passed(verdicts: tuple[str, ...], says: str, colour: str) -> None:
    told = text_of(only(*verdicts))
    texts = [each.text for each in ET.fromstring(told).iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["truco-spec", says]
    assert f'fill="{colour}"' in told


def test_hostile_text_is_text() -> None:
    hostile, harmless = (ET.fromstring(text_of(run(text))) for text in (HOSTILE, HARMLESS))
    assert [each.tag for each in hostile.iter()] == [each.tag for each in harmless.iter()]

"""JUnit XML, read by a real parser and held against the shape that Jenkins and GitLab expect."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from reported import HARMLESS, HOSTILE, run

from truco_spec.conformance.reports.formats import junit as text_of

COUNTS = ("tests", "failures", "errors", "skipped")
SHAPE = {  # element: attributes that it must have, that it may have, and children
    "testsuites": ({"name", *COUNTS}, {"time"}, {"testsuite"}),
    "testsuite": ({"name", *COUNTS}, set(), {"properties", "testcase"}),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": ({"name", "classname"}, set(), {"failure", "error", "skipped"}),
    "failure": ({"message", "type"}, set(), set()),
    "error": ({"message", "type"}, set(), set()),
    "skipped": ({"message"}, set(), set()),
}


def check(element: ET.Element) -> None:
    must, may, children = SHAPE[element.tag]
    assert must <= set(element.keys()) <= must | may, element.attrib
    assert {child.tag for child in element} <= children
    assert len(element) <= 1 or element.tag != "testcase"
    for child in element:
        check(child)


@pytest.mark.parametrize("text", ["stake: -1", HOSTILE])
@pytest.mark.parametrize("interrupted", [False, True])
def test_the_shape_is_that_of_junit_and_the_counts_are_true(text: str, interrupted: bool) -> None:
    root = ET.fromstring(text_of(run(text, interrupted=interrupted)).encode())
    assert root.tag == "testsuites"
    check(root)
    kinds = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    for counted in (root, *root):
        assert {name: int(counted.get(name, "")) for name in COUNTS} == {
            name: len(list(counted.iter(tag))) for name, tag in kinds.items()
        }


def test_every_verdict_is_what_it_is() -> None:
    root = ET.fromstring(text_of(run()))
    found = {test.get("name", "").split("-")[1]: [child.tag for child in test] for test in root.iter("testcase")}
    assert found == {
        "pass": [],
        "fail": ["failure"],
        "xfail": ["skipped"],
        "xpass": ["failure"],
        "unsupported": ["skipped"],
        "unobserved": ["skipped"],
        **{verdict: ["error"] for verdict in ("error", "timeout", "crash", "protocol")},
    }


def test_an_expected_failure_says_why_it_is_no_failure() -> None:
    root = ET.fromstring(text_of(run()))
    (message,) = [each.get("message", "") for each in root.iter("skipped") if "xfail" in each.get("message", "")]
    assert message == "xfail: known since May (https://example.org/issues/7)"


def test_each_suite_tells_what_the_run_comes_to() -> None:
    root = ET.fromstring(text_of(run()))
    told = [{each.get("name"): each.get("value") for each in suite.iter("property")} for suite in root]
    assert {(of["corpus"], of["run.yes-man"], of["run.random"]) for of in told} == {("1.2.3", "1 of 8", "2 of 8")}
    assert (told[0]["expected.own-timeout-8"] or "").startswith("was expected to fail until 2026-01-31")
    assert len(list(root[0])) > 1 and root[0][0].tag == "properties"


def test_a_run_that_was_broken_off_is_an_error_of_its_own() -> None:
    root = ET.fromstring(text_of(run(interrupted=True)))
    assert [error.get("type") for error in root.iter("error")][-1] == "interrupted"


def test_hostile_text_is_text() -> None:
    hostile, harmless = (ET.fromstring(text_of(run(text))) for text in (HOSTILE, HARMLESS))
    assert Counter(e.tag for e in hostile.iter()) == Counter(e.tag for e in harmless.iter())
    failure = next(hostile.iter("failure"))
    assert failure.text is not None
    assert "<script>alert(1)</script>" in failure.text
    assert "]]>" in failure.text
    assert "\\x00\\x07\\x1b[31m\\u202e\\u2028" in failure.text

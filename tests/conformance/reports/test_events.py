"""The stream of events: every report can be made from its lines, also where they end too early."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from reported import HOSTILE, run

from truco_spec.base.harmless import LONGEST, MOST
from truco_spec.conformance.corpus.protocol import Introduction, Plays
from truco_spec.conformance.reports import events, run_document
from truco_spec.conformance.reports.events import ReportError, run_in
from truco_spec.conformance.reports.formats import FORMATS, Target, targets_of
from truco_spec.conformance.reports.formats import json_text as json_of
from truco_spec.conformance.reports.formats import jsonl as text_of


@pytest.mark.parametrize("text", ["stake: -1", HOSTILE])
@pytest.mark.parametrize("name", FORMATS)
def test_a_report_made_from_the_lines_is_the_same(name: str, text: str) -> None:
    lines = text_of(run(text))
    assert Target(name, "-").text_of(run_in(lines, "r")) == Target(name, "-").text_of(run(text))


def test_every_line_is_json_in_ascii_and_one_event() -> None:
    lines = text_of(run(HOSTILE)).splitlines()
    found = [json.loads(line)["event"] for line in lines]
    assert found == ["begin", "hello", *["case"] * 10, "end"]
    assert all(line.isascii() for line in lines)


def test_lines_that_end_too_early_tell_what_was_done() -> None:
    text = text_of(run())
    for cut in range(text.index("\n") + 1, len(text), 97):
        found = run_in(text[:cut], "r")
        assert not found.whole
        assert found.cases == run().cases[: len(found.cases)]


def test_a_report_in_json_can_be_read_too() -> None:
    assert run_in(json_of(run()), "r").cases == run().cases


KEPT = Path(__file__).parent / "kept"


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_a_report_of_an_earlier_version_can_still_be_read_and_shown(ending: str) -> None:
    old = run_in((KEPT / f"version-1.{ending}").read_text(encoding="utf-8"), "r")
    assert (old.begun.report, old.begun.edition, old.beside) == (1, "", {})
    assert [case.verdict for case in old.cases] == [
        "pass", "fail", "unsupported", "unobserved", "error", "timeout", "crash", "protocol",
    ]  # fmt: skip
    for name in FORMATS:
        assert Target(name, "-").text_of(old)
    assert run_document.summary(old) == "stake: -1 1.0: 1 of 6 passed (16 %), 2 could not be judged."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "This is no report of a run"),
        ("{}", "report is missing"),
        ("hello\n", "r:1: error: This line is not JSON"),
        ("[1]\n", "r:1: error: ‘[1]’ is no event"),
        ('{"event": "case"}\n', "case is missing"),
        ("[" * 100_000 + "\n", "is not JSON"),
        ('{"event": "begin", "report": 99, "corpus": 1, "command": [], "cases": 1}\n', "of version 99"),
    ],
)
def test_what_is_no_report_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(ReportError) as caught:
        run_in(text, "r")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_an_implementation_says_of_itself_is_bounded() -> None:
    plays = {f"v{n}": Plays((2,), omits=("word",) * 1000) for n in range(1000)}
    event = events.introduced(Introduction("n" * 10_000, "1", plays, ("stake",) * 1000, homepage="h" * 10_000))
    assert event.implementation is not None
    assert len(event.implementation.name) < LONGEST
    assert len(event.implementation.variants) == len(event.implementation.observes) == MOST


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("junit:a", Target("junit", "a")),
        ("a.xml", Target("junit", "a.xml")),
        ("tap:-", Target("tap", "-")),
        ("A.HTML", Target("html", "A.HTML")),
        ("jsonl:a.html", Target("jsonl", "a.html")),
        ("C:\\a.md", Target("md", "C:\\a.md")),
        ("markdown:a", Target("md", "a")),
    ],
)
def test_a_target_is_a_format_and_a_file(given: str, found: Target) -> None:
    assert targets_of([given]) == (found,)


@pytest.mark.parametrize("given", [["a"], ["a.pdf"], ["pdf:a"], ["tap:"], [":"], [""], ["a.md", "markdown:./a.md"]])
def test_what_is_no_target_is_refused(given: list[str]) -> None:
    with pytest.raises(ReportError):
        targets_of(given)

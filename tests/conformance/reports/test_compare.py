"""``truco-spec compare``: rule by implementation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from readers import Reader, without_code
from reported import HARMLESS, HOSTILE, run

from truco_spec.base.document import markdown_of, text_of
from truco_spec.cli.commands import main
from truco_spec.conformance.reports.events import Run
from truco_spec.conformance.reports.formats import json_text as json_of
from truco_spec.conformance.reports.formats import jsonl as lines_of
from truco_spec.conformance.reports.run_document import compared, comparison_document
from truco_spec.conformance.reports.totals import Score
from truco_spec.pages.html import html_of


def better() -> Run:
    """The same cases, all passed by another."""
    base = run("another")
    played = tuple(replace(p, case=replace(p.case, verdict="pass", faults=())) for p in base.played)
    return replace(base, played=played)


def test_a_cell_counts_the_cases_that_could_be_judged() -> None:
    found = compared([run(), better()])
    assert [(row.name, row.is_decision) for row in found.rows] == [
        ("pagat:paulista.dirty-deck", False),
        ("own-view", True),
    ]
    assert found.rows[0].cells == (Score(2, 7), Score(9, 9))
    assert found.rows[1].cells == (Score(0, 1), Score(1, 1))
    assert found.sums == (Score(2, 8), Score(10, 10))
    assert found.notes == ()


def test_only_what_differs() -> None:
    assert compared([better(), better()], differing=True).rows == ()
    assert len(compared([run(), better()], differing=True).rows) == 2


def test_runs_that_are_not_alike_are_named() -> None:
    short = replace(better(), played=better().played[:2])
    found = compared([run("same"), run("same", interrupted=True), short])
    assert found.titles == ("same 1.0 (1)", "same 1.0 (2)", "another 1.0")
    assert found.notes == (
        "same 1.0 (2): the run was broken off after 10 of 11 cases.",
        "Not all were asked the same cases.",
    )


def test_runs_on_different_versions_of_the_corpus_are_told() -> None:
    older = replace(better(), begun=replace(better().begun, edition="1.0.0"))
    assert compared([run("same"), older]).notes == (
        "They were asked cases of different versions of the corpus: 1.2.3, 1.0.0.",
    )


def test_the_table_on_a_terminal() -> None:
    assert text_of(comparison_document(compared([run("one"), better()]))).splitlines() == [
        "Rule by implementation",
        "",
        "Causes",
        "  What would make answers right, and how many failed cases it explains of each.",
        "",
        "  - It plays as though this were no rule: “The deal passes to the right” (pass-deal): (1) 1, (2) 1",
        "",
        "Rules",
        "  Cases passed of those on which it could be judged; ! where one failed, – for none.",
        "",
        "                              (1)       (2)",
        "  pagat:paulista.dirty-deck   2/7 !     9/9",
        "  own-view                    0/1 !     1/1",
        "  all cases                   2/8 !   10/10",
        "  yes-man                     1/8      1/10",
        "  no-man                      0/8      0/10",
        "  random                      2/8      2/10",
        "",
        "  - (1) one 1.0",
        "  - (2) another 1.0",
    ]


def test_hostile_text_is_text() -> None:
    hostile, harmless = (tuple(comparison_document(compared([run(text), better()]))) for text in (HOSTILE, HARMLESS))
    assert Reader(html_of(hostile)).tags == Reader(html_of(harmless)).tags
    assert without_code(markdown_of(hostile)) == without_code(markdown_of(harmless))
    assert all(c.isprintable() or c == "\n" for c in text_of(hostile))


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(["compare", *arguments])
    return end.value.code


def test_the_command_reads_both_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, out = tmp_path / "a.jsonl", tmp_path / "b.json", tmp_path / "c.html"
    first.write_text(lines_of(run()))
    second.write_text(json_of(better()))
    assert status(str(first), str(second)) == 0
    assert "(2) another 1.0" in capsys.readouterr().out
    assert status("--format", "html", "-o", str(out), str(first), str(second)) == 0
    assert Reader(out.read_text(encoding="utf-8")).open == []
    capsys.readouterr()
    told = []
    for name in ("md", "markdown"):  # what it was called before
        assert status("--format", name, str(first), str(second)) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] and "|" in told[0]


@pytest.mark.parametrize("text", ["", "nothing", '{"report": 99}', "<html>"])
def test_what_is_no_report_is_2_and_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(text)
    assert status(str(file)) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1

"""``truco-spec report``: a run that was kept is shown again, whoever wrote the file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from reported import HOSTILE, run
from tables import THREE, case_file, command

from truco_spec.cli.commands import main
from truco_spec.cli.file_access import written
from truco_spec.conformance.reports import run_document
from truco_spec.conformance.reports.events import ReportError, run_in
from truco_spec.conformance.reports.formats import FORMATS, Target
from truco_spec.conformance.reports.formats import json_text as json_of
from truco_spec.conformance.reports.formats import jsonl as lines_of


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return end.value.code


def kept(folder: Path, text: str) -> str:
    path = folder / "run.jsonl"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_story_is_told_again_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases, lines, page = case_file(tmp_path, THREE), str(tmp_path / "run.jsonl"), str(tmp_path / "first.html")
    wanted = ["--report", lines, "--report", page]
    assert status("test", "--no-causes", "--cases", str(cases), *wanted, "-v", "--", *command("wrong")) == 1
    told = capsys.readouterr().out
    assert status("report", "-v", lines) == 0
    assert capsys.readouterr().out == told
    assert status("report", "--report", f"html:{tmp_path / 'again.html'}", lines) == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "again.html").read_bytes() == Path(page).read_bytes()


def test_any_report_can_be_made_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = kept(tmp_path, lines_of(run()))
    for name in FORMATS:
        assert status("report", "--report", f"{name}:-", lines) == 0
        assert capsys.readouterr().out == Target(name, "-").text_of(run())
    assert status("report", "-q", lines) == 0
    assert capsys.readouterr().out == run_document.summary(run()) + "\n"


def test_the_standard_input_is_read_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(json_of(run()).encode())))
    assert status("report", "-q", "-") == 0
    assert capsys.readouterr().out == run_document.summary(run()) + "\n"


def test_a_run_that_was_cut_off_tells_what_was_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = lines_of(run())
    assert status("report", kept(tmp_path, text[: text.index("own-xpass")])) == 0
    last = "1 of 3 passed (33 %), 1 failed as expected. Corpus 1.2.3. The run was broken off after 3 of 10 cases.\n"
    assert capsys.readouterr().out.endswith(f"\nstake: -1 1.0: {last}")


def test_what_cannot_be_read_or_written_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = kept(tmp_path, lines_of(run()))
    nowhere = str(tmp_path / "no" / "a.md")
    for arguments in (["no"], ["-q", "-v", lines], ["--report", "pdf:x", lines], ["--report", nowhere, lines]):
        assert status("report", *arguments) == 2
    capsys.readouterr()
    assert status("report", kept(tmp_path, "nothing\n")) == 2
    assert "run.jsonl:1: error: This line is not JSON." in capsys.readouterr().err


# ---- files from strangers -----------------------------------------------------------------------

STRANGE: tuple[Any, ...] = (
    None, True, -1, 10**14, 10**400, 1.5, "", HOSTILE, "x" * 100_000, [], [[]], {}, {HOSTILE: HOSTILE}, [HOSTILE] * 300,
    {"P0": 10**14}, {"must": {HOSTILE: 1}}, {"must": {"yes-man": 10**14}}, [{}],
)  # fmt: skip


def changed(value: Any) -> Iterator[Any]:
    """The same with one part of it, anywhere, made into something strange, or left out."""
    yield from STRANGE
    if isinstance(value, dict):
        for key, item in value.items():
            yield {name: each for name, each in value.items() if name != key}
            yield from ({**value, key: strange} for strange in changed(item))
    if isinstance(value, list) and value:
        yield from ([strange, *value[1:]] for strange in changed(value[0]))


def strange_lines() -> Iterator[str]:
    lines = [json.loads(line) for line in lines_of(run()).splitlines()]
    lines = [lines[0], lines[1], *(lines[at] for at in (3, 4, 6)), lines[-1]]  # one of each kind is enough
    for at, line in enumerate(lines):
        for strange in changed(line):
            yield "".join(json.dumps(each) + "\n" for each in [*lines[:at], strange, *lines[at + 1 :]])


@pytest.mark.long
def test_no_file_of_events_breaks_a_report_or_becomes_markup() -> None:
    shown, mistakes = 0, list[str]()
    for text in strange_lines():
        try:
            found = run_in(text, "run.jsonl")
        except ReportError as error:
            mistakes.append(str(error))
            continue
        shown += 1
        told = run_document.story_of(found, verbose=True)
        side_by_side = run_document.compared([found, run()])
        names = [name for name in FORMATS if name != "html" or shown % 50 == 0]
        texts = [told, *(Target(name, "-").text_of(found) for name in names)]
        forms = ("text", "md", "html") if "html" in names else ("text", "md")
        texts += [written(run_document.comparison_document(side_by_side), form) for form in forms]
        for each in texts:
            assert each.replace("\n", "").isprintable()
    assert shown > 500 and len(mistakes) > 500
    assert not [mistake for mistake in mistakes if not mistake.isprintable() or len(mistake) > 400]


@pytest.mark.parametrize("number", ["9" * 16, "9" * 5000, "NaN", "Infinity"])
def test_numbers_beyond_counting_are_no_json(number: str) -> None:
    with pytest.raises(ReportError, match="This line is not JSON"):
        run_in(f'{{"event": "begin", "report": {number}}}\n', "run.jsonl")

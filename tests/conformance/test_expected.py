"""The file of expected failures: what it may say, what it does to a run, and how one is written."""

from __future__ import annotations

import importlib
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from reported import case as reported_case
from tables import THREE, case_file, command

from release.schemas import schemas
from truco_spec.base import safe_yaml, shipped
from truco_spec.cli.commands import main
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.reports.events import Run, run_in
from truco_spec.conformance.runner import verdicts
from truco_spec.conformance.runner.verdicts import (
    VERDICTS,
    CaseReport,
    Expectations,
    ExpectedError,
    Known,
    Verdict,
    renewed,
    text_of,
    under,
)

jsonschema = importlib.import_module("jsonschema")  # it brings no types

TODAY = date(2026, 11, 21)
TWICE = THREE.replace("id: own-three-2", "id: own-three-2\n    applies: {variants: [nowadays, paulista]}")
"""The second case has two instances."""


def known(folder: Path, text: str, cases: str = THREE) -> Expectations:
    path = folder / "known.yaml"
    path.write_text(text, encoding="utf-8")
    return verdicts.load(str(path), corpus.load([case_file(folder, cases)]), TODAY)


def entry(*lines: str) -> str:
    return "expected: 1\nfailures:\n  - " + "\n    ".join(lines) + "\n"


# ---- what it may say ----------------------------------------------------------------------------


def test_an_entry_has_a_reason_and_may_have_more(tmp_path: Path) -> None:
    lines = ["id: own-three-1", "reason: So.", "link: https://example.org/7", "expires: 2026-11-21", "verdict: crash"]
    assert known(tmp_path, entry(*lines)).known == {
        "own-three-1": Known("own-three-1", "So.", "https://example.org/7", "2026-11-21", "crash", expired=False)
    }
    assert known(tmp_path, entry("id: own-three-1", "reason: So.")).known["own-three-1"].verdict is None
    assert known(tmp_path, "expected: 1\nfailures: []\n").known == {}


def test_the_last_day_still_counts(tmp_path: Path) -> None:
    for day, expired in (("2026-11-20", True), ("2026-11-21", False), ("2028-02-29", False)):
        found = known(tmp_path, entry("id: own-three-1", "reason: So.", f"expires: {day}"))
        assert found.known["own-three-1"].expired is expired


def test_an_entry_names_a_case_or_one_instance_and_the_instance_counts_more(tmp_path: Path) -> None:
    both = entry("id: own-three-2", "reason: All.") + "  - id: own-three-2[paulista]\n    reason: With four.\n"
    found = known(tmp_path, both, TWICE)
    cases = [one for case in corpus.load([tmp_path / "cases.yaml"]) for one in corpus.instances(case)]
    told = {one.name: found.of(one) for one in cases}
    assert {name: of.reason for name, of in told.items() if of} == {
        "own-three-2[nowadays]": "All.",
        "own-three-2[paulista]": "With four.",
    }


WRONG = {
    "no file of this kind": ("cases: []\n", "1:1: This is no file of expected failures"),
    "nothing": ("", "1:1: This is no file of expected failures"),
    "a list": ("- a\n", "1:1: This is no file of expected failures"),
    "a later version": (
        "expected: 2\nfailures: []\n",
        "1:11: This is version 2 of the format",
    ),
    "no YAML": ("expected: [\n", "2:1: A value is missing here."),
    "an anchor": (entry("id: &a own-three-1", "reason: So."), "3:9: Anchors (&a) are not allowed"),
    "an unknown key": (entry("id: own-three-1", "reason: So.", "url: x"), "‘url’ is not known here. Known keys: id"),
    "no reason": (entry("id: own-three-1"), "3:5: reason is missing."),
    "an empty reason": (entry("id: own-three-1", 'reason: " "'), "4:13: own-three-1 has no reason. Write why"),
    "an unknown case": (
        entry("id: own-tree-1", "reason: So."),
        '3:9: There is no case "own-tree-1". Did you',
    ),
    "nothing near": (entry("id: zzz", "reason: So."), 'There is no case "zzz". truco-spec test -v names them all.'),
    "twice": (
        entry("id: own-three-1", "reason: So.") + "  - id: own-three-1\n    reason: Again.\n",
        "5:9: own-three-1 is expected twice; leave one of the two.",
    ),
    "no link": (
        entry("id: own-three-1", "reason: So.", "link: issue 7"),
        "5:11: A link begins with http:// or https://",
    ),
    "a script": (entry("id: own-three-1", "reason: So.", "link: javascript:alert(1)"), "5:11: A link begins with"),
    "a broken link": (entry("id: own-three-1", "reason: So.", 'link: "http://[a"'), "5:11: A link begins with"),
    "no day": (entry("id: own-three-1", "reason: So.", "expires: soon"), "5:14: Here a day is wanted: YYYY-MM-DD"),
    "no such day": (entry("id: own-three-1", "reason: So.", "expires: 2026-02-30"), "5:14: Here a day is wanted"),
    "a week": (entry("id: own-three-1", "reason: So.", "expires: 2026-W07-1"), "5:14: Here a day is wanted"),
    "a pass": (
        entry("id: own-three-1", "reason: So.", "verdict: pass"),
        "5:14: Here fail, error, timeout, ",
    ),
    "a long reason": (entry("id: own-three-1", f"reason: {'x' * 3000}"), "longer than 2,000 characters"),
    "a long id": (entry(f"id: {'own-three-' * 10_000}", "reason: So."), "There is no case"),
    "a number": (entry("id: 7", "reason: So."), "3:9: Here a text is wanted"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_mistake_is_told_with_its_place(what: str, tmp_path: Path) -> None:
    text, words = WRONG[what]
    with pytest.raises(ExpectedError) as caught:
        known(tmp_path, text)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "known.yaml"))
    assert "\n" not in str(caught.value)


# ---- what it does -------------------------------------------------------------------------------

ANY, FAIL = Known("a", "So."), Known("a", "So.", verdict="fail")
PAST = Known("a", "So.", expires="2026-01-01", expired=True)


@pytest.mark.parametrize(
    ("came_to", "entry", "verdict"),
    [
        ("fail", None, "fail"), ("fail", ANY, "xfail"), ("crash", ANY, "xfail"), ("fail", FAIL, "xfail"),
        ("crash", FAIL, "crash"), ("pass", ANY, "xpass"), ("pass", FAIL, "xpass"), ("fail", PAST, "fail"),
        ("pass", PAST, "pass"), ("unsupported", ANY, "unsupported"), ("unobserved", ANY, "unobserved"),
    ],
)  # fmt: skip
def test_what_a_case_comes_to_where_something_is_known(came_to: Verdict, entry: Known | None, verdict: Verdict) -> None:
    assert under(came_to, entry) == verdict


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(["test", "--no-causes", *arguments])
    return end.value.code


class Played:
    """Runs of three cases by a miniature, with a file of expected failures."""

    def __init__(self, folder: Path, cases: str = THREE) -> None:
        self.folder, self.known, self.lines = folder, folder / "known.yaml", folder / "run.jsonl"
        self.cases = case_file(folder, cases)

    def by(self, name: str, text: str, *arguments: str) -> object:
        self.known.write_text(text, encoding="utf-8")
        wanted = ["--cases", str(self.cases), "--expected", str(self.known), "--report", str(self.lines), *arguments]
        return status(*wanted, "--", *command(name))

    @property
    def run(self) -> Run:
        return run_in(self.lines.read_text(encoding="utf-8"), "run.jsonl")

    @property
    def verdicts(self) -> list[Verdict]:
        return [case.verdict for case in self.run.cases]


ALL = "expected: 1\nfailures:\n" + "".join(f"  - {{id: own-three-{n}, reason: So.}}\n" for n in (1, 2, 3))


def test_failures_that_are_all_expected_do_not_fail_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = Played(tmp_path)
    assert played.by("wrong", ALL) == 0
    assert played.verdicts == ["xfail"] * 3
    out = capsys.readouterr().out
    assert "FAIL" not in out and "Faults by clause" not in out
    assert "miniature 1: 0 of 3 passed (0 %), 3 failed as expected" in out
    assert {case.came_to for case in played.run.cases} == {"fail"}


def test_one_that_nobody_expected_fails_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = Played(tmp_path)
    assert played.by("wrong", entry("id: own-three-2", "reason: So.")) == 1
    assert played.verdicts == ["fail", "xfail", "fail"]
    assert "own-three-2" not in capsys.readouterr().out


def test_one_that_passes_fails_it_with_advice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = Played(tmp_path)
    assert played.by("honest", entry("id: own-three-2", "reason: So.")) == 1
    assert played.verdicts == ["pass", "xpass", "pass"]
    out = capsys.readouterr().out
    assert "XPASS own-three-2 (must)" in out
    assert "advice    Delete the entry own-three-2 from the file of expected failures." in out


def test_one_whose_day_is_past_fails_as_if_it_were_not_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = Played(tmp_path)
    assert played.by("wrong", ALL.replace("own-three-2, reason: So.", "own-three-2, reason: So., expires: 2020-01-01"))
    assert played.verdicts == ["xfail", "fail", "xfail"]
    assert "- own-three-2 was expected to fail until 2020-01-01, and fails the run now" in capsys.readouterr().out


def test_another_kind_of_failure_than_expected_fails_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = Played(tmp_path)
    assert played.by("wrong", ALL.replace("own-three-2, reason: So.", "own-three-2, reason: So., verdict: crash")) == 1
    assert played.verdicts == ["xfail", "fail", "xfail"]
    assert "- own-three-2 was expected to be crash, and is fail." in capsys.readouterr().out


def test_a_case_that_is_not_chosen_may_be_expected_and_one_that_is_unsupported_need_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = Played(tmp_path, TWICE)
    text = entry("id: own-three-1", "reason: So.") + "  - {id: 'own-three-2[nowadays]', reason: So.}\n"
    assert played.by("honest", text, "--case", "own-three-2") == 0
    assert played.verdicts == ["unsupported", "pass"]
    out = capsys.readouterr().out
    assert "own-three-2[nowadays] is unsupported: the entry own-three-2[nowadays] is needless, delete it." in out
    assert "own-three-1" not in out


def test_the_same_file_serves_own_cases_and_the_corpus(tmp_path: Path) -> None:
    played = Played(tmp_path)
    assert played.by("wrong", ALL + "  - {id: pagat-vira-01, reason: So.}\n") == 0


def test_a_bad_file_is_2_and_nothing_is_begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = Played(tmp_path)
    assert played.by("would-not-start", entry("id: own-three-1", "reason: ''")) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not played.lines.exists()
    assert status("--cases", str(played.cases), "--expected", str(tmp_path / "no"), "--", *command("honest")) == 2


# ---- writing one --------------------------------------------------------------------------------


def test_what_is_written_lacks_only_the_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played, new = Played(tmp_path), tmp_path / "new.yaml"
    assert status("--cases", str(played.cases), "--write-expected", str(new), "--", *command("wrong")) == 1
    text = new.read_text(encoding="utf-8")
    assert '  - id: "own-three-1"  # The stake is as many as the points\n    reason: ""\n    verdict: fail\n' in text
    assert played.by("wrong", text) == 2
    assert "own-three-1 has no reason" in capsys.readouterr().err
    assert played.by("wrong", text.replace('reason: ""', "reason: So.")) == 0


def test_a_file_that_is_there_is_written_anew_only_with_its_entries(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played, old = Played(tmp_path), tmp_path / "old.yaml"
    old.write_text("mine")
    assert status("--cases", str(played.cases), "--write-expected", str(old), "--", *command("wrong")) == 2
    assert "This file is there already. Give --expected" in capsys.readouterr().err
    assert old.read_text() == "mine"
    text = entry("id: own-three-2", "reason: Não sei.", "link: https://example.org/7", "expires: 2999-01-01")
    assert played.by("wrong", text, "--write-expected", str(played.known)) == 1
    written = played.known.read_text(encoding="utf-8")
    assert [line.strip() for line in written.splitlines() if line.startswith("  ")] == [
        '- id: "own-three-2"', 'reason: "Não sei."', 'link: "https://example.org/7"', "expires: 2999-01-01",
        '- id: "own-three-1"  # The stake is as many as the points', 'reason: ""', "verdict: fail",
        '- id: "own-three-3"  # The stake is as many as the points', 'reason: ""', "verdict: fail",
    ]  # fmt: skip


def test_the_schema_is_that_of_the_file(tmp_path: Path) -> None:
    schema = schemas()["expected.schema.json"]
    shown = shipped.folder("conformance") / "adapters" / "template" / "known.yaml"
    known = Known("a-1", "So.", "https://example.org/7", "2026-01-01", "fail")
    written = text_of("mine", [known], [case_("b-1", "fail", None)])
    for text in (shown.read_text(encoding="utf-8"), written):
        jsonschema.validate(safe_yaml.load(text), schema)
    for more in ([], ["reason: So.", "url: x"], ["reason: So.", "verdict: pass"]):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(safe_yaml.load(entry("id: a-1", *more)), schema)


def case_(name: str, verdict: Verdict, known: Known | None) -> CaseReport:
    return replace(reported_case(verdict, 1, "x").case, name=name, known=known)


def test_an_entry_is_kept_as_long_as_it_is_right() -> None:
    entries = [Known(name, "So.") for name in ("right", "passes", "mixed", "elsewhere", "unsupported", "otherwise")]
    entries.append(Known("past", "So.", expires="2020-01-01", expired=True))
    of = {known.id: known for known in entries}
    cases = [
        case_("right", "xfail", of["right"]),
        case_("passes", "xpass", of["passes"]),
        case_("mixed[2]", "xfail", of["mixed"]),
        case_("mixed[4]", "xpass", of["mixed"]),
        case_("unsupported", "unsupported", of["unsupported"]),
        case_("otherwise", "crash", of["otherwise"]),
        case_("past", "fail", of["past"]),
        case_("new", "timeout", None),
    ]
    kept, failed = renewed(Expectations(of), cases)
    assert [known.id for known in kept] == ["right", "mixed[2]", "elsewhere", "past"]
    assert [case.name for case in failed] == ["otherwise", "new"]


def test_whatever_an_implementation_is_called_the_file_can_be_read(tmp_path: Path) -> None:
    names = ["own-three-1", "own-three-2"]
    hostile = "a\nfailures: [] #\x00\u2028\u202e"
    failed = [replace(case_(name, "fail", None), title=hostile) for name in names]
    text = text_of(hostile, [Known("own-three-3", 'a "quoted" \\ reason: # \x7f\n- x')], failed)
    found = known(tmp_path, text.replace('reason: ""', "reason: So."))
    assert {*found.known} == {"own-three-1", "own-three-2", "own-three-3"}
    assert text_of("mine", [], []).endswith("\nexpected: 1\nfailures: []\n")


def test_every_verdict_is_either_to_be_expected_or_not() -> None:
    changed = {verdict for verdict in VERDICTS if under(verdict, ANY) != verdict}
    assert changed == {"pass", "fail", "error", "timeout", "crash", "protocol", "unsteady"}

"""The score of the mutants: kept with the cases, read by ``trace --mutants``, and stale when either is another."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bench.mutants import LINKER, NOTHING, PROVED, SAME, Group, Notes, known_alive, mutants_by_name
from bench.mutation_score import scored, written
from truco_spec.cli import main
from truco_spec.conformance import trace
from truco_spec.conformance.trace import KINDS, MutationScore, read_score, share

FOUND = {"a": "noticed", "b": "noticed", "c": "open", "d": "no rules", "e": "reason", "f": "the same"}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MutationScore:
    variants = {"one": "acd", "two": "abef"}
    score = scored({variant: {name: FOUND[name] for name in names} for variant, names in variants.items()})
    path = tmp_path / "mutants.yaml"
    path.write_text(written(score), encoding="utf-8")
    monkeypatch.setattr(trace, "score_file", lambda: path)
    return score


Told = Callable[..., tuple[int, str]]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """``trace --mutants``: its status, and what it prints."""

    def run(*given: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as end:
            main(["trace", "--mutants", *given])
        printed = capsys.readouterr()
        return int(end.value.code or 0), printed.out + printed.err

    return run


def test_what_is_kept_is_read_again(kept: MutationScore) -> None:
    assert read_score() == kept
    assert kept.left == ("c",)
    assert not kept.stale


def test_the_score_is_of_the_changes_that_may_be_noticed(kept: MutationScore) -> None:
    assert share(kept.together) == "66 %"
    assert share(kept.variants["two"]) == "100 %"
    assert share(dict.fromkeys(KINDS, 0)) == "—"
    assert share({**kept.together, "untried": 1}) == "≥ 50 %"


def test_the_verb_prints_a_row_for_each_variant(kept: MutationScore, told: Told) -> None:
    status, printed = told()
    assert status == 0
    lines = printed.splitlines()
    row = next(line for line in lines if line.startswith("one"))
    assert row.split() == ["one", "3", "1", "1", "0", "0", "1", "0", "50", "%"]
    assert not any("changed" in line for line in lines)
    assert json.loads(told("--json")[1])["variants"]["two"]["score"] == "100 %"


@pytest.mark.parametrize(
    ("what", "words"), [("corpus", "the cases (corpus 0.9.0, now"), ("rules", "a change: the rules")]
)
def test_a_score_of_other_cases_or_rules_is_stale(kept: MutationScore, told: Told, what: str, words: str) -> None:
    other = replace(kept, corpus="0.9.0") if what == "corpus" else replace(kept, rules="0.9.0")
    trace.score_file().write_text(written(other), encoding="utf-8")
    status, printed = told()
    assert status == 0
    assert words in printed


@pytest.mark.parametrize("text", [None, "corpus: 1", "- 1"])
def test_without_a_campaign_it_is_said_in_one_line(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    path = tmp_path / "mutants.yaml"
    monkeypatch.setattr(trace, "score_file", lambda: path)
    if text is not None:
        path.write_text(text, encoding="utf-8")
    status, printed = told()
    assert status == 2
    assert "campaign" in printed
    assert len(printed.strip().splitlines()) == 1


def test_no_other_option_goes_with_it(kept: MutationScore, told: Told) -> None:
    assert told("--missing")[0] == 2


def test_the_shipped_score_names_open_mutants_that_have_no_reason() -> None:
    assert not {*read_score().left} & known_alive().keys()


def test_a_campaign_goes_on_from_its_notes(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    notes = Notes(path)
    notes.add("group 1", "a", NOTHING)
    notes.add("group 1", "b", SAME)
    notes.add("group 2", "a", "some-case[paulista]")
    notes.add("group 2", "b", NOTHING)
    again = Notes(path)
    assert again.found == {"a": "some-case[paulista]", "b": NOTHING}
    assert ("group 1", "b") in again.tried
    assert [again.survives(name) for name in ("a", "b", "c")] == [False, True, True]


def test_of_which_kind_a_mutant_is(tmp_path: Path) -> None:
    names = iter(name for name in mutants_by_name("gamelog") if name not in known_alive())
    found = {
        next(names): (who, kind)
        for who, kind in (
            (f"{LINKER}: no such word", "no rules"),
            ("some-case[paulista]", "noticed"),
            (SAME, "the same"),
            (PROVED, "the same"),
            (NOTHING, "open"),
            ("", "open"),
        )
    }
    notes, groups = Notes(tmp_path / "notes.jsonl"), [Group(("gamelog", ()), [])]
    for name, (who, _) in found.items():
        notes.add(groups[0].key, name, who)
    assert {name: notes.kind_of(name, groups) for name in found} == {name: kind for name, (_, kind) in found.items()}
    assert notes.kind_of(next(names), groups) == "untried"
    assert notes.kind_of(next(iter(known_alive())), groups) == "reason"

"""The version of the corpus: raised by as much as a change asks, and never forgotten."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tables import THREE, case_file

from release import digests
from release.digests import COMMAND, Digest, Edition, changed, edition_in, raised, text_of
from truco_spec.conformance.corpus import EditionError, corpus, edition, edition_file


def test_the_corpus_is_what_its_version_says() -> None:
    path = edition_file()
    known = edition_in(path.read_text(encoding="utf-8"), str(path))
    change = changed(known.cases, digests.digests(corpus.load()))
    advice = f"The {change.raises} part of its version has to be raised. Run: {COMMAND}"
    assert change.raises is None, f"The corpus is no longer {known.version}: {change}. {advice}"


def test_the_version_is_that_on_top_of_the_list() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", edition())
    assert f"\nversion {edition()}\n" in edition_file().read_text(encoding="utf-8")


def of(folder: Path, cases: str) -> dict[str, Digest]:
    return digests.digests(corpus.load([case_file(folder, cases)]))


CHANGES = {
    "a changed expectation": (("expect: {stake: 1}", "expect: {stake: 2}"), "major"),
    "a changed move": (("[P1 3C, expect: {stake: 1}]", "[P1 2C, expect: {stake: 1}]"), "major"),
    "a changed card": (("P1: 3C 2C 7S", "P1: 3C 2C 6S"), "major"),
    "a changed level": (("level: must", "level: option"), "major"),
    "a changed score": (("score: {P1: 3}", "score: {P1: 4}"), "major"),
    "another place to hold": (("level: must", "level: must\n    applies: {options: {tied-hand: nobody}}"), "major"),
    "another number of players": (("level: must", "level: must\n    players: 4"), "major"),
    "umpires": (("level: must", "level: must\n    mode: umpire"), "major"),
    "another id": (("id: own-three-2", "id: own-three-4"), "major"),
    "another title": (("The stake is as many as the points", "The stake is the points"), "patch"),
    "a note": (("level: must", "level: must\n    note: So it is."), "patch"),
    "another clause": (("paulista.dirty-deck", "paulista.deal-three"), "patch"),
    "cards as a list": (("P1: 3C 2C 7S", "P1: [3C, 2C, 7S]"), None),
    "an option that is empty": (("level: must", "level: must\n    options: {}"), None),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_verdict_is_major_and_wording_a_patch(what: str, tmp_path: Path) -> None:
    (old, new), part = CHANGES[what]
    assert old in THREE
    assert changed(of(tmp_path, THREE), of(tmp_path, THREE.replace(old, new))).raises == part


def test_a_new_case_is_minor_and_one_that_is_gone_is_major(tmp_path: Path) -> None:
    three = of(tmp_path, THREE)
    two = {name: three[name] for name in ("own-three-1", "own-three-3")}
    assert changed(two, three).raises == "minor"
    assert changed(three, two).raises == "major"
    assert str(changed(three, two)) == "1 removed (own-three-2)"


def test_where_a_case_stands_is_no_part_of_it(tmp_path: Path) -> None:
    first, _, rest = THREE.partition("\n  - id: own-three-2")
    elsewhere = f"\n  - id: own-three-2{rest}{first}"
    assert elsewhere != THREE
    assert of(tmp_path, elsewhere) == of(tmp_path, THREE)


@pytest.mark.parametrize(
    ("part", "version"), [("major", "3.0.0"), ("minor", "2.4.0"), ("patch", "2.3.10"), (None, "2.3.9")]
)
def test_raising_a_part_begins_the_later_ones_anew(part: digests.Part | None, version: str) -> None:
    assert raised("2.3.9", part) == version


def test_the_command_raises_the_right_number_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases, file = case_file(tmp_path, THREE), tmp_path / "corpus.txt"
    monkeypatch.setattr(digests, "edition_file", lambda: file)
    monkeypatch.setattr(digests, "load", lambda: corpus.load([cases]))
    found = []
    for text in (THREE, THREE, THREE.replace("as many as", "as great as"), THREE, THREE.replace("7S", "6S")):
        case_file(tmp_path, text)
        digests.main()
        found.append(edition_in(file.read_text(encoding="utf-8"), "corpus.txt").version)
    assert found == ["1.0.0", "1.0.0", "1.0.1", "1.0.2", "2.0.0"]


def test_the_file_is_read_as_it_was_written() -> None:
    known = Edition("1.20.3", {"own-b-1": Digest("0" * 12, "1" * 12), "own-a-1": Digest("2" * 12, "3" * 12)})
    found = edition_in(text_of(known), "corpus.txt")
    assert (found.version, list(found.cases)) == ("1.20.3", ["own-a-1", "own-b-1"])
    assert found == known


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1.0.0\n",
        "version 1.0\n",
        "version 01.0.0\n",
        "version 1.0.0\nown-1\n",
        "version 1.0.0\na-1 00 11\n",
        "version 1.0.0\n" + 2 * f"a-1 {'0' * 12} {'1' * 12}\n",
    ],
)
def test_what_is_no_list_is_told_with_its_place(text: str) -> None:
    with pytest.raises(EditionError, match=r"^corpus\.txt:"):
        edition_in(text, "corpus.txt")

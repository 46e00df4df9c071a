"""What the checks say of small games: nothing of the good ones, and of the bad ones exactly what stands in their
files."""

from __future__ import annotations

from pathlib import Path

import pytest
from expected import FILES, HERE, expected_in, found_in, lines, text_of
from one_language import foreign_in_mistakes

from release.catalogs import TRANSLATED

GOOD = [path for path in FILES if path.parent.name == "good"]
BAD = [path for path in FILES if path.parent.name == "bad"]


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_nothing_is_wrong_with_a_good_game(path: Path) -> None:
    assert lines(found_in(path)) == []


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_game_is_told_what_is_wrong_with_it(path: Path) -> None:
    found = found_in(path)
    assert lines(found) == expected_in(path) != []
    for language in TRANSLATED:
        assert foreign_in_mistakes(found, text_of(path), language) == []


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_good_game_leaves_no_doubt(path: Path) -> None:
    assert [d.message for d in found_in(path)] == []


def test_both_colliding_statements_are_shown() -> None:
    (found,) = found_in(HERE / "bad" / "verdicts-collide.truco")
    assert found.span.line == 10
    assert [(remark, span.line) for remark, span in found.notes] == [("speaking is here", 9)]


def test_a_fault_that_happens_comes_with_the_moves_that_lead_there() -> None:
    (found,) = found_in(HERE / "bad" / "answers-collide.truco")
    assert "it happens: bad, strict: P" in found.hint
    assert "speak" in found.hint


def test_a_fault_under_other_options_comes_with_those_options() -> None:
    (found,) = found_in(HERE / "bad" / "collide-under-options.truco")
    assert "it happens: bad one=yes-please two=yes-please, " in found.hint


def test_what_is_taken_over_unused_is_to_be_dropped() -> None:
    hints = {d.span.line: str(d.hint) for d in found_in(HERE / "bad" / "unused-inherited.truco") if d.code == "unused"}
    assert hints == {5: "use it, or take it out", 13: "use it, or write `drop cough`"}

"""What is told of a file of cases whose shape is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from truco_spec.conformance.corpus.corpus import CaseError, load_file

CASE = "{id: a-b-1, title: x, clauses: [c], level: must, moves: [P0 4C]%s}"


def cases(tmp_path: Path, applies: str, own: str = "") -> Path:
    path = tmp_path / "cases.yaml"
    case = CASE % (f", applies: {own}" if own else "")
    path.write_text(f"corpus: 1\nsource: s\napplies: {applies}\ncases:\n  - {case}\n", encoding="utf-8")
    return path


def test_a_case_may_name_options_and_leave_the_variants_to_its_file(tmp_path: Path) -> None:
    (case,) = load_file(cases(tmp_path, "{variants: [v]}", "{options: {o: [p, q]}}"))
    assert (case.applies.variants, dict(case.applies.options)) == (("v",), {"o": ("p", "q")})


@pytest.mark.parametrize(
    ("applies", "own", "told"),
    [
        ("{options: {o: p}}", "", "A case applies to at least one variant: write applies: {variants: [...]}."),
        ("{variant: [v]}", "", "‘variant’ is not known here. Did you mean variants?"),
        ("{variants: [v]}", "{option: {o: p}}", "‘option’ is not known here. Did you mean options?"),
        ("{variants: [v]}", "{}", ""),
        ("[v]", "", "Here a mapping (key: value) or null is wanted"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(tmp_path: Path, applies: str, own: str, told: str) -> None:
    path = cases(tmp_path, applies, own)
    if not told:
        assert load_file(path)
        return
    with pytest.raises(CaseError) as caught:
        load_file(path)
    assert told in str(caught.value)

"""The walk through ``federation.md``, done as it says in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from fenced import ROOT, blocks, prints_what_is_shown

from truco_spec.base.project import VARIABLE
from truco_spec.cli import main
from truco_spec.language.format import format_text

PAGE = (ROOT / "docs" / "federation.md").read_text(encoding="utf-8")


def test_its_rules_are_in_the_one_true_form() -> None:
    (rules,) = (block for block in blocks(PAGE) if block.language == "truco")
    assert format_text(rules.text, "north.truco") == rules.text


@pytest.mark.long
def test_everything_on_it_is_done_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    first, *others = blocks(PAGE)
    prints_what_is_shown(first, tmp_path)
    folder = tmp_path / "north"
    monkeypatch.chdir(folder)
    for block in others:
        if block.about.startswith("file "):
            path = folder / block.about.removeprefix("file ")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            prints_what_is_shown(block, folder)
        else:
            for line in block.text.splitlines():
                with pytest.raises(SystemExit) as end:
                    main(line.split()[1:])
                assert end.value.code == 0
    assert "Seats" in (folder / "north.html").read_text(encoding="utf-8")
    assert "Vazas empatadas" in (folder / "north-pt.html").read_text(encoding="utf-8")

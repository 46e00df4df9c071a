"""Texts and what is said of them, side by side: bad ones with every mistake told, good ones in their proper layout.

Each file of ``said/`` is a text, a line, and what is expected. After a change that is meant, write them anew with
``REGENERATE=1 python -m pytest tests/language/test_said.py`` and read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from one_language import foreign_in_mistakes

from release.catalogs import TRANSLATED
from truco_spec.language.diagnostics import SpecError
from truco_spec.language.format import format_text
from truco_spec.language.read import read

SAID = Path(__file__).parent / "said"


def halves(path: Path, line: str) -> tuple[str, str]:
    text, _, expected = path.read_text(encoding="utf-8").partition(f"{line}\n")
    return text, expected


def compare(path: Path, line: str, text: str, said: str) -> None:
    if os.environ.get("REGENERATE"):
        path.write_text(f"{text}{line}\n{said}", encoding="utf-8")
    assert said == halves(path, line)[1]


@pytest.mark.parametrize("path", sorted((SAID / "bad").glob("*.said")), ids=lambda path: path.stem)
def test_a_bad_text_tells_all_its_mistakes(path: Path) -> None:
    text, _ = halves(path, "---- said ----")
    with pytest.raises(SpecError) as caught:
        read(text, path.stem)
    compare(path, "---- said ----", text, f"{caught.value}\n")
    for language in TRANSLATED:
        assert foreign_in_mistakes(caught.value.diagnostics, text, language) == []


@pytest.mark.parametrize("path", sorted((SAID / "good").glob("*.said")), ids=lambda path: path.stem)
def test_a_good_text_is_laid_out(path: Path) -> None:
    text, _ = halves(path, "---- laid out ----")
    read(text, path.stem)
    compare(path, "---- laid out ----", text, format_text(text, path.stem))

"""Every folder of the package says what comes in, what goes out, and where to begin."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "truco_spec"
NO_STAGE = {PACKAGE, PACKAGE / "cli" / "verbs"}
"""The package itself, and the verbs: each has its own words."""
FOLDERS = sorted(path.parent for path in PACKAGE.rglob("__init__.py") if path.parent not in NO_STAGE)
MOST = 15
"""About as many modules may lie in one folder."""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.relative_to(PACKAGE).as_posix())
def test_a_folder_says_what_comes_in_what_goes_out_and_where_to_begin(folder: Path) -> None:
    whole = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    said = " ".join(whole.split())
    assert "In: " in said
    assert "Out: " in said
    begin = re.search(r"Begin with (?:``([\w.]+)``|:mod:`~?truco_spec\.([\w.]+)`)", said)
    assert begin is not None
    path = (folder if begin[1] else PACKAGE) / (begin[1] or begin[2]).replace(".", "/")
    assert path.with_suffix(".py").is_file() or path.is_dir()


@pytest.mark.parametrize("folder", [*FOLDERS, *sorted(NO_STAGE)], ids=lambda folder: folder.name)
def test_a_folder_is_not_too_full(folder: Path) -> None:
    assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= MOST

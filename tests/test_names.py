"""A name means one thing in the whole package: of modules, and of classes."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "truco_spec"
FILES = [path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"]

VERBS = PACKAGE / "cli" / "verbs"
"""A verb's module has the name of the verb, or of the first of those that share it."""
AS_WRITTEN = PACKAGE / "language" / "tree.py"
"""A statement as it is written, and as it is linked, have the same names: they are read with their modules."""


def test_a_module_has_a_name_of_its_own() -> None:
    names = Counter(path.stem for path in FILES if path.parent != VERBS)
    assert {name for name, count in names.items() if count > 1} == set()


def test_a_class_has_a_name_of_its_own() -> None:
    names = Counter(
        name
        for path in FILES
        if path != AS_WRITTEN
        for name in re.findall(r"^ *class ([^\W_]\w*)[(:]", path.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert {name for name, count in names.items() if count > 1} == set()

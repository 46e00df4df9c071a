"""Locations of the shipped data: the grammar, the specs, the corpus and the documentation.

In an installed wheel they are inside the package; in a checkout they are the top-level folders beside it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def folder(name: str) -> Path:
    """Return the folder ``grammar``, ``spec``, ``conformance`` or ``docs`` of this installation."""
    inside = _PACKAGE / "data" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def is_file(name: str) -> bool:
    """Return whether the name means a file of the user's, not a shipped variant."""
    return name.endswith(".truco") or "/" in name


@lru_cache(maxsize=1)
def variant_names() -> tuple[str, ...]:
    """Return the names of the shipped playable variants, in alphabetical order."""
    return tuple(path.stem for path in sorted((folder("spec") / "variants").glob("*.truco")))


# ---- The languages of books and pages, by their codes; English needs no catalog ------------------

ENGLISH = "en"
LANGUAGES = (ENGLISH, "pt", "es")

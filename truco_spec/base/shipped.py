"""Where the shipped data lie: the grammar, the specs, the corpus and the documentation.

In an installed wheel they are inside the package; in a checkout they are the top-level folders beside it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def folder(name: str) -> Path:
    """The folder ``grammar``, ``spec``, ``conformance`` or ``docs`` of this installation."""
    inside = _PACKAGE / "data" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def is_file(name: str) -> bool:
    """Is it a file of one's own that is meant, not a shipped variant?"""
    return name.endswith(".truco") or "/" in name


OWN: dict[str, str] = {}
"""Variants of one's own that this process knows by name: their files (:func:`truco_spec.graph.load.know`)."""


def playable_names() -> list[str]:
    """The names of all variants that can be played by name: the shipped ones, and those of one's own."""
    return [*variant_names(), *OWN]


@lru_cache(maxsize=1)
def variant_names() -> tuple[str, ...]:
    """The names of the shipped variants that can be played, in the order of the alphabet."""
    return tuple(path.stem for path in sorted((folder("spec") / "variants").glob("*.truco")))


# ---- The languages of books and pages, by their codes; English needs no catalog ------------------

ENGLISH = "en"
LANGUAGES = (ENGLISH, "pt", "es")

"""What is kept of a file of cases between runs: the cases themselves, and what was worked out to ask them.

Both hang on the text of the file and its path, on the specs and on this program; when one of them changes, so does the
name, and what was kept is not found any more. Nothing of a run or of an implementation is kept.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from truco_spec.conformance.cases import Case
from truco_spec.conformance.protocol import Introduction
from truco_spec.shipped import OWN
from truco_spec.user_cache import Shelf, folder, installation

MADE_BY = ("", "language", "graph", "graph/lower", "engine", "logs", "conformance")
"""The parts of this package on which it hangs how a case is asked."""

SHELF = Shelf("cases", 1000)

_LONGEST = 5_000_000  # a file that is longer is not read at all
_PREPARED = ".prepared"


def name_of(path: Path) -> str:
    """The name under which something is kept of a file as it is now; empty if it cannot be read, or nothing is kept."""
    if folder() is None or OWN:  # what is worked out of a variant of one's own hangs on a file that may change
        return ""
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST + 1)
    except OSError:
        return ""
    digest = hashlib.sha256(installation(MADE_BY) + f"{path}\0".encode("utf-8", "surrogateescape"))
    digest.update(text)
    return digest.hexdigest() if len(text) <= _LONGEST else ""


def cases(name: str) -> tuple[Case, ...] | None:
    """The cases that are kept under a name, or None."""
    found = SHELF.take(name) if name else None
    return found if isinstance(found, tuple) and all(isinstance(case, Case) for case in found) else None


def keep_cases(name: str, found: tuple[Case, ...]) -> None:
    """Keep the cases of a file, if that can be done."""
    if name:
        SHELF.put(name, found)


def introduction() -> Introduction | None:
    """How the reference engine introduces itself, or None where that is not kept."""
    found = SHELF.take(_introduced())
    return found if isinstance(found, Introduction) else None


def keep_introduction(found: Introduction) -> None:
    """Keep how the reference engine introduces itself: to find out what it plays, all variants are linked."""
    SHELF.put(_introduced(), found)


def _introduced() -> str:
    return hashlib.sha256(installation(MADE_BY) + b"introduction").hexdigest()


def prepared(name: str) -> dict[str, Any]:
    """By names of instances, what is kept of their preparation as plain values."""
    found = SHELF.take(name + _PREPARED) if name else None
    return found if isinstance(found, dict) else {}


def keep_prepared(name: str, found: dict[str, Any]) -> None:
    """Keep the preparation of the instances of a file, if that can be done."""
    if name:
        SHELF.put(name + _PREPARED, found)

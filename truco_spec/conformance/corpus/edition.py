"""The version of the corpus, X.Y.Z: what the cases say, as against the format in which they are written.

A verdict that changes, or a case that goes, raises X; a new case raises Y; a change of wording raises Z. It stands on
top of ``conformance/corpus.txt``; how that file is made, and when it is out of date, is in ``digests``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError

_NUMBER = r"(0|[1-9]\d{0,5})"
_VERSION = re.compile(rf"version {_NUMBER}\.{_NUMBER}\.{_NUMBER}")


class EditionError(TrucoError):
    """The file that tells the version of the corpus cannot be read, or tells none."""


def edition_file() -> Path:
    """Where the version of the shipped corpus stands."""
    return shipped.folder("conformance") / "corpus.txt"


@lru_cache(maxsize=1)
def edition() -> str:
    """The version of the shipped corpus. Raises :class:`EditionError`."""
    path = edition_file()
    try:
        with path.open(encoding="utf-8") as lines:
            return version_in(next((line for line in lines if not line.startswith("#")), ""), str(path))
    except OSError as error:
        raise EditionError(f"{path}: This file cannot be read: {error.strerror or error}.") from error


def version_in(line: str, path: str) -> str:
    """The version that the line tells. Raises :class:`EditionError`."""
    if _VERSION.fullmatch(line.strip()) is None:
        raise EditionError(f"{path}: The first line that is no comment should be “version X.Y.Z”.")
    return line.split()[1]

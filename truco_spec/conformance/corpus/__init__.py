"""The cases: read from YAML, filled with cards, and as scripts ready to send.

In: ``conformance/cases/*.yaml``, and the JSON lines made from them. Out: a
:class:`~truco_spec.conformance.corpus.protocol.Script` for each request, with its checks. Begin with ``cases``, then
``ready``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError, reason_of

# ---- The version of the corpus, X.Y.Z: of the content of the cases, as opposed to their file format -
#
# A changed verdict or a removed case raises X; a new case raises Y; a change of wording raises Z. It is the first
# line of ``conformance/corpus.txt``; ``digests`` writes that file and checks that it is current.

_NUMBER = r"(0|[1-9]\d{0,5})"
_VERSION = re.compile(rf"version {_NUMBER}\.{_NUMBER}\.{_NUMBER}")


class EditionError(TrucoError):
    """The file with the version of the corpus cannot be read, or has no version."""


def edition_file() -> Path:
    """The path of the file with the version."""
    return shipped.folder("conformance") / "corpus.txt"


@lru_cache(maxsize=1)
def edition() -> str:
    """The version of the shipped corpus. Raises :class:`EditionError`."""
    path = edition_file()
    try:
        with path.open(encoding="utf-8") as lines:
            return version_in(next((line for line in lines if not line.startswith("#")), ""), str(path))
    except OSError as error:
        from truco_spec.base.words import Sentence  # a version needs none

        why = reason_of(error)
        raise EditionError(Sentence("{path}: This file cannot be read: {why}.", path=str(path), why=why)) from error


def version_in(line: str, path: str) -> str:
    """Parse the version in a line. Raises :class:`EditionError`."""
    if _VERSION.fullmatch(line.strip()) is None:
        from truco_spec.base.words import Sentence

        form = "{path}: The first line that is no comment should be “version X.Y.Z”."
        raise EditionError(Sentence(form, path=path))
    return line.split()[1]

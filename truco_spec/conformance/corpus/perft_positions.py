"""The shipped positions of perft: how many sequences of actions follow from each, by depth.

``conformance/perft/VARIANT.yaml`` holds those of a variant; ``docs/perft.md`` shows them.
``truco-spec perft --shipped`` counts them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.shapes import ShapeError, read

PERFT_VERSION = 1
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


class PerftPositionError(TrucoError):
    """A file of positions cannot be used. The message has file, line, the position, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class PerftPosition:
    """Where a log ends, and what follows from there."""

    id: Annotated[str, "Small letters, digits and hyphens; unique in all files, and never reused."]
    title: Annotated[str, "What the position is, in a line."]
    log: Annotated[str, "A log in one line (docs/logs.md); the position is its end."]
    counts: Annotated[tuple[int, ...], "The number of sequences of one action, of two, and so on."]


@dataclass(frozen=True, slots=True)
class PerftFile:
    """The positions of a variant."""

    perft: Annotated[int, "The version of this format: 1."]
    variant: Annotated[str, "The variant that every log of the file names."]
    positions: Annotated[tuple[PerftPosition, ...], "The positions."]


@lru_cache(maxsize=1)
def perft_folder() -> Path:
    """The folder of the positions that are shipped with this installation."""
    return shipped.folder("conformance") / "perft"


def load_positions(variants: Iterable[str] = ()) -> tuple[PerftPosition, ...]:
    """The shipped positions of these variants, or of all. Raises :class:`PerftPositionError`."""
    found: dict[str, PerftPosition] = {}
    for variant in variants or shipped.variant_names():
        path = perft_folder() / f"{variant}.yaml"
        if not path.is_file():
            raise PerftPositionError(f"{variant}: There are no positions of this variant, only of the shipped ones.")
        for position in load_position_file(path).positions:
            if position.id in found:
                raise PerftPositionError(f"{path}: the id {position.id} is already used in another file.")
            found[position.id] = position
    return tuple(found.values())


def load_position_file(path: Path) -> PerftFile:
    """The positions of a file. Raises :class:`PerftPositionError`."""
    try:
        document = safe_yaml.load_file(path)
    except safe_yaml.YamlError as error:
        raise PerftPositionError(str(error)) from error
    try:
        _check_format(document.data)
        file: PerftFile = read(document.data, PerftFile)
        _check_positions(file)
    except ShapeError as error:
        line, column = document.key_place(*error.place)
        at = f"{_named(document.data, error.place)}{error.message}"
        raise PerftPositionError(f"{path}:{line}:{column}: {at} The keys are explained in docs/perft.md.") from error
    return file


def _check_format(data: object) -> None:
    """Checked first: with a later version every other key may be unknown."""
    version = data.get("perft") if isinstance(data, dict) else None
    if isinstance(version, int) and version != PERFT_VERSION:
        newer = " Use a newer truco-spec." if version > PERFT_VERSION else ""
        raise ShapeError(f"This is version {version} of the format; this truco-spec reads 1.{newer}", ("perft",))


def _check_positions(file: PerftFile) -> None:
    seen = set[str]()
    for at, position in enumerate(file.positions):
        here = ("positions", at)
        if not _ID.fullmatch(position.id):
            raise ShapeError("The id is not small letters, digits and hyphens (variant-topic).", (*here, "id"))
        if position.id in seen:
            raise ShapeError("The id is given twice; ids are unique.", (*here, "id"))
        seen.add(position.id)
        if position.log.split("|")[0].split()[:1] != [file.variant]:
            raise ShapeError(f"The log is not of {file.variant}, the variant of the file.", (*here, "log"))
        if not position.counts or min(position.counts) < 1:
            raise ShapeError("A position has counts, from depth 1 on, each at least 1.", (*here, "counts"))


def _named(data: object, place: tuple[str | int, ...]) -> str:
    """The id of the position that a place is in."""
    if len(place) < 2 or place[0] != "positions" or not isinstance(data, dict):
        return ""
    entry = data["positions"][place[1]]
    return f"{entry['id']}: " if isinstance(entry, dict) and isinstance(entry.get("id"), str) else ""

"""What a page asks the rules to draw a table: ``spec/board.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.shapes import ShapeError, read


@dataclass(frozen=True, slots=True)
class BoardFile:
    """``spec/board.yaml``."""

    board: Literal[1]
    licence: str
    best: Annotated[str, "A question about a trick: the players of the best card so far."]
    above: Annotated[tuple[str, ...], "Questions about a card: whether it stands above all others."]
    facts: Annotated[Mapping[str, str], "Observations that always stand at the table, in this order: their labels."]
    first: Annotated[Mapping[str, str], "The game that a page begins with, by language."]


@cache
def board() -> BoardFile:
    """The questions that draw a table. Raises :class:`~truco_spec.base.safe_yaml.YamlError`."""
    where = shipped.folder("spec") / "board.yaml"
    document = safe_yaml.load_file(where)
    try:
        found: BoardFile = read(document.data, BoardFile)
    except ShapeError as error:
        raise safe_yaml.YamlError(error.message, str(where), *document.key_place(*error.place)) from error
    return found
